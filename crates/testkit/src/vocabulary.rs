//! A vocabulary of record in memory.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, Holdings, Lookup, LookupOutcome, TextIn, Vocabulary, VocabularyError};
use plumbline_core::response::LabelMatch;

use crate::faults::Faults;

/// A concept with a preferred label and, where given, an English definition. Change its fields for anything else:
/// `Concept { deprecated: true, ..concept("Data lake", None) }`.
pub fn concept(label: &str, definition: Option<&str>) -> Concept {
    let slug = slug(label);
    Concept {
        uri: format!("https://vocabulary.example.org/{slug}"),
        concept_id: format!("vocab-{slug}"),
        preferred_label: label.to_owned(),
        alternative_labels: Vec::new(),
        definitions: definition
            .map(|text| TextIn { text: text.to_owned(), language: Some("en".to_owned()) })
            .into_iter()
            .collect(),
        notes: Vec::new(),
        broader: Vec::new(),
        narrower: Vec::new(),
        related: Vec::new(),
        deprecated: false,
        replaced_by: Vec::new(),
        vocabulary: "Test vocabulary".to_owned(),
        matched: LabelMatch::Preferred,
        source: "vocabulary.ttl".to_owned(),
        fetched_at: "2026-03-01T00:00:00Z".to_owned(),
    }
}

fn slug(label: &str) -> String {
    let words: Vec<String> = label
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("-")
}

/// Terms and their concepts. Several concepts under one preferred label are ambiguous.
///
/// `faults.fail(true)` makes look-ups end in an error, `faults.delay(…)` and `faults.hang(true)` make them slow, and
/// [`FakeVocabulary::time_out`] makes them end in a timeout at once.
#[derive(Debug)]
pub struct FakeVocabulary {
    /// What goes wrong, and how many look-ups there were, those by URI included.
    pub faults: Faults,
    concepts: Vec<Concept>,
    hidden: BTreeMap<String, String>,
    expansions: Vec<(String, Vec<String>)>,
    backend: &'static str,
    caching: bool,
    timing_out: AtomicBool,
    seen: Mutex<HashSet<String>>,
}

impl FakeVocabulary {
    /// An embedded vocabulary without a concept.
    pub fn new() -> Self {
        Self {
            faults: Faults::default(),
            concepts: Vec::new(),
            hidden: BTreeMap::new(),
            expansions: Vec::new(),
            backend: "embedded",
            caching: false,
            timing_out: AtomicBool::new(false),
            seen: Mutex::default(),
        }
    }

    /// A term with its definition.
    pub fn define(self, label: &str, definition: &str) -> Self {
        self.with(concept(label, Some(definition)))
    }

    /// A concept. One whose URI is taken gets a number behind it, so that homonyms are a line each.
    pub fn with(mut self, mut concept: Concept) -> Self {
        let same =
            self.concepts.iter().filter(|known| known.preferred_label == concept.preferred_label).count();
        if self.concepts.iter().any(|known| known.uri == concept.uri) {
            concept.uri = format!("{}-{}", concept.uri, same + 1);
            concept.concept_id = format!("{}-{}", concept.concept_id, same + 1);
        }
        self.concepts.push(concept);
        self
    }

    /// A hidden label, such as a common misspelling, of the concept with this preferred label.
    pub fn hidden(mut self, hidden: &str, preferred: &str) -> Self {
        self.hidden.insert(folded(hidden), folded(preferred));
        self
    }

    /// Other labels for what a text names, besides those of its concepts.
    pub fn expand(mut self, named: &str, others: &[&str]) -> Self {
        self.expansions.push((folded(named), others.iter().map(|other| (*other).to_owned()).collect()));
        self
    }

    /// The label of its counters: `skosmos` or `embedded`. What SKOSMOS gives is said to come from there.
    pub fn backed_by(mut self, backend: &'static str) -> Self {
        self.backend = backend;
        if backend == "skosmos" {
            for concept in &mut self.concepts {
                concept.source = "SKOSMOS".to_owned();
            }
        }
        self
    }

    /// From the second look-up of a term on, it comes from the cache.
    pub fn caching(mut self) -> Self {
        self.caching = true;
        self
    }

    /// Look-ups end in a timeout while this is on.
    pub fn time_out(&self, on: bool) {
        self.timing_out.store(on, Ordering::SeqCst);
    }

    /// How many look-ups there were.
    pub fn calls(&self) -> usize {
        self.faults.calls()
    }

    /// Whether the key was looked up before, where that is remembered.
    async fn ask(&self, key: String) -> Result<bool, VocabularyError> {
        let failed = self.faults.meet().await;
        if self.timing_out.load(Ordering::SeqCst) {
            return Err(VocabularyError::Timeout(300));
        }
        if failed {
            return Err(VocabularyError::Unavailable("switched off by the test".into()));
        }
        Ok(!self.seen.lock().unwrap().insert(key) && self.caching)
    }

    fn matches(&self, concept: &Concept, term: &str) -> Option<LabelMatch> {
        let preferred = folded(&concept.preferred_label);
        if preferred == term {
            Some(LabelMatch::Preferred)
        } else if concept.alternative_labels.iter().any(|label| folded(label) == term) {
            Some(LabelMatch::Alternative)
        } else if self.hidden.get(term) == Some(&preferred) {
            Some(LabelMatch::Hidden)
        } else {
            None
        }
    }

    fn labels(concept: &Concept) -> impl Iterator<Item = &String> {
        std::iter::once(&concept.preferred_label).chain(&concept.alternative_labels)
    }
}

impl Default for FakeVocabulary {
    fn default() -> Self {
        Self::new()
    }
}

fn folded(label: &str) -> String {
    let lower = label.to_lowercase().replace(['‘', '’', 'ʼ'], "'");
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the words of `label` stand in `text`, both folded.
fn names(text: &str, label: &str) -> bool {
    text.match_indices(label).any(|(at, _)| {
        let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        whole(text[..at].chars().next_back()) && whole(text[at + label.len()..].chars().next())
    })
}

#[async_trait]
impl Vocabulary for FakeVocabulary {
    async fn lookup(&self, term: &str, language: Language) -> Result<Lookup, VocabularyError> {
        let term = folded(term);
        let cached = self.ask(format!("{term}@{}", language.code())).await?;
        let found: Vec<Concept> = self
            .concepts
            .iter()
            .filter_map(|concept| Some(Concept { matched: self.matches(concept, &term)?, ..concept.clone() }))
            .collect();
        // A preferred label outranks an alternative one.
        let best = found.iter().map(|concept| concept.matched).min();
        let mut found: Vec<Concept> =
            found.into_iter().filter(|concept| Some(concept.matched) == best).collect();
        let outcome = match found.len() {
            0 => LookupOutcome::NotFound,
            1 => LookupOutcome::Found(Box::new(found.remove(0))),
            _ => LookupOutcome::Ambiguous(found),
        };
        Ok(Lookup { outcome, cached })
    }

    async fn concept(&self, uri: &str, language: Language) -> Result<Lookup, VocabularyError> {
        let cached = self.ask(format!("<{uri}>@{}", language.code())).await?;
        let found = self.concepts.iter().find(|concept| concept.uri == uri);
        let outcome =
            found.map_or(LookupOutcome::NotFound, |concept| LookupOutcome::Found(Box::new(concept.clone())));
        Ok(Lookup { outcome, cached })
    }

    async fn nearest_labels(&self, term: &str, _language: Language, limit: usize) -> Vec<String> {
        let term = folded(term);
        let mut labels: Vec<&String> =
            self.concepts.iter().flat_map(Self::labels).collect::<BTreeSet<_>>().into_iter().collect();
        labels.sort_by_key(|label| strsim::damerau_levenshtein(&folded(label), &term));
        labels.into_iter().take(limit).cloned().collect()
    }

    fn concepts_about(&self, topic: &str, _language: Language, limit: usize) -> Vec<Concept> {
        let named = self.concepts.iter().filter(|concept| folded(&concept.preferred_label) == folded(topic));
        let below: Vec<&String> = named.flat_map(|concept| &concept.narrower).map(|link| &link.uri).collect();
        let about = self.concepts.iter().filter(|concept| below.contains(&&concept.uri));
        about.take(limit).cloned().collect()
    }

    async fn expansions(&self, text: &str, _language: Language) -> Vec<String> {
        let text = folded(text);
        let mut others: Vec<String> = Vec::new();
        for concept in &self.concepts {
            if Self::labels(concept).any(|label| names(&text, &folded(label))) {
                others.extend(Self::labels(concept).cloned());
            }
        }
        for (named, more) in &self.expansions {
            if names(&text, named) {
                others.extend(more.iter().cloned());
            }
        }
        others.retain(|label| !names(&text, &folded(label)));
        others.sort();
        others.dedup();
        others
    }

    fn holdings(&self, _language: Language) -> Holdings {
        let schemes: BTreeSet<String> =
            self.concepts.iter().map(|concept| concept.vocabulary.clone()).collect();
        Holdings { schemes: schemes.into_iter().collect(), concepts: Some(self.concepts.len()) }
    }

    fn backend(&self) -> &'static str {
        self.backend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn look_ups_find_one_several_or_nothing() {
        let vocabulary = FakeVocabulary::new()
            .define("CIMXML", "A serialisation of CIM.")
            .define("Zone", "An area of a network.")
            .define("Zone", "A part of a screen.")
            .with(Concept {
                alternative_labels: vec!["TSO".to_owned()],
                ..concept("Transmission operator", None)
            })
            .hidden("cim xml", "CIMXML")
            .caching();
        let language = Language::EN;
        let found = async |term| vocabulary.lookup(term, language).await.unwrap();
        let LookupOutcome::Found(concept) = found(" cim  XML").await.outcome else {
            panic!("a hidden label is a hit")
        };
        assert_eq!((concept.concept_id.as_str(), concept.matched), ("vocab-cimxml", LabelMatch::Hidden));
        let LookupOutcome::Ambiguous(zones) = found("zone").await.outcome else { panic!("two zones") };
        assert_ne!(zones[0].uri, zones[1].uri);
        assert_eq!(found("nothing").await.outcome, LookupOutcome::NotFound);
        assert!(found("Zone").await.cached, "the second look-up of a term");
        assert_eq!(vocabulary.nearest_labels("zome", language, 1).await, ["Zone"]);
        assert_eq!(vocabulary.expansions("What does a TSO do?", language).await, ["Transmission operator"]);

        vocabulary.time_out(true);
        assert_eq!(vocabulary.lookup("zone", language).await, Err(VocabularyError::Timeout(300)));
    }
}
