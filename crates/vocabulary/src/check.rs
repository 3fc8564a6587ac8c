//! What a vocabulary holds and what is wrong with it, for `vocab list` and `vocab check`.

mod cycles;

use std::collections::{BTreeMap, HashMap, HashSet};

use plumbline_core::response::LabelMatch;
use serde::Serialize;

use crate::matching::fold_term;
use crate::rdf::Defect;
use crate::skos::{Scheme, SkosConcept, SkosData, Text};
use crate::source::{VocabularyFile, assemble, read_files};

/// Labels or definitions that have no language tag are counted under this.
pub const UNTAGGED: &str = "und";

/// What the files hold and what is wrong with them. Concepts are named by their URIs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VocabularyReport {
    /// The files.
    pub files: Vec<FileReport>,
    /// The schemes, and at the end the concepts that are in none that is known.
    pub schemes: Vec<SchemeReport>,
    /// How many concepts there are.
    pub concepts: usize,
    /// How many collections there are.
    pub collections: usize,
    /// How many mappings to other schemes there are, by kind.
    pub mappings: BTreeMap<String, usize>,
    /// Concepts without a definition.
    pub missing_definitions: Vec<String>,
    /// Concepts that lack a definition in a language in which they have a preferred label, though they have one in
    /// another.
    pub partly_defined: Vec<PartlyDefined>,
    /// Labels of several concepts.
    pub collisions: Vec<Collision>,
    /// Concepts that are broader than themselves.
    pub cycles: Vec<Vec<String>>,
    /// Links that lead to nothing in the files.
    pub dangling: Vec<Dangling>,
    /// Deprecated concepts.
    pub deprecated: usize,
    /// Deprecated concepts that nothing replaces.
    pub deprecated_without_replacement: Vec<String>,
    /// Concepts that name no scheme.
    pub without_scheme: Vec<String>,
    /// Concepts without a preferred label.
    pub without_preferred_label: Vec<String>,
    /// Resources with a preferred label that are no concept, scheme or collection; they cannot be looked up.
    pub untyped: Vec<String>,
    /// What could not be read.
    pub defects: Vec<Defect>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Where it lies.
    pub path: String,
    /// How many statements could be read.
    pub statements: usize,
    /// How many concepts it has.
    pub concepts: usize,
}

/// A scheme and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemeReport {
    /// Its URI; `None` for the concepts of no known scheme.
    pub uri: Option<String>,
    /// Its titles by language.
    pub titles: BTreeMap<String, String>,
    /// Its version.
    pub version: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// How many concepts it has.
    pub concepts: usize,
    /// How many of them are top concepts.
    pub top_concepts: usize,
    /// Preferred labels by language.
    pub preferred: BTreeMap<String, usize>,
    /// Alternative labels by language.
    pub alternative: BTreeMap<String, usize>,
    /// Hidden labels by language.
    pub hidden: BTreeMap<String, usize>,
    /// Concepts with a definition, by language.
    pub defined: BTreeMap<String, usize>,
}

/// A concept with definitions in some of its languages only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartlyDefined {
    /// The concept.
    pub uri: String,
    /// The languages that lack one.
    pub missing: Vec<String>,
}

/// A label that several concepts have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Collision {
    /// The label as it is compared.
    pub label: String,
    /// The concepts, each with its best label of this form.
    pub concepts: Vec<Claim>,
    /// Whether a look-up has to ask which is meant: several concepts share the best kind of label.
    pub ambiguous: bool,
}

/// A concept's claim to a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The concept.
    pub uri: String,
    /// Which kind of label it is.
    pub label: LabelMatch,
}

/// A link that leads to nothing in the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dangling {
    /// What has the link.
    pub from: String,
    /// Which link, such as `broader`.
    pub link: &'static str,
    /// Where it leads.
    pub to: String,
}

/// Reads the files and reports on them.
pub fn check(files: &[VocabularyFile]) -> VocabularyReport {
    let (contents, mut defects) = read_files(files);
    let mut assembled = assemble(files, &contents);
    defects.append(&mut assembled.defects);
    let concepts_of = |at: u32| assembled.data.concepts.iter().filter(|concept| concept.file == at).count();
    let file_reports =
        files.iter().zip(&assembled.statements).zip(0..).map(|((file, statements), at)| FileReport {
            path: file.path.display().to_string(),
            statements: *statements,
            concepts: concepts_of(at),
        });
    let files = file_reports.collect();
    let data = assembled.data;
    let uris = |wanted: &dyn Fn(&SkosConcept) -> bool| {
        data.concepts
            .iter()
            .filter(|concept| wanted(concept))
            .map(|concept| concept.uri.clone())
            .collect::<Vec<_>>()
    };
    VocabularyReport {
        files,
        schemes: schemes(&data),
        concepts: data.concepts.len(),
        collections: data.collections.len(),
        mappings: count(
            data.concepts.iter().flat_map(|concept| &concept.mappings).map(|mapping| mapping.kind.clone()),
        ),
        missing_definitions: uris(&|concept| concept.definitions.is_empty()),
        partly_defined: data.concepts.iter().filter_map(partly_defined).collect(),
        collisions: collisions(&data.concepts),
        cycles: cycles::cycles(&data.concepts),
        dangling: dangling(&data),
        deprecated: uris(&|concept| concept.deprecated).len(),
        deprecated_without_replacement: uris(&|concept| concept.deprecated && concept.replaced_by.is_empty()),
        without_scheme: uris(&|concept| concept.schemes.is_empty()),
        without_preferred_label: uris(&|concept| concept.preferred.is_empty()),
        untyped: data.untyped.clone(),
        defects,
    }
}

fn count(items: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

fn tag(text: &Text) -> String {
    text.language.clone().unwrap_or_else(|| UNTAGGED.to_owned())
}

fn tags(texts: &[Text]) -> Vec<String> {
    count(texts.iter().map(tag)).into_keys().collect()
}

fn schemes(data: &SkosData) -> Vec<SchemeReport> {
    let known: HashSet<&str> = data.schemes.iter().map(|scheme| scheme.uri.as_str()).collect();
    let mut members: HashMap<Option<&str>, Vec<&SkosConcept>> = HashMap::new();
    for concept in &data.concepts {
        let mut homeless = true;
        for scheme in concept.schemes.iter().filter(|scheme| known.contains(scheme.as_str())) {
            members.entry(Some(scheme)).or_default().push(concept);
            homeless = false;
        }
        if homeless {
            members.entry(None).or_default().push(concept);
        }
    }
    let mut reports: Vec<SchemeReport> = Vec::new();
    for scheme in &data.schemes {
        reports.push(scheme_report(
            Some(scheme),
            members.get(&Some(scheme.uri.as_str())).map_or(&[], Vec::as_slice),
        ));
    }
    if let Some(homeless) = members.get(&None) {
        reports.push(scheme_report(None, homeless));
    }
    reports
}

fn scheme_report(scheme: Option<&Scheme>, concepts: &[&SkosConcept]) -> SchemeReport {
    let by_language = |texts: fn(&SkosConcept) -> &[Text]| {
        count(concepts.iter().flat_map(|concept| texts(concept)).map(tag))
    };
    SchemeReport {
        uri: scheme.map(|scheme| scheme.uri.clone()),
        titles: scheme
            .into_iter()
            .flat_map(|scheme| &scheme.titles)
            .map(|text| (tag(text), text.text.clone()))
            .collect(),
        version: scheme.and_then(|scheme| scheme.version.clone()),
        modified: scheme.and_then(|scheme| scheme.modified.clone()),
        concepts: concepts.len(),
        top_concepts: scheme.map_or(0, |scheme| scheme.top_concepts.len()),
        preferred: by_language(|concept| &concept.preferred),
        alternative: by_language(|concept| &concept.alternative),
        hidden: by_language(|concept| &concept.hidden),
        defined: count(concepts.iter().flat_map(|concept| tags(&concept.definitions))),
    }
}

fn partly_defined(concept: &SkosConcept) -> Option<PartlyDefined> {
    let defined = tags(&concept.definitions);
    let mut missing = tags(&concept.preferred);
    missing.retain(|tag| !defined.contains(tag));
    let partly = !defined.is_empty() && !missing.is_empty();
    partly.then(|| PartlyDefined { uri: concept.uri.clone(), missing })
}

fn collisions(concepts: &[SkosConcept]) -> Vec<Collision> {
    let mut claims: BTreeMap<String, BTreeMap<&str, LabelMatch>> = BTreeMap::new();
    for concept in concepts {
        let tiers = [
            (LabelMatch::Preferred, &concept.preferred),
            (LabelMatch::Alternative, &concept.alternative),
            (LabelMatch::Hidden, &concept.hidden),
        ];
        for (tier, label) in
            tiers.into_iter().flat_map(|(tier, labels)| labels.iter().map(move |label| (tier, label)))
        {
            let claim =
                claims.entry(fold_term(&label.text)).or_default().entry(concept.uri.as_str()).or_insert(tier);
            *claim = tier.min(*claim);
        }
    }
    let several = claims.into_iter().filter(|(_, concepts)| concepts.len() > 1);
    let collision = |(label, concepts): (String, BTreeMap<&str, LabelMatch>)| {
        let best = concepts.values().min().copied();
        let ambiguous = concepts.values().filter(|tier| Some(**tier) == best).count() > 1;
        let claim = |(uri, label): (&str, LabelMatch)| Claim { uri: uri.to_owned(), label };
        Collision { label, ambiguous, concepts: concepts.into_iter().map(claim).collect() }
    };
    several.map(collision).collect()
}

fn dangling(data: &SkosData) -> Vec<Dangling> {
    let concepts: HashSet<&str> = data.concepts.iter().map(|concept| concept.uri.as_str()).collect();
    let collections: HashSet<&str> =
        data.collections.iter().map(|collection| collection.uri.as_str()).collect();
    let schemes: HashSet<&str> = data.schemes.iter().map(|scheme| scheme.uri.as_str()).collect();
    let mut found = Vec::new();
    let mut report = |from: &str, link: &'static str, targets: &[String], known: &dyn Fn(&str) -> bool| {
        for to in targets.iter().filter(|to| !known(to)) {
            found.push(Dangling { from: from.to_owned(), link, to: to.clone() });
        }
    };
    let is_concept = |uri: &str| concepts.contains(uri);
    for concept in &data.concepts {
        report(&concept.uri, "broader", &concept.broader, &is_concept);
        report(&concept.uri, "narrower", &concept.narrower, &is_concept);
        report(&concept.uri, "related", &concept.related, &is_concept);
        report(&concept.uri, "isReplacedBy", &concept.replaced_by, &is_concept);
        report(&concept.uri, "inScheme", &concept.schemes, &|uri| schemes.contains(uri));
    }
    for scheme in &data.schemes {
        report(&scheme.uri, "hasTopConcept", &scheme.top_concepts, &is_concept);
    }
    for collection in &data.collections {
        report(&collection.uri, "member", &collection.members, &|uri| {
            is_concept(uri) || collections.contains(uri)
        });
    }
    found
}
