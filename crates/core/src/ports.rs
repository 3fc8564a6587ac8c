//! What the journey needs from outside. Adapters implement these; nothing else reaches the world.

mod catalogue;
mod contradictions;
mod empty;
mod index;
mod model;
mod reader;
mod vocabulary;

pub use crate::domain::{DocumentFilter, FactField, Years};
pub use catalogue::{Catalogue, Edition};
pub use contradictions::Contradictions;
pub use empty::EmptyLibrary;
pub use index::{
    CuratedMatch, CuratedMemory, CuratedNote, Embedder, Hit, Index, LexicalQuery, OutOfReach, Reranker,
    TermStatistic,
};
pub use model::{
    ChatPiece, ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo, ModelReply, whole_reply,
};
pub use plumbline_telemetry::{AuditSink, Clock};
pub use reader::{PassageReading, Reader};
pub use vocabulary::{Concept, Holdings, Lookup, LookupOutcome, TextIn, Vocabulary, VocabularyError};

use thiserror::Error;

use crate::detail::Detail;
use crate::domain::Collection;
use crate::messages::Message;

/// A failure of something outside the journey.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum PortError {
    /// It did not answer in time.
    #[error("{service} did not answer within {ms} ms")]
    Timeout {
        /// What was asked.
        service: &'static str,
        /// The limit that passed.
        ms: u64,
    },
    /// It answered with an error, or not at all.
    #[error("{service} failed: {detail}")]
    Failed {
        /// What was asked.
        service: &'static str,
        /// What is known of it; never a secret, never what a server said of itself.
        detail: Detail,
    },
}

impl PortError {
    /// The same, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::Timeout { service, ms } => {
                Detail::of(Message::PortTimeout, [("service", named(service)), ("ms", ms.to_string().into())])
            }
            Self::Failed { service, detail } => {
                Detail::of(Message::PortFailed, [("service", named(service)), ("detail", detail.clone())])
            }
        }
    }
}

/// A service by its name in the reader's language, where it has one.
fn named(service: &str) -> Detail {
    let message = Message::from_key(&format!("service.{}", service.replace(' ', "_")));
    message.map_or_else(|| service.into(), Detail::from)
}

/// Makes ids for requests.
pub trait IdSource: Send + Sync {
    /// A new id, unlike any before.
    fn request_id(&self) -> String;
}

/// What a user may see. It is a filter inside every index: what it leaves out behaves as if it did not exist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// The tenant.
    pub tenant: String,
    /// The user's access tags.
    pub user_tags: Vec<String>,
    /// Only these collections; all where empty.
    pub collections: Vec<Collection>,
}

/// Counts tokens as a model would.
pub trait TokenCounter: Send + Sync {
    /// How many tokens the text takes with this model; on the safe side where it is an estimate.
    fn count(&self, model: &str, text: &str) -> usize;

    /// Takes in what the server counted for a prompt that was estimated at `estimated`.
    fn learn(&self, model: &str, estimated: usize, counted: usize);
}
