use std::collections::HashSet;

use plumbline_core::domain::Language;
use plumbline_core::response::LabelMatch;

use super::EmbeddedVocabulary;
use crate::matching::{Decision, LanguageRank, decide, fold_term, language_rank, preferred_label};
use crate::skos::{Text, texts_in};

/// So many labels are added to a question at most.
const MAX_EXPANSIONS: usize = 12;
/// So much of a text is searched for labels.
const MAX_TEXT_CHARS: usize = 2_000;
/// A shorter label names too many things by accident.
const SHORTEST_LABEL: usize = 2;

/// Other labels of the concepts that the text names, those in its own language first. The longest label wins where
/// several begin; where one names several concepts, only their preferred labels come.
pub(super) fn expansions(vocabulary: &EmbeddedVocabulary, text: &str, language: Language) -> Vec<String> {
    let (found, mut named) = concepts_in(vocabulary, text, language);
    let mut others: Vec<(LanguageRank, String)> = Vec::new();
    for (ambiguous, uri) in found {
        let Some(concept) = vocabulary.concept_of(&uri) else { continue };
        let alternative: &[Text] = if ambiguous { &[] } else { &concept.alternative };
        for label in concept.preferred.iter().chain(alternative) {
            let rank = language_rank(label.language.as_deref(), language);
            if rank < LanguageRank::Other && named.insert(fold_term(&label.text)) {
                others.push((rank.min(LanguageRank::Spoken), label.text.clone()));
            }
        }
    }
    others.sort_by_key(|(rank, _)| *rank);
    others.truncate(MAX_EXPANSIONS);
    others.into_iter().map(|(_, label)| label).collect()
}

/// The preferred labels of the concepts that the text names, in its order, each once. A label of several concepts names none.
pub(super) fn named_in(vocabulary: &EmbeddedVocabulary, text: &str, language: Language) -> Vec<String> {
    let (found, _) = concepts_in(vocabulary, text, language);
    let mut labels: Vec<String> = Vec::new();
    for (_, uri) in found.into_iter().filter(|(ambiguous, _)| !ambiguous) {
        let Some(concept) = vocabulary.concept_of(&uri) else { continue };
        let label = preferred_label(&texts_in(&concept.preferred), &[], language);
        labels.extend(label.map(|label| label.text).filter(|text| !labels.contains(text)));
    }
    labels
}

/// The concepts that a text names, each with whether its label names others too, and the labels as they stand there, folded.
fn concepts_in(
    vocabulary: &EmbeddedVocabulary,
    text: &str,
    language: Language,
) -> (Vec<(bool, String)>, HashSet<String>) {
    let labels = &vocabulary.labels;
    let text: String = fold_term(text).chars().take(MAX_TEXT_CHARS).collect();
    let bounds = word_bounds(&text);
    let mut found: Vec<(bool, String)> = Vec::new();
    let mut named: HashSet<String> = HashSet::new();
    let mut from = 0;
    while let Some(start) = bounds.get(from) {
        let ends = bounds.iter().enumerate().skip(from + 1);
        let near = ends.take_while(|(_, end)| **end - start <= labels.longest()).collect::<Vec<_>>();
        let hit = near.into_iter().rev().find_map(|(to, end)| {
            let words = text.get(*start..*end).filter(|words| is_name(words))?;
            let hits = labels.hits(words, &vocabulary.data.concepts, &vocabulary.files).into_iter();
            let decision = decide(words, language, hits.filter(|hit| hit.tier != LabelMatch::Notation));
            (decision != Decision::NotFound).then_some((to, words, decision))
        });
        let Some((to, words, decision)) = hit else {
            from += 1;
            continue;
        };
        named.insert(words.to_owned());
        let ambiguous = matches!(decision, Decision::Ambiguous(_));
        found.extend(decision.into_hits().into_iter().map(|hit| (ambiguous, hit.uri)));
        from = to;
    }
    (found, named)
}

fn is_name(words: &str) -> bool {
    words.chars().count() >= SHORTEST_LABEL && !words.starts_with(' ') && !words.ends_with(' ')
}

/// The places in a text that are not inside a word.
fn word_bounds(text: &str) -> Vec<usize> {
    let mut bounds = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let letter = c.is_alphanumeric();
        if !(inside && letter) {
            bounds.push(at);
        }
        inside = letter;
    }
    bounds.push(text.len());
    bounds
}
