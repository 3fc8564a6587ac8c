//! How messages are declared.

/// Declares the messages with their keys, so that a key without a message, or the other way round, cannot be.
macro_rules! messages {
    ($($message:ident $key:literal;)*) => {
        /// A fixed text, by its key in the catalogues.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Message {
            $(#[doc = concat!("`", $key, "`")] $message,)*
        }

        impl Message {
            /// Every message.
            pub const ALL: &[Self] = &[$(Self::$message),*];

            /// The key in the catalogues, `section.name`.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$message => $key,)*
                }
            }

            /// The message with this key.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.iter().find(|message| message.key() == key).copied()
            }
        }
    };
}
