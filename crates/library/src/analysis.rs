//! How passages and questions become terms of the text index. Both sides use the words and stems of [`plumbline_core::text`],
//! so that what the index counts is what the gates count.

use plumbline_core::domain::Language;
use plumbline_core::text::{WordList, fold, stem, words};

/// The terms of a passage, in order, in the language it is written in.
pub(crate) fn passage_terms(text: &str, language: Language) -> Vec<String> {
    words(text).iter().map(|word| stem(&word.folded, language)).collect()
}

/// The content words of a question, each once, as the terms that stand for it: its stem in every language, since a passage
/// is indexed in its own.
pub(crate) fn question_terms(text: &str, language: Language) -> Vec<Vec<String>> {
    let list = WordList::of(language);
    let mut terms: Vec<Vec<String>> = Vec::new();
    for word in words(text) {
        let one_letter = word.folded.chars().count() == 1 && !word.folded.bytes().all(|b| b.is_ascii_digit());
        if one_letter || !list.is_content(&word.folded) {
            continue;
        }
        let mut stems: Vec<String> = Vec::new();
        for language in std::iter::once(language).chain(Language::all()) {
            let stem = stem(&word.folded, language);
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        if !terms.iter().any(|known| known[0] == stems[0]) {
            terms.push(stems);
        }
    }
    terms
}

/// A title or id as its exact field holds it.
pub(crate) fn exact(text: &str) -> String {
    fold(text).trim_end_matches(['?', '.', '!', ' ']).to_owned()
}
