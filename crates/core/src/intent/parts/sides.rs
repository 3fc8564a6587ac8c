//! The same asked about the two sides of a comparison: "A versus B: how long are they kept?".

use std::ops::Range;

use regex::Captures;

use crate::intent::Question;
use crate::intent::prepared::Prepared;
use crate::intent::terminology::article_length;
use crate::language::{ASPECTS, Pack, SeveralQuestions};
use crate::text::{Word, words};

/// What is asked about the two sides, once with each. Nothing where only their difference is asked for.
pub(super) fn by_side(question: &Question) -> Option<Vec<String>> {
    let pack = question.language.pack();
    let rules = &pack.intent.several_questions;
    let comparison = |found: Captures<'_>| {
        let prepared = &question.prepared;
        let range = |name: &str| found.name(name).map(|part| part.range());
        let aspects = ASPECTS.iter().filter_map(|name| range(name)).collect();
        Comparison { prepared, pack, rules, aspects, first: range("first")?, second: range("second")? }
            .parts()
    };
    rules.sides.pairs.all_captures(question.prepared.text()).find_map(comparison)
}

/// Two sides and what is asked about them, by where they stand in the prepared question.
struct Comparison<'q> {
    prepared: &'q Prepared,
    pack: &'static Pack,
    rules: &'static SeveralQuestions,
    aspects: Vec<Range<usize>>,
    first: Range<usize>,
    second: Range<usize>,
}

impl Comparison<'_> {
    fn parts(&self) -> Option<Vec<String>> {
        let aspects: Vec<Range<usize>> =
            self.aspects.iter().filter_map(|aspect| self.without_idle(aspect.clone())).collect();
        if !self.is_of_two() || aspects.iter().any(|aspect| self.is_of_both(aspect)) {
            return None;
        }
        let aspect: Vec<String> = aspects.into_iter().filter_map(|aspect| self.typed(aspect)).collect();
        let first = self.typed(self.first.clone())?;
        let second = self.second(!aspect.is_empty())?;
        let with_aspect = |side: String| aspect.iter().cloned().chain([side]).collect::<Vec<_>>().join(" ");
        Some([first, second].map(with_aspect).into())
    }

    /// The second side with the noun that it shares with the first.
    fn second(&self, has_aspect: bool) -> Option<String> {
        let (first, second) = (self.text(&self.first), self.text(&self.second));
        if let Some(found) = self.rules.sides.stand_in.captures(second) {
            let (preposition, rest) = (found.name("preposition")?.as_str(), found.name("rest")?);
            let head = &first[..shared_until(first, rest.as_str(), preposition)?];
            if !has_aspect && !self.rules.sides.asked.is_match(head) {
                return None;
            }
            let rest = self.second.start + rest.start()..self.second.end;
            return self.joined(head.len(), rest);
        }
        if !self.is_thing(first) || !self.is_thing(second) || self.points_back(second) {
            return None;
        }
        let head = self.rules.sides.head.find(first);
        match head {
            _ if has_aspect || head.is_some() && self.rules.sides.head.is_match(second) => {
                self.typed(self.second.clone())
            }
            Some(head) if self.shares(head.as_str(), &first[head.end()..], second) => {
                self.joined(head.end(), self.second.clone())
            }
            _ => None,
        }
    }

    /// The front of the first side, as long as this, with a part of the second.
    fn joined(&self, head: usize, rest: Range<usize>) -> Option<String> {
        let head = self.typed(self.first.start..self.first.start + head)?;
        Some(format!("{head} {}", self.typed(rest)?))
    }

    /// An aspect without what asks for the difference alone; nothing where there is no more to it.
    fn without_idle(&self, mut aspect: Range<usize>) -> Option<Range<usize>> {
        let sides = &self.rules.sides;
        if let Some(lead) = sides.lead.find(self.text(&aspect)) {
            aspect.start += lead.end();
        }
        while let Some(idle) = sides.idle.find(self.text(&aspect)).filter(|idle| !idle.is_empty()) {
            aspect.end = aspect.start + idle.start();
        }
        self.text(&aspect).contains(char::is_alphanumeric).then_some(aspect)
    }

    /// Whether what is asked is lost where each side is asked about by itself: which of them, or how they go together.
    fn is_of_both(&self, aspect: &Range<usize>) -> bool {
        let of_both =
            |word: &str| self.rules.together.contains(word) || self.rules.sides.choosing.contains(word);
        words(self.text(aspect)).iter().any(|word| of_both(&word.folded))
    }

    /// Whether each side is one thing: where another is joined to it, nobody knows which two are meant.
    fn is_of_two(&self) -> bool {
        let joins = |word: &str| self.rules.joins.contains(word) || self.rules.phrases.joins.contains(word);
        let is_one = |side: &Range<usize>| !words(self.text(side)).iter().any(|word| joins(&word.folded));
        is_one(&self.first) && is_one(&self.second)
    }

    /// Whether a side names a thing. A question holds more than a side, and nobody knows how much; and a quality is one of a thing
    /// that is named elsewhere: "old versus new machines".
    fn is_thing(&self, side: &str) -> bool {
        let intent = &self.pack.intent;
        let opens = |word: &String| self.rules.openers.contains(word) || intent.verbs.contains(word);
        let is_quality = intent.follow_up.repeat.quality(side).is_some();
        !is_quality && !words(side).first().is_some_and(|word| opens(&word.folded))
    }

    /// Whether a side stands for the other, or for what was said before.
    fn points_back(&self, side: &str) -> bool {
        let is_back = |word: &str| self.rules.back.contains(word) && article_length(side) == 0;
        words(side).first().is_some_and(|word| is_back(&word.folded))
    }

    /// Whether the second side is of the head too, as what stands behind the head is. It may name it by itself, as in "a certificate
    /// of A versus a plain certificate"; or be of what stands further behind, as in "the cost of backups in A versus B".
    fn shares(&self, head: &str, behind: &str, second: &str) -> bool {
        let [head, behind, second] = [head, behind, second].map(words);
        let is_named = |word: &Word| {
            self.pack.words.is_content(&word.folded) && second.iter().any(|own| own.folded == word.folded)
        };
        let is_preposition = |word: &&Word| self.rules.prepositions.contains(&word.folded);
        let phrases = |side: &[Word]| side.iter().filter(is_preposition).count();
        !head.iter().any(is_named) && phrases(&behind) <= phrases(&second)
    }

    fn text(&self, range: &Range<usize>) -> &str {
        &self.prepared.text()[range.clone()]
    }

    fn typed(&self, range: Range<usize>) -> Option<String> {
        self.prepared.typed(range)
    }
}

/// Where the noun ends that the second side shares. The two are built alike: what follows it has the preposition as often.
fn shared_until(first: &str, rest: &str, preposition: &str) -> Option<usize> {
    let is_preposition = |word: &&str| *word == preposition;
    let often = rest.split(' ').filter(is_preposition).count();
    let inside = format!(" {preposition} ");
    let places: Vec<usize> = first.match_indices(&inside).map(|(at, _)| at).collect();
    places.get(places.len().saturating_sub(often)).copied()
}
