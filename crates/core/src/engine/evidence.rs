//! From a question to its evidence: its words weighed, its vector, curated memory, its wordings, the lanes, one order.

use std::collections::HashSet;
use std::sync::Arc;

use super::curated;
use super::judge::reworded;
use super::lanes::{LaneQuery, embed, run_lanes};
use super::names::{names, recalled};
use super::rank::{Ranked, rank};
use super::reach::{Help, Reach, Sweep};
use super::services::Services;
use super::turn::Turn;
use crate::answer::compose::Composition;
use crate::domain::{Candidate, Collection, Document, DocumentId, EmbedderFamily, Lane};
use crate::error::AskError;
use crate::intent::Question;
use crate::messages::Message;
use crate::numbers::numbers;
use crate::ports::{Scope, TermStatistic};
use crate::request::ChatMessage;
use crate::retrieval::{Answerability, Pool, share_held};

/// All that was found for a question, before anything is cut or decided.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// The question, its words weighed by how common they are in the library.
    pub question: Question,
    /// How many of its words the library knows, where it could be asked.
    pub known_words: Option<usize>,
    /// The question's vector, where it has one.
    pub vector: Option<Vec<f32>>,
    /// Whose scores these are.
    pub family: EmbedderFamily,
    /// The collections that were searched.
    pub searched: Vec<Collection>,
    /// Framing from curated memory.
    pub note: Option<String>,
    /// What each lane found.
    pub pool: Pool,
    /// The candidates, best first. Their sentences are read when they are needed, and once.
    pub candidates: Vec<Candidate>,
    /// Those that came first before they were put in another order than that of their nearness.
    pub came_first: Option<Vec<Candidate>>,
    /// Whether a reranker put them in order.
    pub reranked: bool,
    /// How far the nearest document stands out.
    pub margin: Option<f32>,
    /// The share of the question's words that the nearest candidates hold.
    pub words_held: f64,
    /// What the records that the question names tell by their sections, where that is all that it asks.
    pub told: Vec<(DocumentId, Composition)>,
}

impl Evidence {
    /// The names of the collections that were searched.
    pub fn searched_names(&self) -> Vec<String> {
        self.searched.iter().map(|collection| collection.as_str().to_owned()).collect()
    }

    /// How likely the library holds an answer, as far as sentences were read. Only the built-in embedder's cosines were fitted.
    pub fn likelihood(&self) -> Option<f64> {
        self.answerability().map(|found| found.likelihood())
    }

    /// What that rests on.
    pub fn answerability(&self) -> Option<Answerability> {
        let is_fitted = self.family == EmbedderFamily::Local;
        is_fitted.then(|| Answerability::of(self.nearest(), self.margin, self.words_held)).flatten()
    }

    /// The candidates that it is read off.
    pub fn nearest(&self) -> &[Candidate] {
        nearest(self.came_first.as_ref().unwrap_or(&self.candidates))
    }
}

/// Runs the lanes and puts what they found in order.
pub(super) async fn gather(
    services: &Services,
    turn: &mut Turn<'_>,
    mut question: Question,
    history: &[ChatMessage],
    reach: Reach<'_>,
) -> Result<Evidence, AskError> {
    let statistics = weigh(services, &mut question, reach.scope).await;
    let (vector, family) = embed(services, turn, &question.subject, &reach.searched).await;
    let curated = curated::recalled(services, turn, &question.text, vector.as_deref(), reach.scope).await;
    let sweep = match reach.sweep {
        Sweep::Always => Ok(()),
        Sweep::WhereNeeded => needed(&question, reach.documents, curated.makes_sweep_needless),
    };
    let mut meant = Vec::new();
    if sweep.is_ok() {
        let (names, passages) = names(services, &question, &statistics, vector.as_deref(), reach.scope).await;
        question.names = names;
        meant = passages;
        meant.extend(recalled(services, &question, vector.as_deref(), reach.scope).await?);
    }
    let mut texts = wordings(services, &question).await;
    if sweep.is_ok() && reach.help == Help::OfModels {
        texts.extend(reworded(services, turn, history, &question).await);
    }
    let ids: Vec<DocumentId> = reach.documents.iter().map(|document| document.id.clone()).collect();
    let query = LaneQuery {
        texts: &texts,
        language: question.language,
        vector: vector.as_deref(),
        documents: &ids,
        sweep,
        limit: reach.limit,
    };
    let mut pool = run_lanes(services, turn, &query, reach.scope, &reach.searched, family).await?;
    pool.add(Lane::Curated, curated.hits);
    pool.include(meant);
    let margin = pool.margin();
    let Ranked { mut candidates, reranked } =
        rank(services, turn, &question, &mut pool, family, reach.help).await;
    keep_named(&question, &mut candidates);
    let words_held = share_held(&question, nearest(&candidates));
    Ok(Evidence {
        question,
        known_words: (!statistics.is_empty()).then(|| known(&statistics)),
        vector,
        family,
        searched: reach.searched,
        note: curated.note,
        pool,
        candidates,
        came_first: None,
        reranked,
        margin,
        words_held,
        told: Vec::new(),
    })
}

fn nearest(candidates: &[Candidate]) -> &[Candidate] {
    &candidates[..candidates.len().min(numbers().answerability.passages)]
}

/// Where the best passage holds a name of the question, documents that do not are about something else, unless several are to have
/// their say: each may go by another name.
fn keep_named(question: &Question, candidates: &mut Vec<Candidate>) {
    let holds_name = |candidate: &Candidate| question.names_something_of(&candidate.chunk);
    if question.wish.is_for_several() || !candidates.first().is_some_and(holds_name) {
        return;
    }
    let named: HashSet<DocumentId> = candidates
        .iter()
        .filter(|candidate| holds_name(candidate))
        .map(|candidate| candidate.chunk.document.id.clone())
        .collect();
    candidates.retain(|candidate| named.contains(&candidate.chunk.document.id));
}

/// Weighs the question's words by idf; how common they are, nothing where the library cannot be asked.
async fn weigh(services: &Services, question: &mut Question, scope: &Scope) -> Vec<TermStatistic> {
    let stems = question.stems();
    let asked = services
        .within_deadline("term statistics", services.ports.index.term_statistics(&stems, scope))
        .await;
    let statistics = asked.ok().filter(|statistics| statistics.len() == stems.len()).unwrap_or_default();
    if !statistics.is_empty() {
        question.weights = statistics.iter().map(|statistic| statistic.idf.max(0.0)).collect();
    }
    statistics
}

fn known(statistics: &[TermStatistic]) -> usize {
    statistics.iter().filter(|statistic| statistic.document_frequency > 0).count()
}

/// The question and its deterministic rewrites: labels of the vocabulary, other spellings of ids.
async fn wordings(services: &Services, question: &Question) -> Vec<String> {
    let query = &question.subject;
    let mut texts = vec![query.to_owned()];
    if let Some(vocabulary) = &services.ports.vocabulary {
        let labels = vocabulary.expansions(query, question.language).await;
        if !labels.is_empty() {
            texts.push(format!("{query} {}", labels.join(" ")));
        }
    }
    let spelt: Vec<String> = question.references.iter().map(|reference| reference.display()).collect();
    if !spelt.is_empty() {
        texts.push(format!("{query} {}", spelt.join(" ")));
    }
    texts
}

/// Whether the sweep is needed, or why it is not.
pub(super) fn needed(
    question: &Question,
    documents: &[Arc<Document>],
    curated_answers: bool,
) -> Result<(), Message> {
    let wider = question.kinds.iter().any(|kind| !documents.iter().any(|document| document.kind == *kind));
    if curated_answers && documents.is_empty() {
        Err(Message::StageMemoryAnswers)
    } else if !documents.is_empty() && !wider {
        Err(Message::StageRecordNamed)
    } else {
        Ok(())
    }
}
