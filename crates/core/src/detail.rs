//! What is known of a failure: a text by its key, which every reader gets in their language, or words that stand as they are.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use crate::domain::Language;
use crate::messages::{Message, Messages};

/// What is known of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail(Content);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// A fixed text and what is filled in.
    Coded(Message, Vec<(&'static str, Detail)>),
    /// What a system or a server said, an address, a number.
    Verbatim(String),
    /// One after the other.
    Several(Vec<Detail>),
}

/// Between several.
const BETWEEN: &str = "; ";
/// Behind the name of a kept value: the key of the text that it was made of.
const CODE: &str = "code";

impl Detail {
    /// A fixed text with its values.
    pub fn of<const N: usize>(message: Message, values: [(&'static str, Self); N]) -> Self {
        Self(Content::Coded(message, values.into()))
    }

    /// All of these.
    pub fn all(details: Vec<Self>) -> Self {
        Self(Content::Several(details))
    }

    /// As it is told in a language.
    pub fn text(&self, language: Language) -> String {
        match &self.0 {
            Content::Verbatim(words) => words.clone(),
            Content::Several(details) => {
                let texts: Vec<String> = details.iter().map(|detail| detail.text(language)).collect();
                texts.join(BETWEEN)
            }
            Content::Coded(message, values) => {
                let texts = values.iter().map(|(name, value)| (*name, value.text(language)));
                let texts: Vec<(&str, String)> = texts.collect();
                let texts: Vec<(&str, &str)> =
                    texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
                Messages::of(language).text(*message, &texts)
            }
        }
    }

    /// Keeps it under a name: the English text, and beside it what is needed to tell it in another language.
    pub(crate) fn keep(&self, name: &str, values: &mut BTreeMap<String, String>) {
        values.insert(name.to_owned(), self.text(Language::EN));
        match &self.0 {
            Content::Verbatim(_) => {}
            Content::Several(details) => {
                for (at, detail) in details.iter().enumerate() {
                    detail.keep(&format!("{name}.{at}"), values);
                }
            }
            Content::Coded(message, parts) => {
                values.insert(format!("{name}.{CODE}"), message.key().to_owned());
                for (part, detail) in parts {
                    detail.keep(&format!("{name}.{part}"), values);
                }
            }
        }
    }
}

/// What was kept under a name, told in a language; as it was written where no more is known of it.
pub(crate) fn kept_text(name: &str, values: &BTreeMap<String, String>, language: Language) -> Option<String> {
    let written = values.get(name)?;
    if let Some(code) = values.get(&format!("{name}.{CODE}")) {
        let told = Message::from_key(code).and_then(|message| {
            let lead = format!("{name}.");
            let names = values.keys().filter_map(|key| key.strip_prefix(&lead));
            let names = names.filter(|part| *part != CODE && !part.contains('.'));
            let parts = names.filter_map(|part| {
                Some((part.to_owned(), kept_text(&format!("{lead}{part}"), values, language)?))
            });
            Messages::of(language).filled(message, &parts.collect())
        });
        return told.or_else(|| Some(written.clone()));
    }
    let several = (0..).map_while(|at: usize| kept_text(&format!("{name}.{at}"), values, language));
    let several: Vec<String> = several.collect();
    Some(if several.is_empty() { written.clone() } else { several.join(BETWEEN) })
}

/// As logs have it: in English.
impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::EN))
    }
}

impl From<Message> for Detail {
    fn from(message: Message) -> Self {
        Self::of(message, [])
    }
}

impl From<String> for Detail {
    fn from(words: String) -> Self {
        Self(Content::Verbatim(words))
    }
}

impl From<&str> for Detail {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}
