use plumbline_core::domain::Candidate;
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Failed, Given, read};
use crate::address::Address;
use crate::served::Served;
use crate::text;

/// So many passages unless it is said otherwise, and never more than these.
const USUAL: usize = 10;
const MOST: usize = 50;

pub(super) fn takes() -> (Value, &'static [&'static str]) {
    let properties = json!({
        "query": { "type": "string", "description": "A question or keywords." },
        "limit": {
            "type": "integer",
            "description": "How many passages at most.",
            "minimum": 1,
            "maximum": MOST,
            "default": USUAL,
        },
    });
    (properties, &["query"])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    limit: Option<usize>,
}

pub(super) async fn search(served: &Served, arguments: JsonObject) -> Result<Given, Failed> {
    let Search { query, limit } = read(arguments)?;
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let open = served.open().await?;
    let found = open.engine.engine.retrieve(&query, served.scope(), limit).await;
    let found = found.map_err(|problem| Failed::of(&problem, served.language()))?;
    let passages: Vec<&Candidate> = found.whole.iter().take(limit).collect();
    let row = |candidate: &&Candidate| {
        let chunk = &candidate.chunk;
        json!({
            "address": Address::Passage(chunk.source_id.clone()).to_string(),
            "source_id": chunk.source_id,
            "document_id": chunk.document.id,
            "title": chunk.document.title,
            "status": chunk.document.status,
            "section_path": chunk.section_path,
            "page": chunk.page,
            "text": chunk.text,
        })
    };
    Ok(Given {
        text: text::passages(&passages),
        data: json!({
            "passages": passages.iter().map(row).collect::<Vec<_>>(),
            "fallback_flags": found.fallback_flags,
        }),
    })
}
