//! Documents that a question names by their titles.

use std::collections::HashSet;

use crate::domain::{Document, Kind};
use crate::intent::Question;
use crate::numbers::numbers;
use crate::text::{content_stems, distinct_stems, fold, stem};

/// How a title is named, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    /// All that the question is about stands in the title.
    Topic,
    /// And it is all of the title.
    Whole,
    /// A part of the title is quoted.
    QuotedPart,
    /// The title is quoted.
    Quoted,
}

/// The documents that a question names by title: one where the title leaves no doubt, several where it fits them alike. An
/// approval record goes by the title of what it approves and is never meant by it.
pub(crate) fn titled<D: AsRef<Document> + Clone>(question: &Question, documents: &[D]) -> Vec<D> {
    let named: Vec<(Naming, &D)> = documents
        .iter()
        .filter(|document| !matches!(document.as_ref().kind, Kind::Dar | Kind::Vocabulary))
        .filter_map(|document| Some((naming(question, document.as_ref())?, document)))
        .collect();
    let Some(surest) = named.iter().map(|(naming, _)| *naming).max() else { return Vec::new() };
    named.into_iter().filter(|(naming, _)| *naming == surest).map(|(_, document)| document.clone()).collect()
}

fn naming(question: &Question, document: &Document) -> Option<Naming> {
    let title = fold(&document.title);
    let stems: HashSet<String> =
        content_stems(&document.title, document.language).iter().map(|stem| joined(stem)).collect();
    if stems.is_empty() {
        return None;
    }
    let quoted = question.quoted.iter().filter_map(|quoted| {
        let quoted_stems = distinct_stems(quoted, document.language);
        let folded = fold(quoted);
        if folded == title || stems.is_subset(&quoted_stems) {
            Some(Naming::Quoted)
        } else {
            let several = folded.split(' ').count() >= numbers().intent.title_words;
            (several && title.contains(folded.as_str())).then_some(Naming::QuotedPart)
        }
    });
    quoted.max().or_else(|| unquoted(question, document, &stems))
}

/// "E-mail" and "email" are one word.
fn joined(stem: &str) -> String {
    stem.replace('-', "")
}

/// Without quotes a title names a document only to a question for the document or a part of it, and for nothing else: what
/// else is asked about the words of a title is for the search to find, and for the gates to doubt.
fn unquoted(question: &Question, document: &Document, title: &HashSet<String>) -> Option<Naming> {
    let topic: HashSet<String> =
        question.topic().into_iter().map(|word| joined(&stem(word, document.language))).collect();
    let asks_for_part = question.wish.is_for_a_record() || !question.aspects.is_empty();
    if !asks_for_part || topic.is_empty() {
        None
    } else if topic == *title {
        Some(Naming::Whole)
    } else {
        topic.is_subset(title).then_some(Naming::Topic)
    }
}

#[cfg(test)]
#[path = "titles_tests.rs"]
mod tests;
