//! Questions to the graph that name no record: what a change of a thing touches, which records lack others, what was decided over time.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Library, Page};
use crate::answer::record::decided;
use crate::decisions::{Reached, Relation};
use crate::domain::{Chunk, Document, DocumentFilter, DocumentId, Kind, Language, Standing};
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::error::AskError;
use crate::intent::{GraphQuery, Question};
use crate::kinds::{GraphAsk, RelationKind};
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::{Hit, Scope};
use crate::records::{list_order, order_by_date};
use crate::text::{distinct_stems, holds, stem, units, words};

/// The answer to a question that names no record; nothing where the documents must be searched for it.
pub(super) async fn of_things(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    library: &Library,
    scope: &Scope,
) -> Result<Option<Page>, AskError> {
    match (query.asks, &query.topic) {
        (GraphAsk::Lacking, _) => Ok(Some(lacking(services, turn, query, library, scope).await)),
        (GraphAsk::Impact, Some(topic)) => {
            impact(services, turn, question, query, topic, library, scope).await
        }
        (GraphAsk::History, Some(topic)) => {
            history(services, turn, question, query, topic, library, scope).await
        }
        _ => Ok(None),
    }
}

/// The records of one kind that no record of the other kind goes with.
async fn lacking(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &GraphQuery,
    library: &Library,
    scope: &Scope,
) -> Page {
    let is_of = |id: &DocumentId, kinds: &[Kind]| {
        library.documents.get(id).is_some_and(|document| kinds.contains(&document.kind))
    };
    // A decision that names a principle goes by it; a principle that names a decision may only take it as an example. A policy names what
    // it lays down.
    let ties = |relation: &&Relation| {
        let used = is_of(&relation.from, &query.lacked) && is_of(&relation.to, &query.kinds);
        let rests = is_of(&relation.from, &query.kinds) && is_of(&relation.to, &query.lacked);
        (used || rests)
            && (relation.kind != RelationKind::Mentions || !is_of(&relation.from, &[Kind::Principle]))
    };
    let tied: BTreeSet<&DocumentId> = library
        .graph
        .relations()
        .iter()
        .filter(ties)
        .flat_map(|relation| [&relation.from, &relation.to])
        .collect();
    let mut of_kind: Vec<&Arc<Document>> =
        library.documents.values().filter(|document| query.kinds.contains(&document.kind)).collect();
    of_kind.sort_by(|a, b| list_order(a, b));
    let all = of_kind.len();
    of_kind.retain(|document| !tied.contains(&document.id));
    let messages = Messages::of(turn.language);
    let kind = |kinds: &[Kind]| kinds.first().copied().unwrap_or(Kind::Document);
    let count = of_kind.len().to_string();
    let all = messages.text(Message::of_kind(kind(&query.kinds)), &[("n", &all.to_string())]);
    let lacked = messages.text(Message::of_kind(kind(&query.lacked)), &[("n", "0")]);
    let mut page = Page::over(services, turn, of_kind.iter().map(|one| one.id.clone()), scope).await;
    let message = if of_kind.is_empty() { Message::GraphLackingNone } else { Message::GraphLacking };
    page.line(messages.text(message, &[("n", &count), ("all", &all), ("lacked", &lacked)]));
    for document in of_kind {
        page.document(document);
    }
    page
}

/// What names a thing, and what rests on that.
async fn impact(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    topic: &str,
    library: &Library,
    scope: &Scope,
) -> Result<Option<Page>, AskError> {
    let filter = DocumentFilter { about: Some(topic.to_owned()), ..DocumentFilter::default() };
    let mut about = services.ports.catalogue.list(&filter, scope).await?;
    about.retain(|document| document.kind != Kind::Dar);
    let ids: BTreeSet<&DocumentId> = about.iter().map(|document| &document.id).collect();
    let resting = library.graph.relations().iter().filter(|relation| {
        query.relations.contains(&relation.kind)
            && ids.contains(&relation.to)
            && !ids.contains(&relation.from)
    });
    let resting: Vec<&Relation> = resting.collect();
    let sources = about.iter().map(|document| document.id.clone());
    let sources = sources.chain(resting.iter().map(|relation| relation.said_in.clone()));
    let mut page = Page::over(services, turn, sources, scope).await;
    let thing = Thing::of(topic, question);
    let named: Vec<(Arc<Document>, String)> = about
        .iter()
        .filter_map(|document| {
            let (sentence, _) = thing.named_in(&page.passages_of(&document.id))?;
            Some((Arc::clone(document), sentence))
        })
        .collect();
    if named.is_empty() {
        return Ok(None);
    }
    let messages = Messages::of(turn.language);
    let (in_force, ended): (Vec<_>, Vec<_>) = named.into_iter().partition(|(document, _)| is_alive(document));
    for (message, documents) in [(Message::GraphImpactNamed, &in_force), (Message::GraphImpactEnded, &ended)]
    {
        if !documents.is_empty() {
            page.line(messages.text(message, &[("topic", topic)]));
        }
        for (document, sentence) in documents {
            page.document_with(document, sentence);
        }
    }
    let mut next: Vec<Reached<'_>> = Vec::new();
    for relation in resting {
        let is_root = in_force.iter().any(|(document, _)| document.id == relation.to);
        if is_root && !next.iter().any(|known| *known.record == relation.from) {
            next.push(Reached { relation, record: &relation.from, steps: 1 });
        }
    }
    next.retain(|one| library.documents.get(one.record).is_some_and(|document| is_alive(document)));
    super::in_order(library, &mut next);
    if !next.is_empty() {
        page.line(messages.text(Message::GraphImpactNext, &[]));
    }
    for one in &next {
        page.reached(turn, library, one, &one.relation.to);
    }
    Ok(Some(page))
}

fn is_alive(document: &Document) -> bool {
    !matches!(document.standing(), Standing::Superseded | Standing::Deprecated | Standing::Rejected)
}

/// A thing that a question is about.
struct Thing<'q> {
    question: &'q Question,
    words: Vec<String>,
}

impl<'q> Thing<'q> {
    fn of(topic: &str, question: &'q Question) -> Self {
        Self { question, words: folded(topic) }
    }

    /// Whether a text says its words in a row.
    fn is_said_in(&self, text: &str) -> bool {
        format!(" {} ", folded(text).join(" ")).contains(&format!(" {} ", self.words.join(" ")))
    }

    /// Whether a text in the question's language holds all of its words.
    fn is_held_by(&self, text: &str, language: Language) -> bool {
        let held = distinct_stems(text, language);
        self.question.language == language
            && self.words.iter().all(|word| holds(&held, &stem(word, language), language))
    }

    /// The first sentence, item or row that names it: by its words in a row, or else by all of them.
    fn named_in<'h>(&self, hits: &'h [Hit]) -> Option<(String, &'h Hit)> {
        let found = |is_it: &dyn Fn(&str, &Hit) -> bool| {
            hits.iter().find_map(|hit| {
                let text = &hit.chunk.text;
                let unit = units(text)
                    .into_iter()
                    .find(|unit| unit.kind.states() && is_it(&text[unit.range.clone()], hit))?;
                Some((text[unit.range].trim().trim_start_matches(['-', '*', '>']).trim().to_owned(), hit))
            })
        };
        found(&|text, _| self.is_said_in(text))
            .or_else(|| found(&|text, hit| self.is_held_by(text, hit.chunk.language)))
    }
}

fn folded(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.folded).collect()
}

/// What was decided on something, the oldest first, with what each decides and what it replaced; where a record decides something else,
/// what it says of it.
async fn history(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    topic: &str,
    library: &Library,
    scope: &Scope,
) -> Result<Option<Page>, AskError> {
    let kinds = if query.kinds.is_empty() { vec![Kind::Adr] } else { query.kinds.clone() };
    let about = Some(topic.to_owned());
    let filter = DocumentFilter { about, kinds, years: query.years, ..DocumentFilter::default() };
    let mut documents = services.ports.catalogue.list(&filter, scope).await?;
    if documents.is_empty() {
        return Ok(None);
    }
    documents.sort_by(|a, b| order_by_date(true, a, b));
    let thing = Thing::of(topic, question);
    let changes: Vec<&Relation> = library.graph.relations().iter().filter(|one| changes(one)).collect();
    let replaced = |document: &Document| {
        changes.iter().copied().filter(|one| one.from == document.id).collect::<Vec<&Relation>>()
    };
    let sources = documents.iter().flat_map(|document| {
        let said = replaced(document).into_iter().map(|one| one.said_in.clone());
        said.chain([document.id.clone()]).collect::<Vec<_>>()
    });
    let mut page = Page::over(services, turn, sources, scope).await;
    let messages = Messages::of(turn.language);
    page.line(messages.text(Message::GraphHistory, &[("topic", topic), ("n", &documents.len().to_string())]));
    for document in &documents {
        page.dated(turn, document);
        let hits = page.passages_of(&document.id);
        let chunks: Vec<&Chunk> = hits.iter().map(|hit| hit.chunk.as_ref()).collect();
        let decision = decided(&chunks, numbers().compose.summary_chars);
        let decision = decision.and_then(|(text, passage)| Some((text, hits.get(passage)?)));
        let names_it = |text: &str| thing.is_said_in(text) || thing.is_held_by(text, document.language);
        let is_named = names_it(&document.title) || decision.as_ref().is_some_and(|(text, _)| names_it(text));
        if let Some((text, hit)) = &decision {
            page.indented(text, hit);
        }
        if let Some((text, hit)) = thing.named_in(&hits).filter(|_| !is_named) {
            page.indented(&text, hit);
        }
        for relation in replaced(document) {
            page.told_below(turn, library, relation);
        }
    }
    Ok(Some(page))
}

fn changes(relation: &Relation) -> bool {
    matches!(relation.kind, RelationKind::Supersedes | RelationKind::Amends)
}
