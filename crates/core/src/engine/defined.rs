//! Terms that the documents define themselves: in a table of terms, or in a glossary.

use super::evidence::Evidence;
use crate::text::{UnitKind, content_stems, units};

/// What parts a term from what it means, where nothing else does.
const DASHES: [&str; 4] = [": ", " - ", " – ", " — "];

/// Passages that say what a term means are evidence for it, however little else they share with the question.
pub(super) fn exempt_definitions(evidence: &mut Evidence, term: &str) {
    for candidate in &mut evidence.candidates {
        let language = candidate.chunk.language;
        let stems = content_stems(term, language);
        let is_term = |text: &str| !stems.is_empty() && content_stems(text, language) == stems;
        candidate.forced |= defines(&candidate.chunk.text, is_term);
    }
}

/// Whether a text holds a row of a table, or a line, that begins with the term and goes on with its meaning.
fn defines(text: &str, is_term: impl Fn(&str) -> bool) -> bool {
    units(text).into_iter().any(|unit| {
        let line = text[unit.range].trim_start_matches(['-', '*', '+', ' ']);
        if unit.kind == UnitKind::TableRow {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            return cells.next().is_some_and(&is_term)
                && cells.next().is_some_and(|meaning| !meaning.is_empty());
        }
        DASHES.iter().any(|dash| line.split_once(dash).is_some_and(|(front, _)| is_term(front)))
    })
}

#[cfg(test)]
mod tests {
    use super::defines;

    fn of_term(text: &str, term: &str) -> bool {
        defines(text, |front| front.trim_matches('*').to_lowercase() == term)
    }

    #[test]
    fn rows_and_lines_that_begin_with_a_term_define_it() {
        assert!(of_term(
            "| Begrip | Betekenis |\n|---|---|\n| sluisstation | losse computer |\n",
            "sluisstation"
        ));
        assert!(of_term(
            "- **Air lock**: a machine on its own that scans files before they go in.\n",
            "air lock"
        ));
        assert!(of_term("Air lock – a machine on its own that scans files before they go in.\n", "air lock"));
    }

    #[test]
    fn what_only_uses_a_term_does_not() {
        assert!(!of_term(
            "Files go in through the air lock: it has two scanners of different makers.\n",
            "air lock"
        ));
        assert!(!of_term("| air lock | |\n|---|---|\n| other | thing |\n", "air lock"));
    }
}
