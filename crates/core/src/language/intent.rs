//! How questions of a language are recognised: `intent.toml`.

pub(crate) mod about;
pub(crate) mod draft;
pub(crate) mod facts;
pub(crate) mod follow_up;
pub(crate) mod graph;
pub(crate) mod identifier;
pub(crate) mod list;
pub(crate) mod several_questions;
pub(crate) mod terminology;
pub(crate) mod wish;

use serde::Deserialize;

use self::identifier::SharedWords;
use super::error::PackError;
use super::patterns::{Compiler, Patterns, any_of};
use crate::kinds::{About, Kind, Standing};

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    greetings: Vec<String>,
    thanks: Vec<String>,
    pleasantries: Vec<String>,
    acknowledgements: Vec<String>,
    courtesies: Vec<String>,
    asides: Vec<String>,
    rewrites: Vec<(String, String)>,
    procedural: Vec<String>,
    verbs: Vec<String>,
    reference: ReferenceWords,
    kinds: Vec<KindWords>,
    standings: Vec<StandingWords>,
    terminology: terminology::TerminologyWords,
    list: list::ListWords,
    facts: facts::FactWords,
    graph: graph::GraphWords,
    draft: draft::DraftWords,
    follow_up: follow_up::FollowUpWords,
    wish: wish::WishWords,
    several_questions: several_questions::SeveralQuestionsWords,
    about: about::AboutWords,
}

/// Words that make a number a reference.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceWords {
    pub adr: Vec<String>,
    pub principle: Vec<String>,
    pub approval: Vec<String>,
    pub number: Vec<String>,
    /// What makes a number an ordinal.
    pub ordinal: Vec<String>,
    pub and: Vec<String>,
    pub counted: Vec<String>,
    /// Words that name a policy beside its subject.
    pub policy: Vec<String>,
    /// Words that ask for a document to be shown, for whom, and the article before it.
    pub show: Vec<String>,
    pub whom: Vec<String>,
    pub the: Vec<String>,
    /// Words between a record and its day, and words that decide on a day.
    pub of_day: Vec<String>,
    pub decided_on: Vec<String>,
}

/// What documents of a kind are called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KindWords {
    is: Kind,
    one: Vec<String>,
    many: Vec<String>,
}

/// What documents of a standing are called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StandingWords {
    pub is: Standing,
    pub words: Vec<String>,
}

/// The rules of a language for questions, ready for use.
pub(crate) struct IntentRules {
    pub reference: ReferenceWords,
    pub verbs: Vec<String>,
    pub procedural: Patterns,
    pub terminology: terminology::TerminologyRules,
    pub list: list::ListRules,
    pub facts: facts::FactRules,
    pub graph: graph::GraphRules,
    /// Whole questions for a draft of a record, each with its topic.
    pub draft: Patterns,
    pub follow_up: follow_up::FollowUpRules,
    pub wish: wish::WishRules,
    pub several_questions: several_questions::SeveralQuestions,
    pub about: about::AboutRules,
    /// Whole texts of courtesy, and what in them is more than a greeting.
    courteous: Patterns,
    thankful: Patterns,
    courtesy: Patterns,
    aside: Patterns,
    rewrites: Vec<(Patterns, String)>,
    kinds: Vec<(Kind, Patterns)>,
    folders: Vec<(Kind, Patterns)>,
}

impl Source {
    pub fn compile(self, months: &[String], compiler: Compiler<'_>) -> Result<IntentRules, PackError> {
        let greetings = any_of(self.greetings.iter().chain(&self.thanks));
        let thankful = any_of(self.thanks.iter().chain(&self.acknowledgements).chain(&self.pleasantries));
        let apart = any_of(self.acknowledgements.iter().chain(&self.pleasantries));
        let courtesy = format!(
            r"^(?:{greetings}[ ,.!]+|{apart}(?: ?[:;][()-]+| ?[,.:;!])+ ?|{}(?: |, ?))+",
            any_of(&self.courtesies)
        );
        let every_kind = |frame: fn(&str) -> String| -> Result<Vec<_>, PackError> {
            let compile = |words: &KindWords| {
                let pattern = frame(&any_of(words.one.iter().chain(&words.many)));
                Ok((words.is, compiler.pattern("kinds", &pattern)?))
            };
            self.kinds.iter().map(compile).collect()
        };
        let rewrite = |(from, to): &(String, String)| Ok((compiler.pattern("rewrites", from)?, to.clone()));
        let several: Vec<_> = self.kinds.iter().map(|words| (words.is, any_of(&words.many))).collect();
        let single: Vec<_> = self.kinds.iter().map(|words| (words.is, any_of(&words.one))).collect();
        let singles: Vec<_> = self.kinds.iter().flat_map(|words| words.one.iter().cloned()).collect();
        let manifold: Vec<_> = self.kinds.iter().flat_map(|words| words.many.iter().cloned()).collect();
        let records: Vec<_> = singles.iter().chain(self.wish.records()).cloned().collect();
        let shared = SharedWords { one: &singles, several: &manifold, courtesies: &self.courtesies };
        let nouns = self.terminology.aspect_nouns();
        self.reference.check(compiler)?;
        Ok(IntentRules {
            courteous: compiler.pattern("greetings", &format!("^(?:(?:{greetings}|{thankful})(?: |$))+$"))?,
            thankful: compiler.pattern("thanks", &format!(r"\b{thankful}\b"))?,
            courtesy: compiler.pattern("courtesies", &courtesy)?,
            aside: compiler.pattern(
                "asides",
                &format!(r"(?:[,.;:!?–—(]| -) *{}\b[^?\d]*[?!.) ]*$", any_of(&self.asides)),
            )?,
            rewrites: self.rewrites.iter().map(rewrite).collect::<Result<_, PackError>>()?,
            procedural: compiler.patterns("procedural", &self.procedural)?,
            kinds: every_kind(|words| format!(r"\b{words}\b"))?,
            folders: every_kind(|words| format!("^{words}$"))?,
            terminology: self.terminology.compile(compiler)?,
            list: self.list.compile(&several, &single, &self.standings, months, compiler)?,
            facts: self.facts.compile(&records, compiler)?,
            graph: self.graph.compile(singles.iter().chain(&manifold), compiler)?,
            draft: self.draft.compile(compiler)?,
            follow_up: self.follow_up.compile(compiler)?,
            wish: self.wish.compile(shared, compiler)?,
            several_questions: self.several_questions.compile(&nouns, compiler)?,
            about: self.about.compile(compiler)?,
            reference: self.reference,
            verbs: self.verbs,
        })
    }
}

impl ReferenceWords {
    fn check(&self, compiler: Compiler<'_>) -> Result<(), PackError> {
        compiler.parts("reference.adr", &self.adr)?;
        compiler.parts("reference.principle", &self.principle)?;
        compiler.parts("reference.approval", &self.approval)?;
        compiler.parts("reference.number", &self.number)?;
        compiler.parts("reference.ordinal", &self.ordinal)?;
        compiler.parts("reference.and", &self.and)?;
        compiler.parts("reference.show", &self.show)?;
        compiler.parts("reference.whom", &self.whom)?;
        compiler.parts("reference.the", &self.the)
    }
}

impl IntentRules {
    /// What these words, set apart by single spaces, are where they are nothing but courtesy.
    pub fn courtesy_alone(&self, words: &str) -> Option<About> {
        let courteous = !words.is_empty() && self.courteous.is_match(words);
        let kind = if self.thankful.is_match(words) { About::Thanks } else { About::Greeting };
        courteous.then_some(kind)
    }

    /// Where a clause begins behind a question that is told beside it: what it is for, who else asked.
    pub fn aside(&self, text: &str) -> Option<usize> {
        Some(self.aside.find(text)?.start())
    }

    /// How much of a question's front is courtesy.
    pub fn courtesy(&self, text: &str) -> usize {
        self.courtesy.find(text).map_or(0, |found| found.end())
    }

    /// The front of a question in another wording: how much it replaces, and by what.
    pub fn rewrite(&self, text: &str) -> Option<(usize, &str)> {
        self.rewrites.iter().find_map(|(from, to)| Some((from.find(text)?.end(), to.as_str())))
    }

    /// The kinds that a text names and where; a longer name hides the shorter one inside it.
    pub fn kinds_in(&self, text: &str) -> Vec<Kind> {
        let spans: Vec<_> = self
            .kinds
            .iter()
            .flat_map(|(kind, words)| words.find_all(text).map(|found| (*kind, found.range())))
            .collect();
        let inside = |inner: &std::ops::Range<usize>, outer: &std::ops::Range<usize>| {
            outer.len() > inner.len() && outer.start <= inner.start && inner.end <= outer.end
        };
        let visible =
            |span: &&(Kind, std::ops::Range<usize>)| !spans.iter().any(|other| inside(&span.1, &other.1));
        spans.iter().filter(visible).map(|(kind, _)| *kind).collect()
    }

    /// The kind that a folder of this name holds.
    pub fn kind_named(&self, folder: &str) -> Option<Kind> {
        self.folders.iter().find(|(_, words)| words.is_match(folder)).map(|(kind, _)| *kind)
    }
}
