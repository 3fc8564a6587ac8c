//! The graph path: what records say of one another, complete and in order, with the sentences that say so. No model takes part.

mod page;
mod things;

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_telemetry::{Route, names};

pub(super) use self::page::Page;
use super::blank::blank;
use super::clarify::which_document;
use super::fact::meant;
use super::reason::Outcome;
use super::refuse::{did_you_mean, no_such_record, refuse};
use super::services::Services;
use super::standing::show_with_standing;
use super::step::{OrEnd, Step, respond};
use super::turn::Turn;
use crate::answer::record::{beside_answer, is_why};
use crate::decisions::{Graph, Reached};
use crate::domain::{Chunk, Document, DocumentFilter, DocumentId};
use crate::error::AskError;
use crate::intent::{GraphQuery, Question};
use crate::kinds::{GraphAsk, RelationKind};
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::records::list_order;
use crate::refusal::RefusalFacts;
use crate::response::{Action, AskResponse, RefusalReason, Stage};

/// The documents of a library by their ids, and what they say of one another.
pub(super) struct Library {
    pub documents: BTreeMap<DocumentId, Arc<Document>>,
    pub graph: Graph,
}

impl Library {
    /// What a user may see.
    pub async fn of(services: &Services, scope: &Scope) -> Result<Self, AskError> {
        let graph = services.ports.catalogue.graph(scope).await?;
        let listed = services.ports.catalogue.list(&DocumentFilter::default(), scope).await?;
        let documents = listed.into_iter().map(|document| (document.id.clone(), document)).collect();
        Ok(Self { documents, graph })
    }
}

/// Ends the question where the graph answers it; else the records whose own words are to be searched.
pub(super) async fn graph(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    scope: &Scope,
) -> Step<Vec<Arc<Document>>> {
    turn.destination("catalogue");
    turn.context.set_route(Route::Direct);
    let started = turn.begin(Stage::Catalogue);
    let library = Library::of(services, scope).await.or_end()?;
    let records = asked_of(services, turn, question, query, scope).await?;
    turn.end(started, Outcome::Ok);
    let page = match (query.asks, records.as_slice()) {
        (GraphAsk::Between, [one, other]) => between(services, turn, &library, one, other, scope).await,
        (_, [record]) => of_record(services, turn, question, query, &library, record, scope).await,
        _ => things::of_things(services, turn, question, query, &library, scope).await.or_end()?,
    };
    match page {
        Some(page) => respond(answered(services, turn, page, scope).await.or_end()?),
        // What a record rests on may be told in its own words, where it names no other record.
        None if matches!(query.asks, GraphAsk::From) || records.is_empty() => Step::Continue(records),
        None => respond(nothing_said(turn, &records)),
    }
}

/// The records that the question names; it ends where one does not exist, or is asked back where several go by that name.
async fn asked_of(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    scope: &Scope,
) -> Step<Vec<Arc<Document>>> {
    let mut records = Vec::new();
    for reference in &query.references {
        let found = services.ports.catalogue.resolve(reference, scope).await.or_end()?;
        match meant(question, &found).as_slice() {
            [] => {
                let missing = std::slice::from_ref(reference);
                let refusal = no_such_record(services, turn, &reference.written, missing, scope).await;
                return respond(refusal.or_end()?);
            }
            [document] => records.push(Arc::clone(document)),
            several => return respond(which_document(turn, reference, &question.text, several)),
        }
    }
    Step::Continue(records)
}

async fn answered(
    services: &Services,
    turn: &mut Turn<'_>,
    page: Page,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]);
    let mut response = blank(turn, Action::Cite);
    let documents = page.documents.clone();
    page.fill(&mut response);
    response.grounded = true;
    show_with_standing(services, turn, &mut response, &documents, scope).await?;
    Ok(response)
}

/// No record says so: that is told, with the record that was asked for.
fn nothing_said(turn: &mut Turn<'_>, records: &[Arc<Document>]) -> AskResponse {
    let named: Vec<String> = records.iter().map(|record| record.reference()).collect();
    let messages = Messages::of(turn.language);
    let text = messages.text(Message::GraphNone, &[("record", &messages.all_of(&named))]);
    let facts = RefusalFacts { reference: named.first().cloned(), ..RefusalFacts::default() };
    let mut response = refuse(turn, RefusalReason::NoResults, &facts);
    response.answer = text;
    response.suggestions = records.iter().map(|record| did_you_mean(record, turn.language)).collect();
    response
}

/// What others say of a record, what it says of others, or what hangs on it.
async fn of_record(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    query: &GraphQuery,
    library: &Library,
    record: &Arc<Document>,
    scope: &Scope,
) -> Option<Page> {
    let kinds: Vec<RelationKind> =
        if query.relations.is_empty() { RelationKind::ALL.to_vec() } else { query.relations.clone() };
    let inverse = query.asks != GraphAsk::From;
    let mut reached = library.graph.reached(&record.id, &kinds, inverse);
    let is_any = query.relations.is_empty();
    if is_any {
        reached.retain(|one| one.steps == 1);
    }
    if is_any || kinds == [RelationKind::ConflictsWith] {
        // What two say of each other counts whoever says it.
        let known: Vec<&DocumentId> = reached.iter().map(|one| one.record).collect();
        let other = library.graph.reached(&record.id, &kinds, !inverse).into_iter();
        let other: Vec<Reached<'_>> =
            other.filter(|one| one.steps == 1 && !known.contains(&one.record)).collect();
        reached.extend(other);
    }
    let mut named = beside(library, record, inverse);
    named.retain(|one| is_resting(query) && !reached.iter().any(|known| known.record == one.record));
    if !query.kinds.is_empty() {
        let is_wanted = |one: &Reached<'_>| {
            library.documents.get(one.record).is_some_and(|found| query.kinds.contains(&found.kind))
        };
        if reached.iter().chain(&named).any(is_wanted) {
            reached.retain(is_wanted);
            named.retain(is_wanted);
        }
    }
    if reached.is_empty() && named.is_empty() {
        return None;
    }
    in_order(library, &mut reached);
    in_order(library, &mut named);
    let sources = reached.iter().chain(&named).map(|one| one.relation.said_in.clone());
    let successors: Vec<DocumentId> = reached.iter().map(|one| one.record.clone()).collect();
    let mut page = Page::over(services, turn, sources.chain(successors.clone()), scope).await;
    let messages = Messages::of(turn.language);
    let name = record.reference();
    if !reached.is_empty() {
        page.line(messages.text(heading(query), &[("record", &name)]));
    }
    for one in &reached {
        page.reached(turn, library, one, &record.id);
    }
    if !named.is_empty() {
        let alone = if reached.is_empty() { Message::GraphNamedOnly } else { Message::GraphNamedToo };
        page.line(messages.text(alone, &[("record", &name)]));
        for one in &named {
            page.reached(turn, library, one, &record.id);
        }
    }
    if kinds == [RelationKind::Supersedes] && is_why(question) {
        let newer: Vec<DocumentId> = if inverse { successors } else { vec![record.id.clone()] };
        for id in newer {
            reasons(&mut page, turn, question, library, &id);
        }
    }
    Some(page)
}

/// Whether it is asked what rests on a record, or what that rests on: there a mere mention may be a dependency in other words.
fn is_resting(query: &GraphQuery) -> bool {
    query.relations.contains(&RelationKind::DependsOn)
}

/// What stands next to a record beyond that: records that name it, and those that say of each other what was not asked. Of two that
/// name each other only the stronger word is kept, whoever says it.
fn beside<'g>(library: &'g Library, record: &'g Document, inverse: bool) -> Vec<Reached<'g>> {
    let mut named = library.graph.reached(&record.id, &[RelationKind::Mentions], inverse);
    named.extend(library.graph.reached(&record.id, &RelationKind::RESTING, !inverse));
    named.retain(|one| one.steps == 1);
    let mut seen: Vec<&DocumentId> = Vec::new();
    named.retain(|one| {
        !seen.contains(&one.record) && {
            seen.push(one.record);
            true
        }
    });
    named
}

/// The nearest first; of equally near ones in the order of lists.
fn in_order(library: &Library, reached: &mut [Reached<'_>]) {
    reached.sort_by(|a, b| {
        let of = |one: &Reached<'_>| library.documents.get(one.record);
        a.steps.cmp(&b.steps).then_with(|| match (of(a), of(b)) {
            (Some(a), Some(b)) => list_order(a, b),
            _ => a.record.cmp(b.record),
        })
    });
}

fn heading(query: &GraphQuery) -> Message {
    let is_of = |kind: RelationKind| query.relations.as_slice() == [kind];
    match query.asks {
        GraphAsk::Impact => Message::GraphImpact,
        GraphAsk::From if is_of(RelationKind::Supersedes) => Message::GraphPredecessors,
        GraphAsk::From if is_resting(query) => Message::GraphFoundations,
        GraphAsk::From => Message::GraphFrom,
        _ if is_of(RelationKind::Supersedes) => Message::GraphSuccessors,
        _ if is_resting(query) => Message::GraphDependents,
        _ => Message::GraphTo,
    }
}

/// Why a record came in the place of another, in its own words.
fn reasons(page: &mut Page, turn: &Turn<'_>, question: &Question, library: &Library, id: &DocumentId) {
    let Some(document) = library.documents.get(id) else { return };
    let hits = page.passages_of(id);
    let chunks: Vec<&Chunk> = hits.iter().map(|hit| hit.chunk.as_ref()).collect();
    let told = beside_answer(question, &chunks, numbers().compose.section_chars);
    if told.is_empty() {
        return;
    }
    let name = document.reference();
    page.line(Messages::of(turn.language).text(Message::GraphReason, &[("record", &name)]));
    for (text, passage) in told {
        if let Some(hit) = hits.get(passage) {
            page.passage(&text, hit);
        }
    }
}

/// What two records say of each other, or through which others they are tied.
async fn between(
    services: &Services,
    turn: &mut Turn<'_>,
    library: &Library,
    one: &Arc<Document>,
    other: &Arc<Document>,
    scope: &Scope,
) -> Option<Page> {
    let pair = [&one.id, &other.id];
    let said = |relation: &&crate::decisions::Relation| {
        pair.contains(&&relation.from) && pair.contains(&&relation.to) && relation.from != relation.to
    };
    let relations: Vec<_> = library.graph.relations().iter().filter(said).collect();
    if relations.is_empty() {
        return None;
    }
    let sources = relations.iter().map(|relation| relation.said_in.clone());
    let mut page = Page::over(services, turn, sources, scope).await;
    for relation in relations {
        page.relation(turn, library, relation);
    }
    Some(page)
}
