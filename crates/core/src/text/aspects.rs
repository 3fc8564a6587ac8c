//! The part of a record that a question asks for.

use super::words::{stem, words};
use crate::language::{Language, Pack};

/// The aspect of sections that tell how a record stands; not what it says.
pub const STATUS: &str = "status";

/// The aspect of sections that say what a record states or decides.
pub const DECISION: &str = "decision";

/// The aspect of sections that tell what follows from a decision.
pub const CONSEQUENCES: &str = "consequences";

/// The aspect of sections that weigh options.
pub const ALTERNATIVES: &str = "alternatives";

/// The aspect of sections that say what speaks for an option.
pub const FOR: &str = "for";

/// The aspect of sections that say what speaks against an option.
pub const AGAINST: &str = "against";

/// The aspect of sections that lead elsewhere.
pub const MORE: &str = "more";

/// A part of a record that a question asks for, such as its consequences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aspect {
    /// The aspect's name.
    pub name: String,
    /// The stems of the question's words that ask for it.
    pub stems: Vec<String>,
}

impl Aspect {
    /// The aspects that a question asks for, in the order of the pack.
    pub fn of_question(question: &str, language: Language) -> Vec<Self> {
        let asked: Vec<String> = words(question).into_iter().map(|word| word.folded).collect();
        let asked_stems: Vec<String> = asked.iter().map(|word| stem(word, language)).collect();
        let mut found: Vec<Self> = Vec::new();
        for known in &language.pack().aspects {
            let written = asked.iter().zip(&asked_stems).filter(|(word, _)| known.written.contains(word));
            let stems: Vec<String> = written
                .map(|(_, stem)| stem)
                .chain(asked_stems.iter().filter(|stem| known.stems.contains(stem)))
                .cloned()
                .collect();
            if !stems.is_empty() {
                found.push(Self { name: known.name.clone(), stems });
            }
        }
        // What speaks for and against something is asked for by the words that are headings over it.
        for side in [FOR, AGAINST] {
            let said =
                asked.iter().zip(&asked_stems).filter(|(word, _)| aspect_of_heading(word) == Some(side));
            let stems: Vec<String> = said.map(|(_, stem)| stem.clone()).collect();
            if !stems.is_empty() {
                found.push(Self { name: side.to_owned(), stems });
            }
        }
        found
    }

    /// What is asked for where a question names a record and nothing else.
    pub fn default_for(language: Language) -> Option<Self> {
        let first = language.pack().aspects.first();
        first.map(|known| Self { name: known.name.clone(), stems: Vec::new() })
    }

    /// Whether a section with this heading is about the aspect, whatever the document's language.
    pub fn is_in_section(&self, heading: &str) -> bool {
        let heading = heading.to_lowercase();
        let heading = heading.trim_start_matches(|c: char| !c.is_alphabetic());
        Pack::all()
            .flat_map(|pack| &pack.aspects)
            .filter(|known| known.name == self.name)
            .any(|known| known.sections.iter().any(|section| begins_with(heading, section)))
    }
}

/// The part of a record that a heading is over, by the longest beginning that any language knows; of equals the first.
pub fn aspect_of_heading(heading: &str) -> Option<&'static str> {
    longest(heading, false)
}

/// The aspect of the longest beginning that fits: one of documents' headings as whole words, or else one of a reader's own.
fn longest(heading: &str, is_readers: bool) -> Option<&'static str> {
    let heading = heading.to_lowercase();
    let heading = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    let mut best: Option<(usize, &str)> = None;
    for known in Pack::all().flat_map(|pack| &pack.aspects) {
        let sections = known.sections.iter().filter(|section| begins_with(heading, section));
        let wished = known.wished.iter().filter(|wished| is_readers && heading.starts_with(wished.as_str()));
        for section in sections.chain(wished) {
            if best.is_none_or(|(length, _)| section.len() > length) {
                best = Some((section.len(), &known.name));
            }
        }
    }
    best.map(|(_, name)| name)
}

/// What a word may end with and still be the same: "option", "options"; "gevolg", "gevolgen".
const ENDINGS: [&str; 7] = ["", "s", "es", "'s", "’s", "n", "en"];

/// Whether a heading begins with these words, each of them whole: "versioning" is not about the version of a record.
fn begins_with(heading: &str, section: &str) -> bool {
    heading.strip_prefix(section).is_some_and(|rest| {
        let end = rest.find(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '’'))).unwrap_or(rest.len());
        ENDINGS.contains(&&rest[..end])
    })
}

/// The part of a record that a heading asks for in a reader's own words: as a heading of documents, or by the words of questions.
pub(crate) fn aspect_wished(heading: &str, language: Language) -> Option<&'static str> {
    longest(heading, true).or_else(|| {
        let asked = Aspect::of_question(heading, language).into_iter().next()?;
        Pack::all()
            .flat_map(|pack| &pack.aspects)
            .map(|known| known.name.as_str())
            .find(|name| *name == asked.name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_tells_its_part_by_whole_words() {
        for (heading, aspect) in [
            ("3. Options considered", Some(ALTERNATIVES)),
            ("Versie", Some(STATUS)),
            ("Versioning of interfaces", None),
            ("Consumers", None),
            ("Cons", Some(AGAINST)),
            ("Linked data", None),
            ("Links", Some(MORE)),
            ("Alternatieven", Some(ALTERNATIVES)),
            ("Inhoudsopgave", Some(MORE)),
        ] {
            assert_eq!(aspect_of_heading(heading), aspect, "{heading}");
        }
    }

    #[test]
    fn a_question_asks_for_a_part_by_other_words_than_the_heading() {
        let aspects = Aspect::of_question("What does ADR-0012 decide?", Language::EN);
        assert!(aspects[0].is_in_section("Decision Outcome"));
        assert!(!aspects[0].is_in_section("Considered Options"));
        let aspects = Aspect::of_question("Wat zijn de gevolgen van ADR 12?", Language::NL);
        assert!(aspects[0].is_in_section("Consequences"), "a Dutch question over an English record");
    }
}
