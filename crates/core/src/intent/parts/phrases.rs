//! The same asked about several things, each in a phrase of its own: "in Alpha, in Beta and in the portal".

use std::ops::Range;

use crate::intent::Question;
use crate::language::{Pack, SeveralQuestions};
use crate::text::{Word, words};

/// The question with each of its phrases in the place of them all.
pub(super) fn by_phrase(question: &Question) -> Option<Vec<String>> {
    let text = Text::of(question);
    let is_together = |word: &Word| text.rules().together.contains(&word.folded);
    if text.words.iter().any(is_together) || text.is_choice() {
        return None;
    }
    (0..text.words.len()).find_map(|at| text.row(at)).map(|row| text.with_each(&row))
}

/// A question by its words. Phrases are ranges of them, the preposition first.
struct Text<'q> {
    text: &'q str,
    words: Vec<Word>,
    pack: &'static Pack,
}

impl<'q> Text<'q> {
    fn of(question: &'q Question) -> Self {
        let text = question.text.as_str();
        Self { text, words: words(text), pack: question.language.pack() }
    }

    fn rules(&self) -> &'static SeveralQuestions {
        &self.pack.intent.several_questions
    }

    /// Whether one of several is to be chosen: "is it kept in Alpha or in Beta?".
    fn is_choice(&self) -> bool {
        let list = &self.pack.words;
        let leaves_choice = self.words.iter().any(|word| list.or.contains(&word.folded));
        leaves_choice && !self.words.iter().any(|word| list.question.contains(&word.folded))
    }

    /// The row of phrases whose first begins here.
    fn row(&self, at: usize) -> Option<Vec<Range<usize>>> {
        if !self.rules().prepositions.contains(&self.words[at].folded) {
            return None;
        }
        let mut row = Vec::new();
        let mut until_join = None;
        let mut start = at;
        while let Some(next) = self.next(start) {
            row.push(start..next.end);
            start = next.start;
            if next.is_joined {
                until_join = Some(row.len());
            }
        }
        row.push(start..self.end(start));
        // Behind the last that is joined stands an aside: "in Alpha and in Beta, in short".
        if let Some(last) = until_join {
            row.truncate(last + 1);
        }
        (row.iter().all(|phrase| self.is_plain(phrase)) && self.is_row(&row, until_join.is_some()))
            .then_some(row)
    }

    /// Two of anything may be one thing, as in "by ourselves and by suppliers"; and phrases that nothing joins may be asides.
    fn is_row(&self, row: &[Range<usize>], is_joined: bool) -> bool {
        let is_long = row.len() > 2;
        let is_telling = row.iter().all(|phrase| self.is_telling(phrase));
        if is_joined { is_long || is_telling && row.len() > 1 } else { is_long && is_telling }
    }

    /// Where the phrase that begins here ends, and where the next of its row begins.
    fn next(&self, start: usize) -> Option<Next> {
        let same = |at: &usize| self.words[*at].folded == self.words[start].folded;
        let next = (start + 2..self.words.len()).find(same)?;
        let is_joined = self.rules().phrases.joins.contains(&self.words[next - 1].folded);
        let end = if is_joined { next - 1 } else { next };
        let is_apart = match is_joined {
            true => matches!(self.gap(end - 1), "" | ",") && self.gap(next - 1).is_empty(),
            false => self.gap(end - 1) == ",",
        };
        let is_whole = (start..end.saturating_sub(1)).all(|at| !self.is_break(at));
        (end > start + 1 && is_apart && is_whole).then_some(Next { end, start: next, is_joined })
    }

    /// Where the last phrase ends: before punctuation, and before the verb that belongs to them all.
    fn end(&self, start: usize) -> usize {
        let is_verb = |at: usize| {
            let word = &self.words[at].folded;
            self.rules().openers.contains(word)
                && !self.pack.words.question.contains(word)
                && !self.rules().phrases.joins.contains(word)
        };
        let last = self.words.len() - 1;
        let ends = |at: &usize| *at == last || self.is_break(*at) || is_verb(at + 1);
        let mut end = (start + 1..=last).find(ends).map_or(start + 1, |at| at + 1);
        while end > start + 2 && self.is_ending(end - 1) {
            end -= 1;
        }
        end
    }

    /// Whether a phrase names a thing and no more: it has no clause in it, and no other row.
    fn is_plain(&self, phrase: &Range<usize>) -> bool {
        let preposition = &self.words[phrase.start].folded;
        let is_other = |word: &Word| {
            let word = &word.folded;
            word == preposition
                || self.rules().openers.contains(word)
                || self.rules().phrases.joins.contains(word)
        };
        let named = &self.words[phrase.start + 1..phrase.end];
        let has_subject = named.iter().any(|word| self.pack.words.is_content(&word.folded));
        has_subject && !named.iter().any(is_other) && !self.is_ending(phrase.end - 1)
    }

    /// Whether a phrase says what it names without the question around it: by a name, or in more than one word.
    fn is_telling(&self, phrase: &Range<usize>) -> bool {
        let named = &self.words[phrase.start + 1..phrase.end];
        let is_name = |word: &Word| {
            self.text[word.range.clone()].contains(|c: char| c.is_uppercase() || c.is_numeric())
        };
        let subject = named.iter().filter(|word| self.pack.words.is_content(&word.folded));
        named.iter().any(is_name) || subject.count() > 1
    }

    fn is_ending(&self, at: usize) -> bool {
        self.rules().phrases.ending.is_match(&self.words[at].folded)
    }

    /// Whether punctuation stands behind a word that ends what it belongs to.
    fn is_break(&self, at: usize) -> bool {
        let gap = self.gap(at);
        // A point inside a name or a version ends nothing.
        gap.contains([',', ';', ':', '?', '!', '(', ')']) || gap == "." && !self.is_tight(at)
    }

    /// What stands between a word and the next, without the space around it.
    fn gap(&self, at: usize) -> &str {
        self.between(at).trim()
    }

    fn is_tight(&self, at: usize) -> bool {
        !self.between(at).contains(char::is_whitespace)
    }

    fn between(&self, at: usize) -> &str {
        let next = self.words.get(at + 1).map_or(self.text.len(), |next| next.range.start);
        &self.text[self.words[at].range.end..next]
    }

    /// The text once for each phrase.
    fn with_each(&self, row: &[Range<usize>]) -> Vec<String> {
        let written = |phrase: &Range<usize>| {
            self.words[phrase.start].range.start..self.words[phrase.end - 1].range.end
        };
        let start = row.first().map_or(0, |first| written(first).start);
        let end = row.last().map_or(self.text.len(), |last| written(last).end);
        let with = |phrase: &Range<usize>| {
            format!("{}{}{}", &self.text[..start], &self.text[written(phrase)], &self.text[end..])
        };
        row.iter().map(with).collect()
    }
}

/// What follows a phrase in its row.
struct Next {
    end: usize,
    start: usize,
    is_joined: bool,
}
