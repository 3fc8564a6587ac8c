//! What a text states, unit by unit.

use crate::domain::TextSpan;
use crate::text::{UnitKind, units};

/// A unit of a text that states something.
pub(super) struct Said<'t> {
    pub kind: UnitKind,
    pub text: &'t str,
    /// Where it stands, in characters.
    pub span: TextSpan,
}

/// What a text states.
pub(super) struct Stated<'t> {
    pub statements: Vec<Said<'t>>,
    /// Units that state nothing.
    pub passed_over: usize,
}

/// The statements of a text. Headings, heads of tables, code, questions and what has no letters state nothing.
pub(super) fn stated(text: &str) -> Stated<'_> {
    let mut stated = Stated { statements: Vec::new(), passed_over: 0 };
    let (mut bytes, mut chars) = (0, 0);
    for unit in units(text) {
        let said = &text[unit.range.clone()];
        let start = chars + text[bytes..unit.range.start].chars().count();
        let end = start + said.chars().count();
        (bytes, chars) = (unit.range.end, end);
        if states(unit.kind, said) {
            stated.statements.push(Said { kind: unit.kind, text: said, span: TextSpan { start, end } });
        } else {
            stated.passed_over += 1;
        }
    }
    stated
}

fn states(kind: UnitKind, said: &str) -> bool {
    let closed = said.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '?');
    kind.states() && said.contains(char::is_alphabetic) && !closed.ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_states_something_is_checked_and_its_place_is_told_in_characters() {
        let text = "# Één kop\n\nBack-ups zijn versleuteld. Waarom? Eén zin.\n\n- punt\n\n```\ncode\n```\n\n---\n\n| a |\n|---|\n| rij |\n";
        let found = stated(text);
        let said: Vec<&str> = found.statements.iter().map(|said| said.text).collect();
        assert_eq!(said, ["Back-ups zijn versleuteld.", "Eén zin.", "- punt", "| rij |"]);
        assert_eq!(found.passed_over, 5, "heading, question, code, rule and the head of the table");
        for said in &found.statements {
            let at: String =
                text.chars().skip(said.span.start).take(said.span.end - said.span.start).collect();
            assert_eq!(at, said.text);
        }
    }
}
