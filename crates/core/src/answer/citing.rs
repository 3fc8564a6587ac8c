//! How a text cites documents: in brackets, or in the words that open a sentence. The same words as those in which models
//! point at passages.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::gauntlet::is_keyword;
use super::grounding::bare_text;
use crate::language::{across, fixed};
use crate::text::capitalised;

/// A link as Markdown has it.
static LINK: LazyLock<Regex> = LazyLock::new(|| fixed(r"!?\[([^\[\]]*)\]\(([^()\s]+)[^()]*\)"));

/// A footnote's mark or a number of somebody else's list of sources.
static FOREIGN_MARK: LazyLock<Regex> = LazyLock::new(|| fixed(r"[ \t]*\[\^?[0-9A-Za-z]{1,3}\]"));

/// Brackets without brackets in them.
static BRACKET: LazyLock<Regex> = LazyLock::new(|| fixed(r"\s*[\[(]([^\[\]()]*)[\])]"));

/// A document, named as a model names a passage: so the patterns for passages read it.
static STAND_IN: LazyLock<Regex> = LazyLock::new(|| fixed(r"passage (9[0-9]{2})"));

/// The number of the first stand-in: no text of a user's counts passages that far.
const FIRST: usize = 901;
/// One sentence does not name more documents.
const MOST: usize = 99;

/// A text without what is no statement in it: links become their words, with the target behind them where that may name a
/// document, and marks of footnotes go.
pub fn without_links(text: &str) -> String {
    let plain = LINK.replace_all(text, |link: &Captures<'_>| {
        let is_file = !link[2].contains("://") && !link[2].starts_with('#');
        if is_file { format!("{} ({})", &link[1], &link[2]) } else { link[1].to_owned() }
    });
    FOREIGN_MARK.replace_all(&plain, "").into_owned()
}

/// A statement without the words by which it cites documents, and which of the named ones it cites so. `named` is where it
/// names documents, in order.
pub fn without_citing(text: &str, named: &[Range<usize>]) -> (String, Vec<usize>) {
    let named = &named[..named.len().min(MOST)];
    let mut cited = Vec::new();
    let standing_in = with_stand_ins(text, named);
    let unbracketed = BRACKET.replace_all(&standing_in, |bracket: &Captures<'_>| {
        let inside = stand_ins(&bracket[1], named.len());
        if inside.is_empty() || !only_points(&STAND_IN.replace_all(&bracket[1], "")) {
            return bracket[0].to_owned();
        }
        cited.extend(inside);
        String::new()
    });
    let bare = bare_text(&unbracketed);
    let opened = match across().named_passages.opening.captures(bare) {
        Some(opening) if !stand_ins(&opening[0], named.len()).is_empty() => {
            cited.extend(stand_ins(&opening[0], named.len()));
            capitalised(&bare[opening[0].len()..])
        }
        _ => bare.to_owned(),
    };
    cited.sort_unstable();
    cited.dedup();
    let restored = STAND_IN.replace_all(&opened, |found: &Captures<'_>| {
        let at = number(found).checked_sub(FIRST).and_then(|at| named.get(at));
        at.map_or_else(|| found[0].to_owned(), |range| text[range.clone()].to_owned())
    });
    (restored.into_owned(), cited)
}

/// A statement without the names of documents in it.
pub fn without_names(text: &str, named: &[Range<usize>]) -> String {
    let mut left = text.to_owned();
    for range in named.iter().rev() {
        left.replace_range(range.clone(), "");
    }
    left
}

fn with_stand_ins(text: &str, named: &[Range<usize>]) -> String {
    let mut written = text.to_owned();
    for (at, range) in named.iter().enumerate().rev() {
        let number = FIRST + at;
        written.replace_range(range.clone(), &format!("passage {number}"));
    }
    written
}

fn stand_ins(text: &str, count: usize) -> Vec<usize> {
    let found = STAND_IN.captures_iter(text).filter_map(|found| number(&found).checked_sub(FIRST));
    found.filter(|at| *at < count).collect()
}

fn number(found: &Captures<'_>) -> usize {
    found[1].parse().unwrap_or(0)
}

/// Whether words only say where to look: "see", "and".
fn only_points(text: &str) -> bool {
    let markers = &across().markers;
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words
        .map(str::to_lowercase)
        .all(|word| markers.pointing.contains(&word) || markers.joining.contains(&word) || is_keyword(&word))
        && !text.contains(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::references;

    fn read(text: &str) -> (String, Vec<usize>) {
        let named: Vec<_> = references(text).into_iter().map(|(range, _)| range).collect();
        without_citing(text, &named)
    }

    #[test]
    fn what_cites_is_told_from_what_is_said() {
        for (written, said, cited) in [
            ("Connections use TLS 1.3 (ADR-0012).", "Connections use TLS 1.3.", &[0][..]),
            ("Connections use TLS 1.3 [ADR-0012].", "Connections use TLS 1.3.", &[0]),
            ("Connections use TLS 1.3 (see ADR-0012 and ADR-0007).", "Connections use TLS 1.3.", &[0, 1]),
            ("According to ADR-0012, connections use TLS 1.3.", "Connections use TLS 1.3.", &[0]),
            ("ADR-0012 states that connections use TLS 1.3.", "Connections use TLS 1.3.", &[0]),
            ("Verbindingen gebruiken TLS 1.3 (zie ADR-0012).", "Verbindingen gebruiken TLS 1.3.", &[0]),
            ("ADR-0012 supersedes ADR-0007.", "ADR-0012 supersedes ADR-0007.", &[]),
            ("Keys (of 256 bits, ADR-0012) rotate.", "Keys (of 256 bits, ADR-0012) rotate.", &[]),
            ("Keys rotate (yearly).", "Keys rotate (yearly).", &[]),
        ] {
            assert_eq!(read(written), (said.to_owned(), cited.to_vec()), "{written}");
        }
    }

    #[test]
    fn links_become_words_and_files_stay_named() {
        for (written, read) in [
            ("See [the decision](adr-0012.md).", "See the decision (adr-0012.md)."),
            ("See [the site](https://example.org/a).", "See the site."),
            ("Keys rotate [1], yearly.[^2]", "Keys rotate, yearly."),
            ("Keys [that rotate] stay.", "Keys [that rotate] stay."),
        ] {
            assert_eq!(without_links(written), read);
        }
    }

    #[test]
    fn names_are_taken_out_and_nothing_else() {
        let text = "ADR-0012 requires TLS 1.3.";
        let named: Vec<_> = references(text).into_iter().map(|(range, _)| range).collect();
        assert_eq!(without_names(text, &named), " requires TLS 1.3.");
    }
}
