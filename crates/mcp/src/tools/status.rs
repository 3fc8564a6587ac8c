use std::collections::BTreeMap;

use serde_json::json;

use super::{Failed, Given};
use crate::served::Served;

/// What the library holds for this user. Files that could not be read are counted and not named: who may see them is not known.
pub(super) async fn status(served: &Served) -> Result<Given, Failed> {
    let open = served.open().await?;
    let language = served.language();
    let remarks: Vec<String> = open.engine.remarks.iter().map(|remark| remark.text(language)).collect();
    let off: Vec<String> = open.engine.engine.banner().into_iter().map(|item| item.service).collect();
    let mut told = json!({
        "indexed": open.engine.library.is_some(),
        "vocabulary": open.engine.vocabulary.is_some(),
        "answers_with_model": open.workspace.answering_model(),
        "remarks": remarks,
        "off": off,
    });
    let mut lines = Vec::new();
    if let Some(library) = &open.engine.library {
        let failed = |problem: &dyn std::fmt::Display| Failed::from(problem.to_string());
        let status = library.status().await.map_err(|problem| failed(&problem))?;
        let documents = library.documents(served.scope()).await.map_err(|problem| failed(&problem))?;
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for one in &documents {
            *kinds.entry(one.record.document.kind.as_str()).or_default() += 1;
        }
        let passages: u64 = documents.iter().map(|one| u64::from(one.passages)).sum();
        let vectors = status.embedders.iter().any(|embedder| embedder.complete);
        let made = status.made_at.clone().unwrap_or_default();
        let counts: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        lines.push(format!(
            "Generation {}, made {made}: {}; {passages} passages.",
            status.generation,
            counts.join(", ")
        ));
        told["generation"] = json!(status.generation);
        told["made_at"] = json!(status.made_at);
        told["documents"] = json!(kinds);
        told["passages"] = json!(passages);
        told["vectors_complete"] = json!(vectors);
        told["unreadable_files"] = json!(status.problems.len());
    } else {
        lines.push("Nothing has been indexed yet.".to_owned());
    }
    if !off.is_empty() {
        lines.push(format!("Off at the moment: {}.", off.join(", ")));
    }
    lines.extend(remarks);
    Ok(Given { text: lines.join("\n"), data: told })
}
