//! Curated memory given directly, whatever the question.

use async_trait::async_trait;
use plumbline_core::ports::{CuratedMatch, CuratedMemory, CuratedNote, Hit, PortError, Scope};

use crate::faults::Faults;

/// Memory that answers every question with the same matches and notes, at the scores given.
///
/// The sources are not filtered by scope: give it what the asking user may see.
#[derive(Debug, Default)]
pub struct FakeMemory {
    /// What goes wrong, and how many calls there were.
    pub faults: Faults,
    pinned: Vec<CuratedMatch>,
    notes: Vec<CuratedNote>,
}

impl FakeMemory {
    /// Remembers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pins sources to a phrasing that comes as near as `score`; [`crate::library::FakeLibrary::hits`] makes sources.
    pub fn pin(mut self, phrasing: &str, score: f32, sources: Vec<Hit>) -> Self {
        self.pinned.push(CuratedMatch { phrasing: phrasing.to_owned(), score, sources });
        self.pinned.sort_by(|a, b| b.score.total_cmp(&a.score));
        self
    }

    /// A background note that comes as near as `score`, all of whose references resolve.
    pub fn note(mut self, text: &str, score: f32, references: Vec<Hit>) -> Self {
        let mut documents: Vec<_> = references.iter().map(|hit| &hit.chunk.document.id).collect();
        documents.sort();
        documents.dedup();
        let resolvable = documents.len();
        self.notes.push(CuratedNote { text: text.to_owned(), score, references, resolvable });
        self.notes.sort_by(|a, b| b.score.total_cmp(&a.score));
        self
    }
}

#[async_trait]
impl CuratedMemory for FakeMemory {
    async fn pinned(
        &self,
        _vector: &[f32],
        least: f32,
        _scope: &Scope,
    ) -> Result<Vec<CuratedMatch>, PortError> {
        self.faults.pass("curated").await?;
        Ok(self.pinned.iter().filter(|pinned| pinned.score >= least).cloned().collect())
    }

    async fn notes(
        &self,
        _vector: &[f32],
        least: f32,
        _scope: &Scope,
    ) -> Result<Vec<CuratedNote>, PortError> {
        self.faults.pass("curated").await?;
        Ok(self.notes.iter().filter(|note| note.score >= least).cloned().collect())
    }
}
