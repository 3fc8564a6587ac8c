//! The list path: complete, from the catalogue, in its fixed order.

use std::sync::Arc;

use plumbline_telemetry::{Route, names};

use super::blank::blank;
use super::graph::Page;
use super::reason::Outcome;
use super::services::Services;
use super::standing::{disagreements, editions};
use super::topic::{said_of_topic, speaking_of_topic};
use super::turn::{Turn, destination_of};
use crate::domain::{Document, DocumentFilter, Kind, Language, Months, NumberRange, Standing, Years};
use crate::error::AskError;
use crate::intent::{Intent, IntentKind, ListIfKnown, ListOrder, ListQuery, ListShape, Question};
use crate::language::Pack;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::records::{holds_all, order_by_date, source_named};
use crate::response::{Action, AskResponse, Stage};
use crate::text::{distinct_stems, stem, words};

/// A complete list from the catalogue, in its fixed order. No model takes part.
pub(super) async fn list(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    list: &ListQuery,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    let started = turn.begin(Stage::Catalogue);
    let documents = speaking_of_topic(services, turn, question, &list.filter, scope).await?;
    turn.end(started, Outcome::Ok);
    listed(services, turn, list, documents, scope).await
}

/// The answer that lists these documents.
async fn listed(
    services: &Services,
    turn: &mut Turn<'_>,
    list: &ListQuery,
    mut documents: Vec<Arc<Document>>,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.destination(destination_of(&list.filter.kinds));
    let searched = services.ports.catalogue.collections(scope).await?;
    turn.context.set_route(if list.filter.kinds.len() == 1 || searched.len() == 1 {
        Route::Direct
    } else {
        Route::Tree
    });
    if let Some(order) = list.order {
        documents.sort_by(|a, b| order_by_date(order == ListOrder::OldestFirst, a, b));
    }
    documents.truncate(list.limit.unwrap_or(usize::MAX));
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]);

    let mut response = blank(turn, Action::Cite);
    written(services, turn, list, &documents, scope).await.fill(&mut response);
    response.grounded = true;
    let borrowed: Vec<&Document> = documents.iter().map(Arc::as_ref).collect();
    response.notices = disagreements(services, turn, &borrowed);
    response.notices.extend(editions(services, turn, &borrowed, scope).await?);
    turn.show(response.answer.clone());
    Ok(response)
}

/// What a question asks for that names a source of the library, where that is a list of documents out of it: "the GOV.UK decisions".
/// `read` gives what a text asks for.
pub(super) async fn of_source(
    services: &Services,
    text: &str,
    scope: &Scope,
    read: impl Fn(&str) -> Intent,
) -> Result<Option<Intent>, AskError> {
    let sources = services.ports.catalogue.sources(scope).await?;
    let Some(named) = source_named(text, sources.iter().map(String::as_str)) else { return Ok(None) };
    let mut intent = read(&named.without);
    let filters = [
        match &mut intent.kind {
            IntentKind::List(query) => Some(&mut query.filter),
            _ => None,
        },
        intent.list_if_folder.as_mut().map(|query| &mut query.filter),
        intent.list_if_known.as_mut().map(|asked| {
            asked.is_filtered = true;
            &mut asked.query.filter
        }),
    ];
    let mut is_list = false;
    for filter in filters.into_iter().flatten() {
        filter.source = Some(named.source.clone());
        is_list = true;
    }
    Ok(is_list.then_some(intent))
}

/// The list with what the catalogue knows of the words that are left: somebody who took part, a status as libraries write it, or a
/// topic of a title. Nothing where a word is left that it does not know: a list must be complete.
pub(super) async fn known(
    services: &Services,
    asked: &ListIfKnown,
    scope: &Scope,
) -> Result<Option<ListQuery>, AskError> {
    let mut query = asked.query.clone();
    let documents = services.ports.catalogue.list(&query.filter, scope).await?;
    let mut left = asked.left.clone();
    let mut is_filtered = asked.is_filtered;
    let said: Vec<String> = asked.left.iter().chain(&asked.before).cloned().collect();
    let says = |word: &String| Pack::all().all(|pack| pack.words.is_content(word));
    let telling =
        |name: &str| words(name).into_iter().map(|word| word.folded).filter(says).collect::<Vec<_>>();
    let all_of = |name: &str, left: &[String]| {
        let name = telling(name);
        !name.is_empty() && name.iter().all(|word| left.contains(word))
    };
    let people = documents
        .iter()
        .flat_map(|document| document.deciders.iter().chain(&document.approvers).chain(&document.owner));
    // The longest name: "Ruth Adeyemi" and not another "Ruth".
    let person = people.filter(|name| all_of(name, &said)).max_by_key(|name| name.len());
    if let Some(name) = person.filter(|_| query.filter.person.is_none()) {
        left.retain(|word| !telling(name).contains(word));
        query.filter.person = Some(name.clone());
        // What is left says in which way: "as a decider", "at the table".
        let left = unknown(services, &left, scope).await;
        return Ok((left.len() <= numbers().intent.words_of_a_role).then_some(query));
    }
    let statuses = documents.iter().filter_map(|document| document.status.as_deref());
    let status = statuses.filter(|status| all_of(status, &left)).max_by_key(|status| status.len());
    if let Some(status) = status.filter(|_| !query.filter.is_by_status()) {
        left.retain(|word| !telling(status).contains(word));
        query.filter.statuses = vec![status.to_owned()];
        is_filtered = true;
    }
    left = unknown(services, &left, scope).await;
    let is_topic = is_filtered
        && query.filter.about.is_none()
        && !left.is_empty()
        && documents.iter().any(|document| holds_all(&left, document));
    if is_topic {
        query.filter.about = Some(left.join(" "));
        left.clear();
    }
    Ok((is_filtered && left.is_empty()).then_some(query))
}

/// The list of the documents that speak of the topic, where some do and not so many that its words say nothing.
pub(super) async fn speaking(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    asked: &ListIfKnown,
    scope: &Scope,
) -> Result<Option<AskResponse>, AskError> {
    let Some(topic) = asked.topic.clone() else { return Ok(None) };
    let started = turn.begin(Stage::Catalogue);
    let mut query = asked.query.clone();
    query.filter.about = Some(topic);
    let found = speaking_of_topic(services, turn, question, &query.filter, scope).await?;
    let all = services.ports.catalogue.list(&asked.query.filter, scope).await?.len();
    turn.end(started, Outcome::Ok);
    if found.is_empty() || !is_narrow(found.len(), all) {
        return Ok(None);
    }
    listed(services, turn, &query, found, scope).await.map(Some)
}

/// The list that a request asks for by how it is worded, where documents belong to it. Words beside a filter are a topic only where
/// some document that passes it speaks of them: they may be no more than a manner of speaking.
pub(super) async fn worded(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &Question,
    asked: &ListIfKnown,
    scope: &Scope,
) -> Result<Option<AskResponse>, AskError> {
    let started = turn.begin(Stage::Catalogue);
    let filter = &asked.query.filter;
    let about = filter.about.clone().or_else(|| asked.topic.clone());
    let narrowed = DocumentFilter { about: about.clone(), ..filter.clone() };
    let wider = DocumentFilter { about: None, ..filter.clone() };
    let found = speaking_of_topic(services, turn, question, &narrowed, scope).await?;
    let all = services.ports.catalogue.list(&wider, scope).await?;
    turn.end(started, Outcome::Ok);
    let tells = !found.is_empty() && (asked.is_filtered || is_narrow(found.len(), all.len()));
    // That none is about what a kind was asked for by name is an answer; beside a filter it was no topic.
    let (filter, documents) =
        if about.is_none() || tells || filter.about.is_some() && !filter.kinds.is_empty() {
            (narrowed, found)
        // What was not understood and belongs to nothing is no list: it may have told something else.
        } else if filter.about.is_none() && asked.is_filtered && !all.is_empty() {
            (wider, all)
        } else {
            return Ok(None);
        };
    let query = ListQuery { filter, ..asked.query.clone() };
    listed(services, turn, &query, documents, scope).await.map(Some)
}

/// Whether a topic narrows a list: what is spoken of in most documents says nothing of any.
fn is_narrow(found: usize, all: usize) -> bool {
    found as f64 <= numbers().intent.topic_share * all as f64
}

/// The words that may be more than a manner of speaking: no name of a field, and held by some document.
async fn unknown(services: &Services, left: &[String], scope: &Scope) -> Vec<String> {
    let is_label = |word: &String| Pack::all().any(|pack| pack.documents.labels.any(|known| known == word));
    let mut left: Vec<String> = left.iter().filter(|word| !is_label(word)).cloned().collect();
    let stems: Vec<String> = left.iter().map(|word| stem(word, Language::EN)).collect();
    let asked = services.ports.index.term_statistics(&stems, scope);
    if let Ok(statistics) = services.within_deadline("term statistics", asked).await
        && statistics.len() == left.len()
    {
        let mut held = statistics.iter().map(|statistic| statistic.document_frequency > 0);
        left.retain(|_| held.next().unwrap_or(true));
    }
    left
}

/// The list as it is read; of a topic, with what each document says of it.
async fn written(
    services: &Services,
    turn: &mut Turn<'_>,
    list: &ListQuery,
    documents: &[Arc<Document>],
    scope: &Scope,
) -> Page {
    let is_told = list.shape != ListShape::Count && documents.len() <= numbers().intent.list_told;
    let topic = list.filter.about.as_deref().filter(|_| is_told);
    let mut page = match topic {
        Some(_) => {
            let ids = documents.iter().map(|document| document.id.clone());
            Page::over(services, turn, ids, scope).await
        }
        None => Page::default(),
    };
    page.line(heading(turn, list, documents.len()));
    let mut said = topic.map(|topic| said_of_topic(topic, page.passages())).unwrap_or_default();
    for document in documents {
        if list.shape == ListShape::Count {
            page.list(document);
            continue;
        }
        page.document(document);
        let tag = topic.and_then(|topic| tag_of_topic(topic, document));
        if let Some((text, passage)) = said.remove(&document.id) {
            page.indented(&text, &passage);
        } else if let Some(tag) = tag {
            page.below(&Messages::of(turn.language).text(Message::ListTagged, &[("tag", tag)]));
        }
    }
    page
}

/// The tag by which a document belongs to a topic.
fn tag_of_topic<'d>(topic: &str, document: &'d Document) -> Option<&'d str> {
    let wanted = distinct_stems(topic, document.language);
    let tags = document.tags.iter().map(String::as_str);
    tags.into_iter().find(|tag| !distinct_stems(tag, document.language).is_disjoint(&wanted))
}

fn heading(turn: &Turn<'_>, list: &ListQuery, count: usize) -> String {
    let messages = Messages::of(turn.language);
    let filter = &list.filter;
    let kind = match filter.kinds.as_slice() {
        [kind] => *kind,
        _ => Kind::Document,
    };
    let is_empty = count == 0;
    let count = count.to_string();
    let what = messages.text(Message::of_kind(kind), &[("n", &count)]);
    let scope = [
        filter.source.as_deref().map(|source| messages.text(Message::ListFolder, &[("folder", source)])),
        filter.folder.as_deref().map(|folder| messages.text(Message::ListFolder, &[("folder", folder)])),
        filter.about.as_deref().map(|topic| messages.text(Message::ListAbout, &[("topic", topic)])),
        standings_text(messages, filter),
        filter.owner.as_deref().map(|owner| messages.text(Message::ListOwner, &[("owner", owner)])),
        filter.person.as_deref().map(|person| messages.text(Message::ListPerson, &[("person", person)])),
        filter.numbers.map(|range| numbers_text(messages, range)),
        filter.years.map(|years| years_text(messages, years)),
        filter.months.map(|months| months_text(messages, months)),
    ];
    let scope: String = scope.into_iter().flatten().collect();
    let values = [("what", what.as_str()), ("scope", scope.as_str()), ("n", count.as_str())];
    match list.shape {
        ListShape::Count => messages.text(Message::ListCount, &values),
        _ if is_empty => messages.text(Message::ListNone, &values),
        ListShape::CountAndRows => messages.text(Message::ListCount, &values),
        ListShape::Rows => messages.text(Message::ListHeading, &values),
    }
}

/// The statuses that a list is limited to, in the reader's words.
fn standings_text(messages: &Messages, filter: &DocumentFilter) -> Option<String> {
    let named = |standing: &Standing| messages.text(Message::of_standing(*standing), &[]);
    let standings: Vec<String> =
        filter.standings.iter().map(named).chain(filter.statuses.iter().cloned()).collect();
    let excluded: Vec<String> = filter.excluded.iter().map(named).collect();
    let limited = |message, standings: Vec<String>| {
        (!standings.is_empty())
            .then(|| messages.text(message, &[("standing", standings.join(" / ").as_str())]))
    };
    let both = [limited(Message::ListStanding, standings), limited(Message::ListNotStanding, excluded)];
    let text: String = both.into_iter().flatten().collect();
    (!text.is_empty()).then_some(text)
}

fn numbers_text(messages: &Messages, range: NumberRange) -> String {
    let from = range.from.to_string();
    match range.last() {
        Some(to) => messages.text(Message::ListNumbers, &[("from", &from), ("to", &to.to_string())]),
        None => messages.text(Message::ListNumbersFrom, &[("from", &from)]),
    }
}

fn years_text(messages: &Messages, years: Years) -> String {
    period_text(messages, years.from.map(|year| year.to_string()), years.to.map(|year| year.to_string()))
}

fn months_text(messages: &Messages, months: Months) -> String {
    period_text(
        messages,
        months.from.map(|month| month.to_string()),
        months.to.map(|month| month.to_string()),
    )
}

fn period_text(messages: &Messages, from: Option<String>, to: Option<String>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if from == to => messages.text(Message::ListYear, &[("year", &from)]),
        (Some(from), Some(to)) => messages.text(Message::ListBetween, &[("from", &from), ("to", &to)]),
        (Some(from), None) => messages.text(Message::ListSince, &[("from", &from)]),
        (None, Some(to)) => messages.text(Message::ListUntil, &[("to", &to)]),
        (None, None) => String::new(),
    }
}
