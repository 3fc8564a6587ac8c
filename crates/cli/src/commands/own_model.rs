//! The model that Plumbline runs by itself: downloaded and run when that is asked for.

use anyhow::{anyhow, bail};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_models::managed::{
    FetchProgress, GuardCommand, ManagedError, ManagedServer, Plan, Status, download, fetch,
};
use plumbline_workspace::Workspace;

use crate::arguments::Global;
use crate::wiring;

/// Downloads the model of the settings, or what is missing of it.
pub fn fetch_model(global: &Global, workspace: &Workspace) -> anyhow::Result<()> {
    let told = |problem: ManagedError| told(workspace, &problem.detail());
    let wanted = download(&workspace.given_settings().managed, workspace.folder()).map_err(told)?;
    let remark = |progress: FetchProgress| match progress {
        FetchProgress::Fetching { done, total: Some(total) } => {
            wiring::remark(global, &format!("{} of {}", wiring::megabytes(done), wiring::megabytes(total)))
        }
        FetchProgress::Fetching { done, total: None } => wiring::remark(global, &wiring::megabytes(done)),
        FetchProgress::Checking => wiring::remark(global, "checking"),
    };
    wiring::runtime()?.block_on(fetch(&wanted, &remark)).map_err(told)?;
    wiring::remark(global, "");
    let file = [("file", wanted.file.display().to_string().into())];
    println!("{}", Detail::of(Message::ManagedHere, file).text(workspace.settings().general.language));
    Ok(())
}

/// Runs the model until Ctrl-C, or until it ends by itself.
pub fn serve_model(global: &Global, workspace: &Workspace) -> anyhow::Result<()> {
    let settings = &workspace.given_settings().managed;
    if !settings.enabled {
        bail!(told(workspace, &Message::ManagedOff.into()));
    }
    let failed = |problem: ManagedError| told(workspace, &problem.detail());
    let plan = Plan::of(settings, workspace.folder()).map_err(failed)?;
    let guard = GuardCommand::this_program()?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    wiring::remark(
        global,
        &Detail::from(Message::ManagedLoading).text(workspace.settings().general.language),
    );
    runtime.block_on(async {
        let starting = ManagedServer::start(&plan, &guard, workspace.folder());
        let server = tokio::select! {
            started = starting => started.map_err(failed)?,
            () = stop.cancelled() => return Ok(()),
        };
        wiring::remark(global, "");
        let mut status = server.status();
        if let Status::Running(running) = &*status.borrow() {
            let told =
                [("model", running.model.as_str().into()), ("address", running.address.as_str().into())];
            println!(
                "{}",
                Detail::of(Message::ManagedRunning, told).text(workspace.settings().general.language)
            );
        }
        let ended = tokio::select! {
            () = stop.cancelled() => None,
            ended = status.wait_for(|now| matches!(now, Status::Ended(_))) => match ended.as_deref() {
                Ok(Status::Ended(why)) => Some(why.clone()),
                _ => None,
            },
        };
        server.stop().await;
        match ended.flatten() {
            Some(why) => Err(failed(why)),
            None => Ok(()),
        }
    })
}

fn told(workspace: &Workspace, detail: &Detail) -> anyhow::Error {
    anyhow!(detail.text(workspace.settings().general.language))
}
