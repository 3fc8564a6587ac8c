use plumbline_core::domain::{Candidate, Chunk, EmbedderFamily, Kind, Language};
use plumbline_core::gates::{Gate, GateInput, GateReport, Support, run_gates};
use plumbline_core::intent::Question;
use plumbline_core::refusal::Measure;
use plumbline_core::response::RefusalReason;
use plumbline_core::retrieval::{Cut, FilterRules, apply_filters};
use plumbline_core::settings::Thresholds;
use plumbline_testkit::documents::{adr, candidate, chunk, dutch_policy, policy, principle};
use proptest::prelude::*;

const OLLAMA: EmbedderFamily = EmbedderFamily::Ollama;

fn thresholds(text: &str) -> Thresholds {
    Thresholds::parse("test.yaml", text).unwrap()
}

fn decide(question: &str, kept: &[Candidate], family: EmbedderFamily) -> GateReport {
    decide_with(&Thresholds::default(), &Question::read(question, Language::EN), kept, family, None)
}

fn decide_with(
    thresholds: &Thresholds,
    question: &Question,
    kept: &[Candidate],
    family: EmbedderFamily,
    cross_language_cosine: Option<f32>,
) -> GateReport {
    let support = Support { foreign: cross_language_cosine, ..Support::default() };
    run_gates(&GateInput { kept, question, family, thresholds, support, likelihood: None })
}

/// Passages that hold the whole question, with these scores.
fn passages(text: &str, scores: &[f32]) -> Vec<Candidate> {
    let of =
        |(at, score): (usize, &f32)| candidate(chunk(&adr(at as u32 + 1, "Title"), 0, &[], text), *score);
    scores.iter().enumerate().map(of).collect()
}

fn gates(report: &GateReport) -> Vec<(Gate, bool)> {
    report.outcomes.iter().map(|outcome| (outcome.gate, outcome.passed)).collect()
}

/// The gate that refused, the reason, what was measured and the two numbers, to two decimals.
fn refusal(report: &GateReport) -> (Gate, RefusalReason, Measure, String, String) {
    let refusal = report.refusal.unwrap_or_else(|| panic!("passed: {report:?}"));
    let number = |value: f64| format!("{value:.2}");
    (refusal.gate, refusal.reason, refusal.measure, number(refusal.value), number(refusal.threshold))
}

/// FIVE's three examples, with the gates that were made of them.
#[test]
fn test_retriever_no_context_threshold() {
    let broken = "My network is broken";
    let weak = decide(broken, &passages(broken, &[0.31, 0.28, 0.25]), OLLAMA);
    assert_eq!(
        refusal(&weak),
        (Gate::BailOut, RefusalReason::LowConfidence, Measure::Similarity, "0.31".into(), "0.40".into()),
        "example 1, weak match: three hits, mean 0.28"
    );

    let quantum = "Quantum teleportation internet";
    let few = decide(quantum, &passages(quantum, &[0.41]), OLLAMA);
    assert_eq!(
        refusal(&few),
        (Gate::Sufficiency, RefusalReason::LowConfidence, Measure::Similarity, "0.41".into(), "0.65".into()),
        "example 2, too few hits: one vaguely related"
    );
    let none = decide(quantum, &[], OLLAMA);
    assert_eq!(
        refusal(&none),
        (Gate::BailOut, RefusalReason::NoResults, Measure::Similarity, "0.00".into(), "0.40".into()),
        "nothing at all has a reason of its own"
    );

    let led = "PON LED blinking red";
    let good = decide(led, &passages(led, &[0.82, 0.71, 0.69, 0.66, 0.6]), OLLAMA);
    assert_eq!(good.refusal, None, "example 3, good match");
}

#[test]
fn gates_are_met_in_order_and_the_first_that_fails_decides() {
    let question = "Which kestrel gateway encrypts pump telemetry?";
    let (far, off) = ("Nothing of the kind.", "The kestrel gateway.");
    let report = decide(question, &passages(far, &[0.10]), OLLAMA);
    assert_eq!(gates(&report), [(Gate::Coverage, false)]);
    assert_eq!(
        refusal(&report),
        (Gate::Coverage, RefusalReason::LowConfidence, Measure::Coverage, "0.00".into(), "0.20".into())
    );

    let report = decide(question, &passages(off, &[0.39]), OLLAMA);
    assert_eq!(gates(&report), [(Gate::Coverage, true), (Gate::BailOut, false)]);
    assert_eq!(refusal(&report).0, Gate::BailOut);

    let report = decide(question, &passages(off, &[0.40]), OLLAMA);
    assert_eq!(gates(&report), [(Gate::Coverage, true), (Gate::BailOut, true), (Gate::Sufficiency, false)]);

    let report = decide(question, &passages(off, &[0.65]), OLLAMA);
    assert_eq!(
        gates(&report),
        [(Gate::Coverage, true), (Gate::BailOut, true), (Gate::Sufficiency, true), (Gate::Keywords, false)]
    );
    assert_eq!(report.refusal, None, "missing words are a warning, not a refusal");
    assert_eq!(report.missing_words, ["encrypts", "pump", "telemetry"]);

    let report = decide(question, &passages(question, &[0.65]), OLLAMA);
    assert_eq!(gates(&report)[3], (Gate::Keywords, true));
    assert!(report.missing_words.is_empty() && report.refusal.is_none());
}

#[test]
fn each_gate_has_its_own_counter() {
    let all = [Gate::Coverage, Gate::BailOut, Gate::Sufficiency, Gate::Keywords, Gate::Planner];
    let names: Vec<&str> = all.iter().map(|gate| gate.as_str()).collect();
    assert_eq!(names, ["coverage", "bail_out", "sufficiency", "keywords", "planner"]);
}

#[test]
fn sufficiency_is_one_good_hit_two_fair_ones_or_three_on_average() {
    let question = "Kestrel gateway";
    for (scores, passes, why) in [
        (&[0.65][..], true, "one at 0.65"),
        (&[0.649], false, "one just under"),
        (&[0.55, 0.41], true, "two, the best at 0.55"),
        (&[0.55], false, "0.55 alone"),
        (&[0.549, 0.50], false, "two, the best just under"),
        (&[0.52, 0.51, 0.48], true, "FIVE's scenario 1: three, mean 0.503"),
        (&[0.52, 0.51, 0.46], false, "three, mean 0.497"),
        (&[0.54, 0.54], false, "a good mean of two is not three hits"),
        (&[0.54, 0.53, 0.52, 0.51, 0.40], true, "five, mean 0.50"),
    ] {
        let report = decide(question, &passages(question, scores), OLLAMA);
        assert_eq!(report.refusal.is_none(), passes, "{why}: {report:?}");
        if !passes {
            assert_eq!(refusal(&report).0, Gate::Sufficiency, "{why}");
        }
    }
}

#[test]
fn coverage_is_the_share_of_all_kept_passages_together() {
    let question = "Kestrel gateway pump telemetry archive";
    let words = ["A kestrel.", "Nothing.", "Nothing either."];
    let kept: Vec<Candidate> = words
        .iter()
        .zip(1..)
        .map(|(text, number)| candidate(chunk(&adr(number, "Title"), 0, &[], text), 0.9))
        .collect();
    let report = decide(question, &kept, OLLAMA);
    assert_eq!(report.refusal, None, "one word of five is 0.20, which is enough: {report:?}");
    let report = decide("Kestrel gateway pump telemetry archive valve", &kept, OLLAMA);
    assert_eq!(refusal(&report).0, Gate::Coverage, "one of six is not");

    let above = [
        candidate(chunk(&adr(1, "The kestrel"), 0, &["Gateways"], "Nothing."), 0.9),
        candidate(chunk(&adr(2, "Title"), 0, &[], "The pump's telemetry"), 0.9),
    ];
    let report = decide(question, &above, OLLAMA);
    assert_eq!(report.missing_words, ["archive"], "title and section path count, inflections too");
}

#[test]
fn a_question_without_content_words_is_not_held_to_coverage() {
    let report = decide("What does it say?", &passages("Anything.", &[0.7]), OLLAMA);
    assert_eq!((report.refusal, report.missing_words.len()), (None, 0));
}

#[test]
fn forced_hits_and_witnesses_pass_every_gate() {
    let question = "Which kestrel gateway encrypts pump telemetry?";
    let far = passages("Nothing of the kind.", &[0.05]).remove(0);
    assert!(decide(question, std::slice::from_ref(&far), OLLAMA).refusal.is_some());
    for spared in [Candidate { forced: true, ..far.clone() }, Candidate { witness: true, ..far.clone() }] {
        let report = decide(question, &[spared], OLLAMA);
        assert_eq!(report.refusal, None);
        assert!(!report.missing_words.is_empty(), "the warning stays");
    }
}

fn kept_by_distance(document: &str, cosine: f32, family: EmbedderFamily) -> bool {
    let document = match document {
        "ADR" => adr(1, "Title"),
        "Principle" => principle(1, "Title"),
        _ => policy("a", "Title"),
    };
    let thresholds = Thresholds::default();
    let ranked = vec![candidate(chunk(&document, 0, &[], "text"), cosine)];
    let rules = FilterRules { floor: 0.18, overlap: 0.9, per_document: 3, total: 5, further: 0, surely: 5.0 };
    let filtered = apply_filters(ranked, rules, &[], |candidate| {
        let collection = &candidate.chunk.document.collection;
        1.0 - candidate.score() > thresholds.for_collection(collection, family).distance_threshold
    });
    assert!(filtered.cut.iter().all(|(_, cut)| *cut == Cut::Distance));
    filtered.kept.len() == 1
}

#[test]
fn thresholds_belong_to_collection_and_embedder() {
    // IR3: 0.45 for ADR, 0.50 for principles and policies; 0.70 where the built-in model embeds, as calibrated.
    assert!(kept_by_distance("Principle", 0.52, OLLAMA) && kept_by_distance("Policy", 0.52, OLLAMA));
    assert!(!kept_by_distance("ADR", 0.52, OLLAMA), "the same cosine is too far for a decision record");
    assert!(kept_by_distance("ADR", 0.52, EmbedderFamily::Local), "and near for the built-in model");
    assert!(!kept_by_distance("ADR", 0.29, EmbedderFamily::Local));

    let question = "Kestrel gateway";
    for (scores, why) in [
        (&[0.61][..], "single_hit 0.60 and 0.65"),
        (&[0.51, 0.40], "several_hits 0.50 and 0.55"),
        (&[0.49, 0.46, 0.42], "mean 0.45 and 0.50"),
        (&[0.36, 0.36, 0.70 - 0.06], "a best of 0.64"),
    ] {
        let kept = passages(question, scores);
        let local = decide(question, &kept, EmbedderFamily::Local);
        assert_eq!(local.refusal, None, "{why}: {local:?}");
        let at_least = |score: f32| scores.iter().any(|s| *s >= score);
        let ollama = decide(question, &kept, OLLAMA);
        assert_eq!(ollama.refusal.is_some(), !at_least(0.55) || scores.len() == 1, "{why}: {ollama:?}");
    }
    let low = passages(question, &[0.36]);
    assert_eq!(refusal(&decide(question, &low, OLLAMA)).0, Gate::BailOut, "0.36 is under 0.40");
    assert_eq!(refusal(&decide(question, &low, EmbedderFamily::Local)).0, Gate::Sufficiency, "and over 0.35");
}

#[test]
fn the_best_passages_collection_says_how_much_coverage_is_needed() {
    let file = thresholds("collections:\n  Principle_Ollama:\n    min_query_coverage: 0.9\n");
    let question = Question::read("Kestrel gateway", Language::EN);
    let record = candidate(chunk(&adr(1, "Title"), 0, &[], "The kestrel"), 0.8);
    let rule = |cosine| candidate(chunk(&principle(1, "Title"), 0, &[], "Nothing"), cosine);
    let report = decide_with(&file, &question, &[record.clone(), rule(0.7)], OLLAMA, None);
    assert_eq!(report.refusal, None, "the record is best and needs 0.20");
    let report = decide_with(&file, &question, &[record, rule(0.9)], OLLAMA, None);
    assert_eq!(refusal(&report).4, "0.90");
}

#[test]
fn without_vectors_bm25_is_judged_by_thresholds_of_its_own() {
    let file = thresholds(
        "default_Lexical:\n  bail_below: 0.15\n  single_hit: 0.35\n  several_hits: 0.25\n  mean: 0.20\n\
         collections:\n  Policy_Lexical:\n    single_hit: 0.80\n    several_hits: 0.80\n    mean: 0.80\n",
    );
    let question = Question::read("Kestrel gateway", Language::EN);
    let lexical = |scores: &[f32]| -> Vec<Candidate> {
        passages("Kestrel gateway", scores)
            .into_iter()
            .map(|found| Candidate { lexical: found.cosine, cosine: None, ..found })
            .collect()
    };
    for (scores, gate) in [
        (&[0.36][..], None),
        (&[0.26, 0.16], None),
        (&[0.24, 0.20, 0.19], None),
        (&[0.14], Some(Gate::BailOut)),
        (&[0.30], Some(Gate::Sufficiency)),
    ] {
        let report = decide_with(&file, &question, &lexical(scores), EmbedderFamily::Lexical, None);
        assert_eq!(report.refusal.map(|refusal| refusal.gate), gate, "{scores:?}");
        let cosines = decide_with(&file, &question, &lexical(scores), OLLAMA, None);
        assert!(cosines.refusal.is_some(), "the same numbers as cosines would refuse: {scores:?}");
    }
    let document = policy("a", "Title");
    let strict = Candidate {
        cosine: None,
        lexical: Some(0.5),
        ..candidate(chunk(&document, 0, &[], "Kestrel gateway"), 0.0)
    };
    let report = decide_with(&file, &question, &[strict], EmbedderFamily::Lexical, None);
    assert_eq!(refusal(&report).4, "0.80", "per collection there too");
}

#[test]
fn a_document_that_stands_out_or_a_sentence_that_says_it_is_enough() {
    let (question, thresholds) = (Question::read("kestrel gateway", Language::EN), Thresholds::default());
    let kept = passages("The kestrel gateway.", &[0.36]);
    let decided = |support| {
        let family = EmbedderFamily::Local;
        let (question, thresholds) = (&question, &thresholds);
        run_gates(&GateInput { kept: &kept, question, family, thresholds, support, likelihood: None })
    };
    let plain = decided(Support::default());
    assert_eq!(refusal(&plain).0, Gate::Sufficiency, "one passage at 0.36 is not enough");
    let margin = |margin| {
        decided(Support { margin: Some(margin), ..Support::default() }).refusal.map(|refusal| refusal.gate)
    };
    assert_eq!(margin(0.05), Some(Gate::Sufficiency), "all of the library is about as far away");
    assert_eq!(margin(0.15), None, "nothing else comes near");
    let telling =
        |cosine| decided(Support { self_contained: Some(cosine), ..Support::default() }).refusal.is_none();
    assert_eq!([0.30, 0.45].map(telling), [false, true]);
}

#[test]
fn where_the_likelihood_of_an_answer_is_known_it_decides_alone() {
    let (question, thresholds) = (Question::read("kestrel gateway", Language::EN), Thresholds::default());
    let decided = |kept: &[Candidate], likelihood| {
        let (family, support) = (EmbedderFamily::Local, Support::default());
        let (question, thresholds) = (&question, &thresholds);
        run_gates(&GateInput { kept, question, family, thresholds, support, likelihood: Some(likelihood) })
    };
    let far = passages("Nothing of the kind.", &[0.05]);
    assert_eq!(decided(&far, 0.9).refusal, None, "however low the score and the coverage");
    let near = passages("The kestrel gateway.", &[0.9]);
    let refused = decided(&near, 0.3);
    assert_eq!(gates(&refused), [(Gate::Answerability, false)], "however high they are");
    assert_eq!(
        refusal(&refused),
        (
            Gate::Answerability,
            RefusalReason::LowConfidence,
            Measure::Answerability,
            "0.30".into(),
            "0.60".into()
        )
    );
    let named: Vec<Candidate> =
        near.into_iter().map(|candidate| Candidate { forced: true, ..candidate }).collect();
    assert_eq!(decided(&named, 0.1).refusal, None, "who names a record is shown it");
}

#[test]
fn across_languages_the_best_sentence_stands_for_coverage() {
    let question = Question::read("Welke versleuteling gebruiken we voor meetgegevens?", Language::NL);
    let kept = passages("All meter data is encrypted with TLS 1.3.", &[0.7]);
    let of = |cosine| decide_with(&Thresholds::default(), &question, &kept, OLLAMA, cosine);
    assert_eq!(refusal(&of(None)).0, Gate::Coverage, "no word is shared and nothing stands for it");
    assert_eq!(refusal(&of(Some(0.30))).0, Gate::Coverage, "0.30 counts as nothing");
    assert_eq!(refusal(&of(Some(f32::NAN))).0, Gate::Coverage);
    let passed = of(Some(0.475));
    assert!(
        passed.refusal.is_none() && passed.missing_words.is_empty(),
        "no warning: the words cannot be there"
    );
    assert!((passed.outcomes[0].value - 0.5).abs() < 1e-6, "half way from 0.30 to 0.65: {passed:?}");
    assert!((of(Some(0.99)).outcomes[0].value - 1.0).abs() < 1e-9);

    let shared = passages("The TLS gateway.", &[0.7]);
    let question = Question::read("Welke TLS gateway hebben we?", Language::NL);
    let report = decide_with(&Thresholds::default(), &question, &shared, OLLAMA, None);
    assert_eq!(refusal(&report).0, Gate::Coverage, "shared words of another language say nothing");
    let dutch = [candidate(chunk(&dutch_policy("tls", "TLS"), 0, &[], "De TLS gateway."), 0.7)];
    let report = decide_with(&Thresholds::default(), &question, &dutch, OLLAMA, None);
    assert_eq!(report.refusal, None, "those of its own language do");
}

#[test]
fn scores_that_are_no_numbers_neither_panic_nor_pass() {
    let question = "Kestrel gateway";
    for wrong in [f32::NAN, -f32::NAN, f32::NEG_INFINITY] {
        let alone = decide(question, &passages(question, &[wrong]), OLLAMA);
        assert!(alone.refusal.is_some(), "{wrong}");
        let beside = decide(question, &passages(question, &[0.8, wrong]), OLLAMA);
        assert_eq!(beside.refusal, None, "a good passage stays good beside {wrong}");
    }
    let both_missing = Candidate { cosine: None, ..passages(question, &[0.0]).remove(0) };
    assert!(decide(question, &[both_missing], OLLAMA).refusal.is_some(), "no score is no evidence");
}

fn any_kept() -> impl Strategy<Value = Vec<Candidate>> {
    let text = prop::sample::subsequence(vec!["kestrel", "gateway", "pump", "telemetry", "archive"], 0..=5);
    let score = prop_oneof![9 => 0.0..1.0_f32, 1 => Just(f32::NAN)];
    let one = (1..9_u32, 0..3_u8, text, score, any::<bool>(), 0..20_u8).prop_map(
        |(number, kind, words, score, dutch, spared)| {
            let document = match kind {
                0 => adr(number, "Title"),
                1 => principle(number, "Title"),
                _ => policy("a", "Title"),
            };
            let mut found: Chunk = chunk(&document, 0, &[], &words.join(" "));
            found.language = if dutch { Language::NL } else { Language::EN };
            Candidate { forced: spared == 0, witness: spared == 1, ..candidate(found, score) }
        },
    );
    prop::collection::vec(one, 0..6)
}

fn any_family() -> impl Strategy<Value = EmbedderFamily> {
    prop::sample::select(vec![EmbedderFamily::Local, EmbedderFamily::Ollama, EmbedderFamily::Lexical])
}

proptest! {
    /// GATE: the same question always gets the same decision.
    #[test]
    fn the_same_input_gets_the_same_decision(
        kept in any_kept(), family in any_family(), across in prop::option::of(0.0..1.0_f32),
    ) {
        let question = Question::read("kestrel gateway pump telemetry archive", Language::EN);
        let thresholds = Thresholds::default();
        let run = || format!("{:?}", decide_with(&thresholds, &question, &kept, family, across));
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_forced_hit_or_a_witness_never_turns_a_pass_into_a_refusal(
        kept in any_kept(), added in any_kept(), family in any_family(), at in any::<prop::sample::Index>(),
    ) {
        let question = Question::read("kestrel gateway pump telemetry archive", Language::EN);
        let thresholds = Thresholds::default();
        let mut more = kept.clone();
        for (number, candidate) in added.into_iter().enumerate() {
            let spared = Candidate { forced: number % 2 == 0, witness: number % 2 == 1, ..candidate };
            more.insert(at.index(more.len() + 1), spared);
        }
        let before = decide_with(&thresholds, &question, &kept, family, None);
        let after = decide_with(&thresholds, &question, &more, family, None);
        prop_assert!(before.refusal.is_some() || after.refusal.is_none());
        if more.len() > kept.len() {
            prop_assert!(after.refusal.is_none(), "it is enough by itself");
        }
    }

    #[test]
    fn a_refusal_names_the_gate_that_was_met_last_and_a_number_that_fell_short(
        kept in any_kept(), family in any_family(),
    ) {
        let question = Question::read("kestrel gateway pump telemetry archive", Language::EN);
        let report = decide_with(&Thresholds::default(), &question, &kept, family, None);
        let failed: Vec<Gate> =
            report.outcomes.iter().filter(|o| !o.passed && o.gate != Gate::Keywords).map(|o| o.gate).collect();
        match report.refusal {
            None => prop_assert!(failed.is_empty()),
            Some(refusal) => {
                prop_assert_eq!(failed, vec![refusal.gate]);
                prop_assert_eq!(refusal.reason == RefusalReason::NoResults, kept.is_empty());
                prop_assert!(refusal.value.is_finite() && refusal.value < refusal.threshold, "{:?}", refusal);
            }
        }
    }
}

#[test]
fn kinds_without_a_section_of_their_own_use_the_familys_default() {
    let document = dutch_policy("a", "Title");
    let general = std::sync::Arc::new(plumbline_core::domain::Document {
        kind: Kind::Document,
        collection: Kind::Document.into(),
        language: Language::EN,
        ..(*document).clone()
    });
    let kept = [candidate(chunk(&general, 0, &[], "Kestrel gateway"), 0.62)];
    assert!(decide("Kestrel gateway", &kept, EmbedderFamily::Local).refusal.is_none());
    assert!(decide("Kestrel gateway", &kept, OLLAMA).refusal.is_some());
}
