//! What RDF statements say in SKOS and SKOS-XL.

mod graph;

use std::collections::{HashMap, HashSet};

use oxrdf::Triple;
use plumbline_core::ports::TextIn;
use plumbline_core::response::ConceptNote;
use serde::{Deserialize, Serialize};

use graph::{Graph, Object, Property};

/// A literal with its language tag as BCP 47 writes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Text {
    /// The literal, verbatim.
    pub text: String,
    /// Its language tag.
    pub language: Option<String>,
}

impl From<&Text> for TextIn {
    fn from(text: &Text) -> Self {
        Self { text: text.text.clone(), language: text.language.clone() }
    }
}

/// The literals in the form that matching takes.
pub(crate) fn texts_in(texts: &[Text]) -> Vec<TextIn> {
    texts.iter().map(TextIn::from).collect()
}

/// A concept as its vocabulary states it, in all its languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SkosConcept {
    /// Its URI.
    pub uri: String,
    /// The file that says it is a concept, by its place among the files.
    pub file: u32,
    /// Schemes it is in or a top concept of, by URI.
    pub schemes: Vec<String>,
    /// Preferred labels.
    pub preferred: Vec<Text>,
    /// Alternative labels.
    pub alternative: Vec<Text>,
    /// Hidden labels; never shown.
    pub hidden: Vec<Text>,
    /// Notations.
    pub notations: Vec<String>,
    /// Definitions.
    pub definitions: Vec<Text>,
    /// Notes under their own names.
    pub notes: Vec<ConceptNote>,
    /// Broader concepts, by URI.
    pub broader: Vec<String>,
    /// Narrower concepts, by URI.
    pub narrower: Vec<String>,
    /// Related concepts, by URI.
    pub related: Vec<String>,
    /// Mappings to concepts of other schemes.
    pub mappings: Vec<Mapping>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What replaces it, by URI.
    pub replaced_by: Vec<String>,
}

/// A mapping to a concept of another scheme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// Which one, such as `exactMatch`.
    pub kind: String,
    /// The other concept's URI.
    pub uri: String,
}

/// A concept scheme.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scheme {
    /// Its URI.
    pub uri: String,
    /// The file that says it is a scheme, by its place among the files.
    pub file: u32,
    /// Its titles; of the ways to give one, the first that it uses.
    pub titles: Vec<Text>,
    /// Its version.
    pub version: Option<String>,
    /// When it was last changed, as it says.
    pub modified: Option<String>,
    /// Its top concepts, by URI.
    pub top_concepts: Vec<String>,
}

/// A collection of concepts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Collection {
    /// Its URI, or an id of its own file where it has none.
    pub uri: String,
    /// The file that says it is a collection, by its place among the files.
    pub file: u32,
    /// Its labels.
    pub labels: Vec<Text>,
    /// Its members, by URI, in order where it has one.
    pub members: Vec<String>,
}

/// Concepts, schemes and collections, in the order in which their files name them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SkosData {
    /// The concepts, each once.
    pub concepts: Vec<SkosConcept>,
    /// The schemes.
    pub schemes: Vec<Scheme>,
    /// The collections.
    pub collections: Vec<Collection>,
    /// Resources that have a preferred label and are none of these: most likely concepts whose type was forgotten.
    pub untyped: Vec<String>,
}

impl SkosData {
    /// What the files of one vocabulary say together: each with its place among all files and its statements.
    pub fn of_vocabulary<'t>(files: impl IntoIterator<Item = (u32, &'t [Triple])>) -> Self {
        let mut graph = Graph::default();
        for (file, triples) in files {
            graph.add(file, triples);
        }
        let mut data = Self::default();
        for (subject, file) in graph.typed(Property::IsScheme) {
            data.schemes.push(scheme(&graph, subject, file));
        }
        for (subject, file) in graph.typed(Property::IsCollection) {
            data.collections.push(collection(&graph, subject, file));
        }
        for (subject, file) in graph.typed(Property::IsConcept) {
            data.concepts.push(concept(&graph, subject, file));
        }
        data.untyped = graph.labelled_but_untyped();
        data
    }

    /// Adds what a vocabulary of lower authority says. Of a concept that both have, the first one's word stands.
    pub fn append(&mut self, other: Self) {
        let known: HashSet<String> = self.concepts.iter().map(|concept| concept.uri.clone()).collect();
        self.concepts.extend(other.concepts.into_iter().filter(|concept| !known.contains(&concept.uri)));
        let known: HashSet<String> = self.schemes.iter().map(|scheme| scheme.uri.clone()).collect();
        self.schemes.extend(other.schemes.into_iter().filter(|scheme| !known.contains(&scheme.uri)));
        self.collections.extend(other.collections);
        self.untyped.extend(other.untyped);
    }

    /// States the links between known concepts from both sides: narrower is the inverse of broader, related of itself,
    /// and what replaces a deprecated concept may say so itself.
    pub fn complete_links(&mut self) {
        let place: HashMap<&str, usize> =
            self.concepts.iter().enumerate().map(|(at, concept)| (concept.uri.as_str(), at)).collect();
        let mut inverse: Vec<(usize, Link, String)> = Vec::new();
        for concept in &self.concepts {
            for (link, targets) in [
                (Link::Narrower, &concept.broader),
                (Link::Broader, &concept.narrower),
                (Link::Related, &concept.related),
            ] {
                let known = targets.iter().filter_map(|target| place.get(target.as_str()));
                inverse.extend(known.map(|at| (*at, link, concept.uri.clone())));
            }
        }
        for (at, link, uri) in inverse {
            let Some(concept) = self.concepts.get_mut(at) else { continue };
            match link {
                Link::Broader => add(&mut concept.broader, &uri),
                Link::Narrower => add(&mut concept.narrower, &uri),
                Link::Related => add(&mut concept.related, &uri),
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Link {
    Broader,
    Narrower,
    Related,
}

fn add(list: &mut Vec<String>, uri: &str) {
    if !list.iter().any(|known| known == uri) {
        list.push(uri.to_owned());
    }
}

fn concept(graph: &Graph, subject: &str, file: u32) -> SkosConcept {
    let labels = |plain, extended| {
        let mut labels = graph.texts(subject, plain);
        labels.extend(graph.follow(subject, extended, Property::LiteralForm));
        unique(labels)
    };
    let mut schemes = graph.nodes(subject, Property::InScheme);
    let stated = graph.nodes(subject, Property::TopConceptOf);
    for scheme in stated.into_iter().chain(graph.subjects(Property::HasTopConcept, subject)) {
        add(&mut schemes, &scheme);
    }
    let deprecated = graph.objects(subject, Property::Deprecated).any(Object::is_true);
    let mut replaced_by = graph.nodes(subject, Property::IsReplacedBy);
    if deprecated {
        for newer in graph.subjects(Property::Replaces, subject) {
            add(&mut replaced_by, &newer);
        }
    }
    SkosConcept {
        uri: subject.to_owned(),
        file,
        schemes,
        preferred: labels(Property::PrefLabel, Property::XlPrefLabel),
        alternative: labels(Property::AltLabel, Property::XlAltLabel),
        hidden: labels(Property::HiddenLabel, Property::XlHiddenLabel),
        notations: unique(
            graph.texts(subject, Property::Notation).into_iter().map(|text| text.text).collect(),
        ),
        definitions: worded(graph, subject, Property::Definition),
        notes: notes(graph, subject),
        broader: graph.nodes(subject, Property::Broader),
        narrower: graph.nodes(subject, Property::Narrower),
        related: graph.nodes(subject, Property::Related),
        mappings: mappings(graph, subject),
        deprecated,
        replaced_by,
    }
}

/// Literals, and the values of resources that stand for them.
fn worded(graph: &Graph, subject: &str, property: Property) -> Vec<Text> {
    let mut texts = graph.texts(subject, property);
    texts.extend(graph.follow(subject, property, Property::Value));
    unique(texts)
}

fn notes(graph: &Graph, subject: &str) -> Vec<ConceptNote> {
    let mut notes = Vec::new();
    for (property, kind) in graph::NOTES {
        for text in worded(graph, subject, property) {
            notes.push(ConceptNote { kind: kind.to_owned(), text: text.text, language: text.language });
        }
    }
    notes
}

fn mappings(graph: &Graph, subject: &str) -> Vec<Mapping> {
    let of_kind = |(property, kind): (Property, &'static str)| {
        graph.nodes(subject, property).into_iter().map(move |uri| Mapping { kind: kind.to_owned(), uri })
    };
    graph::MAPPINGS.into_iter().flat_map(of_kind).collect()
}

fn scheme(graph: &Graph, subject: &str, file: u32) -> Scheme {
    let ways = [Property::Title, Property::DcTitle, Property::PrefLabel, Property::Label];
    let titles = ways.into_iter().map(|way| graph.texts(subject, way)).find(|titles| !titles.is_empty());
    let mut top_concepts = graph.nodes(subject, Property::HasTopConcept);
    for top in graph.subjects(Property::TopConceptOf, subject) {
        add(&mut top_concepts, &top);
    }
    let first = |property| graph.texts(subject, property).into_iter().next().map(|text| text.text);
    Scheme {
        uri: subject.to_owned(),
        file,
        titles: unique(titles.unwrap_or_default()),
        version: first(Property::VersionInfo),
        modified: first(Property::Modified),
        top_concepts,
    }
}

fn collection(graph: &Graph, subject: &str, file: u32) -> Collection {
    let mut members = graph.nodes(subject, Property::Member);
    for list in graph.nodes(subject, Property::MemberList) {
        for member in graph.list(&list) {
            add(&mut members, &member);
        }
    }
    let labels =
        graph.texts(subject, Property::PrefLabel).into_iter().chain(graph.texts(subject, Property::Label));
    Collection { uri: subject.to_owned(), file, labels: unique(labels.collect()), members }
}

fn unique<T: PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
#[path = "skos/tests.rs"]
mod tests;
