use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use plumbline_core::domain::DocumentId;
use plumbline_core::ports::Scope;
use plumbline_evaluation::retrieval::{BeirSet, QueryRankings, RetrievalReport, evaluate};
use plumbline_library::PlainDocument;
use plumbline_telemetry::SystemClock;

use crate::arguments::Global;
use crate::commands::test_library;
use crate::{Outcome, wiring};

/// Indexes a test set into a library of its own and measures what its lanes find.
pub fn run(
    global: &Global,
    set: &Path,
    output: Option<&Path>,
    rankings: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let workspace = wiring::measured_workspace(global, global.workspace.clone())?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let set = BeirSet::read(set)?;
    let (names, documents) = named(&set);
    let remark = |text: String| wiring::remark(global, &text);
    let folder = test_library::indexed(&workspace, &runtime, &stop, documents, &remark)?;
    let mut asked: Vec<QueryRankings> = Vec::new();
    let report = runtime.block_on(async {
        let engine = test_library::search_engine(&workspace, &folder).await?;
        let done = |one: QueryRankings| {
            asked.push(one);
            remark(format!("asked {} questions", asked.len()));
        };
        anyhow::Ok(evaluate(&engine, &set, &names, &Scope::default(), &SystemClock, done).await?)
    })?;
    remark(String::new());
    if let Some(file) = rankings {
        let lines = asked.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        std::fs::write(file, lines.join("\n")).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let json = serde_json::to_string_pretty(&report)?;
    if let Some(file) = output {
        std::fs::write(file, &json).with_context(|| format!("cannot write {}", file.display()))?;
    }
    if global.json || (output.is_none() && global.quiet) {
        println!("{json}");
    } else {
        print(&report);
    }
    Ok(Outcome::Done)
}

/// Documents of the library for those of the set: ids of a test set may hold what ids here must not.
fn named(set: &BeirSet) -> (BTreeMap<DocumentId, String>, Vec<PlainDocument>) {
    let (mut names, mut documents) = (BTreeMap::new(), Vec::new());
    for (number, document) in set.documents.iter().enumerate() {
        let Ok(id) = DocumentId::new(format!("doc-{number:07}")) else { continue };
        names.insert(id.clone(), document.id.clone());
        documents.push(PlainDocument {
            id,
            title: document.title.clone(),
            text: document.text.clone(),
            access_tags: Vec::new(),
        });
    }
    (names, documents)
}

fn print(report: &RetrievalReport) {
    println!("{} questions over {} documents", report.queries, report.documents);
    println!("{:<9} {:>8} {:>8} {:>11}", "lane", "nDCG@10", "MRR", "recall@100");
    let lanes = &report.lanes;
    for (name, lane) in [("dense", &lanes.dense), ("lexical", &lanes.lexical), ("whole", &lanes.whole)] {
        println!("{name:<9} {:>8.4} {:>8.4} {:>11.4}", lane.ndcg10, lane.mrr, lane.recall100);
    }
    let latency = &report.latency_ms;
    println!(
        "a question takes {:.1} ms (p50), {:.1} (p95), {:.1} (p99)",
        latency.p50, latency.p95, latency.p99
    );
    for (flag, count) in &report.fallbacks {
        println!("{flag} in {count} questions");
    }
}
