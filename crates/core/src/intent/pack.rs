use std::sync::LazyLock;

use regex::{Captures, Match, Regex};
use serde::Deserialize;

use super::{facts, follow_up, list, terminology};
use crate::domain::{Kind, Language, Standing};

/// A language pack as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    greetings: Vec<String>,
    acknowledgements: Vec<String>,
    courtesies: Vec<String>,
    rewrites: Vec<(String, String)>,
    procedural: Vec<String>,
    verbs: Vec<String>,
    reference: ReferenceWords,
    kinds: Vec<KindWords>,
    standings: Vec<StandingWords>,
    terminology: terminology::Words,
    list: list::Words,
    facts: facts::Words,
    follow_up: follow_up::Words,
}

/// Words that make a number a reference.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReferenceWords {
    pub adr: Vec<String>,
    pub principle: Vec<String>,
    pub approval: Vec<String>,
    pub number: Vec<String>,
    pub and: Vec<String>,
    pub counted: Vec<String>,
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

/// A language pack, ready for use.
pub(super) struct Pack {
    pub language: Language,
    pub reference: ReferenceWords,
    pub verbs: Vec<String>,
    pub procedural: Patterns,
    pub terminology: terminology::Rules,
    pub list: list::Rules,
    pub facts: facts::Rules,
    pub follow_up: follow_up::Rules,
    greeting: Patterns,
    courtesy: Patterns,
    rewrites: Vec<(Patterns, String)>,
    kinds: Vec<(Kind, Patterns)>,
    folders: Vec<(Kind, Patterns)>,
}

const SOURCES: [(Language, &str); Language::ALL.len()] = [
    (Language::En, include_str!("../../../../assets/languages/en/intent.toml")),
    (Language::Nl, include_str!("../../../../assets/languages/nl/intent.toml")),
];

// The packs are part of the program; `every_pack_parses` holds them, so an empty one is never met.
static PACKS: LazyLock<Vec<Pack>> = LazyLock::new(|| {
    SOURCES
        .into_iter()
        .map(|(language, source)| {
            Pack::compile(language, toml::from_str(source).unwrap_or_default(), &mut Compiler::default())
        })
        .collect()
});

impl Pack {
    /// Every pack.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        PACKS.iter()
    }

    /// Every pack, that of the given language first.
    pub fn by_preference(language: Language) -> impl Iterator<Item = &'static Self> + Clone {
        let first = PACKS.iter().filter(move |pack| pack.language == language);
        first.chain(PACKS.iter().filter(move |pack| pack.language != language))
    }

    fn compile(language: Language, source: Source, compiler: &mut Compiler) -> Self {
        let greetings = any_of(&source.greetings);
        let alone = any_of(source.greetings.iter().chain(&source.acknowledgements));
        let every_kind = |compiler: &mut Compiler, frame: fn(&str) -> String| {
            let mut compile = |words: &KindWords| {
                (words.is, compiler.pattern(&frame(&any_of(words.one.iter().chain(&words.many)))))
            };
            source.kinds.iter().map(&mut compile).collect::<Vec<_>>()
        };
        Self {
            language,
            greeting: compiler.pattern(&format!("^(?:{alone}(?: |$))+$")),
            courtesy: compiler.pattern(&format!(
                "^(?:{greetings}[ ,.!]+|{alone}[,.!]+ ?|{}(?: |, ?))+",
                any_of(&source.courtesies)
            )),
            rewrites: source.rewrites.iter().map(|(from, to)| (compiler.pattern(from), to.clone())).collect(),
            procedural: compiler.patterns(&source.procedural),
            kinds: every_kind(compiler, |words| format!(r"\b{words}\b")),
            folders: every_kind(compiler, |words| format!("^{words}$")),
            terminology: terminology::Rules::compile(&source.terminology, compiler),
            list: list::Rules::compile(
                &source.list,
                &source.kinds.iter().map(|words| (words.is, any_of(&words.many))).collect::<Vec<_>>(),
                &source.standings,
                compiler,
            ),
            facts: facts::Rules::compile(&source.facts, compiler),
            follow_up: follow_up::Rules::compile(source.follow_up, compiler),
            reference: source.reference,
            verbs: source.verbs,
        }
    }

    /// Whether these words, set apart by single spaces, are nothing but a greeting.
    pub fn is_greeting(&self, words: &str) -> bool {
        !words.is_empty() && self.greeting.is_match(words)
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

/// Patterns that are tried in their order.
#[derive(Debug, Default)]
pub(super) struct Patterns(Vec<Regex>);

impl Patterns {
    pub fn is_match(&self, text: &str) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(text))
    }

    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.0.iter().find_map(|pattern| pattern.find(text))
    }

    pub fn find_all<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        self.0.iter().flat_map(move |pattern| pattern.find_iter(text))
    }

    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.0.iter().find_map(|pattern| pattern.captures(text))
    }

    /// The matches of every pattern that meets the text.
    pub fn all_captures<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        self.0.iter().filter_map(move |pattern| pattern.captures(text))
    }
}

/// Compiles patterns and keeps what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Compiler {
    problems: Vec<String>,
}

impl Compiler {
    pub fn pattern(&mut self, pattern: &str) -> Patterns {
        self.patterns(&[pattern])
    }

    pub fn patterns<S: AsRef<str>>(&mut self, patterns: &[S]) -> Patterns {
        let compiled = patterns.iter().filter_map(|pattern| match Regex::new(pattern.as_ref()) {
            Ok(regex) => Some(regex),
            Err(problem) => {
                self.problems.push(format!("{}: {problem}", pattern.as_ref()));
                None
            }
        });
        Patterns(compiled.collect())
    }
}

/// One pattern for any of these, the longest first; it meets nothing where there are none.
pub(super) fn any_of<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
    if words.is_empty() {
        return r"[^\s\S]".to_owned();
    }
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    format!("(?:{})", words.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_parses_and_every_pattern_compiles() {
        for (language, source) in SOURCES {
            let source: Source =
                toml::from_str(source).unwrap_or_else(|e| panic!("{}: {e}", language.code()));
            assert!(
                source.kinds.len() >= 4 && source.facts.fields.len() == 8,
                "{} is not a stub",
                language.code()
            );
            let mut compiler = Compiler::default();
            Pack::compile(language, source, &mut compiler);
            assert!(compiler.problems.is_empty(), "{}: {:#?}", language.code(), compiler.problems);
        }
        assert_eq!(PACKS.len(), Language::ALL.len(), "every language has a pack");
    }

    #[test]
    fn a_word_that_the_pack_does_not_know_is_refused() {
        assert!(
            toml::from_str::<Source>("greeting = []").is_err(),
            "a misspelt key must not pass in silence"
        );
    }
}
