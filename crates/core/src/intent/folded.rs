//! Folded text that knows where in the typed text it came from.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::text::fold;

/// Folded text in which every byte knows where in the typed text it came from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Folded {
    /// As [`crate::text::fold`] gives it.
    pub text: String,
    origins: Vec<(usize, usize)>,
}

impl Folded {
    pub fn of(typed: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(typed.len()), origins: Vec::with_capacity(typed.len()) };
        let mut gap = None;
        for cluster in clusters(typed) {
            let written = &typed[cluster.clone()];
            let (mut letter, rare);
            // Most of what is typed are plain letters, signs and spaces, and those need no tables.
            let piece: &str = match written.as_bytes() {
                [b'`'] => "'",
                [byte] if byte.is_ascii_graphic() => {
                    letter = [byte.to_ascii_lowercase()];
                    char::from(letter[0]).encode_utf8(&mut letter)
                }
                [byte] if byte.is_ascii_whitespace() => "",
                _ => {
                    rare = fold(written);
                    &rare
                }
            };
            if piece.is_empty() {
                if written.contains(char::is_whitespace) {
                    gap.get_or_insert(cluster);
                }
                continue;
            }
            if let Some(space) = gap.take().filter(|_| !folded.text.is_empty()) {
                folded.push(" ", &space);
            }
            folded.push(piece, &cluster);
        }
        folded
    }

    fn push(&mut self, piece: &str, origin: &Range<usize>) {
        self.text.push_str(piece);
        self.origins.extend(piece.bytes().map(|_| (origin.start, origin.end)));
    }

    /// The range of the typed text that a range of the folded text stands for.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let start = self.origins.get(range.start).map_or(0, |origin| origin.0);
        let end =
            range.end.checked_sub(1).and_then(|last| self.origins.get(last)).map_or(start, |origin| origin.1);
        start..end.max(start)
    }
}

/// Characters together with the marks that follow them, so that folding can compose what belongs together.
fn clusters(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let mut end = start + first.len_utf8();
        while let Some((at, mark)) = chars.next_if(|(_, c)| is_combining_mark(*c)) {
            end = at + mark.len_utf8();
        }
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_folds_as_the_whole_text_would_and_finds_the_way_back() {
        for typed in [
            "  The\u{a0}\tOperator’s  “Plan” — A\u{200B}DR ",
            "ＡＤＲ‑００１２",
            "Coo\u{308}rdinatie",
            "",
            "\0",
            "A `code`,\r\n (and) \u{b}\u{c}signs!",
        ] {
            assert_eq!(Folded::of(typed).text, fold(typed), "`{typed}`");
        }
        let typed = "see  A\u{200B}DR‑00１2 now";
        let folded = Folded::of(typed);
        let at = folded.text.find("adr-0012").unwrap();
        assert_eq!(&typed[folded.origin(at..at + 8)], "A\u{200B}DR‑00１2");
    }
}
