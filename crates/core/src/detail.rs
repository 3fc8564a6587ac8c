//! What is known of a failure: a text by its key, which every reader gets in their language, or words that stand as they are.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use crate::domain::Language;
use crate::messages::{Message, Messages};

/// What is known of a failure. Small, so that the errors that hold some stay so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail(Box<Content>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// A fixed text and what is filled in.
    Coded(Message, BTreeMap<Cow<'static, str>, Detail>),
    /// What a system or a server said, an address, a number.
    Verbatim(String),
    /// One after the other.
    Several(Vec<Detail>),
}

/// Between several.
const BETWEEN: &str = "; ";
/// Behind the name of a kept value: the key of the text that it was made of.
const CODE: &str = "code";
/// What a detail is kept under where it is alone.
const TEXT: &str = "text";

impl Detail {
    /// A fixed text with its values.
    pub fn of<const N: usize>(message: Message, values: [(&'static str, Self); N]) -> Self {
        Self::with(message, values.into())
    }

    /// The same with as many values as it happens to have.
    pub fn with(message: Message, values: Vec<(&'static str, Self)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (Cow::Borrowed(name), value));
        Content::Coded(message, values.collect()).into()
    }

    /// What is known of something that has a name: a file, an address, a model.
    pub fn about(what: impl Into<Self>, detail: impl Into<Self>) -> Self {
        Self::of(Message::DetailAbout, [("what", what.into()), ("detail", detail.into())])
    }

    /// The same of a line of a file, from 1.
    pub fn at_line(file: impl Into<Self>, line: impl fmt::Display, detail: impl Into<Self>) -> Self {
        let values = [("file", file.into()), ("line", line.to_string().into()), ("detail", detail.into())];
        Self::of(Message::DetailAtLine, values)
    }

    /// What to run to mend it.
    pub fn run(command: impl Into<Self>) -> Self {
        Self::of(Message::DetailRun, [("command", command.into())])
    }

    /// All of these.
    pub fn all(details: Vec<Self>) -> Self {
        Content::Several(details).into()
    }

    /// As it is told in a language.
    pub fn text(&self, language: Language) -> String {
        match &*self.0 {
            Content::Verbatim(words) => words.clone(),
            Content::Several(details) => {
                let texts: Vec<String> = details.iter().map(|detail| detail.text(language)).collect();
                texts.join(BETWEEN)
            }
            Content::Coded(message, values) => {
                let texts = values.iter().map(|(name, value)| (&**name, value.text(language)));
                let texts: Vec<(&str, String)> = texts.collect();
                let texts: Vec<(&str, &str)> =
                    texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
                Messages::of(language).text(*message, &texts)
            }
        }
    }

    /// Keeps it under a name: the English text, and beside it what is needed to tell it in another language.
    pub fn keep(&self, name: &str, values: &mut BTreeMap<String, String>) {
        values.insert(name.to_owned(), self.text(Language::EN));
        match &*self.0 {
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

/// All that was kept, by name, told in a language.
pub fn told(values: &BTreeMap<String, String>, language: Language) -> BTreeMap<String, String> {
    let whole = values.keys().filter(|name| !name.contains('.'));
    whole.filter_map(|name| Some((name.clone(), kept(name, values)?.text(language)))).collect()
}

/// What was kept under a name; as it was written where no more is known of it.
fn kept(name: &str, values: &BTreeMap<String, String>) -> Option<Detail> {
    let written = values.get(name)?;
    if let Some(code) = values.get(&format!("{name}.{CODE}")) {
        let coded = Message::from_key(code).and_then(|message| {
            let lead = format!("{name}.");
            let names = values.keys().filter_map(|key| key.strip_prefix(&lead));
            let names = names.filter(|part| *part != CODE && !part.contains('.'));
            let parts = names.filter_map(|part| {
                Some((Cow::Owned(part.to_owned()), kept(&format!("{lead}{part}"), values)?))
            });
            let parts: BTreeMap<Cow<'static, str>, Detail> = parts.collect();
            let needed = Messages::of(Language::EN).placeholders(message);
            let complete = needed.iter().all(|name| parts.contains_key(*name));
            complete.then(|| Content::Coded(message, parts).into())
        });
        return Some(coded.unwrap_or_else(|| written.as_str().into()));
    }
    let several = (0..).map_while(|at: usize| kept(&format!("{name}.{at}"), values));
    let several: Vec<Detail> = several.collect();
    Some(if several.is_empty() { written.as_str().into() } else { Detail::all(several) })
}

/// A detail as files keep it: told in English, and beside it what is needed to tell it in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "BTreeMap<String, String>")]
pub struct KeptDetail(pub Detail);

/// Files of earlier versions hold the words alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Words(String),
    Told(BTreeMap<String, String>),
}

impl From<Written> for KeptDetail {
    fn from(written: Written) -> Self {
        Self(match written {
            Written::Words(words) => words.into(),
            Written::Told(values) => kept(TEXT, &values).unwrap_or_else(|| String::new().into()),
        })
    }
}

impl From<KeptDetail> for BTreeMap<String, String> {
    fn from(detail: KeptDetail) -> Self {
        let mut values = Self::new();
        detail.0.keep(TEXT, &mut values);
        values
    }
}

impl From<Detail> for KeptDetail {
    fn from(detail: Detail) -> Self {
        Self(detail)
    }
}

/// As programs read it: in English.
impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// As logs have it: in English.
impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::EN))
    }
}

impl From<Content> for Detail {
    fn from(content: Content) -> Self {
        Self(Box::new(content))
    }
}

impl From<Message> for Detail {
    fn from(message: Message) -> Self {
        Self::of(message, [])
    }
}

impl From<String> for Detail {
    fn from(words: String) -> Self {
        Content::Verbatim(words).into()
    }
}

impl From<&str> for Detail {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}
