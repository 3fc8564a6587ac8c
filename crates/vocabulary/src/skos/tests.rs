use super::*;
use crate::rdf::{RdfFormat, read_rdf};

const PREFIXES: &str = "@prefix e: <http://x.test/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
";

fn data(files: &[&str]) -> SkosData {
    let read: Vec<Vec<Triple>> = files
        .iter()
        .map(|file| {
            let read = read_rdf(format!("{PREFIXES}{file}").as_bytes(), RdfFormat::Turtle, "f.ttl");
            assert_eq!(read.defects, []);
            read.triples
        })
        .collect();
    let mut data =
        SkosData::of_vocabulary(read.iter().zip(0..).map(|(triples, at)| (at, triples.as_slice())));
    data.complete_links();
    data
}

fn texts(texts: &[Text]) -> Vec<(&str, Option<&str>)> {
    texts.iter().map(|text| (text.text.as_str(), text.language.as_deref())).collect()
}

#[test]
fn labels_are_read_plain_and_extended_and_each_once() {
    let data = data(&[
        "e:a a skos:Concept ; skos:prefLabel \"A\"@en-gb ; xl:prefLabel e:l , [ xl:literalForm \"Aa\"@nl ] ;
        xl:altLabel [ xl:literalForm \"alt\" ] ; xl:hiddenLabel [ xl:literalForm \"hid\"@en ] ;
        skos:notation \"N1\" , \"N2\"^^e:code . e:l xl:literalForm \"A\"@en-GB .",
    ]);
    let concept = &data.concepts[0];
    assert_eq!(texts(&concept.preferred), [("A", Some("en-GB")), ("Aa", Some("nl"))]);
    assert_eq!(texts(&concept.alternative), [("alt", None)]);
    assert_eq!(texts(&concept.hidden), [("hid", Some("en"))]);
    assert_eq!(concept.notations, ["N1", "N2"]);
}

#[test]
fn definitions_may_be_resources_and_notes_keep_their_names() {
    let data = data(&["e:a a skos:Concept ; skos:definition \"one\\ntwo\"@en , [ rdf:value \"three\"@nl ] , e:d , e:none ;
        skos:scopeNote \"scope\"@en ; rdfs:comment \"comment\" ; skos:example [ rdf:value \"ex\" ] ; skos:historyNote \"h\" ;
        skos:changeNote \"c\" ; skos:editorialNote \"e\" ; skos:note \"n\" . e:d rdf:value \"four\" ."]);
    let concept = &data.concepts[0];
    assert_eq!(
        texts(&concept.definitions),
        [("one\ntwo", Some("en")), ("three", Some("nl")), ("four", None)]
    );
    let kinds: Vec<&str> = concept.notes.iter().map(|note| note.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["scopeNote", "note", "example", "editorialNote", "historyNote", "changeNote", "comment"]
    );
}

#[test]
fn links_hold_from_both_sides_and_mappings_stay_apart() {
    let data = data(&["e:a a skos:Concept ; skos:narrower e:b ; skos:related e:c ; skos:exactMatch e:b .
        e:b a skos:Concept . e:c a skos:Concept ; skos:broader e:a , e:gone ."]);
    let [a, b, c] = data.concepts.as_slice() else { panic!("three concepts") };
    assert_eq!(
        (a.narrower.as_slice(), a.broader.len()),
        (["http://x.test/b", "http://x.test/c"].map(String::from).as_slice(), 0)
    );
    assert_eq!(b.broader, ["http://x.test/a"]);
    assert_eq!((c.broader.len(), c.related.as_slice()), (2, ["http://x.test/a".to_owned()].as_slice()));
    assert_eq!(a.mappings, [Mapping { kind: "exactMatch".to_owned(), uri: "http://x.test/b".to_owned() }]);
}

#[test]
fn deprecation_and_its_successor_may_be_stated_from_either_side() {
    let data = data(&["e:a a skos:Concept ; owl:deprecated true ; dct:isReplacedBy e:c .
        e:b a skos:Concept ; owl:deprecated \"1\" . e:c a skos:Concept ; dct:replaces e:b ; owl:deprecated false ."]);
    let told: Vec<(bool, usize)> =
        data.concepts.iter().map(|concept| (concept.deprecated, concept.replaced_by.len())).collect();
    assert_eq!(told, [(true, 1), (true, 1), (false, 0)]);
}

#[test]
fn schemes_have_titles_versions_and_top_concepts_across_files() {
    let data = data(&[
        "e:s a skos:ConceptScheme ; dct:title \"Titel\"@nl ; rdfs:label \"other\" ; owl:versionInfo \"2.3\" ;
            dct:modified \"2026-05-12\" ; skos:hasTopConcept e:a . e:t a skos:ConceptScheme ; skos:prefLabel \"T\"@en .",
        "e:a a skos:Concept . e:b a skos:Concept ; skos:topConceptOf e:s ; skos:inScheme e:t . e:c skos:prefLabel \"c\" .",
    ]);
    let scheme = &data.schemes[0];
    assert_eq!(texts(&scheme.titles), [("Titel", Some("nl"))]);
    assert_eq!((scheme.version.as_deref(), scheme.modified.as_deref()), (Some("2.3"), Some("2026-05-12")));
    assert_eq!(scheme.top_concepts, ["http://x.test/a", "http://x.test/b"]);
    assert_eq!(texts(&data.schemes[1].titles), [("T", Some("en"))]);
    assert_eq!(data.concepts[0].schemes, ["http://x.test/s"]);
    assert_eq!(data.concepts[1].schemes, ["http://x.test/t", "http://x.test/s"]);
    assert_eq!(
        (data.concepts[0].file, data.untyped.as_slice()),
        (1, ["http://x.test/c".to_owned()].as_slice())
    );
}

#[test]
fn collections_keep_their_order_and_survive_a_list_that_bites_its_tail() {
    let data = data(&["e:o a skos:OrderedCollection ; skos:prefLabel \"O\" ; skos:memberList ( e:b e:a ) .
        e:l a skos:Collection ; skos:memberList e:x . e:x rdf:first e:a ; rdf:rest e:x ."]);
    assert_eq!(data.collections[0].members, ["http://x.test/b", "http://x.test/a"]);
    assert_eq!(data.collections[1].members, ["http://x.test/a"]);
}

#[test]
fn blank_nodes_of_two_files_are_not_one_and_the_first_vocabulary_stands() {
    let files = [
        "e:a a skos:Concept ; skos:definition _:d . _:d rdf:value \"first\" .",
        "_:d rdf:value \"second\" .",
    ];
    assert_eq!(texts(&data(&files).concepts[0].definitions), [("first", None)]);
    let mut first = data(&["e:a a skos:Concept ; skos:definition \"first\" ."]);
    first.append(data(&["e:a a skos:Concept ; skos:definition \"second\" . e:b a skos:Concept ."]));
    assert_eq!(first.concepts.len(), 2);
    assert_eq!(texts(&first.concepts[0].definitions), [("first", None)]);
}
