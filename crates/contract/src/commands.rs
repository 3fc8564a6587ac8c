use ts_rs::{Config, TS};

use crate::{AnswerEvent, AskRequest, AskResponse, BannerItem, ErrorReport, Settings};

/// A command that the window can give. The shell's list of handlers equals this table, and a test holds it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub purpose: &'static str,
}

/// Declares the table once, for the shell and for TypeScript.
macro_rules! commands {
    ($( $purpose:literal $name:ident ( $($argument:ident : $type:ty),* ) $(streams $event:ty)? => $result:ty; )*) => {
        /// Every command.
        pub const COMMANDS: &[Command] = &[$(Command { name: stringify!($name), purpose: $purpose }),*];

        /// The table in TypeScript.
        pub(crate) fn interface(config: &Config) -> String {
            let mut lines = String::from("export interface Commands {\n");
            $(
                let arguments: Vec<String> =
                    vec![$(format!("{}: {}", stringify!($argument), <$type as TS>::name(config))),*];
                let arguments =
                    if arguments.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", arguments.join("; ")) };
                #[allow(unused_mut, unused_assignments)]
                let mut event = "never".to_owned();
                $( event = <$event as TS>::name(config); )?
                lines.push_str(&format!(
                    "  /** {} */\n  {}: {{ arguments: {arguments}; event: {event}; result: {} }};\n",
                    $purpose, stringify!($name), <$result as TS>::name(config)
                ));
            )*
            lines.push_str("}\n");
            lines
        }

        /// Hands every type that crosses to a visitor.
        pub(crate) fn visit(visitor: &mut impl ts_rs::TypeVisitor) {
            visitor.visit::<ErrorReport>();
            $( $( visitor.visit::<$type>(); )* $( visitor.visit::<$event>(); )? visitor.visit::<$result>(); )*
        }
    };
}

commands! {
    "Answers a question; events stream while it is being answered." ask(request: AskRequest) streams AnswerEvent => AskResponse;
    "Stops the answer to a question." stop(request_id: String) => ();
    "What is off at the moment, and until when." banner() => Vec<BannerItem>;
    "The settings in force." settings() => Settings;
}
