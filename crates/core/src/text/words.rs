//! Words, their stems, and which of them say something about the subject.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::fold::is_invisible;
use crate::language::Language;
pub use crate::language::WordList;
use crate::numbers::numbers;

/// A word of a text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// The word in lowercase, with plain apostrophes.
    pub folded: String,
}

/// The words of a text: runs of letters and digits, with apostrophes inside them.
pub fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        if let Some(plain) = plain_word(&text[start..]) {
            let range = start..start + plain.len();
            while chars.peek().is_some_and(|&(at, _)| at < range.end) {
                chars.next();
            }
            found.push(Word { folded: plain.to_ascii_lowercase(), range });
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut folded: String = first.to_lowercase().collect();
        while let Some(&(at, c)) = chars.peek() {
            if c.is_alphanumeric() || is_combining(c) {
                folded.extend(c.to_lowercase());
            } else if is_apostrophe(c) && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric) {
                folded.push('\'');
            } else if !is_invisible(c) {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        found.push(Word { range: start..end, folded });
    }
    found
}

/// The ASCII word that a text begins with, unless something other than ASCII or an apostrophe follows it.
fn plain_word(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len());
    let behind = text.as_bytes().get(end).copied().unwrap_or(b' ');
    (end > 0 && behind.is_ascii() && behind != b'\'' && !behind.is_ascii_control()).then(|| &text[..end])
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}

fn is_combining(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The stem of a word, without accents and possessives.
pub fn stem(word: &str, language: Language) -> String {
    language.pack().stem(word)
}

/// The distinct stems of the words that say something about the subject, in the order of the text.
pub fn content_stems(text: &str, language: Language) -> Vec<String> {
    let list = WordList::of(language);
    let mut seen = BTreeSet::new();
    words(text)
        .iter()
        .filter(|word| list.is_content(&word.folded))
        .map(|word| stem(&word.folded, language))
        .filter(|stem| {
            (stem.chars().count() > 1 || stem.bytes().all(|b| b.is_ascii_digit()))
                && seen.insert(stem.clone())
        })
        .collect()
}

/// All distinct stems of a text, stop words included: what a passage holds.
pub fn distinct_stems(text: &str, language: Language) -> HashSet<String> {
    // Words repeat more than they vary, and stemming is what costs.
    let distinct: HashSet<String> = words(text).into_iter().map(|word| word.folded).collect();
    distinct.iter().map(|word| stem(word, language)).collect()
}

/// Whether a stem is among those that a text holds. Some languages write compounds as one word, whose last part says what it
/// is: in Dutch, an `aardgasinstallatie` is an `installatie`.
pub fn holds(held: &HashSet<String>, stem: &str, language: Language) -> bool {
    held.contains(stem) || held.iter().any(|word| ends_in(word, stem, language))
}

/// Whether a word is a compound that ends in a stem, in a language that writes them as one word.
pub fn ends_in(word: &str, stem: &str, language: Language) -> bool {
    word.len() >= stem.len() + 3
        && stem.len() >= numbers().language.longest_short_word
        && word.ends_with(stem)
        && language.pack().profile.compounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dutch_compound_holds_what_it_ends_in() {
        let held = distinct_stems("Nieuwe middenspanningsinstallaties zijn vrij van SF6.", Language::NL);
        assert!(holds(&held, &stem("installaties", Language::NL), Language::NL));
        assert!(!holds(&held, &stem("spanning", Language::NL), Language::NL), "it is no voltage");
        assert!(
            !holds(&held, &stem("installaties", Language::NL), Language::EN),
            "English writes its compounds as several words"
        );
    }

    #[test]
    fn content_words_leave_out_stop_question_and_kind_words() {
        let stems =
            content_stems("What is the retention period of the metering data in our policies?", Language::EN);
        assert_eq!(stems, ["retent", "period", "meter", "data"]);
        let stems = content_stems("Wat is de bewaartermijn van onze meetgegevens?", Language::NL);
        assert_eq!(stems.len(), 2, "bewaartermijn and meetgegevens: {stems:?}");
    }

    #[test]
    fn words_keep_their_place_and_survive_hidden_characters() {
        let text = "l’Op\u{200B}erator—één, 15";
        let found: Vec<_> = words(text).into_iter().map(|w| (w.folded, text[w.range].to_owned())).collect();
        assert_eq!(found[0].0, "l'operator");
        assert_eq!(found[1], ("één".to_owned(), "één".to_owned()));
        assert_eq!(found[2].0, "15");
    }
}
