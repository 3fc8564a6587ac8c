use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, LookupOutcome};
use tokio::time::Instant;

use crate::matching::{LabelHit, SuggestedLabel, decide, decide_qualified};

/// What a server says to a term or a URI.
#[derive(Debug)]
pub(super) struct Answer {
    /// The concepts that answer, each with the label that met the term.
    pub(super) found: Vec<(LabelHit, Concept)>,
    /// Whether the labels are the term and a qualifier.
    pub(super) qualified: bool,
    /// When the look-up began.
    pub(super) asked_at: Instant,
    /// Labels that came by while nothing was found.
    near: Mutex<Vec<SuggestedLabel>>,
}

impl Answer {
    /// An answer to a look-up that began at this moment.
    pub(super) fn new(found: Vec<(LabelHit, Concept)>, qualified: bool, asked_at: Instant) -> Self {
        Self { found, qualified, asked_at, near: Mutex::default() }
    }

    /// Adds labels to suggest.
    pub(super) fn suggest(&self, labels: impl IntoIterator<Item = SuggestedLabel>) {
        self.near.lock().unwrap_or_else(PoisonError::into_inner).extend(labels);
    }

    /// The labels to suggest.
    pub(super) fn suggested(&self) -> Vec<SuggestedLabel> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The answer to this spelling of the term: one answer serves several, and the exact one comes first.
    pub(super) fn to_term(&self, term: &str, language: Language) -> LookupOutcome {
        let hits = self.found.iter().map(|(hit, _)| hit.clone());
        let decision = if self.qualified {
            decide_qualified(term, language, hits)
        } else {
            decide(term, language, hits)
        };
        let hits = decision.into_hits();
        let concept =
            |hit: &LabelHit| self.found.iter().find(|(found, _)| found == hit).map(|(_, concept)| concept);
        outcome(hits.iter().filter_map(concept).cloned().collect())
    }

    /// The answer to a URI.
    pub(super) fn to_uri(&self) -> LookupOutcome {
        outcome(self.found.iter().map(|(_, concept)| concept.clone()).collect())
    }

    /// Every label that may be shown: of the concepts, of what they are linked to, and those that came by.
    pub(super) fn labels(&self) -> Vec<SuggestedLabel> {
        let mut labels = self.suggested();
        for (hit, concept) in &self.found {
            let links = [&concept.broader, &concept.narrower, &concept.related].into_iter().flatten();
            let own = names(concept).chain(links.map(|link| &link.label));
            labels.extend(own.map(|label| SuggestedLabel {
                key: label.clone(),
                shown: label.clone(),
                language: hit.language.clone(),
            }));
        }
        labels
    }
}

/// The labels of a concept that are shown.
pub(super) fn names(concept: &Concept) -> impl Iterator<Item = &String> {
    std::iter::once(&concept.preferred_label).chain(&concept.alternative_labels)
}

/// Whether the words of a folded label stand in a folded text.
pub(super) fn stands_in(text: &str, label: &str) -> bool {
    let apart = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    !label.is_empty()
        && text.match_indices(label).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + label.len()..));
            apart(before.and_then(|text| text.chars().next_back()))
                && apart(after.and_then(|text| text.chars().next()))
        })
}

fn outcome(mut concepts: Vec<Concept>) -> LookupOutcome {
    let mut seen = HashSet::new();
    concepts.retain(|concept| seen.insert(concept.uri.clone()));
    match concepts.len() {
        0 => LookupOutcome::NotFound,
        1 => LookupOutcome::Found(Box::new(concepts.remove(0))),
        _ => LookupOutcome::Ambiguous(concepts),
    }
}
