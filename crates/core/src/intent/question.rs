//! A question, read once: everything that later stages want to know of its words.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::form::Form;
use super::prepared::Prepared;
use super::quantity::Quantity;
use super::reference::{distinct, found_in};
use super::wish::Wish;
use super::{about, follow_up, named_kinds};
use crate::domain::{Chunk, Kind, Language, Reference};
use crate::language::fixed;
use crate::numbers::numbers;
use crate::request::ChatMessage;
use crate::text::{Aspect, WordList, content_stems, detect, distinct_stems, holds, stem, words};

/// Text between quotes of one kind.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| fixed(r#"["“”„«]([^"“”„«»]{2,200})["”“»]"#));

/// A question as every stage reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question, completed from the conversation where it is a follow-up, and as typed where it is not.
    pub text: String,
    /// Whether it was completed.
    pub completed: bool,
    /// The language it is asked in, or the expected one where its words do not tell.
    pub language: Language,
    /// Whether its words tell: a bare name or code belongs to no language.
    pub language_is_known: bool,
    /// Every document it names, once.
    pub references: Vec<Reference>,
    /// The documents that the conversation was about, where it adds to that and names none.
    pub recalled: Vec<Reference>,
    /// The kinds of document that it names.
    pub kinds: Vec<Kind>,
    /// Its distinct content words, folded, without references.
    pub words: Vec<String>,
    /// The weight of each word by idf; 1 until the index has spoken.
    pub weights: Vec<f32>,
    /// Those of its words that the library writes as names, and in few passages; none until the index has spoken.
    pub names: Vec<String>,
    /// The parts of a record that it asks for.
    pub aspects: Vec<Aspect>,
    /// What it wishes beside its subject.
    pub wish: Wish,
    /// What it is likely to wish for by how it is worded.
    pub form: Form,
    /// Its text without courtesy and without what only wishes: what is searched for.
    pub subject: String,
    /// What it puts in quotes.
    pub quoted: Vec<String>,
    /// The quantity that it asks for.
    pub quantity: Option<Quantity>,
    /// Whether it asks for something that it does not name: not "is it so?", nor "this or that?".
    pub is_open: bool,
    /// What it asks about the assistant itself.
    pub(super) about: Option<about::Asked>,
    /// As patterns meet it.
    pub(super) prepared: Prepared,
}

impl Question {
    /// Reads a question that stands by itself; `expected` is its language where its words do not tell.
    pub fn read(text: &str, expected: Language) -> Self {
        Self::in_conversation(text, &[], expected)
    }

    /// Reads a question with what the conversation before it leaves unsaid.
    pub fn in_conversation(typed: &str, history: &[ChatMessage], expected: Language) -> Self {
        let detected = detect(typed);
        let language = detected.unwrap_or(expected);
        let in_conversation = !history.is_empty();
        let mut prepared = Prepared::read_complete(typed, language);
        let mut about = about::about(&prepared, language, in_conversation);
        let to_assistant = about.is_some();
        let resolved = if to_assistant { None } else { follow_up::resolve(typed, history, language) };
        let completed = resolved.is_some();
        let text = resolved.as_ref().map_or(typed, |resolved| &resolved.query).to_owned();
        if completed {
            prepared = Prepared::read_complete(&text, language);
            about = about::about(&prepared, language, in_conversation);
        }
        let (_, folded) = prepared.whole();
        let named = found_in(&text, folded);
        let form = Form::of(&text);
        let (mut wish, mut wishing) = Wish::read(&text, folded, language);
        wish.several |= form.several >= numbers().intent.several_likely;
        let behind = prepared.asked_until()..text.len();
        // A question mark alone stays: it tells the embedder that something is asked.
        if text[behind.clone()].contains(char::is_alphanumeric) {
            wishing.push(behind);
        }
        let records: Vec<Range<usize>> = named.iter().map(|(range, _)| range.clone()).collect();
        wishing.extend(told_before(&text, &records, &wishing, language));
        let words = content_words(&text, records.into_iter().chain(wishing.iter().cloned()), language);
        wishing.push(0..prepared.courtesy(language));
        let resolved_to = resolved.as_ref().map_or(0, |resolved| resolved.references.len());
        let recalled = match to_assistant || resolved_to > 0 || !named.is_empty() {
            true => Vec::new(),
            false => follow_up::recalled(typed, history, language),
        };
        let aspects = Aspect::of_question(&text, language);
        let aspects = if aspects.is_empty() && words.is_empty() {
            Aspect::default_for(language).into_iter().collect()
        } else {
            aspects
        };
        Self {
            completed,
            language,
            language_is_known: detected.is_some(),
            references: match resolved {
                _ if to_assistant => Vec::new(),
                Some(resolved) => resolved.references,
                None => distinct(named),
            },
            recalled,
            kinds: if to_assistant { Vec::new() } else { named_kinds(prepared.text()) },
            weights: vec![1.0; words.len()],
            names: Vec::new(),
            // One word says too little to be searched for without the others.
            subject: if words.len() > 1 { without(&text, &wishing) } else { text.clone() },
            words,
            aspects,
            wish,
            form,
            quoted: quoted(&text),
            quantity: Quantity::asked_by(&text, language),
            is_open: is_open(&text, language),
            about,
            prepared,
            text,
        }
    }

    /// The stems of its content words, as its own language makes them.
    pub fn stems(&self) -> Vec<String> {
        self.stems_as(self.language)
    }

    fn stems_as(&self, language: Language) -> Vec<String> {
        self.words.iter().map(|word| stem(word, language)).collect()
    }

    /// It asked about the record that the conversation was about last; none where it names one itself.
    pub(crate) fn carried_on(&self, history: &[ChatMessage]) -> Option<Self> {
        if self.completed || !self.references.is_empty() {
            return None;
        }
        let text = follow_up::carried_on(&self.text, history)?;
        Some(Self { completed: true, ..Self::read(&text, self.language) })
    }

    /// Whether a chunk is in another language than the question, so that shared words say nothing.
    pub fn is_foreign(&self, chunk: &Chunk) -> bool {
        self.language_is_known && chunk.language != self.language
    }

    /// Whether a chunk holds one of the names: they are the same in every language.
    pub fn names_something_of(&self, chunk: &Chunk) -> bool {
        !self.names.is_empty() && {
            let held = stems_of(chunk);
            self.names.iter().any(|name| held.contains(&stem(name, chunk.language)))
        }
    }

    /// Its content words that ask for no part of a record: what it is about.
    pub fn topic(&self) -> Vec<&str> {
        let stems = self.stems();
        let asks_for_part = |stem: &String| self.aspects.iter().any(|aspect| aspect.stems.contains(stem));
        let about = self.words.iter().zip(&stems).filter(|(_, stem)| !asks_for_part(stem));
        about.map(|(word, _)| word.as_str()).collect()
    }

    /// Whether it has a content word at all.
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether a text says no more than the question did.
    pub fn is_echoed_by(&self, text: &str) -> bool {
        let own = distinct_stems(&self.text, self.language);
        content_stems(text, self.language).iter().all(|stem| own.contains(stem))
    }

    /// Whether a text leaves out the number that is asked for.
    pub fn is_evaded_by(&self, text: &str) -> bool {
        self.quantity.is_some_and(|quantity| !quantity.is_given_by(text))
    }

    /// The share of its content words that a chunk holds in text, title or section path, weighted by idf. Words of
    /// another language prove nothing.
    pub fn covered_by(&self, chunk: &Chunk) -> f64 {
        if self.is_foreign(chunk) {
            return 0.0;
        }
        let held = stems_of(chunk);
        // In 64 bits: 7 of 10 words must reach a threshold of 0.7.
        let weight = |weight: &f32| f64::from(*weight);
        let total: f64 = self.weights.iter().map(weight).sum();
        if total <= 0.0 {
            return 0.0;
        }
        let stems = self.stems_as(chunk.language);
        let held_weights =
            stems.iter().zip(&self.weights).filter(|(stem, _)| holds(&held, stem, chunk.language));
        held_weights.map(|(_, held)| weight(held)).sum::<f64>() / total
    }

    /// Its content words that none of the chunks hold, and the share that they do hold together.
    pub fn coverage<'c>(&self, chunks: impl Iterator<Item = &'c Chunk>) -> (f64, Vec<String>) {
        let held: Vec<(Language, HashSet<String>)> = chunks
            .filter(|chunk| !self.is_foreign(chunk))
            .map(|chunk| (chunk.language, stems_of(chunk)))
            .collect();
        let is_held = |word: &String| {
            held.iter().any(|(language, stems)| holds(stems, &stem(word, *language), *language))
        };
        let missing: Vec<String> = self.words.iter().filter(|word| !is_held(word)).cloned().collect();
        let held = self.words.len() - missing.len();
        // Not 1 - missing / all: for one word of five that falls short of 0.2.
        let share = if self.words.is_empty() { 1.0 } else { held as f64 / self.words.len() as f64 };
        (share, missing)
    }

    /// Which of its words a text holds.
    pub(crate) fn covered(&self, text: &str, language: Language) -> HashSet<usize> {
        let held = distinct_stems(text, language);
        self.stems_as(language)
            .iter()
            .enumerate()
            .filter(|(_, stem)| holds(&held, stem, language))
            .map(|(at, _)| at)
            .collect()
    }

    /// Which of its words a chunk holds in text, title or section path. Across languages those are names, and words that both have.
    pub(crate) fn held_by(&self, chunk: &Chunk) -> HashSet<usize> {
        let held = stems_of(chunk);
        let stems = self.stems_as(chunk.language);
        (0..stems.len()).filter(|at| holds(&held, &stems[*at], chunk.language)).collect()
    }

    /// Which of its words a chunk answers to by what stands above its text.
    pub(crate) fn covered_above(&self, chunk: &Chunk) -> HashSet<usize> {
        let mut covered = self.covered(&above(chunk), chunk.language);
        let own = self.stems();
        for aspect in self.aspects.iter().filter(|aspect| is_under(chunk, aspect)) {
            covered.extend((0..self.words.len()).filter(|at| aspect.stems.contains(&own[*at])));
        }
        covered
    }

    /// Whether a chunk stands in a part of a record that is asked for.
    pub(crate) fn asks_for_section_of(&self, chunk: &Chunk) -> bool {
        self.aspects.iter().any(|aspect| is_under(chunk, aspect))
    }

    /// What some of its words weigh together.
    pub(crate) fn weigh(&self, words: impl Iterator<Item = usize>) -> f64 {
        words.map(|at| f64::from(self.weights.get(at).copied().unwrap_or(1.0))).sum()
    }

    /// Their share of all by weight.
    pub(crate) fn share(&self, covered: &HashSet<usize>) -> f64 {
        let total = self.weigh(0..self.words.len());
        if total <= 0.0 { 1.0 } else { self.weigh(covered.iter().copied()) / total }
    }
}

/// The distinct content words of a question, without the records that it names and what it only wishes.
fn content_words(text: &str, without: impl Iterator<Item = Range<usize>>, language: Language) -> Vec<String> {
    let rest = blanked(text, without);
    let list = WordList::of(language);
    let mut seen = HashSet::new();
    words(&rest)
        .into_iter()
        .map(|word| word.folded)
        .filter(|word| {
            list.is_content(word) && (word.chars().count() > 1 || word.bytes().all(|b| b.is_ascii_digit()))
        })
        .filter(|word| seen.insert(stem(word, language)))
        .collect()
}

/// What is only told of the records that a sentence names, where the next one wishes something of them and has no subject of its own:
/// "People mix up ADR 12 and ADR 13. What is the difference?"
fn told_before(
    text: &str,
    records: &[Range<usize>],
    wishing: &[Range<usize>],
    language: Language,
) -> Option<Range<usize>> {
    let asked_from = [". ", "! ", "… "].iter().filter_map(|end| Some(text.rfind(end)? + end.len())).max()?;
    let is_told = |range: &Range<usize>| range.end <= asked_from;
    let wishes = wishing.iter().any(|range| range.start >= asked_from);
    let has_subject =
        !content_words(&blanked(text, wishing.iter().cloned())[asked_from..], std::iter::empty(), language)
            .is_empty();
    (wishes && !has_subject && !records.is_empty() && records.iter().all(is_told)).then_some(0..asked_from)
}

/// A question without what says nothing of its subject: courtesy in front, and what it only wishes.
fn without(text: &str, idle: &[Range<usize>]) -> String {
    let rest = blanked(text, idle.iter().cloned());
    let words: Vec<&str> =
        rest.split_whitespace().filter(|part| part.contains(char::is_alphanumeric)).collect();
    words.join(" ")
}

/// A text with spaces where these ranges stand, so that every other place keeps its number.
fn blanked(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let mut rest = text.to_owned();
    for range in ranges {
        let length = range.len();
        rest.replace_range(range, &" ".repeat(length));
    }
    rest
}

/// What stands in quotes: a title, a term, words of a document.
fn quoted(text: &str) -> Vec<String> {
    QUOTED.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str().trim().to_owned())).collect()
}

fn is_open(text: &str, language: Language) -> bool {
    let list = WordList::of(language);
    let asked = words(text);
    asked.iter().any(|word| list.question.contains(&word.folded))
        && !asked.iter().any(|word| list.or.contains(&word.folded))
}

/// What stands above a chunk's text: its document's title and the headings.
fn above(chunk: &Chunk) -> String {
    format!("{} {}", chunk.document.title, chunk.section_path.join(" "))
}

fn is_under(chunk: &Chunk, aspect: &Aspect) -> bool {
    chunk.section_path.iter().any(|section| aspect.is_in_section(section))
}

fn stems_of(chunk: &Chunk) -> HashSet<String> {
    let mut held = distinct_stems(&above(chunk), chunk.language);
    held.extend(distinct_stems(&chunk.text, chunk.language));
    held
}
