use std::sync::Arc;

use anyhow::bail;
use plumbline_core::domain::{Document, DocumentId};
use plumbline_core::ports::{Index, Scope};
use plumbline_library::{Found, Library, Record};
use serde_json::json;

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Shows one document and its passages.
pub fn run(global: &Global, written: &str) -> anyhow::Result<Outcome> {
    let scope = wiring::scope(global);
    let workspace = wiring::workspace(global)?;
    let (record, passages) = wiring::runtime()?.block_on(async {
        let library = workspace.library(None).await?;
        let id = find(&library, written, &scope).await?;
        let Some(record) = library.record(&id, &scope).await? else { bail!("there is no document `{id}`") };
        let passages = library.address(&[id], None, &scope).await?;
        anyhow::Ok((record, passages))
    })?;
    if global.json {
        let passages: Vec<_> = passages
            .iter()
            .map(|hit| {
                json!({
                    "source_id": hit.chunk.source_id,
                    "section_path": hit.chunk.section_path,
                    "page": hit.chunk.page,
                    "span": hit.chunk.span,
                    "language": hit.chunk.language,
                    "text": hit.chunk.text,
                })
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&json!({ "record": record, "passages": passages }))?);
        return Ok(Outcome::Done);
    }
    print(&record);
    for hit in &passages {
        let page = hit.chunk.page.map_or_else(String::new, |page| format!(", page {page}"));
        println!("\n[{}] {}{page}", hit.chunk.source_id, hit.chunk.section_path.join(" › "));
        println!("{}", hit.chunk.text);
    }
    Ok(Outcome::Done)
}

/// The document that an id or a reference means.
async fn find(library: &Library, written: &str, scope: &Scope) -> anyhow::Result<DocumentId> {
    let named = |documents: &[Arc<Document>]| {
        let named = documents.iter().map(|document| format!("{} ({})", document.id, document.title));
        named.collect::<Vec<_>>().join(", ")
    };
    match library.find(written, scope).await? {
        Found::One(document) => Ok(document.id.clone()),
        Found::Several(reference, several) => bail!("{reference} fits several: {}", named(&several)),
        Found::Unknown(reference, near) => bail!("there is no {reference}; nearest: {}", named(&near)),
        Found::NoReference => {
            bail!("`{written}` names no document; `plumbline list all` shows what there is")
        }
    }
}

fn print(record: &Record) {
    let document = &record.document;
    let ids = |ids: &[DocumentId]| ids.iter().map(DocumentId::as_str).collect::<Vec<_>>().join(", ");
    let date = |date: Option<jiff::civil::Date>| date.map(|date| date.to_string()).unwrap_or_default();
    println!("{}: {}", document.reference(), document.title);
    let rows = [
        ("id", document.id.to_string()),
        ("type", document.kind.as_str().to_owned()),
        ("status", document.status.clone().unwrap_or_default()),
        ("approval record", document.approval_status.clone().unwrap_or_default()),
        ("version", document.version.clone().unwrap_or_default()),
        ("date", date(document.date)),
        ("first dated", date(record.created)),
        ("owner", document.owner.clone().unwrap_or_default()),
        ("deciders", document.deciders.join(", ")),
        ("approvers", document.approvers.join(", ")),
        ("topics", document.tags.join(", ")),
        ("supersedes", ids(&document.supersedes)),
        ("superseded by", ids(&document.superseded_by)),
        ("language", document.language.code().to_owned()),
        ("access", record.access_tags.join(", ")),
        ("file", format!("{} ({})", document.path, record.source)),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        println!("  {name:<16}{value}");
    }
}
