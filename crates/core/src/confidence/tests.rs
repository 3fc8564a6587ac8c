use proptest::prelude::*;

use super::*;

fn flags(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn adjusted(base: f64, names: &[&str]) -> f64 {
    RetrievalQuality::from_retrieval(base, &flags(names)).confidence_score
}

#[test]
fn conf_01_normal_operation_keeps_the_score() {
    let quality = RetrievalQuality::from_retrieval(0.85, &[]);
    assert_eq!((quality.confidence_score, quality.confidence_level), (0.85, ConfidenceLevel::High));
    assert!(!quality.fallback_active && !quality.degraded);
}

#[test]
fn conf_02_bm25_fallback() {
    let quality = RetrievalQuality::from_retrieval(0.85, &flags(&["bm25_only"]));
    assert_eq!((quality.confidence_score, quality.confidence_level), (0.68, ConfidenceLevel::Medium));
    assert!(quality.degraded && quality.fallback_reasons == ["bm25_only"]);
}

#[test]
fn conf_03_circuit_open() {
    assert_eq!(adjusted(0.90, &["circuit_open"]), 0.72);
}

#[test]
fn conf_04_several_fallbacks_cost_no_more_than_one() {
    assert_eq!(adjusted(0.80, &["bm25_only", "circuit_open"]), 0.64);
}

#[test]
fn conf_05_low_base_and_fallback_abstains() {
    assert_eq!(adjusted(0.50, &["bm25_only"]), 0.40);
    let signals = Signals { retrieval: 0.5, coverage: 0.5, llm: Some(50) };
    let score = score(signals, &flags(&["bm25_only"]), 0.8);
    assert_eq!((score.overall, score.adjusted), (50, 40));
    assert_eq!(allowed_action(score.adjusted, 60, 40), AllowedAction::Abstain);
}

#[test]
fn the_statement_is_worded_as_the_seed_words_it() {
    let of = |base, names: &[&str], language| {
        TransparencyStatement::from_quality(&RetrievalQuality::from_retrieval(base, &flags(names)), language)
    };
    let degraded = of(0.85, &["bm25_only", "circuit_open"], Language::EN);
    assert_eq!(
        degraded.statement.as_deref(),
        Some(
            "This response uses simplified search (bm25_only, circuit_open). Results may be less comprehensive."
        )
    );
    assert!(degraded.show_to_user);
    assert_eq!(
        of(0.5, &[], Language::EN).statement.as_deref(),
        Some("Limited relevant information found. Consider rephrasing your question.")
    );
    let fine = of(0.7, &[], Language::EN);
    assert_eq!((fine.statement.as_deref(), fine.show_to_user), (None, false));
    assert_eq!(fine.and("One more thing.").statement.as_deref(), Some("One more thing."));
    assert!(of(0.7, &["bm25_only"], Language::NL).statement.unwrap().starts_with("Dit antwoord berust op"));
}

#[test]
fn test_calculate_coverage() {
    let passages = ["The gateway terminates TLS 1.3.", "Meter data is kept for 15 months by the platform."];
    let covered = |answer: &str| coverage(answer, &passages, Language::EN);
    assert_eq!(
        covered("Metering data is kept for 15 months [2]."),
        1.0,
        "inflection and markers make no difference"
    );
    assert_eq!(covered("Invoices are archived abroad."), 0.0);
    assert_eq!(covered("Data is kept for 18 months."), 0.75, "data, kept and month, but not 18");
    assert_eq!(covered("[1] [1, 2] [SourceId: adr-0001:2]"), 0.0, "markers alone say nothing");
    assert_eq!(covered(""), 0.0);
    let dutch = coverage(
        "Meetgegevens bewaren we 15 maanden.",
        &["Wij bewaren de meetgegevens 15 maanden."],
        Language::NL,
    );
    assert_eq!(dutch, 1.0);
}

#[test]
fn test_calculate_confidence_hybrid() {
    let of = |retrieval, coverage, llm| score(Signals { retrieval, coverage, llm }, &[], 0.8);
    assert_eq!(of(0.8, 0.9, Some(85)).overall, 85, "24 + 36 + 25.5, cut");
    assert_eq!(of(1.0, 1.0, Some(100)).overall, 100);
    assert_eq!(of(1.0, 0.0, Some(0)).overall, 30);
    assert_eq!(of(0.0, 1.0, Some(0)).overall, 40);
    assert_eq!(of(0.0, 0.0, Some(100)).overall, 30);
    assert_eq!(
        of(0.7, 0.6, Some(50)).overall,
        60,
        "21 + 24 + 15 is 60, whatever binary fractions make of it"
    );
    let without = of(0.7, 0.7, None);
    assert_eq!((without.overall, without.adjusted, without.llm_score), (70, 70, None), "renormalised");
    assert_eq!(of(f64::NAN, f64::NAN, None).overall, 0);
    assert_eq!(of(7.0, -3.0, Some(255)).overall, 60, "out of range is cut to range");
}

#[test]
fn allowed_actions_at_the_edges() {
    for (adjusted, expected) in [
        (100, AllowedAction::Cite),
        (60, AllowedAction::Cite),
        (59, AllowedAction::Route),
        (41, AllowedAction::Route),
        (40, AllowedAction::Abstain),
        (0, AllowedAction::Abstain),
    ] {
        assert_eq!(allowed_action(adjusted, 60, 40), expected, "{adjusted}");
    }
    let degraded =
        score(Signals { retrieval: 0.51, coverage: 0.51, llm: Some(51) }, &flags(&["extractive"]), 0.8);
    assert_eq!(degraded.adjusted, 41, "40.8 is over 40");
}

proptest! {
    #[test]
    fn more_of_any_signal_never_lowers_confidence(
        retrieval in 0.0..1.0_f64, coverage in 0.0..1.0_f64, llm in prop::option::of(0..100_u8), more in 0.0..1.0_f64,
    ) {
        let base = score(Signals { retrieval, coverage, llm }, &[], 0.8);
        for raised in [
            Signals { retrieval: retrieval + more, coverage, llm },
            Signals { retrieval, coverage: coverage + more, llm },
            Signals { retrieval, coverage, llm: llm.map(|rating| rating + 1) },
        ] {
            prop_assert!(score(raised, &[], 0.8).overall >= base.overall);
        }
        let degraded = score(Signals { retrieval, coverage, llm }, &flags(&["bm25_only"]), 0.8);
        prop_assert!(degraded.overall == base.overall && degraded.adjusted <= base.adjusted);
    }
}
