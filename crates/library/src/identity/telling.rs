//! The sentences of a document that may state something which another opposes.

use std::sync::LazyLock;

use plumbline_core::decisions::{Sentence, may_oppose};
use plumbline_core::domain::Language;
use plumbline_core::text::units;
use regex::Regex;

use super::relating::{line_of, without_stops};
use crate::reading::{BlockKind, ReadDocument};

/// Markup that a reader does not see; code keeps its marks, which tell that it is the name of one thing.
static MARKUP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"!\[[^\]]*\]\([^)]*\)|\[(?P<shown>[^\]]*)\]\([^)]*\)|\*\*|__|\\").ok());

/// What a list item or a row begins with.
const BULLETS: [char; 6] = ['-', '*', '+', '|', '>', ' '];

/// Reads every sentence, item and row.
pub(super) fn read(document: &ReadDocument, language: Language) -> Vec<Sentence> {
    let mut heading = String::new();
    let mut sentences = Vec::new();
    for block in &document.blocks {
        match &block.kind {
            BlockKind::Heading { text, .. } => text.trim().clone_into(&mut heading),
            BlockKind::Code => {}
            _ => {
                let Some(text) = document.text.get(block.span.clone()) else { continue };
                for unit in units(&without_stops(text)) {
                    let shown = shown(&text[unit.range.clone()]);
                    if unit.kind.states() && may_oppose(&shown, &heading, language) {
                        let line = line_of(&document.text, block.span.start + unit.range.start);
                        sentences.push(Sentence { text: shown, heading: heading.clone(), line });
                    }
                }
            }
        }
    }
    sentences
}

fn shown(written: &str) -> String {
    let bare = written.trim_start_matches(BULLETS).trim_end_matches(['|', ' ']);
    let bare = match MARKUP.as_ref() {
        Some(markup) => markup.replace_all(bare, "$shown").into_owned(),
        None => bare.to_owned(),
    };
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}
