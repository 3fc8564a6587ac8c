//! What's measured: everything between a question and its prompt that needs no index and no model: intent, filters,
//! gates and the prompt, for 5 chunks of 2,000 characters. The aim is under 1 ms.
//!
//! `cargo bench -p plumbline-core --bench journey`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use plumbline_core::domain::{Candidate, EmbedderFamily, Language};
use plumbline_core::gates::{GateInput, Support, run_gates};
use plumbline_core::intent::{Question, classify};
use plumbline_core::prompt::answer_messages;
use plumbline_core::retrieval::{FilterRules, apply_filters};
use plumbline_core::settings::Thresholds;
use plumbline_testkit::documents::{adr, candidate, chunk};

const QUESTION: &str = "Which TLS version do we require for connections between services, and until when are exceptions allowed?";

/// About 2,000 characters, unlike for each chunk so that none is a duplicate.
fn text(seed: usize) -> String {
    let sentence = |n: usize| {
        format!(
            "Connection {n} between services of domain {seed} uses TLS 1.3, and exception {n} ends on 2027-12-{:02}. ",
            n % 28 + 1
        )
    };
    let mut text = String::new();
    let mut n = seed * 100;
    while text.len() < 2_000 {
        text.push_str(&sentence(n));
        n += 1;
    }
    text.truncate(2_000);
    text
}

fn candidates() -> Vec<Candidate> {
    (0..5)
        .map(|n| {
            let document =
                adr(u32::try_from(n).unwrap_or_default() + 1, "Require TLS 1.3 for transport encryption");
            candidate(chunk(&document, 0, &["Decision Outcome"], &text(n)), 0.72 - 0.02 * n as f32)
        })
        .collect()
}

fn journey(c: &mut Criterion) {
    let thresholds = Thresholds::default();
    let found = candidates();
    let rules = FilterRules { floor: 0.3, overlap: 0.9, per_document: 3, total: 5, further: 0, surely: 5.0 };
    // All that any stage wants to know of a question is read here.
    c.bench_function("question read", |b| {
        b.iter(|| classify(Question::read(black_box(QUESTION), Language::EN), false))
    });
    c.bench_function("question read + filters + gates + prompt, 5 chunks of 2,000 characters", |b| {
        b.iter(|| {
            let question = classify(Question::read(black_box(QUESTION), Language::EN), false).question;
            let filtered = apply_filters(found.clone(), rules, &question.kinds, |_| false);
            let report = run_gates(&GateInput {
                kept: &filtered.kept,
                question: &question,
                family: EmbedderFamily::Local,
                thresholds: &thresholds,
                support: Support::default(),
                likelihood: None,
            });
            let passages: Vec<_> =
                filtered.kept.iter().zip(1..).map(|(c, alias)| (alias, c.chunk.as_ref())).collect();
            (report, answer_messages(&passages, None, &[], &question.text, question.language))
        });
    });
}

criterion_group!(benches, journey);
criterion_main!(benches);
