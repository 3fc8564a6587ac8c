use serde::Deserialize;

use super::pack::{Compiler, Pack, Patterns, any_of};
use super::reference::references;

/// How a pack recognises questions for a meaning.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    exclusions: Vec<String>,
    patterns: Vec<String>,
    articles: Vec<String>,
    further: Further,
}

/// The words of which the exclusions beyond IR3's are made.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Further {
    ask: Vec<String>,
    plain: String,
    definite: Vec<String>,
    indefinite: Vec<String>,
    documents: Vec<String>,
    definite_documents: Vec<String>,
    properties: Vec<String>,
    definite_properties: Vec<String>,
    prepositions: Vec<String>,
    clauses: Vec<String>,
    inside: Vec<String>,
    superlatives: Vec<String>,
    patterns: Vec<String>,
}

pub(super) struct Rules {
    exclusions: Patterns,
    further: Patterns,
    /// "What is a policy?" asks for a meaning although it names a document noun.
    kept: Patterns,
    patterns: Patterns,
    article: Patterns,
    /// What stands around the term inside a question that asks the documents.
    around: Patterns,
    plain: String,
}

impl Rules {
    pub fn compile(words: &Words, compiler: &mut Compiler) -> Self {
        let further = &words.further;
        let (ask, the, a) = (any_of(&further.ask), any_of(&further.definite), any_of(&further.indefinite));
        let (documents, prepositions) = (any_of(&further.documents), any_of(&further.prepositions));
        let links = any_of(further.prepositions.iter().chain(&further.clauses));
        let (inside, superlatives) = (any_of(&further.inside), any_of(&further.superlatives));
        let properties = any_of(&further.properties);
        let every_property = any_of(further.properties.iter().chain(&further.definite_properties));
        let the_documents = any_of(&further.definite_documents);
        let mut exclusions = vec![
            format!(r"^{ask} .+ {documents}(?: {links}\b|$)"),
            format!(r"^{ask} (?:{the} .*)?\b{documents} {links}\b"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,3}}{the_documents}(?: {links}\b|$)"),
            format!(r"\b{inside} (?:{the} |{a} )*(?:[\w-]+ ){{0,3}}?{documents}$"),
            format!(r"^{ask} (?:(?:{the}|{a}) )?(?:[\w-]+ ){{0,2}}?{properties} {links}\b"),
            format!(r"^{ask} (?:{the} )?{properties}$"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,2}}{properties}$"),
            format!(r"^{ask} {the} (?:[\w-]+ ){{0,2}}?{every_property} {links}\b"),
            format!(r"^{ask} {the} {superlatives}\b"),
        ];
        exclusions.extend_from_slice(&further.patterns);
        Self {
            exclusions: compiler.patterns(&words.exclusions),
            further: compiler.patterns(&exclusions),
            kept: compiler.pattern(&format!(r"^{ask} (?:{a} (?:[\w-]+ ){{0,2}})?{documents}$")),
            patterns: compiler.patterns(&words.patterns),
            article: compiler.pattern(&format!("^{} ", any_of(&words.articles))),
            around: compiler.patterns(&[
                format!("^(?:{the}|{a}) "),
                format!(r"^(?:[\w-]+ ){{0,2}}?{every_property} {prepositions} "),
                format!("^{superlatives} "),
                format!(r" {inside} (?:{the} |{a} )*(?:[\w-]+ ){{0,3}}?{documents}$"),
                format!("[ -]{documents}$"),
            ]),
            plain: further.plain.clone(),
        }
    }
}

/// What a question has to do with the vocabulary.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Terminology {
    /// It asks for the meaning of this term.
    Term(String),
    /// It looks as if it did, but asks the documents; the term that could be looked up as well.
    Offer(Option<String>),
    /// Nothing.
    None,
}

/// Reads a folded question: exclusions first, then patterns.
pub(super) fn terminology<'p>(text: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Terminology {
    // IR3's patterns let a question mark pass; here nothing that ends a sentence is part of it.
    let text = text.trim_end_matches(ENDS);
    if packs.clone().any(|pack| pack.terminology.exclusions.is_match(text)) {
        return Terminology::None;
    }
    let asked = packs.clone().find_map(|pack| {
        let captures = pack.terminology.patterns.captures(text)?;
        Some((pack, captures.iter().skip(1).flatten().next()?.as_str()))
    });
    let Some((pack, asked)) = asked else { return Terminology::None };
    if !references(text).is_empty() {
        return Terminology::Offer(None);
    }
    let kept = packs.clone().any(|pack| pack.terminology.kept.is_match(text));
    if !kept && packs.clone().any(|pack| pack.terminology.further.is_match(text)) {
        return Terminology::Offer(pack.terminology.offer(asked, packs));
    }
    match term(asked) {
        empty if empty.is_empty() => Terminology::None,
        term => Terminology::Term(term),
    }
}

impl Rules {
    /// The term inside a question that asks the documents, where what remains would be a question for a meaning.
    fn offer<'p>(&self, asked: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Option<String> {
        let mut rest = asked;
        while let Some(found) = self.around.find(rest) {
            rest = if found.start() == 0 { &rest[found.end()..] } else { &rest[..found.start()] };
        }
        let rest = term(rest);
        if rest.is_empty() || rest.split(' ').count() > LONGEST_OFFER {
            return None;
        }
        let plain = format!("{}{rest}", self.plain);
        let excluded = |pack: &Pack| {
            pack.terminology.exclusions.is_match(&plain) || pack.terminology.further.is_match(&plain)
        };
        let joined =
            packs.clone().any(|pack| pack.reference.and.iter().any(|and| rest.contains(&format!(" {and} "))));
        (!joined && !packs.clone().any(excluded)).then_some(rest)
    }
}

/// A longer phrase is no term that a vocabulary would hold.
const LONGEST_OFFER: usize = 4;

/// What may end a sentence.
pub(super) const ENDS: [char; 6] = ['?', '.', '!', ' ', ',', '…'];

/// The term itself: without quotes, final punctuation and articles.
pub(super) fn term(asked: &str) -> String {
    let mut rest = asked;
    loop {
        let mut next = rest.trim_end_matches(ENDS).trim();
        next = quoted(next).unwrap_or(next);
        next = &next[article_length(next)..];
        if next == rest {
            return rest.to_owned();
        }
        rest = next;
    }
}

/// How much of the text's front is an article.
pub(super) fn article_length(text: &str) -> usize {
    Pack::all().find_map(|pack| pack.terminology.article.find(text)).map_or(0, |article| article.end())
}

fn quoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

#[cfg(test)]
#[path = "terminology_tests.rs"]
mod tests;
