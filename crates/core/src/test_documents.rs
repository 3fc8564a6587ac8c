//! A record for the tests in this crate.

use std::sync::Arc;

use crate::domain::{Document, DocumentId, Kind, Language};

/// An ADR with this number and title.
pub(crate) fn document(number: u32, title: &str) -> Arc<Document> {
    let id = DocumentId::new(format!("adr-{number:04}")).unwrap();
    Arc::new(Document {
        id,
        kind: Kind::Adr,
        collection: Kind::Adr.into(),
        number: Some(number),
        title: title.to_owned(),
        status: None,
        approval_status: None,
        codes: Vec::new(),
        version: None,
        date: None,
        owner: None,
        approvers: Vec::new(),
        deciders: Vec::new(),
        tags: Vec::new(),
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        language: Language::EN,
        source: String::new(),
        path: format!("{number:04}.md"),
    })
}
