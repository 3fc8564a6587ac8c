//! Documents that a question names by their titles.

use std::collections::HashSet;

use crate::domain::{Document, Kind};
use crate::intent::{Question, named_kinds, term};
use crate::numbers::numbers;
use crate::text::{content_stems, distinct_stems, fold, stem};

/// The documents whose title a question quotes, in whole before in part. An approval record goes by the title of what it approves
/// and is never meant by it.
pub(crate) fn quoted_titles<D: AsRef<Document> + Clone>(question: &Question, documents: &[D]) -> Vec<D> {
    let of = |holds: fn(&Question, &Document) -> bool| -> Vec<D> {
        let named = documents.iter().filter(|document| has_own_title(document.as_ref()));
        named.filter(|document| holds(question, document.as_ref())).cloned().collect()
    };
    let whole = of(is_quoted);
    if whole.is_empty() { of(is_quoted_in_part) } else { whole }
}

/// The documents that a question for a document, or a part of one, is about: all of its topic stands in their title. Those
/// whose title holds nothing else go before the others. What else is asked about the words of a title is for the search to find.
pub(crate) fn titled<D: AsRef<Document> + Clone>(question: &Question, documents: &[D]) -> Vec<D> {
    let for_a_record = question.wish.is_for_a_record() || question.wish.show || !question.aspects.is_empty();
    let named: Vec<(D, bool)> = documents
        .iter()
        .filter(|document| has_own_title(document.as_ref()))
        .filter_map(|document| {
            let (topic, title) = (topic_of(question, document.as_ref()), title_of(document.as_ref()));
            let is_title = is_only(&question.text, &document.as_ref().title);
            let is_meant = is_title || (for_a_record && !topic.is_empty() && topic.is_subset(&title));
            is_meant.then(|| (document.clone(), topic == title))
        })
        .collect();
    let any_whole = named.iter().any(|(_, whole)| *whole);
    named.into_iter().filter(|(_, whole)| *whole == any_whole).map(|(document, _)| document).collect()
}

/// Whether a text is a title and nothing else, with or without an article and the kind of document: that asks for it.
fn is_only(text: &str, title: &str) -> bool {
    let (text, title) = (bare(text), bare(title));
    !title.is_empty() && text == title
}

/// Without what goes before a title or behind it: "the principle Open by default", "the data retention policy".
fn bare(text: &str) -> String {
    let folded = term(&fold(text));
    let mut words: Vec<&str> = folded.split(' ').collect();
    let is_kind = |word: &&str| !named_kinds(word).is_empty();
    if words.first().is_some_and(is_kind) {
        words.remove(0);
    }
    if words.last().is_some_and(is_kind) {
        words.pop();
    }
    term(&words.join(" "))
}

fn has_own_title(document: &Document) -> bool {
    !matches!(document.kind, Kind::Dar | Kind::Vocabulary)
}

fn is_quoted(question: &Question, document: &Document) -> bool {
    let title = title_of(document);
    let holds = |quoted: &String| {
        let stems: HashSet<String> =
            distinct_stems(quoted, document.language).iter().map(|stem| joined(stem)).collect();
        fold(quoted) == fold(&document.title) || (!title.is_empty() && title.is_subset(&stems))
    };
    question.quoted.iter().any(holds)
}

fn is_quoted_in_part(question: &Question, document: &Document) -> bool {
    let title = fold(&document.title);
    let holds = |quoted: &String| {
        let quoted = fold(quoted);
        quoted.split(' ').count() >= numbers().intent.title_words && title.contains(quoted.as_str())
    };
    question.quoted.iter().any(holds)
}

fn title_of(document: &Document) -> HashSet<String> {
    content_stems(&document.title, document.language).iter().map(|stem| joined(stem)).collect()
}

/// What a question is about, without the kind of document that it asks for: "the decision about messages" is about messages.
fn topic_of(question: &Question, document: &Document) -> HashSet<String> {
    let subject = question.topic().into_iter().filter(|word| named_kinds(word).is_empty());
    subject.map(|word| joined(&stem(word, document.language))).collect()
}

/// "E-mail" and "email" are one word.
fn joined(stem: &str) -> String {
    stem.replace('-', "")
}

#[cfg(test)]
#[path = "titles_tests.rs"]
mod tests;
