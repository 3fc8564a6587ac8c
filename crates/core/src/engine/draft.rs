//! From gated evidence to a draft: a model's checked words, or verbatim extracts where there is none.

mod record;

use plumbline_telemetry::audit::AuditDroppedMarker;
use plumbline_telemetry::names;
use tracing::info;

use super::answers::{leaves_open, likeliest, read_answers};
use super::gate::Gated;
use super::generation::{Generated, Reply, generate};
use super::reason::Outcome;
use super::refuse::refuse_near;
use super::sentences::{in_context, read_sentences};
use super::services::Services;
use super::step::{Step, respond};
use super::turn::Turn;
use crate::answer::compose::{Composition, Measured, compose};
use crate::answer::{ReplyKind, ReplyOutcome, without_markers};
use crate::confidence;
use crate::domain::{Candidate, Chunk, Nearness};
use crate::gates::Gate;
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::refusal::RefusalFacts;
use crate::request::AskRequest;
use crate::response::{AskResponse, RefusalReason, Stage, Withheld};

use record::{from_record, opened, with_record};

pub(super) use record::{renumbered, told_by_sections};

/// An answer before its confidence is known.
pub(super) struct Draft {
    pub answer: String,
    /// The passages that `[1]`, `[2]`, … in the answer stand for.
    pub cited: Vec<Candidate>,
    /// How much of the answer, or of the question, the passages cover.
    pub coverage: f64,
    /// What the evidence is judged by.
    pub judged_by: JudgedBy,
    /// The model that wrote it; absent where code composed it.
    pub model: Option<String>,
    pub withheld: Vec<Withheld>,
    pub warnings: Vec<String>,
    /// What the transparency statement says on top.
    pub remarks: Vec<String>,
    /// How many passages the writer had, and how many tokens they took.
    pub passages_used: usize,
    pub context_tokens: usize,
}

/// What the evidence of a draft is judged by.
pub(super) enum JudgedBy {
    /// The passages that are cited.
    Cited,
    /// Those by which the record was found whose sections are cited.
    Found(Vec<Candidate>),
    /// Nothing: the user named the record and asked for what it says.
    Name,
}

/// Asks the model, or makes extracts.
pub(super) async fn draft(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    scope: &Scope,
    gated: &Gated,
) -> Step<Draft> {
    let kept = &gated.kept;
    let drafted = match generate(services, turn, request, scope, gated).await? {
        Generated::NoThesis => return respond(no_thesis(services, turn, gated)),
        Generated::NoModel => verbatim(services, turn, gated, scope, None).await,
        Generated::Failed(reason) => {
            turn.fall_back("extractive");
            let remark = Messages::of(turn.language)
                .text(Message::TransparencyExtractiveFailed, &[("reason", &reason.way_out(turn.language))]);
            verbatim(services, turn, gated, scope, Some(remark)).await
        }
        Generated::Reply(mut reply) => {
            reply.outcome.kind = kind_of_what_is_left(services, turn, gated, &reply).await;
            if reply.outcome.kind.leaves_it_to_extracts() {
                read_sentences(services, turn, gated.evidence.vector.as_deref(), kept).await;
            }
            let (passages_used, context_tokens) = (reply.passages.len(), reply.context_tokens);
            let started = turn.begin(Stage::Grounding);
            let checked = draft_of(services, turn, gated, *reply);
            turn.end(started, Outcome::Ok);
            checked?.map(|draft| Draft { passages_used, context_tokens, ..draft })
        }
    };
    match drafted {
        Some(draft) => Step::Continue(draft),
        None => {
            let facts = RefusalFacts { searched: gated.evidence.searched_names(), ..RefusalFacts::default() };
            respond(refuse_near(turn, RefusalReason::Unsupported, &facts, kept))
        }
    }
}

/// An answer in the documents' own words: out of the sections of the record that is asked for, or extracts.
async fn verbatim(
    services: &Services,
    turn: &mut Turn<'_>,
    gated: &Gated,
    scope: &Scope,
    remark: Option<String>,
) -> Option<Draft> {
    turn.skip(Stage::Grounding, Message::StageVerbatim);
    let remark =
        remark.unwrap_or_else(|| Messages::of(turn.language).text(Message::TransparencyExtractive, &[]));
    let draft = match from_record(services, turn, gated, scope).await {
        Some(draft) => draft,
        None => {
            let passages = opened(services, gated, scope).await;
            let (kept, others) = passages.split_at(gated.kept.len());
            read_sentences(services, turn, gated.evidence.vector.as_deref(), kept).await;
            read_sentences(services, turn, gated.evidence.vector.as_deref(), others).await;
            read_answers(services, turn, &gated.evidence.question, &passages).await;
            let draft = extracts(services, gated, &passages, String::new())?;
            with_record(services, gated, scope, draft).await
        }
    };
    Some(Draft { remarks: vec![remark], ..draft })
}

/// What a reply comes to once sentences of it were withheld: what stays is borne out, and may still not be what was asked.
async fn kind_of_what_is_left(
    services: &Services,
    turn: &Turn<'_>,
    gated: &Gated,
    reply: &Reply,
) -> ReplyKind {
    let ReplyOutcome { kind, withheld, answer, .. } = &reply.outcome;
    if *kind != ReplyKind::Answered || withheld.is_empty() {
        return *kind;
    }
    let (question, passages) = (&gated.evidence.question, &reply.passages);
    read_sentences(services, turn, gated.evidence.vector.as_deref(), passages).await;
    read_answers(services, turn, question, passages).await;
    let left = without_markers(answer).0;
    if leaves_open(services, turn, question, &left, passages).await { ReplyKind::LeftOpen } else { *kind }
}

fn no_thesis(services: &Services, turn: &mut Turn<'_>, gated: &Gated) -> AskResponse {
    services.metrics.inc(&names::GATE_REFUSAL_TOTAL, [Gate::Planner.as_str()]);
    let facts = RefusalFacts { searched: gated.evidence.searched_names(), ..RefusalFacts::default() };
    refuse_near(turn, RefusalReason::LowConfidence, &facts, &gated.kept)
}

/// Verbatim sentences of these passages; `None` where none is worth showing.
fn extracts(services: &Services, gated: &Gated, passages: &[Candidate], remark: String) -> Option<Draft> {
    let chunks: Vec<&Chunk> = passages.iter().map(|candidate| candidate.chunk.as_ref()).collect();
    let question = &gated.evidence.question;
    let nearness: Vec<Nearness> = passages.iter().map(|passage| in_context(passage, question)).collect();
    let answers: Vec<Nearness> =
        passages.iter().map(|passage| passage.answers.get().cloned().unwrap_or_default()).collect();
    let measured = Measured { nearness: &nearness, answers: &answers };
    let Composition { answer, cited, coverage } = compose(question, &chunks, measured)?;
    let cited: Vec<Candidate> = cited.iter().filter_map(|alias| passages.get(alias - 1)).cloned().collect();
    let coverage = answered(services, gated, coverage, &cited);
    Some(Draft {
        answer,
        cited,
        coverage,
        judged_by: JudgedBy::Cited,
        model: None,
        withheld: Vec::new(),
        warnings: Vec::new(),
        remarks: vec![remark],
        passages_used: gated.kept.len(),
        context_tokens: 0,
    })
}

/// How far passages that are shown word for word answer the question: as likely as an answer is, or as likely as the reader takes their
/// best sentence to be one, where that can be told; else as much of the question as they cover.
fn answered(services: &Services, gated: &Gated, covered: f64, cited: &[Candidate]) -> f64 {
    match gated.likelihood {
        Some(likelihood) => likelihood.max(likeliest(cited)),
        None => covered.max(covered_by_meaning(services, gated, cited)),
    }
}

/// How much of the question the cited passages cover by what their sentences mean: words of another language, or other
/// words for the same thing, share none with it.
fn covered_by_meaning(services: &Services, gated: &Gated, cited: &[Candidate]) -> f64 {
    let question = &gated.evidence.question;
    let sentences = cited.iter().flat_map(|passage| in_context(passage, question).into_values());
    // Where sentences could not be embedded, a foreign passage's own cosine stands in.
    let foreign = cited.iter().filter(|passage| passage.chunk.language != question.language);
    let best = sentences.chain(foreign.clone().filter_map(|passage| passage.cosine)).max_by(f32::total_cmp);
    let scale = services.thresholds().cross_language;
    let stands_out = foreign
        .clone()
        .next()
        .and(gated.evidence.margin)
        .map_or(0.0, |margin| scale.coverage_of_margin(margin));
    best.map_or(0.0, |cosine| scale.coverage(cosine)).max(stands_out)
}

/// What a model's checked reply comes to: a draft, extracts that it points at, or a refusal.
fn draft_of(services: &Services, turn: &mut Turn<'_>, gated: &Gated, reply: Reply) -> Step<Option<Draft>> {
    let Reply { outcome, passages, further, model, remarks, context_tokens } = reply;
    count_markers(services, turn, &outcome);
    let facts = RefusalFacts { searched: gated.evidence.searched_names(), ..RefusalFacts::default() };
    match outcome.kind {
        ReplyKind::NoAnswer => {
            let mut refusal = refuse_near(turn, RefusalReason::LowConfidence, &facts, &gated.kept);
            refusal.model_used = Some(model);
            refusal.withheld = outcome.withheld;
            respond(refusal)
        }
        ReplyKind::Unsupported => {
            let facts = RefusalFacts { count: Some(outcome.withheld.len()), ..facts };
            let mut refusal = refuse_near(turn, RefusalReason::Unsupported, &facts, &gated.kept);
            refusal.model_used = Some(model);
            refusal.withheld = outcome.withheld;
            respond(refusal)
        }
        ReplyKind::Pointers | ReplyKind::Evaded | ReplyKind::LeftOpen | ReplyKind::Empty => {
            let message = match outcome.kind {
                ReplyKind::Evaded => Message::TransparencyExtractiveEvaded,
                ReplyKind::LeftOpen => Message::TransparencyExtractiveLeftOpen,
                _ => Message::TransparencyExtractivePointed,
            };
            let says_nothing = matches!(outcome.kind, ReplyKind::Pointers | ReplyKind::Empty);
            let pointed: Vec<Candidate> = if says_nothing && !outcome.pointers.is_empty() {
                outcome.pointers.iter().filter_map(|alias| passages.get(alias - 1)).cloned().collect()
            } else {
                passages
            };
            let remark = Messages::of(turn.language).text(message, &[]);
            Step::Continue(extracts(services, gated, &pointed, remark).map(|mut draft| {
                draft.remarks.extend(remarks);
                Draft { withheld: outcome.withheld, ..draft }
            }))
        }
        ReplyKind::Answered => {
            let passage = |alias: &usize| passages.iter().chain(&further).nth(alias - 1);
            let cited: Vec<Candidate> = outcome.cited.iter().filter_map(passage).cloned().collect();
            let texts: Vec<&str> = cited.iter().map(|candidate| candidate.chunk.text.as_str()).collect();
            let language = cited.first().map_or(turn.language, |candidate| candidate.chunk.language);
            let messages = Messages::of(turn.language);
            let warnings = outcome
                .remarks
                .iter()
                .map(|remark| messages.text(Message::WarningIncomplete, &[("remark", remark)]))
                .collect();
            Step::Continue(Some(Draft {
                // A free paraphrase shares few words with what it follows from.
                coverage: confidence::coverage(&outcome.answer, &texts, language)
                    .max(outcome.sureness.unwrap_or_default()),
                answer: outcome.answer,
                cited,
                judged_by: JudgedBy::Cited,
                model: Some(model),
                withheld: outcome.withheld,
                warnings,
                remarks,
                passages_used: passages.len(),
                context_tokens,
            }))
        }
    }
}

fn count_markers(services: &Services, turn: &mut Turn<'_>, outcome: &ReplyOutcome) {
    for dropped in &outcome.dropped {
        services.metrics.inc(&names::CITATION_DROPPED_TOTAL, [dropped.reason.as_str()]);
        info!(target: "llm", event = "citation_dropped", marker = dropped.marker.as_str(), reason = dropped.reason.as_str());
    }
    services.metrics.inc_by(&names::SENTENCE_RECITED_TOTAL, [], outcome.re_cited as u64);
    turn.audit.dropped = outcome
        .dropped
        .iter()
        .map(|dropped| AuditDroppedMarker {
            marker: dropped.marker.clone(),
            reason: dropped.reason.as_str().to_owned(),
        })
        .collect();
}
