//! Which parts of a text could stand in an answer by themselves.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Unit, UnitKind, units, words};
use crate::language::{Pack, fixed};
use crate::numbers::numbers;
use crate::text::fold;

/// The sentences of a text that could stand in an answer.
pub fn quotable(text: &str) -> Vec<Range<usize>> {
    units(text).into_iter().filter(|unit| is_quotable(text, unit)).map(|unit| unit.range).collect()
}

/// Whether a unit of a text could stand in an answer. A question answers nothing, though it often shares every word with the
/// one that was asked.
pub fn is_quotable(text: &str, unit: &Unit) -> bool {
    let text = &text[unit.range.clone()];
    let numbers = &numbers().compose;
    !matches!(unit.kind, UnitKind::Heading | UnitKind::TableHead)
        && text.len() <= numbers.longest_unit
        && words(text).len() >= numbers.fewest_words
        && !text.trim_end().ends_with('?')
        && !says_nothing(text)
}

/// Whether a unit states nothing: it is a link, a field of the document such as its status or date, or what a generator of pages fills in.
fn says_nothing(text: &str) -> bool {
    is_link(text) || is_field(text) || is_filled_in(text)
}

/// Whether nothing but pictures stands there.
pub(crate) fn is_picture(text: &str) -> bool {
    let rest = PICTURE.replace_all(text, "");
    rest.len() < text.len() && !rest.contains(char::is_alphanumeric)
}

/// Whether a generator of pages was to fill something in: "{{ page.title }}". As code it is what the text is about.
pub(crate) fn is_filled_in(text: &str) -> bool {
    let said = text.split('`').step_by(2);
    said.into_iter().any(|said| FILLED_IN.is_match(said))
}

/// Whether nothing but links, and what they are called, stands there.
fn is_link(text: &str) -> bool {
    let rest = LINK.replace_all(text, " ");
    rest.len() < text.len() && words(&rest).len() < numbers().compose.fewest_words
}

/// Whether a line begins with the name of a field of documents: "Status: accepted".
pub fn is_field(text: &str) -> bool {
    let plain = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some((label, _)) = plain.split_once(':') else { return false };
    let label = fold(label.trim_matches(|c: char| !c.is_alphanumeric()));
    Pack::all().any(|pack| pack.documents.labels.any(|known| *known == label))
}

static PICTURE: LazyLock<Regex> = LazyLock::new(|| fixed(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])"));

static FILLED_IN: LazyLock<Regex> = LazyLock::new(|| fixed(r"\{\{[^{}]*\}\}|\{%[^{}]*%\}"));

static LINK: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"!?\[[^\]]*\]\([^)]*\)|<?https?://[^\s>]+>?|\[[^\]]*\]\[[^\]]*\]"));

#[cfg(test)]
mod tests {
    use super::{is_picture, quotable};

    #[test]
    fn what_a_generator_fills_in_and_pictures_state_nothing() {
        let stated = |text: &str| !quotable(text).is_empty();
        assert!(!stated("Read our {{ item.data.title | lower }} before you begin."));
        assert!(!stated("{% include banner.html text='Please read this first' %}"));
        assert!(stated("The chart reads `{{ .Values.image }}` from the values of the release."));
        assert!(is_picture("![Overview of the choices](images/overview.png)"));
        assert!(!is_picture("![Overview](images/overview.png) shows what was chosen."));
    }
}
