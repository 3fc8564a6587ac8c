//! The term whose meaning a question asks for.

use super::reference::references;
use crate::domain::Language;
use crate::language::{Pack, TerminologyRules};
use crate::numbers::numbers;

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
    let text = without_tail(text, packs.clone());
    if packs.clone().any(|pack| pack.intent.terminology.exclusions.is_match(text)) {
        return Terminology::None;
    }
    let asked = packs.clone().find_map(|pack| {
        let captures = pack.intent.terminology.patterns.captures(text)?;
        Some((pack, captures.iter().skip(1).flatten().next()?.as_str()))
    });
    let Some((pack, asked)) = asked else { return Terminology::None };
    if !references(text).is_empty() {
        return Terminology::Offer(None);
    }
    let kept = packs.clone().any(|pack| pack.intent.terminology.kept.is_match(text));
    if !kept && packs.clone().any(|pack| pack.intent.terminology.further.is_match(text)) {
        return Terminology::Offer(pack.intent.terminology.offer(asked, packs));
    }
    match term(asked) {
        empty if empty.is_empty() => Terminology::None,
        term => Terminology::Term(term),
    }
}

/// The question without what ends it and asks for nothing: "in one sentence", "according to our vocabulary".
fn without_tail<'t, 'p>(text: &'t str, mut packs: impl Iterator<Item = &'p Pack>) -> &'t str {
    let text = text.trim_end_matches(ENDS);
    let tail = packs.find_map(|pack| pack.intent.terminology.tail.find(text));
    tail.map_or(text, |tail| text[..tail.start()].trim_end_matches(ENDS))
}

/// The two terms that a question sets against each other.
pub(super) fn compared<'p>(text: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Option<[String; 2]> {
    // What is asked about the two stands behind a colon: "small versus large: where is the limit?".
    let text = text.split([':', ';', '?']).next().unwrap_or_default();
    let text = without_tail(text, packs.clone());
    let captures = packs.clone().find_map(|pack| pack.intent.terminology.comparisons.captures(text))?;
    let terms = [term(captures.get(1)?.as_str()), term(captures.get(2)?.as_str())];
    let plain = |term: &String| !term.is_empty() && references(term).is_empty();
    terms.iter().all(plain).then_some(terms)
}

/// The ways to read a term, likeliest first: as asked, without what leads it in, what is quoted of it, without the place
/// where it is used, and each of them as one where it names several. The vocabulary knows which it is.
pub fn term_readings(asked: &str, language: Language) -> Vec<String> {
    let rules = || Pack::by_preference(language).map(|pack| &pack.intent.terminology);
    let mut whole = vec![asked.to_owned()];
    if let Some(lead_in) = rules().find_map(|rules| rules.lead_in.find(asked)) {
        whole.push(term(&asked[lead_in.end()..]));
    }
    if let Some(quoted) = asked.split('"').nth(1) {
        whole.push(term(quoted));
    }
    let place = |reading: &String| {
        let captures = rules().find_map(|rules| rules.place.captures(reading))?;
        Some(term(captures.get(1)?.as_str()))
    };
    let placed: Vec<String> = whole.iter().filter_map(place).collect();
    let mut readings: Vec<String> = Vec::new();
    for reading in whole.into_iter().chain(placed) {
        let one = rules().find_map(|rules| rules.singular(&reading));
        for reading in std::iter::once(reading).chain(one) {
            if !reading.is_empty() && !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

impl TerminologyRules {
    /// One of what the term names several of.
    fn singular(&self, several: &str) -> Option<String> {
        let (many, one) = self.singulars.iter().find(|(many, _)| many.is_match(several))?;
        Some(many.replace(several, one.as_str()).into_owned())
    }

    /// The term inside a question that asks the documents, where what remains would be a question for a meaning.
    fn offer<'p>(&self, asked: &str, packs: impl Iterator<Item = &'p Pack> + Clone) -> Option<String> {
        let mut rest = asked;
        while let Some(found) = self.around.find(rest) {
            rest = if found.start() == 0 { &rest[found.end()..] } else { &rest[..found.start()] };
        }
        let rest = term(rest);
        if rest.is_empty() || rest.split(' ').count() > numbers().intent.longest_term {
            return None;
        }
        let plain = format!("{}{rest}", self.plain);
        let excluded = |pack: &Pack| {
            pack.intent.terminology.exclusions.is_match(&plain)
                || pack.intent.terminology.further.is_match(&plain)
        };
        let joined = packs
            .clone()
            .any(|pack| pack.intent.reference.and.iter().any(|and| rest.contains(&format!(" {and} "))));
        (!joined && !packs.clone().any(excluded)).then_some(rest)
    }
}

/// What may end a sentence.
pub(super) const ENDS: [char; 6] = ['?', '.', '!', ' ', ',', '…'];

/// The term itself: without quotes, final punctuation and articles.
pub(crate) fn term(asked: &str) -> String {
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
    Pack::all().find_map(|pack| pack.intent.terminology.article.find(text)).map_or(0, |article| article.end())
}

fn quoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

#[cfg(test)]
#[path = "terminology_tests.rs"]
mod tests;
