use async_trait::async_trait;
use thiserror::Error;

use crate::detail::Detail;
use crate::domain::{ConceptLink, ConceptNote, LabelMatch, Language};
use crate::messages::Message;

/// A literal with its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextIn {
    /// The text, verbatim.
    pub text: String,
    /// Its language tag.
    pub language: Option<String>,
}

/// A concept of the vocabulary of record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concept {
    /// Its URI.
    pub uri: String,
    /// `vocab-<slug>`.
    pub concept_id: String,
    /// The preferred label in the language asked for, or the nearest there is.
    pub preferred_label: String,
    /// Alternative labels in that language.
    pub alternative_labels: Vec<String>,
    /// Definitions in the best language there is, verbatim.
    pub definitions: Vec<TextIn>,
    /// Scope notes, comments, examples.
    pub notes: Vec<ConceptNote>,
    /// Broader concepts.
    pub broader: Vec<ConceptLink>,
    /// Narrower concepts.
    pub narrower: Vec<ConceptLink>,
    /// Related concepts.
    pub related: Vec<ConceptLink>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What replaces it.
    pub replaced_by: Vec<ConceptLink>,
    /// Title of its vocabulary or scheme.
    pub vocabulary: String,
    /// Which label met the term.
    pub matched: LabelMatch,
    /// `SKOSMOS`, or the file's name.
    pub source: String,
    /// When it was fetched or loaded, ISO 8601.
    pub fetched_at: String,
}

/// What a look-up found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupOutcome {
    /// One concept.
    Found(Box<Concept>),
    /// Several concepts of equal standing.
    Ambiguous(Vec<Concept>),
    /// None.
    NotFound,
}

/// A look-up and how it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// What was found.
    pub outcome: LookupOutcome,
    /// Whether it came from the cache.
    pub cached: bool,
}

/// Why there is no answer on a term.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum VocabularyError {
    /// It did not answer in time.
    #[error("the vocabulary did not answer within {0} ms")]
    Timeout(u64),
    /// It could not be asked, or answered with an error.
    #[error("the vocabulary could not be asked: {0}")]
    Unavailable(Detail),
}

impl VocabularyError {
    /// The same, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::Timeout(ms) => Detail::of(Message::VocabularyTimeout, [("ms", ms.to_string().into())]),
            Self::Unavailable(why) => Detail::of(Message::VocabularyUnavailable, [("detail", why.clone())]),
        }
    }
}

/// What a vocabulary tells of itself without asking anybody.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holdings {
    /// The titles of its schemes.
    pub schemes: Vec<String>,
    /// How many concepts it holds.
    pub concepts: Option<usize>,
}

/// The vocabulary of record.
#[async_trait]
pub trait Vocabulary: Send + Sync {
    /// Looks a term up; matching folds case, whitespace and apostrophes and nothing else.
    async fn lookup(&self, term: &str, language: Language) -> Result<Lookup, VocabularyError>;

    /// A concept by its URI, for a choice from a picker.
    async fn concept(&self, uri: &str, language: Language) -> Result<Lookup, VocabularyError>;

    /// The labels nearest to a term that was not found, best first. It waits no longer than the look-up itself may.
    async fn nearest_labels(&self, term: &str, language: Language, limit: usize) -> Vec<String>;

    /// Other labels of concepts that the text names, to widen a search with; never evidence.
    async fn expansions(&self, text: &str, language: Language) -> Vec<String>;

    /// The concepts about a topic, by label: those narrower than the one that it names, and those whose labels hold its words. As far
    /// as it can tell at once: a server tells nothing.
    fn concepts_about(&self, _topic: &str, _language: Language, _limit: usize) -> Vec<Concept> {
        Vec::new()
    }

    /// What it holds, as far as it can tell at once: a server tells nothing.
    fn holdings(&self, _language: Language) -> Holdings {
        Holdings::default()
    }

    /// The label of its counters: `skosmos` or `embedded`.
    fn backend(&self) -> &'static str;
}
