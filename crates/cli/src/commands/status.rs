use std::collections::BTreeMap;

use plumbline_core::domain::Language;
use plumbline_library::LibraryStatus;
use plumbline_team::{LastLook, last_looks};

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Shows what the library holds and what it could not take in.
pub fn run(global: &Global) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let status = wiring::runtime()?.block_on(async {
        let library = workspace.library(None).await?;
        anyhow::Ok(library.status().await?)
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&status)?);
    } else {
        print(&status, &last_looks(workspace.folder()), workspace.settings().general.language);
    }
    Ok(Outcome::Done)
}

fn print(status: &LibraryStatus, looks: &BTreeMap<String, LastLook>, language: Language) {
    let made = status.made_at.as_deref().unwrap_or("never");
    println!("Generation {}, made {made}", status.generation);
    for origin in &status.origins {
        println!("  from {}", origin.display());
    }
    for library in &status.team_libraries {
        println!(
            "  from the team library at {}: generation {}, published {}{}",
            library.address,
            library.generation,
            library.published_at,
            if library.in_place.is_some() { ", read in place" } else { "" }
        );
        let Some(look) = looks.get(&library.address) else { continue };
        match &look.problem {
            Some(problem) => println!("    looked {}: {}", look.looked_at, problem.0.text(language)),
            None => println!("    looked {}: nothing newer", look.looked_at),
        }
    }
    let counted = |counts: Vec<String>| counts.join(", ");
    println!(
        "Documents: {}",
        counted(status.documents.iter().map(|(kind, n)| format!("{n} {kind}")).collect())
    );
    // Passages and vectors of what is read in place lie in the store.
    let is_far = status.team_libraries.iter().any(|library| library.in_place.is_some());
    let elsewhere = if is_far { ", and those that are read in place" } else { "" };
    match counted(status.chunks.iter().map(|(name, n)| format!("{n} {name}")).collect()) {
        none if none.is_empty() && is_far => {
            println!("Passages: none here, only those that are read in place")
        }
        passages => println!("Passages: {passages}{elsewhere}"),
    }
    if status.embedders.is_empty() && is_far {
        println!("Vectors: none here, only those that are read in place");
    } else if status.embedders.is_empty() {
        println!("Vectors: none; the library is searched by words alone");
    }
    for embedder in &status.embedders {
        let state = if embedder.complete { "complete" } else { "not complete: run `plumbline index`" };
        println!("Vectors of {}: {} ({state})", embedder.fingerprint, embedder.tables.join(", "));
    }
    let megabytes = |bytes: &u64| format!("{:.1} MB", *bytes as f64 / 1e6);
    println!(
        "On disk: {}",
        counted(status.bytes.iter().map(|(name, bytes)| format!("{name} {}", megabytes(bytes))).collect())
    );
    if !status.problems.is_empty() {
        println!("\nNot in the library ({}):", status.problems.len());
        for file in &status.problems {
            println!("  {}/{}: {}", file.source, file.path, file.problem.text(language));
        }
    }
}
