//! What a question asks, as far as it tells an answer from an echo.

use std::collections::HashSet;

use super::markers::without_markers;
use crate::answer::Quantity;
use crate::answer::grounding::bare_text;
use crate::domain::Language;
use crate::text::{WordList, content_stems, detect_or, distinct_stems, words};

/// What a question asks, as far as it tells an answer from an echo.
pub(super) struct Asked {
    language: Language,
    stems: HashSet<String>,
    /// Whether it asks for something that it does not name: not "is it so?", nor "this or that?".
    is_open: bool,
    quantity: Option<Quantity>,
}

impl Asked {
    /// Reads a question.
    pub fn new(question: &str) -> Self {
        let language = detect_or(question, Language::EN);
        let list = WordList::of(language);
        let asked = words(question);
        let is_open = asked.iter().any(|word| list.question.contains(&word.folded))
            && !asked.iter().any(|word| list.or.contains(&word.folded));
        let quantity = Quantity::asked_by(question, language);
        Self { language, stems: distinct_stems(question, language), is_open, quantity }
    }

    /// Whether an answer leaves out the number that is asked for.
    pub fn is_evaded_by(&self, answer: &str) -> bool {
        self.quantity.is_some_and(|quantity| !quantity.is_given_by(&without_markers(answer).0))
    }

    /// Whether a text says no more than the question did.
    pub fn is_echoed_by(&self, text: &str) -> bool {
        content_stems(bare_text(text), self.language).iter().all(|stem| self.stems.contains(stem))
    }

    /// Whether it asks for something that it does not name, so that an echo answers nothing.
    pub fn is_open(&self) -> bool {
        self.is_open
    }
}
