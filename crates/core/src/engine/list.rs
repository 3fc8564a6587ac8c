//! The list path: complete, from the catalogue, in its fixed order.

use std::sync::Arc;

use plumbline_telemetry::{Route, names};

use super::blank::blank;
use super::reason::Outcome;
use super::services::Services;
use super::standing::disagreements;
use super::turn::{Turn, destination_of};
use crate::domain::{Document, Kind, Months, Standing, Years};
use crate::error::AskError;
use crate::intent::{ListOrder, ListQuery, ListShape};
use crate::messages::{Message, Messages};
use crate::ports::Scope;
use crate::records::order_by_date;
use crate::response::{Action, AskResponse, ListRow, Stage};

/// A complete list from the catalogue, in its fixed order. No model takes part.
pub(super) async fn list(
    services: &Services,
    turn: &mut Turn<'_>,
    list: &ListQuery,
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.destination(destination_of(&list.filter.kinds));
    let searched = services.ports.catalogue.collections(scope).await?;
    turn.context.set_route(if list.filter.kinds.len() == 1 || searched.len() == 1 {
        Route::Direct
    } else {
        Route::Tree
    });
    let started = turn.begin(Stage::Catalogue);
    let mut documents = services.ports.catalogue.list(&list.filter, scope).await?;
    if let Some(order) = list.order {
        documents.sort_by(|a, b| order_by_date(order == ListOrder::OldestFirst, a, b));
    }
    turn.end(started, Outcome::Ok);
    services.metrics.inc(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]);

    let mut response = blank(turn, Action::Cite);
    response.answer = list_text(turn, list, &documents);
    response.rows = documents.iter().map(|document| ListRow::from(document.as_ref())).collect();
    response.grounded = true;
    let borrowed: Vec<&Document> = documents.iter().map(Arc::as_ref).collect();
    response.notices = disagreements(services, turn, &borrowed);
    turn.show(response.answer.clone());
    Ok(response)
}

fn list_text(turn: &Turn<'_>, list: &ListQuery, documents: &[Arc<Document>]) -> String {
    let messages = Messages::of(turn.language);
    let filter = &list.filter;
    let kind = match filter.kinds.as_slice() {
        [kind] => *kind,
        _ => Kind::Document,
    };
    let count = documents.len().to_string();
    let what = messages.text(Message::of_kind(kind), &[("n", &count)]);
    let scope = [
        filter.folder.as_deref().map(|folder| messages.text(Message::ListFolder, &[("folder", folder)])),
        filter.about.as_deref().map(|topic| messages.text(Message::ListAbout, &[("topic", topic)])),
        filter.standing.map(|standing| {
            let standing = messages.text(Message::of_standing(standing), &[]);
            messages.text(Message::ListStanding, &[("standing", &standing)])
        }),
        filter.owner.as_deref().map(|owner| messages.text(Message::ListOwner, &[("owner", owner)])),
        filter.person.as_deref().map(|person| messages.text(Message::ListPerson, &[("person", person)])),
        filter.status.as_deref().map(|status| messages.text(Message::ListStatus, &[("status", status)])),
        filter.ended.then(|| {
            let ended = [Standing::Superseded, Standing::Deprecated];
            let ended = ended.map(|standing| messages.text(Message::of_standing(standing), &[])).join(" / ");
            messages.text(Message::ListStanding, &[("standing", &ended)])
        }),
        filter.years.map(|years| years_text(messages, years)),
        filter.months.map(|months| months_text(messages, months)),
    ];
    let scope: String = scope.into_iter().flatten().collect();
    let values = [("what", what.as_str()), ("scope", scope.as_str()), ("n", count.as_str())];
    let heading = match list.shape {
        ListShape::Count => return messages.text(Message::ListCount, &values),
        _ if documents.is_empty() => return messages.text(Message::ListNone, &values),
        ListShape::CountAndRows => messages.text(Message::ListCount, &values),
        ListShape::Rows => messages.text(Message::ListHeading, &values),
    };
    let rows = documents.iter().map(|document| {
        let status = document.status.as_deref().map_or_else(String::new, |status| format!(" ({status})"));
        let named = if document.number.is_some() {
            format!("{}: {}", document.reference(), document.title)
        } else {
            document.title.clone()
        };
        format!("- {named}{status}")
    });
    std::iter::once(heading).chain(rows).collect::<Vec<_>>().join("\n")
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
