//! A reranker without a model: word overlap.

use std::collections::HashSet;

use async_trait::async_trait;
use plumbline_core::domain::Language;
use plumbline_core::ports::{PortError, Reranker};
use plumbline_core::text::{content_stems, detect_or, distinct_stems};

use crate::faults::Faults;

type Scorer = Box<dyn Fn(&str, &str) -> f32 + Send + Sync>;

/// Scores a text by the share of the question's content words that it holds, or as told.
///
/// `reranker.faults.fail(true)` makes it fail.
pub struct FakeReranker {
    /// What goes wrong, and how many calls there were.
    pub faults: Faults,
    scorer: Scorer,
}

impl FakeReranker {
    /// Scores by word overlap.
    pub fn new() -> Self {
        Self::scoring(overlap)
    }

    /// Scores as told, from question and text.
    pub fn scoring(scorer: impl Fn(&str, &str) -> f32 + Send + Sync + 'static) -> Self {
        Self { faults: Faults::default(), scorer: Box::new(scorer) }
    }
}

impl Default for FakeReranker {
    fn default() -> Self {
        Self::new()
    }
}

fn overlap(query: &str, text: &str) -> f32 {
    let language = detect_or(query, Language::EN);
    let wanted = content_stems(query, language);
    let held: HashSet<String> = distinct_stems(text, language);
    if wanted.is_empty() {
        return 0.0;
    }
    wanted.iter().filter(|stem| held.contains(*stem)).count() as f32 / wanted.len() as f32
}

#[async_trait]
impl Reranker for FakeReranker {
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, PortError> {
        self.faults.pass("reranker").await?;
        Ok(texts.iter().map(|text| (self.scorer)(query, text)).collect())
    }
}
