use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Kind;

/// Text that is not an id.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("`{0}` is not an id: letters, digits and hyphens only")]
pub struct InvalidId(pub String);

/// The stable id of a document, such as `adr-0012` or `policy-data-retention`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct DocumentId(String);

impl DocumentId {
    /// Takes the text as an id if it matches `[a-zA-Z0-9-]+`.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
        let text = text.into();
        let valid = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if valid { Ok(Self(text)) } else { Err(InvalidId(text)) }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for DocumentId {
    type Error = InvalidId;
    fn try_from(text: String) -> Result<Self, InvalidId> {
        Self::new(text)
    }
}

impl From<DocumentId> for String {
    fn from(id: DocumentId) -> Self {
        id.0
    }
}

/// One chunk of one document: `{document_id}:{chunk_index}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct SourceId {
    /// The document.
    pub document: DocumentId,
    /// The chunk's position in it, from 0.
    pub chunk: u32,
}

impl SourceId {
    /// Names a chunk.
    pub fn new(document: DocumentId, chunk: u32) -> Self {
        Self { document, chunk }
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.document, self.chunk)
    }
}

impl FromStr for SourceId {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = || InvalidId(text.to_owned());
        let (document, chunk) = text.rsplit_once(':').ok_or_else(invalid)?;
        if !chunk.bytes().all(|b| b.is_ascii_digit()) {
            return Err(invalid());
        }
        Ok(Self { document: DocumentId::new(document)?, chunk: chunk.parse().map_err(|_| invalid())? })
    }
}

impl TryFrom<String> for SourceId {
    type Error = InvalidId;
    fn try_from(text: String) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl From<SourceId> for String {
    fn from(id: SourceId) -> Self {
        id.to_string()
    }
}

/// A collection by its base name, such as `ADR`; thresholds and tables add the embedder's family to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "string"))]
pub struct Collection(String);

impl Collection {
    /// A collection with this base name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The base name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name together with the family, as in `ADR_Ollama`.
    pub fn qualified(&self, family: EmbedderFamily) -> String {
        format!("{}_{}", self.0, family.as_str())
    }
}

impl From<Kind> for Collection {
    fn from(kind: Kind) -> Self {
        // Approval records live with the records they approve.
        Self(if kind == Kind::Dar { Kind::Adr.as_str() } else { kind.as_str() }.to_owned())
    }
}

/// Whose scores these are. A cosine means something else for each model, so thresholds belong to a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum EmbedderFamily {
    /// The built-in model.
    Local,
    /// A model behind a server, Ollama or another.
    Ollama,
    /// No embeddings: BM25 divided by its bound.
    Lexical,
}

impl EmbedderFamily {
    /// The suffix of collection names.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Ollama => "Ollama",
            Self::Lexical => "Lexical",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_ids_round_trip_and_reject_what_is_not_one() {
        let id: SourceId = "adr-0012:3".parse().unwrap();
        assert_eq!((id.document.as_str(), id.chunk), ("adr-0012", 3));
        assert_eq!(id.to_string(), "adr-0012:3");
        for wrong in
            ["", "adr-0012", "adr-0012:", "adr-0012:x", ":3", "adr 12:3", "adr-0012:99999999999", "a:+3"]
        {
            assert!(wrong.parse::<SourceId>().is_err(), "`{wrong}` must not pass for a source id");
        }
    }

    #[test]
    fn collections_are_named_as_in_the_thresholds_file() {
        assert_eq!(Collection::from(Kind::Adr).qualified(EmbedderFamily::Ollama), "ADR_Ollama");
        assert_eq!(Collection::from(Kind::Dar).qualified(EmbedderFamily::Local), "ADR_Local");
    }
}
