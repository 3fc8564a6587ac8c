//! Age and standing of the documents that an answer shows.

use std::sync::Arc;

use super::services::Services;
use super::turn::Turn;
use crate::domain::{Document, Standing};
use crate::error::AskError;
use crate::notices::{notices, published};
use crate::ports::{Edition, Scope};
use crate::response::{AskResponse, Notice, NoticeKind, TransparencyStatement};

/// Age and standing of these documents, without a word of a record that the user may not see.
pub(super) async fn notices_of(
    services: &Services,
    turn: &Turn<'_>,
    documents: &[&Document],
    scope: &Scope,
) -> Result<Vec<Notice>, AskError> {
    let mut seen: Vec<Document> = Vec::with_capacity(documents.len());
    for document in documents {
        let mut superseded_by = Vec::new();
        for id in &document.superseded_by {
            if services.ports.catalogue.document(id, scope).await?.is_some() {
                superseded_by.push(id.clone());
            }
        }
        seen.push(Document { superseded_by, ..(*document).clone() });
    }
    let documents: Vec<&Document> = seen.iter().collect();
    let months = services.settings().limits.stale_after_months;
    let mut found = notices(&documents, services.today(), months, turn.language);
    found.extend(editions(services, turn, &documents, scope).await?);
    Ok(found)
}

/// A response about these documents, with their age and standing, shown whole.
pub(super) async fn show_with_standing(
    services: &Services,
    turn: &mut Turn<'_>,
    response: &mut AskResponse,
    documents: &[Arc<Document>],
    scope: &Scope,
) -> Result<(), AskError> {
    let documents: Vec<&Document> = documents.iter().map(Arc::as_ref).collect();
    response.notices = notices_of(services, turn, &documents, scope).await?;
    response.transparency = with_standing(response.transparency.clone(), &response.notices);
    turn.show_whole(response);
    Ok(())
}

/// Which generations of published libraries these documents come from, and how old those are: one notice for each.
pub(super) async fn editions(
    services: &Services,
    turn: &Turn<'_>,
    documents: &[&Document],
    scope: &Scope,
) -> Result<Vec<Notice>, AskError> {
    let mut found: Vec<(Edition, String)> = Vec::new();
    for document in documents {
        if let Some(edition) = services.ports.catalogue.edition(&document.id, scope).await?
            && found.iter().all(|(known, _)| *known != edition)
        {
            found.push((edition, document.id.to_string()));
        }
    }
    // The day that a library takes for today says nothing of when it was published.
    let today = services.ports.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let editions = found.into_iter();
    Ok(editions.map(|(edition, id)| published(&edition, id, today, turn.language)).collect())
}

/// Only what is wrong with a row's own standing; that a list holds old records is no news.
pub(super) fn disagreements(services: &Services, turn: &Turn<'_>, documents: &[&Document]) -> Vec<Notice> {
    let disagreeing: Vec<&Document> =
        documents.iter().copied().filter(|document| disagrees(document)).collect();
    let months = services.settings().limits.stale_after_months;
    let all = notices(&disagreeing, services.today(), months, turn.language);
    all.into_iter().filter(|notice| notice.kind == NoticeKind::StatusDisagreement).collect()
}

/// Whether a record and its approval say different things of its status.
pub(super) fn disagrees(document: &Document) -> bool {
    document
        .approval_status
        .as_deref()
        .is_some_and(|approval| Standing::from_status(approval) != document.standing())
}

/// The statement with what the standing of cited records makes of it; their age stands beside the citation only.
pub(super) fn with_standing(statement: TransparencyStatement, notices: &[Notice]) -> TransparencyStatement {
    let beside = [NoticeKind::Stale, NoticeKind::Published];
    let standing = notices.iter().filter(|notice| !beside.contains(&notice.kind));
    standing.fold(statement, |statement, notice| statement.and(&notice.text))
}
