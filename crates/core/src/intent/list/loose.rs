//! Lists in wordings that no grammar foresees: what is understood narrows them, what is left is for the catalogue to know.

use super::{ListQuery, Reader};
use crate::domain::DocumentFilter;
use crate::intent::form::asks_for_list;
use crate::intent::prepared::Prepared;
use crate::language::Pack;
use crate::numbers::numbers;
use crate::text::{Word, words};

/// A list that a question asks for if the catalogue knows the words that are left: a name, a status, a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListIfKnown {
    /// The list as far as it was understood.
    pub query: ListQuery,
    /// Whether that holds a filter.
    pub is_filtered: bool,
    /// What is to be spoken of, in whatever words, where it asks for all that is said of something.
    pub topic: Option<String>,
    /// Words that say something and were not understood, folded.
    pub left: Vec<String>,
    /// Words of what is said before the list is asked for, folded.
    pub before: Vec<String>,
}

/// The list that a question asks for, where words stand around it or between its parts that no grammar foresees; or what is said of
/// something, wherever that is.
pub(in crate::intent) fn list_if_known<'p>(
    question: &Prepared,
    mut packs: impl Iterator<Item = &'p Pack> + Clone,
) -> Option<ListIfKnown> {
    let of_kind = packs.clone().find_map(|pack| {
        starts(question.text()).find_map(|at| {
            let before = telling(&question.text()[..at], pack);
            let mut read = Reader::open_at(question, pack, at).read_loosely()?;
            if read.query.asks_more(question, pack) {
                return None;
            }
            read.is_filtered |= read.query.narrow_by_said_before(&question.text()[..at], pack);
            Some(ListIfKnown { before, ..read })
        })
    });
    let said_of = packs.find_map(|pack| said_of(question, pack));
    match (of_kind, said_of) {
        // "In which decisions do we mention X?": who speaks of it, among what is asked for.
        (Some(of_kind), Some(said_of)) => {
            Some(ListIfKnown { topic: of_kind.topic.or(said_of.topic), ..of_kind })
        }
        (of_kind, said_of) => of_kind.or(said_of),
    }
}

impl ListQuery {
    /// Whether more is asked than which documents there are.
    pub(super) fn asks_more(&self, question: &Prepared, pack: &Pack) -> bool {
        let about = self.filter.about.as_ref();
        about.is_some_and(|about| is_asked_more_of(question.text()) || asks_again(about, pack))
    }

    /// Narrows the list to the numbers that are named before it is asked for: "from number 10 on: which ADRs …?"
    fn narrow_by_said_before(&mut self, before: &str, pack: &Pack) -> bool {
        let numbers = || starts(before).find_map(|at| pack.intent.list.numbers_from(before.get(at..)?));
        let found = numbers().filter(|_| self.filter.numbers.is_none());
        found.is_some_and(|(numbers, _)| self.filter.numbers.replace(numbers).is_none())
    }
}

/// Where a list may begin to be asked for: at any word.
fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1))
}

/// All that is said of something: "where does X come up", "everything we have on X".
fn said_of(question: &Prepared, pack: &Pack) -> Option<ListIfKnown> {
    let captures = pack.intent.list.said_of_topic.captures(question.text())?;
    // Behind a colon stands what is wished to be known of it: then who speaks of it is not enough.
    let found = captures.name("topic").filter(|topic| !topic.as_str().contains(':'))?;
    // What follows in a sentence of its own is said beside it.
    let length = found.as_str().find(['?', '.', '!', '(']).unwrap_or(found.len());
    let topic = question.typed(found.start()..found.start() + length)?;
    if asks_again(&topic, pack) {
        return None;
    }
    let left = telling(&topic, pack);
    let query = ListQuery::default();
    let asked = ListIfKnown { query, is_filtered: false, topic: Some(topic), left, before: Vec::new() };
    (!asked.left.is_empty()).then_some(asked)
}

/// The list that a request is worded to ask for, though no grammar knows how: what is understood anywhere in it narrows the list, and
/// the words that are left, but for those that people ask for lists with, are its topic.
pub(in crate::intent) fn list_if_worded(question: &Prepared, pack: &Pack) -> Option<ListIfKnown> {
    if is_asked_more_of(question.text()) {
        return None;
    }
    Reader::open_at(question, pack, 0).read_anywhere().filter(|read| !read.query.asks_more(question, pack))
}

/// Whether behind the list stands what is wished to be known of it: "everything on backups: how often, where?" is not answered with
/// who speaks of them.
fn is_asked_more_of(text: &str) -> bool {
    let Some((list, behind)) = text.split_once(':') else { return false };
    let asks = |word: &str| Pack::all().any(|pack| opens_question(word, pack));
    words(list).iter().any(|word| asks_for_list(&word.folded))
        && words(behind).iter().any(|word| asks(&word.folded))
}

/// Whether a word opens a question and asks for something by itself: "how", and no "is".
fn opens_question(word: &str, pack: &Pack) -> bool {
    pack.intent.several_questions.openers.contains(word) && pack.words.question.contains(word)
}

/// Whether a topic goes on with another question: "that, and what are the rules" is told by no list.
fn asks_again(topic: &str, pack: &Pack) -> bool {
    let joins = &pack.intent.several_questions.joins;
    let goes_on = |pair: &[Word]| joins.contains(&pair[0].folded) && opens_question(&pair[1].folded, pack);
    words(topic).windows(2).any(goes_on)
}

/// Where the sentence begins that a text ends in.
fn sentence_start(text: &str) -> usize {
    [". ", "? ", "! ", ": "].iter().filter_map(|end| text.rfind(end)).max().map_or(0, |end| end + 2)
}

/// Whether a topic is named before and only pointed at: "that", "it and what it costs".
fn points_back(topic: &str, pack: &Pack) -> bool {
    let mut first =
        words(topic).into_iter().map(|word| word.folded).take_while(|word| !pack.words.and.contains(word));
    first.all(|word| !pack.words.is_content(&word))
}

/// The words of a text that say something, folded.
fn telling(text: &str, pack: &Pack) -> Vec<String> {
    words(text).into_iter().map(|word| word.folded).filter(|word| pack.words.is_content(word)).collect()
}

impl Reader<'_> {
    /// Passes over what is not understood. An opener and the plural of a kind must be there, or a kind in front and a filter.
    fn read_loosely(mut self) -> Option<ListIfKnown> {
        let rules = &self.pack.intent.list;
        let begins_with_kind = self.at == 0 && rules.kind(self.rest()).is_some();
        if !self.is_opened && !begins_with_kind {
            return None;
        }
        let mut left = Vec::new();
        for passed in 0.. {
            if self.subject().is_some() {
                break;
            }
            if passed == numbers().intent.words_before_list || self.rest().is_empty() {
                return None;
            }
            if self.dated_before().is_some() {
                continue;
            }
            // "What do our principles say" asks what they say, and not which they are.
            left.push(self.pass_word()?);
        }
        self.bare = false;
        while !self.rest().is_empty() {
            // Why it is so narrows nothing.
            if self.filtered && rules.because.is_match(self.rest()) {
                break;
            }
            if self.tail().is_none() {
                left.extend(self.pass_word());
            }
        }
        let (query, is_filtered) = (self.query, self.filtered);
        (self.is_opened || is_filtered).then_some(ListIfKnown {
            query,
            is_filtered,
            topic: None,
            left,
            before: Vec::new(),
        })
    }

    /// Takes whatever is understood, wherever it stands.
    fn read_anywhere(mut self) -> Option<ListIfKnown> {
        let rules = &self.pack.intent.list;
        self.bare = false;
        let (mut left, mut names_somebody) = (Vec::new(), false);
        // Before the list is asked for, "for" and "on" lead to no topic.
        let mut is_begun = self.is_opened;
        let mut begun_at = self.is_opened.then_some(0);
        while !self.rest().is_empty() {
            let kind = rules.kind(self.rest()).or_else(|| self.single(self.rest()));
            if let Some((kind, length)) = kind {
                let kinds = &mut self.query.filter.kinds;
                kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
                begun_at = begun_at.or(Some(self.at));
                self.advance(length.max(1));
                is_begun = true;
            } else if self.dated_before().is_none() && (!is_begun || self.tail().is_none()) {
                let (is_name, at) = (self.is_at_name(), self.at);
                let word = self.pass_word();
                is_begun |= word.as_deref().is_some_and(asks_for_list);
                begun_at = begun_at.or(is_begun.then_some(at));
                names_somebody |= is_name && word.is_some();
                left.extend(word.map(|word| (at, word)));
            }
        }
        let mut query = self.query;
        // What others decided about a topic is not what this library holds about it.
        if query.filter.about.is_some() && names_somebody {
            return None;
        }
        if let Some(about) = &mut query.filter.about {
            about.truncate(about.find(['?', '.', '!', '(']).unwrap_or(about.len()));
        }
        left.retain(|(_, word)| !asks_for_list(word));
        // What is said in sentences before the one that asks is its topic only where that one points back at it.
        let asked_from = begun_at.map_or(0, |at| sentence_start(&self.question.text()[..at]));
        let (before, asked): (Vec<_>, Vec<_>) = left.into_iter().partition(|(at, _)| *at < asked_from);
        let points_back = query.filter.about.as_ref().is_some_and(|about| points_back(about, self.pack));
        if points_back && !before.is_empty() {
            query.filter.about = None;
        }
        let left = if points_back || asked.is_empty() { before } else { asked };
        let left: Vec<String> = left.into_iter().map(|(_, word)| word).collect();
        let topic = (query.filter.about.is_none() && !left.is_empty()).then(|| left.join(" "));
        let kinds = query.filter.kinds.clone();
        let is_filtered = query.filter != DocumentFilter { kinds, ..DocumentFilter::default() };
        let (left, before) = (Vec::new(), Vec::new());
        (is_filtered || topic.is_some()).then_some(ListIfKnown { query, is_filtered, topic, left, before })
    }

    /// A period before the kind: "what in 2021 was decided".
    fn dated_before(&mut self) -> Option<()> {
        let (period, length) = super::period_at(self.rest(), self.pack)?;
        self.narrow_to(period, length)
    }

    /// Whether a word with a capital is next that does not begin a sentence.
    fn is_at_name(&self) -> bool {
        let before = self.question.text()[..self.at].trim_end();
        let begins = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        let typed = self.question.typed(self.at..self.end);
        !begins && typed.is_some_and(|typed| typed.starts_with(char::is_uppercase))
    }

    /// Moves past one word, and gives it where it says something.
    fn pass_word(&mut self) -> Option<String> {
        let rest = self.rest();
        let length = rest.find(' ').unwrap_or(rest.len());
        let word = words(&rest[..length]).pop().map(|word| word.folded);
        self.advance(length.max(1));
        word.filter(|word| self.pack.words.is_content(word))
    }
}

#[cfg(test)]
#[path = "loose_tests.rs"]
mod tests;
