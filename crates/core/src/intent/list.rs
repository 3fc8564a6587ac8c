//! The list that a question asks for.

use super::prepared::Prepared;
use crate::domain::{DocumentFilter, Kind, Standing};
use crate::language::{ListRules, Pack, Patterns};
use crate::text::words;

const YEAR_DIGITS: usize = 4;

/// A list that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// Which documents.
    pub filter: DocumentFilter,
    /// Only how many there are.
    pub count_only: bool,
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
        let mut end = text.len();
        while let Some(closer) = rules.closers.find(&text[at..end]) {
            end = at + closer.start();
        }
        Self {
            question,
            pack,
            at,
            end,
            which: which > all.max(count),
            bare: all.max(count).max(which) == 0,
            filtered: false,
            query: ListQuery { count_only: count > all, ..ListQuery::default() },
        }
    }

    fn read(mut self) -> Option<ListQuery> {
        self.subject()?;
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
        if let Some(lead) = rules.year.find(rest)
            && let Some(year) = year(&rest[lead.end()..])
        {
            self.query.filter.year.replace(year).is_none().then_some(())?;
            self.advance(lead.end() + YEAR_DIGITS);
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

    fn set_standing(&mut self, standing: Standing) -> Option<()> {
        self.query.filter.standing.replace(standing).is_none().then_some(())
    }

    fn set_about(&mut self, range: std::ops::Range<usize>) -> Option<()> {
        let topic = self.question.typed(range)?;
        self.query.filter.about.replace(topic).is_none().then_some(())
    }
}

/// The year that a text begins with.
fn year(text: &str) -> Option<i16> {
    let (digits, rest) = text.split_at_checked(YEAR_DIGITS)?;
    let plain =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (rest.is_empty() || rest.starts_with(' '));
    digits.parse().ok().filter(|year| plain && (1900..2200).contains(year))
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
