//! What a question asks of the graph of records: what replaced one, what rests on it, what a change would touch.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Match};

use super::facts::policy_in;
use super::learned::Learned;
use super::period::{Period, period_at};
use super::prepared::Prepared;
use super::question::Question;
use super::reference::references;
use crate::domain::{Kind, Reference, Years};
use crate::kinds::{GraphAsk, RelationKind};
use crate::language::{MASK, Pack};
use crate::numbers::numbers;
use crate::text::{AGAINST, ALTERNATIVES, Aspect, FOR, words};

const FILE: &str = include_str!("../../../../assets/learned/relations.tsv");
static LEARNED: LazyLock<Learned> = LazyLock::new(|| Learned::read(FILE));

/// The parts of a record that say nothing of another one.
const PARTS: [&str; 3] = [ALTERNATIVES, FOR, AGAINST];

/// What is asked of the graph of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphQuery {
    /// What is asked.
    pub asks: GraphAsk,
    /// The relations that are asked for; any where there are none.
    pub relations: Vec<RelationKind>,
    /// The records that it is asked of.
    pub references: Vec<Reference>,
    /// What it is asked of where that is no record.
    pub topic: Option<String>,
    /// The kinds of record that are asked for.
    pub kinds: Vec<Kind>,
    /// The kinds that those lack.
    pub lacked: Vec<Kind>,
    /// The years that it is asked of; all where there are none.
    pub years: Option<Years>,
}

/// What a question asks of the graph, where it asks that and nothing else.
pub(super) fn graph<'p>(
    question: &Prepared,
    packs: impl Iterator<Item = &'p Pack> + Clone,
    named: &[Reference],
) -> Option<GraphQuery> {
    let text = question.text();
    let mut found: Vec<(Range<usize>, Reference)> = references(text);
    if found.is_empty() {
        if let Some(query) = packs.clone().find_map(|pack| of_things(question, pack)) {
            return Some(query);
        }
        found.extend(policy_in(question, packs.clone()));
    }
    if found.is_empty() {
        return None;
    }
    let records: Vec<Reference> = if named.is_empty() {
        found.iter().map(|(_, record)| record.clone()).collect()
    } else {
        named.to_vec()
    };
    let mut masked = text.to_owned();
    for (range, _) in found.iter().rev() {
        masked.replace_range(range.clone(), MASK);
    }
    packs.clone().find_map(|pack| of_records(&masked, pack, &records))
}

/// What a question asks of the records that it names by how it is worded, where no grammar knows the wording and no part of a record
/// is asked for.
pub(super) fn worded(question: &Question) -> Option<GraphQuery> {
    let wish = &question.wish;
    let is_of_a_part = |aspect: &Aspect| PARTS.contains(&aspect.name.as_str());
    if question.completed || wish.whole || wish.compare || question.aspects.iter().any(is_of_a_part) {
        return None;
    }
    let judged = LEARNED.judge(question.prepared.text());
    let (class, likely) = judged.into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    if likely < numbers().intent.relation_likely {
        return None;
    }
    let resting = || RelationKind::RESTING.to_vec();
    let records = &question.references;
    let (asks, relations) = match (class, records.len()) {
        ("replaced_by", 1) => (GraphAsk::To, vec![RelationKind::Supersedes]),
        ("replaces", 1) => (GraphAsk::From, vec![RelationKind::Supersedes]),
        ("rests_on_it", 1) => (GraphAsk::To, resting()),
        ("it_rests_on", 1) => (GraphAsk::From, resting()),
        ("impact", 1) => (GraphAsk::Impact, resting()),
        ("between", 2) => (GraphAsk::Between, Vec::new()),
        _ => return None,
    };
    let (kinds, lacked) = (Vec::new(), Vec::new());
    Some(GraphQuery { asks, relations, references: records.clone(), topic: None, kinds, lacked, years: None })
}

/// A question that names records.
fn of_records(masked: &str, pack: &Pack, records: &[Reference]) -> Option<GraphQuery> {
    let rules = &pack.intent.graph;
    for asked in &rules.questions {
        let wanted = if asked.asks == GraphAsk::Between { 2 } else { 1 };
        if records.len() != wanted {
            continue;
        }
        for captures in asked.patterns.all_captures(masked) {
            let Some(found) = whole_of(&captures).filter(|found| found.as_str().contains(MASK)) else {
                continue;
            };
            let mut rest = masked.to_owned();
            rest.replace_range(found.range(), &" ".repeat(found.len()));
            if says_more(&rest, pack) {
                continue;
            }
            return Some(GraphQuery {
                asks: asked.asks,
                relations: asked.relations.clone(),
                references: records.to_vec(),
                topic: None,
                kinds: pack.intent.kinds_in(&masked.replace(MASK, " ")),
                lacked: Vec::new(),
                years: None,
            });
        }
    }
    None
}

/// What a pattern met that asks of records alone.
fn whole_of<'t>(captures: &Captures<'t>) -> Option<Match<'t>> {
    captures.get(0).filter(|_| captures.name("topic").is_none())
}

/// Whether a text asks for more than its idle words do.
fn says_more(rest: &str, pack: &Pack) -> bool {
    let mut left = rest.to_owned();
    for found in pack.intent.graph.idle.find_all(rest) {
        left.replace_range(found.range(), &" ".repeat(found.len()));
    }
    left = left.replace(MASK, " ");
    words(&left).into_iter().any(|word| pack.words.is_content(&word.folded))
}

/// A question that names a thing, or kinds of record only. Its pattern is the whole question.
fn of_things(question: &Prepared, pack: &Pack) -> Option<GraphQuery> {
    let (text, rules) = (question.text(), &pack.intent.graph);
    let is_of_things =
        |asks: GraphAsk| matches!(asks, GraphAsk::Lacking | GraphAsk::Impact | GraphAsk::History);
    for asked in rules.questions.iter().filter(|asked| is_of_things(asked.asks)) {
        for captures in asked.patterns.all_captures(text) {
            let whole = captures.get(0).is_some_and(|found| found.range() == (0..text.len()));
            let named = |name: &str| captures.name(name).map(|found| found.range());
            let kinds_of =
                |name: &str| named(name).map_or_else(Vec::new, |at| pack.intent.kinds_in(&text[at]));
            let topic = named("topic").and_then(|at| question.typed(at));
            let is_topic = topic.as_ref().is_some_and(|topic| {
                let folded = topic.to_lowercase();
                words(topic).iter().any(|word| pack.words.is_content(&word.folded))
                    && !rules.no_topic.is_match(&folded)
            });
            let when = named("when").map(|at| period_at(&text[at], pack));
            let years = match when {
                Some(Some((Period::Years(years), _))) => Some(years),
                Some(_) => continue,
                None => None,
            };
            let query = GraphQuery {
                asks: asked.asks,
                relations: asked.relations.clone(),
                references: Vec::new(),
                topic,
                kinds: kinds_of("of"),
                lacked: kinds_of("to"),
                years,
            };
            let holds = match asked.asks {
                GraphAsk::Lacking => !query.kinds.is_empty() && !query.lacked.is_empty(),
                GraphAsk::Impact | GraphAsk::History => is_topic,
                GraphAsk::To | GraphAsk::From | GraphAsk::Between => false,
            };
            if whole && holds {
                return Some(query);
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
