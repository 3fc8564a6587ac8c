//! What the client makes of both versions' own answers, as recorded.

use std::time::Duration;

use plumbline_core::domain::Language;
use plumbline_core::ports::{LookupOutcome, Vocabulary, VocabularyError};
use plumbline_core::response::LabelMatch;
use plumbline_testkit::skosmos_server::{Exchange, Fault, Recordings, SkosmosServer};

use crate::client_world::{
    Client, RECORDED_WITH, VERSIONS, definitions, lookups, patient, strict, unavailable, version, version_but,
};

/// A server of each version and a client of its vocabulary `edge`.
async fn each() -> Vec<(&'static str, SkosmosServer, Client)> {
    let mut all = Vec::new();
    for name in VERSIONS {
        let server = SkosmosServer::start(version(name)).await;
        let client = patient(&[(&server, &["edge"])]);
        all.push((name, server, client));
    }
    all
}

#[tokio::test]
async fn hits_by_every_kind_of_label() {
    for (name, _server, client) in each().await {
        for (term, tier) in [
            ("photosynthesis", LabelMatch::Preferred),
            ("PHOTOSYNTHESIS", LabelMatch::Preferred),
            ("Photosynthese", LabelMatch::Preferred),
            ("carbon assimilation", LabelMatch::Alternative),
            ("Carbon Assimilation", LabelMatch::Alternative),
            ("fotosynthesis", LabelMatch::Hidden),
        ] {
            let concept = client.found(term).await;
            assert_eq!(
                (concept.uri.as_str(), concept.matched),
                ("http://example.test/edge/c01", tier),
                "{name}: {term}"
            );
            assert_eq!(concept.preferred_label, "photosynthesis");
            assert_eq!(concept.alternative_labels, ["PS", "carbon assimilation"]);
            assert_eq!(
                definitions(&concept),
                ["Process by which plants convert light energy into chemical energy."]
            );
            assert_eq!(concept.narrower[0].label, "light reaction");
            assert_eq!(concept.related[0].label, "chlorophyll");
            assert_eq!((concept.concept_id.as_str(), concept.source.as_str()), ("vocab-c01", "SKOSMOS"));
            assert_eq!(concept.vocabulary, "Edge cases (project-made)");
            assert_eq!(concept.fetched_at, "2026-03-01T12:00:00Z");
        }
        let only = client.found("only alt").await;
        assert_eq!((only.preferred_label.as_str(), only.matched), ("only alt", LabelMatch::Alternative));
    }
}

#[tokio::test]
async fn definitions_are_the_servers_own_bytes_in_the_best_language() {
    for (name, _server, client) in each().await {
        for (term, expected, language) in [
            ("loner", vec!["A concept with no links at all."], Some("en")),
            (
                "grana",
                vec!["First line of the definition.\nSecond line, with comma.\r\nThird line."],
                Some("en"),
            ),
            ("stroma", vec!["Colourless fluid surrounding the grana."], Some("en")),
            ("lamella", vec!["Sheet-like membrane."], Some("en")),
            ("pigment", vec!["Untagged definition of pigment."], None),
            ("chlorophyll", vec!["Vihreä väriaine."], Some("fi")),
            ("thylakoid", vec![], None),
            ("colour", vec!["British definition of colour.", "American definition of color."], Some("en-GB")),
            // What `fields=definition` makes of this one stands in the very row that the client was given.
            ("garbler", vec!["First line of garbler.\nalpha, beta, gamma"], Some("en")),
            (
                "C++ & <templates>",
                vec!["Label with plus, ampersand, angle brackets: a < b && b > c."],
                Some("en"),
            ),
        ] {
            let concept = client.found(term).await;
            assert_eq!(definitions(&concept), expected, "{name}: {term}");
            let first = concept.definitions.first().and_then(|text| text.language.as_deref());
            assert_eq!(first, language, "{name}: {term}");
        }
        let several = client.found("light reaction").await;
        let mut texts = definitions(&several);
        texts.sort_unstable();
        let expected =
            ["First definition of light reaction.", "Second definition, with a comma and a \"quoted\" word."];
        assert_eq!(texts, expected, "{name}: their order is the server's own");
        assert_eq!(several.broader[0].label, "photosynthesis");
        let noted = client.found("stoma").await;
        assert!(noted.definitions.is_empty(), "{name}: a scope note is no definition");
        assert_eq!(
            (noted.notes[0].kind.as_str(), noted.notes[0].text.as_str()),
            ("scopeNote", "Use for leaf pores.")
        );
    }
}

#[tokio::test]
async fn misses_are_misses() {
    for (name, server, client) in each().await {
        client.unknown("xyzzyplugh").await;
        client.unknown("phlogiston").await;
        for other in ["cafe", "Strasse", "Okosystem", "istanbul"] {
            client.unknown(other).await;
        }
        assert_eq!(server.count("/data"), 0, "{name}: nothing was taken for a match");
    }
}

#[tokio::test]
async fn one_label_of_several_concepts_is_ambiguous() {
    for (name, _server, client) in each().await {
        let planets = client.ambiguous("mercury").await;
        let uris: Vec<&str> = planets.iter().map(|concept| concept.uri.as_str()).collect();
        assert_eq!(
            uris,
            ["http://example.test/edge/c13", "http://example.test/edge/c14"],
            "{name}: not Hermes, whose other name it is; the exact one first"
        );
        assert_eq!(definitions(&planets[0]), ["Chemical element Hg."]);
        let again = client.ambiguous("Mercury").await;
        assert_eq!(
            again[0].uri, "http://example.test/edge/c14",
            "{name}: the same answer to another spelling"
        );
    }
    let server = SkosmosServer::start(lookups()).await;
    let client = patient(&[(&server, &RECORDED_WITH)]);
    let vocabularies: Vec<String> =
        client.ambiguous("photosynthesis").await.into_iter().map(|c| c.vocabulary).collect();
    assert_eq!(
        vocabularies,
        ["Edge cases (project-made)", "Edge cases 2 (showDeprecated, searchByNotation)"]
    );
}

#[tokio::test]
async fn labels_in_every_script_are_found() {
    for (name, _server, client) in each().await {
        for (term, uri) in [
            ("Ökosystem", "c17"),
            ("ökosystem", "c17"),
            ("ÖKOSYSTEM", "c17"),
            ("экосистема", "c17"),
            ("ЭКОСИСТЕМА", "c17"),
            ("生态系统", "c17"),
            ("نظام بيئي", "c17"),
            ("Straße", "c18"),
            ("café", "c19"),
            ("cafe\u{301}", "c19"),
            ("emoji 🌱 sprout", "c21"),
            ("İstanbul", "c22"),
            ("\"scare quotes\"", "c23"),
            ("Fermat's last theorem", "c24"),
            ("Fermat’s last theorem", "c24"),
            ("TCP/IP", "c26"),
            ("A* search", "c27"),
            ("back\\slash", "c28"),
            ("untagged label", "c32"),
        ] {
            let concept = client.found(term).await;
            assert_eq!(concept.uri, format!("http://example.test/edge/{uri}"), "{name}: {term}");
        }
        assert_eq!(
            client.found("back\\slash").await.preferred_label,
            "back\\slash",
            "{name}: `/data` doubles it"
        );
    }
}

#[tokio::test]
async fn a_qualified_label_answers_for_the_bare_term() {
    for (name, server, client) in each().await {
        let river = r#"{"uri":"http://example.test/edge/c25","type":["skos:Concept"],"prefLabel":"bank (river)","lang":"en","vocab":"edge"}"#;
        let other = r#"{"uri":"http://example.test/edge/c99","type":["skos:Concept"],"prefLabel":"bank holiday","lang":"en","vocab":"edge"}"#;
        let data = r#"{"uri":"http://example.test/edge/c25","http://www.w3.org/2004/02/skos/core#prefLabel":"bank (river)"}"#;
        let rows = format!("{{\"results\":[{river},{other}]}}");
        server.replay(
            version(name)
                .with_json("/rest/v1/edge/search?query=bank%2A&labellang=en&type=skos%3AConcept&unique=true&maxhits=20", &rows)
                .with_json("/rest/v1/edge/data?uri=http%3A%2F%2Fexample.test%2Fedge%2Fc25&format=application%2Fld%2Bjson", data),
        );
        let bank = client.found("bank").await;
        assert_eq!(
            (bank.preferred_label.as_str(), bank.matched),
            ("bank (river)", LabelMatch::Preferred),
            "{name}"
        );
        assert_eq!(server.count("/search"), 2, "{name}: the term, then the term with a qualifier");
        assert!(client.lookup("BANK").await.unwrap().cached);
    }
}

#[tokio::test]
async fn a_notation_is_a_label_where_the_vocabulary_searches_by_it() {
    for name in VERSIONS {
        let data =
            "/rest/v1/edge2/data?uri=http%3A%2F%2Fexample.test%2Fedge2%2Fd2&format=application%2Fld%2Bjson";
        let body = r#"{"uri":"http://example.test/edge2/d2","http://www.w3.org/2004/02/skos/core#notation":"X2.5",
            "http://www.w3.org/2004/02/skos/core#prefLabel":{"lang":"en","value":"thermal energy"}}"#;
        let server =
            SkosmosServer::start(version_but(name, Recordings::default().with_json(data, body))).await;
        let client = patient(&[(&server, &["edge2"])]);
        let concept = client.found("X2.5").await;
        assert_eq!(
            (concept.preferred_label.as_str(), concept.matched),
            ("thermal energy", LabelMatch::Notation),
            "{name}"
        );
        // 2.x calls a missing title `false`, 3.x `null`; the scheme's title stands in, and without one the id.
        assert_eq!(concept.vocabulary, "edge2", "{name}");
    }
}

#[tokio::test]
async fn a_deprecated_concept_says_so_and_gives_way_to_one_in_force() {
    for name in VERSIONS {
        let target = |id: &str| {
            format!(
                "/rest/v1/edge2/data?uri=http%3A%2F%2Fexample.test%2Fedge2%2F{id}&format=application%2Fld%2Bjson"
            )
        };
        let context = r#""@context":{"skos":"http://www.w3.org/2004/02/skos/core#","dct":"http://purl.org/dc/terms/","owl":"http://www.w3.org/2002/07/owl#"}"#;
        let old = format!(
            r#"{{{context},"uri":"http://example.test/edge2/d1","skos:prefLabel":{{"lang":"en","value":"caloric"}},
            "skos:definition":{{"lang":"en","value":"Obsolete heat fluid."}},"owl:deprecated":true,
            "dct:isReplacedBy":{{"uri":"http://example.test/edge2/d2"}}}}"#
        );
        let new = format!(
            r#"{{{context},"uri":"http://example.test/edge2/d2","skos:prefLabel":{{"lang":"en","value":"thermal energy"}},
            "skos:altLabel":{{"lang":"en","value":"caloric"}}}}"#
        );
        let own = || Recordings::default().with_json(&target("d1"), &old).with_json(&target("d2"), &new);
        let server = SkosmosServer::start(version_but(name, own())).await;
        let client = patient(&[(&server, &["edge2"])]);
        let caloric = client.found("caloric").await;
        assert!(caloric.deprecated, "{name}: the row does not tell, the data does");
        assert_eq!(caloric.replaced_by[0].label, "thermal energy", "{name}: followed, for its label");

        // A second concept has the term as its other name: the one in force answers.
        let rows = r#"{"results":[
            {"uri":"http://example.test/edge2/d1","prefLabel":"caloric","lang":"en","vocab":"edge2"},
            {"uri":"http://example.test/edge2/d2","prefLabel":"thermal energy","altLabel":"caloric","lang":"en","vocab":"edge2"}]}"#;
        let search =
            "/rest/v1/edge2/search?query=caloric&labellang=en&type=skos%3AConcept&unique=true&maxhits=20";
        server.replay(version_but(name, own().with_json(search, rows)));
        let client = patient(&[(&server, &["edge2"])]);
        let answer = client.found("caloric").await;
        assert_eq!(
            (answer.uri.as_str(), answer.matched),
            ("http://example.test/edge2/d2", LabelMatch::Alternative)
        );
    }
}

#[tokio::test]
async fn the_other_language_is_asked_for_and_falls_back() {
    for (name, _server, client) in each().await {
        let lookup = client.skosmos.lookup("photosynthesis", Language::NL).await.unwrap();
        let LookupOutcome::Found(concept) = lookup.outcome else { panic!("{name}: found in any language") };
        assert_eq!(concept.preferred_label, "photosynthesis", "{name}: there is no Dutch label");
        assert_eq!(concept.definitions[0].language.as_deref(), Some("en"), "{name}: nor a Dutch definition");
        assert!(
            !client.lookup("photosynthesis").await.unwrap().cached,
            "{name}: a language has answers of its own"
        );
    }
}

/// A server whose every answer to a search, and to a request for data, is one of those of a failing store.
fn failing(name: &str, search: &str, data: Option<&str>) -> Recordings {
    let all = version(name);
    let as_if = |target: &str, recorded: &Exchange| Exchange {
        name: String::new(),
        target: target.to_owned(),
        ..recorded.clone()
    };
    let searched = all.named(search).unwrap();
    let mut recordings = Recordings::default();
    for query in ["photosynthesis", "photosynthesis%2A"] {
        let target = format!(
            "/rest/v1/edge/search?query={query}&labellang=en&type=skos%3AConcept&unique=true&maxhits=20"
        );
        recordings = recordings.with(as_if(&target, searched));
    }
    if let Some(data) = data.map(|data| all.named(data).unwrap()) {
        let target =
            "/rest/v1/edge/data?uri=http%3A%2F%2Fexample.test%2Fedge%2Fc01&format=application%2Fld%2Bjson";
        recordings = recordings.with(as_if(target, data));
    }
    recordings.and(all).loosely()
}

// 2.18.1 was recorded with a sound store only, so its store fails as that of 3.3 does.

#[tokio::test]
async fn a_store_that_fails_is_an_error_and_its_host_is_not_told() {
    for (search, data) in [
        ("backend-down-vsearch", None),
        ("backend-http503-vsearch", None),
        ("vsearch-exact-hit", Some("backend-down-data")),
        ("vsearch-exact-hit", Some("backend-http503-data")),
        ("vsearch-exact-hit", Some("backend-garbage-data")),
    ] {
        let server = SkosmosServer::start(failing("v3.3", search, data)).await;
        let client = patient(&[(&server, &["edge"])]);
        let Err(VocabularyError::Unavailable(told)) = client.lookup("photosynthesis").await else {
            panic!("{search} and {data:?} are a failure")
        };
        let told = told.to_string();
        assert!(told.starts_with(server.address()), "{told}");
        assert!(!told.contains("9091") && !told.contains("SPARQL"), "{told}");
    }
}

#[tokio::test]
async fn a_store_that_hangs_is_a_timeout_whatever_the_server_says_in_the_end() {
    let server = SkosmosServer::start(failing("v3.3", "backend-hang-lookup", None)).await;
    // Skosmos gives its store 20 seconds, and then answers 500.
    server.misbehave("/search", Fault::Delay(Duration::from_secs(20)));
    let client = strict(&[(&server, &["edge"])]);
    assert_eq!(client.lookup("photosynthesis").await, Err(VocabularyError::Timeout(300)));
}

#[tokio::test]
async fn a_store_that_lies_looks_like_a_miss_and_never_like_a_hit() {
    let server = SkosmosServer::start(failing("v3.3", "backend-garbage-vsearch", None)).await;
    patient(&[(&server, &["edge"])]).unknown("photosynthesis").await;
}

#[tokio::test]
async fn refusals_of_the_contract_are_errors() {
    for name in VERSIONS {
        for (recorded, status) in
            [("data-bad-format", 406), ("long-query-9000", 414), ("vsearch-fields-curie", 500)]
        {
            let server = SkosmosServer::start(failing(name, recorded, None)).await;
            let client = patient(&[(&server, &["edge"])]);
            let told = format!("{} answered with status {status}", server.address());
            let problem = client.lookup("photosynthesis").await.unwrap_err();
            assert_eq!(problem.to_string(), unavailable(&told), "{name}");
        }
    }
}
