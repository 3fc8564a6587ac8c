use std::sync::Arc;

use plumbline_telemetry::Route;

use super::Engine;
use super::catalogue::destination_of;
use super::gate::Passages;
use super::gather::{Gathered, Reach, Sweep};
use super::sentences::in_context;
use super::turn::Turn;
use crate::answer::compose::Nearness;
use crate::domain::{Candidate, Collection, Document, EmbedderFamily, Kind};
use crate::error::AskError;
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
    /// How far the nearest document stands out.
    pub lead: Option<f32>,
    /// Framing from curated memory.
    pub note: Option<String>,
    pub missing_words: Vec<String>,
    pub searched: Vec<Collection>,
}

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
        let lead = pool.lead();
        let filtered = self.choose(turn, intent, &question, pool, embedded.family, total).await;
        // A model that writes needs no sentence singled out for it: embedding them all would only delay it.
        let nearness = match self.writer(request) {
            Some(_) => Vec::new(),
            None => self.nearness(turn, vector.as_deref(), &filtered.kept).await,
        };
        let family = embedded.family;
        let mut passages = Passages { filtered, nearness, lead, vector: vector.as_deref(), family };
        let report = self.gate(turn, &question, &mut passages).await;
        let Passages { filtered, nearness, .. } = passages;

        if let Some(refusal) = report.refusal {
            let nearest: Vec<Candidate> = filtered
                .kept
                .iter()
                .cloned()
                .chain(filtered.cut.iter().map(|(candidate, _)| candidate.clone()))
                .collect();
            // Who asks for "our policy" on something asks the library, whatever the something is.
            let off_topic = question.has_words() && known_words == Some(0) && intent.named_kinds.is_empty();
            let refused = self.refuse_at_gate(turn, &refusal, off_topic, &question, &searched, &nearest);
            let refused = self.with_offers(refused, intent, turn);
            return self.or_outside(turn, request, intent, refused).await;
        }
        let missing_words = without_headings(report.missing_words, &question, &filtered.kept);
        let nearness = in_context(nearness, &filtered.kept, &question);
        let found =
            Found { kept: filtered.kept, question, vector, nearness, lead, note, missing_words, searched };
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
