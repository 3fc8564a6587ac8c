//! The vocabulary of record from files: an index in memory, so that a fresh machine needs no server.

mod browse;
mod expansions;
mod index;
mod store;

use std::collections::HashMap;
use std::path::Path;

use async_trait::async_trait;
use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, Holdings, Lookup, LookupOutcome, Vocabulary, VocabularyError};
use plumbline_core::response::{ConceptLink, LabelMatch};
use plumbline_core::text::{WordList, stem, words};
use plumbline_telemetry::Clock;
use tracing::info;

use crate::matching::{
    Decision, LabelHit, NearestLabels, alternative_labels, best_notes, best_texts, concept_id, decide,
    decide_qualified, fold_term, normalise_term, preferred_label,
};
use crate::rdf::Defect;
use crate::skos::{Scheme, SkosConcept, SkosData, texts_in};
use crate::source::{Assembled, VocabularyFile, assemble, read_files};
use index::LabelIndex;

pub use browse::{BrowsedConcept, BrowsedScheme};

/// So many letters of a word tell it inside a longer one.
const SHORTEST_IN_COMPOUND: usize = 5;

/// SKOS vocabularies held in memory.
#[derive(Debug)]
pub struct EmbeddedVocabulary {
    data: SkosData,
    /// By the place of the file: its name, and its vocabulary's place in the order of authority.
    files: Vec<(String, usize)>,
    by_uri: HashMap<String, u32>,
    labels: LabelIndex,
    nearest: NearestLabels,
    loaded_at: String,
}

impl EmbeddedVocabulary {
    /// Reads the files; what could not be read comes back as defects, and everything else can be looked up.
    pub fn load(sources: &[VocabularyFile], clock: &dyn Clock) -> (Self, Vec<Defect>) {
        let (contents, mut defects) = read_files(sources);
        let mut assembled = assemble(sources, &contents);
        defects.append(&mut assembled.defects);
        (Self::new(assembled.data, sources, clock), defects)
    }

    /// As [`EmbeddedVocabulary::load`], from what an earlier start kept in `cache` when no file has changed since. A
    /// cache that is missing, old or damaged is written anew; one that cannot be written is done without.
    pub fn load_cached(sources: &[VocabularyFile], cache: &Path, clock: &dyn Clock) -> (Self, Vec<Defect>) {
        let (contents, mut defects) = read_files(sources);
        let key = store::key_of(sources, &contents);
        let kept = store::read(cache, &key);
        info!(target: "skosmos", event = "vocabulary_loaded", cached = kept.is_some(), files = sources.len());
        let kept = kept.unwrap_or_else(|| {
            let Assembled { data, defects, .. } = assemble(sources, &contents);
            let kept = store::Kept { data, defects };
            store::write(cache, &key, &kept);
            kept
        });
        defects.extend(kept.defects);
        (Self::new(kept.data, sources, clock), defects)
    }

    fn new(data: SkosData, sources: &[VocabularyFile], clock: &dyn Clock) -> Self {
        let mut vocabularies: Vec<&str> = Vec::new();
        let mut files = Vec::new();
        for source in sources {
            let known = vocabularies.iter().position(|name| *name == source.vocabulary);
            let rank = known.unwrap_or(vocabularies.len());
            if known.is_none() {
                vocabularies.push(&source.vocabulary);
            }
            files.push((source.name(), rank));
        }
        let by_uri = data.concepts.iter().zip(0..).map(|(concept, at)| (concept.uri.clone(), at)).collect();
        Self {
            by_uri,
            labels: LabelIndex::new(&data.concepts),
            nearest: NearestLabels::new(index::suggested(&data.concepts)),
            data,
            files,
            loaded_at: clock.now().to_string(),
        }
    }

    /// What the files say.
    pub fn data(&self) -> &SkosData {
        &self.data
    }

    /// Looks a term up.
    pub fn look_up(&self, term: &str, language: Language) -> LookupOutcome {
        let Some(term) = normalise_term(term) else { return LookupOutcome::NotFound };
        let folded = fold_term(&term);
        let mut decision =
            decide(&term, language, self.labels.hits(&folded, &self.data.concepts, &self.files));
        if decision == Decision::NotFound {
            let qualified = self.labels.qualified_hits(&folded, &self.data.concepts, &self.files);
            decision = decide_qualified(&term, language, qualified);
        }
        let shown = |hit: &LabelHit| Some(self.show(self.concept_of(&hit.uri)?, hit.tier, language));
        match decision {
            Decision::NotFound => LookupOutcome::NotFound,
            Decision::Found(hit) => {
                shown(&hit).map_or(LookupOutcome::NotFound, |concept| LookupOutcome::Found(Box::new(concept)))
            }
            Decision::Ambiguous(hits) => LookupOutcome::Ambiguous(hits.iter().filter_map(shown).collect()),
        }
    }

    /// The preferred labels of the concepts that a text names, in its order.
    pub fn named_in(&self, text: &str, language: Language) -> Vec<String> {
        expansions::named_in(self, text, language)
    }

    /// A concept by its URI.
    pub fn by_uri(&self, uri: &str, language: Language) -> LookupOutcome {
        self.concept_of(uri).map_or(LookupOutcome::NotFound, |concept| {
            LookupOutcome::Found(Box::new(self.show(concept, LabelMatch::Preferred, language)))
        })
    }

    fn concept_of(&self, uri: &str) -> Option<&SkosConcept> {
        self.by_uri.get(uri).and_then(|at| self.data.concepts.get(*at as usize))
    }

    fn show(&self, concept: &SkosConcept, matched: LabelMatch, language: Language) -> Concept {
        let alternative = texts_in(&concept.alternative);
        let label = preferred_label(&texts_in(&concept.preferred), &alternative, language);
        let file = self.files.get(concept.file as usize).map_or("", |(name, _)| name.as_str());
        Concept {
            uri: concept.uri.clone(),
            concept_id: concept_id(&concept.uri),
            alternative_labels: alternative_labels(&alternative, label.as_ref(), language),
            preferred_label: label.map_or_else(|| concept.uri.clone(), |label| label.text),
            definitions: best_texts(&texts_in(&concept.definitions), language),
            notes: best_notes(&concept.notes, language),
            broader: self.links(&concept.broader, language),
            narrower: self.links(&concept.narrower, language),
            related: self.links(&concept.related, language),
            deprecated: concept.deprecated,
            replaced_by: self.links(&concept.replaced_by, language),
            vocabulary: self.title_for(concept, language).unwrap_or_else(|| file.to_owned()),
            matched,
            source: file.to_owned(),
            fetched_at: self.loaded_at.clone(),
        }
    }

    /// Links with the labels of what they lead to, by label; one that leads out of the files shows its URI.
    fn links(&self, uris: &[String], language: Language) -> Vec<ConceptLink> {
        let label_of = |uri: &String| {
            let concept = self.concept_of(uri)?;
            preferred_label(&texts_in(&concept.preferred), &texts_in(&concept.alternative), language)
        };
        let link = |uri: &String| {
            let label = label_of(uri).map_or_else(|| uri.clone(), |label| label.text);
            ConceptLink { label, uri: uri.clone() }
        };
        let mut links: Vec<ConceptLink> = uris.iter().map(link).collect();
        links.sort_by_cached_key(|link| (fold_term(&link.label), link.uri.clone()));
        links
    }

    /// The title of the concept's scheme, or of the only scheme of its file where it names none that is known.
    fn title_for(&self, concept: &SkosConcept, language: Language) -> Option<String> {
        let title = |scheme: &Scheme| Some(preferred_label(&texts_in(&scheme.titles), &[], language)?.text);
        let named = concept.schemes.iter().find_map(|uri| {
            let scheme = self.data.schemes.iter().find(|scheme| scheme.uri == *uri);
            scheme.and_then(title)
        });
        named.or_else(|| {
            let mut of_file = self.data.schemes.iter().filter(|scheme| scheme.file == concept.file);
            match (of_file.next(), of_file.next()) {
                (Some(only), None) => title(only),
                _ => None,
            }
        })
    }
}

#[async_trait]
impl Vocabulary for EmbeddedVocabulary {
    async fn lookup(&self, term: &str, language: Language) -> Result<Lookup, VocabularyError> {
        Ok(Lookup { outcome: self.look_up(term, language), cached: false })
    }

    async fn concept(&self, uri: &str, language: Language) -> Result<Lookup, VocabularyError> {
        Ok(Lookup { outcome: self.by_uri(uri, language), cached: false })
    }

    async fn nearest_labels(&self, term: &str, language: Language, limit: usize) -> Vec<String> {
        self.nearest.nearest(term, language, limit)
    }

    async fn expansions(&self, text: &str, language: Language) -> Vec<String> {
        expansions::expansions(self, text, language)
    }

    fn concepts_about(&self, topic: &str, language: Language, limit: usize) -> Vec<Concept> {
        let narrower = match self.look_up(topic, language) {
            LookupOutcome::Found(concept) => concept.narrower,
            LookupOutcome::Ambiguous(_) | LookupOutcome::NotFound => Vec::new(),
        };
        let is_about = |concept: &&SkosConcept| {
            let mut labels = concept.preferred.iter().chain(&concept.alternative);
            let is_narrower = || narrower.iter().any(|link| link.uri == concept.uri);
            !concept.deprecated
                && (labels.any(|label| holds_topic(&label.text, topic, language)) || is_narrower())
        };
        let about = self.data.concepts.iter().filter(is_about);
        let mut found: Vec<Concept> =
            about.map(|concept| self.show(concept, LabelMatch::Preferred, language)).collect();
        found.sort_by_cached_key(|concept| (fold_term(&concept.preferred_label), concept.uri.clone()));
        found.truncate(limit);
        found
    }

    fn holdings(&self, language: Language) -> Holdings {
        let title = |scheme: &Scheme| Some(preferred_label(&texts_in(&scheme.titles), &[], language)?.text);
        let mut schemes: Vec<String> = self.data.schemes.iter().filter_map(title).collect();
        schemes.sort_unstable();
        schemes.dedup();
        Holdings { schemes, concepts: Some(self.data.concepts.len()) }
    }

    fn backend(&self) -> &'static str {
        "embedded"
    }
}

/// Whether a label holds every word of a topic that says something, as a word or as part of one: "flexibility" in
/// "flexibiliteitsmarkt" as well.
fn holds_topic(label: &str, topic: &str, language: Language) -> bool {
    let list = WordList::of(language);
    let held: Vec<String> = words(label).into_iter().map(|word| word.folded).collect();
    let mut wanted =
        words(topic).into_iter().map(|word| word.folded).filter(|word| list.is_content(word)).peekable();
    wanted.peek().is_some()
        && wanted.all(|word| {
            let stemmed = stem(&word, language);
            let in_compound = stemmed.chars().count() >= SHORTEST_IN_COMPOUND;
            held.iter().any(|held| stem(held, language) == stemmed || in_compound && held.contains(&stemmed))
        })
}
