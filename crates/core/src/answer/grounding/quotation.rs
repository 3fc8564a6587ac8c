//! Whether a text is one quotation, and whether a passage holds it whole.

use crate::numbers::numbers;
/// Marks that open and close a quotation.
const MARKS: [char; 4] = ['"', '“', '”', '„'];

/// What begins after one of these, or ends before one, is a clause of its own.
const BOUNDARIES: [char; 8] = ['.', ';', ':', '!', '?', '"', '(', ')'];

/// What a text quotes that is one quotation from end to end.
pub(super) fn whole_quotation(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['.', '!', '?']).trim_end();
    let inside = text.strip_prefix(MARKS)?.strip_suffix(MARKS)?;
    let is_one =
        !inside.contains(MARKS) && inside.split_whitespace().count() >= numbers().grounding.quotation_words;
    is_one.then_some(inside)
}

/// Whether a text holds the quoted words as whole clauses. A part of a clause may say something else than all of it does:
/// "backups leave the site", of "it never happens that backups leave the site".
pub(super) fn holds_whole(text: &str, quoted: &str) -> bool {
    let (text, quoted) = (levelled(text), levelled(quoted));
    let quoted = quoted.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let begins = |before: &str| {
        let bare = before.trim_end();
        bare.is_empty() || bare.len() < before.len() && bare.ends_with(BOUNDARIES)
    };
    let ends = |behind: &str| behind.trim_start().is_empty() || behind.starts_with(BOUNDARIES);
    !quoted.is_empty()
        && text.match_indices(quoted).any(|(at, _)| begins(&text[..at]) && ends(&text[at + quoted.len()..]))
}

/// Spacing, case, emphasis and the shape of quotation marks make no difference.
fn levelled(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let kept = words.chars().filter(|c| !matches!(c, '*' | '_' | '`'));
    kept.map(|c| if MARKS.contains(&c) { '"' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_quotation_is_told_from_a_sentence_with_one() {
        assert_eq!(whole_quotation("“A standby does not count.”"), Some("A standby does not count."));
        assert_eq!(whole_quotation("\"A standby does not count\"."), Some("A standby does not count"));
        for other in ["A standby \"does not count at all\".", "\"No\".", "\"One of them\" and \"the other\""]
        {
            assert_eq!(whole_quotation(other), None, "{other}");
        }
    }

    #[test]
    fn only_whole_clauses_are_quoted() {
        let text = "The **second zone** is in use; a standby that never carries load does not count. It never happens that backups leave the site.";
        for whole in ["A standby that never carries load does not count.", "the second zone is in use"] {
            assert!(holds_whole(text, whole), "{whole}");
        }
        for part in
            ["backups leave the site", "a standby that never carries load", "The first zone is in use"]
        {
            assert!(!holds_whole(text, part), "{part}");
        }
    }
}
