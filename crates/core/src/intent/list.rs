//! The list that a question asks for.

use super::prepared::Prepared;
use crate::domain::{DocumentFilter, Kind, Standing, Years};
use crate::language::{ListRules, Pack, Patterns};
use crate::text::words;

/// A list that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Which documents.
    pub filter: DocumentFilter,
    /// What of them is told.
    pub shape: ListShape,
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

    fn status_at(&self, text: &str) -> Option<(String, usize)> {
        let mut known = self.statuses.iter();
        known.find_map(|(words, written)| Some((written.clone(), words.find(text)?.end())))
    }

    /// The years that a text begins with, and where they end.
    fn years_at(&self, text: &str) -> Option<(Years, usize)> {
        let found = self.years.captures(text)?;
        let year = |name: &str| found.name(name).and_then(|year| year.as_str().parse::<i16>().ok());
        let bound = |names: [&str; 2], beside: (&str, i16)| {
            names.into_iter().find_map(year).or_else(|| year(beside.0).map(|year| year + beside.1))
        };
        let years = match year("in") {
            Some(year) => Years::only(year),
            None => Years {
                from: bound(["from", "since"], ("after", 1)),
                to: bound(["to", "until"], ("before", -1)),
            },
        };
        Some((years, found.get(0)?.end()))
    }

    fn standing_at(&self, text: &str) -> Option<(Standing, usize)> {
        self.standings.iter().find_map(|(standing, words)| Some((*standing, words.find(text)?.end())))
    }
}

/// The list that a question asks for; `None` where any part of it is not understood, for a list must be complete.
pub(super) fn list<'p>(
    question: &Prepared<'_>,
    mut packs: impl Iterator<Item = &'p Pack>,
) -> Option<ListQuery> {
    packs.find_map(|pack| Reader::open(question, pack).read())
}

struct Reader<'q> {
    question: &'q Prepared<'q>,
    pack: &'q Pack,
    /// Where in the question's text reading has come to, and where it ends.
    at: usize,
    end: usize,
    which: bool,
    bare: bool,
    filtered: bool,
    query: ListQuery,
}

impl<'q> Reader<'q> {
    fn open(question: &'q Prepared<'q>, pack: &'q Pack) -> Self {
        let rules = &pack.intent.list;
        let text = question.text();
        let opener = |patterns: &Patterns| patterns.find(text).map_or(0, |found| found.end());
        let (all, count, which) = (opener(&rules.all), opener(&rules.count), opener(&rules.which));
        // The longest opener tells: "what is the number of" and "what is the list of" begin as "what" does.
        let at = all.max(count).max(which).max(opener(&rules.bare));
        let bare = at == 0;
        let rows = rules.and_rows.find(text).filter(|_| count > all);
        let mut end = rows.map_or(text.len(), |rows| rows.start());
        while let Some(closer) = rules.closers.find(&text[at..end]) {
            end = at + closer.start();
        }
        Self {
            question,
            pack,
            at,
            end,
            which: which > all.max(count),
            bare,
            filtered: false,
            query: ListQuery {
                shape: match rows {
                    Some(_) => ListShape::CountAndRows,
                    None if count > all => ListShape::Count,
                    None => ListShape::Rows,
                },
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
            None => self.subject()?,
        }
        while !self.rest().is_empty() {
            if self.bare {
                return None;
            }
            self.tail()?;
        }
        // "Which ADRs?" names no filter; what follows "which" must be one.
        (!self.which || self.filtered).then_some(self.query)
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
            if let Some((kind, length)) = rules.kind(rest) {
                self.query.filter.kinds.extend(kind);
                self.advance(length);
                return self.further_kinds();
            }
            if let Some(filler) = rules.fillers.find(rest) {
                self.advance(filler.end());
            } else if let Some((standing, length)) = rules.standing_at(rest) {
                self.set_standing(standing)?;
                self.advance(length);
            } else if let Some((status, length)) = rules.status_at(rest) {
                self.set_status(status)?;
                self.advance(length);
            } else {
                self.topic_before_kind()?;
            }
        }
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
        let rest = self.rest();
        if let Some((years, length)) = rules.years_at(rest) {
            self.query.filter.years.replace(years).is_none().then_some(())?;
            self.advance(length);
        } else if let Some(name) = self.person(rest) {
            self.query.filter.person = Some(name);
            self.at = self.end;
        } else if let Some((status, length)) = rules.led_status(rest) {
            self.set_status(status)?;
            self.advance(length);
        } else if let Some((standing, length)) = rules.led_standing(rest) {
            self.set_standing(standing)?;
            self.advance(length);
        } else if let Some(lead) = rules.owner.find(rest) {
            let owner = self.question.typed(self.at + lead.end()..self.end)?;
            self.query.filter.owner = Some(owner);
            self.at = self.end;
        } else if let Some(lead) = rules.about.find(rest) {
            let start = self.at + lead.end();
            let topic = &self.question.text()[..self.end].get(start..)?;
            let length = rules.topic_end.find(topic).map_or(topic.len(), |end| end.start());
            self.set_about(start..start + length)?;
            self.at = start;
            self.advance(length);
        } else if let Some((standing, length)) = rules.standing_at(rest) {
            self.set_standing(standing)?;
            self.advance(length);
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

    fn set_standing(&mut self, standing: Standing) -> Option<()> {
        self.query.filter.standing.replace(standing).is_none().then_some(())
    }

    fn set_status(&mut self, status: String) -> Option<()> {
        self.query.filter.status.replace(status).is_none().then_some(())
    }

    fn set_about(&mut self, range: std::ops::Range<usize>) -> Option<()> {
        let topic = self.question.typed(range)?;
        self.query.filter.about.replace(topic).is_none().then_some(())
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
