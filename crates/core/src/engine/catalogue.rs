use std::sync::Arc;
use std::time::Duration;

use plumbline_telemetry::{Route, names};

use super::Engine;
use super::close::blank;
use super::turn::Turn;
use crate::domain::{Document, DocumentId, Kind, Lane, Standing};
use crate::error::AskError;
use crate::intent::{Intent, ListQuery, Reference};
use crate::messages::{Message, Messages};
use crate::notices::notices;
use crate::ports::{FactField, Hit, Scope};
use crate::response::{
    Action, AskResponse, Citation, FactAnswer, ListRow, Notice, NoticeKind, Stage, StageOutcome,
    TransparencyStatement,
};

impl Engine {
    /// A complete list from the catalogue, in its fixed order. No model takes part.
    pub(super) async fn list(
        &self,
        turn: &mut Turn<'_>,
        list: &ListQuery,
        scope: &Scope,
    ) -> Result<AskResponse, AskError> {
        turn.destination(destination_of(&list.filter.kinds));
        let searched = self.ports.catalogue.collections(scope).await?;
        turn.context.set_route(if list.filter.kinds.len() == 1 || searched.len() == 1 {
            Route::Direct
        } else {
            Route::Tree
        });
        let started = turn.begin(Stage::Catalogue);
        let documents = self.ports.catalogue.list(&list.filter, scope).await?;
        turn.end(started, StageOutcome::Ok);
        self.metrics.inc(&names::FACT_LOOKUP_TOTAL, [names::FACT_LOOKUP_OK]);

        let mut response = blank(turn, Action::Cite);
        response.answer = list_text(turn, list, &documents);
        response.rows = documents.iter().map(|document| ListRow::from(document.as_ref())).collect();
        response.grounded = true;
        let borrowed: Vec<&Document> = documents.iter().map(Arc::as_ref).collect();
        response.notices = self.standing_notices(turn, &borrowed);
        turn.show(response.answer.clone());
        Ok(response)
    }

    /// Only what is wrong with a row's own standing; that a list holds old records is no news.
    fn standing_notices(&self, turn: &Turn<'_>, documents: &[&Document]) -> Vec<Notice> {
        let disagreeing: Vec<&Document> =
            documents.iter().copied().filter(|document| disagrees(document)).collect();
        let months = self.configuration.settings.limits.stale_after_months;
        let all = notices(&disagreeing, self.today(), months, turn.language);
        all.into_iter().filter(|notice| notice.kind == NoticeKind::StatusDisagreement).collect()
    }

    /// Age and standing of these documents, without a word of a record that the user may not see.
    pub(super) async fn notices_of(
        &self,
        turn: &Turn<'_>,
        documents: &[&Document],
        scope: &Scope,
    ) -> Result<Vec<Notice>, AskError> {
        let mut seen: Vec<Document> = Vec::with_capacity(documents.len());
        for document in documents {
            let mut superseded_by = Vec::new();
            for id in &document.superseded_by {
                if self.ports.catalogue.document(id, scope).await?.is_some() {
                    superseded_by.push(id.clone());
                }
            }
            seen.push(Document { superseded_by, ..(*document).clone() });
        }
        let documents: Vec<&Document> = seen.iter().collect();
        let months = self.configuration.settings.limits.stale_after_months;
        Ok(notices(&documents, self.today(), months, turn.language))
    }

    /// One field of one record.
    pub(super) async fn fact(
        &self,
        turn: &mut Turn<'_>,
        intent: &Intent,
        reference: &Reference,
        field: FactField,
        scope: Scope,
    ) -> Result<AskResponse, AskError> {
        turn.destination(destination_of(&[reference.kind]));
        turn.context.set_route(Route::Direct);
        let started = turn.begin(Stage::Catalogue);
        let found = self.ports.catalogue.resolve(reference, &scope).await?;
        turn.end(started, StageOutcome::Ok);
        let document = match found.as_slice() {
            [] => {
                self.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["not_found"]);
                return self
                    .no_such_record(turn, &reference.written, std::slice::from_ref(reference), &scope)
                    .await;
            }
            [document] => Arc::clone(document),
            several => {
                self.metrics.inc(&names::FACT_LOOKUP_TOTAL, ["ambiguous"]);
                return Ok(self.which_document(turn, reference, &intent.query, several));
            }
        };
        self.fact_of(turn, &document, field, &scope).await
    }

    /// One field of this record.
    pub(super) async fn fact_of(
        &self,
        turn: &mut Turn<'_>,
        document: &Document,
        field: FactField,
        scope: &Scope,
    ) -> Result<AskResponse, AskError> {
        turn.destination(destination_of(&[document.kind]));
        turn.context.set_route(Route::Direct);
        let values = self.values_of(document, field, scope).await?;
        let outcome = if values.is_empty() { "not_given" } else { names::FACT_LOOKUP_OK };
        self.metrics.inc(&names::FACT_LOOKUP_TOTAL, [outcome]);

        let messages = Messages::of(turn.language);
        let mut response = blank(turn, Action::Cite);
        let shown = messages.all_of(&values);
        let sentence = messages.text(
            Message::of_fact(field, values.is_empty()),
            &[("reference", &document.reference()), ("value", &shown)],
        );
        let sources = self.sources_of_fact(turn, document, field, &values, scope).await;
        response.answer = cited(&sentence, 0, usize::from(!sources.is_empty()));
        if let (FactField::Status, true, Some(approval)) =
            (field, disagrees(document), &document.approval_status)
        {
            // Where record and approval record disagree, neither is kept back.
            let other = messages.text(
                Message::FactStatusApproval,
                &[("reference", &document.reference()), ("value", approval)],
            );
            response.answer = format!("{} {}", response.answer, cited(&other, 1, sources.len()));
        }
        response.citations =
            (1..).zip(&sources).map(|(number, hit)| Citation::of_chunk(number, &hit.chunk, 1.0)).collect();
        response.fact = Some(FactAnswer {
            document_id: document.id.to_string(),
            field: field.as_str().to_owned(),
            values,
        });
        response.rows = vec![ListRow::from(document)];
        response.grounded = true;
        response.notices = self.notices_of(turn, &[document], scope).await?;
        response.transparency = with_standing(response.transparency, &response.notices);
        turn.show_whole(&response);
        Ok(response)
    }

    async fn values_of(
        &self,
        document: &Document,
        field: FactField,
        scope: &Scope,
    ) -> Result<Vec<String>, AskError> {
        Ok(match field {
            FactField::Status => document.status.clone().into_iter().collect(),
            FactField::Date => document.date.map(|date| date.to_string()).into_iter().collect(),
            FactField::Owner => document.owner.clone().into_iter().collect(),
            FactField::Approvers => document.approvers.clone(),
            FactField::Version => document.version.clone().into_iter().collect(),
            FactField::Title => vec![document.title.clone()],
            FactField::Supersedes => self.named(&document.supersedes, scope).await?,
            FactField::SupersededBy => self.named(&document.superseded_by, scope).await?,
        })
    }

    /// Records by reference and title; one that the user may not see is not mentioned.
    async fn named(&self, ids: &[DocumentId], scope: &Scope) -> Result<Vec<String>, AskError> {
        let mut named = Vec::new();
        for id in ids {
            if let Some(document) = self.ports.catalogue.document(id, scope).await? {
                named.push(format!("{} ({})", document.reference(), document.title));
            }
        }
        Ok(named)
    }

    /// The passages that state the fact: the record's own, the approval record's for who approved, and both where they
    /// disagree. The field itself stands in the catalogue, so an index that fails costs the citation and not the answer.
    async fn sources_of_fact(
        &self,
        turn: &mut Turn<'_>,
        document: &Document,
        field: FactField,
        values: &[String],
        scope: &Scope,
    ) -> Vec<Hit> {
        let approval =
            DocumentId::new(format!("{}d", document.id)).ok().filter(|_| document.kind == Kind::Adr);
        let ids: Vec<DocumentId> = std::iter::once(document.id.clone()).chain(approval.clone()).collect();
        let hits = match self.within_deadline("address", self.ports.index.address(&ids, None, scope)).await {
            Ok(hits) => hits,
            Err(problem) => {
                turn.end_lane(Lane::Address, StageOutcome::Failed(problem.to_string()), 0, Duration::ZERO);
                return Vec::new();
            }
        };
        let of = |id: &DocumentId, values: &[String]| {
            let own = || hits.iter().filter(|hit| hit.chunk.document.id == *id);
            let states = |hit: &&Hit| {
                !values.is_empty() && values.iter().all(|value| hit.chunk.text.contains(value.as_str()))
            };
            own().find(states).or_else(|| own().next()).cloned()
        };
        let in_approval = approval.as_ref().and_then(|id| of(id, values));
        match (field, in_approval) {
            (FactField::Approvers, Some(hit))
                if hit.chunk.text.contains(values.first().map_or("", |v| v)) =>
            {
                vec![hit]
            }
            (FactField::Status, Some(_)) if disagrees(document) => {
                let said: Vec<String> = document.approval_status.iter().cloned().collect();
                let other = approval.as_ref().and_then(|id| of(id, &said));
                of(&document.id, values).into_iter().chain(other).collect()
            }
            (_, other) => {
                let own = of(&document.id, values);
                let stated = |hit: &Hit| values.iter().all(|value| hit.chunk.text.contains(value.as_str()));
                match (own, other) {
                    (Some(own), Some(other)) if !stated(&own) && stated(&other) => vec![other],
                    (own, other) => own.or(other).into_iter().collect(),
                }
            }
        }
    }
}

/// A sentence with the number of the passage that states it, where there is one.
fn cited(sentence: &str, before: usize, sources: usize) -> String {
    if sources > before {
        format!("{} [{}].", sentence.trim_end_matches('.'), before + 1)
    } else {
        sentence.to_owned()
    }
}

/// The statement with what the standing of cited records makes of it; their age stands beside the citation only.
pub(super) fn with_standing(statement: TransparencyStatement, notices: &[Notice]) -> TransparencyStatement {
    let standing = notices.iter().filter(|notice| notice.kind != NoticeKind::Stale);
    standing.fold(statement, |statement, notice| statement.and(&notice.text))
}

fn disagrees(document: &Document) -> bool {
    document
        .approval_status
        .as_deref()
        .is_some_and(|approval| Standing::from_status(approval) != document.standing())
}

/// The destination of the golden set for documents of these kinds.
pub(super) fn destination_of(kinds: &[Kind]) -> &'static str {
    match kinds {
        [Kind::Adr] => "adr",
        [Kind::Dar] => "dar",
        [Kind::Principle] => "principle",
        [Kind::Policy] => "policy",
        [Kind::Vocabulary] => "skosmos",
        [Kind::Document] => "document",
        [] => "catalogue",
        _ => "multi",
    }
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
        filter.about.as_deref().map(|topic| messages.text(Message::ListAbout, &[("topic", topic)])),
        filter.standing.map(|standing| {
            let standing = messages.text(Message::of_standing(standing), &[]);
            messages.text(Message::ListStanding, &[("standing", &standing)])
        }),
        filter.owner.as_deref().map(|owner| messages.text(Message::ListOwner, &[("owner", owner)])),
        filter.year.map(|year| messages.text(Message::ListYear, &[("year", &year.to_string())])),
    ];
    let scope: String = scope.into_iter().flatten().collect();
    let values = [("what", what.as_str()), ("scope", scope.as_str()), ("n", count.as_str())];
    if list.count_only {
        return messages.text(Message::ListCount, &values);
    }
    if documents.is_empty() {
        return messages.text(Message::ListNone, &values);
    }
    let rows = documents.iter().map(|document| {
        let status = document.status.as_deref().map_or_else(String::new, |status| format!(" ({status})"));
        let named = if document.number.is_some() {
            format!("{}: {}", document.reference(), document.title)
        } else {
            document.title.clone()
        };
        format!("- {named}{status}")
    });
    std::iter::once(messages.text(Message::ListHeading, &values)).chain(rows).collect::<Vec<_>>().join("\n")
}
