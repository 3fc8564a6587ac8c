//! How a language asks the question before once more, with one part of it changed.

use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use crate::language::error::PackError;
use crate::language::patterns::{Compiler, any_of};

/// The words of which such a part is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepeatWords {
    prepositions: Vec<Vec<String>>,
    determiners: Vec<String>,
    qualities: Vec<String>,
    ones: Vec<String>,
    closers: Vec<String>,
    asking: Vec<String>,
    forms: Vec<String>,
    things: Vec<String>,
}

/// How the changed part is found, in the follow-up and in the question before it.
pub(crate) struct RepeatRules {
    places: Vec<Place>,
    quality_alone: Regex,
    quality: Regex,
    asking: Regex,
    forms: Regex,
    thing_alone: Regex,
    /// Questions about a `thing`.
    things: Vec<Regex>,
}

/// Parts that begin with one of several prepositions, any of which can stand in another's place.
struct Place {
    alone: Regex,
    inside: Regex,
}

impl RepeatWords {
    pub fn compile(self, compiler: Compiler<'_>) -> Result<RepeatRules, PackError> {
        let key = |name: &str| format!("follow_up.repeat.{name}");
        let (determiners, qualities) = (any_of(&self.determiners), any_of(&self.qualities));
        let (ones, closers) = (any_of(&self.ones), any_of(&self.closers));
        let place = |prepositions: &Vec<String>| {
            let prepositions = any_of(prepositions);
            let noun = format!(r"(?:{determiners} )*(?:{qualities} )?[\w'-]+");
            let alone = format!(r"^(?P<part>{prepositions} {noun}(?: [\w'-]+)??)(?:,? {closers})*$");
            let inside = format!(r"\b{prepositions} {noun}");
            Ok(Place {
                alone: compiler.caseless(&key("prepositions"), &alone)?,
                inside: compiler.caseless(&key("prepositions"), &inside)?,
            })
        };
        // As few words as can be, so that what stands behind the thing is no part of it.
        let thing = format!(r"(?P<thing>(?:{determiners} )*[\w'’-]+(?: [\w'’-]+){{0,2}}?)");
        let preposition = any_of(self.prepositions.iter().flatten());
        let behind = format!("(?:,? (?:{preposition}) .*)?");
        let about = |pattern: &String| {
            let pattern = pattern.replace("THING", &thing).replace("BEHIND", &behind);
            compiler.caseless(&key("things"), &format!("^(?:{pattern})$"))
        };
        let alone = format!("^(?:{determiners} )?(?P<quality>{qualities})(?: {ones})?(?:,? {closers})*$");
        Ok(RepeatRules {
            places: self.prepositions.iter().map(place).collect::<Result<_, PackError>>()?,
            quality_alone: compiler.caseless(&key("qualities"), &alone)?,
            quality: compiler.caseless(&key("qualities"), &format!(r"\b{qualities}\b"))?,
            forms: compiler.caseless(&key("forms"), &format!("^{}$", any_of(&self.forms)))?,
            thing_alone: compiler.caseless(&key("things"), &format!("^{thing}(?:,? {closers})*$"))?,
            things: self.things.iter().map(about).collect::<Result<_, PackError>>()?,
            asking: compiler.caseless(&key("asking"), &format!(r"\b{}\b", any_of(&self.asking)))?,
        })
    }
}

impl RepeatRules {
    /// The quality that a few words name and nothing else: "a large one".
    pub fn quality<'t>(&self, rest: &'t str) -> Option<&'t str> {
        Some(self.quality_alone.captures(rest)?.name("quality")?.as_str())
    }

    /// The question with this quality in place of its own; nothing where it has none.
    pub fn with_quality(&self, question: &str, quality: &str) -> Option<String> {
        let own = self.quality.find_iter(question).last()?;
        Some(replaced(question, own.range(), quality))
    }

    /// The part that a few words are and nothing else, with the number of its place: "in OT".
    pub fn part<'t>(&self, rest: &'t str) -> Option<(usize, &'t str)> {
        let mut places = self.places.iter().enumerate();
        let part = places
            .find_map(|(place, rules)| Some((place, rules.alone.captures(rest)?.name("part")?.as_str())));
        // "In short" asks for a form of the answer.
        part.filter(|(_, part)| !self.forms.is_match(part))
    }

    /// The question with this part in place of its own, or behind it where it has none.
    pub fn with_part(&self, question: &str, place: usize, part: &str) -> String {
        let question = question.trim_end_matches(|c: char| !c.is_alphanumeric());
        // "Within which time" is what is asked for, and no part that another could replace.
        let is_told = |range: &Range<usize>| !self.asking.is_match(&question[range.clone()]);
        let inside = self.places.get(place).map(|place| &place.inside);
        let own = inside
            .and_then(|inside| inside.find_iter(question).map(|found| found.range()).filter(is_told).last());
        let question = match own {
            Some(own) => replaced(question, own, part),
            None => format!("{question} {part}"),
        };
        format!("{question}?")
    }

    /// The thing that a few words name and nothing else: "permit files".
    pub fn thing<'t>(&self, rest: &'t str) -> Option<&'t str> {
        Some(self.thing_alone.captures(rest)?.name("thing")?.as_str())
    }

    /// The question about this thing; nothing where it is not known what it is about.
    pub fn with_thing(&self, question: &str, thing: &str) -> Option<String> {
        let question = question.trim_end_matches(|c: char| !c.is_alphanumeric());
        let own = self.things.iter().find_map(|about| about.captures(question)?.name("thing"))?;
        Some(format!("{}?", replaced(question, own.range(), thing)))
    }
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(range, by);
    text
}
