//! What the checks made of a reply, written down where somebody asks for it: `cargo xtask same` compares two builds by it.

use std::fs::OpenOptions;
use std::io::Write;

use plumbline_core::answer::compose::Composition;
use plumbline_core::answer::{ReplyOutcome, Shown};
use serde_json::json;

use crate::checker::shown_texts;

/// The file that the outcomes go to.
const FILE: &str = "PLUMBLINE_OUTCOMES";

/// Writes a line for a reply. The names in it belong to the comparison: they stay when the core's own change.
pub fn record(reply: &str, shown: &[Shown], outcome: &ReplyOutcome, composed: Option<&Composition>) {
    let Some(file) = std::env::var_os(FILE) else { return };
    let line = json!({
        "reply": reply,
        "verdict": format!("{:?}", outcome.kind),
        "shown": shown_texts(shown),
        "answer": outcome.answer,
        "cited": outcome.cited,
        "kept": outcome.kept,
        "cited_anew": outcome.re_cited,
        "attributed": outcome.attributed,
        "withheld": outcome.withheld,
        "dropped": outcome.dropped.len(),
        "remarks": outcome.remarks,
        "pointers": outcome.pointers,
        "composed": composed.map(|composed| json!({ "answer": composed.answer, "cited": composed.cited })),
    });
    let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
    // One write, so that lines of tests which run side by side do not mix.
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}
