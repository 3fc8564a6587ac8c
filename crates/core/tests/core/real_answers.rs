//! Replies that real small models wrote over real passages. The data lies beside the repository.
//! With `PLUMBLINE_SHOW=1` every unit is printed, to be judged by eye.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_core::answer::compose::{Composition, Measured, compose};
use plumbline_core::answer::{ReplyKind, ReplyOutcome};
use plumbline_core::domain::{Chunk, Language};
use plumbline_core::intent::Question;
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::shared_data;
use serde_json::Value;

use crate::checker::{run, run_in_cuts, shown_texts, violations};
use crate::outcomes::record;

pub struct Recorded {
    pub id: String,
    kind: String,
    pub question: String,
    pub output: String,
    pub chunks: Vec<Chunk>,
}

pub fn recorded(line: &str) -> Recorded {
    let row: Value = serde_json::from_str(line).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let passages = row["passages"].as_array().unwrap();
    let chunks = passages
        .iter()
        .enumerate()
        .map(|(at, passage)| {
            let mut document = Arc::unwrap_or_clone(adr(900 + at as u32, passage["title"].as_str().unwrap()));
            // The passages have no standing of their own that an answer could rest on.
            (document.status, document.version, document.date) = (None, None, None);
            chunk(&Arc::new(document), 0, &[], passage["text"].as_str().unwrap())
        })
        .collect();
    let id = text(&row["id"]);
    let kind = id.rsplit_once('-').unwrap().0.to_owned();
    Recorded { id, kind, question: text(&row["question"]), output: text(&row["output"]), chunks }
}

fn wanted(question: &str) -> Question {
    Question::read(question, Language::EN)
}

#[derive(Default)]
struct Tally {
    replies: usize,
    answered: usize,
    kept: usize,
    re_cited: usize,
    attributed: usize,
    withheld: usize,
    refused: usize,
    composed: usize,
}

/// What the engine does with a reply that is no answer by itself.
fn composed(outcome: &ReplyOutcome, question: &str, chunks: &[&Chunk]) -> Option<Composition> {
    match outcome.kind {
        ReplyKind::Pointers => {
            let pointed: Vec<&Chunk> = outcome.pointers.iter().map(|alias| chunks[alias - 1]).collect();
            compose(&wanted(question), &pointed, Measured::default()).map(|composition| Composition {
                cited: composition.cited.iter().map(|at| outcome.pointers[at - 1]).collect(),
                ..composition
            })
        }
        ReplyKind::Empty | ReplyKind::Evaded | ReplyKind::LeftOpen => {
            compose(&wanted(question), chunks, Measured::default())
        }
        _ => None,
    }
}

#[test]
fn real_answers() {
    let Some(folder) = shared_data::path_or_skip("ollama/answers") else { return };
    let mut table: BTreeMap<(String, String), Tally> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    for file in ["qwen2.5-coder-1.5b.jsonl", "smollm2-135m.jsonl"] {
        let content = std::fs::read_to_string(folder.join(file)).unwrap();
        for recorded in content.lines().map(recorded) {
            let chunks: Vec<&Chunk> = recorded.chunks.iter().collect();
            let (shown, outcome) = run(&chunks, &recorded.question, &recorded.output);
            let by_byte = run_in_cuts(&chunks, &recorded.question, recorded.output.as_bytes(), 1);
            assert_eq!(by_byte, (shown.clone(), outcome.clone()), "{}: byte by byte", recorded.id);

            let tally =
                table.entry((file.trim_end_matches(".jsonl").to_owned(), recorded.kind.clone())).or_default();
            tally.replies += 1;
            tally.kept += outcome.kept;
            tally.re_cited += outcome.re_cited;
            tally.attributed += outcome.attributed;
            tally.withheld += outcome.withheld.len();
            if std::env::var_os("PLUMBLINE_SHOW").is_some() {
                println!("--- {file} {} {:?} | {}", recorded.id, outcome.kind, recorded.question);
                shown.iter().for_each(|shown| println!("    {shown:?}"));
            }
            let composition = composed(&outcome, &recorded.question, &chunks);
            record(&format!("{file} {}", recorded.id), &shown, &outcome, composition.as_ref());
            let units = match outcome.kind {
                ReplyKind::Answered => {
                    tally.answered += 1;
                    shown_texts(&shown)
                        .into_iter()
                        .map(|unit| (unit.to_owned(), outcome.cited.clone()))
                        .collect()
                }
                ReplyKind::NoAnswer | ReplyKind::Unsupported => {
                    tally.refused += 1;
                    Vec::new()
                }
                ReplyKind::Pointers | ReplyKind::Empty | ReplyKind::Evaded | ReplyKind::LeftOpen => {
                    tally.composed += usize::from(composition.is_some());
                    composition
                        .map(|composition| (composition.answer, composition.cited))
                        .into_iter()
                        .collect::<Vec<_>>()
                }
            };
            for (unit, cited) in units {
                wrong.extend(
                    violations(&unit, &cited, &chunks)
                        .into_iter()
                        .map(|wrong| format!("{}: {wrong} in {unit:?}", recorded.id)),
                );
            }
        }
    }
    println!(
        "{:<22} {:<20} {:>7} {:>8} {:>5} {:>8} {:>10} {:>8} {:>7} {:>8}",
        "model",
        "kind",
        "replies",
        "answered",
        "kept",
        "re-cited",
        "attributed",
        "withheld",
        "refused",
        "composed"
    );
    for ((model, kind), tally) in &table {
        let Tally { replies, answered, kept, re_cited, attributed, withheld, refused, composed } = tally;
        println!(
            "{model:<22} {kind:<20} {replies:>7} {answered:>8} {kept:>5} {re_cited:>8} {attributed:>10} {withheld:>8} {refused:>7} {composed:>8}"
        );
    }
    assert!(wrong.is_empty(), "the cited passages do not hold it:\n{}", wrong.join("\n"));
}
