use plumbline_contract::{CommandError, ConceptSummary, Definition, VocabularyInfo};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// The vocabularies of record.
    pub async fn vocabularies(&self) -> Result<Vec<VocabularyInfo>, CommandError> {
        Err(unfinished())
    }

    /// Concepts whose labels hold the text, best first; of one vocabulary where one is given.
    pub async fn search_concepts(
        &self,
        text: String,
        vocabulary: Option<String>,
    ) -> Result<Vec<ConceptSummary>, CommandError> {
        let _ = text;
        let _ = vocabulary;
        Err(unfinished())
    }

    /// The concepts at the top of a vocabulary.
    pub async fn top_concepts(&self, vocabulary: String) -> Result<Vec<ConceptSummary>, CommandError> {
        let _ = vocabulary;
        Err(unfinished())
    }

    /// The concepts directly below one.
    pub async fn narrower_concepts(&self, uri: String) -> Result<Vec<ConceptSummary>, CommandError> {
        let _ = uri;
        Err(unfinished())
    }

    /// What the vocabulary says about a concept.
    pub async fn concept(&self, uri: String) -> Result<Definition, CommandError> {
        let _ = uri;
        Err(unfinished())
    }
}
