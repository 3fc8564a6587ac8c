//! Whether the passages support what a model wrote, unit by unit. It costs no model call.
//!
//! Numbers, dates, ids, names, links and quotations must stand in the cited passages, and enough of the other words
//! must, near each other. What another passage supports is cited anew; what none supports is withheld.

mod claims;
mod clause;
mod days;
mod numbers;
mod passage;
mod plain;
mod quotation;
mod read;
mod stated;
mod support;
mod swaps;
mod unit_reading;
mod unit_support;
mod vocabulary;

use crate::domain::{Chunk, DocumentId, Language};
use crate::numbers::numbers;
use crate::response::WithheldLabel;
use crate::text::{UnitKind, WordList, words};
use claims::{Claims, holds_phrase};
pub(crate) use days::StatedDays;
use passage::ReadPassage;
use plain::plain;
use quotation::{holds_whole, whole_quotation};
pub use read::StatementReadings;
pub(crate) use stated::{Quantity, Stated};
use support::{ClauseSupport, Lack};
use unit_reading::UnitReading;
use unit_support::UnitSupport;
use vocabulary::Vocabulary;

/// How much of a unit the passages must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundingRules {
    /// Share of a unit's content words that the cited passages must hold.
    pub min_content_share: f64,
    /// Share of them that must stand within three sentences of each other.
    pub min_local_share: f64,
    /// Share of the units that must survive, or the whole reply is refused.
    pub min_kept_share: f64,
}

impl Default for GroundingRules {
    fn default() -> Self {
        let numbers = &numbers().grounding;
        Self {
            min_content_share: numbers.content_share,
            min_local_share: numbers.local_share,
            min_kept_share: numbers.kept_share,
        }
    }
}

impl GroundingRules {
    /// The rules with this share of content words: who asks for less of a unit asks for no more of it in one place.
    pub fn asking_for(min_content_share: f64) -> Self {
        let rules = Self::default();
        Self { min_content_share, min_local_share: rules.min_local_share.min(min_content_share), ..rules }
    }
}

/// What became of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounding {
    /// The passages support it.
    Kept {
        /// The passages to cite, by alias; empty for a heading.
        aliases: Vec<usize>,
        /// Whether the model had cited other passages.
        re_cited: bool,
    },
    /// They do not.
    Withheld {
        /// Why.
        label: WithheldLabel,
        /// What could not be found.
        detail: Option<String>,
    },
}

/// The passages of one turn, numbered from 1 as the model saw them.
pub struct CitedPassages {
    passages: Vec<ReadPassage>,
    vocabulary: Vocabulary,
    languages: Vec<Language>,
    rules: GroundingRules,
    /// What other passages of their documents say, made plain: a name may stand there.
    beside: Vec<(DocumentId, String)>,
    /// The documents that are asked for by name.
    named: Vec<DocumentId>,
}

impl CitedPassages {
    /// Reads the passages in the order of their aliases.
    pub fn new(chunks: &[&Chunk], rules: GroundingRules) -> Self {
        let mut vocabulary = Vocabulary::default();
        let passages: Vec<ReadPassage> =
            chunks.iter().map(|chunk| ReadPassage::read(chunk, &mut vocabulary)).collect();
        let mut languages: Vec<Language> = passages.iter().map(|passage| passage.language).collect();
        languages.sort_unstable();
        languages.dedup();
        Self { passages, vocabulary, languages, rules, beside: Vec::new(), named: Vec::new() }
    }

    /// The same, knowing other passages of their documents: none is cited, but a name may stand in one of them.
    pub fn beside(mut self, others: &[&Chunk]) -> Self {
        let plain_text = |chunk: &&Chunk| (chunk.document.id.clone(), plain(&chunk.text));
        self.beside = others.iter().map(plain_text).collect();
        self
    }

    /// The same, knowing which documents are asked for by name: what these say is told though another replaced them.
    pub fn naming(mut self, documents: impl IntoIterator<Item = DocumentId>) -> Self {
        self.named = documents.into_iter().collect();
        self
    }

    /// The rules that hold.
    pub fn rules(&self) -> GroundingRules {
        self.rules
    }

    /// How many passages there are.
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Holds a unit against the passages it cites, by its words alone. `text` is without markers.
    pub fn check(&self, kind: UnitKind, text: &str, cited: &[usize]) -> Grounding {
        self.check_read(kind, text, cited, None)
    }

    /// The same with what a reader makes of it and the passages.
    pub fn check_read(
        &self,
        kind: UnitKind,
        text: &str,
        cited: &[usize],
        readings: Option<&StatementReadings>,
    ) -> Grounding {
        match kind {
            UnitKind::Heading | UnitKind::TableHead => self.check_heading(text),
            UnitKind::Code => self.check_code(text, cited),
            UnitKind::Sentence | UnitKind::ListItem | UnitKind::TableRow => {
                self.check_statement(kind, text, cited, readings)
            }
        }
    }

    /// Whether every number, id, name, link and quotation of a text stands in some passage or in the question.
    pub fn states_nothing_new(&self, text: &str, question: &str) -> bool {
        let claims = Claims::of(text, &words(text), self.language());
        self.missing_everywhere(&claims).is_none_or(|missing| holds_phrase(&plain(question), &missing))
    }

    /// The passage of which a text is the title or a heading, the cited ones first.
    pub fn headed_by(&self, text: &str, cited: &[usize]) -> Option<usize> {
        self.in_order(cited)
            .into_iter()
            .find(|alias| self.passage(*alias).is_some_and(|passage| passage.is_headed(text)))
    }

    /// Whether these words stand in some passage one after the other.
    pub fn says(&self, words: &str) -> bool {
        self.passages.iter().any(|passage| holds_phrase(&passage.plain, words))
    }

    /// Whether one of these passages says a text in one clause, without a condition that the text leaves out.
    pub fn says_outright(&self, text: &str, aliases: &[usize]) -> bool {
        let reading = self.read(bare_text(text));
        aliases.iter().filter_map(|alias| self.passage(*alias)).any(|passage| {
            let mut statements = reading.statements(passage.language, &self.vocabulary);
            statements.all(|statement| statement.is_said_outright_in(passage))
        })
    }

    fn language(&self) -> Language {
        self.passages.first().map_or(Language::EN, |passage| passage.language)
    }

    /// What every passage lacks, where none holds all that is claimed.
    fn missing_everywhere(&self, claims: &Claims) -> Option<String> {
        let mut missing = None;
        for passage in &self.passages {
            missing = Some(passage.missing(claims)?);
        }
        missing
    }

    /// A heading is no statement, but what it names must exist.
    fn check_heading(&self, text: &str) -> Grounding {
        let text = bare_text(text);
        let mut claims = Claims::of(text, &words(text), self.language());
        // Headings are written in capitals as a matter of style.
        claims.names.retain(|name| name.written.chars().filter(|c| c.is_uppercase()).count() >= 2);
        match self.missing_everywhere(&claims) {
            None => Grounding::Kept { aliases: Vec::new(), re_cited: false },
            Some(detail) => Grounding::Withheld { label: WithheldLabel::Fabricated, detail: Some(detail) },
        }
    }

    /// Code is a quotation: every line must stand in one passage.
    fn check_code(&self, text: &str, cited: &[usize]) -> Grounding {
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("```") && !line.trim_start().starts_with("~~~"))
            .filter(|line| !plain(line).trim().is_empty())
            .collect();
        let holder = self.in_order(cited).into_iter().find(|alias| {
            self.passage(*alias)
                .is_some_and(|passage| lines.iter().all(|line| holds_phrase(&passage.plain, line)))
        });
        match holder {
            Some(alias) if !lines.is_empty() => Grounding::Kept {
                aliases: vec![alias],
                re_cited: !cited.is_empty() && !cited.contains(&alias),
            },
            _ => Grounding::Withheld {
                label: WithheldLabel::Fabricated,
                detail: lines.first().map(|line| (*line).to_owned()),
            },
        }
    }

    fn check_statement(
        &self,
        kind: UnitKind,
        text: &str,
        cited: &[usize],
        readings: Option<&StatementReadings>,
    ) -> Grounding {
        if let Some(alias) = self.quoted_from(bare_text(text), cited) {
            let re_cited = !cited.is_empty() && !cited.contains(&alias);
            return Grounding::Kept { aliases: vec![alias], re_cited };
        }
        let reading = self.read(bare_text(text));
        let cited: Vec<usize> =
            cited.iter().copied().filter(|alias| self.passage(*alias).is_some()).collect();
        // A bare item of a list states nothing that a reader could judge, unless it sees the contrary.
        let can_be_read = |readings: &&StatementReadings| {
            kind == UnitKind::Sentence || reading.is_wordy() || readings.denied_by().is_some()
        };
        if let Some(readings) = readings.filter(can_be_read) {
            return self.check_by_reader(&reading, &cited, readings);
        }
        let support = self.judge(&reading);
        let by_cited = self.supporters(&reading, &support, &cited);
        if let Ok(aliases) = by_cited {
            return Grounding::Kept { aliases, re_cited: false };
        }
        let all = support.by_fit();
        let by_any = match support.alone(&all).first() {
            Some(best) => Ok(vec![*best]),
            None => self.supporters(&reading, &support, &all),
        };
        match by_any {
            Ok(aliases) => Grounding::Kept { aliases, re_cited: !cited.is_empty() },
            Err(lack) => self.withhold(&reading, lack, by_cited.err()),
        }
    }

    /// The passage that holds a text word for word, where the text is a quotation from end to end.
    fn quoted_from(&self, text: &str, cited: &[usize]) -> Option<usize> {
        let quoted = whole_quotation(text)?;
        let holds = |passage: &ReadPassage| holds_whole(passage.text(), quoted);
        self.in_order(cited).into_iter().find(|alias| self.passage(*alias).is_some_and(holds))
    }

    /// Why no passage supports a unit, given what all of them lack and what the cited ones lack.
    fn withhold(&self, reading: &UnitReading<'_>, of_all: Lack, of_cited: Option<Lack>) -> Grounding {
        let (label, detail) = match (of_all, of_cited) {
            (Lack::Claim(missing) | Lack::Swapped(missing), _) if self.is_nowhere(reading) => {
                (WithheldLabel::Fabricated, Some(missing))
            }
            (Lack::Claim(missing) | Lack::Swapped(missing), _)
            | (_, Some(Lack::Claim(missing) | Lack::Swapped(missing))) => {
                (WithheldLabel::Misattributed, Some(missing))
            }
            _ => (WithheldLabel::Unsupported, None),
        };
        Grounding::Withheld { label, detail }
    }

    /// Whether something is claimed that not one passage holds.
    fn is_nowhere(&self, reading: &UnitReading<'_>) -> bool {
        reading.each_claim().iter().any(|claim| self.missing_everywhere(claim).is_some())
    }

    fn read<'a>(&self, text: &'a str) -> UnitReading<'a> {
        UnitReading::new(text, &self.languages, &self.vocabulary)
    }

    fn judge(&self, reading: &UnitReading<'_>) -> UnitSupport {
        UnitSupport::new(self.passages.iter().map(|passage| self.judge_by(reading, passage)).collect())
    }

    /// What one passage says to each clause.
    fn judge_by(&self, reading: &UnitReading<'_>, passage: &ReadPassage) -> Vec<ClauseSupport> {
        let statements = reading.statements(passage.language, &self.vocabulary);
        statements.map(|statement| statement.judge(passage, self.rules)).collect()
    }

    fn passage(&self, alias: usize) -> Option<&ReadPassage> {
        alias.checked_sub(1).and_then(|at| self.passages.get(at))
    }

    /// The cited aliases first, then the others.
    fn in_order(&self, cited: &[usize]) -> Vec<usize> {
        let others = (1..=self.len()).filter(|alias| !cited.contains(alias));
        cited.iter().copied().chain(others).collect()
    }

    /// Of these passages, those that support the unit: each alone, or else clause by clause.
    fn supporters(
        &self,
        reading: &UnitReading<'_>,
        support: &UnitSupport,
        aliases: &[usize],
    ) -> Result<Vec<usize>, Lack> {
        let alone = support.alone(aliases);
        if !alone.is_empty() {
            return Ok(alone);
        }
        let mut together: Vec<usize> = Vec::new();
        for (at, part) in reading.parts().enumerate() {
            let found = match support.supporter(at, aliases) {
                Ok(supporter) => vec![supporter],
                Err(lack) => self.supporters_of_halves(part, aliases, &lack).ok_or(lack)?,
            };
            for alias in found {
                if !together.contains(&alias) {
                    together.push(alias);
                }
            }
        }
        if together.is_empty() { Err(Lack::Words) } else { Ok(together) }
    }

    /// "A does this and B does that", from two passages: each half by itself.
    fn supporters_of_halves(&self, text: &str, aliases: &[usize], lack: &Lack) -> Option<Vec<usize>> {
        if *lack == Lack::Opposite {
            return None;
        }
        let joints =
            words(text).into_iter().filter(|word| WordList::any_lists(|list| &list.and, &word.folded));
        joints.map(|joint| [&text[..joint.range.start], &text[joint.range.end..]]).find_map(|halves| {
            let mut together = Vec::new();
            for half in halves {
                let reading = self.read(half);
                let support = self.judge(&reading);
                let supporter = support.alone(aliases).first().copied().filter(|_| reading.is_wordy())?;
                if self.passage(supporter).is_none_or(|passage| !reading.subject_is_held(passage)) {
                    return None;
                }
                together.push(supporter);
            }
            together.dedup();
            Some(together)
        })
    }
}

/// The text without the bullet, number or quotation sign that opens it.
pub(super) fn bare_text(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '-' | '*' | '+' | '•' | '>' | '#' | '|')
    });
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits)
        && let Some(rest) = text[digits..].strip_prefix(['.', ')'])
        && rest.starts_with([' ', '\t'])
    {
        return rest.trim_start();
    }
    text
}
