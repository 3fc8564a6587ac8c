//! The terms of a topic that the vocabulary of record defines.

use crate::engine::definition::{citation_of, definition_of};
use crate::engine::lookup::look_up;
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::intent::term_readings;
use crate::numbers::numbers;
use crate::ports::{Concept, LookupOutcome};
use crate::response::Citation;
use crate::text::words;

/// Terms with their definitions, and why some could not be looked up.
#[derive(Default)]
pub(super) struct Terms {
    /// Label, definition and where it stands.
    pub known: Vec<(String, String, Citation)>,
    pub problem: Option<String>,
}

/// The terms of a topic, the longest that the vocabulary knows.
pub(super) async fn terms(services: &Services, turn: &Turn<'_>, topic: &str) -> Terms {
    let mut terms = Terms::default();
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return terms };
    let words: Vec<String> = words(topic).into_iter().map(|word| word.folded).collect();
    let pack = turn.language.pack();
    let mut at = 0;
    while at < words.len() {
        let mut taken = 0;
        for length in (1..=numbers().draft.term_words.min(words.len() - at)).rev() {
            let term = &words[at..at + length];
            let says_something = |word: &String| pack.words.is_content(word);
            if !term.first().is_some_and(says_something) || !term.last().is_some_and(says_something) {
                continue;
            }
            let readings = term_readings(&term.join(" "), turn.language);
            match look_up(services, turn, vocabulary.as_ref(), &readings).await {
                Ok(Some((reading, outcome))) => {
                    add(&mut terms, turn, reading, outcome);
                    taken = length;
                    break;
                }
                Ok(None) => {}
                Err(problem) => {
                    terms.problem = Some(problem.detail().text(turn.language));
                    return terms;
                }
            }
        }
        at += taken.max(1);
    }
    terms
}

fn add(terms: &mut Terms, turn: &Turn<'_>, reading: &str, outcome: LookupOutcome) {
    let concepts: Vec<Concept> = match outcome {
        LookupOutcome::Found(concept) => vec![*concept],
        LookupOutcome::Ambiguous(several) => several,
        LookupOutcome::NotFound => Vec::new(),
    };
    for concept in concepts {
        let definition = definition_of(reading, concept, turn.language);
        let Some(text) = definition.definitions.first() else { continue };
        if let Some(citation) = citation_of(&definition, 0) {
            let is_known = terms.known.iter().any(|(_, _, known)| known.source_id == citation.source_id);
            if !is_known {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                terms.known.push((definition.preferred_label.clone(), text, citation));
            }
        }
    }
}
