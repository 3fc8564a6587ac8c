//! What a language is called and how it writes: `language.toml`.

use std::collections::BTreeMap;

use rust_stemmers::Stemmer;
use serde::Deserialize;

use super::error::PackError;
use super::stemmer::stemmer;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    name: String,
    names: BTreeMap<String, String>,
    known_as: Vec<String>,
    stemmer: String,
    compounds: bool,
    decimal: String,
    characters_per_token: f64,
}

/// What a language is called and how it writes.
pub(crate) struct Profile {
    /// Its name in English, in which models are told what to do.
    pub name: String,
    /// What it calls the languages, by their codes.
    pub names: BTreeMap<String, String>,
    /// What documents call it, beside its code.
    pub known_as: Vec<String>,
    pub stemmer: Stemmer,
    /// Whether compounds are written as one word, whose last part says what it is.
    pub compounds: bool,
    /// What stands before the decimals of a number.
    pub decimal: String,
    /// Characters a token of its prose, as measured on real tokenizers.
    pub characters_per_token: f64,
}

impl Source {
    pub fn read(self, file: &str) -> Result<Profile, PackError> {
        let value = |key: &str, problem: String| PackError::Value {
            file: file.to_owned(),
            key: key.to_owned(),
            problem,
        };
        // A reserve is added to estimates; nothing is known to need less than a token a character.
        if !(1.0..=20.0).contains(&self.characters_per_token) {
            return Err(value("characters_per_token", "it must lie between 1 and 20".to_owned()));
        }
        Ok(Profile {
            stemmer: stemmer(&self.stemmer).map_err(|problem| value("stemmer", problem))?,
            name: self.name,
            names: self.names,
            known_as: self.known_as,
            compounds: self.compounds,
            decimal: self.decimal,
            characters_per_token: self.characters_per_token,
        })
    }
}
