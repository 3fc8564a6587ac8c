use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::answer::gauntlet::is_keyword;
use crate::text::capitalised;

/// "passage 2", "Passages 1 and 3", "fragment 1", "the passage in [2]".
const NAMED: &str = r"(?:passages?|fragment(?:en)?)\s+(?:(?:in|from)\s+)?(?:passages?\s+)?(\[?\d{1,3}\b\]?(?:(?:\s*,\s*(?:and\s+|en\s+)?|\s+(?:and|en|&)\s+)\[?\d{1,3}\b\]?)*)";

const SAYS: &str =
    "(?:also |explicitly |clearly |directly )?(?:says?|states?|mentions?|indicates?|explains?|notes?|shows?)";

/// What stands around markers that point at passages, beside the words for a passage.
const POINTING: [&str; 4] = ["see", "zie", "and", "en"];

struct Patterns {
    /// What says no more than where a sentence comes from: "According to passage 2, …".
    opening: Regex,
    anywhere: Regex,
    number: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let opening = format!(
        r"(?i)^(?:(?:according to|as (?:stated|described|mentioned|noted) in|in|per|based on|volgens|op basis van) (?:the )?{NAMED},\s+(?:it {SAYS} that\s+)?|(?:the )?(?:{NAMED}|passages?) {SAYS} that\s+)"
    );
    Some(Patterns {
        opening: Regex::new(&opening).ok()?,
        anywhere: Regex::new(&format!(r"(?i)\b{NAMED}")).ok()?,
        number: Regex::new(r"\d+").ok()?,
    })
});

/// The text with passages that it names in words as markers. The number is one that only the model has seen: the reader's
/// numbers are others. `is_known` tells whether a number was handed out, `is_said` whether the documents use the words themselves.
pub(super) fn named_passages_marked(
    text: &str,
    is_known: impl Fn(usize) -> bool,
    is_said: impl Fn(&str) -> bool,
) -> String {
    let Some(patterns) = PATTERNS.as_ref() else { return text.to_owned() };
    let numbers = |written: &str| -> Vec<usize> {
        patterns.number.find_iter(written).filter_map(|number| number.as_str().parse().ok()).collect()
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
        found[0].replace(&found[1], &patterns.number.replace_all(&bare, "[$0]"))
    };
    patterns.anywhere.replace_all(text, marked_in_place).into_owned()
}

/// Whether a text says no more than where to look: "Passage and passage", once its markers are gone.
pub(super) fn only_points(bare: &str) -> bool {
    let words = bare.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).all(|word| POINTING.contains(&word.as_str()) || is_keyword(&word))
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
