use anyhow::anyhow;
use jiff::SignedDuration;
use plumbline_team::{Address, Keep, PruneReport, PublishReport, Remote, TeamError, prune, publish};
use plumbline_telemetry::{Clock, SystemClock};
use plumbline_workspace::Workspace;
use serde::Serialize;

use crate::arguments::{Global, PublishArguments};
use crate::{Outcome, wiring};

/// What is told as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    published: PublishReport,
    pruned: Option<PruneReport>,
}

/// Publishes the newest complete generation.
pub fn run(global: &Global, arguments: &PublishArguments) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let language = workspace.settings().general.language;
    let report = wiring::runtime()?.block_on(async {
        let told = |problem: TeamError| anyhow!(problem.detail().text(language));
        let remote = Address::parse(&arguments.address).and_then(|address| Remote::open(&address));
        let remote = remote.map_err(told)?;
        published(&workspace, &remote, arguments).await
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(Outcome::Done)
}

async fn published(
    workspace: &Workspace,
    remote: &Remote,
    arguments: &PublishArguments,
) -> anyhow::Result<Report> {
    let language = workspace.settings().general.language;
    let told = |problem: TeamError| anyhow!(problem.detail().text(language));
    let key = workspace.embedder().await?.key;
    let library = workspace.library(Some(key)).await?;
    let export = library.export().await.map_err(|problem| told(problem.into()))?;
    let now = SystemClock.now();
    let published = publish(remote, &export, now, arguments.repair).await.map_err(told)?;
    let keep = Keep {
        count: usize::from(arguments.keep),
        age: SignedDuration::from_hours(24 * i64::from(arguments.keep_days)),
    };
    let pruned = match arguments.prune {
        true => Some(prune(remote, keep, now).await.map_err(told)?),
        false => None,
    };
    Ok(Report { published, pruned })
}

fn print(report: &Report) {
    let published = &report.published;
    if published.new {
        println!("Generation {} is in force at {}.", published.generation, published.address);
    } else {
        println!("Nothing has changed: generation {} stays in force.", published.generation);
    }
    println!(
        "{} documents on {} shelves; {} new or changed, {} gone or changed; {} files sent, {}",
        published.documents,
        published.shelves,
        published.added,
        published.removed,
        published.files_sent,
        wiring::megabytes(published.traffic.bytes_sent)
    );
    if let Some(pruned) = &report.pruned {
        println!(
            "Taken away: {} generations, {} files, {}",
            pruned.generations,
            pruned.files,
            wiring::megabytes(pruned.bytes)
        );
    }
}
