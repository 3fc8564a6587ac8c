use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

/// What a sentence says about the evidence instead of from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remark {
    /// There is no answer in the passages.
    NoAnswer,
    /// Something is missing beside what was answered.
    Missing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    no_answer: Vec<String>,
    missing: Vec<String>,
    verdict: String,
}

const SOURCES: [&str; 2] = [
    include_str!("../../../../assets/languages/en/remarks.toml"),
    include_str!("../../../../assets/languages/nl/remarks.toml"),
];

static PACKS: LazyLock<Vec<Pack>> =
    LazyLock::new(|| SOURCES.iter().filter_map(|source| toml::from_str(source).ok()).collect());

static PATTERNS: LazyLock<Vec<(Remark, Regex)>> = LazyLock::new(|| {
    let of = |remark: Remark, sources: &[String]| -> Vec<(Remark, Regex)> {
        sources.iter().filter_map(|source| Some((remark, pattern(source)?))).collect()
    };
    let refusals = PACKS.iter().flat_map(|pack| of(Remark::NoAnswer, &pack.no_answer));
    refusals.chain(PACKS.iter().flat_map(|pack| of(Remark::Missing, &pack.missing))).collect()
});

static VERDICTS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| PACKS.iter().filter_map(|pack| pattern(&pack.verdict)).collect());

fn pattern(source: &str) -> Option<Regex> {
    RegexBuilder::new(source).case_insensitive(true).build().ok()
}

/// A sentence without what says whether it is so, before it says how it is: "Yes, because …".
pub(super) fn without_verdict(sentence: &str) -> Option<&str> {
    VERDICTS.iter().find_map(|verdict| Some(&sentence[verdict.find(sentence)?.end()..]))
}

/// Whether a sentence of a model is a remark, and which. A model that answers in one language may refuse in another.
pub fn remark(sentence: &str) -> Option<Remark> {
    PATTERNS.iter().find(|(_, pattern)| pattern.is_match(sentence)).map(|(remark, _)| *remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        let wanted: usize = SOURCES
            .iter()
            .map(|source| toml::from_str::<Pack>(source).unwrap())
            .map(|pack| pack.no_answer.len() + pack.missing.len())
            .sum();
        assert_eq!((PATTERNS.len(), VERDICTS.len()), (wanted, SOURCES.len()));
    }

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
