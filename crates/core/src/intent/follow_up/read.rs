//! What makes a question one that needs the one before it.

use std::ops::Range;

use crate::domain::Language;
use crate::intent::prepared::Prepared;
use crate::intent::reference::references;
use crate::language::{FollowUpRules, Pack};
use crate::numbers::numbers;
use crate::text::words;

/// A question that needs the one before it.
pub(super) struct FollowUp {
    pub pack: &'static Pack,
    /// The question as typed, without what leads it in and ends it.
    pub rest: String,
    pub pronoun: Option<Number>,
    pub led: bool,
    pub asks: Asks,
}

/// Whether a pronoun stands for one thing or for several.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    One,
    Several,
}

/// What is asked of what was said before.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Asks {
    /// All that there is.
    More,
    /// One of several by its place in the row, and where that stands; perhaps one that is called an option.
    OneOf { number: usize, range: Range<usize>, option: bool },
    /// The version before, and where that stands; where nothing else is said, the same of it.
    Earlier { range: Range<usize>, alone: bool },
    /// Whatever the question says.
    Anything,
}

impl FollowUpRules {
    /// How much of a question's front only leads it in.
    pub fn lead_of_question(&self, text: &str) -> usize {
        self.lead_of_question.captures(text).and_then(|captures| captures.get(1)).map_or(0, |lead| lead.end())
    }

    /// Puts a name where a pronoun stands, and tells whether that stands for several; an acronym such as IT is none.
    pub fn name(&self, text: &str, name: &str) -> Option<(String, bool)> {
        let mixed = text.contains(char::is_lowercase);
        self.pronouns.iter().find_map(|pronoun| {
            let captures =
                pronoun.pattern.captures(text).filter(|captures| !(mixed && is_acronym(&captures[0])))?;
            let found = captures.get(0)?;
            let mut resolved = text[..found.start()].to_owned();
            captures.expand(&pronoun.named, &mut resolved);
            resolved.push_str(&text[found.end()..]);
            Some((resolved.replacen("REF", name, 1), pronoun.plural))
        })
    }

    /// Whether a word belongs to something that was named before, and is no subject of its own.
    pub fn belongs_to_named(&self, word: &str) -> bool {
        [&self.nouns, &self.verbs, &self.general].iter().any(|list| list.iter().any(|known| known == word))
    }

    /// What a text points at beside its pronouns, and where.
    fn pointer(&self, text: &str) -> Option<(Asks, Range<usize>)> {
        if let Some(earlier) = self.earlier.find(text) {
            let range = earlier.range();
            let beside = [&text[..range.start], &text[range.end..]];
            let alone = !beside.iter().any(|beside| beside.contains(char::is_alphanumeric));
            return Some((Asks::Earlier { range: range.clone(), alone }, range));
        }
        let captures = self.ordered.captures(text)?;
        let range = captures.get(0)?.range();
        let spelt = captures.name("n")?.as_str().to_lowercase();
        let digits = spelt.trim_end_matches(char::is_alphabetic);
        let number = self.ordinals.get(&spelt).copied().or_else(|| digits.parse().ok())?;
        let option = captures.name("option").is_some();
        Some((Asks::OneOf { number, range: range.clone(), option }, range))
    }
}

fn is_acronym(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

impl FollowUp {
    pub fn read(query: &str, language: Language) -> Option<Self> {
        if !references(query).is_empty() {
            return None;
        }
        let question = Prepared::read(query, language);
        Pack::by_preference(language).find_map(|pack| Self::read_with(&question, pack))
    }

    fn read_with(question: &Prepared, pack: &'static Pack) -> Option<Self> {
        let (rules, text) = (&pack.intent.follow_up, question.text());
        let length = question.parts().len();
        let is_short = (1..=numbers().follow_up.longest).contains(&length);
        let lead = rules.lead.find(text).map_or(0, |lead| lead.end()).min(text.len());
        let (rest, typed) = (&text[lead..], question.as_typed(lead));
        let (asks, pointer) = rules.pointer(&typed).unzip();
        let without = match &pointer {
            Some(range) => Some(format!("{} {}", &typed[..range.start], &typed[range.end..])),
            None => rules.name(&typed, "").map(|(without, _)| without),
        };
        let number = |(_, plural): (String, bool)| if plural { Number::Several } else { Number::One };
        let pronoun = rules.name(&typed, "").map(number);
        let found = |asks| Some(Self { pack, pronoun, led: lead > 0, rest: typed.clone(), asks });
        if rules.more.is_match(rest) || rules.more.is_match(text) {
            return found(Asks::More);
        }
        let is_whole = |text: &str| rules.bare.is_match(text);
        let is_anaphoric = is_short && rules.anaphoric.is_match(rest) && !rules.expletive.is_match(rest);
        if is_whole(rest) || is_whole(text) || is_anaphoric {
            return found(asks.unwrap_or(Asks::Anything));
        }
        let points = without.is_some();
        let words = words(without.as_deref().unwrap_or(rest));
        let list = &pack.words;
        let is = |list: &[String], word: &str| list.iter().any(|known| known == word);
        let opener = words.first().is_some_and(|word| is(&rules.openers, &word.folded));
        let belongs = |word: &str| rules.belongs_to_named(word);
        let own_subject = words.iter().map(|word| word.folded.as_str()).any(|word| {
            list.is_content(word)
                && !belongs(word)
                && !is(&rules.openers, word)
                && !is(&pack.intent.verbs, word)
        });
        let names_kind = Pack::all().any(|pack| !pack.intent.kinds_in(rest).is_empty());
        let complete = opener && (own_subject || names_kind) && !points;
        let needs_more = if lead > 0 {
            !complete
        } else {
            !own_subject && (points || (!names_kind && words.iter().any(|word| belongs(&word.folded))))
        };
        // A long question has a subject of its own, unless none of its words is one, it concludes from what was said, or it adds to that
        // and points at it.
        let concludes = rules.conclusion.is_match(text) && !opener;
        let adds = lead > 0 && points;
        let longest = 3 * numbers().follow_up.longest;
        let may_be_long = (!own_subject || concludes || adds) && (1..=longest).contains(&length);
        if !needs_more || !(is_short || may_be_long) {
            return None;
        }
        // "The first step" is no first of several.
        found(asks.filter(|_| !own_subject).unwrap_or(Asks::Anything))
    }
}
