//! Text made comparable.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters that have no width or only steer direction: they can hide inside a word and must not count.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
        || (c.is_control() && !c.is_whitespace())
}

/// Text made comparable: compatibility forms, case, quotes, dashes and white space made one, invisible characters gone.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.nfkc().filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase) {
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        if gap && !folded.is_empty() {
            folded.push(' ');
        }
        gap = false;
        folded.push(match c {
            '‘' | '’' | 'ʼ' | '`' | '´' | '′' => '\'',
            '“' | '”' | '„' | '«' | '»' | '″' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
            other => other,
        });
    }
    folded
}

/// The text without accents and other combining marks.
pub fn without_marks(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// The text with a capital to begin with.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_makes_comparable_what_reads_the_same() {
        assert_eq!(fold("  The\u{a0}\tOperator’s  “Plan” — A\u{200B}DR "), "the operator's \"plan\" - adr");
        assert_eq!(fold("ＡＤＲ‑００１２"), "adr-0012");
        assert_eq!(without_marks("één coördinatie"), "een coordinatie");
    }
}
