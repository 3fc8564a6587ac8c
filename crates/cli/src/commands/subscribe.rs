use std::sync::Arc;

use anyhow::{anyhow, bail};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_library::TeamLibrary;
use plumbline_team::{
    Address, FollowStep, Followed, Follower, TeamError, follow, followed, keep_following, stays, unfollow,
};
use plumbline_workspace::Workspace;
use tokio::runtime::Runtime;

use crate::arguments::{Global, SubscribeArguments};
use crate::{Outcome, wiring};

/// Follows a team library, or takes in what is new of all that are followed.
pub fn run(global: &Global, arguments: &SubscribeArguments) -> anyhow::Result<Outcome> {
    let workspace = Arc::new(wiring::workspace(global)?);
    let runtime = wiring::runtime()?;
    let language = workspace.settings().general.language;
    let told = |problem: TeamError| anyhow!(problem.detail().text(language));
    let known = runtime.block_on(followed(&workspace)).map_err(told)?;
    let address = arguments.address.as_deref().map(Address::parse).transpose();
    let address = address.map_err(|problem| told(problem.into()))?;
    if let (Some(address), true) = (&address, arguments.remove) {
        return remove(&workspace, &runtime, address);
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
    let follower = Follower::default();
    let mut reports = Vec::new();
    let mut problems = Vec::new();
    for address in addresses {
        let progress = |step| {
            if let FollowStep::Arriving { done, total } = step {
                wiring::remark(global, &format!("{done} of {total} files have arrived"));
            }
        };
        let looked = runtime.block_on(follow(&workspace, &follower, &address, arguments.in_place, &progress));
        wiring::remark(global, "");
        match looked {
            Ok(report) => reports.push(report),
            Err(problem) => problems.push(refused(&problem, &known, &address, &workspace)),
        }
    }
    if global.json {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    } else {
        reports.iter().for_each(print);
    }
    if arguments.follow {
        return keep(global, &runtime, workspace, &follower);
    }
    match problems.into_iter().reduce(|first, next| first.context(next)) {
        Some(problem) => Err(problem),
        None => Ok(Outcome::Done),
    }
}

/// Goes on following until it is stopped, and prints what comes of it.
fn keep(
    global: &Global,
    runtime: &Runtime,
    workspace: Arc<Workspace>,
    follower: &Follower,
) -> anyhow::Result<Outcome> {
    let stop = wiring::stop_on_interrupt(runtime);
    let language = workspace.settings().general.language;
    let tell = |address: &str, looked: Result<Followed, TeamError>| match looked {
        Ok(report) if !report.new => {}
        Ok(report) if global.json => println!("{}", serde_json::json!(report)),
        Ok(report) => print(&report),
        Err(problem) => eprintln!("plumbline: {address}: {}", problem.detail().text(language)),
    };
    runtime.block_on(keep_following(|| Some(Arc::clone(&workspace)), follower, tell, stop));
    Ok(Outcome::Done)
}

/// Why a generation was not taken in, and what answers instead.
fn refused(
    problem: &TeamError,
    known: &[TeamLibrary],
    address: &Address,
    workspace: &Workspace,
) -> anyhow::Error {
    let place = address.to_string();
    let stays = known.iter().find(|library| library.address == place).map(stays);
    let told = Detail::all([problem.detail()].into_iter().chain(stays).collect());
    anyhow!(told.text(workspace.settings().general.language))
}

fn remove(workspace: &Workspace, runtime: &Runtime, address: &Address) -> anyhow::Result<Outcome> {
    let language = workspace.settings().general.language;
    let told = |problem: TeamError| anyhow!(problem.detail().text(language));
    if !runtime.block_on(unfollow(workspace, &Follower::default(), address)).map_err(told)? {
        let unknown = Detail::of(Message::TeamNotFollowed, [("address", address.to_string().into())]);
        bail!(unknown.text(language));
    }
    Ok(Outcome::Done)
}

fn print(followed: &Followed) {
    let report = &followed.report;
    if !followed.new {
        println!("{}: generation {} is the newest.", followed.address, followed.generation);
        return;
    }
    println!(
        "{}: generation {} of {} is in force{}. {}; {} new, {} changed, {} gone; {} pulled",
        followed.address,
        followed.generation,
        followed.published_at,
        if followed.in_place { ", read in place" } else { "" },
        wiring::counted(report.documents, "document", "documents"),
        report.added,
        report.changed,
        report.removed,
        wiring::megabytes(followed.traffic.bytes_pulled)
    );
}
