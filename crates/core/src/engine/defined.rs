//! Terms that the documents define themselves: in a table of terms, or in a glossary.

use super::draft::{Draft, JudgedBy};
use super::evidence::Evidence;
use super::gate::Gated;
use super::turn::Turn;
use crate::domain::Chunk;
use crate::messages::{Message, Messages};
use crate::text::{UnitKind, content_stems, table_head, units};

/// What parts a term from what it means, where nothing else does.
const DASHES: [&str; 4] = [": ", " - ", " – ", " — "];

/// Passages that say what a term means are evidence for it, however little else they share with the question.
pub(super) fn exempt_definitions(evidence: &mut Evidence, term: &str) {
    for candidate in &mut evidence.candidates {
        candidate.forced |= definition_in(&candidate.chunk, term).is_some();
    }
}

/// The answer to a question for a meaning that a document gives itself: its row or line as it stands there, from the passage that
/// comes first.
pub(super) fn as_defined(turn: &Turn<'_>, gated: &Gated, term: &str) -> Option<Draft> {
    let (passage, text) =
        gated.kept.iter().find_map(|kept| Some((kept, definition_in(&kept.chunk, term)?)))?;
    // What a document that goes by the term says of it is more than a line in passing elsewhere; a table of terms is none.
    let has_its_own = || gated.kept.iter().any(|kept| is_entitled(&kept.chunk, term));
    if !text.ends_with('|') && !is_entitled(&passage.chunk, term) && has_its_own() {
        return None;
    }
    let answer = match text.strip_suffix('|') {
        Some(row) => format!("{row}[1] |"),
        None => format!("{text} [1]"),
    };
    Some(Draft {
        answer,
        cited: vec![passage.clone()],
        coverage: 1.0,
        judged_by: JudgedBy::Name,
        model: None,
        withheld: Vec::new(),
        warnings: Vec::new(),
        remarks: vec![Messages::of(turn.language).text(Message::TransparencyExtractive, &[])],
        passages_used: gated.kept.len(),
        context_tokens: 0,
    })
}

/// Whether a document's title is the term and nothing else.
fn is_entitled(chunk: &Chunk, term: &str) -> bool {
    let language = chunk.language;
    content_stems(&chunk.document.title, language) == content_stems(term, language)
}

fn definition_in(chunk: &Chunk, term: &str) -> Option<String> {
    let stems = content_stems(term, chunk.language);
    let is_term = |text: &str| !stems.is_empty() && content_stems(text, chunk.language) == stems;
    definition(&chunk.text, is_term)
}

/// The row of a table, under its head, or the line that begins with the term and goes on with its meaning.
fn definition(text: &str, is_term: impl Fn(&str) -> bool) -> Option<String> {
    units(text).into_iter().find_map(|unit| {
        let line = text[unit.range].trim_start_matches(['-', '*', '+', ' ']).trim_end();
        if unit.kind == UnitKind::TableRow {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let defines =
                cells.next().is_some_and(&is_term) && cells.next().is_some_and(|meaning| !meaning.is_empty());
            let head = unit.head.map(|head| table_head(&text[head])).unwrap_or_default();
            return defines.then(|| format!("{head}{line}"));
        }
        let defines =
            DASHES.iter().any(|dash| line.split_once(dash).is_some_and(|(front, _)| is_term(front)));
        defines.then(|| line.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::definition;

    fn of_term(text: &str, term: &str) -> bool {
        definition(text, |front| front.trim_matches('*').to_lowercase() == term).is_some()
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
