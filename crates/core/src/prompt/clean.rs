//! Text of others made harmless: it may say anything, but not look like a part of the prompt.

use std::sync::LazyLock;

use regex::Regex;

use crate::language::fixed;
use crate::numbers::numbers;
use crate::text::is_invisible;

/// Our fences, and what chat templates and thinking models put around a message: a server reads these as markup even
/// inside a text.
static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    let fences = r"(?i:<\s*/?\s*(?:passage|note|answer)\b)";
    let tokens = r"<[|｜][^\s<>]{1,60}[|｜]>";
    let tags = r"(?i:</?(?:s|bos|eos|unk|pad|think|thinking|start_of_turn|end_of_turn)>)";
    let instructions = r"(?i:<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS)\])";
    fixed(&format!("{fences}|{tokens}|{tags}|{instructions}"))
});

/// A text that can stand inside a fence: no hidden characters, no markup of ours or of a chat template, and no number
/// in square brackets that could be taken for a passage's.
pub(super) fn clean(text: &str) -> String {
    without_aliases(&fenced(text))
}

/// As [`clean`], with its numbers in square brackets: the judge needs an answer's markers.
pub(super) fn fenced(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let visible: String = text
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() && c != '\t' || matches!(c, '\u{2028}' | '\u{2029}') { '\n' } else { c })
        .collect();
    MARKUP
        .replace_all(&visible, |found: &regex::Captures<'_>| {
            found[0].replace('<', "‹").replace('>', "›").replace('[', "(").replace(']', ")")
        })
        .into_owned()
}

/// A title or a heading: as [`clean`], on one line and not endless.
pub(super) fn one_line(text: &str) -> String {
    let line = clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(numbers().prompt.line_chars) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}

/// Footnote marks such as `[2]` become `(2)`. An index in code, `names[2]`, stays.
fn without_aliases(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let digits = from[1..].bytes().take_while(u8::is_ascii_digit).count();
        let is_mark = (1..=3).contains(&digits) && from[1 + digits..].starts_with(']');
        let is_index = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_mark && !is_index {
            out.push('(');
            out.push_str(&from[1..=digits]);
            out.push(')');
            rest = &from[digits + 2..];
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out
}
