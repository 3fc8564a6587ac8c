//! The language of a text, by its function words.

use super::words::{WordList, words};
use crate::language::Language;
use crate::numbers::numbers;

/// The language of a text by its function words; `None` where they do not decide.
pub fn detect(text: &str) -> Option<Language> {
    let words = words(text);
    let count = |language| {
        let list = WordList::of(language);
        words.iter().filter(|word| list.telltale.contains(&word.folded)).count()
    };
    let mut best = (0, None);
    for language in Language::all() {
        match count(language) {
            more if more > best.0 => best = (more, Some(language)),
            as_many if as_many == best.0 => best.1 = None,
            _ => {}
        }
    }
    best.1
}

/// The language of a text, or the one that is expected where its words do not decide.
pub fn detect_or(text: &str, expected: Language) -> Language {
    detect(text).unwrap_or(expected)
}

/// Whether a text is in one of the languages that are known here; `None` where it is too short to tell.
pub fn is_in_known_language(text: &str) -> Option<bool> {
    let words = words(text);
    if words.len() < numbers().language.enough_words {
        return None;
    }
    let share = |language| {
        let list = WordList::of(language);
        words.iter().filter(|word| list.stop.contains(&word.folded)).count() as f64 / words.len() as f64
    };
    Some(Language::all().any(|language| share(language) > numbers().language.function_words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_another_language_is_not_taken_for_one_that_is_known() {
        for (text, known) in [
            (
                "We decided to use a message queue between the systems, so that a failure of one service does not lead to the \
                 failure of another. The database is PostgreSQL, because the team knows it and costs must go down this year.",
                Some(true),
            ),
            (
                "We hebben besloten een berichtenwachtrij tussen de systemen te zetten, zodat het uitvallen van de ene dienst niet \
                 leidt tot het uitvallen van de andere. De database is PostgreSQL, omdat het team die kent en de kosten omlaag moeten.",
                Some(true),
            ),
            (
                "Die Schnittstelle zwischen den Systemen wird über eine Nachrichtenwarteschlange entkoppelt, damit ein Ausfall des \
                 einen Dienstes nicht zum Ausfall des anderen führt. Wir haben uns für PostgreSQL entschieden, weil das Team damit \
                 Erfahrung hat und die Kosten in diesem Jahr gesenkt werden müssen.",
                Some(false),
            ),
            (
                "Nous avons décidé d'utiliser une file de messages entre les systèmes afin qu'une panne d'un service n'entraîne pas \
                 la panne d'un autre. La base de données est PostgreSQL, parce que l'équipe la connaît et que les coûts doivent être \
                 réduits au cours de l'année.",
                Some(false),
            ),
            ("Kurz und gut", None),
        ] {
            assert_eq!(is_in_known_language(text), known, "{text}");
        }
    }

    #[test]
    fn short_questions_are_recognised_and_bare_terms_left_open() {
        for (text, language) in [
            ("What is CIMXML?", Some(Language::EN)),
            ("Wat is CIMXML?", Some(Language::NL)),
            ("Toon alle principes", Some(Language::NL)),
            ("How long do we keep meter data?", Some(Language::EN)),
            ("Hoe lang bewaren we meetgegevens?", Some(Language::NL)),
            ("CIMXML", None),
            ("", None),
        ] {
            assert_eq!(detect(text), language, "`{text}`");
        }
    }
}
