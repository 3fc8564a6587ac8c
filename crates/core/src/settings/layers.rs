//! The layers of settings, and who has the last word on each key.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::{Table, Value};

use super::Settings;
use super::error::{Origin, SettingsError, nearest, toml_syntax};
use super::keys::{Key, Rule};
use super::table::KEYS;

/// Where settings come from, the later winning: the embedded default, a file, the environment, flags.
#[derive(Debug, Clone)]
pub struct Sources<E> {
    /// The user's file: its path, for messages, and its text.
    pub user_file: Option<(PathBuf, String)>,
    /// All variables of the environment; those that are no settings are passed over, as are empty ones.
    pub environment: E,
    /// `section.key` and value.
    pub flags: Vec<(String, String)>,
}

impl Default for Sources<std::iter::Empty<(String, String)>> {
    fn default() -> Self {
        Self { user_file: None, environment: std::iter::empty(), flags: Vec::new() }
    }
}

/// The values so far, by section, and where each was given.
pub(super) struct Layers {
    pub values: Table,
    pub origins: BTreeMap<String, Origin>,
}

impl Layers {
    /// The lowest layer: what the table declares.
    pub fn of_defaults() -> Self {
        let values = Settings::default().to_table();
        let given =
            |key: &&Key| values.get(key.section).is_some_and(|section| section.get(key.name).is_some());
        let origins = KEYS.iter().filter(given).map(|key| (key.path(), Origin::Default)).collect();
        Self { values, origins }
    }

    pub fn add_file(&mut self, origin: &Origin, text: &str) -> Result<(), SettingsError> {
        let table: Table = toml::from_str(text).map_err(|error| toml_syntax(origin.clone(), text, &error))?;
        for (section, value) in &table {
            let entries = match value {
                Value::Table(entries) if KEYS.iter().any(|key| key.section == section) => entries,
                _ => return Err(unknown(origin.clone(), section)),
            };
            for (name, value) in entries {
                self.add(&format!("{section}.{name}"), value, origin.clone())?;
            }
        }
        Ok(())
    }

    pub fn add_environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), SettingsError> {
        let variables: BTreeMap<String, String> =
            variables.into_iter().filter(|(_, value)| !value.trim().is_empty()).collect();
        for key in KEYS {
            if let Some((name, value)) = key.short_variable.and_then(|name| variables.get_key_value(name)) {
                self.add(&key.path(), &key.rule.read(value), Origin::Variable(name.clone()))?;
            }
        }
        let names: BTreeMap<String, &Key> = KEYS.iter().map(|key| (key.variable(), key)).collect();
        for (name, value) in variables.iter().filter(|(name, _)| name.starts_with("PLUMBLINE_")) {
            if let Some(key) = names.get(name) {
                self.add(&key.path(), &key.rule.read(value), Origin::Variable(name.clone()))?;
            } else if let Some(meant) = misspelt(name, names.keys()) {
                let origin = Origin::Variable(name.clone());
                return Err(SettingsError::UnknownKey { origin, key: name.clone(), nearest: Some(meant) });
            }
        }
        Ok(())
    }

    pub fn add_flag(&mut self, path: &str, value: &str) -> Result<(), SettingsError> {
        let origin = Origin::Flag(path.to_owned());
        let key = Key::find(path).ok_or_else(|| unknown(origin.clone(), path))?;
        self.add(path, &key.rule.read(value), origin)
    }

    fn add(&mut self, path: &str, value: &Value, origin: Origin) -> Result<(), SettingsError> {
        let key = Key::find(path).ok_or_else(|| unknown(origin.clone(), path))?;
        let accepted = key.rule.accept(value).map_err(|()| SettingsError::Value {
            origin: origin.clone(),
            key: path.to_owned(),
            value: key.rule.shown(value).into(),
            allowed: key.rule.allowed(),
        })?;
        let section = self.values.entry(key.section).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(section) = section {
            match (accepted, &key.rule) {
                (Some(Value::Table(models)), Rule::Models) => merge_models(section, key.name, models),
                (Some(accepted), _) => {
                    section.insert(key.name.to_owned(), accepted);
                }
                (None, _) => {
                    section.remove(key.name);
                }
            }
        }
        self.origins.insert(path.to_owned(), origin);
        Ok(())
    }
}

fn merge_models(section: &mut Table, name: &str, models: Table) {
    let list = section.entry(name).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(list) = list {
        for (model, entry) in models {
            if entry.is_table() {
                list.insert(model, entry);
            } else {
                list.remove(&model);
            }
        }
    }
}

pub(super) fn unknown(origin: Origin, written: &str) -> SettingsError {
    let sections: Vec<String> = KEYS.iter().map(|key| key.section.to_owned()).collect();
    let paths: Vec<String> = KEYS.iter().map(Key::path).collect();
    let nearest = match written.split_once('.') {
        // A right key in a wrong section is nearer than any other key.
        Some((_, name)) => KEYS
            .iter()
            .find(|key| key.name == name)
            .map(Key::path)
            .or_else(|| nearest(written, paths.iter().map(String::as_str))),
        None => KEYS
            .iter()
            .find(|key| key.name == written)
            .map(Key::path)
            .or_else(|| nearest(written, sections.iter().map(String::as_str))),
    };
    SettingsError::UnknownKey { origin, key: written.to_owned(), nearest }
}

/// The setting's variable that was meant, if any: other programs of the product have variables of their own.
fn misspelt<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> Option<String> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let in_section =
        KEYS.iter().any(|key| name.starts_with(&format!("PLUMBLINE_{}_", key.section.to_uppercase())));
    let near = known.iter().any(|variable| strsim::damerau_levenshtein(name, variable) <= 2);
    (in_section || near).then(|| nearest(name, known)).flatten()
}
