//! Which concept a term means, where several bear its name.

use std::collections::HashSet;

use super::definition::Meaning;
use crate::ports::{Concept, LookupOutcome};
use crate::text::words;

/// What the vocabulary holds under a term.
pub(super) enum Found {
    /// One meaning.
    One(Box<Meaning>),
    /// Several that say different things.
    Several { term: String, concepts: Vec<Concept> },
}

/// What a look-up found, for a question that may name the scheme it means. Schemes that say the same are one meaning.
pub(super) fn found(term: &str, outcome: LookupOutcome, question: &str) -> Found {
    let concepts = match outcome {
        LookupOutcome::Found(concept) => return one(term, *concept, Vec::new()),
        LookupOutcome::Ambiguous(concepts) => in_named_scheme(term, concepts, question),
        LookupOutcome::NotFound => Vec::new(),
    };
    let same = |first: &Concept| {
        !first.definitions.is_empty()
            && concepts.iter().all(|concept| concept.definitions == first.definitions)
    };
    match concepts.first() {
        Some(first) if concepts.len() == 1 || same(first) => {
            let mut schemes: Vec<String> = Vec::new();
            for concept in &concepts {
                if !schemes.contains(&concept.vocabulary) {
                    schemes.push(concept.vocabulary.clone());
                }
            }
            one(term, first.clone(), if schemes.len() > 1 { schemes } else { Vec::new() })
        }
        _ => Found::Several { term: term.to_owned(), concepts },
    }
}

fn one(term: &str, concept: Concept, schemes: Vec<String>) -> Found {
    Found::One(Box::new(Meaning { term: term.to_owned(), concept, schemes }))
}

/// The concepts of the scheme that the question names beside the term; all of them where it names none.
fn in_named_scheme(term: &str, concepts: Vec<Concept>, question: &str) -> Vec<Concept> {
    let folded = |text: &str| words(text).into_iter().map(|word| word.folded).collect::<HashSet<String>>();
    let own = folded(term);
    let beside: HashSet<String> = folded(question).difference(&own).cloned().collect();
    let named = |concept: &&Concept| {
        let title: HashSet<String> = folded(&concept.vocabulary).difference(&own).cloned().collect();
        !title.is_empty() && title.is_subset(&beside)
    };
    let narrowed: Vec<Concept> = concepts.iter().filter(named).cloned().collect();
    if narrowed.is_empty() { concepts } else { narrowed }
}
