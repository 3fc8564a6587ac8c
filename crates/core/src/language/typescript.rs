//! The languages of the program in TypeScript: the window has texts for these, and for no other.

use std::path::PathBuf;

use ts_rs::{Config, TS};

use super::{EMBEDDED, Language};

/// By hand, as a derived type cannot name the folders that are there.
impl TS for Language {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn docs() -> Option<String> {
        Some("/**\n * A language that questions and documents are analysed in.\n */\n".to_owned())
    }

    fn name(_: &Config) -> String {
        "Language".to_owned()
    }

    fn inline(_: &Config) -> String {
        let codes: Vec<String> = EMBEDDED.iter().map(|(code, _)| format!("{code:?}")).collect();
        codes.join(" | ")
    }

    fn decl(config: &Config) -> String {
        format!("type {} = {};", Self::name(config), Self::inline(config))
    }

    fn decl_concrete(config: &Config) -> String {
        Self::decl(config)
    }

    fn output_path() -> Option<PathBuf> {
        Some(PathBuf::from("Language.ts"))
    }
}
