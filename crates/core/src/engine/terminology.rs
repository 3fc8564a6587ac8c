//! The vocabulary path: a verbatim definition, a picker, a refusal, or on to the documents.

use super::definition::{
    Meaning, citation_of, compared, defined, definition_of, from_vocabulary, search_documents,
};
use super::lookup::{Sought, ask_vocabulary, deadline, look_up};
use super::meaning::{Found, found};
use super::reason::Outcome;
use super::refuse::refuse;
use super::services::Services;
use super::step::{Step, respond};
use super::turn::Turn;
use crate::domain::Language;
use crate::intent::term_readings;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::{Concept, LookupOutcome, VocabularyError};
use crate::refusal::RefusalFacts;
use crate::request::Choice;
use crate::response::{
    Action, AnswerSource, AskResponse, Clarification, ClarificationOption, RefusalReason, Stage, Suggestion,
};
use crate::text::{detect, words};

/// A question for the meaning of a term. It ends here where the vocabulary knows the term or cannot tell; else the
/// documents are asked, and the term comes back that is not in the vocabulary. `or_else` is another way to read it. Without a vocabulary
/// there is nothing to say of one.
pub(super) async fn define(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &str,
    term: &str,
    or_else: Option<&str>,
) -> Step<Option<String>> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(None) };
    turn.destination("skosmos");
    let started = turn.begin(Stage::Vocabulary);
    let of = |term: &str| term_readings(term, turn.language);
    let readings: Vec<String> = of(term).into_iter().chain(or_else.map(of).unwrap_or_default()).collect();
    match look_up(services, turn, vocabulary.as_ref(), &readings).await {
        Ok(met) => {
            turn.end(started, Outcome::Ok);
            match met {
                Some((reading, outcome)) => {
                    let outcome = in_its_language(services, turn, question, reading, outcome).await;
                    respond(told(turn, found(reading, outcome, question)))
                }
                None => Step::Continue(Some(term.to_owned())),
            }
        }
        Err(problem) => {
            turn.end(started, Outcome::failed(problem.clone()));
            respond(not_verified(services, turn, term, &problem))
        }
    }
}

/// A few words that ask nothing: where they are a term of the vocabulary, its definition. Whether looking them up may
/// still lead somewhere: a vocabulary that could not be asked is offered all the same.
pub(super) async fn define_bare(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &str,
    term: &str,
) -> Step<bool> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(false) };
    let readings = term_readings(term, turn.language);
    match look_up(services, turn, vocabulary.as_ref(), &readings).await {
        Ok(Some((reading, outcome))) => {
            turn.destination("skosmos");
            let outcome = in_its_language(services, turn, question, reading, outcome).await;
            let mut response = told(turn, found(reading, outcome, question));
            response.suggestions.push(search_documents(question, turn.language));
            respond(response)
        }
        Ok(None) => Step::Continue(false),
        Err(_) => Step::Continue(true),
    }
}

/// What the vocabulary says in the language that a term is the preferred label of, where the question has no other word that tells
/// its language; the turn goes on in that language.
async fn in_its_language(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &str,
    term: &str,
    outcome: LookupOutcome,
) -> LookupOutcome {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return outcome };
    let folded = |text: &str| words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>();
    let is_preferred = |outcome: &LookupOutcome| match outcome {
        LookupOutcome::Found(concept) => folded(&concept.preferred_label) == folded(term),
        LookupOutcome::Ambiguous(_) | LookupOutcome::NotFound => false,
    };
    if detect(question).is_some() || is_preferred(&outcome) {
        return outcome;
    }
    let (asked_in, deadline) = (turn.language, deadline(services, turn));
    for language in Language::all().filter(|language| *language != asked_in) {
        turn.language = language;
        let sought = Sought::Term(term);
        let again = ask_vocabulary(services, turn, vocabulary.as_ref(), term, &sought, deadline).await;
        if let Some(lookup) = again.ok().filter(|lookup| is_preferred(&lookup.outcome)) {
            return lookup.outcome;
        }
    }
    turn.language = asked_in;
    outcome
}

/// Two terms set against each other: both definitions, where the vocabulary has one of each.
pub(super) async fn compare(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &str,
    terms: &[String; 2],
) -> Step<()> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(()) };
    let mut meanings: Vec<Meaning> = Vec::new();
    for term in terms {
        let readings = term_readings(term, turn.language);
        let met = look_up(services, turn, vocabulary.as_ref(), &readings).await.ok().flatten();
        match met.map(|(reading, outcome)| found(reading, outcome, question)) {
            Some(Found::One(meaning)) => meanings.push(*meaning),
            Some(Found::Several { .. }) | None => return Step::Continue(()),
        }
    }
    match <[Meaning; 2]>::try_from(meanings) {
        Ok(both) => {
            turn.destination("skosmos");
            respond(compared(turn, both))
        }
        Err(_) => Step::Continue(()),
    }
}

/// The concept that the user picked.
pub(super) async fn chosen_concept(
    services: &Services,
    turn: &mut Turn<'_>,
    term: &str,
    uri: &str,
) -> Step<Option<String>> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(None) };
    turn.destination("skosmos");
    let started = turn.begin(Stage::Vocabulary);
    let sought = Sought::Uri(uri);
    let looked_up =
        ask_vocabulary(services, turn, vocabulary.as_ref(), term, &sought, deadline(services, turn)).await;
    match looked_up {
        Ok(lookup) => {
            turn.end(started, Outcome::Ok);
            match lookup.outcome {
                LookupOutcome::NotFound => respond(not_found(services, turn, term).await),
                outcome => respond(told(turn, found(term, outcome, term))),
            }
        }
        Err(problem) => {
            turn.end(started, Outcome::failed(problem.clone()));
            respond(not_verified(services, turn, term, &problem))
        }
    }
}

/// What the documents made of a term that the vocabulary does not hold: their answer, said to be theirs, or a refusal
/// with the nearest terms.
pub(super) async fn or_undefined(
    services: &Services,
    turn: &mut Turn<'_>,
    term: &str,
    mut response: AskResponse,
) -> AskResponse {
    if response.action == Action::Cite {
        let remark =
            Messages::of(turn.language).text(Message::TransparencyNotInVocabulary, &[("term", term)]);
        response.transparency = response.transparency.and(&remark);
        return response;
    }
    turn.destination("skosmos");
    AskResponse { nearest: response.nearest, ..not_found(services, turn, term).await }
}

async fn not_found(services: &Services, turn: &mut Turn<'_>, term: &str) -> AskResponse {
    let near = match &services.ports.vocabulary {
        Some(vocabulary) => vocabulary.nearest_labels(term, turn.language, numbers().refusal.ways_on).await,
        None => Vec::new(),
    };
    refuse_term(services, turn, RefusalReason::TerminologyNotFound, term, &near)
}

fn not_verified(
    services: &Services,
    turn: &mut Turn<'_>,
    term: &str,
    problem: &VocabularyError,
) -> AskResponse {
    let reason = match problem {
        VocabularyError::Timeout(_) => RefusalReason::TerminologyTimeout,
        VocabularyError::Unavailable(_) => RefusalReason::TerminologyError,
    };
    refuse_term(services, turn, reason, term, &[])
}

fn told(turn: &mut Turn<'_>, found: Found) -> AskResponse {
    match found {
        Found::One(meaning) => defined(turn, *meaning),
        Found::Several { term, concepts } => which_concept(turn, &term, &concepts),
    }
}

fn which_concept(turn: &mut Turn<'_>, term: &str, concepts: &[Concept]) -> AskResponse {
    let messages = Messages::of(turn.language);
    let mut response = from_vocabulary(turn, Action::Clarify);
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
        .map(|concept| definition_of(term, concept.clone(), turn.language))
        .zip(1..)
        .filter_map(|(definition, number)| citation_of(&definition, number))
        .collect();
    response.answer.clone_from(&question);
    response.clarification = Some(Clarification { question, options: options.collect() });
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
    response.source = AnswerSource::Vocabulary;
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
