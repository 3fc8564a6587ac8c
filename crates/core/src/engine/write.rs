use plumbline_telemetry::audit::AuditDroppedMarker;
use plumbline_telemetry::names;
use tracing::info;

use super::Engine;
use super::catalogue::with_standing;
use super::close::blank;
use super::generation::{Generated, Reply};
use super::search::Found;
use super::sentences::in_context;
use super::turn::Turn;
use crate::answer::compose::{Composition, Nearness, compose};
use crate::answer::{ReplyOutcome, ReplyVerdict};
use crate::confidence::{self, Signals, Verdict};
use crate::domain::{Candidate, Chunk, Document};
use crate::error::AskError;
use crate::intent::Intent;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::refusal::{Measure, RefusalFacts};
use crate::request::AskRequest;
use crate::response::{
    Action, AskResponse, Citation, RefusalReason, RetrievalQuality, Stage, StageOutcome,
    TransparencyStatement, Withheld,
};
use crate::routing::route_target;

/// Of the best score, what a passage must have to be shown where nobody answers.
const ABOUT_AS_NEAR: f32 = 0.85;

/// An answer before its confidence is known.
struct Draft {
    answer: String,
    /// The passages that `[1]`, `[2]`, … in the answer stand for.
    cited: Vec<Candidate>,
    /// How much of the answer, or of the question, the passages cover.
    coverage: f64,
    /// The model that wrote it; absent where code composed it.
    model: Option<String>,
    withheld: Vec<Withheld>,
    warnings: Vec<String>,
    /// What the transparency statement says on top.
    remarks: Vec<String>,
}

impl Engine {
    /// From passages to the response: generation or extracts, grounding, confidence, action.
    pub(super) async fn write(
        &self,
        turn: &mut Turn<'_>,
        request: &AskRequest,
        intent: &Intent,
        scope: &Scope,
        mut found: Found,
    ) -> Result<AskResponse, AskError> {
        let mut context_tokens = 0;
        let mut used = found.kept.len();
        let draft = match self.generate(turn, request, intent, &found).await? {
            Generated::NoThesis => return Ok(self.no_thesis(turn, &found)),
            Generated::NoModel => {
                turn.skip(Stage::Grounding, "extracts are verbatim");
                self.read_sentences(turn, &mut found).await;
                self.extracts(turn, &found, &found.kept, None)
            }
            Generated::Failed(reason) => {
                turn.fall_back("extractive");
                turn.skip(Stage::Grounding, "extracts are verbatim");
                self.read_sentences(turn, &mut found).await;
                let remark = Messages::of(turn.language)
                    .text(Message::TransparencyExtractiveFailed, &[("reason", &reason)]);
                self.extracts(turn, &found, &found.kept, Some(remark))
            }
            Generated::Reply(reply) => {
                context_tokens = reply.context_tokens;
                used = reply.passages.len();
                if reply.outcome.verdict.leaves_it_to_extracts() {
                    self.read_sentences(turn, &mut found).await;
                }
                let started = turn.begin(Stage::Grounding);
                let checked = self.draft_of(turn, &found, *reply);
                turn.end(started, StageOutcome::Ok);
                match checked {
                    Ok(draft) => draft,
                    Err(refusal) => return Ok(*refusal),
                }
            }
        };
        let Some(draft) = draft else {
            let facts = RefusalFacts { searched: names_of(&found), ..RefusalFacts::default() };
            return Ok(self.refuse_near(turn, RefusalReason::Unsupported, &facts, &found.kept));
        };
        if let Err(refusal) = self.audit_sources(turn, scope, &draft, &found).await? {
            return Ok(*refusal);
        }
        let mut response = self.conclude(turn, intent, scope, &found, draft).await?;
        response.context_chunks_used = used;
        response.context_tokens_used = context_tokens;
        Ok(response)
    }

    /// Sees how near each sentence comes, where that was left until now.
    async fn read_sentences(&self, turn: &Turn<'_>, found: &mut Found) {
        if found.nearness.is_empty() {
            let nearness = self.nearness(turn, found.vector.as_deref(), &found.kept).await;
            found.nearness = in_context(nearness, &found.kept, &found.question);
        }
    }

    fn no_thesis(&self, turn: &mut Turn<'_>, found: &Found) -> AskResponse {
        self.metrics.inc(&names::GATE_REFUSAL_TOTAL, [crate::gates::Gate::Planner.as_str()]);
        let facts = RefusalFacts { searched: names_of(found), ..RefusalFacts::default() };
        self.refuse_near(turn, RefusalReason::LowConfidence, &facts, &found.kept)
    }

    /// Verbatim sentences of these passages; `None` where none is worth showing.
    fn extracts(
        &self,
        turn: &Turn<'_>,
        found: &Found,
        passages: &[Candidate],
        remark: Option<String>,
    ) -> Option<Draft> {
        let chunks: Vec<&Chunk> = passages.iter().map(|candidate| candidate.chunk.as_ref()).collect();
        let nearness: Vec<Nearness> = passages.iter().map(|passage| nearness_of(found, passage)).collect();
        let Composition { answer, cited, coverage } = compose(&found.question.wanted(), &chunks, &nearness)?;
        let cited: Vec<Candidate> =
            cited.iter().filter_map(|alias| passages.get(alias - 1)).cloned().collect();
        let meant = self.covered_by_meaning(found, &cited);
        let remark =
            remark.unwrap_or_else(|| Messages::of(turn.language).text(Message::TransparencyExtractive, &[]));
        Some(Draft {
            answer,
            cited,
            coverage: coverage.max(meant),
            model: None,
            withheld: Vec::new(),
            warnings: Vec::new(),
            remarks: vec![remark],
        })
    }

    /// How much of the question the cited passages cover by what their sentences mean: words of another language, or other
    /// words for the same thing, share none with it.
    fn covered_by_meaning(&self, found: &Found, cited: &[Candidate]) -> f64 {
        let sentences = cited.iter().flat_map(|passage| nearness_of(found, passage).into_values());
        // Where sentences could not be embedded, a foreign passage's own cosine stands in.
        let foreign = cited.iter().filter(|passage| passage.chunk.language != found.question.language);
        let best =
            sentences.chain(foreign.clone().filter_map(|passage| passage.cosine)).max_by(f32::total_cmp);
        let scale = self.configuration.thresholds.cross_language;
        let stands_out = foreign.clone().next().and(found.lead).map_or(0.0, |lead| scale.led(lead));
        best.map_or(0.0, |cosine| scale.coverage(cosine)).max(stands_out)
    }

    /// What a model's checked reply comes to: a draft, extracts that it points at, or a refusal.
    fn draft_of(
        &self,
        turn: &mut Turn<'_>,
        found: &Found,
        reply: Reply,
    ) -> Result<Option<Draft>, Box<AskResponse>> {
        let Reply { outcome, passages, model, remarks, .. } = reply;
        self.count_markers(turn, &outcome);
        let facts = RefusalFacts { searched: names_of(found), ..RefusalFacts::default() };
        match outcome.verdict {
            ReplyVerdict::NoAnswer => {
                let mut refusal = self.refuse_near(turn, RefusalReason::LowConfidence, &facts, &found.kept);
                refusal.model_used = Some(model);
                refusal.withheld = outcome.withheld;
                Err(Box::new(refusal))
            }
            ReplyVerdict::Unsupported => {
                let facts = RefusalFacts { count: Some(outcome.withheld.len()), ..facts };
                let mut refusal = self.refuse_near(turn, RefusalReason::Unsupported, &facts, &found.kept);
                refusal.model_used = Some(model);
                refusal.withheld = outcome.withheld;
                Err(Box::new(refusal))
            }
            ReplyVerdict::Pointers | ReplyVerdict::Evaded | ReplyVerdict::Empty => {
                let evaded = outcome.verdict == ReplyVerdict::Evaded;
                let pointed: Vec<Candidate> = if evaded || outcome.pointers.is_empty() {
                    passages
                } else {
                    outcome.pointers.iter().filter_map(|alias| passages.get(alias - 1)).cloned().collect()
                };
                let message = if evaded {
                    Message::TransparencyExtractiveEvaded
                } else {
                    Message::TransparencyExtractivePointed
                };
                let remark = Messages::of(turn.language).text(message, &[]);
                Ok(self.extracts(turn, found, &pointed, Some(remark)).map(|mut draft| {
                    draft.remarks.extend(remarks);
                    draft
                }))
            }
            ReplyVerdict::Answered => {
                let cited: Vec<Candidate> =
                    outcome.cited.iter().filter_map(|alias| passages.get(alias - 1)).cloned().collect();
                let texts: Vec<&str> = cited.iter().map(|candidate| candidate.chunk.text.as_str()).collect();
                let language = cited.first().map_or(turn.language, |candidate| candidate.chunk.language);
                let messages = Messages::of(turn.language);
                let warnings = outcome
                    .remarks
                    .iter()
                    .map(|remark| messages.text(Message::WarningIncomplete, &[("remark", remark)]))
                    .collect();
                Ok(Some(Draft {
                    coverage: confidence::coverage(&outcome.answer, &texts, language),
                    answer: outcome.answer,
                    cited,
                    model: Some(model),
                    withheld: outcome.withheld,
                    warnings,
                    remarks,
                }))
            }
        }
    }

    fn count_markers(&self, turn: &mut Turn<'_>, outcome: &ReplyOutcome) {
        for dropped in &outcome.dropped {
            self.metrics.inc(&names::CITATION_DROPPED_TOTAL, [dropped.reason.as_str()]);
            info!(target: "llm", event = "citation_dropped", marker = dropped.marker.as_str(), reason = dropped.reason.as_str());
        }
        self.metrics.inc_by(&names::SENTENCE_RECITED_TOTAL, [], outcome.recited as u64);
        turn.audit.dropped = outcome
            .dropped
            .iter()
            .map(|dropped| AuditDroppedMarker {
                marker: dropped.marker.clone(),
                reason: dropped.reason.as_str().to_owned(),
            })
            .collect();
    }

    /// The online auditor: every source that would be shown is looked up once more.
    async fn audit_sources(
        &self,
        turn: &mut Turn<'_>,
        scope: &Scope,
        draft: &Draft,
        found: &Found,
    ) -> Result<Result<(), Box<AskResponse>>, AskError> {
        let started = turn.begin(Stage::Audit);
        let sources: Vec<_> = draft.cited.iter().map(|candidate| candidate.chunk.source_id.clone()).collect();
        let existing = self.ports.catalogue.existing(&sources, scope).await?;
        let broken = sources.iter().filter(|source| !existing.contains(source)).count();
        if broken == 0 {
            turn.end(started, StageOutcome::Ok);
            return Ok(Ok(()));
        }
        turn.end(
            started,
            StageOutcome::Failed(format!("{broken} cited passages are no longer in the library")),
        );
        let facts = RefusalFacts { searched: names_of(found), ..RefusalFacts::default() };
        let still_there: Vec<Candidate> = found
            .kept
            .iter()
            .filter(|candidate| existing.contains(&candidate.chunk.source_id))
            .cloned()
            .collect();
        Ok(Err(Box::new(self.refuse_near(turn, RefusalReason::Unsupported, &facts, &still_there))))
    }

    /// Confidence decides what the user gets: the answer, the evidence with its owner, or a refusal.
    async fn conclude(
        &self,
        turn: &mut Turn<'_>,
        intent: &Intent,
        scope: &Scope,
        found: &Found,
        draft: Draft,
    ) -> Result<AskResponse, AskError> {
        let settings = &self.configuration.settings.retrieval;
        let llm = self.judge(turn, &intent.query, &draft.answer, &draft.cited).await;
        let started = turn.begin(Stage::Confidence);
        // A record found by its address while nothing is embedded has no score: there coverage speaks alone.
        let retrieval = mean_score(&draft.cited).unwrap_or(draft.coverage);
        let flags = turn.context.fallback_flags();
        let score = confidence::score(
            Signals { retrieval, coverage: draft.coverage, llm },
            &flags,
            settings.fallback_penalty,
        );
        let verdict = confidence::verdict(score.adjusted, settings.confidence_threshold, settings.abstain_at);
        turn.end(started, StageOutcome::Ok);

        let mut response = match verdict {
            Verdict::Cite => {
                let mut response = blank(turn, Action::Cite);
                response.answer.clone_from(&draft.answer);
                response.citations = citations(&draft.cited);
                response.grounded = true;
                for candidate in &draft.cited {
                    let lane = candidate.best_lane().map_or("none", |lane| lane.as_str());
                    self.metrics.inc(&names::CITATION_KEPT_TOTAL, [lane]);
                }
                // A model's sentences are on screen already.
                if !turn.has_shown() {
                    turn.show_whole(&response);
                }
                response
            }
            Verdict::Route => self.routed(turn, &draft.cited, score.adjusted),
            // This gate spares forced hits as the others do: who names a record is shown it.
            Verdict::Abstain if draft.cited.iter().any(|candidate| candidate.forced) => {
                self.routed(turn, &draft.cited, score.adjusted)
            }
            Verdict::Abstain => {
                let facts = RefusalFacts {
                    searched: names_of(found),
                    measure: Measure::Confidence,
                    value: Some(f64::from(score.adjusted)),
                    threshold: Some(f64::from(settings.abstain_at)),
                    ..RefusalFacts::default()
                };
                self.refuse_near(turn, RefusalReason::LowConfidence, &facts, &found.kept)
            }
        };
        let base = f64::from(score.overall) / 100.0;
        response.confidence = Some(score);
        response.retrieval_quality = RetrievalQuality::with_penalty(base, &flags, settings.fallback_penalty);
        let documents: Vec<&Document> = distinct_documents(&response.citations, &found.kept);
        response.notices = self.notices_of(turn, &documents, scope).await?;
        self.be_transparent(turn, &mut response, found, draft, llm.is_none());
        Ok(response)
    }

    /// The passages that the draft rests on, word for word, and their owner; never the draft.
    fn routed(&self, turn: &mut Turn<'_>, cited: &[Candidate], adjusted: u8) -> AskResponse {
        let evidence = nearest_of(cited);
        let tags: Vec<&[String]> =
            evidence.iter().map(|candidate| candidate.chunk.document.tags.as_slice()).collect();
        let target = route_target(&tags, &self.configuration.owners, adjusted, turn.language);
        let name = target.owner_name.clone().unwrap_or_default();
        let email = target.owner_email.clone().unwrap_or_default();
        let card =
            Messages::of(turn.language).text(Message::RouteCard, &[("name", &name), ("email", &email)]);
        let quotes = evidence.iter().zip(1..).map(|(candidate, number): (&Candidate, usize)| {
            let text = candidate.chunk.text.trim().replace('\n', "\n> ");
            format!("> {text} [{number}]")
        });
        let mut response = blank(turn, Action::Route);
        response.answer = std::iter::once(card).chain(quotes).collect::<Vec<_>>().join("\n\n");
        response.citations = citations(&evidence);
        response.route_to = Some(target);
        response.grounded = true;
        turn.show_whole(&response);
        response
    }

    fn be_transparent(
        &self,
        turn: &Turn<'_>,
        response: &mut AskResponse,
        found: &Found,
        draft: Draft,
        no_judge: bool,
    ) {
        let messages = Messages::of(turn.language);
        let mut statement = if response.refused && turn.context.fallback_flags().is_empty() {
            TransparencyStatement { statement: None, show_to_user: false }
        } else {
            TransparencyStatement::from_quality(&response.retrieval_quality, turn.language)
        };
        if response.action == Action::Cite {
            for remark in &draft.remarks {
                statement = statement.and(remark);
            }
            if no_judge && draft.model.is_some() {
                statement = statement.and(&messages.text(Message::TransparencyJudgeAbsent, &[]));
            }
        }
        if !draft.withheld.is_empty() {
            let count = draft.withheld.len().to_string();
            statement = statement.and(&messages.text(Message::TransparencyWithheld, &[("n", &count)]));
        }
        response.transparency = with_standing(statement, &response.notices);
        response.withheld = draft.withheld;
        response.warnings.extend(draft.warnings);
        response.model_used = draft.model;
        if !response.refused && !found.missing_words.is_empty() {
            let words = messages
                .any_of(&found.missing_words.iter().map(|word| format!("“{word}”")).collect::<Vec<_>>());
            let count = found.missing_words.len().to_string();
            response
                .warnings
                .push(messages.text(Message::WarningKeywordsMissing, &[("words", &words), ("n", &count)]));
        }
    }

    /// Today by the library's own account, or by the clock.
    pub(super) fn today(&self) -> jiff::civil::Date {
        let clock = || self.ports.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        self.ports.catalogue.as_of().unwrap_or_else(clock)
    }
}

/// The mean of what retrieval scored at all.
fn mean_score(cited: &[Candidate]) -> Option<f64> {
    let scored: Vec<f64> = cited
        .iter()
        .filter(|candidate| candidate.cosine.is_some() || candidate.lexical.is_some())
        .map(|candidate| f64::from(candidate.score()))
        .collect();
    (!scored.is_empty()).then(|| scored.iter().sum::<f64>() / scored.len() as f64)
}

fn citations(cited: &[Candidate]) -> Vec<Citation> {
    cited
        .iter()
        .zip(1..)
        .map(|(candidate, number)| Citation::of_chunk(number, &candidate.chunk, candidate.score()))
        .collect()
}

fn distinct_documents<'k>(citations: &[Citation], kept: &'k [Candidate]) -> Vec<&'k Document> {
    let mut documents: Vec<&Document> = Vec::new();
    for citation in citations {
        let document = kept
            .iter()
            .map(|candidate| candidate.chunk.document.as_ref())
            .find(|d| d.id.as_str() == citation.document_id);
        if let Some(document) = document
            && !documents.iter().any(|known| known.id == document.id)
        {
            documents.push(document);
        }
    }
    documents
}

/// The passages that come about as near as the nearest: whoever is to judge for themselves is not sent after the others.
fn nearest_of(kept: &[Candidate]) -> Vec<Candidate> {
    let best = kept.iter().map(Candidate::score).fold(0.0, f32::max);
    let near = |candidate: &&Candidate| candidate.is_spared() || candidate.score() >= ABOUT_AS_NEAR * best;
    kept.iter().filter(near).cloned().collect()
}

/// What is known of a passage's sentences; its place may be another than where it was kept.
fn nearness_of(found: &Found, passage: &Candidate) -> Nearness {
    let at = found.kept.iter().position(|kept| kept.chunk.source_id == passage.chunk.source_id);
    at.and_then(|at| found.nearness.get(at)).cloned().unwrap_or_default()
}

pub(super) fn names_of(found: &Found) -> Vec<String> {
    found.searched.iter().map(|collection| collection.as_str().to_owned()).collect()
}
