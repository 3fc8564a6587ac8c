//! What is said of records and is not so: that they hold, and that they stand as they do not.

use std::collections::{BTreeMap, HashMap};

use super::{Opposition, Side, Told, is_in_force};
use crate::decisions::phrases::{STANDING, STOOD};

use crate::decisions::{ContradictionKind, Graph, RelationKind, Sentence};
use crate::domain::{Document, DocumentId, Kind, Language, Standing};
use crate::fold::fold;
use crate::intent::references_in_documents;
use crate::numbers::numbers;

fn has_ended(document: &Document) -> bool {
    matches!(document.standing(), Standing::Superseded | Standing::Deprecated | Standing::Rejected)
}

/// Whether a sentence may tell how a record stands: its own, or one that it names.
pub(super) fn may_tell(text: &str) -> bool {
    own_status(text).is_some()
        || !references_in_documents(text).is_empty()
        || Standing::from_status(text) != Standing::Unknown
}

/// Records in force that rest on one that is not.
pub(super) fn rests_on_ended(told: &[Told], graph: &Graph) -> Vec<Opposition> {
    let by_id: BTreeMap<&DocumentId, &Told> = told.iter().map(|one| (&one.document.id, one)).collect();
    let mut found = Vec::new();
    let resting = graph.relations().iter().filter(|one| {
        matches!(one.kind, RelationKind::DependsOn | RelationKind::Refines | RelationKind::Implements)
            && one.said_in == one.from
    });
    for relation in resting {
        let (Some(from), Some(to)) = (by_id.get(&relation.from), by_id.get(&relation.to)) else { continue };
        if !is_in_force(&from.document) || !has_ended(&to.document) {
            continue;
        }
        // Who replaces a record tells what it was.
        let replaced = graph.to(&relation.to).find(|one| one.kind == RelationKind::Supersedes);
        if replaced.is_some_and(|one| one.from == relation.from) {
            continue;
        }
        let (ended, by) = match replaced {
            Some(one) => (
                Side {
                    document: one.said_in.clone(),
                    sentence: sentence(told, &one.said_in, &one.sentence, one.line),
                },
                one.sentence.clone(),
            ),
            None => (status_of(to), to.document.status.clone().unwrap_or_default()),
        };
        let first = Side {
            document: relation.from.clone(),
            sentence: sentence(told, &relation.from, &relation.sentence, relation.line),
        };
        let words = (to.document.reference(), by);
        found.push(Opposition::new(ContradictionKind::RestsOnSuperseded, first, ended, words));
    }
    found
}

fn sentence(told: &[Told], document: &DocumentId, text: &str, line: u32) -> Sentence {
    let of = told.iter().find(|one| one.document.id == *document);
    let near = of.and_then(|one| one.sentences.iter().rfind(|known| known.line <= line));
    let heading = near.map_or_else(String::new, |known| known.heading.clone());
    Sentence { text: text.to_owned(), heading, line }
}

/// Where a document says how it stands, or its status where no sentence does.
fn status_of(told: &Told) -> Side {
    let status = told.document.status.clone().unwrap_or_default();
    let says = |one: &&Sentence| one.text.contains(status.as_str()) && !status.is_empty();
    let sentence = told.sentences.iter().find(says).cloned();
    let sentence = sentence.unwrap_or(Sentence { text: status, heading: String::new(), line: 1 });
    Side { document: told.document.id.clone(), sentence }
}

/// Sentences that say of a record that it stands as it does not: of another, or of the one that they stand in.
pub(super) fn status_disagrees(told: &[Told]) -> Vec<Opposition> {
    let mut numbered: HashMap<(&str, Kind, u32), Vec<&Told>> = HashMap::new();
    for one in told {
        if let Some(number) = one.document.number {
            let key = (one.document.source.as_str(), one.document.kind, number);
            numbered.entry(key).or_default().push(one);
        }
    }
    let mut found = Vec::new();
    for one in told {
        for sentence in &one.sentences {
            let here = Side { document: one.document.id.clone(), sentence: sentence.clone() };
            let mut add = |of: &Told, said: String| {
                let words = (said, of.document.status.clone().unwrap_or_default());
                let second = status_of(of);
                if second != here {
                    let kind = ContradictionKind::StatusDisagrees;
                    found.push(Opposition::new(kind, here.clone(), second, words));
                }
            };
            if let Some(said) = own_status(&sentence.text).filter(|said| disagree(&one.document, said)) {
                add(one, said);
            }
            if !sentence.text.contains(|c: char| c.is_ascii_digit()) {
                continue;
            }
            for (range, reference) in references_in_documents(&sentence.text) {
                let Some(number) = reference.number else { continue };
                let of = numbered.get(&(one.document.source.as_str(), reference.kind, number));
                let Some([of]) = of.map(Vec::as_slice) else { continue };
                let said = told_standing(&sentence.text[range.end..]);
                if let Some(said) = said.filter(|said| disagree(&of.document, said)) {
                    add(of, said);
                }
            }
        }
    }
    found
}

/// A status that a line of the text gives to its own document: "Status: proposed".
fn own_status(text: &str) -> Option<String> {
    let (label, value) = text.split_once(':')?;
    let label = fold(label.trim_start_matches(|c: char| !c.is_alphabetic()));
    let is_label = Language::all().any(|language| language.documents().labels.status.contains(&label));
    let short = value.split_whitespace().count() <= 12;
    (is_label && short).then(|| value.trim().to_owned())
}

/// The standing that is told right behind a record's name: " has been deprecated".
fn told_standing(behind: &str) -> Option<String> {
    let end = behind
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= numbers().contradictions.standing_reach)
        .unwrap_or(behind.len());
    let near = behind[..end].split(['.', ';', '!']).next().unwrap_or_default();
    let words_behind = |verb: std::ops::Range<usize>| {
        let told: Vec<&str> =
            near[verb.end..].split_whitespace().take(numbers().contradictions.standing_words).collect();
        told.join(" ").trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
    };
    let stands = STANDING.in_text(near).next();
    let stood = STOOD.in_text(near).next();
    match (stands, stood) {
        (Some(stands), Some(stood)) if stood.start < stands.start => {
            Some(words_behind(stood)).filter(|told| ended(told))
        }
        (Some(stands), _) => Some(words_behind(stands)),
        (None, Some(stood)) => Some(words_behind(stood)).filter(|told| ended(told)),
        (None, None) => None,
    }
    .filter(|told| !told.is_empty())
}

/// Whether a record that was told to be so once is no longer in force: what was accepted may be replaced by now.
fn ended(told: &str) -> bool {
    matches!(Standing::from_status(told), Standing::Superseded | Standing::Deprecated | Standing::Rejected)
}

/// Whether a record stands otherwise than is said: in force or not, decided or not.
fn disagree(document: &Document, said: &str) -> bool {
    #[derive(PartialEq)]
    enum Side {
        InForce,
        Open,
        Ended,
    }
    let side = |standing| match standing {
        Standing::InForce => Some(Side::InForce),
        Standing::Proposed => Some(Side::Open),
        Standing::Superseded | Standing::Deprecated | Standing::Rejected => Some(Side::Ended),
        Standing::Unknown => None,
    };
    match (side(Standing::from_status(said)), side(document.standing())) {
        (Some(said), Some(own)) => said != own,
        _ => false,
    }
}
