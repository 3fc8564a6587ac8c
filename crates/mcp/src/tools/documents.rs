use std::sync::Arc;

use plumbline_core::domain::{Document, Kind, Standing};
use plumbline_core::ports::{Catalogue, DocumentFilter, Years};
use plumbline_core::response::ListRow;
use plumbline_library::{Found, Library};
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Failed, Given, data, read};
use crate::address::Address;
use crate::followed::OpenWorkspace;
use crate::served::Served;
use crate::text;

/// So many rows at a time.
const PAGE: usize = 100;
/// The kinds that documents are of, as they are asked for.
const KINDS: [(&str, Kind); 5] = [
    ("adr", Kind::Adr),
    ("dar", Kind::Dar),
    ("principle", Kind::Principle),
    ("policy", Kind::Policy),
    ("document", Kind::Document),
];
const STANDINGS: [&str; 5] = ["accepted", "proposed", "superseded", "deprecated", "rejected"];

pub(super) fn list_takes() -> (Value, &'static [&'static str]) {
    let kinds = KINDS.map(|(name, _)| name);
    let properties = json!({
        "kind": { "type": "string", "enum": kinds, "description": "Only documents of this kind." },
        "about": { "type": "string", "description": "Only those that are about a topic." },
        "status": { "type": "string", "enum": STANDINGS, "description": "Only those with this standing." },
        "owner": { "type": "string", "description": "Only those of this owner." },
        "year": { "type": "integer", "description": "Only those of this year." },
        "offset": { "type": "integer", "minimum": 0, "description": format!("Rows to pass over; {PAGE} come at a time.") },
    });
    (properties, &[])
}

pub(super) fn get_takes() -> (Value, &'static [&'static str]) {
    (json!({ "id": { "type": "string", "description": "Its id, or any reference to it." } }), &["id"])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    kind: Option<String>,
    about: Option<String>,
    status: Option<String>,
    owner: Option<String>,
    year: Option<i16>,
    offset: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Get {
    id: String,
}

pub(super) async fn list(served: &Served, arguments: JsonObject) -> Result<Given, Failed> {
    let List { kind, about, status, owner, year, offset } = read(arguments)?;
    let kinds = match &kind {
        Some(wanted) => {
            let known = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            let (_, kind) = known.ok_or_else(|| format!("`{wanted}` is no kind of document"))?;
            vec![*kind]
        }
        None => Vec::new(),
    };
    let standing = match &status {
        Some(wanted) => match Standing::from_status(wanted) {
            Standing::Unknown => return Err(format!("`{wanted}` is no standing").into()),
            standing => Some(standing),
        },
        None => None,
    };
    let filter = DocumentFilter {
        kinds,
        standings: standing.into_iter().collect(),
        about,
        owner,
        years: year.map(Years::only),
        ..DocumentFilter::default()
    };
    let open = served.open().await?;
    let listed = match &open.engine.library {
        Some(library) => library
            .list(&filter, served.scope())
            .await
            .map_err(|problem| problem.detail().text(served.language()))?,
        None => Vec::new(),
    };
    let total = listed.len();
    let rows: Vec<ListRow> =
        listed.iter().skip(offset.unwrap_or(0)).take(PAGE).map(|document| document.as_ref().into()).collect();
    Ok(Given { text: text::rows(&rows, total), data: json!({ "documents": data(&rows)?, "total": total }) })
}

pub(super) async fn get(served: &Served, arguments: JsonObject) -> Result<Given, Failed> {
    let Get { id } = read(arguments)?;
    let id = match id.parse() {
        Ok(Address::Document(id)) => id.to_string(),
        _ => id,
    };
    let open = served.open().await?;
    let library = library(&open)?;
    let told = |problem: &dyn std::fmt::Display| Failed::from(problem.to_string());
    let found = library.find(&id, served.scope()).await.map_err(|problem| told(&problem))?;
    let document = match found {
        Found::One(document) => document,
        Found::Several(reference, several) => {
            return Err(others(&format!("{reference} fits several"), &several));
        }
        Found::Unknown(reference, near) => return Err(others(&format!("there is no {reference}"), &near)),
        Found::NoReference => return Err(format!("`{id}` names no document").into()),
    };
    let passages = library.passages(&document.id, served.scope()).await.map_err(|problem| told(&problem))?;
    let rows: Vec<Value> = passages
        .iter()
        .map(|chunk| {
            json!({
                "address": Address::Passage(chunk.source_id.clone()).to_string(),
                "source_id": chunk.source_id,
                "section_path": chunk.section_path,
                "page": chunk.page,
                "text": chunk.text,
            })
        })
        .collect();
    Ok(Given {
        text: text::document(&document, passages.iter().map(AsRef::as_ref)),
        data: json!({
            "address": Address::Document(document.id.clone()).to_string(),
            "document": data(document.as_ref())?,
            "passages": rows,
        }),
    })
}

fn library(open: &OpenWorkspace) -> Result<&Arc<Library>, Failed> {
    open.engine.library.as_ref().ok_or_else(|| "nothing has been indexed yet".to_owned().into())
}

/// Why no one document is meant, with those that may be.
fn others(why: &str, documents: &[Arc<Document>]) -> Failed {
    let rows: Vec<ListRow> = documents.iter().map(|document| document.as_ref().into()).collect();
    let named: Vec<String> = rows.iter().map(|row| format!("{} ({})", row.id, row.title)).collect();
    let text =
        if named.is_empty() { why.to_owned() } else { format!("{why}; nearest: {}", named.join(", ")) };
    Failed { text, data: Some(json!({ "documents": rows })) }
}
