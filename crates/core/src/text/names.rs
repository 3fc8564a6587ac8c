//! Which words a text writes as names: with a capital letter where none is due.

use super::words::{stem, words};
use crate::language::Language;

/// How a text writes a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Writing {
    /// As a name, inside a sentence.
    pub as_name: bool,
    /// In small letters.
    pub small: bool,
}

impl Writing {
    /// How a text writes a word, which is folded.
    pub fn of(text: &str, word: &str, language: Language) -> Self {
        let sought = stem(word, language);
        let mut writing = Self::default();
        for found in words(text) {
            if found.folded != word && stem(&found.folded, language) != sought {
                continue;
            }
            let is_capital = text[found.range.clone()].starts_with(char::is_uppercase);
            writing.small |= !is_capital;
            writing.as_name |= is_capital && !opens_sentence(&text[..found.range.start]);
        }
        writing
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { as_name: self.as_name || other.as_name, small: self.small || other.small }
    }

    /// Whether it is a name wherever it stands.
    pub fn is_name(self) -> bool {
        self.as_name && !self.small
    }
}

/// Whether a sentence, a line, an item or a cell begins behind this text.
fn opens_sentence(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let last = line.chars().rev().find(|c| !c.is_whitespace() && !is_emphasis(*c));
    last.is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '|' | '-' | '#' | '>' | '"' | '“' | '„' | '‘'))
}

fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_capital_inside_a_sentence() {
        for (text, word, is_name) in [
            ("We replaced Stroomboek by a database.", "stroomboek", true),
            ("The register, **Toegangspoort**, is ours.", "toegangspoort", true),
            ("Licences were dear. Licences end in May.", "licences", false),
            ("- Backups are weekly.", "backups", false),
            ("The Board decides. Each board member votes.", "board", false),
            ("Nothing of the kind.", "stroomboek", false),
        ] {
            assert_eq!(Writing::of(text, word, Language::EN).is_name(), is_name, "{text}");
        }
    }
}
