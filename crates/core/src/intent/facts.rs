//! The fields of records that a question asks for.

use std::ops::Range;

use super::prepared::Prepared;
use super::reference::{bare_number, references};
use crate::domain::{FactField, Kind, Reference};
use crate::language::{MASK, Pack, Patterns};
use crate::text::{WordList, without_marks, words};

/// Fields of records that are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FactQuery {
    /// The records that are named by number, id or file.
    pub references: Vec<Reference>,
    /// The fields, in the order of the question.
    pub fields: Vec<FactField>,
    /// What else the question says. These must be words of the record's title, or more than its fields is asked.
    pub title: Vec<String>,
}

/// The fields that a question asks for, of the records it refers to or of a policy that it names.
pub(super) fn fact<'p>(
    question: &Prepared,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<FactQuery> {
    let is_sure = |query: &FactQuery| query.title.is_empty();
    whole(question, packs.clone(), named)
        .or_else(|| if named.is_empty() { None } else { decorated(question, packs, named).filter(is_sure) })
}

/// The fields that a question asks for if what else it says is the name of a record.
pub(super) fn fact_if_named<'p>(
    question: &Prepared,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<FactQuery> {
    decorated(question, packs, named)
}

/// A question for one field of one record, and for nothing else.
fn whole<'p>(
    question: &Prepared,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<FactQuery> {
    let text = question.text();
    let (range, reference) = match named {
        [] => policy_in(question, packs.clone())?,
        [reference] => {
            let named = references(text).into_iter().next();
            (named.or_else(|| policy_in(question, packs.clone()))?.0, reference.clone())
        }
        _ => return None,
    };
    let (front, back) = (&text[..range.start], &text[range.end..]);
    let articles = packs.clone().flat_map(|pack| &pack.intent.facts.before);
    let front = articles
        .filter_map(|article| front.strip_suffix(' ')?.strip_suffix(article.as_str()))
        .find(|front| front.is_empty() || front.ends_with(' '))
        .unwrap_or(front);
    let masked = format!("{front}{MASK}{back}");
    let mut fields = packs.clone().flat_map(|pack| &pack.intent.facts.fields);
    let field = fields.find(|rules| rules.whole.is_match(&masked))?.field;
    Some(FactQuery { references: vec![reference], fields: vec![field], title: Vec::new() })
}

/// A question for fields with more words around: what else a record is called, and words that say nothing.
fn decorated<'p>(
    question: &Prepared,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<FactQuery> {
    let mut ranges: Vec<Range<usize>> =
        references(question.text()).into_iter().map(|(range, _)| range).collect();
    let mut records = named.to_vec();
    if ranges.is_empty()
        && let Some((range, record)) =
            policy_in(question, packs.clone()).or_else(|| bare_number(question.text()))
    {
        ranges.push(range);
        if named.is_empty() {
            records.push(record);
        }
    }
    let mut text = question.text().to_owned();
    for range in ranges.into_iter().rev() {
        text.replace_range(range, MASK);
    }
    let packs: Vec<&Pack> = packs.collect();
    let read: Vec<FactQuery> = packs.iter().filter_map(|pack| fields_in(&text, &[pack], &records)).collect();
    if let Some(plain) = read.iter().find(|query| query.title.is_empty()) {
        return Some(plain.clone());
    }
    // Words of two languages in one question say nothing to either of them.
    let mixed = || fields_in(&text, &packs, &records).filter(|query| query.title.is_empty());
    let mixed = if records.is_empty() { None } else { mixed() };
    mixed.or_else(|| read.into_iter().next())
}

/// The fields that a text asks for in which the records are masked, in words of these languages.
fn fields_in(text: &str, packs: &[&Pack], records: &[Reference]) -> Option<FactQuery> {
    let rules = || packs.iter().map(|pack| &pack.intent.facts);
    let mut query = FactQuery { references: records.to_vec(), ..FactQuery::default() };
    let asked = |text: &str| -> Vec<(usize, FactField)> {
        let fields = rules().flat_map(|rules| &rules.fields);
        fields.filter_map(|rules| Some((rules.asked.find(text)?.start(), rules.field))).collect()
    };
    let mut fields = asked(text);
    fields.sort_by_key(|(at, _)| *at);
    for (_, field) in fields {
        if !query.fields.contains(&field) {
            query.fields.push(field);
        }
    }
    let related = |field: &FactField| matches!(field, FactField::Supersedes | FactField::SupersededBy);
    if query.fields.is_empty() || (query.references.len() > 1 && query.fields.iter().any(related)) {
        return None;
    }
    // An apposition that asks for a field is none: "ADR 12 (status)".
    let mut rest = text.to_owned();
    for rules in rules() {
        rest = without(&rest, &rules.appositions, |apposition| asked(apposition).is_empty());
    }
    for rules in rules() {
        let idle = if query.references.is_empty() { &rules.idle } else { &rules.idle_of_numbered };
        rest = without(&rest, idle, |_| true);
    }
    let rest = rest.replace(MASK, " ");
    let left = words(&rest);
    if left.iter().any(|word| WordList::any(|list| list.question.contains(&word.folded))) {
        return None;
    }
    let says = |word: &String| packs.iter().all(|pack| pack.words.is_content(word));
    query.title = left.into_iter().map(|word| word.folded).filter(says).collect();
    query.title.sort();
    query.title.dedup();
    (!query.references.is_empty() || !query.title.is_empty()).then_some(query)
}

/// A text without what these patterns meet, where that is to go.
fn without(text: &str, patterns: &Patterns, drop: impl Fn(&str) -> bool) -> String {
    let mut rest = text.to_owned();
    for found in patterns.find_all(text).filter(|found| drop(found.as_str())) {
        rest.replace_range(found.range(), &" ".repeat(found.len()));
    }
    rest
}

/// A policy that a question names by its subject, and where: "the data retention policy".
pub(super) fn policy_in<'p>(
    question: &Prepared,
    mut packs: impl Iterator<Item = &'p Pack>,
) -> Option<(Range<usize>, Reference)> {
    let text = question.text();
    packs.find_map(|pack| {
        pack.intent.facts.policy.all_captures(text).find_map(|captures| {
            let (whole, name) = (captures.get(0)?, captures.name("name")?);
            let skipped = last_word_end(name.as_str(), &pack.intent.facts.policy_after);
            let slug = slug(&name.as_str()[skipped..]);
            let start = if name.start() == whole.start() { name.start() + skipped } else { whole.start() };
            let start = start + text[start..].len() - text[start..].trim_start().len();
            let written = question.typed(start..whole.end())?;
            let reference = Reference { kind: Kind::Policy, number: None, name: Some(slug), written };
            (!reference.name.as_deref().unwrap_or_default().is_empty())
                .then_some((start..whole.end(), reference))
        })
    })
}

/// Where the last of these words ends in the text; 0 where there is none.
fn last_word_end(text: &str, words: &[String]) -> usize {
    let mut end = 0;
    let mut at = 0;
    for word in text.split(' ') {
        at += word.len();
        if words.iter().any(|w| w == word) {
            end = at;
        }
        at += 1;
    }
    end
}

fn slug(name: &str) -> String {
    let plain = without_marks(name);
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
