use super::words::{WordList, words};
use crate::domain::Language;

/// The language of a text by its function words; `None` where they do not decide.
pub fn detect(text: &str) -> Option<Language> {
    let words = words(text);
    let mut counts = Language::ALL.map(|language| {
        (words.iter().filter(|w| WordList::of(language).telltale.contains(&w.folded)).count(), language)
    });
    counts.sort_by_key(|(count, language)| (std::cmp::Reverse(*count), *language));
    let [(best, language), (second, _)] = counts;
    (best > second).then_some(language)
}

/// The language of a text, or the one that is expected where its words do not decide.
pub fn detect_or(text: &str, expected: Language) -> Language {
    detect(text).unwrap_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_questions_are_recognised_and_bare_terms_left_open() {
        for (text, language) in [
            ("What is CIMXML?", Some(Language::En)),
            ("Wat is CIMXML?", Some(Language::Nl)),
            ("Toon alle principes", Some(Language::Nl)),
            ("How long do we keep meter data?", Some(Language::En)),
            ("Hoe lang bewaren we meetgegevens?", Some(Language::Nl)),
            ("CIMXML", None),
            ("", None),
        ] {
            assert_eq!(detect(text), language, "`{text}`");
        }
    }
}
