use std::sync::Arc;

use plumbline_core::domain::{Candidate, Lane};
use plumbline_core::engine::Retrieved;
use plumbline_core::response::StageOutcome;
use serde_json::{Value, json};

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Finds passages and says which lane found them; nothing is decided and nothing is answered.
pub fn run(global: &Global, query: &str, limit: usize) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let found = wiring::runtime()?.block_on(async {
        let (library, embedder) = workspace.searched_library().await?;
        let engine = workspace.search_engine(Arc::new(library), Some(&embedder))?;
        anyhow::Ok(engine.retrieve(query, &wiring::scope(global), limit).await?)
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&found, limit))?);
        return Ok(Outcome::Done);
    }
    for stage in &found.stages {
        if let StageOutcome::Failed(reason) | StageOutcome::Skipped(reason) = &stage.outcome
            && !global.quiet
        {
            eprintln!("{}: {reason}", stage.stage.as_str());
        }
    }
    for (place, candidate) in (1..).zip(found.whole.iter().take(limit)) {
        print(place, candidate);
    }
    if found.whole.is_empty() {
        println!("Nothing was found.");
    }
    Ok(Outcome::Done)
}

fn print(place: usize, candidate: &Candidate) {
    let chunk = &candidate.chunk;
    let score = |score: Option<f32>| score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
    let lanes: Vec<String> =
        candidate.ranks.iter().map(|rank| format!("{} #{}", rank.lane.as_str(), rank.rank)).collect();
    println!("{place}. [{}] {} › {}", chunk.source_id, chunk.document.title, chunk.section_path.join(" › "));
    println!(
        "   cosine {}, words {}; {}",
        score(candidate.cosine),
        score(candidate.lexical),
        lanes.join(", ")
    );
    let line: String =
        chunk.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
    println!("   {line}");
}

fn as_json(found: &Retrieved, limit: usize) -> Value {
    let row = |candidate: &Candidate| {
        json!({
            "source_id": candidate.chunk.source_id,
            "document_id": candidate.chunk.document.id,
            "title": candidate.chunk.document.title,
            "section_path": candidate.chunk.section_path,
            "page": candidate.chunk.page,
            "text": candidate.chunk.text,
            "cosine": candidate.cosine,
            "lexical": candidate.lexical,
            "fused": candidate.fused,
            "ranks": candidate.ranks,
        })
    };
    let rows = |ranking: &[Candidate]| ranking.iter().take(limit).map(row).collect::<Vec<_>>();
    let lane = |lane: Lane| found.lanes.get(&lane).map(|ranking| rows(ranking)).unwrap_or_default();
    json!({
        "whole": rows(&found.whole),
        "lanes": {
            "dense": lane(Lane::Dense),
            "lexical": lane(Lane::Lexical),
            "address": lane(Lane::Address),
            "curated": lane(Lane::Curated),
        },
        "stages": found.stages,
        "fallback_flags": found.fallback_flags,
    })
}
