//! The list that a question asks for.

mod loose;

pub use loose::ListIfKnown;
pub(super) use loose::{list_if_known, list_if_worded};

use super::period::{Period, period_at};
use super::prepared::Prepared;
use super::wish::number;
use crate::domain::{DocumentFilter, Kind, NumberRange, Standing, Years};
use crate::language::{ListRules, Pack, Patterns};
use crate::text::words;

/// A list that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Which documents.
    pub filter: DocumentFilter,
    /// What of them is told.
    pub shape: ListShape,
    /// Their order, where one is wished for.
    pub order: Option<ListOrder>,
    /// How many of them at most, by that order.
    pub limit: Option<usize>,
}

/// An order by date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListOrder {
    /// The oldest before the others.
    OldestFirst,
    /// The newest before the others.
    NewestFirst,
}

/// What a list tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListShape {
    /// The documents.
    #[default]
    Rows,
    /// How many there are.
    Count,
    /// How many there are, and which.
    CountAndRows,
}

impl ListRules {
    fn kind(&self, text: &str) -> Option<(Option<Kind>, usize)> {
        let named = self.kinds.iter().find_map(|(kind, words)| Some((Some(*kind), words.find(text)?)));
        let (kind, found) = named.or_else(|| Some((None, self.anything.find(text)?)))?;
        Some((kind, found.as_str().trim_end_matches(',').len()))
    }

    /// A standing behind its lead, and where it ends. The lead may have taken a word that belongs to the standing: "zijn
    /// nog" and "niet vastgesteld".
    fn led_standing(&self, text: &str) -> Option<(Standing, usize)> {
        let lead = self.standing.find(text)?.end();
        let first_word = text.find(' ')? + 1;
        [lead, first_word].into_iter().filter(|at| *at <= lead).find_map(|at| {
            let (standing, length) = self.standing_at(&text[at..])?;
            Some((standing, at + length))
        })
    }

    /// Words of a status beside the standings behind their lead, and where they end.
    fn led_status(&self, text: &str) -> Option<(String, usize)> {
        let lead = self.standing.find(text)?.end();
        let (status, length) = self.status_at(&text[lead..])?;
        Some((status, lead + length))
    }

    /// A standing that is ruled out, and where it ends: "but never accepted".
    fn excluded_standing(&self, text: &str) -> Option<(Standing, usize)> {
        let not = self.not.find(text)?.end();
        let (standing, length) = self.standing_at(&text[not..])?;
        Some((standing, not + length))
    }

    /// How many of the newest or oldest, and where that ends: "the five most recent".
    fn limit_at(&self, text: &str) -> Option<(usize, ListOrder, usize)> {
        [(&self.newest, ListOrder::NewestFirst), (&self.oldest, ListOrder::OldestFirst)].into_iter().find_map(
            |(patterns, order)| {
                let found = patterns.captures(text)?;
                let count = found.name("n").or_else(|| found.name("m"))?;
                Some((number(count.as_str())?, order, found.get(0)?.end()))
            },
        )
    }

    /// The numbers from one on, and where that ends: "from number 10 on".
    fn numbers_from(&self, text: &str) -> Option<(NumberRange, usize)> {
        let found = self.numbered_from.captures(text)?;
        let from = found.name("from")?.as_str().parse().ok()?;
        Some((NumberRange::onwards(from), found.get(0)?.end()))
    }

    fn status_at(&self, text: &str) -> Option<(String, usize)> {
        let mut known = self.statuses.iter();
        known.find_map(|(words, written)| Some((written.clone(), words.find(text)?.end())))
    }

    fn standing_at(&self, text: &str) -> Option<(Standing, usize)> {
        self.standings.iter().find_map(|(standing, words)| Some((*standing, words.find(text)?.end())))
    }
}

/// The list that a question asks for; `None` where any part of it is not understood, for a list must be complete.
pub(super) fn list<'p>(question: &Prepared, mut packs: impl Iterator<Item = &'p Pack>) -> Option<ListQuery> {
    packs
        .find_map(|pack| Reader::open(question, pack).read().filter(|query| !query.asks_more(question, pack)))
}

/// The records of a kind from one number to another or from one on, whatever else is said of them: "ADR 10 to 15".
pub(super) fn list_of_range<'p>(
    question: &Prepared,
    mut packs: impl Iterator<Item = &'p Pack>,
) -> Option<ListQuery> {
    let range = |pack: &'p Pack| {
        pack.intent.list.ranges.iter().find_map(|(kind, patterns)| {
            let found = patterns.captures(question.text())?;
            let number = |name: &str| found.name(name).and_then(|number| number.as_str().parse().ok());
            let from = number("from")?;
            let range = match found.name("to") {
                Some(_) => NumberRange::new(from, number("to")?)?,
                None => NumberRange::onwards(from),
            };
            Some((*kind, range))
        })
    };
    let (kind, range) = packs.find_map(range)?;
    let filter = DocumentFilter { kinds: vec![kind], numbers: Some(range), ..DocumentFilter::default() };
    Some(ListQuery { filter, ..ListQuery::default() })
}

/// The list that a question asks for, if what it calls the documents is the name of a folder: the catalogue knows.
pub(super) fn list_if_folder<'p>(
    question: &Prepared,
    mut packs: impl Iterator<Item = &'p Pack>,
) -> Option<ListQuery> {
    let read = |pack: &'p Pack| Reader { by_folder: true, ..Reader::open(question, pack) }.read();
    packs.find_map(read).filter(|query| query.filter.folder.is_some())
}

struct Reader<'q> {
    question: &'q Prepared,
    pack: &'q Pack,
    /// Where in the question's text reading has come to, and where it ends.
    at: usize,
    end: usize,
    which: bool,
    /// Whether a word that asks for a list was read.
    is_opened: bool,
    bare: bool,
    filtered: bool,
    /// Whether a noun that is no kind may be the name of a folder.
    by_folder: bool,
    query: ListQuery,
}

impl<'q> Reader<'q> {
    fn open(question: &'q Prepared, pack: &'q Pack) -> Self {
        // What is said again in other words is said clearest the second time.
        let again = pack.intent.list.again.find(question.text()).map_or(0, |again| again.end());
        Self::open_at(question, pack, again)
    }

    /// Opens it at a word: what stands before is not read.
    fn open_at(question: &'q Prepared, pack: &'q Pack, again: usize) -> Self {
        let rules = &pack.intent.list;
        let text = question.text();
        let opener = |patterns: &Patterns| patterns.find(&text[again..]).map_or(0, |found| found.end());
        let (all, count, which) = (opener(&rules.all), opener(&rules.count), opener(&rules.which));
        // The longest opener tells: "what is the number of" and "what is the list of" begin as "what" does.
        let at = again + all.max(count).max(which).max(opener(&rules.bare));
        let bare = at == 0;
        let rows = rules.and_rows.find(text).filter(|_| count > all);
        let mut end = rows.map_or(text.len(), |rows| rows.start());
        let mut order = None;
        loop {
            let rest = &text[at..end];
            let oldest = || Some((rules.oldest_first.find(rest)?, Some(ListOrder::OldestFirst)));
            let newest = || Some((rules.newest_first.find(rest)?, Some(ListOrder::NewestFirst)));
            let closer = || Some((rules.closers.find(rest)?, None));
            let Some((found, wished)) = oldest().or_else(newest).or_else(closer) else { break };
            end = at + found.start();
            order = order.or(wished);
        }
        Self {
            question,
            pack,
            at,
            end,
            // Said a second time without a filter it was none the first time either.
            which: which > all.max(count) || again > 0,
            is_opened: at > again,
            bare,
            filtered: false,
            by_folder: false,
            query: ListQuery {
                shape: match rows {
                    Some(_) => ListShape::CountAndRows,
                    None if count > all => ListShape::Count,
                    None => ListShape::Rows,
                },
                order,
                ..ListQuery::default()
            },
        }
    }

    fn read(mut self) -> Option<ListQuery> {
        match self.pack.intent.list.everything.find(self.rest()) {
            Some(everything) => {
                self.advance(everything.end());
                self.bare = false;
            }
            None if self.is_only_dated() => self.bare = false,
            None => self.subject()?,
        }
        while !self.rest().is_empty() {
            self.tail()?;
        }
        // "Which ADRs?" names no filter; what follows "which" must be one.
        (!self.which || self.filtered).then_some(self.query)
    }

    /// "Decided in June 2026?": what was, is for the date to say.
    fn is_only_dated(&self) -> bool {
        let rest = self.rest();
        self.bare && self.pack.intent.list.dated.is_match(rest) && period_at(rest, self.pack).is_some()
    }

    fn rest(&self) -> &'q str {
        self.question.text()[..self.end].get(self.at..).unwrap_or_default()
    }

    /// Moves on by what has been read and the space behind it.
    fn advance(&mut self, by: usize) {
        self.at = (self.at + by).min(self.end);
        let spaces = self.rest().len() - self.rest().trim_start_matches(' ').len();
        self.at += spaces;
    }

    /// Reads qualifiers and the kinds they stand before.
    fn subject(&mut self) -> Option<()> {
        let rules = &self.pack.intent.list;
        loop {
            let rest = self.rest();
            if let Some((kind, length)) = rules.kind(rest).or_else(|| self.one_of_each(rest)) {
                self.query.filter.kinds.extend(kind);
                self.advance(length);
                return self.further_kinds();
            }
            if let Some(filler) = rules.fillers.find(rest) {
                self.advance(filler.end());
            } else if let Some((limit, order, length)) = rules.limit_at(rest) {
                (self.query.limit, self.query.order) = (Some(limit), Some(order));
                self.filtered = true;
                self.advance(length);
            } else if let Some((standing, length)) = rules.standing_at(rest) {
                self.set_standing(standing, length)?;
            } else if let Some((status, length)) = rules.status_at(rest) {
                self.set_status(status, length)?;
            } else if let Some((year, length)) = year_at(rest) {
                self.narrow_to(Period::Years(Years::only(year)), length)?;
            } else if self.by_folder && !self.bare {
                return self.folder();
            } else {
                self.topic_before_kind()?;
            }
        }
    }

    /// A noun of the library's own for what lies in one of its folders.
    fn folder(&mut self) -> Option<()> {
        let rest = self.rest();
        let length = rest.find([' ', ',']).unwrap_or(rest.len());
        let noun =
            words(&rest[..length]).pop().filter(|noun| self.pack.words.is_content(&noun.folded))?.folded;
        self.query.filter.folder = Some(noun);
        self.advance(length);
        Some(())
    }

    /// "every ADR": one stands for all of them.
    fn one_of_each(&self, rest: &str) -> Option<(Option<Kind>, usize)> {
        let rules = &self.pack.intent.list;
        rules.each.is_match(&self.question.text()[..self.at]).then(|| self.single(rest)).flatten()
    }

    /// A kind in the singular, and where it ends.
    fn single(&self, rest: &str) -> Option<(Option<Kind>, usize)> {
        let mut singles = self.pack.intent.list.singles.iter();
        singles.find_map(|(kind, words)| {
            Some((Some(*kind), words.find(rest)?.as_str().trim_end_matches(',').len()))
        })
    }

    fn further_kinds(&mut self) -> Option<()> {
        let rules = &self.pack.intent.list;
        loop {
            let rest = self.rest();
            let skipped = rules.and.find(rest).map_or(0, |and| and.end());
            let filler = rules.fillers.find(&rest[skipped..]).map_or(0, |filler| filler.end());
            let Some((kind, length)) = rules.kind(&rest[skipped + filler..]).filter(|_| skipped > 0) else {
                return Some(());
            };
            self.query.filter.kinds.extend(kind.filter(|kind| !self.query.filter.kinds.contains(kind)));
            self.advance(skipped + filler + length);
        }
    }

    /// "security ADRs": up to three words before a kind are what they are about.
    fn topic_before_kind(&mut self) -> Option<()> {
        let rules = &self.pack.intent.list;
        let rest = self.rest();
        let length = rest
            .match_indices(' ')
            .map(|(at, _)| at)
            .take(3)
            .find(|at| rules.kind(&rest[at + 1..]).is_some())?;
        let list = &self.pack.words;
        let decidable = |word: &str| list.is_content(word) && !rules.vague.iter().any(|vague| vague == word);
        if self.bare || !words(&rest[..length]).iter().all(|word| decidable(&word.folded)) {
            return None;
        }
        self.set_about(self.at..self.at + length)?;
        self.advance(length);
        Some(())
    }

    /// Reads one filter behind the kinds.
    fn tail(&mut self) -> Option<()> {
        let rules = &self.pack.intent.list;
        let and = rules.and.find(self.rest()).map_or(0, |and| and.end());
        self.advance(and);
        while let Some(idle) = rules.idle.find(self.rest()) {
            self.advance(idle.end());
        }
        let rest = self.rest();
        if rest.is_empty() {
            return Some(());
        }
        if let Some((period, length)) = period_at(rest, self.pack) {
            self.set_period(period)?;
            self.advance(length);
        } else if let Some((numbers, length)) = rules.numbers_from(rest) {
            self.query.filter.numbers = Some(numbers);
            self.advance(length);
        } else if let Some(ended) = rules.ended.find(rest) {
            self.query.filter.standings = vec![Standing::Superseded, Standing::Deprecated];
            self.advance(ended.end());
        } else if self.bare && !rules.said_of.is_match(rest) {
            // Without a word that asks for a list only what no sentence goes on with is one: "decisions from 2023".
            let (standing, length) = rules.led_standing(rest)?;
            self.set_standing(standing, length)?;
        } else if let Some(name) = self.person(rest) {
            self.query.filter.person = Some(name);
            self.at = self.end;
        } else if let Some((status, length)) = rules.led_status(rest) {
            self.set_status(status, length)?;
        } else if let Some((standing, length)) = rules.led_standing(rest) {
            self.set_standing(standing, length)?;
        } else if let Some((standing, length)) = rules.excluded_standing(rest) {
            self.query.filter.excluded.push(standing);
            self.advance(length);
            self.more_excluded();
        } else if let Some(lead) = rules.owner.find(rest) {
            let owner = self.question.typed(self.at + lead.end()..self.end)?;
            self.query.filter.owner = Some(owner);
            self.at = self.end;
        } else if let Some(lead) = rules.about.find(rest) {
            let start = self.at + lead.end();
            let topic = &self.question.text()[..self.end].get(start..)?;
            let length = rules.topic_end.find(topic).map_or(topic.len(), |end| end.start());
            // What follows a colon explains the topic, and a sentence of its own is said beside it.
            let length = topic[..length].find([':', '?', '!']).unwrap_or(length);
            let said = rules.about_after.find(&topic[..length]).map_or(length, |after| after.start());
            self.set_about(start..start + said)?;
            // Of what stands behind it nothing narrows the list further, unless a new clause begins.
            let is_cut = topic[length..].starts_with([':', '?', '!']);
            self.at = start;
            self.advance(if is_cut { topic.len() } else { length });
        } else if let Some((standing, length)) = rules.standing_at(rest) {
            self.set_standing(standing, length)?;
        } else {
            let exists = rules.exists.find(rest)?.end();
            self.advance(exists);
        }
        self.filtered = true;
        Some(())
    }

    /// Who took part: a name, not "we" or "all of them".
    fn person(&self, rest: &str) -> Option<String> {
        let found = self.pack.intent.list.person.captures(rest)?;
        let name = found.name("name")?;
        let says = words(name.as_str()).iter().any(|word| self.pack.words.is_content(&word.folded));
        says.then(|| self.question.typed(self.at + name.start()..self.at + name.end())).flatten()
    }

    /// A period before the kind, and how much of the text it takes.
    fn narrow_to(&mut self, period: Period, length: usize) -> Option<()> {
        self.set_period(period)?;
        self.filtered = true;
        self.advance(length);
        Some(())
    }

    fn set_period(&mut self, period: Period) -> Option<()> {
        let filter = &mut self.query.filter;
        if filter.years.is_some() || filter.months.is_some() {
            return None;
        }
        match period {
            Period::Years(years) => filter.years = Some(years),
            Period::Months(months) => filter.months = Some(months),
        }
        Some(())
    }

    fn set_standing(&mut self, standing: Standing, length: usize) -> Option<()> {
        let first = !self.query.filter.is_by_status();
        self.query.filter.standings.push(standing);
        self.advance(length);
        self.more_statuses();
        first.then_some(())
    }

    fn set_status(&mut self, status: String, length: usize) -> Option<()> {
        let first = !self.query.filter.is_by_status();
        self.query.filter.statuses.push(status);
        self.advance(length);
        self.more_statuses();
        first.then_some(())
    }

    /// "rejected or on hold", "proposed but never accepted": further statuses right behind one.
    fn more_statuses(&mut self) {
        let rules = &self.pack.intent.list;
        loop {
            let rest = self.rest();
            let and = rules.and.find(rest).map_or(0, |and| and.end());
            let rest = &rest[and..];
            let filter = &mut self.query.filter;
            let length = if let Some((standing, length)) = rules.excluded_standing(rest) {
                filter.excluded.push(standing);
                length
            } else if and == 0 {
                return;
            } else if let Some((standing, length)) = rules.standing_at(rest) {
                filter.standings.push(standing);
                length
            } else if let Some((status, length)) = rules.status_at(rest) {
                filter.statuses.push(status);
                length
            } else {
                return;
            };
            self.advance(and + length);
        }
    }

    /// "not the proposed or rejected ones": what is ruled out with the first.
    fn more_excluded(&mut self) {
        let rules = &self.pack.intent.list;
        loop {
            let and = rules.and.find(self.rest()).map_or(0, |and| and.end());
            let Some((standing, length)) = rules.standing_at(&self.rest()[and..]).filter(|_| and > 0) else {
                return;
            };
            self.query.filter.excluded.push(standing);
            self.advance(and + length);
        }
    }

    fn set_about(&mut self, range: std::ops::Range<usize>) -> Option<()> {
        let topic = self.question.typed(range)?;
        self.query.filter.about.replace(topic).is_none().then_some(())
    }
}

/// A year alone, as in "the 2023 decisions", and where it ends.
fn year_at(text: &str) -> Option<(i16, usize)> {
    let digits = text.split(' ').next()?;
    let is_year = digits.len() == 4 && digits.starts_with(['1', '2']);
    Some((digits.parse().ok().filter(|_| is_year)?, digits.len()))
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
