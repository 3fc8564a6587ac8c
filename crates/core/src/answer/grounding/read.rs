//! Support by a reader: where numbers, dates, ids, names, links and quotations stand in a passage, it decides whether the statement
//! follows from it. How sure it must be depends on what the words say.

use super::claims::{Needle, holds_phrase};
use super::support::{ClauseSupport, Lack};
use super::unit_reading::UnitReading;
use super::{CitedPassages, Grounding, bare_text};
use crate::domain::DocumentId;
use crate::domain::PassageReading;
use crate::numbers::numbers;
use crate::response::WithheldLabel;

/// What a reader makes of a statement and the passages, by alias; nothing of those that it was not given.
#[derive(Debug, Clone, Default)]
pub struct StatementReadings(Vec<Option<PassageReading>>);

impl StatementReadings {
    /// Keeps what was made of a window of a passage, as far as it tells more than those before.
    pub fn keep(&mut self, alias: usize, window: &PassageReading) {
        if let Some(kept) = self.of_mut(alias) {
            kept.follows = kept.follows.max(window.follows);
            kept.contradicts = kept.contradicts.max(window.contradicts);
        }
    }

    /// Keeps that one clause of a passage by itself says otherwise. What follows from it alone, the windows have told.
    pub fn keep_denial(&mut self, alias: usize, clause: &PassageReading) {
        if let Some(kept) = self.of_mut(alias) {
            kept.contradicts = kept.contradicts.max(clause.contradicts);
        }
    }

    fn of_mut(&mut self, alias: usize) -> Option<&mut PassageReading> {
        if self.0.len() < alias {
            self.0.resize(alias, None);
        }
        Some(self.0.get_mut(alias.checked_sub(1)?)?.get_or_insert_default())
    }

    /// How sure it is of the one of these passages that it is surest of.
    pub fn sureness(&self, aliases: &[usize]) -> Option<f64> {
        let follows =
            aliases.iter().filter_map(|alias| self.of(*alias)).map(|reading| f64::from(reading.follows));
        follows.max_by(f64::total_cmp)
    }

    /// The passage that a reader is surest of, and how sure it is that the statement follows from it.
    pub fn surest(&self) -> Option<(usize, f64)> {
        let follows = self
            .0
            .iter()
            .zip(1..)
            .filter_map(|(read, alias)| Some((alias, f64::from(read.as_ref()?.follows))));
        follows.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// How sure it is that one of the passages says otherwise.
    pub fn contradicted(&self) -> Option<f64> {
        self.0.iter().flatten().map(|read| f64::from(read.contradicts)).max_by(f64::total_cmp)
    }

    /// Whether one of the passages surely says otherwise.
    pub fn is_denied(&self) -> bool {
        self.contradicted().is_some_and(|denies| denies >= numbers().reader.denied)
    }

    /// The passage that says otherwise, the one that the reader is surest of.
    pub fn denied_by(&self) -> Option<usize> {
        self.denials().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(alias, _)| alias)
    }

    fn denials(&self) -> impl Iterator<Item = (usize, f64)> {
        self.0.iter().zip(1..).filter_map(|(read, alias)| {
            let denies = f64::from(read.as_ref()?.contradicts);
            (denies >= numbers().reader.contradicted).then_some((alias, denies))
        })
    }

    fn of(&self, alias: usize) -> Option<&PassageReading> {
        alias.checked_sub(1).and_then(|at| self.0.get(at)).and_then(Option::as_ref)
    }
}

/// What the reader must say of a passage, given what its words say to the statement.
enum Needed {
    /// It stands there word for word.
    Nothing,
    /// Its words stand there in this order, among others: enough where no passage says otherwise.
    NothingUnlessDenied,
    /// To be so sure that it follows.
    Sure(f64),
}

impl Needed {
    /// How sure it must be; surer where a passage says otherwise.
    fn sureness(&self, is_denied: bool) -> f64 {
        let numbers = &numbers().reader;
        match self {
            Self::Nothing => 0.0,
            Self::NothingUnlessDenied if is_denied => numbers.follows,
            Self::NothingUnlessDenied => 0.0,
            Self::Sure(needed) if is_denied => needed.max(numbers.follows_though_denied),
            Self::Sure(needed) => *needed,
        }
    }
}

impl CitedPassages {
    /// Whether a statement has words enough to be judged by.
    pub fn can_judge(&self, text: &str) -> bool {
        self.read(bare_text(text)).is_wordy()
    }

    /// The passages that a statement may follow from, in the order of their numbers: those that hold what it claims, and what
    /// replaced these.
    pub fn worth_reading(&self, text: &str) -> Vec<usize> {
        let reading = self.read(bare_text(text));
        let holds = |alias: &usize| self.needed(&reading, *alias).is_some();
        let holding: Vec<usize> = (1..=self.len()).filter(holds).collect();
        let replaces_one = |alias: &usize| holding.iter().any(|held| self.replaces(*alias, *held));
        (1..=self.len()).filter(|alias| holding.contains(alias) || replaces_one(alias)).collect()
    }

    /// The passage that a statement follows from, the one that the reader is surest of; surer where something else says otherwise.
    pub fn followed(&self, text: &str, readings: &StatementReadings, is_denied: bool) -> Option<usize> {
        self.surest(&self.read(bare_text(text)), readings, is_denied)
    }

    fn follows(
        &self,
        reading: &UnitReading<'_>,
        readings: &StatementReadings,
        is_denied: bool,
        alias: usize,
    ) -> bool {
        let needed = self.needed(reading, alias).map(|needed| needed.sureness(is_denied));
        needed.zip(readings.of(alias)).is_some_and(|(needed, read)| f64::from(read.follows) >= needed)
            && !readings.denials().any(|(denying, _)| self.replaces(denying, alias))
    }

    /// Whether the one passage's document replaced the other's, which is not asked for by name: what it denies no longer holds.
    fn replaces(&self, alias: usize, other: usize) -> bool {
        self.passage(alias).zip(self.passage(other)).is_some_and(|(newer, older)| {
            older.replaced_by.contains(&newer.document) && !self.named.contains(&older.document)
        })
    }

    fn surest(
        &self,
        reading: &UnitReading<'_>,
        readings: &StatementReadings,
        is_denied: bool,
    ) -> Option<usize> {
        let sureness = |alias: &usize| readings.sureness(&[*alias]).unwrap_or_default();
        let following = (1..=self.len()).filter(|alias| self.follows(reading, readings, is_denied, *alias));
        following.max_by(|a, b| sureness(a).total_cmp(&sureness(b)))
    }

    pub(super) fn check_by_reader(
        &self,
        reading: &UnitReading<'_>,
        cited: &[usize],
        readings: &StatementReadings,
    ) -> Grounding {
        let is_denied = readings.is_denied();
        let follows = |alias: &usize| self.follows(reading, readings, is_denied, *alias);
        let by_cited: Vec<usize> = cited.iter().copied().filter(follows).collect();
        if !by_cited.is_empty() {
            return Grounding::Kept { aliases: by_cited, re_cited: false };
        }
        if let Some(alias) = self.surest(reading, readings, is_denied) {
            return Grounding::Kept { aliases: vec![alias], re_cited: !cited.is_empty() };
        }
        let support = self.judge(reading);
        let all = support.by_fit();
        let denied = readings.denied_by().is_some();
        match self.supporters(reading, &support, &all) {
            // From several passages together, clause by clause, which no window holds. What the words of one bear out alone, the
            // reader has seen there and did not find.
            Ok(aliases) if aliases.len() > 1 && support.alone(&all).is_empty() && !denied => {
                let re_cited = !cited.is_empty() && aliases.iter().any(|alias| !cited.contains(alias));
                Grounding::Kept { aliases, re_cited }
            }
            Err(lack @ (Lack::Claim(_) | Lack::Swapped(_))) => self.withhold(reading, lack, None),
            _ if denied => Grounding::Withheld { label: WithheldLabel::Contradicted, detail: None },
            _ => Grounding::Withheld { label: WithheldLabel::Unsupported, detail: None },
        }
    }

    /// How sure the reader must be of a passage, given what its words say to the statement; nothing where a number, a date, a record, a
    /// link or a quotation does not stand there, or a name in no passage of its document.
    fn needed(&self, reading: &UnitReading<'_>, alias: usize) -> Option<Needed> {
        let passage = self.passage(alias)?;
        let claims = reading.claims(passage.language)?;
        if passage.missing_figure(claims).is_some() {
            return None;
        }
        if passage.missing_names(claims).next().is_some() {
            let named_beside = |name: &str| self.is_named_in(&passage.document, name);
            return passage
                .missing_names(claims)
                .all(named_beside)
                .then_some(Needed::Sure(numbers().reader.follows_against_words));
        }
        let clauses = self.judge_by(reading, passage);
        let lacks = |wanted: fn(&Lack) -> bool| {
            clauses.iter().any(|clause: &ClauseSupport| clause.supported.as_ref().is_err_and(wanted))
        };
        // Of so few words a reader is easily sure: they must stand there as well.
        if !reading.is_wordy() && lacks(|_| true) {
            return None;
        }
        if lacks(|lack| matches!(lack, Lack::Opposite | Lack::Swapped(_) | Lack::Claim(_))) {
            Some(Needed::Sure(numbers().reader.follows_against_words))
        } else if lacks(|lack| *lack == Lack::Words) {
            Some(Needed::Sure(numbers().reader.follows_without_words))
        } else if holds_phrase(&passage.plain, reading.text()) {
            Some(Needed::Nothing)
        } else if reading
            .statements(passage.language, &self.vocabulary)
            .all(|statement| statement.is_repeated_in(passage))
        {
            Some(Needed::NothingUnlessDenied)
        } else {
            Some(Needed::Sure(numbers().reader.follows))
        }
    }

    fn is_named_in(&self, document: &DocumentId, name: &str) -> bool {
        let of_it = self.passages.iter().filter(|passage| passage.document == *document);
        let mut beside = self.beside.iter().filter(|(of, _)| of == document);
        of_it.into_iter().any(|passage| passage.names(name))
            || beside.any(|(_, text)| Needle::new(name).is_in(text))
    }
}
