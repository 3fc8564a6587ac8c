//! A unit without what no passage could support: a verdict before it, a stray quotation mark.

use std::borrow::Cow;

use crate::answer::remarks;
use crate::text::{UnitKind, capitalised};

/// A unit as it is checked and shown, without what no passage could support.
pub(crate) fn tidied(kind: UnitKind, text: &str) -> String {
    match kind {
        UnitKind::Sentence | UnitKind::ListItem => without_stray_mark(&without_verdict(text)).into_owned(),
        _ => text.to_owned(),
    }
}

/// A sentence without the word before it that says whether it is so: passages support the sentence, not the word.
fn without_verdict(text: &str) -> Cow<'_, str> {
    remarks::without_verdict(text).map_or(Cow::Borrowed(text), |rest| Cow::Owned(capitalised(rest)))
}

/// A unit without a quotation mark that has no other: models quote over several sentences, of which each is shown by itself.
fn without_stray_mark(text: &str) -> Cow<'_, str> {
    let is_mark = |(at, c): &(usize, char)| {
        // Behind a figure it stands for inches.
        matches!(c, '"' | '“' | '”' | '„') && !text[..*at].ends_with(|before: char| before.is_numeric())
    };
    let marks: Vec<(usize, char)> = text.char_indices().filter(is_mark).collect();
    match marks.last() {
        Some((at, mark)) if marks.len() % 2 == 1 => {
            Cow::Owned(format!("{}{}", &text[..*at], &text[at + mark.len_utf8()..]))
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verdict_before_a_sentence_goes() {
        for (written, read) in [
            ("Yes, access tokens live 15 minutes [1].", "Access tokens live 15 minutes [1]."),
            ("No, because TLS 1.3 is required [2].", "TLS 1.3 is required [2]."),
            ("Nee: back-ups worden versleuteld [1].", "Back-ups worden versleuteld [1]."),
            ("No backups leave the site [1].", "No backups leave the site [1]."),
            ("Yes.", "Yes."),
            ("Correct readings are kept [1].", "Correct readings are kept [1]."),
        ] {
            assert_eq!(without_verdict(written), read);
        }
    }

    #[test]
    fn only_a_mark_without_its_other_goes() {
        for (written, read) in [
            ("It would remain scattered.\" [2]", "It would remain scattered. [2]"),
            ("It says \"National register only. [2]", "It says National register only. [2]"),
            ("\"One portal\" is an option [1].", "\"One portal\" is an option [1]."),
            ("“One portal” is said twice.” [1]", "“One portal” is said twice. [1]"),
            ("A screen of 24\" [1].", "A screen of 24\" [1]."),
        ] {
            assert_eq!(without_stray_mark(written), read);
        }
    }
}
