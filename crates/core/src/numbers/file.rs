//! The file of numbers: each with its value, its range, what it means and where it comes from.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use super::Number;

/// Why the numbers could not be read.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum NumbersError {
    /// The file is no such file.
    #[error("assets/numbers.toml: {0}")]
    Syntax(String),
    /// A number is missing.
    #[error("assets/numbers.toml: `{0}` is missing")]
    Missing(String),
    /// A number that nothing reads.
    #[error("assets/numbers.toml: nothing reads `{0}`")]
    Unread(String),
    /// A number is not what it may be.
    #[error("assets/numbers.toml: `{name}` is {value}, and must be {allowed}")]
    Value {
        /// Its section and name.
        name: String,
        /// Its value, as written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A number does not say what it means or where it comes from.
    #[error(
        "assets/numbers.toml: `{0}` must say what it means, and whether it is seed, measured, reasoned or unrecorded, and how"
    )]
    Unexplained(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    value: f64,
    range: [f64; 2],
    means: String,
    source: String,
}

impl Entry {
    fn is_explained(&self) -> bool {
        let reason = |kind: &str| self.source.strip_prefix(kind).is_some_and(|rest| rest.trim().len() > 1);
        !self.means.trim().is_empty()
            && ["seed:", "measured:", "reasoned:", "unrecorded:"].into_iter().any(reason)
    }
}

/// The entries that were not taken yet, by section.
pub(super) struct File(BTreeMap<String, BTreeMap<String, Entry>>);

impl File {
    pub fn parse(text: &str) -> Result<Self, NumbersError> {
        toml::from_str(text).map(Self).map_err(|error| NumbersError::Syntax(error.to_string()))
    }

    /// Takes a number, which must be explained and within its range.
    pub fn take<N: Number>(&mut self, section: &str, name: &str) -> Result<N, NumbersError> {
        let path = format!("{section}.{name}");
        let entry = self.0.get_mut(section).and_then(|entries| entries.remove(name));
        let entry = entry.ok_or_else(|| NumbersError::Missing(path.clone()))?;
        if !entry.is_explained() {
            return Err(NumbersError::Unexplained(path));
        }
        let Entry { value, range: [least, most], .. } = entry;
        let wrong = |allowed: String| NumbersError::Value { name: path, value: value.to_string(), allowed };
        if !(least..=most).contains(&value) {
            return Err(wrong(format!("a number from {least} to {most}")));
        }
        N::of(value).ok_or_else(|| wrong("a whole number".to_owned()))
    }

    /// What is left over was written for nobody.
    pub fn is_used_up(&self) -> Result<(), NumbersError> {
        let left =
            self.0.iter().flat_map(|(section, entries)| entries.keys().map(move |name| (section, name)));
        match left.into_iter().next() {
            Some((section, name)) => Err(NumbersError::Unread(format!("{section}.{name}"))),
            None => Ok(()),
        }
    }
}
