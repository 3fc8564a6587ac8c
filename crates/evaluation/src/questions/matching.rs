//! When words stand in a text, and when two paths mean one document.

/// Up to so many characters, words must stand alone: "3" is not in "0013".
const SHORT: usize = 4;

/// Text as it is compared: without Markdown's marks and the targets of links, one space between words, in small letters.
pub(super) fn flat(text: &str) -> String {
    let plain = without_targets(text).replace(['*', '`', '_', '>', '#', '"', '“', '”', '\\'], "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// `[label](target)` becomes `label`.
fn without_targets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let link = after.split_once(']').and_then(|(label, after)| {
            let (_, beyond) = after.strip_prefix('(')?.split_once(')')?;
            Some((label, beyond))
        });
        match link {
            Some((label, beyond)) => {
                plain.push_str(label);
                rest = beyond;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether words stand in a flat text.
pub(super) fn has(words: &str, text: &str) -> bool {
    let words = flat(words);
    if words.chars().count() > SHORT {
        return text.contains(&words);
    }
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = text.char_indices().map(|(at, _)| text.split_at(at));
    places.any(|(before, from)| {
        let Some(after) = from.strip_prefix(&words) else { return false };
        !before.ends_with(in_word) && !after.starts_with(in_word)
    })
}

/// Whether two paths mean one document: they are equal, or one is the end of the other.
pub(super) fn same(a: &str, b: &str) -> bool {
    let plain = |path: &str| path.trim_matches('/').to_lowercase();
    let (a, b) = (plain(a), plain(b));
    let ends = |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|start| start.ends_with('/'));
    a == b || ends(&a, &b) || ends(&b, &a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_targets_case_and_white_space_do_not_count() {
        assert_eq!(
            flat("> **Use** [the\n  broker](../b.md \"x\"),  `KAFKA_1` “now” [1]"),
            "use the broker, kafka1 now [1]"
        );
        assert_eq!(flat("[a] (b) [c](d"), "[a] (b) [c](d", "what is no link stays");
    }

    #[test]
    fn short_words_stand_alone_and_longer_ones_anywhere() {
        assert!(has("12", "adr 12 holds") && has("12", "x12 12"));
        assert!(!has("12", "adr 0012 holds") && !has("één", "méér ééns"));
        assert!(has("broke", "the brokers"));
    }

    #[test]
    fn a_path_may_be_the_end_of_the_other() {
        assert!(same("adr/0001-Tea.md", "/corpora/adr/0001-tea.md"));
        assert!(same("corpora/adr/0001-tea.md", "0001-tea.md"));
        assert!(!same("1-tea.md", "adr/0001-tea.md"), "half a name is no name");
    }
}
