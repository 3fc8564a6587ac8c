use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

use super::fold::{is_invisible, without_marks};
use crate::domain::Language;

/// A word of a text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// The word in lowercase, with plain apostrophes.
    pub folded: String,
}

/// What the analysis knows of a language's words; read from `assets/languages`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordList {
    /// Words that say nothing about the subject.
    pub stop: HashSet<String>,
    /// Words that ask.
    pub question: HashSet<String>,
    /// Words that ask how often.
    pub asking_often: Vec<String>,
    /// Words that ask how many, how long and the like.
    pub asking_much: Vec<String>,
    /// Words that give a quantity, beside numbers.
    pub quantities: HashSet<String>,
    /// Words that give one where it is asked how often, or before a unit.
    pub repeating: HashSet<String>,
    /// Words that name a kind of document.
    pub kind: HashSet<String>,
    /// Words that turn a sentence around.
    pub negation: HashSet<String>,
    /// Words of permission.
    pub permission: HashSet<String>,
    /// Abbreviations whose full stop ends no sentence.
    pub abbreviations: HashSet<String>,
    /// Words by which a text gives its language away.
    pub telltale: HashSet<String>,
    /// Number words.
    pub numbers: HashMap<String, u64>,
    /// Words that multiply the number before them.
    pub multipliers: HashMap<String, u64>,
    /// Names of months.
    pub months: HashMap<String, i8>,
    /// Units of measure and the name they share over languages.
    pub units: HashMap<String, String>,
}

// The lists are part of the program; `every_pack_parses` holds them, so an empty list is never met.
static LISTS: LazyLock<BTreeMap<Language, WordList>> = LazyLock::new(|| {
    [
        (Language::En, include_str!("../../../../assets/languages/en/words.toml")),
        (Language::Nl, include_str!("../../../../assets/languages/nl/words.toml")),
    ]
    .into_iter()
    .filter_map(|(language, source)| Some((language, toml::from_str(source).ok()?)))
    .collect()
});

impl WordList {
    /// The list of a language.
    pub fn of(language: Language) -> &'static Self {
        static EMPTY: LazyLock<WordList> = LazyLock::new(|| WordList {
            stop: HashSet::new(),
            question: HashSet::new(),
            asking_often: Vec::new(),
            asking_much: Vec::new(),
            quantities: HashSet::new(),
            repeating: HashSet::new(),
            kind: HashSet::new(),
            negation: HashSet::new(),
            permission: HashSet::new(),
            abbreviations: HashSet::new(),
            telltale: HashSet::new(),
            numbers: HashMap::new(),
            multipliers: HashMap::new(),
            months: HashMap::new(),
            units: HashMap::new(),
        });
        LISTS.get(&language).unwrap_or(&EMPTY)
    }

    /// Whether the word says something about the subject.
    pub fn is_content(&self, word: &str) -> bool {
        !(self.stop.contains(word) || self.question.contains(word) || self.kind.contains(word))
    }
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
    let plain = without_marks(word);
    let plain = plain.strip_suffix("'s").or_else(|| plain.strip_suffix("s'")).unwrap_or(&plain);
    if plain.bytes().all(|b| b.is_ascii_digit()) {
        return plain.to_owned();
    }
    let algorithm = match language {
        Language::En => Algorithm::English,
        Language::Nl => Algorithm::Dutch,
    };
    Stemmer::create(algorithm).stem(plain).into_owned()
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

/// A word this long and no shorter is told apart inside another one.
const LONG_ENOUGH: usize = 6;

/// Whether a stem is among those that a text holds. Dutch writes compounds as one word, whose last part says what it is: an
/// `aardgasinstallatie` is an `installatie`.
pub fn holds(held: &HashSet<String>, stem: &str, language: Language) -> bool {
    let is_part = |word: &String| word.len() >= stem.len() + 3 && word.ends_with(stem);
    held.contains(stem) || (language == Language::Nl && stem.len() >= LONG_ENOUGH && held.iter().any(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dutch_compound_holds_what_it_ends_in() {
        let held = distinct_stems("Nieuwe middenspanningsinstallaties zijn vrij van SF6.", Language::Nl);
        assert!(holds(&held, &stem("installaties", Language::Nl), Language::Nl));
        assert!(!holds(&held, &stem("spanning", Language::Nl), Language::Nl), "it is no voltage");
        assert!(
            !holds(&held, &stem("installaties", Language::Nl), Language::En),
            "English writes its compounds as several words"
        );
    }

    #[test]
    fn every_pack_parses() {
        for (language, source) in [
            (Language::En, include_str!("../../../../assets/languages/en/words.toml")),
            (Language::Nl, include_str!("../../../../assets/languages/nl/words.toml")),
        ] {
            let list: WordList =
                toml::from_str(source).unwrap_or_else(|e| panic!("{}: {e}", language.code()));
            assert!(list.stop.len() > 50 && list.telltale.len() > 20, "{} is not a stub", language.code());
        }
    }

    #[test]
    fn content_words_leave_out_stop_question_and_kind_words() {
        let stems =
            content_stems("What is the retention period of the metering data in our policies?", Language::En);
        assert_eq!(stems, ["retent", "period", "meter", "data"]);
        let stems = content_stems("Wat is de bewaartermijn van onze meetgegevens?", Language::Nl);
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
