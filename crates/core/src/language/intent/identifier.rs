//! How a language wishes for a record's id or name and for nothing else.

use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// What stands before a clause of its own, and what ends one.
const APART: &str = r"(?:^|[.?!,;:(] ?|- )";
const OVER: &str = r"(?: ?[.?!,;:)]| - |$)";

/// The words of such wishes; the grammar that joins them is the same in every language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdentifierWords {
    numbers: Vec<String>,
    names: Vec<String>,
    articles: Vec<String>,
    and: Vec<String>,
    only: Vec<String>,
    enough: Vec<String>,
    restricting: Vec<String>,
    closers: Vec<String>,
    ask: Vec<String>,
    reply: Vec<String>,
    called: Vec<String>,
    of: Vec<String>,
    records: Vec<String>,
    links: Vec<String>,
    says: Vec<String>,
    which: Vec<String>,
    which_of: Vec<String>,
}

/// Patterns for any part of the folded question.
pub(crate) struct IdentifierRules {
    /// A clause that wishes for the id or the name and nothing beside: "just the id", "its title will do".
    pub alone: Patterns,
    /// A question for the id or the name of a record by what it says; `topic` is what stands before its kind.
    pub asked: Patterns,
    /// A question which record says something.
    pub which: Patterns,
    /// A clause that wants no more than what is asked: "nothing else", "no prose".
    pub restricting: Patterns,
    /// The words of such a match that wish for more than the id.
    pub names: Patterns,
    /// What says that the name is asked for without a word for it: "hoe heet".
    pub called: Patterns,
    /// All such clauses at the end of a question; they change nothing of what is asked.
    pub ending: Patterns,
}

/// Words of the pack that are spoken of elsewhere as well.
#[derive(Clone, Copy)]
pub struct SharedWords<'w> {
    /// What one document of a kind is called.
    pub one: &'w [String],
    /// What several are called.
    pub several: &'w [String],
    /// Courtesy in front of a question.
    pub courtesies: &'w [String],
}

impl IdentifierWords {
    pub fn records(&self) -> &[String] {
        &self.records
    }

    /// Courtesy behind a wish.
    pub fn closed(&self) -> String {
        format!("(?:,? {})*", any_of(&self.closers))
    }

    pub fn compile(
        &self,
        shared: SharedWords<'_>,
        compiler: Compiler<'_>,
    ) -> Result<IdentifierRules, PackError> {
        let record = any_of(shared.one.iter().chain(&self.records));
        let articles = format!("(?:{} )*", any_of(&self.articles));
        let noun = any_of(self.numbers.iter().chain(&self.names));
        let and = any_of(&self.and);
        let named = format!("{articles}(?:{record}(?:'s?)?[ -]?)?{noun}");
        let nouns = format!("{named}(?:(?: {and} |, | ?[/+&] ?){named})*");
        let (only, ask, of) = (any_of(&self.only), any_of(&self.ask), any_of(&self.of));
        let (restricting, enough) = (any_of(&self.restricting), any_of(&self.enough));
        let closed = self.closed();
        let courtesy = format!("(?:{}(?: |, ?))*", any_of(shared.courtesies));
        let front = format!("(?:^|[.?!:] ){courtesy}");
        let links = format!(r"(?: {}\b(?: {}\b)?|{OVER})", any_of(&self.links), any_of(&self.says));
        let subject = format!("{articles}(?P<topic>(?:[\\w'-]+ ){{0,3}}?){record}{links}");
        let clause = format!("(?:{only} (?:{ask} )?{nouns}|{nouns} {enough}|{restricting})");
        Ok(IdentifierRules {
            alone: compiler.patterns(
                "wish.identifier",
                &[
                    format!(r"\b{only} (?:{ask} )?{nouns}{closed}{OVER}"),
                    format!("{APART}{nouns} {enough}{closed}{OVER}"),
                    format!(r"\b{} (?:{only} )?{nouns}{closed}{OVER}", any_of(&self.reply)),
                ],
            )?,
            asked: compiler.patterns(
                "wish.identifier",
                &[
                    format!("{front}(?:{ask} )?(?:{only} )?(?:{ask} )?{nouns} {of} {subject}"),
                    format!("{front}{} {subject}", any_of(&self.called)),
                ],
            )?,
            which: compiler.pattern(
                "wish.identifier.which",
                &format!(
                    r"{front}(?:{} (?:[\w-]+ ){{0,2}}?{record}|{} (?:[\w-]+ )?{})\b(?: {}\b)?",
                    any_of(&self.which),
                    any_of(&self.which_of),
                    any_of(shared.several),
                    any_of(&self.says)
                ),
            )?,
            restricting: compiler.patterns(
                "wish.identifier.restricting",
                &[
                    format!(r"(?:{APART}(?:{and} )?{restricting}{closed})+[ .!?)]*$"),
                    format!("^{restricting}{closed} ?[,.:;-]"),
                ],
            )?,
            names: compiler.pattern("wish.identifier.names", &format!(r"\b{}\b", any_of(&self.names)))?,
            called: compiler.pattern("wish.identifier.called", &format!(r"\b{}\b", any_of(&self.called)))?,
            ending: compiler.pattern(
                "wish.identifier",
                &format!(r"(?:(?:[.?!,;:(] ?| - ?)(?:{and} )?{clause}{closed})+[ .!?)]*$"),
            )?,
        })
    }
}
