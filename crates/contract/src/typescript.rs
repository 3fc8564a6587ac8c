//! What is generated from Rust: the contract in TypeScript, and the defaults of the settings.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_core::domain::{Collection, EmbedderFamily, Kind, Language};
use plumbline_core::settings::{CollectionThresholds, Settings, Thresholds};
use serde::Serialize;
use ts_rs::{Config, TS, TypeVisitor};

use crate::{broadcast, commands};

/// A file that is written from Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where it lies in the repository.
    pub path: &'static str,
    /// Its text.
    pub text: String,
}

const HEADER: &str = "// Generated from crates/contract by `cargo xtask generate`. Do not edit.\n\n";

/// The contract and the defaults of the settings in TypeScript, and the settings file that documents them; the same on every
/// machine.
pub fn generated_files() -> Vec<GeneratedFile> {
    let config = Config::new().with_large_int("number");
    let mut types = Types { config: &config, declarations: BTreeMap::new() };
    commands::visit(&mut types);
    let declarations: Vec<String> = types.declarations.into_values().collect();
    let imported: Vec<&str> = declarations
        .iter()
        .filter_map(|text| text.split("export type ").nth(1)?.split([' ', '=']).next())
        .collect();
    let interface = commands::interface(&config);
    let words: BTreeSet<&str> = interface.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let used: Vec<&str> = imported.into_iter().filter(|name| words.contains(name)).collect();
    let names: Vec<String> =
        commands::COMMANDS.iter().map(|command| format!("  \"{}\",\n", command.name)).collect();
    vec![
        GeneratedFile {
            path: "ui/src/backend/generated/types.ts",
            text: format!("{HEADER}{}", declarations.join("\n")),
        },
        GeneratedFile {
            path: "ui/src/backend/generated/commands.ts",
            text: format!(
                "{HEADER}import type {{ {} }} from \"./types\";\n\n{interface}\nexport const COMMANDS = [\n{}] as const;\n\n/** The name under which broadcasts reach the window. */\nexport const BROADCAST = \"{}\";\n",
                used.join(", "),
                names.concat(),
                broadcast::BROADCAST
            ),
        },
        GeneratedFile { path: "ui/src/backend/generated/settings.ts", text: settings() },
        GeneratedFile { path: "config/default.toml", text: Settings::documented() },
    ]
}

/// The defaults and the languages to choose from, so that the window's stand-in and its settings repeat nothing.
fn settings() -> String {
    let choice = |language: Language| LanguageChoice { value: language, text: language.name_in(language) };
    let languages: Vec<LanguageChoice> = Language::all().map(choice).collect();
    let local = *Thresholds::default().for_collection(&Collection::from(Kind::Adr), EmbedderFamily::Local);
    format!(
        "{HEADER}import type {{ CollectionThresholds, Language, Settings }} from \"./types\";\n\n\
         /** The settings where nothing is given. */\n\
         export const DEFAULT_SETTINGS: Settings = {};\n\n\
         /** The languages of the program. */\n\
         export const LANGUAGES: {{ value: Language; text: string }}[] = {};\n\n\
         /** The built-in thresholds of decision records with the built-in embedder. */\n\
         export const LOCAL_THRESHOLDS: CollectionThresholds = {};\n\n\
         /** Every threshold, in the order in which they are shown. */\n\
         export const THRESHOLD_FIELDS: (keyof CollectionThresholds)[] = {};\n",
        pretty(&Settings::default()),
        pretty(&languages),
        pretty(&local),
        pretty(&CollectionThresholds::FIELDS),
    )
}

/// A language under its own name, for who reads no other.
#[derive(Serialize)]
struct LanguageChoice {
    value: Language,
    text: &'static str,
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Collects every type of ours that can be reached.
struct Types<'c> {
    config: &'c Config,
    declarations: BTreeMap<String, String>,
}

impl TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of ours have a file; maps and the like have no name to ask for.
        if T::output_path().is_some() {
            let name = T::ident(self.config);
            if self.declarations.contains_key(&name) {
                return;
            }
            let docs = T::docs().unwrap_or_default();
            self.declarations.insert(name, format!("{docs}export {}\n", T::decl(self.config)));
        }
        T::visit_generics(self);
        T::visit_dependencies(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> String {
        generated_files().into_iter().find(|file| file.path.ends_with(name)).map(|file| file.text).unwrap()
    }

    #[test]
    fn every_type_that_crosses_is_declared() {
        let types = file("types.ts");
        for name in [
            "QuestionRequest",
            "AskResponse",
            "AnswerEvent",
            "Citation",
            "Definition",
            "ErrorCode",
            "StageReport",
            "Settings",
            "Broadcast",
            "CommandError",
            "DocumentView",
            "Turn",
        ] {
            assert!(types.contains(&format!("export type {name} ")), "{name} is missing:\n{types}");
        }
        assert!(!types.contains("bigint"), "numbers cross as JSON numbers");
    }

    #[test]
    fn the_table_names_each_command_once() {
        let commands = file("commands.ts");
        for command in commands::COMMANDS {
            assert_eq!(commands.matches(&format!("\n  {}: {{", command.name)).count(), 1, "{}", command.name);
        }
    }

    #[test]
    fn the_defaults_cross_as_they_are_written() {
        let settings = file("settings.ts");
        for line in ["\"temperature\": 0.1,", "\"answer\": null,", "\"single_hit\": 0.45,", "  \"margin\"\n]"]
        {
            assert!(settings.contains(line), "{line} is missing:\n{settings}");
        }
    }

    #[test]
    fn every_language_of_the_program_crosses() {
        let (types, settings) = (file("types.ts"), file("settings.ts"));
        let codes: Vec<String> = Language::all().map(|language| format!("{:?}", language.code())).collect();
        assert!(types.contains(&format!("export type Language = {};\n", codes.join(" | "))), "{types}");
        for text in ["\"English\"", "\"Nederlands\""] {
            assert!(settings.contains(&format!("\"text\": {text}")), "{text} is missing:\n{settings}");
        }
    }

    #[test]
    fn generating_twice_gives_the_same() {
        assert_eq!(generated_files(), generated_files());
    }
}
