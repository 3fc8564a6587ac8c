use serde::{Deserialize, Serialize};

use crate::domain::{Document, Kind};

/// One document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ListRow {
    /// The document's id.
    pub id: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Its number.
    pub number: Option<u32>,
    /// Its title.
    pub title: String,
    /// Its status, as written.
    pub status: Option<String>,
    /// Its date.
    pub date: Option<String>,
    /// Its owner.
    pub owner: Option<String>,
    /// Where it lies.
    pub path: String,
}

impl From<&Document> for ListRow {
    fn from(document: &Document) -> Self {
        Self {
            id: document.id.to_string(),
            kind: document.kind,
            number: document.number,
            title: document.title.clone(),
            status: document.status.clone(),
            date: document.date.map(|date| date.to_string()),
            owner: document.owner.clone(),
            path: document.path.clone(),
        }
    }
}

/// One field of one record, read from the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FactAnswer {
    /// The record.
    pub document_id: String,
    /// The field, such as `status` or `approvers`.
    pub field: String,
    /// Its values; empty where the record does not give it.
    pub values: Vec<String>,
}
