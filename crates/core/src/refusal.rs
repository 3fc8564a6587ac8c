//! The text of a refusal: fixed per reason and language, with what was searched and the number that failed.

use crate::domain::Language;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::response::RefusalReason;
use crate::text::is_invisible;

#[cfg(test)]
mod tests;

/// Which number fell short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The best passage's score.
    #[default]
    Similarity,
    /// The passages' mean score.
    Mean,
    /// The share of the question's words that the passages hold.
    Coverage,
    /// How likely the library holds an answer, 0 to 1.
    Answerability,
    /// Confidence after the fact, 0 to 100.
    Confidence,
}

/// What a refusal tells. What is absent is left out of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RefusalFacts {
    /// What was searched, such as the names of collections or of the vocabulary; "the library" or "the vocabulary"
    /// where empty.
    pub searched: Vec<String>,
    /// Which number fell short.
    pub measure: Measure,
    /// That number.
    pub value: Option<f64>,
    /// What it had to reach; for a timeout, the limit in milliseconds.
    pub threshold: Option<f64>,
    /// The term that was asked for.
    pub term: Option<String>,
    /// The record that was asked for, as written.
    pub reference: Option<String>,
    /// How many things were compared: labels, records, sentences or words, by the reason.
    pub count: Option<usize>,
}

/// The refusal in the user's language: what could not be done, the number behind it, and what can be done instead.
pub fn refusal_text(reason: RefusalReason, facts: &RefusalFacts, language: Language) -> String {
    let messages = Messages::of(language);
    let (statement, advice) = match reason {
        RefusalReason::NoResults => (Message::RefusalNoResults, Message::RefusalAdviceRephrase),
        RefusalReason::LowConfidence => (Message::RefusalLowConfidence, Message::RefusalAdviceDetails),
        RefusalReason::TerminologyNotFound => {
            (Message::RefusalTerminologyNotFound, Message::RefusalAdviceTerm)
        }
        RefusalReason::TerminologyTimeout => {
            (Message::RefusalTerminologyTimeout, Message::RefusalAdviceLater)
        }
        RefusalReason::TerminologyError => (Message::RefusalTerminologyError, Message::RefusalAdviceLater),
        RefusalReason::EntityNotFound => (Message::RefusalEntityNotFound, Message::RefusalAdviceReference),
        RefusalReason::Unsupported => (Message::RefusalUnsupported, Message::RefusalAdvicePassages),
        RefusalReason::OffTopic => (Message::RefusalOffTopic, Message::RefusalAdviceTopic),
    };
    let searched = if facts.searched.is_empty() {
        messages.text(place(reason), &[])
    } else {
        messages.all_of(&facts.searched.iter().map(|name| in_words(name, messages)).collect::<Vec<_>>())
    };
    let term = shown(facts.term.as_deref());
    let reference = shown(facts.reference.as_deref());
    let values =
        [("searched", searched.as_str()), ("term", term.as_str()), ("reference", reference.as_str())];
    let parts = [
        Some(messages.text(statement, &values)),
        number(reason, facts, messages),
        Some(messages.text(advice, &[])),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn place(reason: RefusalReason) -> Message {
    match reason {
        RefusalReason::TerminologyNotFound
        | RefusalReason::TerminologyTimeout
        | RefusalReason::TerminologyError => Message::SearchedVocabulary,
        RefusalReason::NoResults
        | RefusalReason::LowConfidence
        | RefusalReason::EntityNotFound
        | RefusalReason::Unsupported
        | RefusalReason::OffTopic => Message::SearchedLibrary,
    }
}

/// Our collections by what they hold, with or without the embedder's suffix; anything else by its own name.
fn in_words(name: &str, messages: &Messages) -> String {
    let message = match name.split('_').next().unwrap_or(name) {
        "ADR" => Message::SearchedAdr,
        "Principle" => Message::SearchedPrinciple,
        "Policy" => Message::SearchedPolicy,
        "Vocabulary" => Message::SearchedVocabulary,
        "Document" => Message::SearchedDocument,
        _ => return shown(Some(name)),
    };
    messages.text(message, &[])
}

fn number(reason: RefusalReason, facts: &RefusalFacts, messages: &Messages) -> Option<String> {
    let counted = |message| {
        let count = facts.count?;
        Some(messages.text(message, &[("n", &count.to_string())]))
    };
    match reason {
        RefusalReason::TerminologyNotFound => counted(Message::RefusalNumberLabels),
        RefusalReason::EntityNotFound => counted(Message::RefusalNumberRecords),
        RefusalReason::Unsupported => counted(Message::RefusalNumberSentences),
        RefusalReason::OffTopic => counted(Message::RefusalNumberWords),
        RefusalReason::TerminologyTimeout => {
            let limit = messages.number(finite(facts.threshold)?, 0);
            Some(messages.text(Message::RefusalNumberTime, &[("threshold", &limit)]))
        }
        RefusalReason::TerminologyError => None,
        RefusalReason::NoResults | RefusalReason::LowConfidence => {
            let (message, decimals) = match facts.measure {
                Measure::Similarity => (Message::RefusalNumberSimilarity, 2),
                Measure::Mean => (Message::RefusalNumberMean, 2),
                Measure::Coverage => (Message::RefusalNumberCoverage, 2),
                Measure::Answerability => (Message::RefusalNumberAnswerability, 2),
                Measure::Confidence => (Message::RefusalNumberConfidence, 0),
            };
            let value = messages.number(finite(facts.value)?, decimals);
            let threshold = messages.number(finite(facts.threshold)?, decimals);
            Some(messages.text(message, &[("value", &value), ("threshold", &threshold)]))
        }
    }
}

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// The user's words inside a sentence of ours: on one line, not endless, and with nothing that could pass for a
/// citation.
fn shown(text: Option<&str>) -> String {
    let clean: String = text
        .unwrap_or_default()
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| match c {
            '[' => '(',
            ']' => ')',
            other => other,
        })
        .collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match clean.char_indices().nth(numbers().refusal.shown_chars) {
        Some((cut, _)) => format!("{}…", clean[..cut].trim_end()),
        None => clean,
    }
}
