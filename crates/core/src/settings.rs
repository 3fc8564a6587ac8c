//! Settings: parsed raw in layers, resolved once into one immutable value.
//!
//! This module reads no file and no environment; whoever starts the program hands both in as [`Sources`].

mod declare;
mod document;
mod edit;
mod error;
mod keys;
mod layers;
mod owners;
mod table;
mod thresholds;

#[cfg(test)]
mod tests;

pub use error::{Origin, SettingsError};
pub use layers::Sources;
pub use owners::{Contact, Owner, Owners};
pub use table::{
    BreakerSettings, BudgetSettings, CuratedSettings, GeneralSettings, GroundingSettings, LimitSettings,
    ManagedSettings, ModelAllowance, ModelSettings, RetrievalSettings, ServerKind, Settings, TeamSettings,
    VocabularySettings,
};
pub use thresholds::{CollectionThresholds, CrossLanguage, MeantFor, Thresholds};

use std::collections::BTreeMap;

use plumbline_telemetry::sha256_hex;
use toml::{Table, Value};

use error::beside;
use layers::Layers;

use crate::messages::Message;
use crate::numbers;

impl Settings {
    /// Resolves the layers into settings, or says which value of which layer is wrong and what is allowed.
    pub fn resolve<E>(sources: Sources<E>) -> Result<Self, SettingsError>
    where
        E: IntoIterator<Item = (String, String)>,
    {
        Self::resolve_with_origins(sources).map(|(settings, _)| settings)
    }

    /// As [`Settings::resolve`], and tells for every `section.key` that was given where it was given.
    pub fn resolve_with_origins<E>(
        sources: Sources<E>,
    ) -> Result<(Self, BTreeMap<String, Origin>), SettingsError>
    where
        E: IntoIterator<Item = (String, String)>,
    {
        // Whatever starts resolves its settings, and nothing may start with numbers that do not hold.
        numbers::check()?;
        let mut layers = Layers::of_defaults();
        if let Some((path, text)) = sources.user_file {
            layers.add_file(&Origin::File(path), &text)?;
        }
        layers.add_environment(sources.environment)?;
        for (path, value) in sources.flags {
            layers.add_flag(&path, &value)?;
        }
        let Layers { values, origins } = layers;
        // Every value has passed its rule; what is left to fail is a default that a test would have caught.
        let settings: Self = Value::Table(values).try_into().map_err(|error: toml::de::Error| {
            SettingsError::Syntax { origin: Origin::Default, line: 1, detail: error.message().into() }
        })?;
        settings.check_together(&origins)?;
        Ok((settings, origins))
    }

    /// What differs from the default, as a settings file holds it.
    ///
    /// To save a change, resolve the user's file alone with the change as a flag and write what this returns: what
    /// comes from the environment then stays there.
    pub fn differences(&self) -> Table {
        let (own, default) = (self.to_table(), Self::default().to_table());
        let mut differences = Table::new();
        for (section, values) in own {
            let (Value::Table(values), Some(Value::Table(default))) = (values, default.get(&section)) else {
                continue;
            };
            let changed: Table = values
                .into_iter()
                .filter(|(name, value)| default.get(name) != Some(value))
                .map(|(name, value)| {
                    let value =
                        if name == "allow" { allow_differences(value, default.get("allow")) } else { value };
                    (name, value)
                })
                .collect();
            if !changed.is_empty() {
                differences.insert(section, Value::Table(changed));
            }
        }
        differences
    }

    /// A digest of all values: equal settings have equal hashes, on every machine.
    pub fn config_hash(&self) -> String {
        sha256_hex(self.to_json())
    }

    // By way of text: a 32-bit 0.1 is written as 0.1 there, and as 0.10000000149011612 anywhere else.
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn to_table(&self) -> Table {
        let json: serde_json::Value = serde_json::from_str(&self.to_json()).unwrap_or_default();
        match without_nulls(json) {
            Some(Value::Table(table)) => table,
            _ => Table::new(),
        }
    }

    /// Values that are sound alone and not beside each other.
    fn check_together(&self, origins: &BTreeMap<String, Origin>) -> Result<(), SettingsError> {
        let Self { retrieval, curated, .. } = self;
        ordered(
            origins,
            ("retrieval.abstain_at", f64::from(retrieval.abstain_at)),
            ("retrieval.confidence_threshold", f64::from(retrieval.confidence_threshold)),
        )?;
        ordered(
            origins,
            ("retrieval.rerank_keep", retrieval.rerank_keep as f64),
            ("retrieval.rerank_pool", retrieval.rerank_pool as f64),
        )?;
        ordered(
            origins,
            ("curated.pinned_border", shown(curated.pinned_border)),
            ("curated.pinned_accept", shown(curated.pinned_accept)),
        )?;
        ordered(
            origins,
            ("curated.note_accept", shown(curated.note_accept)),
            ("curated.note_spares", shown(curated.note_spares)),
        )
    }
}

/// The first of two settings may not exceed the second; the one that was changed is the one that is wrong.
fn ordered(
    origins: &BTreeMap<String, Origin>,
    (low, low_value): (&str, f64),
    (high, high_value): (&str, f64),
) -> Result<(), SettingsError> {
    if low_value <= high_value {
        return Ok(());
    }
    let origin = |key: &str| origins.get(key).cloned().unwrap_or(Origin::Default);
    let wrong = |key: &str, value: f64, allowed| {
        Err(SettingsError::Value {
            origin: origin(key),
            key: key.to_owned(),
            value: value.to_string().into(),
            allowed,
        })
    };
    if origin(low) == Origin::Default {
        wrong(high, high_value, beside(Message::SettingAllowedAtLeast, low, low_value))
    } else {
        wrong(low, low_value, beside(Message::SettingAllowedAtMost, high, high_value))
    }
}

/// The 64-bit number that is written as the 32-bit one is.
fn shown(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

/// JSON as TOML, which has no null: what is null is left out.
fn without_nulls(json: serde_json::Value) -> Option<Value> {
    Some(match json {
        serde_json::Value::Null => return None,
        serde_json::Value::Bool(value) => Value::Boolean(value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::String(text),
        serde_json::Value::Array(values) => {
            Value::Array(values.into_iter().filter_map(without_nulls).collect())
        }
        serde_json::Value::Object(map) => Value::Table(
            map.into_iter().filter_map(|(name, value)| Some((name, without_nulls(value)?))).collect(),
        ),
    })
}

/// Models that were added or changed, and `false` for those taken off the list.
fn allow_differences(own: Value, default: Option<&Value>) -> Value {
    let (Value::Table(own), Some(Value::Table(default))) = (own, default) else {
        return Value::Table(Table::new());
    };
    let removed: Vec<String> = default.keys().filter(|model| !own.contains_key(*model)).cloned().collect();
    let mut differences: Table =
        own.into_iter().filter(|(model, entry)| default.get(model) != Some(entry)).collect();
    differences.extend(removed.into_iter().map(|model| (model, Value::Boolean(false))));
    Value::Table(differences)
}
