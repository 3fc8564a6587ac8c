//! How a language asks about the assistant itself.

mod composed;

use regex::Regex;
use serde::Deserialize;

use crate::kinds::About;
use crate::language::error::PackError;
use crate::language::patterns::{Compiler, Patterns, any_of};

/// How a pack recognises questions about the assistant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AboutWords {
    you: Vec<String>,
    your: Vec<String>,
    and: Vec<String>,
    closers: Vec<String>,
    documents: Vec<String>,
    terms: Vec<String>,
    holdings: Vec<String>,
    topics: Vec<TopicWords>,
    composed: composed::ComposedWords,
}

/// The wordings of one topic.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicWords {
    is: About,
    patterns: Vec<String>,
    /// Those that mean the assistant only where nothing was said before.
    #[serde(default)]
    alone: Vec<String>,
}

/// How a language asks about the assistant, ready for use.
pub(crate) struct AboutRules {
    topics: Vec<(About, Patterns)>,
    alone: Vec<(About, Patterns)>,
    /// Questions for what it has, whatever that is.
    holdings: Patterns,
    documents: Patterns,
    terms: Patterns,
    /// What stands between two questions in one.
    between: Regex,
    composed: composed::Composed,
}

impl AboutWords {
    pub fn compile(self, compiler: Compiler<'_>) -> Result<AboutRules, PackError> {
        let (and, closers) = (any_of(&self.and), any_of(&self.closers));
        let thing = any_of(self.documents.iter().chain(&self.terms));
        let things = format!("{thing}(?:(?:, | (?:{and}) ){thing})*");
        let (you, your) = (any_of(&self.you), any_of(&self.your));
        let fill =
            |pattern: &str| pattern.replace("YOUR", &your).replace("YOU", &you).replace("THINGS", &things);
        let filled = |pattern: &String| format!("^(?:{})(?:,? {closers})*$", fill(pattern));
        let compile = |patterns: &[String]| {
            compiler.patterns("about", &patterns.iter().map(filled).collect::<Vec<_>>())
        };
        let topics = |of: fn(&TopicWords) -> &[String]| {
            self.topics
                .iter()
                .map(|topic| Ok((topic.is, compile(of(topic))?)))
                .collect::<Result<_, PackError>>()
        };
        Ok(AboutRules {
            topics: topics(|topic| &topic.patterns)?,
            alone: topics(|topic| &topic.alone)?,
            holdings: compile(&self.holdings)?,
            documents: compiler.pattern("about.documents", &format!(r"\b{}\b", any_of(&self.documents)))?,
            terms: compiler.pattern("about.terms", &format!(r"\b{}\b", any_of(&self.terms)))?,
            composed: self.composed.compile(fill, compiler)?,
            between: compiler.regex("about.and", &format!(r" ?[,;.?!]+ (?:{and} )?| {and} "))?,
        })
    }
}

impl AboutRules {
    /// What one question asks about the assistant; nothing where it asks something else.
    pub fn topics(&self, question: &str, in_conversation: bool) -> Vec<About> {
        match self.worded(question, in_conversation) {
            worded if worded.is_empty() => self.composed(question),
            worded => worded,
        }
    }

    /// What a text asks by the parts that it is put together from.
    pub fn composed(&self, text: &str) -> Vec<About> {
        self.composed.topics(text)
    }

    /// What a question asks that is worded as the pack has it.
    pub fn worded(&self, question: &str, in_conversation: bool) -> Vec<About> {
        let met = |topics: &[(About, Patterns)]| {
            topics.iter().find(|(_, patterns)| patterns.is_match(question)).map(|(topic, _)| *topic)
        };
        if self.holdings.is_match(question) {
            let held = [(About::Library, &self.documents), (About::Vocabulary, &self.terms)];
            let named: Vec<About> =
                held.iter().filter(|(_, nouns)| nouns.is_match(question)).map(|(topic, _)| *topic).collect();
            // Where its answers come from is what the library holds.
            return if named.is_empty() { vec![About::Library] } else { named };
        }
        met(&self.topics).or_else(|| met(&self.alone).filter(|_| !in_conversation)).into_iter().collect()
    }

    /// The questions that a text holds, one after the other.
    pub fn questions<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        self.between.split(text).map(str::trim).filter(|question| !question.is_empty())
    }
}
