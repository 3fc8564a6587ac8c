//! The vocabulary as a reader leafs through it: schemes, their top concepts, what is below, and a search over all labels.

use plumbline_core::domain::Language;

use super::EmbeddedVocabulary;
use crate::matching::{best_texts, fold_term, preferred_label};
use crate::skos::{Scheme, SkosConcept, texts_in};

/// A scheme in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowsedScheme {
    /// Its URI.
    pub uri: String,
    /// Its title, or its URI where it has none.
    pub title: String,
    /// The file that it comes from.
    pub file: String,
    /// Its version.
    pub version: Option<String>,
    /// How many concepts it has.
    pub concepts: usize,
}

/// A concept in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowsedConcept {
    /// Its URI.
    pub uri: String,
    /// Its preferred label.
    pub label: String,
    /// The label that a search met, where that is another.
    pub matched: Option<String>,
    /// Its vocabulary's title.
    pub vocabulary: String,
    /// The first line of its definition.
    pub definition: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// How many narrower concepts it has.
    pub narrower: usize,
}

impl EmbeddedVocabulary {
    /// The schemes, in order of authority.
    pub fn schemes(&self, language: Language) -> Vec<BrowsedScheme> {
        let browsed = |scheme: &Scheme| BrowsedScheme {
            uri: scheme.uri.clone(),
            title: preferred_label(&texts_in(&scheme.titles), &[], language)
                .map_or_else(|| scheme.uri.clone(), |title| title.text),
            file: self.files.get(scheme.file as usize).map_or_else(String::new, |(name, _)| name.clone()),
            version: scheme.version.clone(),
            concepts: self.concepts_of(&scheme.uri).count(),
        };
        self.data.schemes.iter().map(browsed).collect()
    }

    /// Concepts whose labels hold the text, best first: the label itself, then its beginning, then the beginning of one of
    /// its words, then anywhere.
    pub fn search(
        &self,
        text: &str,
        scheme: Option<&str>,
        language: Language,
        limit: usize,
    ) -> Vec<BrowsedConcept> {
        let wanted = fold_term(text);
        if wanted.is_empty() {
            return Vec::new();
        }
        let inside = |concept: &&SkosConcept| scheme.is_none_or(|uri| is_in(concept, uri));
        let mut found: Vec<(usize, BrowsedConcept)> = self
            .data
            .concepts
            .iter()
            .filter(inside)
            .filter_map(|concept| {
                let labels = concept.preferred.iter().chain(&concept.alternative);
                let met = labels.filter_map(|label| Some((rank(&label.text, &wanted)?, label)));
                let (rank, label) = met.min_by_key(|(rank, _)| *rank)?;
                let mut browsed = self.browsed(concept, language);
                browsed.matched = (label.text != browsed.label).then(|| label.text.clone());
                Some((rank, browsed))
            })
            .collect();
        found.sort_by_cached_key(|(rank, concept)| {
            (*rank, concept.deprecated, fold_term(&concept.label), concept.uri.clone())
        });
        found.into_iter().take(limit).map(|(_, concept)| concept).collect()
    }

    /// The concepts at the top of a scheme: those it names, else those with nothing above them.
    pub fn top_concepts(&self, scheme: &str, language: Language) -> Vec<BrowsedConcept> {
        let named = self.data.schemes.iter().find(|known| known.uri == scheme);
        let named = named.map(|scheme| scheme.top_concepts.as_slice()).unwrap_or_default();
        let tops: Vec<&SkosConcept> = if named.is_empty() {
            self.concepts_of(scheme).filter(|concept| concept.broader.is_empty()).collect()
        } else {
            named.iter().filter_map(|uri| self.concept_of(uri)).collect()
        };
        self.in_order(tops, language)
    }

    /// The concepts directly below one.
    pub fn narrower(&self, uri: &str, language: Language) -> Vec<BrowsedConcept> {
        let below = self.concept_of(uri).map(|concept| concept.narrower.as_slice()).unwrap_or_default();
        self.in_order(below.iter().filter_map(|uri| self.concept_of(uri)).collect(), language)
    }

    fn concepts_of<'a>(&'a self, scheme: &'a str) -> impl Iterator<Item = &'a SkosConcept> {
        self.data.concepts.iter().filter(move |concept| is_in(concept, scheme))
    }

    fn in_order(&self, concepts: Vec<&SkosConcept>, language: Language) -> Vec<BrowsedConcept> {
        let mut browsed: Vec<BrowsedConcept> =
            concepts.into_iter().map(|concept| self.browsed(concept, language)).collect();
        browsed.sort_by_cached_key(|concept| (fold_term(&concept.label), concept.uri.clone()));
        browsed
    }

    fn browsed(&self, concept: &SkosConcept, language: Language) -> BrowsedConcept {
        let label = preferred_label(&texts_in(&concept.preferred), &texts_in(&concept.alternative), language);
        let definition = best_texts(&texts_in(&concept.definitions), language).into_iter().next();
        let file = self.files.get(concept.file as usize).map_or("", |(name, _)| name.as_str());
        BrowsedConcept {
            uri: concept.uri.clone(),
            label: label.map_or_else(|| concept.uri.clone(), |label| label.text),
            matched: None,
            vocabulary: self.title_for(concept, language).unwrap_or_else(|| file.to_owned()),
            definition: definition.and_then(|text| text.text.lines().next().map(str::to_owned)),
            deprecated: concept.deprecated,
            narrower: concept.narrower.iter().filter(|uri| self.concept_of(uri).is_some()).count(),
        }
    }
}

fn is_in(concept: &SkosConcept, scheme: &str) -> bool {
    concept.schemes.iter().any(|uri| uri == scheme)
}

fn rank(label: &str, wanted: &str) -> Option<usize> {
    let label = fold_term(label);
    if label == *wanted {
        return Some(0);
    }
    let at = label.find(wanted)?;
    let begins_a_word = |at: usize| !label[..at].ends_with(char::is_alphanumeric);
    Some(match at {
        0 => 1,
        _ if label.match_indices(wanted).any(|(at, _)| begins_a_word(at)) => 2,
        _ => 3,
    })
}
