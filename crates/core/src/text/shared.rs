//! Which words of a passage a statement shares with it.

use std::collections::HashSet;
use std::ops::Range;

use super::words::{Word, WordList, stem, words};
use crate::language::Language;

/// Where a passage in this language holds words of a statement, neighbours joined. A function word counts only between two
/// words that are shared, so that quotations stay whole.
pub fn shared_words(passage: &str, statement: &str, language: Language) -> Vec<Range<usize>> {
    let list = WordList::of(language);
    let stems: HashSet<String> = words(statement).iter().map(|word| stem(&word.folded, language)).collect();
    let all = words(passage);
    let shared: Vec<bool> = all.iter().map(|word| stems.contains(&stem(&word.folded, language))).collect();
    let is_marked = |at: usize, word: &Word| {
        let beside = |at: Option<usize>| at.and_then(|at| shared.get(at)).is_some_and(|shared| *shared);
        shared[at]
            && (list.is_content(&word.folded) || (beside(at.checked_sub(1)) && beside(at.checked_add(1))))
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, word) in all.iter().enumerate().filter(|(at, word)| is_marked(*at, word)) {
        let follows = at.checked_sub(1).map(|before| all[before].range.end);
        match found.last_mut() {
            Some(last) if Some(last.end) == follows && joins(&passage[last.end..word.range.start]) => {
                last.end = word.range.end;
            }
            _ => found.push(word.range.clone()),
        }
    }
    found
}

/// Whether what stands between two words leaves them in one sentence: the full stop of "TLS 1.3" does.
fn joins(gap: &str) -> bool {
    let ends = gap.contains(['.', '!', '?']) && gap.ends_with(char::is_whitespace);
    !ends && !gap.contains(['\n', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked<'p>(passage: &'p str, statement: &str, language: Language) -> Vec<&'p str> {
        shared_words(passage, statement, language).into_iter().map(|range| &passage[range]).collect()
    }

    #[test]
    fn shared_words_are_marked_with_their_neighbours() {
        let passage =
            "All connections between applications use TLS 1.3. Devices in substations may use TLS 1.2.";
        assert_eq!(
            marked(passage, "Every connection between applications uses TLS 1.3.", Language::EN),
            ["connections between applications use TLS 1.3", "use TLS 1"],
            "inflected words are the same words, and the end of a sentence parts them"
        );
        assert_eq!(marked(passage, "The cat is on the roof.", Language::EN), Vec::<&str>::new());
    }

    #[test]
    fn a_function_word_alone_supports_nothing() {
        let passage = "Rechten vervallen twaalf maanden na de laatste controle.";
        assert_eq!(marked(passage, "Na de zomer, de winter.", Language::NL), Vec::<&str>::new());
        assert_eq!(
            marked(passage, "Na de laatste controle vervallen rechten.", Language::NL),
            ["Rechten vervallen", "de laatste controle"]
        );
    }
}
