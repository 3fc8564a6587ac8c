//! Thresholds files: YAML with a section for each collection and scorer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tracing::warn;

use super::table::{CollectionThresholds, CrossLanguage, Section};
use super::{family_of, marked};
use crate::detail::Detail;
use crate::messages::Message;
use crate::settings::error::{Origin, SettingsError, nearest};
use crate::settings::keys::number;

const SECTIONS: [&str; 6] =
    ["collections", "default", "default_Local", "default_Ollama", "default_Lexical", "cross_language"];

/// The sections of a file by name; collections stand under `collections.<name>`.
pub(super) type Sections = BTreeMap<String, Section>;

pub(super) fn read(origin: &Origin, text: &str) -> Result<Sections, SettingsError> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Sections::new());
    }
    let value: Value = serde_saphyr::from_str(text).map_err(|error| SettingsError::Syntax {
        origin: origin.clone(),
        line: error.location().and_then(|place| usize::try_from(place.line()).ok()).unwrap_or(1),
        detail: first_line(&error.without_snippet().to_string()).into(),
    })?;
    let Value::Object(written) = &value else {
        return Err(SettingsError::Syntax {
            origin: origin.clone(),
            line: 1,
            detail: Message::SettingNoSections.into(),
        });
    };
    let mut sections = Sections::new();
    for (name, value) in written {
        match name.as_str() {
            "collections" => {
                for (collection, value) in table(origin, "collections", value)? {
                    let path = format!("collections.{collection}");
                    if family_of(marked(collection).0).is_none() {
                        return Err(SettingsError::Value {
                            origin: origin.clone(),
                            key: "collections".to_owned(),
                            value: Detail::of(
                                Message::SettingSection,
                                [("name", collection.as_str().into())],
                            ),
                            allowed: Message::SettingAllowedScorers.into(),
                        });
                    }
                    sections
                        .insert(path.clone(), numbers(origin, &path, value, CollectionThresholds::FIELDS)?);
                }
            }
            "cross_language" => {
                sections.insert(name.clone(), numbers(origin, name, value, CrossLanguage::FIELDS)?);
            }
            known if SECTIONS.contains(&known) => {
                sections.insert(name.clone(), numbers(origin, name, value, CollectionThresholds::FIELDS)?);
            }
            _ => return Err(unknown(origin, name, &SECTIONS)),
        }
    }
    Ok(sections)
}

pub(super) fn write(sections: &Sections) -> String {
    let numbers = |section: &Section, indent: &str| {
        section.iter().map(|(field, value)| format!("{indent}{field}: {value}\n")).collect::<String>()
    };
    let (of_collections, others): (Vec<_>, Vec<_>) =
        sections.iter().partition(|(path, _)| path.starts_with("collections."));
    let mut text = String::new();
    if !of_collections.is_empty() {
        text.push_str("collections:\n");
    }
    for (path, section) in of_collections {
        let name = path.trim_start_matches("collections.");
        text.push_str(&format!("  {name}:\n{}", numbers(section, "    ")));
    }
    for (name, section) in others {
        text.push_str(&format!("{name}:\n{}", numbers(section, "  ")));
    }
    text
}

/// Names that thresholds had before, and what they are called now. A file that is changed is written with the new ones.
const FORMER_NAMES: [(&str, &str); 1] = [("lead", "margin")];

fn current_name<'n>(origin: &Origin, name: &'n str) -> &'n str {
    match FORMER_NAMES.into_iter().find(|(former, _)| *former == name) {
        Some((former, now)) => {
            warn!(target: "settings", event = "former_name", origin = %origin, name = former, now);
            now
        }
        None => name,
    }
}

fn numbers(
    origin: &Origin,
    path: &str,
    value: &Value,
    fields: &[&'static str],
) -> Result<Section, SettingsError> {
    let mut section = Section::new();
    for (name, value) in table(origin, path, value)? {
        let current = current_name(origin, name);
        let Some(field) = fields.iter().find(|field| **field == current) else {
            return Err(unknown(origin, &format!("{path}.{name}"), fields));
        };
        match value.as_f64().filter(|number| (0.0..=1.0).contains(number)) {
            Some(number) => section.insert(field, number),
            None => {
                return Err(SettingsError::Value {
                    origin: origin.clone(),
                    key: format!("{path}.{name}"),
                    value: value.to_string().into(),
                    allowed: number(0.0, 1.0),
                });
            }
        };
    }
    Ok(section)
}

fn table<'a>(origin: &Origin, path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, SettingsError> {
    value.as_object().ok_or_else(|| SettingsError::Value {
        origin: origin.clone(),
        key: path.to_owned(),
        value: value.to_string().into(),
        allowed: Message::SettingAllowedSection.into(),
    })
}

pub(super) fn unknown(origin: &Origin, path: &str, known: &[&str]) -> SettingsError {
    let name = path.rsplit('.').next().unwrap_or(path);
    let nearest = nearest(name, known.iter().copied());
    SettingsError::UnknownKey { origin: origin.clone(), key: path.to_owned(), nearest }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}
