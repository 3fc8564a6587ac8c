//! What a request wishes for beside what one document says, told by how it is worded.

use std::sync::LazyLock;

use super::learned::Learned;
use crate::numbers::numbers;

const FILE: &str = include_str!("../../../../assets/learned/forms.tsv");
static LEARNED: LazyLock<Learned> = LazyLock::new(|| Learned::read(FILE));

/// How likely a request wishes for something else than what one document says; none of both is likely in a language that was not
/// learned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Form {
    /// To be told which documents there are.
    pub list: f64,
    /// To be told what several documents say together.
    pub several: f64,
}

impl Form {
    /// Reads a request.
    pub(super) fn of(text: &str) -> Self {
        let likely = LEARNED.judge(text);
        let of = |class: &str| likely.get(class).copied().unwrap_or_default();
        Self { list: of("list"), several: of("several") }
    }
}

/// Whether a word is one that people use to ask for lists, whatever they are about.
pub(super) fn asks_for_list(word: &str) -> bool {
    LEARNED.speaks_for(word, "list").is_some_and(|much| much > numbers().intent.list_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_its_training_says() {
        crate::intent::learned::assert_as_trained(FILE);
    }

    #[test]
    fn what_is_wished_for_is_told_by_how_it_is_worded() {
        let numbers = &numbers().intent;
        for (text, list, several) in [
            ("Planning my week: whatever was put on paper in 2025, please", true, false),
            ("Since I joined in 2025, what decisions did the board take? Titles will do", true, false),
            ("heb je even alle stukken over back-ups op een rijtje?", true, false),
            ("How does the backup rule differ from the archive rule?", false, true),
            ("Hoe verhoudt het besluit over back-ups zich tot het bewaarbeleid?", false, true),
            ("Which database do we use for billing?", false, false),
            ("What are the steps to renew a certificate?", false, false),
            ("Wie beslist over uitzonderingen?", false, false),
            ("", false, false),
            ("quels documents parlent de sauvegardes", false, false),
        ] {
            let form = Form::of(text);
            let said = (form.list >= numbers.list_likely, form.several >= numbers.several_likely);
            assert_eq!(said, (list, several), "`{text}`: {form:?}");
        }
    }

    #[test]
    fn words_that_ask_for_lists_are_told_from_subjects() {
        assert!(["overview", "overzicht", "every"].into_iter().all(asks_for_list));
        assert!(!["backups", "security", "encryption", "cloud"].into_iter().any(asks_for_list));
    }
}
