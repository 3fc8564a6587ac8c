//! The gaps and overlaps that the sample vocabulary's README promises.

use plumbline_core::domain::Language;
use plumbline_core::ports::{Concept, LookupOutcome, Vocabulary};
use plumbline_core::response::LabelMatch;

use crate::support::{concepts, sample};

fn slug(concept: &Concept) -> &str {
    concept.uri.rsplit('/').next().unwrap_or_default()
}

fn one(term: &str, language: Language) -> Concept {
    match sample().look_up(term, language) {
        LookupOutcome::Found(concept) => *concept,
        other => panic!("{term} is one concept, not {other:?}"),
    }
}

#[tokio::test]
async fn a_hit_carries_everything_that_is_shown_with_it() {
    let vocabulary = sample();
    let lookup = vocabulary.lookup("  cimXML ", Language::EN).await.unwrap();
    assert!(!lookup.cached);
    let LookupOutcome::Found(concept) = lookup.outcome else { panic!("CIMXML is a concept") };
    assert_eq!(concept.concept_id, "vocab-cimxml");
    assert_eq!(
        (concept.matched, concept.vocabulary.as_str()),
        (LabelMatch::Preferred, "CIM and its standards")
    );
    assert_eq!((concept.source.as_str(), concept.fetched_at.as_str()), ("cim.ttl", "2026-06-30T08:00:00Z"));
    assert!(!concept.definitions.is_empty() && !concept.broader.is_empty());
    assert!(concept.definitions.iter().all(|definition| definition.language.as_deref() == Some("en")));
    let again = vocabulary.concept(&concept.uri, Language::EN).await.unwrap();
    assert_eq!(again.outcome, LookupOutcome::Found(concept), "by its URI it is the same");
    assert_eq!(vocabulary.backend(), "embedded");
    assert_eq!(vocabulary.concept("urn:none", Language::EN).await.unwrap().outcome, LookupOutcome::NotFound);
}

#[test]
fn cim_is_three_things_and_profile_is_its_preferred_label() {
    for language in Language::all() {
        let LookupOutcome::Ambiguous(meanings) = sample().look_up("cim", language) else {
            panic!("CIM is ambiguous")
        };
        let mut slugs: Vec<&str> = meanings.iter().map(slug).collect();
        slugs.sort_unstable();
        assert_eq!(slugs, ["cim-model", "condition-indexed-maintenance", "customer-information-message"]);
        assert!(meanings.iter().all(|meaning| meaning.matched == LabelMatch::Alternative));
    }
    assert_eq!(slug(&one("profile", Language::EN)), "profile");
    assert_eq!(slug(&one("Profiel", Language::NL)), "profile");
}

#[test]
fn concepts_without_a_definition_have_none() {
    for (term, note) in [
        ("cim18", false),
        ("grid-forming-inverter", false),
        ("sf6-free-switchgear", false),
        ("energy-community", false),
        ("dynamic-line-rating", true),
        ("digital-twin", true),
    ] {
        let vocabulary = sample();
        let uri =
            vocabulary.data().concepts.iter().find(|concept| concept.uri.ends_with(&format!("/{term}")));
        let label = &uri.unwrap().preferred[0].text;
        for language in Language::all() {
            let concept = concepts(vocabulary.look_up(label, language)).remove(0);
            assert_eq!(slug(&concept), term);
            assert!(concept.definitions.is_empty(), "{term} has no definition");
            assert_eq!(concept.notes.iter().any(|note| note.kind == "scopeNote"), note, "{term}");
        }
    }
}

#[test]
fn a_definition_in_the_other_language_says_which() {
    let vocabulary = sample();
    for (end, language) in [
        ("model-authority-set", "en"),
        ("boundary-set", "en"),
        ("sampled-values", "en"),
        ("dissolved-gas-analysis", "en"),
        ("installation-responsible-person", "nl"),
        ("klic-notification", "nl"),
        ("residence-function", "nl"),
        ("standard-annual-consumption", "nl"),
    ] {
        let known = vocabulary
            .data()
            .concepts
            .iter()
            .find(|concept| concept.uri.ends_with(&format!("/{end}")))
            .unwrap();
        for asked in Language::all() {
            let concept = concepts(vocabulary.by_uri(&known.uri, asked)).remove(0);
            let languages: Vec<Option<&str>> =
                concept.definitions.iter().map(|definition| definition.language.as_deref()).collect();
            assert_eq!(languages, [Some(language)], "{end} asked in {}", asked.code());
        }
    }
}

#[test]
fn two_definitions_in_one_language_are_both_shown() {
    assert_eq!(one("flexibility", Language::EN).definitions.len(), 2);
}

#[test]
fn deprecated_concepts_name_their_successors() {
    let vocabulary = sample();
    for (old, new) in [
        ("cim16-profile-set", "cim17-profile-set"),
        ("cim-rdf-exchange-file", "cimxml"),
        ("transport-bottleneck", "congestion"),
        ("condition-score", "health-index"),
        ("programme-responsible-party", "balance-responsible-party"),
        ("regional-network-operator", "distribution-system-operator"),
    ] {
        let known = vocabulary
            .data()
            .concepts
            .iter()
            .find(|concept| concept.uri.ends_with(&format!("/{old}")))
            .unwrap();
        let found = concepts(vocabulary.look_up(&known.preferred[0].text, Language::EN));
        let concept = found.iter().find(|concept| slug(concept) == old).expect(old);
        assert!(concept.deprecated && !concept.definitions.is_empty());
        let successors: Vec<&str> =
            concept.replaced_by.iter().filter_map(|link| link.uri.rsplit('/').next()).collect();
        assert_eq!(successors, [new]);
        assert_ne!(concept.replaced_by[0].label, concept.replaced_by[0].uri, "by its label");
    }
}

#[tokio::test]
async fn hidden_labels_lead_to_their_concept_and_are_never_shown() {
    let vocabulary = sample();
    for misspelt in ["transfomer", "CIMXLM", "netbeheeder"] {
        let concept = one(misspelt, Language::NL);
        assert_eq!(concept.matched, LabelMatch::Hidden);
    }
    for concept in &vocabulary.data().concepts {
        for hidden in &concept.hidden {
            let shown = concepts(vocabulary.by_uri(&concept.uri, Language::EN)).remove(0);
            assert!(!shown.alternative_labels.contains(&hidden.text), "{}", hidden.text);
            let near = vocabulary.nearest_labels(&format!("{}x", hidden.text), Language::EN, 3).await;
            let known = |label: &str| {
                let labels = |concept: &plumbline_vocabulary::skos::SkosConcept| {
                    concept.preferred.iter().chain(&concept.alternative).any(|text| text.text == label)
                };
                vocabulary.data().concepts.iter().any(labels)
            };
            assert!(near.iter().all(|label| known(label)), "{near:?}");
        }
    }
}

#[tokio::test]
async fn plurals_and_articles_are_suggested_and_never_matched() {
    let vocabulary = sample();
    for (term, meant) in [("the flexibility", "flexibility"), ("topological nodes", "topological node")] {
        assert_eq!(vocabulary.look_up(term, Language::EN), LookupOutcome::NotFound);
        let near = vocabulary.nearest_labels(term, Language::EN, 3).await;
        assert!(near.iter().any(|label| label.eq_ignore_ascii_case(meant)), "{term}: {near:?}");
    }
}

#[tokio::test]
async fn questions_are_widened_with_other_labels_and_within_bounds() {
    let vocabulary = sample();
    let more = vocabulary.expansions("How do we exchange CIMXML files with the DSO?", Language::EN).await;
    let own = one("cimxml", Language::EN);
    assert!(own.alternative_labels.iter().any(|label| more.contains(label)), "{more:?}");
    assert!(more.iter().any(|label| label.eq_ignore_ascii_case("distribution system operator")), "{more:?}");
    assert!(!more.iter().any(|label| label.eq_ignore_ascii_case("cimxml")), "it is there already");
    assert!(vocabulary.expansions("nothing of the kind", Language::EN).await.is_empty());
    assert!(vocabulary.expansions("", Language::EN).await.is_empty());
    let meanings = vocabulary.expansions("CIM", Language::EN).await;
    assert!(meanings.len() >= 3, "the preferred labels of each meaning: {meanings:?}");
    let all: String = vocabulary
        .data()
        .concepts
        .iter()
        .map(|concept| format!("{} and ", concept.preferred[0].text))
        .collect();
    assert!(vocabulary.expansions(&all, Language::NL).await.len() <= 12);
}

#[test]
fn the_concepts_about_a_topic_are_those_whose_labels_hold_it_and_those_below_it() {
    let about = |topic: &str, language: Language| {
        let found = sample().concepts_about(topic, language, 50);
        found.into_iter().map(|concept| concept.preferred_label).collect::<Vec<_>>()
    };
    let english = about("congestion", Language::EN);
    for label in ["congestion", "congestion management", "congestion service provider"] {
        assert!(english.iter().any(|found| found == label), "{label}: {english:?}");
    }
    assert!(!english.iter().any(|label| label == "flexibility bid"), "{english:?}");
    let dutch = about("congestie", Language::NL);
    assert!(dutch.iter().any(|label| label == "congestiemanagement"), "in a longer word: {dutch:?}");
    assert!(dutch.is_sorted_by_key(|label| label.to_lowercase()), "by label: {dutch:?}");
    let above = one("congestion management", Language::EN).broader.remove(0);
    let below = about(&above.label, Language::EN);
    assert!(below.iter().any(|label| label == "congestion management"), "{above:?}");
    assert!(about("kafka", Language::EN).is_empty());
    assert_eq!(sample().concepts_about("congestion", Language::EN, 2).len(), 2, "no more");
}
