use std::sync::Arc;

use super::Engine;
use super::lanes::{Embedded, LaneQuery};
use super::turn::Turn;
use crate::domain::{Collection, Document, DocumentId, Lane};
use crate::error::AskError;
use crate::intent::Intent;
use crate::ports::Scope;
use crate::request::ChatMessage;
use crate::retrieval::{Pool, Question};

/// Where and how far the lanes look.
pub(super) struct Reach<'r> {
    pub scope: &'r Scope,
    /// The collections that the scope lets them see.
    pub searched: &'r [Collection],
    /// The records that the question names.
    pub documents: &'r [Arc<Document>],
    pub sweep: Sweep,
    /// At most this many hits a lane.
    pub limit: usize,
}

/// Whether dense and lexical search go through the whole library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// Unless curated memory or the records that the question names make it needless.
    WhereNeeded,
    Always,
}

/// A question, and all that the lanes found for it.
pub(super) struct Gathered {
    pub question: Question,
    /// How many of its words the library knows, where it could be asked.
    pub known_words: Option<usize>,
    pub embedded: Embedded,
    /// Framing from curated memory.
    pub note: Option<String>,
    pub pool: Pool,
}

impl Engine {
    /// From a question to the pool: its words weighed, its vector, curated memory, its wordings, the lanes.
    pub(super) async fn gather(
        &self,
        turn: &mut Turn<'_>,
        intent: &Intent,
        history: &[ChatMessage],
        reach: &Reach<'_>,
    ) -> Result<Gathered, AskError> {
        let mut question =
            Question { kinds: intent.named_kinds.clone(), ..Question::read(&intent.query, intent.language) };
        let known_words = self.weigh(&mut question, reach.scope).await;
        let embedded = self.embed(turn, &intent.query, reach.searched).await;
        let vector = embedded.vector.as_deref();
        let curated = self.curated(turn, &intent.query, vector, reach.scope).await;
        let sweep = match reach.sweep {
            Sweep::Always => Ok(()),
            Sweep::WhereNeeded => needed(intent, reach.documents, curated.spares_sweep),
        };
        let mut texts = self.wordings(&intent.query, intent).await;
        if sweep.is_ok() {
            texts.extend(self.reworded(turn, history, intent).await);
        }
        let ids: Vec<DocumentId> = reach.documents.iter().map(|document| document.id.clone()).collect();
        let query = LaneQuery {
            texts: &texts,
            language: intent.language,
            vector,
            documents: &ids,
            sweep,
            limit: reach.limit,
        };
        let mut pool = self.run_lanes(turn, &query, reach.scope, reach.searched, embedded.family).await?;
        pool.add(Lane::Curated, curated.hits);
        Ok(Gathered { question, known_words, embedded, note: curated.note, pool })
    }

    /// Weighs the question's words by idf; how many of them the library knows, where it can be asked.
    async fn weigh(&self, question: &mut Question, scope: &Scope) -> Option<usize> {
        let stems = question.stems();
        let asked =
            self.within_deadline("term statistics", self.ports.index.term_statistics(&stems, scope)).await;
        let statistics = asked.ok().filter(|statistics| statistics.len() == stems.len())?;
        question.weights = statistics.iter().map(|statistic| statistic.idf.max(0.0)).collect();
        Some(statistics.iter().filter(|statistic| statistic.document_frequency > 0).count())
    }

    /// The question and its deterministic rewrites: labels of the vocabulary, other spellings of ids.
    async fn wordings(&self, query: &str, intent: &Intent) -> Vec<String> {
        let mut texts = vec![query.to_owned()];
        if let Some(vocabulary) = &self.ports.vocabulary {
            let labels = vocabulary.expansions(query, intent.language).await;
            if !labels.is_empty() {
                texts.push(format!("{query} {}", labels.join(" ")));
            }
        }
        let spelt: Vec<String> = intent.references.iter().map(|reference| reference.display()).collect();
        if !spelt.is_empty() {
            texts.push(format!("{query} {}", spelt.join(" ")));
        }
        texts
    }
}

/// Whether the sweep is needed, or why it is not.
fn needed(intent: &Intent, documents: &[Arc<Document>], spared: bool) -> Result<(), &'static str> {
    let wider =
        intent.named_kinds.iter().any(|kind| !documents.iter().any(|document| document.kind == *kind));
    if spared && documents.is_empty() {
        Err("curated memory answers")
    } else if !documents.is_empty() && !wider {
        Err("the question names a record")
    } else {
        Ok(())
    }
}
