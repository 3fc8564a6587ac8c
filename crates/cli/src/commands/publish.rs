use std::sync::Arc;

use anyhow::anyhow;
use jiff::SignedDuration;
use plumbline_team::{Address, Keep, KeyStore, Published, TeamError, Wanted, publish_library};

use crate::arguments::{Global, PublishArguments};
use crate::{Outcome, wiring};

/// Publishes the newest complete generation.
pub fn run(global: &Global, arguments: &PublishArguments) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let language = workspace.settings().general.language;
    let told = |problem: TeamError| anyhow!(problem.detail().text(language));
    let address = Address::parse(&arguments.address).map_err(|problem| told(problem.into()))?;
    let keep = arguments.prune.then(|| Keep {
        count: usize::from(arguments.keep),
        age: SignedDuration::from_hours(24 * i64::from(arguments.keep_days)),
    });
    let wanted = Wanted { repair: arguments.repair, in_place: arguments.in_place };
    let keys = Arc::new(KeyStore::of_system());
    let progress = |done, all| wiring::remark(global, &format!("{done} of {all} documents are there"));
    let published = wiring::runtime()?
        .block_on(publish_library(&workspace, &keys, &address, wanted, keep, &progress))
        .map_err(told)?;
    wiring::remark(global, "");
    if global.json {
        println!("{}", serde_json::to_string_pretty(&published)?);
    } else {
        print(&published);
    }
    Ok(Outcome::Done)
}

fn print(published: &Published) {
    let report = &published.report;
    if report.new {
        println!("Generation {} is in force at {}.", report.generation, report.address);
    } else {
        println!("Nothing has changed: generation {} stays in force.", report.generation);
    }
    println!(
        "{} on {}; {} new or changed, {} gone or changed; {} sent, {}",
        wiring::counted(report.documents, "document", "documents"),
        wiring::counted(report.shelves, "shelf", "shelves"),
        report.added,
        report.removed,
        wiring::counted(report.files_sent, "file", "files"),
        wiring::megabytes(report.traffic.bytes_sent)
    );
    if report.entries + report.entries_left_out + report.vocabularies > 0 {
        println!(
            "{} of curated memory, {}",
            wiring::counted(report.entries, "entry", "entries"),
            wiring::counted(report.vocabularies, "file of vocabularies", "files of vocabularies"),
        );
    }
    if report.entries_left_out > 0 {
        println!(
            "Not published: {} of curated memory, because nobody may read all that they point at",
            wiring::counted(report.entries_left_out, "entry", "entries")
        );
    }
    if let Some(pruned) = &published.pruned {
        println!(
            "Taken away: {}, {}, {}",
            wiring::counted(pruned.generations, "generation", "generations"),
            wiring::counted(pruned.files, "file", "files"),
            wiring::megabytes(pruned.bytes)
        );
    }
}
