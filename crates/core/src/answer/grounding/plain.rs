//! Text as words alone, so that spelling makes no difference.

use crate::text::without_marks;

/// Text as words alone: lowercase, no accents, letters apart from digits, one space around each word.
///
/// "Field 's Market (AES256)" and "Field's Market, AES-256" read the same in it.
pub(super) fn plain(text: &str) -> String {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Letter,
        Digit,
    }
    let bare = without_marks(text);
    let mut out = String::with_capacity(bare.len() + 2);
    out.push(' ');
    let mut last: Option<Class> = None;
    for c in bare.chars() {
        let class = if c.is_numeric() {
            Class::Digit
        } else if c.is_alphabetic() {
            Class::Letter
        } else {
            if last.take().is_some() {
                out.push(' ');
            }
            continue;
        };
        if last.is_some_and(|last| last != class) {
            out.push(' ');
        }
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            out.extend(c.to_lowercase());
        }
        last = Some(class);
    }
    if last.is_some() {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_that_reads_the_same_is_the_same() {
        assert_eq!(plain("Field 's Market (AES256)"), plain("Field's  market, AES-256"));
        assert_eq!(plain("één"), " een ");
        assert_eq!(plain(" – "), " ");
    }
}
