//! The vocabulary path: a verbatim definition, a picker, or a refusal.

use std::time::Duration;

use plumbline_telemetry::names;
use tracing::{info, warn};

use super::blank::blank;
use super::reason::Outcome;
use super::refuse::refuse;
use super::services::Services;
use super::turn::{Started, Turn};
use crate::domain::{Kind, Language, SourceId, Standing, TextSpan};
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::{Concept, Lookup, LookupOutcome, Vocabulary, VocabularyError};
use crate::refusal::RefusalFacts;
use crate::request::Choice;
use crate::response::{
    Action, AskResponse, Citation, Clarification, ClarificationOption, ConceptLink, Definition, LabelMatch,
    RefusalReason, Stage, Suggestion,
};

/// A term that behaves as if the vocabulary did not answer in time, whatever stands behind it.
const TIMEOUT_TRIGGER: &str = "__test_skosmos_timeout__";

/// What is looked up.
enum Sought<'t> {
    Term(&'t str),
    Uri(&'t str),
}

/// The vocabulary path: a verbatim definition, a picker, or a refusal.
pub(super) async fn define(services: &Services, turn: &mut Turn<'_>, term: &str) -> AskResponse {
    look_up(services, turn, term, Sought::Term(term)).await
}

/// The concept that the user picked.
pub(super) async fn chosen_concept(
    services: &Services,
    turn: &mut Turn<'_>,
    term: &str,
    uri: &str,
) -> AskResponse {
    look_up(services, turn, term, Sought::Uri(uri)).await
}

async fn look_up(services: &Services, turn: &mut Turn<'_>, term: &str, sought: Sought<'_>) -> AskResponse {
    turn.destination("skosmos");
    let started = turn.begin(Stage::Vocabulary);
    if term.to_lowercase().contains(TIMEOUT_TRIGGER) {
        return as_if_timed_out(services, turn, started, term);
    }
    let Some(vocabulary) = services.ports.vocabulary.clone() else {
        turn.end(started, Outcome::skipped(Message::StageNoVocabulary));
        return refuse_term(services, turn, RefusalReason::TerminologyError, term, &[]);
    };
    match ask_vocabulary(services, turn, vocabulary.as_ref(), term, &sought).await {
        Ok(lookup) => {
            turn.end(started, Outcome::Ok);
            match lookup.outcome {
                LookupOutcome::Found(concept) => defined(turn, term, *concept),
                LookupOutcome::Ambiguous(concepts) => which_concept(turn, term, &concepts),
                LookupOutcome::NotFound => {
                    let near =
                        vocabulary.nearest_labels(term, turn.language, numbers().refusal.ways_on).await;
                    refuse_term(services, turn, RefusalReason::TerminologyNotFound, term, &near)
                }
            }
        }
        Err(problem) => {
            let reason = match &problem {
                VocabularyError::Timeout(_) => RefusalReason::TerminologyTimeout,
                VocabularyError::Unavailable(_) => RefusalReason::TerminologyError,
            };
            turn.end(started, Outcome::failed(problem));
            refuse_term(services, turn, reason, term, &[])
        }
    }
}

/// Whether looking the term up would lead anywhere; a vocabulary that cannot be asked is offered all the same.
pub(super) async fn knows(services: &Services, turn: &Turn<'_>, term: &str) -> bool {
    match services.ports.vocabulary.clone() {
        Some(vocabulary) => {
            match ask_vocabulary(services, turn, vocabulary.as_ref(), term, &Sought::Term(term)).await {
                Ok(lookup) => lookup.outcome != LookupOutcome::NotFound,
                Err(_) => true,
            }
        }
        None => false,
    }
}

/// A timeout as the user, the counters and the log know it. The breaker does not hear of it: a test's trigger must
/// not turn the vocabulary off for others.
fn as_if_timed_out(services: &Services, turn: &mut Turn<'_>, started: Started, term: &str) -> AskResponse {
    let limit = services.settings().vocabulary.timeout_ms;
    let backend = services.ports.vocabulary.as_ref().map_or("embedded", |vocabulary| vocabulary.backend());
    turn.metrics().inc(&names::SKOSMOS_LOOKUP_TOTAL, [backend]);
    turn.metrics().inc(&names::SKOSMOS_TIMEOUT_TOTAL, [backend]);
    turn.fall_back("skosmos_timeout");
    warn!(target: "skosmos", event = "timeout", term = loggable(services, term), latency_ms = limit);
    turn.end(started, Outcome::failed(VocabularyError::Timeout(limit)));
    refuse_term(services, turn, RefusalReason::TerminologyTimeout, term, &[])
}

/// The user's own word, unless the privacy setting keeps it out of the log.
fn loggable<'t>(services: &Services, term: &'t str) -> Option<&'t str> {
    (!services.settings().general.privacy).then_some(term)
}

/// One look-up with its deadline, its breaker and all its counters, whatever the backend.
async fn ask_vocabulary(
    services: &Services,
    turn: &Turn<'_>,
    vocabulary: &dyn Vocabulary,
    term: &str,
    sought: &Sought<'_>,
) -> Result<Lookup, VocabularyError> {
    let backend = vocabulary.backend();
    let metrics = turn.metrics();
    let permit = services.breakers.vocabulary.permit().map_err(|open| {
        turn.fall_back("skosmos_error");
        turn.fall_back("circuit_open");
        warn!(target: "skosmos", event = "circuit_open", service = open.service);
        VocabularyError::Unavailable("it failed repeatedly and is left alone for a while".to_owned())
    })?;
    let limit = services.settings().vocabulary.timeout_ms;
    let before = turn.context.elapsed();
    let looked_up = async {
        match sought {
            Sought::Term(term) => vocabulary.lookup(term, turn.language).await,
            Sought::Uri(uri) => vocabulary.concept(uri, turn.language).await,
        }
    };
    let result = tokio::time::timeout(Duration::from_millis(limit), looked_up)
        .await
        .unwrap_or(Err(VocabularyError::Timeout(limit)));
    let latency_ms =
        u64::try_from(turn.context.elapsed().saturating_sub(before).as_millis()).unwrap_or(u64::MAX);
    match &result {
        Ok(lookup) => {
            permit.success();
            let hit = lookup.outcome != LookupOutcome::NotFound;
            if lookup.cached {
                metrics.inc(&names::SKOSMOS_CACHE_HIT_TOTAL, ["cache"]);
            } else {
                metrics.inc(&names::SKOSMOS_LOOKUP_TOTAL, [backend]);
                metrics
                    .inc(if hit { &names::SKOSMOS_HIT_TOTAL } else { &names::SKOSMOS_MISS_TOTAL }, [backend]);
            }
            let term = loggable(services, term);
            info!(target: "skosmos", event = "lookup_complete", term, hit, cached = lookup.cached, latency_ms);
        }
        Err(problem) => {
            permit.failure();
            let term = loggable(services, term);
            metrics.inc(&names::SKOSMOS_LOOKUP_TOTAL, [backend]);
            match problem {
                VocabularyError::Timeout(_) => {
                    turn.fall_back("skosmos_timeout");
                    metrics.inc(&names::SKOSMOS_TIMEOUT_TOTAL, [backend]);
                    warn!(target: "skosmos", event = "timeout", term, latency_ms);
                }
                VocabularyError::Unavailable(_) => {
                    turn.fall_back("skosmos_error");
                    metrics.inc(&names::SKOSMOS_ERROR_TOTAL, [backend]);
                    warn!(target: "skosmos", event = "error", term, latency_ms);
                }
            }
        }
    }
    result
}

fn defined(turn: &mut Turn<'_>, term: &str, concept: Concept) -> AskResponse {
    let definition = definition_of(term, concept, turn.language);
    let mut response = blank(turn, Action::Cite);
    response.answer = definition_text(&definition, turn.language);
    response.citations = citation_of(&definition).into_iter().collect();
    response.grounded = true;
    if definition.definitions.is_empty() {
        response.suggestions = vec![search_documents(&definition.preferred_label, turn.language)];
    }
    for replacement in &definition.replaced_by {
        response.suggestions.push(look_up_suggestion(replacement, turn.language));
    }
    response.definition = Some(definition);
    turn.show_whole(&response);
    response
}

fn which_concept(turn: &mut Turn<'_>, term: &str, concepts: &[Concept]) -> AskResponse {
    let messages = Messages::of(turn.language);
    let mut response = blank(turn, Action::Clarify);
    let question = messages.text(Message::PickerConcept, &[("term", term)]);
    let options = concepts.iter().map(|concept| {
        let first_line = concept.definitions.first().and_then(|definition| definition.text.lines().next());
        let detail = first_line
            .map_or_else(|| concept.vocabulary.clone(), |line| format!("{} — {line}", concept.vocabulary));
        ClarificationOption {
            label: concept.preferred_label.clone(),
            detail: Some(detail),
            query: term.to_owned(),
            choice: Choice::Concept { uri: concept.uri.clone() },
        }
    });
    response.citations = concepts
        .iter()
        .filter_map(|concept| citation_of(&definition_of(term, concept.clone(), turn.language)))
        .zip(1..)
        .map(|(citation, number)| Citation { number, ..citation })
        .collect();
    response.answer.clone_from(&question);
    response.clarification = Some(Clarification { question, options: options.collect() });
    response.grounded = true;
    response
}

fn refuse_term(
    services: &Services,
    turn: &mut Turn<'_>,
    reason: RefusalReason,
    term: &str,
    near: &[String],
) -> AskResponse {
    let limit = services.settings().vocabulary.timeout_ms;
    let facts = RefusalFacts {
        term: Some(term.to_owned()),
        threshold: (reason == RefusalReason::TerminologyTimeout).then_some(limit as f64),
        ..RefusalFacts::default()
    };
    let messages = Messages::of(turn.language);
    let mut response = refuse(turn, reason, &facts);
    response.suggestions = near
        .iter()
        .map(|label| Suggestion {
            label: messages.text(Message::SuggestDidYouMeanTerm, &[("term", label)]),
            query: label.clone(),
            choice: Some(Choice::Define { term: label.clone() }),
        })
        .collect();
    response.suggestions.push(search_documents(term, turn.language));
    response
}

/// What the vocabulary says about a concept that a term met.
pub fn definition_of(term: &str, concept: Concept, asked_in: Language) -> Definition {
    let language = concept.definitions.first().and_then(|definition| definition.language.clone());
    let language_fallback =
        language.as_deref().is_some_and(|code| Language::from_code(code) != Some(asked_in));
    Definition {
        term: term.to_owned(),
        matched: concept.matched,
        preferred_label: concept.preferred_label,
        alternative_labels: concept.alternative_labels,
        definitions: concept.definitions.into_iter().map(|definition| definition.text).collect(),
        notes: concept.notes,
        language,
        language_fallback,
        broader: concept.broader,
        narrower: concept.narrower,
        related: concept.related,
        deprecated: concept.deprecated,
        replaced_by: concept.replaced_by,
        vocabulary: concept.vocabulary,
        uri: concept.uri,
        concept_id: concept.concept_id,
        fetched_at: concept.fetched_at,
        source: concept.source,
    }
}

/// The definition as it stands in the vocabulary; around it only fixed sentences.
fn definition_text(definition: &Definition, language: Language) -> String {
    let messages = Messages::of(language);
    let label = definition.preferred_label.as_str();
    let mut lines: Vec<String> = Vec::new();
    if definition.definitions.is_empty() {
        lines.push(format!("{} [1]", messages.text(Message::DefinitionNone, &[("label", label)])));
        lines.extend(notes_of(definition));
    } else {
        lines.push(format!("{} [1]", definition.definitions.join("\n\n")));
    }
    if definition.matched != LabelMatch::Preferred {
        lines.push(
            messages.text(Message::DefinitionNonPreferred, &[("term", &definition.term), ("label", label)]),
        );
    }
    if definition.deprecated {
        lines.push(match definition.replaced_by.first() {
            Some(by) => {
                messages.text(Message::DefinitionDeprecatedReplaced, &[("label", label), ("by", &by.label)])
            }
            None => messages.text(Message::DefinitionDeprecated, &[("label", label)]),
        });
    }
    if definition.language_fallback {
        let code = definition.language.as_deref().unwrap_or_default();
        lines.push(messages.text(Message::DefinitionLanguage, &[("language", code)]));
    }
    lines.join("\n\n")
}

/// Notes under their own name, never as a definition.
fn notes_of(definition: &Definition) -> Vec<String> {
    definition.notes.iter().map(|note| format!("{}: {}", note.kind, note.text)).collect()
}

fn citation_of(definition: &Definition) -> Option<Citation> {
    // A slug may hold letters that no id of ours may.
    let id = definition.concept_id.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "-");
    let source_id: SourceId = format!("{id}:0").parse().ok()?;
    let text =
        if definition.definitions.is_empty() { notes_of(definition) } else { definition.definitions.clone() };
    let text = text.join("\n\n");
    Some(Citation {
        number: 1,
        document_id: definition.concept_id.clone(),
        document_name: definition.preferred_label.clone(),
        doc_type: Kind::Vocabulary,
        chunk_index: 0,
        page_number: "N/A".to_owned(),
        section: definition.vocabulary.clone(),
        relevance_score: 1.0,
        snippet: crate::response::snippet(&text),
        span: TextSpan { start: 0, end: text.chars().count() },
        snippet_full: text,
        path: definition.uri.clone(),
        version: None,
        status: definition.deprecated.then(|| "deprecated".to_owned()),
        standing: if definition.deprecated { Standing::Deprecated } else { Standing::InForce },
        date: None,
        source: definition.source.clone(),
        source_id,
    })
}

pub(super) fn search_documents(term: &str, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestSearchDocuments, &[("term", term)]),
        query: term.to_owned(),
        choice: Some(Choice::SearchDocuments),
    }
}

/// The vocabulary as a button.
pub(super) fn offer(term: &str, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestLookUp, &[("term", term)]),
        query: term.to_owned(),
        choice: Some(Choice::Define { term: term.to_owned() }),
    }
}

fn look_up_suggestion(concept: &ConceptLink, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestLookUp, &[("term", &concept.label)]),
        query: concept.label.clone(),
        choice: Some(Choice::Concept { uri: concept.uri.clone() }),
    }
}
