use std::collections::HashSet;

use crate::answer::grounding::bare_text;
use crate::domain::Language;
use crate::text::{WordList, content_stems, detect_or, distinct_stems, words};

/// What a question asks, as far as it tells an answer from an echo.
pub(super) struct Asked {
    language: Language,
    stems: HashSet<String>,
    /// Whether it asks for something that it does not name: not "is it so?", nor "this or that?".
    is_open: bool,
}

impl Asked {
    /// Reads a question.
    pub fn new(question: &str) -> Self {
        let language = detect_or(question, Language::En);
        let list = WordList::of(language);
        let or = match language {
            Language::En => "or",
            Language::Nl => "of",
        };
        let asked = words(question);
        let is_open = asked.iter().any(|word| list.question.contains(&word.folded))
            && !asked.iter().any(|word| word.folded == or);
        Self { language, stems: distinct_stems(question, language), is_open }
    }

    /// Whether a text says no more than the question did.
    pub fn is_echoed_by(&self, text: &str) -> bool {
        self.is_open
            && content_stems(bare_text(text), self.language).iter().all(|stem| self.stems.contains(stem))
    }
}
