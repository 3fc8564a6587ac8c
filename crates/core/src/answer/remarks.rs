//! What a sentence of a model says about the evidence instead of from it.

use regex::Regex;

use crate::language::Pack;

/// What a sentence says about the evidence instead of from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remark {
    /// There is no answer in the passages.
    NoAnswer,
    /// Something is missing beside what was answered.
    Missing,
}

/// A sentence without what says whether it is so, before it says how it is: "Yes, because …".
pub(super) fn without_verdict(sentence: &str) -> Option<&str> {
    Pack::all().find_map(|pack| Some(&sentence[pack.remarks.verdict.find(sentence)?.end()..]))
}

/// Whether a sentence of a model is a remark, and which. A model that answers in one language may refuse in another.
pub fn remark(sentence: &str) -> Option<Remark> {
    let is_any = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(sentence));
    if Pack::all().any(|pack| is_any(&pack.remarks.no_answer)) {
        Some(Remark::NoAnswer)
    } else {
        Pack::all().any(|pack| is_any(&pack.remarks.missing)).then_some(Remark::Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_and_remarks_are_told_from_answers() {
        for (sentence, expected) in [
            ("NO_ANSWER", Some(Remark::NoAnswer)),
            ("NO_ANSWER.", Some(Remark::NoAnswer)),
            (
                "I don't have enough information in the available documents to answer this question.",
                Some(Remark::NoAnswer),
            ),
            ("Er is onvoldoende informatie in de documenten.", Some(Remark::NoAnswer)),
            ("The passages do not answer the question.", Some(Remark::NoAnswer)),
            ("None of the passages answers this.", Some(Remark::NoAnswer)),
            ("De passages beantwoorden de vraag niet.", Some(Remark::NoAnswer)),
            ("De documenten geven hierop geen antwoord.", Some(Remark::NoAnswer)),
            ("The passages do not mention who pays for it.", Some(Remark::Missing)),
            ("De passages vermelden de kosten niet.", Some(Remark::Missing)),
            ("The retention period is not specified.", Some(Remark::Missing)),
            ("Basic authentication is forbidden.", None),
            ("TLS 1.2 is not allowed after 2027.", None),
            ("Keys are not shared between services.", None),
            ("Wachtwoorden worden niet gedeeld.", None),
        ] {
            assert_eq!(remark(sentence), expected, "{sentence}");
        }
    }
}
