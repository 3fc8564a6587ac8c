//! What `/data` says: JSON-LD as Skosmos compacts it, read with its own context.

use std::collections::HashMap;

use plumbline_core::domain::Language;
use plumbline_core::ports::TextIn;
use plumbline_core::response::{ConceptLink, ConceptNote};
use serde_json::{Map, Value};

use super::wire::Malformed;
use crate::matching::{best_notes, best_texts, canonical_tag, preferred_label};

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const DCT: &str = "http://purl.org/dc/terms/";
const RDF_VALUE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value";
const DEPRECATED: &str = "http://www.w3.org/2002/07/owl#deprecated";

/// Notes in the order in which they are shown.
const NOTES: [(&str, &str); 7] = [
    (SKOS, "scopeNote"),
    (SKOS, "note"),
    (SKOS, "example"),
    (SKOS, "editorialNote"),
    (SKOS, "historyNote"),
    (SKOS, "changeNote"),
    (RDFS, "comment"),
];

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    Literal(TextIn),
    Resource(String),
}

/// The nodes of an answer, under their full URIs.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: HashMap<String, HashMap<String, Vec<Term>>>,
}

/// A context: prefixes, and names that stand for properties.
struct Context(Map<String, Value>);

impl Graph {
    /// Reads an answer: a list of nodes, or a single node at the top.
    pub fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let mut whole: Map<String, Value> =
            serde_json::from_slice(body).map_err(|_| Malformed("no JSON object"))?;
        let context = match whole.remove("@context") {
            Some(Value::Object(context)) => Context(context),
            None => Context(Map::new()),
            Some(_) => return Err(Malformed("the context is no object")),
        };
        let nodes = match whole.remove("graph").or_else(|| whole.remove("@graph")) {
            Some(Value::Array(nodes)) => nodes,
            Some(_) => return Err(Malformed("the graph is no list")),
            None => vec![Value::Object(whole)],
        };
        let mut graph = Self::default();
        for node in &nodes {
            let Value::Object(node) = node else { return Err(Malformed("a node is no object")) };
            let uri = alias(node, "uri").and_then(Value::as_str).ok_or(Malformed("a node has no URI"))?;
            let properties = graph.nodes.entry(context.uri(uri)).or_default();
            for (name, value) in node {
                if !matches!(name.as_str(), "uri" | "@id" | "type" | "@type") {
                    context.terms(value, properties.entry(context.property(name)).or_default())?;
                }
            }
        }
        Ok(graph)
    }

    /// Whether anything is said about the URI that would make it a concept to show.
    pub fn describes(&self, uri: &str) -> bool {
        let says = |name: &str| self.values(uri, SKOS, name).next().is_some();
        ["prefLabel", "altLabel", "definition"].into_iter().any(says)
            || self.values(uri, RDFS, "label").next().is_some()
    }

    /// Every label and notation of a concept.
    pub fn labels(&self, uri: &str) -> impl Iterator<Item = &str> {
        let names = [
            (SKOS, "prefLabel"),
            (SKOS, "altLabel"),
            (SKOS, "hiddenLabel"),
            (SKOS, "notation"),
            (RDFS, "label"),
        ];
        names
            .into_iter()
            .flat_map(move |(space, name)| self.literals(uri, space, name))
            .map(|text| text.text.as_str())
    }

    /// The literals of a property of SKOS.
    pub fn texts(&self, uri: &str, name: &str) -> Vec<TextIn> {
        self.literals(uri, SKOS, name).cloned().collect()
    }

    /// The preferred labels; a deprecated concept may only have kept `rdfs:label`.
    pub fn preferred(&self, uri: &str) -> Vec<TextIn> {
        let preferred = self.texts(uri, "prefLabel");
        if preferred.is_empty() { self.literals(uri, RDFS, "label").cloned().collect() } else { preferred }
    }

    /// The definitions in the best language there is, those behind a resource's `rdf:value` too.
    pub fn definitions(&self, uri: &str, language: Language) -> Vec<TextIn> {
        let mut texts = self.written_out(uri, SKOS, "definition");
        texts.retain(|text| !text.text.trim().is_empty());
        best_texts(&texts, language)
    }

    /// Notes under their own names, each kind in the best language there is.
    pub fn notes(&self, uri: &str, language: Language) -> Vec<ConceptNote> {
        let notes = NOTES.into_iter().flat_map(|(space, kind)| {
            let note = |text: TextIn| ConceptNote {
                kind: kind.to_owned(),
                text: text.text,
                language: text.language,
            };
            self.written_out(uri, space, kind).into_iter().map(note)
        });
        best_notes(&notes.collect::<Vec<_>>(), language)
    }

    /// Concepts that this one points to, and those that point back at it by the opposite property.
    pub fn links(&self, uri: &str, name: &str, opposite: &str, language: Language) -> Vec<ConceptLink> {
        let opposite = format!("{SKOS}{opposite}");
        let back = self.nodes.iter().filter(|(_, properties)| {
            let values = properties.get(&opposite);
            values.is_some_and(|values| {
                values.iter().any(|value| matches!(value, Term::Resource(to) if to == uri))
            })
        });
        let mut uris: Vec<&str> =
            self.resources(uri, SKOS, name).chain(back.map(|(from, _)| from.as_str())).collect();
        uris.retain(|to| *to != uri);
        self.linked(uris, language)
    }

    /// What replaces a deprecated concept.
    pub fn replaced_by(&self, uri: &str, language: Language) -> Vec<ConceptLink> {
        self.linked(self.resources(uri, DCT, "isReplacedBy").collect(), language)
    }

    /// Whether the concept is deprecated.
    pub fn is_deprecated(&self, uri: &str) -> bool {
        self.literals(uri, "", DEPRECATED).any(|value| matches!(value.text.as_str(), "true" | "1"))
    }

    /// The title of the concept's scheme.
    pub fn scheme_title(&self, uri: &str, language: Language) -> Option<String> {
        let mut schemes: Vec<&str> = self.resources(uri, SKOS, "inScheme").collect();
        schemes.sort_unstable();
        schemes.into_iter().find_map(|scheme| {
            let titles: Vec<TextIn> = self.literals(scheme, DCT, "title").cloned().collect();
            preferred_label(&self.preferred(scheme), &titles, language).map(|title| title.text)
        })
    }

    /// Undoes what Skosmos does to `\`: reading its store's N-Triples, it leaves every `\\` as two characters.
    pub fn with_single_backslashes(mut self) -> Self {
        let values = self.nodes.values_mut().flat_map(HashMap::values_mut).flatten();
        for value in values {
            if let Term::Literal(text) = value {
                text.text = text.text.replace("\\\\", "\\");
            }
        }
        self
    }

    /// The texts of a property, those behind a resource's `rdf:value` too.
    fn written_out(&self, uri: &str, space: &str, name: &str) -> Vec<TextIn> {
        let mut texts = Vec::new();
        for value in self.values(uri, space, name) {
            match value {
                Term::Literal(text) => texts.push(text.clone()),
                Term::Resource(node) => texts.extend(self.literals(node, "", RDF_VALUE).cloned()),
            }
        }
        texts
    }

    fn linked(&self, mut uris: Vec<&str>, language: Language) -> Vec<ConceptLink> {
        uris.sort_unstable();
        uris.dedup();
        // A blank node has no name that anyone could look up.
        let named = uris.into_iter().filter(|uri| !uri.starts_with("_:"));
        let mut links: Vec<ConceptLink> =
            named.map(|uri| ConceptLink { label: self.label(uri, language), uri: uri.to_owned() }).collect();
        links.sort_by(|one, other| (&one.label, &one.uri).cmp(&(&other.label, &other.uri)));
        links
    }

    /// The label of a concept that is only mentioned; without any, the end of its URI.
    fn label(&self, uri: &str, language: Language) -> String {
        let label = preferred_label(&self.preferred(uri), &self.texts(uri, "altLabel"), language);
        label.map_or_else(
            || uri.rsplit(['/', '#', ':']).find(|part| !part.is_empty()).unwrap_or(uri).to_owned(),
            |label| label.text,
        )
    }

    fn values(&self, uri: &str, space: &str, name: &str) -> impl Iterator<Item = &Term> {
        let property = format!("{space}{name}");
        self.nodes.get(uri).and_then(|properties| properties.get(&property)).into_iter().flatten()
    }

    fn literals(&self, uri: &str, space: &str, name: &str) -> impl Iterator<Item = &TextIn> {
        self.values(uri, space, name).filter_map(|value| match value {
            Term::Literal(text) => Some(text),
            Term::Resource(_) => None,
        })
    }

    fn resources(&self, uri: &str, space: &str, name: &str) -> impl Iterator<Item = &str> {
        self.values(uri, space, name).filter_map(|value| match value {
            Term::Resource(uri) => Some(uri.as_str()),
            Term::Literal(_) => None,
        })
    }
}

impl Context {
    fn lookup(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|value| !value.starts_with('@'))
    }

    /// A URI, written out where it is compacted: `dct:format`.
    fn uri(&self, text: &str) -> String {
        let (prefix, rest) = text.split_once(':').unwrap_or((text, "//"));
        match self.lookup(prefix) {
            Some(space) if !rest.starts_with("//") => format!("{space}{rest}"),
            _ => text.to_owned(),
        }
    }

    /// A property: a name of its own such as `prefLabel`, compacted, or written out.
    fn property(&self, name: &str) -> String {
        self.uri(self.lookup(name).unwrap_or(name))
    }

    fn terms(&self, value: &Value, into: &mut Vec<Term>) -> Result<(), Malformed> {
        let literal = |text: String, language: Option<&str>| {
            let language = language.filter(|tag| !tag.is_empty()).map(canonical_tag);
            Term::Literal(TextIn { text, language })
        };
        match value {
            Value::Null => {}
            Value::String(text) => into.push(literal(text.clone(), None)),
            Value::Bool(_) | Value::Number(_) => into.push(literal(value.to_string(), None)),
            Value::Array(values) => {
                for value in values {
                    self.terms(value, into)?;
                }
            }
            Value::Object(map) => match (alias(map, "uri"), alias(map, "value")) {
                (Some(Value::String(uri)), None) => into.push(Term::Resource(self.uri(uri))),
                (None, Some(Value::String(text))) => {
                    into.push(literal(text.clone(), alias(map, "lang").and_then(Value::as_str)));
                }
                (None, Some(value @ (Value::Bool(_) | Value::Number(_)))) => {
                    into.push(literal(value.to_string(), None))
                }
                _ => return Err(Malformed("a value is neither a text nor a resource")),
            },
        }
        Ok(())
    }
}

/// Skosmos renames JSON-LD's keywords.
fn alias<'m>(map: &'m Map<String, Value>, name: &str) -> Option<&'m Value> {
    let keyword = match name {
        "uri" => "@id",
        "value" => "@value",
        _ => "@language",
    };
    map.get(name).or_else(|| map.get(keyword))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacted_uris_and_plain_json_ld_are_read() {
        let body = br#"{"@context":{"dct":"http://purl.org/dc/terms/","skos":"http://www.w3.org/2004/02/skos/core#",
            "prefLabel":"skos:prefLabel","uri":"@id"},
            "graph":[{"uri":"dct:format","prefLabel":{"lang":"en-gb","value":"Format"},"skos:notation":7,
            "skos:broader":[{"@id":"_:b0"},{"@id":"urn:x:y"}],"http://www.w3.org/2002/07/owl#deprecated":{"value":"true"}}]}"#;
        let graph = Graph::parse(body).unwrap();
        let uri = "http://purl.org/dc/terms/format";
        assert!(graph.describes(uri) && graph.is_deprecated(uri));
        assert_eq!(graph.labels(uri).collect::<Vec<_>>(), ["Format", "7"]);
        assert_eq!(graph.preferred(uri)[0].language.as_deref(), Some("en-GB"));
        let broader = graph.links(uri, "broader", "narrower", Language::EN);
        assert_eq!(broader, [ConceptLink { label: "y".to_owned(), uri: "urn:x:y".to_owned() }]);
    }

    #[test]
    fn what_is_no_graph_is_an_error() {
        for body in [
            "",
            "[]",
            "{}",
            "{\"graph\":{}}",
            "{\"graph\":[1]}",
            "{\"graph\":[{\"x\":1}]}",
            "{\"uri\":\"u\",\"x\":{}}",
        ] {
            assert!(Graph::parse(body.as_bytes()).is_err(), "{body}");
        }
        let empty = Graph::parse(b"{\"graph\":[]}").unwrap();
        assert!(!empty.describes("u"));
    }
}
