//! Passages that a model names in words.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::answer::gauntlet::is_keyword;
use crate::language::{across, fixed};
use crate::text::capitalised;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| fixed(r"\d+"));

/// The text with passages that it names in words as markers. The number is one that only the model has seen: the reader's
/// numbers are others. `is_known` tells whether a number was handed out, `is_said` whether the documents use the words themselves.
pub(super) fn named_passages_marked(
    text: &str,
    is_known: impl Fn(usize) -> bool,
    is_said: impl Fn(&str) -> bool,
) -> String {
    let patterns = &across().named_passages;
    let numbers = |written: &str| -> Vec<usize> {
        NUMBER.find_iter(written).filter_map(|number| number.as_str().parse().ok()).collect()
    };
    if let Some(found) = patterns.opening.captures(text)
        && !is_said(&found[0])
    {
        let named =
            found.get(1).or_else(|| found.get(2)).map_or_else(Vec::new, |named| numbers(named.as_str()));
        if named.iter().all(|alias| is_known(*alias)) {
            let markers: String = named.iter().map(|alias| format!(" [{alias}]")).collect();
            let rest = capitalised(&text[found[0].len()..]);
            let end =
                rest.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!' | '?')).len();
            let (sentence, stop) = rest.split_at(end);
            return format!("{sentence}{markers}{stop}");
        }
    }
    let marked_in_place = |found: &Captures<'_>| {
        if is_said(&found[0]) || !numbers(&found[1]).iter().all(|alias| is_known(*alias)) {
            return found[0].to_owned();
        }
        let bare: String = found[1].chars().filter(|c| !matches!(c, '[' | ']')).collect();
        found[0].replace(&found[1], &NUMBER.replace_all(&bare, "[$0]"))
    };
    patterns.anywhere.replace_all(text, marked_in_place).into_owned()
}

/// Whether a text says no more than where to look: "Passage and passage", once its markers are gone.
pub(super) fn only_points(bare: &str) -> bool {
    let words = bare.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let pointing = &across().markers.pointing;
    words.map(str::to_lowercase).all(|word| pointing.contains(&word) || is_keyword(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> String {
        named_passages_marked(text, |number| number <= 3, |words| words.contains("fragment 2"))
    }

    #[test]
    fn passages_named_in_words_become_markers() {
        for (written, read) in [
            ("According to passage 2, restoring takes 4 hours.", "Restoring takes 4 hours [2]."),
            ("The passage 1 states that the film was shot in Wales.", "The film was shot in Wales [1]."),
            ("The passage in [1] states that it was shot in Wales [1].", "It was shot in Wales [1] [1]."),
            ("The passage states that it took 40 minutes [2].", "It took 40 minutes [2]."),
            ("Passage [3] also notes that gold takes 4 hours.", "Gold takes 4 hours [3]."),
            ("In passage 2, it says that it took 40 minutes.", "It took 40 minutes [2]."),
            ("Volgens passage 3 duurt het 4 uur.", "Volgens passage [3] duurt het 4 uur."),
            ("Passages 1 and 3 say so.", "Passages [1] and [3] say so."),
            ("It takes 4 hours, as passage 2 says.", "It takes 4 hours, as passage [2] says."),
        ] {
            assert_eq!(marked(written), read);
        }
    }

    #[test]
    fn what_was_not_handed_out_or_stands_in_the_documents_is_left_to_the_checks() {
        for text in [
            "As passage 7 says.",
            "The lock is in fragment 2 of the dike.",
            "A passage of 3 pages.",
            "In 3 passages.",
        ] {
            assert_eq!(marked(text), text);
        }
    }
}
