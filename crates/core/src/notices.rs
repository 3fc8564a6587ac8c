//! Remarks on the age and standing of documents.

use std::collections::HashSet;

use jiff::civil::Date;
use jiff::{Span, Unit};

use crate::domain::{Document, DocumentId, Language, Standing};
use crate::messages::{Message, Messages};
use crate::ports::Edition;
use crate::response::{Notice, NoticeKind};

#[cfg(test)]
mod tests;

/// What a reader should know about these documents: one notice per document and kind, in the order given.
///
/// A document is stale once its last update lies further back than so many months; on the day itself it is not yet.
pub fn notices(
    documents: &[&Document],
    today: Date,
    stale_after_months: i64,
    language: Language,
) -> Vec<Notice> {
    let mut seen = HashSet::new();
    documents
        .iter()
        .filter(|document| seen.insert(&document.id))
        .flat_map(|document| of_document(document, today, stale_after_months, Messages::of(language)))
        .collect()
}

fn of_document(
    document: &Document,
    today: Date,
    stale_after_months: i64,
    messages: &Messages,
) -> Vec<Notice> {
    let reference = document.reference();
    let notice = |kind, message, values: &[(&str, &str)]| {
        let values: Vec<_> =
            [("reference", reference.as_str())].into_iter().chain(values.iter().copied()).collect();
        Notice { kind, document_id: document.id.to_string(), text: messages.text(message, &values) }
    };
    let mut found = Vec::new();
    let standing = document.standing();
    // A record that another one replaces is superseded, whatever it still says of itself.
    if standing == Standing::Superseded || !document.superseded_by.is_empty() {
        let by: Vec<String> = document.superseded_by.iter().map(reference_of).collect();
        found.push(if by.is_empty() {
            notice(NoticeKind::Superseded, Message::NoticeSuperseded, &[])
        } else {
            notice(NoticeKind::Superseded, Message::NoticeSupersededBy, &[("by", &messages.all_of(&by))])
        });
    }
    match standing {
        Standing::Deprecated => found.push(notice(NoticeKind::Deprecated, Message::NoticeDeprecated, &[])),
        Standing::Rejected => found.push(notice(NoticeKind::Rejected, Message::NoticeRejected, &[])),
        Standing::Proposed => found.push(notice(NoticeKind::Proposed, Message::NoticeProposed, &[])),
        Standing::InForce | Standing::Superseded | Standing::Unknown => {}
    }
    if let (Some(status), Some(approval)) = (&document.status, &document.approval_status) {
        let approved = Standing::from_status(approval);
        if approved != standing && approved != Standing::Unknown && standing != Standing::Unknown {
            let values = [("status", status.as_str()), ("approval", approval.as_str())];
            found.push(notice(NoticeKind::StatusDisagreement, Message::NoticeDisagreement, &values));
        }
    }
    if let Some(date) = document.date.filter(|date| is_stale(*date, today, stale_after_months)) {
        let (date_text, months) = (date.to_string(), months_between(date, today).to_string());
        let values = [("date", date_text.as_str()), ("n", months.as_str())];
        found.push(notice(NoticeKind::Stale, Message::NoticeStale, &values));
    }
    found
}

/// What a reader should know of the published library that a document comes from.
pub fn published(edition: &Edition, document_id: String, today: Date, language: Language) -> Notice {
    let days = today.since((Unit::Day, edition.published)).map_or(0, |span| span.get_days());
    let message = if days > 0 { Message::NoticePublished } else { Message::NoticePublishedToday };
    let (generation, date, days) =
        (edition.generation.to_string(), edition.published.to_string(), days.to_string());
    let values = [
        ("address", edition.address.as_str()),
        ("generation", generation.as_str()),
        ("date", date.as_str()),
        ("n", days.as_str()),
    ];
    Notice { kind: NoticeKind::Published, document_id, text: Messages::of(language).text(message, &values) }
}

fn is_stale(date: Date, today: Date, months: i64) -> bool {
    Span::new().try_months(months).and_then(|span| date.checked_add(span)).is_ok_and(|limit| limit < today)
}

fn months_between(date: Date, today: Date) -> i32 {
    today.since((Unit::Month, date)).map_or(0, |span| span.get_months())
}

/// An id as people write it: `adr-0021` is `ADR-0021`; ids that are no number stay as they are.
fn reference_of(id: &DocumentId) -> String {
    let text = id.as_str();
    let numbered = text.rsplit('-').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()));
    if numbered && (text.starts_with("adr-") || text.starts_with("pcp-")) {
        text.to_uppercase()
    } else {
        text.to_owned()
    }
}
