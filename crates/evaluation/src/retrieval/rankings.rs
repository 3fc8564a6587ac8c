use std::collections::BTreeMap;

use plumbline_core::domain::{Candidate, DocumentId, Lane, Language};
use plumbline_core::engine::Retrieved;
use serde::Serialize;

use super::beir::Judgements;

/// What the lanes found for one question: enough to try other ways to make their rankings one, without asking again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryRankings {
    /// The question's id in the set.
    pub query: String,
    /// Its language, where its words told.
    pub language: Option<Language>,
    /// The documents that are relevant for it, and how much.
    pub judgements: Judgements,
    /// Every chunk that a lane found, in the order of the whole.
    pub found: Vec<FoundChunk>,
}

/// A chunk that a lane found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundChunk {
    /// The set's document that it is of.
    pub document: String,
    /// Its language.
    pub language: Language,
    /// Its cosine to the question.
    pub cosine: Option<f32>,
    /// BM25 divided by its bound, where the lexical lane found it.
    pub lexical: Option<f32>,
    /// Its place in the dense lane.
    pub dense_rank: Option<u32>,
    /// Its place in the lexical lane.
    pub lexical_rank: Option<u32>,
}

impl QueryRankings {
    /// Of what was retrieved; `documents` names the set's document that each document of the library holds.
    #[must_use]
    pub fn of(
        query: &str,
        judgements: &Judgements,
        retrieved: &Retrieved,
        documents: &BTreeMap<DocumentId, String>,
    ) -> Self {
        let found = |candidate: &Candidate| {
            let rank = |lane| candidate.ranks.iter().find(|rank| rank.lane == lane).map(|rank| rank.rank);
            Some(FoundChunk {
                document: documents.get(&candidate.chunk.document.id)?.clone(),
                language: candidate.chunk.language,
                cosine: candidate.cosine,
                lexical: candidate.lexical,
                dense_rank: rank(Lane::Dense),
                lexical_rank: rank(Lane::Lexical),
            })
        };
        Self {
            query: query.to_owned(),
            language: retrieved.language,
            judgements: judgements.clone(),
            found: retrieved.whole.iter().filter_map(found).collect(),
        }
    }
}
