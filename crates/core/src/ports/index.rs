use std::sync::Arc;

use async_trait::async_trait;

use super::{PortError, Scope};
use crate::detail::Detail;
use crate::domain::{Chunk, CosineScale, DocumentId, EmbedderFamily, Language};

/// A chunk that a lane found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The passage.
    pub chunk: Arc<Chunk>,
    /// Its cosine to the question's vector, from the stored vector; absent where no vector was given.
    pub cosine: Option<f32>,
    /// BM25 divided by its bound over the question's terms; absent where the lexical lane did not score it.
    pub lexical: Option<f32>,
}

/// What the lexical lane searches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LexicalQuery {
    /// The question or one of its rewrites.
    pub text: String,
    /// The language to analyse it in.
    pub language: Language,
}

/// How common a word is in what the user may see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermStatistic {
    /// How many chunks hold it.
    pub document_frequency: u64,
    /// Its inverse document frequency, as BM25 weighs it; positive, and largest for a word that no chunk holds.
    pub idf: f32,
}

/// A published library that is read in place and could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfReach {
    /// Where it is published.
    pub address: String,
    /// Why it could not be read.
    pub detail: Detail,
}

/// The searchable library.
#[async_trait]
pub trait Index: Send + Sync {
    /// The nearest chunks by cosine, best first, ties by source id.
    async fn dense(&self, vector: &[f32], scope: &Scope, limit: usize) -> Result<Vec<Hit>, PortError>;

    /// The best chunks by BM25, best first, ties by source id; with their cosine where a vector is given.
    async fn lexical(
        &self,
        query: &LexicalQuery,
        vector: Option<&[f32]>,
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<Hit>, PortError>;

    /// The chunks of these documents, in their order.
    async fn address(
        &self,
        documents: &[DocumentId],
        vector: Option<&[f32]>,
        scope: &Scope,
    ) -> Result<Vec<Hit>, PortError>;

    /// How common these words are, in the order given. Words are folded and stemmed as [`crate::text`] does it.
    async fn term_statistics(&self, stems: &[String], scope: &Scope)
    -> Result<Vec<TermStatistic>, PortError>;

    /// The number of the generation that is being searched.
    fn generation(&self) -> u64;

    /// What of the library could not be read when it was asked last; it was answered from the rest.
    fn out_of_reach(&self) -> Vec<OutOfReach> {
        Vec::new()
    }
}

/// Turns text into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// One vector a text, in order, all of one length, L2-normalised.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, PortError>;

    /// Reads what the first call needs, once, so that a search does not wait for it within its own deadline.
    async fn prepare(&self) -> Result<(), PortError> {
        Ok(())
    }

    /// Whose cosines these are.
    fn family(&self) -> EmbedderFamily;

    /// How they are told.
    fn scale(&self) -> CosineScale {
        CosineScale::PLAIN
    }
}

/// Scores question and passage together.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// One score a text, in order, from 0 to 1; comparable within one call only.
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, PortError>;
}

/// A background note: it shapes the framing and is never cited.
#[derive(Debug, Clone, PartialEq)]
pub struct CuratedNote {
    /// The note.
    pub text: String,
    /// How near the question came to it, as a cosine.
    pub score: f32,
    /// The chunks that its references resolve to.
    pub references: Vec<Hit>,
    /// How many references resolve to a document.
    pub resolvable: usize,
}

/// A pinned question that comes near.
#[derive(Debug, Clone, PartialEq)]
pub struct CuratedMatch {
    /// The curator's phrasing that came nearest.
    pub phrasing: String,
    /// How near, as a cosine.
    pub score: f32,
    /// The pinned passages.
    pub sources: Vec<Hit>,
}

/// What a team has written down about questions that come back.
#[async_trait]
pub trait CuratedMemory: Send + Sync {
    /// Pinned questions that score at least this, by nearness, best first.
    async fn pinned(&self, vector: &[f32], least: f32, scope: &Scope)
    -> Result<Vec<CuratedMatch>, PortError>;

    /// Background notes that score at least this, by nearness, best first.
    async fn notes(&self, vector: &[f32], least: f32, scope: &Scope) -> Result<Vec<CuratedNote>, PortError>;
}
