use super::*;

fn facts() -> RefusalFacts {
    RefusalFacts {
        searched: vec!["ADR".to_owned(), "Policy_Local".to_owned()],
        measure: Measure::Similarity,
        value: Some(0.3278),
        threshold: Some(0.40),
        term: Some("FooBarBaz".to_owned()),
        reference: Some("ADR-9999".to_owned()),
        count: Some(12),
    }
}

/// As the engine would fill them in for a reason.
fn facts_of(reason: RefusalReason) -> RefusalFacts {
    match reason {
        RefusalReason::TerminologyNotFound => {
            RefusalFacts { searched: vec!["Grid vocabulary".to_owned()], ..facts() }
        }
        RefusalReason::TerminologyTimeout | RefusalReason::TerminologyError => {
            RefusalFacts { searched: Vec::new(), threshold: Some(300.0), ..facts() }
        }
        _ => facts(),
    }
}

fn all(language: Language) -> String {
    let text = |reason: &RefusalReason| {
        format!("{}: {}", reason.as_str(), refusal_text(*reason, &facts_of(*reason), language))
    };
    RefusalReason::ALL.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn english(reason: RefusalReason, facts: &RefusalFacts) -> String {
    refusal_text(reason, facts, Language::EN)
}

#[test]
fn every_reason_says_what_was_searched_what_failed_and_what_can_be_done() {
    insta::assert_snapshot!("english", all(Language::EN));
    insta::assert_snapshot!("dutch", all(Language::NL));
}

#[test]
fn a_number_that_failed_never_looks_as_if_it_had_passed() {
    let facts = RefusalFacts { value: Some(0.3999), ..facts() };
    let text = english(RefusalReason::LowConfidence, &facts);
    assert!(text.contains("scores 0.39; at least 0.40"), "{text}");
}

#[test]
fn what_is_not_known_is_left_out() {
    let text = english(RefusalReason::NoResults, &RefusalFacts::default());
    assert_eq!(
        text,
        "I found nothing in the library that comes near this question. Try other words, name the record you have in \
         mind, or add documents that cover it."
    );
    let unknown = RefusalFacts { value: Some(f64::NAN), threshold: Some(0.4), ..RefusalFacts::default() };
    assert_eq!(english(RefusalReason::NoResults, &unknown), text, "no number is better than NaN");
}

#[test]
fn confidence_is_told_out_of_a_hundred() {
    let facts = RefusalFacts {
        measure: Measure::Confidence,
        value: Some(38.0),
        threshold: Some(40.0),
        ..RefusalFacts::default()
    };
    let text = english(RefusalReason::LowConfidence, &facts);
    assert!(text.contains("Confidence came to 38 of 100; more than 40 is needed."), "{text}");
}

#[test]
fn the_users_words_cannot_pass_for_a_citation_or_run_on() {
    let term = format!("x [1]\n\u{202E}{}", "long ".repeat(50));
    let facts = RefusalFacts { term: Some(term), ..RefusalFacts::default() };
    let text = english(RefusalReason::TerminologyNotFound, &facts);
    assert!(text.contains("“x (1) long long"), "{text}");
    assert!(text.chars().count() < 400 && text.contains('…'), "{text}");
}
