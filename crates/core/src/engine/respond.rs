//! From a draft to the response: every source looked up once more, confidence, and what the user gets for it.

use plumbline_telemetry::names;

use super::blank::blank;
use super::draft::{Draft, JudgedBy};
use super::gate::Gated;
use super::judge::judge;
use super::reason::{Outcome, Reason};
use super::refuse::refuse_near;
use super::services::Services;
use super::standing::{notices_of, with_standing};
use super::step::{OrEnd, Step, respond};
use super::turn::Turn;
use crate::confidence::{self, AllowedAction, Signals};
use crate::domain::{Candidate, Document};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::refusal::{Measure, RefusalFacts};
use crate::response::{
    Action, AskResponse, Citation, RefusalReason, RetrievalQuality, Stage, TransparencyStatement,
};
use crate::routing::route_target;

/// The response that a draft comes to.
pub(super) async fn conclude(
    services: &Services,
    turn: &mut Turn<'_>,
    scope: &Scope,
    gated: &Gated,
    draft: Draft,
) -> Step<AskResponse> {
    audit_sources(services, turn, scope, gated, &draft).await?;
    let (passages_used, context_tokens) = (draft.passages_used, draft.context_tokens);
    let mut response = decided(services, turn, scope, gated, draft).await.or_end()?;
    response.context_chunks_used = passages_used;
    response.context_tokens_used = context_tokens;
    Step::Continue(response)
}

/// The online auditor: every source that would be shown is looked up once more.
async fn audit_sources(
    services: &Services,
    turn: &mut Turn<'_>,
    scope: &Scope,
    gated: &Gated,
    draft: &Draft,
) -> Step<()> {
    let started = turn.begin(Stage::Audit);
    let sources: Vec<_> = draft.cited.iter().map(|candidate| candidate.chunk.source_id.clone()).collect();
    let existing = services.ports.catalogue.existing(&sources, scope).await.or_end()?;
    let broken = sources.iter().filter(|source| !existing.contains(source)).count();
    if broken == 0 {
        turn.end(started, Outcome::Ok);
        return Step::Continue(());
    }
    turn.end(started, Outcome::Failed(Reason::SourcesGone(broken)));
    let facts = RefusalFacts { searched: gated.evidence.searched_names(), ..RefusalFacts::default() };
    let still_there: Vec<Candidate> = gated
        .kept
        .iter()
        .filter(|candidate| existing.contains(&candidate.chunk.source_id))
        .cloned()
        .collect();
    respond(refuse_near(turn, RefusalReason::Unsupported, &facts, &still_there))
}

/// Confidence decides what the user gets: the answer, the evidence with its owner, or a refusal.
async fn decided(
    services: &Services,
    turn: &mut Turn<'_>,
    scope: &Scope,
    gated: &Gated,
    draft: Draft,
) -> Result<AskResponse, AskError> {
    let settings = &services.settings().retrieval;
    let llm = judge(services, turn, &gated.evidence.question.text, &draft.answer, &draft.cited).await;
    let started = turn.begin(Stage::Confidence);
    // A record found by its address while nothing is embedded has no score: there coverage speaks alone.
    let scored = match &draft.judged_by {
        JudgedBy::Cited => gated.likelihood.or_else(|| mean_score(&draft.cited)),
        JudgedBy::Found(found) => gated.likelihood.or_else(|| mean_score(found)),
        JudgedBy::Name => None,
    };
    let retrieval = scored.unwrap_or(draft.coverage);
    let flags = turn.context.fallback_flags();
    let score = confidence::score(
        Signals { retrieval, coverage: draft.coverage, llm },
        &flags,
        settings.fallback_penalty,
    );
    let allowed =
        confidence::allowed_action(score.adjusted, settings.confidence_threshold, settings.abstain_at);
    turn.end(started, Outcome::Ok);

    let mut response = match allowed {
        AllowedAction::Cite => {
            let mut response = blank(turn, Action::Cite);
            response.answer.clone_from(&draft.answer);
            response.citations = citations(&draft.cited);
            response.grounded = true;
            for candidate in &draft.cited {
                let lane = candidate.best_lane().map_or("none", |lane| lane.as_str());
                services.metrics.inc(&names::CITATION_KEPT_TOTAL, [lane]);
            }
            // A model's sentences are on screen already, unless others stand in for them.
            if draft.model.is_none() || !turn.has_shown() {
                turn.show_whole(&response);
            }
            response
        }
        AllowedAction::Route => routed(services, turn, &draft.cited, score.adjusted),
        // This gate spares forced hits as the others do: who names a record is shown it.
        AllowedAction::Abstain if draft.cited.iter().any(|candidate| candidate.forced) => {
            routed(services, turn, &draft.cited, score.adjusted)
        }
        AllowedAction::Abstain => {
            let facts = RefusalFacts {
                searched: gated.evidence.searched_names(),
                measure: Measure::Confidence,
                value: Some(f64::from(score.adjusted)),
                threshold: Some(f64::from(settings.abstain_at)),
                ..RefusalFacts::default()
            };
            refuse_near(turn, RefusalReason::LowConfidence, &facts, &gated.kept)
        }
    };
    let base = f64::from(score.overall) / 100.0;
    response.confidence = Some(score);
    response.retrieval_quality = RetrievalQuality::with_penalty(base, &flags, settings.fallback_penalty);
    let documents: Vec<&Document> = distinct_documents(&response.citations, &gated.kept);
    response.notices = notices_of(services, turn, &documents, scope).await?;
    state_quality(turn, &mut response, gated, draft, llm.is_none());
    Ok(response)
}

/// The passages that the draft rests on, word for word, and their owner; never the draft.
fn routed(services: &Services, turn: &mut Turn<'_>, cited: &[Candidate], adjusted: u8) -> AskResponse {
    let evidence = nearest_of(cited);
    let tags: Vec<&[String]> =
        evidence.iter().map(|candidate| candidate.chunk.document.tags.as_slice()).collect();
    let target = route_target(&tags, &services.configuration.owners, adjusted, turn.language);
    let name = target.owner_name.clone().unwrap_or_default();
    let email = target.owner_email.clone().unwrap_or_default();
    let card = Messages::of(turn.language).text(Message::RouteCard, &[("name", &name), ("email", &email)]);
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

fn state_quality(turn: &Turn<'_>, response: &mut AskResponse, gated: &Gated, draft: Draft, no_judge: bool) {
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
    if !response.refused && !gated.missing_words.is_empty() {
        let words =
            messages.any_of(&gated.missing_words.iter().map(|word| format!("“{word}”")).collect::<Vec<_>>());
        let count = gated.missing_words.len().to_string();
        response
            .warnings
            .push(messages.text(Message::WarningKeywordsMissing, &[("words", &words), ("n", &count)]));
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
        .map(|(candidate, number)| Citation::of_chunk(number, &candidate.chunk, relevance(candidate)))
        .collect()
}

/// What was named and not searched for has no score: nothing is more relevant.
fn relevance(candidate: &Candidate) -> f32 {
    let is_scored = candidate.cosine.is_some() || candidate.lexical.is_some();
    if candidate.forced && !is_scored { 1.0 } else { candidate.score() }
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
pub(super) fn nearest_of(kept: &[Candidate]) -> Vec<Candidate> {
    let best = kept.iter().map(Candidate::score).fold(0.0, f32::max);
    let near = |candidate: &&Candidate| {
        candidate.is_exempt() || candidate.score() >= numbers().evidence.about_as_near * best
    };
    kept.iter().filter(near).cloned().collect()
}
