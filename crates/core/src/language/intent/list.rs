//! How a language asks for lists.

use serde::Deserialize;

use super::StandingWords;
use crate::kinds::{Kind, Standing};
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

const YEAR: &str = "[12][0-9]{3}";

/// How a pack recognises lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListWords {
    all: Vec<String>,
    count: Vec<String>,
    which: Vec<String>,
    bare: Vec<String>,
    fillers: Vec<String>,
    each: Vec<String>,
    vague: Vec<String>,
    and: Vec<String>,
    anything: Vec<String>,
    everything: Vec<String>,
    exists: Vec<String>,
    standing: Vec<String>,
    standing_after: Vec<String>,
    about: Vec<String>,
    about_after: Vec<String>,
    owner: Vec<String>,
    person: Vec<String>,
    statuses: Vec<(String, String)>,
    because: Vec<String>,
    said_of: Vec<String>,
    said_of_topic: Vec<String>,
    through: Vec<String>,
    onwards: Vec<String>,
    numbered: Vec<String>,
    numbered_on: Vec<String>,
    dated: Vec<String>,
    year: Vec<String>,
    since: Vec<String>,
    after: Vec<String>,
    until: Vec<String>,
    before: Vec<String>,
    between: Vec<String>,
    ended: Vec<String>,
    not: Vec<String>,
    newest: Vec<String>,
    oldest: Vec<String>,
    again: Vec<String>,
    idle: Vec<String>,
    oldest_first: Vec<String>,
    newest_first: Vec<String>,
    and_rows: Vec<String>,
    closers: Vec<String>,
}

/// Patterns for the front of what is left to read.
pub(crate) struct ListRules {
    pub all: Patterns,
    pub count: Patterns,
    pub which: Patterns,
    pub bare: Patterns,
    pub fillers: Patterns,
    /// What has been read where all are asked for one by one: "every ADR".
    pub each: Patterns,
    pub vague: Vec<String>,
    pub and: Patterns,
    pub anything: Patterns,
    /// All that was decided, of whatever kind.
    pub everything: Patterns,
    pub kinds: Vec<(Kind, Patterns)>,
    /// One of a kind.
    pub singles: Vec<(Kind, Patterns)>,
    pub standings: Vec<(Standing, Patterns)>,
    pub exists: Patterns,
    pub standing: Patterns,
    pub about: Patterns,
    /// The verb that some languages put behind the topic.
    pub about_after: Patterns,
    pub owner: Patterns,
    /// Who took part, as `name`.
    pub person: Patterns,
    /// Words of statuses beside the standings, and how libraries write them.
    pub statuses: Vec<(Patterns, String)>,
    /// What introduces a reason, which narrows no list.
    pub because: Patterns,
    /// What says of which topic documents must speak, without a word that asks for a list: "that mention".
    pub said_of: Patterns,
    /// All that is said of a `topic`, wherever that is.
    pub said_of_topic: Patterns,
    /// Records of a kind from one number to another, as `from` and `to`; without `to` those from one on.
    pub ranges: Vec<(Kind, Patterns)>,
    /// The number that records go on `from`: "from number 10 on".
    pub numbered_from: Patterns,
    /// What happened, before a date.
    pub dated: Patterns,
    /// Years, as `in`, `since`, `after`, `until`, `before`, or `from` and `to`, each with its month beside it.
    pub periods: Patterns,
    /// No longer in force.
    pub ended: Patterns,
    /// What rules a standing out.
    pub not: Patterns,
    /// So many of the newest or the oldest, the number as `n` before or `m` behind the word.
    pub newest: Patterns,
    pub oldest: Patterns,
    /// What says the same in other words: "I mean".
    pub again: Patterns,
    /// Words between the filters that say nothing.
    pub idle: Patterns,
    pub oldest_first: Patterns,
    pub newest_first: Patterns,
    /// What asks for the rows beside their number.
    pub and_rows: Patterns,
    /// Where a topic ends and an owner or a standing begins.
    pub topic_end: Patterns,
    pub closers: Patterns,
}

/// Where a filter ends: a clause or a sentence may end with it.
const END: &str = r"(?:[,;:.?!]? |$)";

impl ListWords {
    pub fn compile(
        &self,
        kinds: &[(Kind, String)],
        singles: &[(Kind, String)],
        standings: &[StandingWords],
        months: &[String],
        compiler: Compiler<'_>,
    ) -> Result<ListRules, PackError> {
        let front = |key: &str, words: &[String]| {
            compiler.pattern(&format!("list.{key}"), &format!(r"^{}(?: |$)", any_of(words)))
        };
        let closing = |key: &str, words: &[String]| {
            compiler.pattern(&format!("list.{key}"), &format!(r"(?:[,.?!]| -)? \(?{}\)?$", any_of(words)))
        };
        let limit = |key: &str, words: &[String]| {
            let words = any_of(words);
            compiler.pattern(
                &format!("list.{key}"),
                &format!(r"^(?:(?P<n>\w+) {words}|{words} (?P<m>\w+))(?: |$)"),
            )
        };
        let after = format!("(?: {})?", any_of(&self.standing_after));
        let every_standing = any_of(standings.iter().flat_map(|standing| &standing.words));
        let dated = format!("(?:{} )?", any_of(&self.dated));
        let bounds = [&self.year, &self.since, &self.after, &self.until, &self.before];
        let month = format!(r"(?:{}\.? )?", any_of(months));
        let year = format!(
            "{dated}(?:{} {month}{YEAR}|{} {month}{YEAR} )",
            any_of(bounds.into_iter().flatten()),
            any_of(&self.between)
        );
        let topic_end = format!(
            " (?:{} )?(?:{} {every_standing}{after}(?: |$)|{} |{year}(?: |$))",
            any_of(&self.and),
            any_of(&self.standing),
            any_of(&self.owner),
        );
        let person: Vec<String> = self.person.iter().map(|person| format!("^(?:{person})$")).collect();
        let status = |(words, written): &(String, String)| {
            let pattern = format!("^{}{after}{END}", any_of([words]));
            Ok((compiler.pattern("list.statuses", &pattern)?, written.clone()))
        };
        let kind = |(kind, words): &(Kind, String)| {
            Ok((*kind, compiler.pattern("kinds", &format!("^{words}(?: |,|$)"))?))
        };
        let standing = |standing: &StandingWords| {
            let pattern = format!("^{}{after}{END}", any_of(&standing.words));
            Ok((standing.is, compiler.pattern("standings", &pattern)?))
        };
        let range = |(kind, words): &(Kind, String)| {
            let named = format!(r"\b(?:{words})[ .#-]*");
            let (since, onwards) = (any_of(self.since.iter().chain(&self.year)), any_of(&self.onwards));
            let (through, on) = (any_of(&self.through), any_of(&self.numbered_on));
            let from = format!("{named}(?P<from>[0-9]{{1,4}})");
            let patterns = vec![
                format!(r"{from} ?{through} ?(?:{named})?(?P<to>[0-9]{{1,4}})(?:[ ,.?!;:)]|$)"),
                format!(r"{from} {onwards}(?:[ ,.?!;:)]|$)"),
                format!(r"\b{since} {from} {on}(?:[,.?!;:)]|$)"),
            ];
            Ok((*kind, compiler.patterns("list.through", &patterns)?))
        };
        Ok(ListRules {
            because: front("because", &self.because)?,
            said_of: front("said_of", &self.said_of)?,
            said_of_topic: compiler.patterns("list.said_of_topic", &self.said_of_topic)?,
            ranges: kinds.iter().chain(singles).map(range).collect::<Result<_, PackError>>()?,
            numbered_from: compiler.patterns("list.numbered", &self.numbered_from())?,
            dated: front("dated", &self.dated)?,
            all: front("all", &self.all)?,
            count: front("count", &self.count)?,
            which: front("which", &self.which)?,
            bare: front("bare", &self.bare)?,
            fillers: front("fillers", &self.fillers)?,
            each: compiler.pattern("list.each", &format!("(?:^| ){} $", any_of(&self.each)))?,
            exists: front("exists", &self.exists)?,
            standing: front("standing", &self.standing)?,
            about: front("about", &self.about)?,
            about_after: compiler.pattern("list.about_after", &format!(" {}$", any_of(&self.about_after)))?,
            owner: front("owner", &self.owner)?,
            person: compiler.patterns("list.person", &person)?,
            statuses: self.statuses.iter().map(status).collect::<Result<_, PackError>>()?,
            periods: compiler.patterns("list.year", &self.periods(&dated, &any_of(months)))?,
            ended: compiler.pattern(
                "list.ended",
                &format!("^(?:{} )?{}{after}{END}", any_of(&self.standing), any_of(&self.ended)),
            )?,
            not: front("not", &self.not)?,
            newest: limit("newest", &self.newest)?,
            oldest: limit("oldest", &self.oldest)?,
            again: compiler.pattern("list.again", &format!("[.?!,;:-] ?{},? ", any_of(&self.again)))?,
            idle: front("idle", &self.idle)?,
            oldest_first: closing("oldest_first", &self.oldest_first)?,
            newest_first: closing("newest_first", &self.newest_first)?,
            and_rows: compiler.pattern("list.and_rows", &format!("(?:, ?| ){}$", any_of(&self.and_rows)))?,
            anything: front("anything", &self.anything)?,
            everything: front("everything", &self.everything)?,
            vague: self.vague.clone(),
            and: compiler.pattern("list.and", &format!("^(?:, ?|& )?(?:{} )?", any_of(&self.and)))?,
            kinds: kinds.iter().map(kind).collect::<Result<_, PackError>>()?,
            singles: singles.iter().map(kind).collect::<Result<_, PackError>>()?,
            standings: standings.iter().map(standing).collect::<Result<_, PackError>>()?,
            topic_end: compiler.pattern("list", &topic_end)?,
            closers: closing("closers", &self.closers)?,
        })
    }

    /// How the number that records go on from is named where no kind stands beside it: by "from", or by "on" behind it.
    fn numbered_from(&self) -> Vec<String> {
        let since = any_of(self.since.iter().chain(&self.year));
        let (numbered, onwards) = (any_of(&self.numbered), any_of(&self.onwards));
        let on = any_of(self.numbered_on.iter().chain(&self.onwards));
        let number = "(?P<from>[0-9]{1,4})";
        vec![
            format!("^{since} {numbered} ?{number}(?: {on})?{END}"),
            format!("^{numbered} ?{number} {onwards}{END}"),
        ]
    }

    /// How years, and months of them, are named at the front of what is left to read.
    fn periods(&self, dated: &str, months: &str) -> Vec<String> {
        let time = |name: &str| format!(r"(?:(?P<{name}_month>{months}\.?) )?(?P<{name}>{YEAR})");
        let after = any_of(&self.dated);
        let one = |name: &str, words: &[String]| {
            format!("^{dated}{} {}(?: {after})?{END}", any_of(words), time(name))
        };
        let (between, and) = (any_of(&self.between), any_of(&self.and));
        let since = any_of(self.since.iter().chain(&self.year));
        vec![
            format!("^{dated}{between} {} {and} {}(?: {after})?{END}", time("from"), time("to")),
            format!(r"^{dated}{between} (?P<from_month>{months}\.?) {and} {}(?: {after})?{END}", time("to")),
            format!("^{dated}{since} {} {}{END}", time("since"), any_of(&self.onwards)),
            one("in", &self.year),
            one("since", &self.since),
            one("after", &self.after),
            one("until", &self.until),
            one("before", &self.before),
        ]
    }
}
