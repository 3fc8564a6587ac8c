//! The fixed texts of a language: `messages.toml`. Every message is there, and nothing else.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;

use super::error::PackError;
use super::message::Message;

/// A text, or two where the number of things decides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Entry {
    Text(String),
    Counted(Counted),
}

/// A text for one thing and a text for several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counted {
    pub one: String,
    pub other: String,
}

impl Entry {
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Counted(Counted { one, other }) => vec![one, other],
        }
    }

    /// The names in braces that the program fills in.
    pub fn placeholders(&self) -> BTreeSet<&str> {
        let names = |text| str::split(text, '{').skip(1).filter_map(|part| part.split_once('}'));
        self.texts().into_iter().flat_map(names).map(|(name, _)| name).collect()
    }
}

/// The texts of one language.
#[derive(Debug)]
pub struct Messages {
    /// What stands before the decimals of a number.
    pub(crate) decimal: String,
    pub(crate) entries: HashMap<Message, Entry>,
}

/// The file as it is written: sections of texts.
pub(super) type Source = BTreeMap<String, BTreeMap<String, Entry>>;

/// The texts by their messages, complete.
pub(super) fn read(source: Source, file: &str) -> Result<HashMap<Message, Entry>, PackError> {
    let problem = |key: &str, problem: &str| PackError::Value {
        file: file.to_owned(),
        key: key.to_owned(),
        problem: problem.to_owned(),
    };
    let mut written: BTreeMap<String, Entry> = BTreeMap::new();
    for (section, texts) in source {
        written.extend(texts.into_iter().map(|(name, entry)| (format!("{section}.{name}"), entry)));
    }
    let mut entries = HashMap::new();
    for message in Message::ALL {
        let entry =
            written.remove(message.key()).ok_or_else(|| problem(message.key(), "this message is missing"))?;
        if entry.texts().iter().any(|text| text.trim().is_empty()) {
            return Err(problem(message.key(), "this message is empty"));
        }
        entries.insert(*message, entry);
    }
    match written.keys().next() {
        Some(unknown) => Err(problem(unknown, "there is no such message")),
        None => Ok(entries),
    }
}

/// Whether every text fills in what the same text of the first language does: a misspelt name would be shown as it is.
pub(super) fn check_placeholders(texts: &Messages, first: &Messages, file: &str) -> Result<(), PackError> {
    for message in Message::ALL {
        let (own, known) = (&texts.entries[message], &first.entries[message]);
        if let Some(unknown) = own.placeholders().difference(&known.placeholders()).next() {
            let problem = format!("nothing is filled in for `{{{unknown}}}`");
            return Err(PackError::Value { file: file.to_owned(), key: message.key().to_owned(), problem });
        }
    }
    Ok(())
}
