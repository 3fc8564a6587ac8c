use std::collections::BTreeSet;

use anyhow::{anyhow, bail};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_library::{FollowReport, Indexer, Library, TeamLibrary};
use plumbline_team::{Address, Pull, Pulled, Remote, Traffic, pull};
use plumbline_workspace::Workspace;
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::arguments::{Global, SubscribeArguments};
use crate::{Outcome, wiring};

/// Where files lie until they are taken in.
const CACHE: &str = "pulled";

/// What became of one library that is followed.
#[derive(Serialize)]
struct Report {
    address: String,
    /// The published generation that is in force now.
    generation: u64,
    /// When that was published.
    published_at: String,
    /// Whether it is new here.
    new: bool,
    #[serde(flatten)]
    followed: FollowReport,
    #[serde(flatten)]
    traffic: Traffic,
}

/// Follows a team library, or takes in what is new of all that are followed.
pub fn run(global: &Global, arguments: &SubscribeArguments) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let runtime = wiring::runtime()?;
    let known = runtime.block_on(followed(&workspace))?;
    let language = workspace.settings().general.language;
    let address = match &arguments.address {
        Some(written) => {
            Some(Address::parse(written).map_err(|problem| anyhow!(problem.detail().text(language)))?)
        }
        None => None,
    };
    if let (Some(address), true) = (&address, arguments.remove) {
        return remove(&workspace, &runtime, &address.to_string());
    }
    let addresses: Vec<Address> = match address {
        Some(address) => vec![address],
        None => known.iter().filter_map(|library| Address::parse(&library.address).ok()).collect(),
    };
    if addresses.is_empty() {
        bail!(
            "no team library is followed yet: give its address, as in `plumbline subscribe s3://bucket/path`"
        );
    }
    let mut reports = Vec::new();
    let mut problems = Vec::new();
    for address in addresses {
        match subscribe(global, &workspace, &runtime, &address) {
            Ok(report) => reports.push(report),
            Err(problem) => problems.push(problem),
        }
    }
    if global.json {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    } else {
        reports.iter().for_each(print);
    }
    match problems.into_iter().reduce(|first, next| first.context(next)) {
        Some(problem) => Err(problem),
        None => Ok(Outcome::Done),
    }
}

async fn followed(workspace: &Workspace) -> anyhow::Result<Vec<TeamLibrary>> {
    match Library::open(workspace.folder(), None).await? {
        Some(library) => Ok(library.team_libraries().await?),
        None => Ok(Vec::new()),
    }
}

/// Pulls what is new at an address and puts it in force.
fn subscribe(
    global: &Global,
    workspace: &Workspace,
    runtime: &Runtime,
    address: &Address,
) -> anyhow::Result<Report> {
    let language = workspace.settings().general.language;
    let options = runtime.block_on(workspace.index_options(true))?;
    let Some((_, key)) = &options.embedder else { bail!("there is no embedder") };
    let place = address.to_string();
    let cache = workspace.folder().join(CACHE);
    let (in_force, held) = runtime.block_on(async {
        let Some(library) = Library::open(workspace.folder(), Some(key.clone())).await? else {
            return anyhow::Ok((None, BTreeSet::new()));
        };
        let known = library.team_libraries().await?.into_iter().find(|library| library.address == place);
        Ok((known, library.digests_of(&place).await?))
    })?;
    let told = |problem: Detail| {
        let stays = in_force.as_ref().map(|library| {
            let values = [
                ("generation", library.generation.to_string().into()),
                ("date", library.published_at.as_str().into()),
            ];
            Detail::of(Message::TeamStays, values)
        });
        anyhow!(Detail::all([problem].into_iter().chain(stays).collect()).text(language))
    };
    let remote = Remote::open(address).map_err(|problem| told(problem.detail()))?;
    let progress = |done, all| wiring::remark(global, &format!("{done} of {all} files have arrived"));
    let asked = Pull {
        in_force: in_force.as_ref(),
        held: &held,
        fingerprint: &key.fingerprint,
        cache: &cache,
        progress: &progress,
    };
    let pulled = runtime.block_on(pull(&remote, asked)).map_err(|problem| told(problem.detail()))?;
    wiring::remark(global, "");
    let shared = match pulled {
        Pulled::UpToDate(generation) => {
            let published_at = in_force.map(|library| library.published_at).unwrap_or_default();
            let followed = FollowReport { documents: held.len(), ..FollowReport::default() };
            let traffic = remote.traffic();
            return Ok(Report { address: place, generation, published_at, new: false, followed, traffic });
        }
        Pulled::Generation(shared) => shared,
    };
    let (generation, published_at) = (shared.generation, shared.published_at.clone());
    let mut indexer = Indexer::open(workspace.folder(), options, runtime.handle().clone())
        .map_err(|problem| told(problem.detail()))?;
    let followed = indexer.follow(*shared).map_err(|problem| told(problem.detail()))?;
    // They are in the library now; what cannot be removed is looked at again by the next pull.
    let _ = std::fs::remove_dir_all(&cache);
    Ok(Report { address: place, generation, published_at, new: true, followed, traffic: remote.traffic() })
}

fn remove(workspace: &Workspace, runtime: &Runtime, address: &str) -> anyhow::Result<Outcome> {
    let language = workspace.settings().general.language;
    let options = runtime.block_on(workspace.index_options(true))?;
    let mut indexer = Indexer::open(workspace.folder(), options, runtime.handle().clone())?;
    if !indexer.unfollow(address)? {
        let unknown = Detail::of(Message::TeamNotFollowed, [("address", address.into())]);
        bail!(unknown.text(language));
    }
    Ok(Outcome::Done)
}

fn print(report: &Report) {
    let followed = &report.followed;
    if !report.new {
        println!("{}: generation {} is the newest.", report.address, report.generation);
        return;
    }
    println!(
        "{}: generation {} of {} is in force. {} documents; {} new, {} changed, {} gone; {} pulled",
        report.address,
        report.generation,
        report.published_at,
        followed.documents,
        followed.added,
        followed.changed,
        followed.removed,
        wiring::megabytes(report.traffic.bytes_pulled)
    );
}
