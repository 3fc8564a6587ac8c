use std::ops::Range;
use std::sync::Arc;

use plumbline_telemetry::audit::{AuditCandidate, AuditGate};
use plumbline_telemetry::{Route, names, sha256_hex};
use tracing::info;

use super::Engine;
use super::catalogue::destination_of;
use super::gather::{Gathered, Reach, Sweep};
use super::turn::Turn;
use crate::answer::compose::{Nearness, quotable};
use crate::breaker::BreakerState;
use crate::domain::{Candidate, Collection, Document, EmbedderFamily, Kind};
use crate::error::AskError;
use crate::gates::{Gate, GateInput, GateRefusal, GateReport, run_gates};
use crate::intent::Intent;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::refusal::RefusalFacts;
use crate::request::{AskRequest, Choice};
use crate::response::{AskResponse, RefusalReason, Stage, StageOutcome, Suggestion};
use crate::retrieval::{FilterRules, Filtered, Pool, Question, apply_filters};
use crate::text::stem;

/// What retrieval found good enough to answer from.
pub(super) struct Found {
    pub kept: Vec<Candidate>,
    pub question: Question,
    /// The question's vector, where it has one.
    pub vector: Option<Vec<f32>>,
    /// How near the sentences of each kept passage come, in its context; empty without vectors, and until an answer has to
    /// be made of them.
    pub nearness: Vec<Nearness>,
    /// Framing from curated memory.
    pub note: Option<String>,
    pub missing_words: Vec<String>,
    pub searched: Vec<Collection>,
}

/// What the gates look at.
struct Passages<'p> {
    filtered: &'p Filtered,
    /// The question's vector.
    vector: Option<&'p [f32]>,
    family: EmbedderFamily,
}

/// At most this many sentences are embedded to see how near they come.
const MOST_SENTENCES: usize = 64;

impl Engine {
    /// The documents' path: lanes, rerank, filters, gates, and then the answer.
    pub(super) async fn search(
        &self,
        turn: &mut Turn<'_>,
        request: &AskRequest,
        intent: &Intent,
        scope: Scope,
        documents: Vec<Arc<Document>>,
    ) -> Result<AskResponse, AskError> {
        let searched = self.ports.catalogue.collections(&scope).await?;
        turn.context.set_route(if searched.len() == 1 || documents.len() == 1 {
            Route::Direct
        } else {
            Route::Tree
        });
        turn.destination(destination_of(&kinds_of(intent, &documents)));
        if searched.is_empty() {
            return self.nothing_to_search(turn, request, scope).await;
        }
        let total = request
            .max_context_chunks
            .unwrap_or(self.configuration.settings.retrieval.total_chunks)
            .clamp(1, 50);
        let reach = Reach {
            scope: &scope,
            searched: &searched,
            documents: &documents,
            sweep: Sweep::WhereNeeded,
            limit: total * self.configuration.settings.retrieval.over_fetch.max(1),
        };
        let Gathered { question, known_words, embedded, note, pool } =
            self.gather(turn, intent, &request.chat_history, &reach).await?;
        let vector = embedded.vector;
        let filtered = self.choose(turn, intent, &question, pool, embedded.family, total).await;
        // A model that writes needs no sentence singled out for it: embedding them all would only delay it.
        let mut nearness = match self.writer(request) {
            Some(_) => Vec::new(),
            None => self.nearness(turn, vector.as_deref(), &filtered.kept).await,
        };
        let measured = Passages { filtered: &filtered, vector: vector.as_deref(), family: embedded.family };
        let report = self.gate(turn, &question, &measured, &mut nearness).await;

        if let Some(refusal) = report.refusal {
            let nearest: Vec<Candidate> = filtered
                .kept
                .iter()
                .cloned()
                .chain(filtered.cut.iter().map(|(candidate, _)| candidate.clone()))
                .collect();
            let off_topic = question.has_words() && known_words == Some(0);
            let refused = self.refuse_at_gate(turn, &refusal, off_topic, &question, &searched, &nearest);
            let refused = self.with_offers(refused, intent, turn);
            return self.or_outside(turn, request, intent, refused).await;
        }
        let missing_words = without_headings(report.missing_words, &question, &filtered.kept);
        let nearness = in_context(nearness, &filtered.kept);
        let found = Found { kept: filtered.kept, question, vector, nearness, note, missing_words, searched };
        let response = self.write(turn, request, intent, &scope, found).await?;
        let response = self.with_offers(response, intent, turn);
        self.or_outside(turn, request, intent, response).await
    }

    /// There is nothing that could be searched: an empty library, or collections that hold nothing.
    async fn nothing_to_search(
        &self,
        turn: &mut Turn<'_>,
        request: &AskRequest,
        scope: Scope,
    ) -> Result<AskResponse, AskError> {
        turn.audit.retrieval.no_context = true;
        let everywhere = Scope { collections: Vec::new(), ..scope };
        let empty =
            request.collections.is_empty() || self.ports.catalogue.collections(&everywhere).await?.is_empty();
        let searched = request.collections.iter().map(|collection| collection.as_str().to_owned()).collect();
        let facts = RefusalFacts { searched, ..RefusalFacts::default() };
        let mut response = self.refuse(turn, RefusalReason::NoResults, &facts);
        if empty {
            response.answer = Messages::of(turn.language).text(Message::LibraryEmpty, &[]);
        }
        Ok(response)
    }

    /// The vocabulary as a button, where the question looked like one for a meaning.
    fn with_offers(&self, mut response: AskResponse, intent: &Intent, turn: &Turn<'_>) -> AskResponse {
        if let (Some(term), Some(_)) = (&intent.vocabulary_offer, &self.ports.vocabulary) {
            response.suggestions.push(Suggestion {
                label: Messages::of(turn.language).text(Message::SuggestLookUp, &[("term", term)]),
                query: term.clone(),
                choice: Some(Choice::Define { term: term.clone() }),
            });
        }
        response
    }

    pub(super) async fn choose(
        &self,
        turn: &mut Turn<'_>,
        intent: &Intent,
        question: &Question,
        mut pool: Pool,
        family: EmbedderFamily,
        total: usize,
    ) -> Filtered {
        let settings = &self.configuration.settings.retrieval;
        let thresholds = &self.configuration.thresholds;
        let of =
            |candidate: &Candidate| thresholds.for_collection(&candidate.chunk.document.collection, family);
        let ranked = self.rank(turn, intent, question, &mut pool, family).await;
        let started = turn.begin(Stage::Filters);
        let filters = FilterRules {
            floor: if family == EmbedderFamily::Lexical {
                0.0
            } else if ranked.reranked {
                settings.rerank_floor
            } else {
                settings.min_similarity
            },
            overlap: settings.overlap_threshold,
            per_document: settings.max_chunks_per_doc,
            total,
        };
        let filtered = apply_filters(ranked.candidates, filters, &intent.named_kinds, |candidate| {
            1.0 - candidate.score() > of(candidate).distance_threshold
        });
        turn.end(started, StageOutcome::Ok);
        filtered
    }

    /// How near each sentence of the kept passages comes to the question; nothing where vectors cannot be had.
    pub(super) async fn nearness(
        &self,
        turn: &Turn<'_>,
        vector: Option<&[f32]>,
        kept: &[Candidate],
    ) -> Vec<Nearness> {
        let (Some(vector), Some(embedder)) = (vector, self.ports.embedder.clone()) else { return Vec::new() };
        // A service that is being tried out again is asked once.
        if self.breakers.embeddings.state() != BreakerState::Closed {
            return Vec::new();
        }
        let places: Vec<(usize, Range<usize>)> = kept
            .iter()
            .enumerate()
            .flat_map(|(at, candidate)| quotable(&candidate.chunk).into_iter().map(move |range| (at, range)))
            .take(MOST_SENTENCES)
            .collect();
        let texts: Vec<String> =
            places.iter().map(|(at, range)| kept[*at].chunk.text[range.clone()].to_owned()).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        let embedded = self.within_deadline("embedding", embedder.embed(&texts)).await.unwrap_or_default();
        info!(target: "embeddings", event = "sentences_embedded", sentences = embedded.len(), request = turn.context.request_id());
        if embedded.len() != texts.len() {
            return Vec::new();
        }
        let mut nearness = vec![Nearness::new(); kept.len()];
        for ((at, range), sentence) in places.iter().zip(&embedded) {
            nearness[*at].insert(range.start, cosine(sentence, vector));
        }
        nearness
    }

    /// The gates. Where the passages hold too few of the question's words, their sentences are read before it is refused.
    async fn gate(
        &self,
        turn: &mut Turn<'_>,
        question: &Question,
        passages: &Passages<'_>,
        nearness: &mut Vec<Nearness>,
    ) -> GateReport {
        let started = turn.begin(Stage::Gates);
        let kept = &passages.filtered.kept;
        let decided = |nearness: &[Nearness]| {
            run_gates(&GateInput {
                kept,
                question,
                family: passages.family,
                thresholds: &self.configuration.thresholds,
                sentence_cosine: best_sentence(nearness),
                cross_language_cosine: foreign_cosine(question, kept, nearness),
            })
        };
        let mut report = decided(nearness);
        let too_few_words = report.refusal.is_some_and(|refusal| refusal.gate == Gate::Coverage);
        if too_few_words && nearness.is_empty() {
            *nearness = self.nearness(turn, passages.vector, kept).await;
            report = decided(nearness);
        }
        record(turn, passages.filtered, &report);
        turn.end(started, StageOutcome::Ok);
        report
    }

    fn refuse_at_gate(
        &self,
        turn: &mut Turn<'_>,
        refusal: &GateRefusal,
        off_topic: bool,
        question: &Question,
        searched: &[Collection],
        nearest: &[Candidate],
    ) -> AskResponse {
        self.metrics.inc(&names::GATE_REFUSAL_TOTAL, [refusal.gate.as_str()]);
        info!(target: "gates", event = "refused", gate = refusal.gate.as_str(), value = refusal.value, threshold = refusal.threshold);
        let searched = searched.iter().map(|collection| collection.as_str().to_owned()).collect();
        if off_topic {
            let facts =
                RefusalFacts { searched, count: Some(question.words.len()), ..RefusalFacts::default() };
            return self.refuse_near(turn, RefusalReason::OffTopic, &facts, nearest);
        }
        let measured = refusal.reason != RefusalReason::NoResults;
        let facts = RefusalFacts {
            searched,
            measure: refusal.measure,
            value: measured.then_some(refusal.value),
            threshold: measured.then_some(refusal.threshold),
            ..RefusalFacts::default()
        };
        self.refuse_near(turn, refusal.reason, &facts, nearest)
    }
}

/// The best cosine of a single sentence among passages in another language than the question's. The passage's own cosine
/// stands in where its sentences cannot be had: lower, so on the safe side.
pub(super) fn foreign_cosine(question: &Question, kept: &[Candidate], nearness: &[Nearness]) -> Option<f32> {
    let foreign =
        kept.iter().enumerate().filter(|(_, candidate)| candidate.chunk.language != question.language);
    foreign
        .flat_map(|(at, candidate)| {
            let sentences = nearness.get(at).into_iter().flat_map(Nearness::values).copied();
            sentences.chain(candidate.cosine)
        })
        .max_by(f32::total_cmp)
}

/// The best cosine of a single sentence.
pub(super) fn best_sentence(nearness: &[Nearness]) -> Option<f32> {
    nearness.iter().flat_map(Nearness::values).copied().max_by(f32::total_cmp)
}

/// Sentences as an answer weighs them: half by themselves, half by the passage they stand in. Alone, a sentence that leaves
/// its subject to the title comes less near than one of another document that names it in passing.
pub(super) fn in_context(mut nearness: Vec<Nearness>, kept: &[Candidate]) -> Vec<Nearness> {
    for (sentences, candidate) in nearness.iter_mut().zip(kept) {
        if let Some(passage) = candidate.cosine {
            sentences.values_mut().for_each(|sentence| *sentence = f32::midpoint(*sentence, passage));
        }
    }
    nearness
}

/// The kinds that a question goes to: those of the records it names, else those it names, else several.
fn kinds_of(intent: &Intent, documents: &[Arc<Document>]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> =
        documents.iter().map(|document| document.kind).chain(intent.named_kinds.iter().copied()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() { vec![Kind::Adr, Kind::Principle, Kind::Policy] } else { kinds }
}

/// "Decide" asks for the section "Decision": where there is one, nothing is missing.
fn without_headings(mut missing: Vec<String>, question: &Question, kept: &[Candidate]) -> Vec<String> {
    let headings = || kept.iter().flat_map(|candidate| &candidate.chunk.section_path);
    missing.retain(|word| {
        let stem = stem(word, question.language);
        let asked_for = question.aspects.iter().filter(|aspect| aspect.stems.contains(&stem));
        !asked_for.into_iter().any(|aspect| headings().any(|heading| aspect.is_in_section(heading)))
    });
    missing
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() == b.len() { a.iter().zip(b).map(|(x, y)| x * y).sum() } else { 0.0 }
}

fn record(turn: &mut Turn<'_>, filtered: &Filtered, report: &GateReport) {
    let candidate = |candidate: &Candidate, outcome: &str| AuditCandidate {
        source_id: candidate.chunk.source_id.to_string(),
        text_sha256: sha256_hex(&candidate.chunk.text),
        cosine: candidate.cosine.map(f64::from),
        lexical: candidate.lexical.map(f64::from),
        lanes: candidate.ranks.iter().map(|rank| format!("{}#{}", rank.lane.as_str(), rank.rank)).collect(),
        forced: candidate.forced,
        witness: candidate.witness,
        outcome: outcome.to_owned(),
    };
    let retrieval = &mut turn.audit.retrieval;
    retrieval.hits = (filtered.kept.len() + filtered.cut.len()) as u64;
    retrieval.mean_score = (!filtered.kept.is_empty()).then(|| {
        filtered.kept.iter().map(|kept| f64::from(kept.score())).sum::<f64>() / filtered.kept.len() as f64
    });
    retrieval.candidates = filtered
        .kept
        .iter()
        .map(|kept| candidate(kept, "kept"))
        .chain(filtered.cut.iter().map(|(cut, why)| candidate(cut, why.as_str())))
        .collect();
    turn.audit.gates = report
        .outcomes
        .iter()
        .map(|outcome| AuditGate {
            gate: outcome.gate.as_str().to_owned(),
            outcome: if outcome.passed { "passed" } else { "stopped" }.to_owned(),
            value: Some(outcome.value),
            threshold: Some(outcome.threshold),
        })
        .collect();
}
