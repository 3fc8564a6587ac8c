//! The macro behind the table of settings: what is declared once there becomes structs, defaults and keys.

/// Declares settings by section. A line is `name: type = default, rule`, then the seed's variable in brackets where it has one,
/// then `such as` and an example where the default is that it is absent.
macro_rules! settings {
    ($(
        $(#[doc = $about:literal])+
        $(#[derive($($derive:ident),+)])?
        [$section:ident] $Section:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident: $type:ty = $default:expr, $rule:expr $(, [$variable:literal])? $(, such as $example:literal)?;
            )+
        }
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize $($(, $derive)+)?)]
            #[serde(deny_unknown_fields)]
            #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
            pub struct $Section {
                $($(#[doc = $doc])+ pub $name: $type,)+
            }

            impl Default for $Section {
                fn default() -> Self {
                    Self { $($name: $default,)+ }
                }
            }
        )+

        /// All settings.
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub struct Settings {
            $($(#[doc = $about])+ pub $section: $Section,)+
        }

        /// Every section's name and what it is about.
        pub(super) static SECTIONS: &[(&str, &[&str])] = &[$((stringify!($section), &[$($about),+]),)+];

        /// Every setting by name.
        pub(super) static KEYS: &[Key] = &[$($(
            Key {
                section: stringify!($section),
                name: stringify!($name),
                rule: $rule,
                about: &[$($doc),+],
                short_variable: optional!($($variable)?),
                example: optional!($($example)?),
            },
        )+)+];
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

pub(super) use {optional, settings};
