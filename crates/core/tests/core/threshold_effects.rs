//! Every threshold has an effect that a user would notice: where all others let a question pass, one of its values answers it
//! and the other refuses.

use std::collections::BTreeSet;

use plumbline_core::domain::Chunk;
use plumbline_core::ports::Scope;
use plumbline_core::response::AskResponse;
use plumbline_core::settings::{CollectionThresholds, CrossLanguage, Thresholds};
use plumbline_testkit::documents::{adr, chunk, dutch_policy};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::Rig;

/// Thresholds by name, and their values.
type Changes<'c> = &'c [(&'c str, f64)];

/// A threshold, a value that lets pass and one that does not, the others, the passages' cosines and the question.
type Effect<'e> = (&'e str, [f64; 2], Changes<'e>, &'e [f32], &'e str);

/// Thresholds that let everything pass, but for these.
fn lenient(changes: Changes<'_>) -> String {
    let mut values = vec![
        ("distance_threshold", 1.0),
        ("min_query_coverage", 0.0),
        ("bail_below", 0.0),
        ("single_hit", 0.0),
        ("several_hits", 0.0),
        ("mean", 0.0),
        ("lexical_witness", 1.0),
        ("answerability", 0.0),
        ("margin", 1.0),
    ];
    for (field, value) in changes {
        values.retain(|(name, _)| name != field);
        values.push((field, *value));
    }
    let lines: String = values.iter().map(|(name, value)| format!("    {name}: {value}\n")).collect();
    format!("collections:\n  ADR_Local:\n{lines}  Policy_Local:\n{lines}")
}

/// Decision records that share no word with the questions below, as near as told.
fn records(cosines: &[f32]) -> FakeLibrary {
    let chunks: Vec<Chunk> = (1..=cosines.len())
        .map(|at| {
            let words = ["red", "green", "blue", "black", "white", "grey", "brown"];
            let text = format!("Painted {} messages wait in line number {at}.", words[at - 1]);
            chunk(&adr(at as u32, "Queues"), 0, &[], &text)
        })
        .collect();
    let library = FakeLibrary::new(chunks);
    cosines
        .iter()
        .zip(1..)
        .fold(library, |library, (cosine, at)| library.with_cosine(&format!("adr-{at:04}:0"), *cosine))
}

const QUESTION: &str = "Where do herons nest?";

async fn answer(library: FakeLibrary, question: &str, thresholds: &str) -> AskResponse {
    let rig = Rig::with()
        .library(library)
        .thresholds(Thresholds::parse("thresholds.yaml", thresholds).unwrap())
        .settings(|settings| {
            settings.retrieval.confidence_threshold = 0;
            settings.retrieval.abstain_at = 0;
        })
        .build();
    rig.answer(question).await
}

async fn outcome(library: FakeLibrary, question: &str, thresholds: &str) -> &'static str {
    answer(library, question, thresholds).await.refusal_reason.map_or("answered", |reason| reason.as_str())
}

#[tokio::test]
async fn every_threshold_of_a_collection() {
    let strict: [(&str, f64); 3] = [("single_hit", 0.9), ("several_hits", 0.9), ("mean", 0.9)];
    let average: [(&str, f64); 3] = [("single_hit", 0.9), ("several_hits", 0.9), ("mean", 0.4)];
    let standing_out = [0.8, 0.5, 0.5, 0.5, 0.5, 0.5];
    let words = "Where do painted messages wait for herons?";
    let effects: [Effect<'_>; 9] = [
        ("distance_threshold", [0.6, 0.4], &[], &[0.5], QUESTION),
        ("min_query_coverage", [0.0, 0.5], &[], &[0.5], QUESTION),
        ("bail_below", [0.3, 0.8], &average, &[0.5, 0.5, 0.5], QUESTION),
        ("single_hit", [0.4, 0.8], &[], &[0.5], QUESTION),
        ("several_hits", [0.4, 0.8], &[("single_hit", 0.9)], &[0.5, 0.5], QUESTION),
        ("mean", [0.4, 0.8], &[("single_hit", 0.9), ("several_hits", 0.9)], &[0.5, 0.5, 0.5], QUESTION),
        ("lexical_witness", [0.1, 1.0], &strict, &[0.5], words),
        ("answerability", [0.05, 0.95], &[], &[0.5], QUESTION),
        ("margin", [0.2, 0.5], &strict, &standing_out, QUESTION),
    ];
    let mut shown = BTreeSet::new();
    for (field, [low, high], others, cosines, question) in effects {
        let with = |value: f64| lenient(&[others, &[(field, value)]].concat());
        let seen = [
            outcome(records(cosines), question, &with(low)).await,
            outcome(records(cosines), question, &with(high)).await,
        ];
        assert_eq!(seen[0], "answered", "{field}: {low}");
        assert_ne!(seen[1], "answered", "{field}: {high}");
        shown.insert(field);
    }
    assert_eq!(shown, CollectionThresholds::FIELDS.iter().copied().collect(), "each of the table");
}

#[tokio::test]
async fn every_threshold_across_languages() {
    // A Dutch passage with a cosine of 0.8, and five more with 0.4: it stands out by 0.4.
    let dutch = || {
        let words = ["riet", "gras", "hout", "zand", "klei", "veen"];
        let chunks = words.map(|word| {
            chunk(
                &dutch_policy(word, "Beleid"),
                0,
                &[],
                &format!("De reiger broedt in het {word} langs het water."),
            )
        });
        let near = FakeLibrary::new(chunks.to_vec()).with_all_cosines(0.4);
        near.with_cosine("policy-riet:0", 0.8)
    };
    let effects = [
        ("floor", [0.3, 0.7], ["0.71", "0.40"], "ceiling: 1\n  margin: 1"),
        ("ceiling", [1.0, 0.9], ["0.71", "0.83"], "floor: 0.3\n  margin: 1"),
        ("margin", [1.0, 0.5], ["0.40", "0.80"], "floor: 0.7\n  ceiling: 1"),
    ];
    let mut shown = BTreeSet::new();
    for (field, values, expected, others) in effects {
        for (value, expected) in values.into_iter().zip(expected) {
            let thresholds = format!("{}cross_language:\n  {field}: {value}\n  {others}\n", lenient(&[]));
            let confidence = answer(dutch(), QUESTION, &thresholds).await.confidence;
            let coverage = confidence.map(|confidence| format!("{:.2}", confidence.coverage_score));
            assert_eq!(coverage.as_deref(), Some(expected), "{field}: {value}");
        }
        shown.insert(field);
    }
    assert_eq!(shown, CrossLanguage::FIELDS.iter().copied().collect(), "each of the table");
}

/// What is measured once tells what a question would get under any thresholds: nothing was cut by those in force.
#[tokio::test]
async fn thresholds_tried_on_a_measurement_decide_as_they_do_in_force() {
    let gates_decide = |thresholds: &Thresholds, library: FakeLibrary| {
        Rig::with()
            .library(library)
            .thresholds(thresholds.clone())
            .settings(|settings| {
                settings.retrieval.confidence_threshold = 0;
                settings.retrieval.abstain_at = 0;
            })
            .build()
    };
    let strictest = Thresholds::parse("thresholds.yaml", &lenient(&[("distance_threshold", 0.1)])).unwrap();
    let mut decided = BTreeSet::new();
    for cosines in [&[0.5][..], &[0.8, 0.5, 0.5, 0.5, 0.5, 0.5], &[0.35, 0.3]] {
        for question in [QUESTION, "Where do painted messages wait for herons?"] {
            let rig = gates_decide(&strictest, records(cosines));
            let measured = rig.engine.measure(question, &Scope::default()).await.unwrap();
            for (field, values) in [
                ("distance_threshold", [0.1, 0.55, 1.0]),
                ("several_hits", [0.0, 0.6, 1.0]),
                ("lexical_witness", [0.1, 0.5, 1.0]),
                ("bail_below", [0.0, 0.4, 0.8]),
                ("min_query_coverage", [0.0, 0.5, 1.0]),
            ] {
                for value in values {
                    let file = lenient(&[(field, value), ("single_hit", 1.0), ("mean", 1.0)]);
                    let Ok(tried) = Thresholds::parse("thresholds.yaml", &file) else { continue };
                    let refused = gates_decide(&tried, records(cosines)).answer(question).await.refused;
                    let told = measured.gates(&tried).refusal.is_some();
                    assert_eq!(told, refused, "{field} {value}, `{question}` over {cosines:?}");
                    decided.insert((field, refused));
                }
            }
        }
    }
    for field in ["distance_threshold", "several_hits", "lexical_witness"] {
        assert!(
            decided.contains(&(field, true)) && decided.contains(&(field, false)),
            "{field} decides both ways"
        );
    }
}
