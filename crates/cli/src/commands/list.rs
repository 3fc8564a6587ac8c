use plumbline_core::ports::{Catalogue, DocumentFilter};
use plumbline_core::response::ListRow;
use serde_json::json;

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Lists documents from the catalogue, complete and in a fixed order.
pub fn run(global: &Global, filter: &DocumentFilter) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let rows: Vec<ListRow> = wiring::runtime()?.block_on(async {
        let library = workspace.library(None).await?;
        let listed = library.list(filter, &wiring::scope(global)).await?;
        anyhow::Ok(listed.iter().map(|document| ListRow::from(document.as_ref())).collect())
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&json!({ "rows": rows, "total": rows.len() }))?);
        return Ok(Outcome::Done);
    }
    let width = rows.iter().map(|row| row.id.len()).max().unwrap_or(0);
    for row in &rows {
        let status = row.status.as_deref().unwrap_or("-");
        let date = row.date.as_deref().unwrap_or("-");
        println!("{:<width$}  {date:<10}  {status:<12}  {}", row.id, row.title);
    }
    println!("{} in all", rows.len());
    Ok(Outcome::Done)
}
