//! When a term and a label are the same, and which concept then answers. Both backends decide by these rules, so that
//! a library with a server and one without give the same answer.

mod id;
mod language;
mod nearest;

use std::cmp::Reverse;

use plumbline_core::domain::Language;
use plumbline_core::response::LabelMatch;
use unicode_normalization::UnicodeNormalization;

pub use id::concept_id;
pub use language::{
    LanguageRank, alternative_labels, best_notes, best_texts, canonical_tag, language_rank, preferred_label,
};
pub use nearest::{NearestLabels, SuggestedLabel};

/// A picker shows no more concepts than this.
pub const MAX_CANDIDATES: usize = 5;

/// A term with more characters than this is no term.
pub const MAX_TERM_CHARS: usize = 200;

/// A label that may have met the term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelHit {
    /// The concept.
    pub uri: String,
    /// Its vocabulary's place in the order of authority; 0 is the highest.
    pub vocabulary: usize,
    /// The label that was matched, verbatim.
    pub label: String,
    /// The label's language tag.
    pub language: Option<String>,
    /// Which kind of label it is.
    pub tier: LabelMatch,
    /// Whether the concept is known to be deprecated. A server's hit does not tell; then `false`.
    pub deprecated: bool,
}

/// What the hits for a term come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// One concept stands out.
    Found(LabelHit),
    /// Several of equal standing, best first, at most [`MAX_CANDIDATES`].
    Ambiguous(Vec<LabelHit>),
    /// None.
    NotFound,
}

impl Decision {
    /// The hits that are to be shown, best first.
    pub fn into_hits(self) -> Vec<LabelHit> {
        match self {
            Self::Found(hit) => vec![hit],
            Self::Ambiguous(hits) => hits,
            Self::NotFound => Vec::new(),
        }
    }
}

/// The term as it is asked for: NFC, control characters and white space to single spaces, trimmed. `None` where that
/// leaves nothing to ask for, only asterisks, or more than [`MAX_TERM_CHARS`].
pub fn normalise_term(term: &str) -> Option<String> {
    let term = spaced(&term.nfc().collect::<String>());
    let askable = term.chars().any(|c| c != '*' && c != ' ') && term.chars().count() <= MAX_TERM_CHARS;
    askable.then_some(term)
}

/// The form in which a term and a label are compared: NFC, letter case, white space and apostrophes folded, and nothing
/// else; `ß` stays apart from `ss`, and `é` from `e`, as on a server.
pub fn fold_term(text: &str) -> String {
    if text.is_ascii() {
        return spaced(&text.to_ascii_lowercase());
    }
    let folded: String = text.nfc().map(unify_apostrophe).flat_map(fold_case).nfc().collect();
    spaced(&folded)
}

/// The hits whose label is the term, and which of them answers.
///
/// The best tier wins; concepts that are in force hide deprecated ones, as a server does; several concepts in that tier
/// are ambiguous, ordered by exact letter case, language, authority of the vocabulary, and URI.
pub fn decide(term: &str, language: Language, hits: impl IntoIterator<Item = LabelHit>) -> Decision {
    let folded = fold_term(term);
    choose(term, language, hits.into_iter().filter(|hit| fold_term(&hit.label) == folded).collect())
}

/// As [`decide`], for labels that are the term and a qualifier: `Python (programming language)` for `python`. Only asked
/// when nothing is the term itself.
pub fn decide_qualified(
    term: &str,
    language: Language,
    hits: impl IntoIterator<Item = LabelHit>,
) -> Decision {
    let folded = fold_term(term);
    let meets =
        |hit: &LabelHit| hit.tier != LabelMatch::Notation && qualifies(&fold_term(&hit.label), &folded);
    choose(term, language, hits.into_iter().filter(meets).collect())
}

/// Whether a folded label is the folded term followed by a qualifier in parentheses.
pub fn qualifies(label: &str, term: &str) -> bool {
    let qualifier = label.strip_prefix(term).and_then(|rest| rest.strip_prefix(" ("));
    !term.is_empty() && qualifier.is_some_and(|rest| rest.len() > 1 && rest.ends_with(')'))
}

fn choose(term: &str, language: Language, mut hits: Vec<LabelHit>) -> Decision {
    if hits.iter().any(|hit| !hit.deprecated) {
        hits.retain(|hit| !hit.deprecated);
    }
    let Some(best) = hits.iter().map(|hit| hit.tier).min() else { return Decision::NotFound };
    hits.retain(|hit| hit.tier == best);
    let asked = spaced(&term.nfc().collect::<String>());
    hits.sort_by_cached_key(|hit| {
        let exact = spaced(&hit.label.nfc().collect::<String>()) == asked;
        let rank = language_rank(hit.language.as_deref(), language);
        (Reverse(exact), rank, hit.vocabulary, hit.uri.clone(), hit.label.clone())
    });
    let mut seen = std::collections::HashSet::new();
    hits.retain(|hit| seen.insert(hit.uri.clone()));
    hits.truncate(MAX_CANDIDATES);
    if hits.len() > 1 {
        return Decision::Ambiguous(hits);
    }
    hits.pop().map_or(Decision::NotFound, Decision::Found)
}

fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    spaced
}

fn unify_apostrophe(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{FF07}' => '\'',
        _ => c,
    }
}

/// Unicode's simple case folding, read off the mappings that the standard library has: one letter for one letter, so `ς`
/// meets `σ`, and only a letter without a lower case of its own (`İ`) becomes two.
fn fold_case(c: char) -> impl Iterator<Item = char> {
    // Its capital is the `I` of other languages; folding keeps it apart from `i`.
    const DOTLESS_I: char = 'ı';
    let mut upper = c.to_uppercase();
    let capital = match (upper.next(), upper.next()) {
        (Some(capital), None) if c != DOTLESS_I => capital,
        _ => c,
    };
    capital.to_lowercase()
}

#[cfg(test)]
#[path = "matching/tests.rs"]
mod tests;
