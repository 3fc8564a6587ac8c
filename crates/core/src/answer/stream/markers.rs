//! The markers of a unit: taken out, and put back as numbered citations.

use std::sync::LazyLock;

use regex::Regex;

use crate::answer::gauntlet::{DropReason, Dropped};
use crate::language::fixed;
use crate::text::UnitKind;

static MARKER: LazyLock<Regex> = LazyLock::new(|| fixed(r"[ \t]*\[(\d+)\]"));

/// The text without markers that are opened and never closed ("[2 Next"), and these.
pub(super) fn without_unclosed(text: &str) -> (String, Vec<Dropped>) {
    let mut out = String::with_capacity(text.len());
    let mut dropped = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let inside = &rest[open + 1..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        let closed = inside.find(['[', ']']).is_some_and(|at| inside[at..].starts_with(']'));
        let kept = if (1..=3).contains(&digits) && !closed {
            let marker = rest[open..open + 1 + digits].to_owned();
            dropped.push(Dropped { marker, reason: DropReason::Malformed });
            open
        } else {
            open + 1 + digits
        };
        out.push_str(&rest[..kept]);
        rest = &rest[open + 1 + digits..];
    }
    out.push_str(rest);
    (out, dropped)
}

/// The text without its markers, and the aliases in them.
pub(crate) fn without_markers(text: &str) -> (String, Vec<usize>) {
    let mut aliases = Vec::new();
    for found in MARKER.captures_iter(text) {
        if let Ok(alias) = found[1].parse()
            && !aliases.contains(&alias)
        {
            aliases.push(alias);
        }
    }
    (tidy(&MARKER.replace_all(text, "")), aliases)
}

/// Removing a marker leaves a space before the full stop.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '.' | ',' | ';' | ':' | '!' | '?') {
            let trimmed = out.trim_end_matches(' ').len();
            if out[..trimmed].ends_with(char::is_alphanumeric) {
                out.truncate(trimmed);
            }
        }
        out.push(c);
    }
    out
}

/// The text with the aliases that stand as numbered citations: in place where the model put them, else at the end.
pub(super) fn with_markers(
    kind: UnitKind,
    text: &str,
    aliases: &[usize],
    number: &dyn Fn(usize) -> usize,
) -> String {
    let mut left: Vec<usize> = aliases.to_vec();
    let mut body = MARKER
        .replace_all(text, |found: &regex::Captures<'_>| {
            let alias = found[1].parse().unwrap_or(0);
            match left.iter().position(|wanted| *wanted == alias) {
                Some(at) => {
                    left.remove(at);
                    format!(" [{}]", number(alias))
                }
                None => String::new(),
            }
        })
        .trim()
        .to_owned();
    body = tidy(&body.replace("] [", "]["));
    if left.is_empty() {
        return body;
    }
    let markers: String = left.iter().map(|alias| format!("[{}]", number(*alias))).collect();
    match kind {
        UnitKind::Code => format!("{body}\n\n{markers}"),
        UnitKind::TableRow => match body.strip_suffix('|') {
            Some(cells) => format!("{} {markers} |", cells.trim_end()),
            None => format!("{body} {markers}"),
        },
        _ => {
            let end = body.trim_end_matches(['.', '!', '?', ':', ';']).len();
            let (sentence, stop) = body.split_at(end);
            format!("{sentence} {markers}{stop}")
        }
    }
}

/// Whether a text is markers and nothing else.
pub(super) fn is_marker(text: &str) -> bool {
    !without_markers(text).0.contains(char::is_alphanumeric)
}
