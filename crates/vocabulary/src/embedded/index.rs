use std::collections::HashMap;

use plumbline_core::domain::Language;
use plumbline_core::response::LabelMatch;

use crate::matching::{LabelHit, SuggestedLabel, fold_term, preferred_label};
use crate::skos::{SkosConcept, Text, texts_in};

/// Where labels and notations are, by their folded form.
#[derive(Debug, Default)]
pub(super) struct LabelIndex {
    by_label: HashMap<String, Vec<Place>>,
    /// By what stands before a qualifier in parentheses.
    by_qualified: HashMap<String, Vec<Place>>,
    longest: usize,
}

/// A label of a concept: the concept's place, the kind of label, and its place among those.
#[derive(Debug, Clone, Copy)]
struct Place {
    concept: u32,
    tier: LabelMatch,
    at: u32,
}

impl LabelIndex {
    pub(super) fn new(concepts: &[SkosConcept]) -> Self {
        let mut index = Self::default();
        for (concept, of) in concepts.iter().zip(0..) {
            for (tier, labels) in tiers(concept) {
                for (label, at) in labels.iter().zip(0..) {
                    index.add(&label.text, Place { concept: of, tier, at });
                }
            }
            for (notation, at) in concept.notations.iter().zip(0..) {
                index.add(notation, Place { concept: of, tier: LabelMatch::Notation, at });
            }
        }
        index
    }

    fn add(&mut self, label: &str, place: Place) {
        let folded = fold_term(label);
        if folded.is_empty() {
            return;
        }
        if place.tier != LabelMatch::Notation && folded.ends_with(')') {
            for (at, _) in folded.match_indices(" (") {
                let (term, _) = folded.split_at(at);
                self.by_qualified.entry(term.to_owned()).or_default().push(place);
            }
        }
        self.longest = self.longest.max(folded.len());
        self.by_label.entry(folded).or_default().push(place);
    }

    /// The length in bytes of the longest folded label.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The labels that fold to this.
    pub(super) fn hits(
        &self,
        folded: &str,
        concepts: &[SkosConcept],
        files: &[(String, usize)],
    ) -> Vec<LabelHit> {
        Self::resolve(self.by_label.get(folded), concepts, files)
    }

    /// The labels that fold to this and a qualifier.
    pub(super) fn qualified_hits(
        &self,
        folded: &str,
        concepts: &[SkosConcept],
        files: &[(String, usize)],
    ) -> Vec<LabelHit> {
        Self::resolve(self.by_qualified.get(folded), concepts, files)
    }

    fn resolve(
        places: Option<&Vec<Place>>,
        concepts: &[SkosConcept],
        files: &[(String, usize)],
    ) -> Vec<LabelHit> {
        places.into_iter().flatten().filter_map(|place| hit(*place, concepts, files)).collect()
    }
}

fn hit(place: Place, concepts: &[SkosConcept], files: &[(String, usize)]) -> Option<LabelHit> {
    let concept = concepts.get(place.concept as usize)?;
    let at = place.at as usize;
    let (label, language) = if place.tier == LabelMatch::Notation {
        (concept.notations.get(at)?.clone(), None)
    } else {
        let (_, labels) = tiers(concept).into_iter().find(|(tier, _)| *tier == place.tier)?;
        let label = labels.get(at)?;
        (label.text.clone(), label.language.clone())
    };
    Some(LabelHit {
        uri: concept.uri.clone(),
        vocabulary: files.get(concept.file as usize).map_or(usize::MAX, |(_, rank)| *rank),
        label,
        language,
        tier: place.tier,
        deprecated: concept.deprecated,
    })
}

fn tiers(concept: &SkosConcept) -> [(LabelMatch, &[Text]); 3] {
    [
        (LabelMatch::Preferred, &concept.preferred),
        (LabelMatch::Alternative, &concept.alternative),
        (LabelMatch::Hidden, &concept.hidden),
    ]
}

/// What may be suggested for a term that is not found. A hidden label or a notation leads to the preferred label, in the
/// hidden label's language where there is one.
pub(super) fn suggested(concepts: &[SkosConcept]) -> impl Iterator<Item = SuggestedLabel> {
    concepts.iter().flat_map(|concept| {
        let own = concept.preferred.iter().chain(&concept.alternative).map(|label| SuggestedLabel {
            key: label.text.clone(),
            shown: label.text.clone(),
            language: label.language.clone(),
        });
        let (preferred, alternative) = (texts_in(&concept.preferred), texts_in(&concept.alternative));
        let hidden = concept.hidden.iter().map(|label| (label.text.as_str(), label.language.as_deref()));
        let notations = concept.notations.iter().map(|notation| (notation.as_str(), None));
        let leading = hidden.chain(notations).filter_map(move |(key, tag)| {
            let language = tag.and_then(Language::from_code).unwrap_or_default();
            let shown = preferred_label(&preferred, &alternative, language)?;
            Some(SuggestedLabel { key: key.to_owned(), shown: shown.text, language: shown.language })
        });
        own.chain(leading.collect::<Vec<_>>())
    })
}
