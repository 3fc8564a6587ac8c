//! What is read in every language at once: references, dates, statuses and markers mix them.

use regex::Regex;

use super::Pack;
use super::error::PackError;
use super::patterns::{Compiler, any_of};
use crate::kinds::Standing;

/// What all packs make together.
pub(crate) struct Across {
    pub references: ReferencePatterns,
    pub claims: ClaimPatterns,
    pub markers: MarkerPatterns,
    pub named_passages: NamedPassagePatterns,
    /// The words that show a standing, those first that outrank the others.
    pub statuses: Vec<(Standing, Vec<Vec<String>>)>,
}

/// Documents that are named by their number.
pub(crate) struct ReferencePatterns {
    /// A kind and a number.
    pub numbered: Regex,
    /// "The 42nd ADR".
    pub ordinal: Regex,
    /// A number behind its word alone, in brackets: "the TLS decision (nr. 12)".
    pub bracketed: Regex,
    /// A number that is said to be one, of no kind: "number 12".
    pub bare: Regex,
    /// A further number: "ADR 7, 8 and 21".
    pub next: Regex,
    /// "ADR 12's approval record".
    pub approval_after: Regex,
    /// What stands before the day of a record.
    pub dated: Regex,
    /// A policy by its id: alone, or with a chunk as in an answer's marker.
    pub policy: Regex,
}

/// Days with the names of months, and the words for a record.
pub(crate) struct ClaimPatterns {
    pub day_month: Regex,
    pub month_day: Regex,
    pub month_year: Regex,
    /// Parts of the words for a record.
    pub record: Regex,
}

/// Markers that point at passages.
pub(crate) struct MarkerPatterns {
    pub keyword: Regex,
    pub list: Regex,
    /// A keyword with a mark behind it.
    pub named: Regex,
    /// Words before the number of a passage.
    pub keywords: Vec<String>,
    /// Words between two numbers.
    pub joining: Vec<String>,
    /// Words around markers that only say where to look.
    pub pointing: Vec<String>,
}

/// Passages that are named in words.
pub(crate) struct NamedPassagePatterns {
    /// What says no more than where a sentence comes from: "According to passage 2, …".
    pub opening: Regex,
    pub anywhere: Regex,
}

/// Whatever is wrong here no single file is to blame: each of the parts compiled by itself.
const TOGETHER: Compiler<'static> = Compiler { file: "all languages together" };

impl Across {
    pub fn new(packs: &[Pack]) -> Result<Self, PackError> {
        Ok(Self {
            references: ReferencePatterns::new(packs)?,
            claims: ClaimPatterns::new(packs)?,
            markers: MarkerPatterns::new(packs)?,
            named_passages: NamedPassagePatterns::new(packs)?,
            statuses: statuses(packs),
        })
    }
}

impl ReferencePatterns {
    fn new(packs: &[Pack]) -> Result<Self, PackError> {
        let all = |words: fn(&Pack) -> &[String]| any_of(packs.iter().flat_map(words));
        let approval = all(|pack| &pack.intent.reference.approval);
        let number = all(|pack| &pack.intent.reference.number);
        let and = all(|pack| &pack.intent.reference.and);
        let adr = all(|pack| &pack.intent.reference.adr);
        let principle = all(|pack| &pack.intent.reference.principle);
        let ordinal = all(|pack| &pack.intent.reference.ordinal);
        let show = all(|pack| &pack.intent.reference.show);
        let whom = all(|pack| &pack.intent.reference.whom);
        let the = all(|pack| &pack.intent.reference.the);
        let of_day = all(|pack| &pack.intent.reference.of_day);
        let decided_on = all(|pack| &pack.intent.reference.decided_on);
        let kind = format!(
            "(?P<approval>{approval}:? )?(?:(?P<adr>{adr})|(?P<dar>dars?|{approval})|(?P<principle>{principle}))"
        );
        let separator = format!(r"(?:(?P<tight>[._-])| {number}\.? ?#?| ?#| |)");
        let id = "policy-(?P<alone>[a-z0-9][a-z0-9-]*)";
        let mark = "policy-(?P<marked>[a-z0-9][a-z0-9-]*)";
        Ok(Self {
            numbered: TOGETHER
                .regex("reference", &format!(r"\b{kind}{separator}(?P<number>[0-9]{{1,5}})(?P<d>d)?\b"))?,
            ordinal: TOGETHER.regex(
                "reference.ordinal",
                &format!(
                    r"\b(?P<number>[0-9]{{1,5}}){ordinal} (?:(?P<adr>{adr})|(?P<dar>dars?|{approval})|(?P<principle>{principle}))\b"
                ),
            )?,
            bracketed: TOGETHER.regex(
                "reference.number",
                &format!(r"\((?P<whole>(?:{number}\.? ?#?|#)(?P<number>[0-9]{{1,5}}))\b"),
            )?,
            bare: TOGETHER.regex(
                "reference.number",
                &format!(r"(?:^|[ (])(?P<whole>(?:{number}\.? ?#?|#)(?P<number>[0-9]{{1,5}}))\b"),
            )?,
            next: TOGETHER.regex(
                "reference.and",
                &format!(r"^(?: ?[,&/+] ?(?:{and} )?| {and} )#?(?P<number>[0-9]{{1,5}})(?P<d>d)?\b"),
            )?,
            approval_after: TOGETHER.regex("reference.approval", &format!(r"^(?:'s?)? {approval}\b"))?,
            dated: TOGETHER.regex(
                "reference.of_day",
                &format!(r"\b(?:(?:{adr})(?:,? {of_day})*|{decided_on})[ :#-]+$"),
            )?,
            policy: TOGETHER.regex(
                "reference.show",
                &format!(r"^(?:{show}(?: {whom})? (?:{the} )?)?(?P<id>{id})$|\b(?P<mark>{mark}):[0-9]"),
            )?,
        })
    }
}

impl ClaimPatterns {
    fn new(packs: &[Pack]) -> Result<Self, PackError> {
        let escaped = |words: &mut dyn Iterator<Item = &String>| -> Vec<String> {
            words.map(|word| regex::escape(word)).collect()
        };
        let mut months = escaped(&mut packs.iter().flat_map(|pack| pack.words.months.keys()));
        months.sort_unstable_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
        let months = months.join("|");
        let records = escaped(&mut packs.iter().flat_map(|pack| &pack.lexicon.records)).join("|");
        let ordinal = any_of(escaped(&mut packs.iter().flat_map(|pack| &pack.words.ordinals)));
        let of = any_of(escaped(&mut packs.iter().flat_map(|pack| &pack.words.of_month)));
        // Boundaries are ASCII: those of Unicode make the engine ten times slower where a text holds a "€".
        Ok(Self {
            day_month: TOGETHER.regex(
                "months",
                &format!(
                    r"(?i)(?-u:\b)([0-9]{{1,2}}){ordinal}?\s+(?:{of}\s+)?({months})\.?\s*,?\s+([0-9]{{4}})(?-u:\b)"
                ),
            )?,
            month_day: TOGETHER.regex(
                "months",
                &format!(r"(?i)(?-u:\b)({months})\.?\s+([0-9]{{1,2}}){ordinal}?\s*,?\s+([0-9]{{4}})(?-u:\b)"),
            )?,
            month_year: TOGETHER
                .regex("months", &format!(r"(?i)(?-u:\b)({months})\.?\s*,?\s+([0-9]{{4}})(?-u:\b)"))?,
            record: TOGETHER.regex("records", &format!("(?i){records}"))?,
        })
    }
}

impl MarkerPatterns {
    fn new(packs: &[Pack]) -> Result<Self, PackError> {
        let all = |words: fn(&Pack) -> &Vec<String>| -> Vec<String> {
            packs.iter().flat_map(words).cloned().collect()
        };
        let keywords = all(|pack| &pack.passages.keywords);
        let joining = all(|pack| &pack.passages.joining);
        let escaped =
            |words: &[String]| words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
        let (keyword, number) = (escaped(&keywords), r"\d+");
        let separator = format!(r"\s*(?:,|;|&|\+|-|\^|\s|{})\s*", escaped(&joining));
        let list =
            format!(r"(?i)^\s*\^?\s*{number}(?:{separator}(?:(?:{keyword})\s*)?{number})*\s*(?:†.*)?$");
        Ok(Self {
            keyword: TOGETHER.regex("keywords", &format!(r"(?i)^\s*(?:{keyword})\s*[:#.]?\s*"))?,
            list: TOGETHER.regex("joining", &list)?,
            named: TOGETHER
                .regex("keywords", &format!(r"(?i)^\s*(?:sourceid\b|(?:{keyword})\s*[:#]\s*\S)"))?,
            joining: joining
                .iter()
                .flat_map(|word| word.split(|c: char| !c.is_alphabetic()))
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
            pointing: all(|pack| &pack.passages.pointing),
            keywords,
        })
    }
}

impl NamedPassagePatterns {
    fn new(packs: &[Pack]) -> Result<Self, PackError> {
        let all = |words: fn(&Pack) -> &[String]| any_of(packs.iter().flat_map(words));
        let nouns = all(|pack| &pack.passages.named.nouns);
        let alone = all(|pack| &pack.passages.named.alone);
        let inside = all(|pack| &pack.passages.named.inside);
        let and = all(|pack| &pack.passages.named.and);
        let the = all(|pack| &pack.passages.named.the);
        let according = all(|pack| &pack.passages.named.according);
        let it = all(|pack| &pack.passages.named.it);
        let adverbs = all(|pack| &pack.passages.named.adverbs);
        let says = all(|pack| &pack.passages.named.says);
        let that = all(|pack| &pack.passages.named.that);
        // "passage 2", "Passages 1 and 3", "fragment 1", "the passage in [2]".
        let number = r"\[?\d{1,3}\b\]?";
        let named = format!(
            r"{nouns}\s+(?:{inside}\s+)?(?:{alone}\s+)?({number}(?:(?:\s*,\s*(?:{and}\s+)?|\s+(?:{and}|&)\s+){number})*)"
        );
        let says = format!("(?:{adverbs} )?{says}");
        let opening = format!(
            r"(?i)^(?:{according} (?:{the} )?{named},\s+(?:{it} {says} {that}\s+)?|(?:{the} )?(?:{named}|{alone}) {says} {that}\s+)"
        );
        Ok(Self {
            opening: TOGETHER.regex("named", &opening)?,
            anywhere: TOGETHER.regex("named", &format!(r"(?i)\b{named}"))?,
        })
    }
}

fn statuses(packs: &[Pack]) -> Vec<(Standing, Vec<Vec<String>>)> {
    let phrase = |phrase: &String| phrase.split(' ').map(str::to_owned).collect();
    // What ended a record outranks what began it.
    [Standing::Superseded, Standing::Deprecated, Standing::Rejected, Standing::Proposed, Standing::InForce]
        .into_iter()
        .map(|standing| {
            (standing, packs.iter().flat_map(|pack| pack.documents.status.of(standing)).map(phrase).collect())
        })
        .collect()
}
