use plumbline_core::ports::TextIn;

use super::*;

fn hit(uri: &str, label: &str, tier: LabelMatch) -> LabelHit {
    LabelHit {
        uri: uri.to_owned(),
        vocabulary: 0,
        label: label.to_owned(),
        language: Some("en".to_owned()),
        tier,
        deprecated: false,
    }
}

fn text(text: &str, language: &str) -> TextIn {
    TextIn { text: text.to_owned(), language: (!language.is_empty()).then(|| language.to_owned()) }
}

fn uris(decision: Decision) -> Vec<String> {
    decision.into_hits().into_iter().map(|hit| hit.uri).collect()
}

#[test]
fn folding_unifies_case_space_apostrophes_and_composition_only() {
    for (one, other) in [
        ("Ökosystem", "ÖKOSYSTEM"),
        ("ЭКОСИСТЕМА", "экосистема"),
        ("ΣΟΦΟΣ", "σοφος"),
        ("σοφός", "ΣΟΦΌΣ"),
        ("rose\u{301}", "ROSÉ"),
        ("  double \t space\n", "double space"),
        ("double\u{a0}space", "double space"),
        ("Fermat’s last theorem", "fermat's LAST theorem"),
        ("İstanbul", "i\u{307}stanbul"),
        ("\u{212A}elvin", "kelvin"),
    ] {
        assert_eq!(fold_term(one), fold_term(other), "{one} and {other} are one term");
    }
    for (one, other) in [
        ("café", "cafe"),
        ("Straße", "Strasse"),
        ("ılık", "ilik"),
        ("TCP/IP", "TCP IP"),
        ("C++", "C"),
        ("node", "nodes"),
        ("e-mail", "email"),
        ("the grid", "grid"),
    ] {
        assert_ne!(fold_term(one), fold_term(other), "{one} and {other} are two terms");
    }
}

#[test]
fn folding_twice_changes_nothing() {
    let cased = |c: &char| c.is_lowercase() || c.is_uppercase() || *c < '\u{3000}';
    for c in ('\0'..=char::MAX).filter(cased) {
        let once = fold_term(&format!("a{c}b"));
        assert_eq!(fold_term(&once), once, "U+{:04X}", u32::from(c));
        let lower: String = c.to_lowercase().collect();
        assert_eq!(
            fold_term(&format!("a{lower}b")),
            once,
            "U+{:04X} and its lower case are one",
            u32::from(c)
        );
    }
}

#[test]
fn a_term_must_have_something_to_ask_for() {
    assert_eq!(normalise_term(" A*\u{7}search\r\n").as_deref(), Some("A* search"));
    for nothing in ["", " \n", "*", "** *", &"x".repeat(201)] {
        assert_eq!(normalise_term(nothing), None, "{nothing:?}");
    }
}

#[test]
fn the_best_tier_wins_and_equals_are_ambiguous() {
    let hits = [
        hit("u:hermes", "Mercury", LabelMatch::Alternative),
        hit("u:element", "mercury", LabelMatch::Preferred),
        hit("u:planet", "Mercury", LabelMatch::Preferred),
        hit("u:planet", "MERCURY", LabelMatch::Hidden),
        hit("u:other", "mercurial", LabelMatch::Preferred),
    ];
    assert_eq!(uris(decide("Mercury", Language::EN, hits.clone())), ["u:planet", "u:element"]);
    assert_eq!(uris(decide("mercury", Language::EN, hits.clone())), ["u:element", "u:planet"]);
    assert_eq!(decide("mercur", Language::EN, hits), Decision::NotFound);
}

#[test]
fn candidates_are_ordered_by_language_then_authority_and_are_few() {
    let mut hits: Vec<LabelHit> = (0..9)
        .map(|at| LabelHit { vocabulary: 9 - at, ..hit(&format!("u:{at}"), "x", LabelMatch::Preferred) })
        .collect();
    hits[0].language = Some("nl".to_owned());
    hits[1].language = None;
    hits[2].language = Some("en-GB".to_owned());
    assert_eq!(uris(decide("x", Language::EN, hits.clone())), ["u:8", "u:7", "u:6", "u:5", "u:4"]);
    hits.truncate(4);
    assert_eq!(uris(decide("x", Language::EN, hits.clone())), ["u:3", "u:2", "u:1", "u:0"]);
    assert_eq!(uris(decide("x", Language::NL, hits)), ["u:0", "u:1", "u:3", "u:2"]);
}

#[test]
fn a_concept_in_force_hides_a_deprecated_one_in_any_tier() {
    let old = LabelHit { deprecated: true, ..hit("u:old", "caloric", LabelMatch::Preferred) };
    let new = hit("u:new", "caloric", LabelMatch::Alternative);
    assert_eq!(uris(decide("caloric", Language::EN, [old.clone(), new])), ["u:new"]);
    assert_eq!(uris(decide("caloric", Language::EN, [old])), ["u:old"], "alone it still answers");
}

#[test]
fn a_qualified_label_answers_only_for_what_stands_before_the_qualifier() {
    let hits = [
        hit("u:river", "bank (river)", LabelMatch::Preferred),
        hit("u:money", "Bank (money)", LabelMatch::Preferred),
        hit("u:holiday", "bank holiday", LabelMatch::Preferred),
        hit("u:empty", "bank ()", LabelMatch::Preferred),
    ];
    assert_eq!(decide("bank", Language::EN, hits.clone()), Decision::NotFound);
    assert_eq!(uris(decide_qualified("bank", Language::EN, hits.clone())), ["u:money", "u:river"]);
    assert_eq!(decide_qualified("ban", Language::EN, hits.clone()), Decision::NotFound);
    assert_eq!(decide_qualified("", Language::EN, hits), Decision::NotFound);
}

#[test]
fn definitions_come_in_the_best_language_there_is() {
    let texts = [
        text("fr", "fr"),
        text("gb", "en-GB"),
        text("us", "en-US"),
        text("bare", ""),
        text("nl", "nl"),
        text("nl2", "nl"),
    ];
    let shown = |texts: &[TextIn], language| -> Vec<String> {
        best_texts(texts, language).into_iter().map(|text| text.text).collect()
    };
    assert_eq!(shown(&texts, Language::NL), ["nl", "nl2"]);
    assert_eq!(shown(&texts, Language::EN), ["gb", "us"]);
    assert_eq!(shown(&[text("fr", "fr"), text("bare", "")], Language::EN), ["bare"]);
    assert_eq!(shown(&[text("fr", "fr"), text("fi", "fi"), text("nl", "nl")], Language::EN), ["nl"]);
    assert_eq!(shown(&[text("fr", "fr"), text("fi", "fi")], Language::EN), ["fi"]);
    assert!(best_texts(&[], Language::EN).is_empty());
}

#[test]
fn labels_fall_back_like_definitions() {
    let preferred = [text("Photosynthese", "de"), text("fotosynthese", "nl")];
    let alternative = [text("PS", "en"), text("FS", "nl"), text("A", "")];
    let shown = preferred_label(&preferred, &alternative, Language::EN);
    assert_eq!(shown, Some(text("fotosynthese", "nl")));
    assert_eq!(alternative_labels(&alternative, shown.as_ref(), Language::EN), ["PS", "A", "FS"]);
    assert_eq!(preferred_label(&[], &alternative, Language::EN), Some(text("PS", "en")));
    assert_eq!(preferred_label(&[], &[], Language::EN), None);
}

#[test]
fn tags_have_one_spelling() {
    for (tag, canonical) in
        [("EN", "en"), ("en-gb", "en-GB"), ("zh-hans-cn", "zh-Hans-CN"), ("x-aa", "x-aa"), ("", "")]
    {
        assert_eq!(canonical_tag(tag), canonical);
    }
}

#[test]
fn concept_ids_hold_nothing_but_letters_digits_and_hyphens() {
    assert_eq!(concept_id("https://vocabulary.example.org/lichtveld/cim/cimxml"), "vocab-cimxml");
    assert_eq!(concept_id("https://w3id.org/dpv#PersonalData"), "vocab-PersonalData");
    assert_eq!(concept_id("https://x.test/a/E_01.2/"), "vocab-E-01-2");
    assert_ne!(concept_id("https://x.test/öko"), concept_id("https://x.test/üko"));
    for uri in ["", "https://x.test/ö", "urn:uuid:1-2", "https://x.test/%C3%B6", "/", "日本"] {
        let id = concept_id(uri);
        let fine = id.strip_prefix("vocab-").is_some_and(|slug| !slug.is_empty());
        assert!(fine && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{id}");
    }
}

#[test]
fn nearest_labels_know_slips_plurals_articles_and_notations() {
    let label = |key: &str, shown: &str| SuggestedLabel {
        key: key.to_owned(),
        shown: shown.to_owned(),
        language: Some("en".to_owned()),
    };
    let own = [
        "CIM",
        "CIMXML",
        "topological node",
        "transformer",
        "power transformer",
        "photosynthesis",
        "utility",
    ];
    let labels = own
        .iter()
        .map(|own| label(own, own))
        .chain([label("E-01", "photosynthesis"), label("trafo", "transformer")]);
    let index = NearestLabels::new(labels);
    for (term, expected) in [
        ("cmi", "CIM"),
        ("transfomer", "transformer"),
        ("the transformers", "transformer"),
        ("utilities", "utility"),
        ("node topological", "topological node"),
        ("E-02", "photosynthesis"),
        ("trafoo", "transformer"),
    ] {
        let near = index.nearest(term, Language::EN, 3);
        assert_eq!(near.first().map(String::as_str), Some(expected), "for {term} among {near:?}");
    }
    assert_eq!(index.nearest("qqqq", Language::EN, 3).len(), 3, "there is always a nearest");
    assert!(index.nearest("  ", Language::EN, 3).is_empty());
    assert!(NearestLabels::default().nearest("x", Language::EN, 3).is_empty());
}
