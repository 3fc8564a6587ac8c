use std::collections::{HashMap, HashSet};

use oxrdf::{NamedNode, NamedOrBlankNode, Term, Triple};

use super::Text;
use crate::matching::canonical_tag;

/// What of RDF a vocabulary is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Property {
    /// Not a property of its own: a type, with the node itself as its object.
    IsConcept,
    IsScheme,
    IsCollection,
    PrefLabel,
    AltLabel,
    HiddenLabel,
    XlPrefLabel,
    XlAltLabel,
    XlHiddenLabel,
    LiteralForm,
    Notation,
    Definition,
    Note,
    ScopeNote,
    EditorialNote,
    HistoryNote,
    ChangeNote,
    Example,
    Comment,
    Value,
    Broader,
    Narrower,
    Related,
    ExactMatch,
    CloseMatch,
    BroadMatch,
    NarrowMatch,
    RelatedMatch,
    InScheme,
    TopConceptOf,
    HasTopConcept,
    Member,
    MemberList,
    First,
    Rest,
    Deprecated,
    IsReplacedBy,
    Replaces,
    Title,
    DcTitle,
    Label,
    VersionInfo,
    Modified,
}

/// Notes and the names they are shown under.
pub(super) const NOTES: [(Property, &str); 7] = [
    (Property::ScopeNote, "scopeNote"),
    (Property::Note, "note"),
    (Property::Example, "example"),
    (Property::EditorialNote, "editorialNote"),
    (Property::HistoryNote, "historyNote"),
    (Property::ChangeNote, "changeNote"),
    (Property::Comment, "comment"),
];

/// Mappings and their names.
pub(super) const MAPPINGS: [(Property, &str); 5] = [
    (Property::ExactMatch, "exactMatch"),
    (Property::CloseMatch, "closeMatch"),
    (Property::BroadMatch, "broadMatch"),
    (Property::NarrowMatch, "narrowMatch"),
    (Property::RelatedMatch, "relatedMatch"),
];

/// What may be stated from the other side.
const INVERSES: [Property; 3] = [Property::Replaces, Property::TopConceptOf, Property::HasTopConcept];

impl Property {
    fn of(predicate: &NamedNode) -> Option<Self> {
        let (namespace, name) = split(predicate.as_str());
        let property = match (namespace, name) {
            (SKOS, "prefLabel") => Self::PrefLabel,
            (SKOS, "altLabel") => Self::AltLabel,
            (SKOS, "hiddenLabel") => Self::HiddenLabel,
            (SKOS_XL, "prefLabel") => Self::XlPrefLabel,
            (SKOS_XL, "altLabel") => Self::XlAltLabel,
            (SKOS_XL, "hiddenLabel") => Self::XlHiddenLabel,
            (SKOS_XL, "literalForm") => Self::LiteralForm,
            (SKOS, "notation") => Self::Notation,
            (SKOS, "definition") => Self::Definition,
            (SKOS, "broader") => Self::Broader,
            (SKOS, "narrower") => Self::Narrower,
            (SKOS, "related") => Self::Related,
            (SKOS, "inScheme") => Self::InScheme,
            (SKOS, "topConceptOf") => Self::TopConceptOf,
            (SKOS, "hasTopConcept") => Self::HasTopConcept,
            (SKOS, "member") => Self::Member,
            (SKOS, "memberList") => Self::MemberList,
            (RDF, "value") => Self::Value,
            (RDF, "first") => Self::First,
            (RDF, "rest") => Self::Rest,
            (RDFS, "label") => Self::Label,
            (RDFS, "comment") => Self::Comment,
            (OWL, "deprecated") => Self::Deprecated,
            (OWL, "versionInfo") => Self::VersionInfo,
            (DCT, "isReplacedBy") => Self::IsReplacedBy,
            (DCT, "replaces") => Self::Replaces,
            (DCT, "title") => Self::Title,
            (DCT, "modified") => Self::Modified,
            (DC, "title") => Self::DcTitle,
            (SKOS, name) => NOTES.iter().chain(&MAPPINGS).find(|(_, known)| *known == name)?.0,
            _ => return None,
        };
        Some(property)
    }

    fn of_type(class: &str) -> Option<Self> {
        match split(class) {
            (SKOS, "Concept") => Some(Self::IsConcept),
            (SKOS, "ConceptScheme") => Some(Self::IsScheme),
            (SKOS, "Collection" | "OrderedCollection") => Some(Self::IsCollection),
            _ => None,
        }
    }
}

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const SKOS_XL: &str = "http://www.w3.org/2008/05/skos-xl#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
const DCT: &str = "http://purl.org/dc/terms/";
const DC: &str = "http://purl.org/dc/elements/1.1/";

fn split(iri: &str) -> (&str, &str) {
    let end = iri.rfind(['#', '/']).map_or(0, |at| at + 1);
    iri.split_at(end)
}

/// What a statement says about its subject.
#[derive(Debug)]
pub(super) enum Object {
    Node(String),
    Text(Text),
}

impl Object {
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Text(text) if text.text == "true" || text.text == "1")
    }
}

/// The statements that matter, by subject, in the order in which they were read.
#[derive(Debug, Default)]
pub(super) struct Graph {
    subjects: Vec<String>,
    place: HashMap<String, usize>,
    statements: Vec<Vec<(Property, Object)>>,
    types: Vec<(usize, Property, u32)>,
    inverse: HashMap<Property, HashMap<String, Vec<usize>>>,
}

impl Graph {
    /// Adds a file's statements. Its blank nodes are its own.
    pub(super) fn add(&mut self, file: u32, triples: &[Triple]) {
        for triple in triples {
            let is_type = triple.predicate.as_str().strip_prefix(RDF) == Some("type");
            let object = match &triple.object {
                Term::NamedNode(class) if is_type => {
                    if let Some(class) = Property::of_type(class.as_str()) {
                        let at = self.place_of(subject_key(&triple.subject, file));
                        self.types.push((at, class, file));
                    }
                    continue;
                }
                Term::NamedNode(node) => Object::Node(node.as_str().to_owned()),
                Term::BlankNode(node) => Object::Node(blank_key(node.as_str(), file)),
                Term::Literal(literal) => Object::Text(Text {
                    text: literal.value().to_owned(),
                    language: literal.language().map(canonical_tag),
                }),
            };
            if let Some(property) = Property::of(&triple.predicate) {
                let at = self.place_of(subject_key(&triple.subject, file));
                if let Object::Node(node) = &object
                    && INVERSES.contains(&property)
                {
                    self.inverse.entry(property).or_default().entry(node.clone()).or_default().push(at);
                }
                if let Some(statements) = self.statements.get_mut(at) {
                    statements.push((property, object));
                }
            }
        }
    }

    fn place_of(&mut self, subject: String) -> usize {
        if let Some(at) = self.place.get(&subject) {
            return *at;
        }
        let at = self.subjects.len();
        self.subjects.push(subject.clone());
        self.statements.push(Vec::new());
        self.place.insert(subject, at);
        at
    }

    /// The subjects of a type, each once, with the first file that says so.
    pub(super) fn typed(&self, class: Property) -> Vec<(&str, u32)> {
        let mut seen = HashSet::new();
        let of_class = self.types.iter().filter(|(at, known, _)| *known == class && seen.insert(*at));
        of_class.filter_map(|(at, _, file)| Some((self.subjects.get(*at)?.as_str(), *file))).collect()
    }

    pub(super) fn labelled_but_untyped(&self) -> Vec<String> {
        let typed: HashSet<usize> = self.types.iter().map(|(at, _, _)| *at).collect();
        let labelled = |at: usize| {
            let statements = self.statements.get(at);
            statements.is_some_and(|all| all.iter().any(|(property, _)| *property == Property::PrefLabel))
        };
        let untyped = self.subjects.iter().enumerate().filter(|(at, _)| !typed.contains(at) && labelled(*at));
        untyped.map(|(_, subject)| subject.clone()).collect()
    }

    pub(super) fn objects(&self, subject: &str, property: Property) -> impl Iterator<Item = &Object> {
        let statements = self.place.get(subject).and_then(|at| self.statements.get(*at));
        statements
            .into_iter()
            .flatten()
            .filter(move |(known, _)| *known == property)
            .map(|(_, object)| object)
    }

    pub(super) fn texts(&self, subject: &str, property: Property) -> Vec<Text> {
        let text = |object: &Object| match object {
            Object::Text(text) => Some(text.clone()),
            Object::Node(_) => None,
        };
        self.objects(subject, property).filter_map(text).collect()
    }

    pub(super) fn nodes(&self, subject: &str, property: Property) -> Vec<String> {
        let mut nodes: Vec<String> = Vec::new();
        for object in self.objects(subject, property) {
            if let Object::Node(node) = object {
                super::add(&mut nodes, node);
            }
        }
        nodes
    }

    /// The literals of the resources that a property leads to.
    pub(super) fn follow(&self, subject: &str, property: Property, value: Property) -> Vec<Text> {
        self.nodes(subject, property).iter().flat_map(|node| self.texts(node, value)).collect()
    }

    /// The subjects that say this of a node; kept for [`INVERSES`] only.
    pub(super) fn subjects(&self, property: Property, object: &str) -> Vec<String> {
        let places = self.inverse.get(&property).and_then(|objects| objects.get(object));
        places.into_iter().flatten().filter_map(|at| self.subjects.get(*at).cloned()).collect()
    }

    /// The nodes of an RDF list, as far as it goes without meeting itself.
    pub(super) fn list(&self, head: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut items = Vec::new();
        let mut next = Some(head.to_owned());
        while let Some(cell) = next.filter(|cell| seen.insert(cell.clone())) {
            items.extend(self.nodes(&cell, Property::First));
            next = self.nodes(&cell, Property::Rest).into_iter().next();
        }
        items
    }
}

fn subject_key(subject: &NamedOrBlankNode, file: u32) -> String {
    match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
        NamedOrBlankNode::BlankNode(node) => blank_key(node.as_str(), file),
    }
}

fn blank_key(id: &str, file: u32) -> String {
    format!("_:{file}-{id}")
}
