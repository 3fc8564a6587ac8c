//! What holds for the passages of any Markdown text.

use std::collections::BTreeMap;

use plumbline_core::domain::Language;
use plumbline_library::{ChunkRules, chunk, read};
use proptest::prelude::*;

use crate::support::{chunks, covered};

/// Pieces of Markdown; `@` becomes a new content word, `§` a word that no passage may hold, `^` a word of a heading, `~` the name
/// of a link.
const PIECES: &[&str] = &[
    "@ @ @.",
    "@ *@* and [@](http://example.org/x).",
    "A sentence with @ in it. Another one with @.",
    "- @\n- @ @\n  - @\n",
    "1. @\n2. @\n\n   @\n",
    "> @\n> @\n",
    "| @ | @ |\n|---|---|\n| @ | @ |\n| @ | @ |\n",
    "```\n@ = @;\n\n@\n```\n",
    "    @ @\n",
    "## ^\n",
    "# ^\n",
    "### ^ ^\n",
    "<!-- § § -->",
    "@ <!-- § --> @",
    "<!--\n§\n\n§\n-->\n",
    "@ <!-- §\n\n§ --> @",
    "- <!-- § -->\n",
    "{% comment %}§{% endcomment %}",
    "{% include § %}\n",
    "[~]: http://example.org/§\n",
    "<b>@</b> @",
    "<div>\n@\n</div>\n",
    "<br>",
    "<script>§</script>\n",
    "`@`",
    "![@](x.png)",
    "---\n",
    "@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @.",
];

/// Writes the pieces out with words that occur once.
fn write(pieces: &[&str]) -> (String, Vec<String>, Vec<String>) {
    let mut text = String::new();
    let (mut content, mut hidden) = (Vec::new(), Vec::new());
    for (number, piece) in pieces.iter().enumerate() {
        let mut count = 0;
        for c in piece.chars() {
            count += 1;
            match c {
                '@' => {
                    content.push(format!("wort{number}x{count}y"));
                    text += content.last().unwrap();
                }
                '§' => {
                    hidden.push(format!("verborgen{number}x{count}y"));
                    text += hidden.last().unwrap();
                }
                '^' => text += &format!("kop{number}x{count}y"),
                '~' => text += &format!("link{number}x{count}y"),
                c => text.push(c),
            }
        }
        text += "\n\n";
    }
    (text, content, hidden)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_word_lands_once_and_no_comment_does(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..40)) {
        let (text, content, hidden) = write(&pieces);
        let Ok(document) = read("a.md", text.as_bytes()) else { return Ok(()) };
        let found = chunks(&document, "T");
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for chunk in &found {
            let words: Vec<&str> = chunk.text.split(|c: char| !c.is_alphanumeric()).collect();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        for word in &content {
            prop_assert_eq!(counts.get(word.as_str()), Some(&1), "`{}` of {:?} in {:#?}", word, text, found);
        }
        for word in &hidden {
            prop_assert_eq!(counts.get(word.as_str()), None, "`{}` of {:?} in {:#?}", word, text, found);
        }
    }

    #[test]
    fn spans_are_in_order_and_texts_within_limits(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..40),
        target in 60_usize..200,
    ) {
        let (text, ..) = write(&pieces);
        let Ok(document) = read("a.md", text.as_bytes()) else { return Ok(()) };
        let rules = ChunkRules { target_chars: target, max_chars: target + 40, whole_chars: target + 120 };
        let found = chunk(&document, "T", Language::EN, &rules);
        prop_assert_eq!(&found, &chunk(&document, "T", Language::EN, &rules));
        let length = document.text.chars().count();
        let mut end = 0;
        for draft in &found {
            prop_assert!(draft.span.start >= end && draft.span.end > draft.span.start && draft.span.end <= length, "{:?}", draft);
            end = draft.span.end;
            prop_assert!(draft.text.chars().count() <= rules.whole_chars, "{:?}", draft);
            prop_assert!(draft.text.contains(char::is_alphanumeric), "{:?}", draft);
            let covered = covered(&document, draft);
            let is_cut = covered.contains(['<', '{', '[']) || covered.contains("---") || draft.text.starts_with('|');
            prop_assert!(is_cut || covered == draft.text, "{:?} is not {:?}", covered, draft.text);
        }
    }

    #[test]
    fn any_text_at_all_is_cut_within_limits(text in "\\PC{0,3000}", pieces in proptest::collection::vec("[a-zA-Z \\n#*|<>`{}!.-]{0,60}", 0..30)) {
        for text in [text, pieces.concat()] {
            let Ok(document) = read("a.md", text.as_bytes()) else { continue };
            let rules = ChunkRules { target_chars: 80, max_chars: 100, whole_chars: 150 };
            for draft in chunk(&document, "T", Language::EN, &rules) {
                prop_assert!(draft.text.chars().count() <= 150 && !draft.text.trim().is_empty());
            }
        }
    }
}
