//! What commands share: the workspace that the flags name, the runtime, and what the user may see.

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use plumbline_core::ports::Scope;
use plumbline_core::request::AskRequest;
use plumbline_evaluation::judge_model::JudgeModel;
use plumbline_team::{FollowedShelves, Follower, KeyStore, keep_following};
use plumbline_telemetry::LogGuard;
use plumbline_workspace::{OpenEngine, Shelves, Workspace, WorkspaceOptions};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::arguments::Global;

/// A model of the allowlist that is asked for verdicts.
pub fn judge_model(workspace: &Workspace, model: &str) -> anyhow::Result<JudgeModel> {
    let models = &workspace.settings().models;
    let allowance = models
        .allow
        .get(model)
        .with_context(|| format!("{model} is not on the allowlist; add it under `models.allow`"))?;
    Ok(JudgeModel {
        server: Arc::new(workspace.model_server()?),
        model: model.to_owned(),
        context: allowance.context_window,
        limit: Duration::from_secs(models.timeout_seconds),
    })
}

/// The workspace that the flags name.
pub fn workspace(global: &Global) -> anyhow::Result<Workspace> {
    workspace_with(global, &[])
}

/// The same with vocabulary files in place of those that it names.
pub fn workspace_with(global: &Global, vocabulary: &[PathBuf]) -> anyhow::Result<Workspace> {
    Ok(Workspace::open(options(global, global.workspace.clone(), vocabulary))?)
}

/// The engine of a workspace; why there is none is told in the user's language.
pub async fn engine(workspace: &Workspace) -> anyhow::Result<OpenEngine> {
    let language = workspace.settings().general.language;
    workspace.engine().await.map_err(|problem| anyhow!(problem.detail().text(language)))
}

/// A workspace to measure answers in.
pub fn measured_workspace(global: &Global, folder: Option<PathBuf>) -> anyhow::Result<Workspace> {
    Ok(Workspace::open(patient_options(global, folder, &[]))?)
}

/// What the flags and the environment say of a workspace.
pub fn options(global: &Global, folder: Option<PathBuf>, vocabulary: &[PathBuf]) -> WorkspaceOptions {
    let mut flags = global.settings.clone();
    if let Some(language) = &global.lang {
        flags.push(("general.language".to_owned(), language.clone()));
    }
    WorkspaceOptions {
        folder,
        settings_file: global.config.clone(),
        environment: std::env::vars().collect(),
        flags,
        vocabulary: vocabulary.to_vec(),
        shelves: Shelves::through(Arc::new(FollowedShelves::new(Arc::new(KeyStore::of_system())))),
    }
}

/// A busy machine must not look like a worse answer: what runs out of time is left out of one.
const PATIENCE: [(&str, &str); 3] = [
    ("retrieval.lane_deadline_ms", "60000"),
    ("retrieval.rerank_deadline_ms", "60000"),
    ("vocabulary.timeout_ms", "60000"),
];

/// The same for a measurement of answers, which waits longer than a user would unless the flags say otherwise.
pub fn patient_options(global: &Global, folder: Option<PathBuf>, vocabulary: &[PathBuf]) -> WorkspaceOptions {
    let mut options = options(global, folder, vocabulary);
    options.flags.splice(0..0, PATIENCE.map(|(key, value)| (key.to_owned(), value.to_owned())));
    options
}

/// Writes a report to its file, and to standard output where JSON is asked for; `false` where it is still to be shown to people.
pub fn wrote_report(global: &Global, output: Option<&Path>, json: &str) -> anyhow::Result<bool> {
    if let Some(output) = output {
        std::fs::write(output, json).with_context(|| format!("cannot write {}", output.display()))?;
    }
    if global.json {
        println!("{json}");
    }
    Ok(global.json)
}

pub fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")
}

/// Looks for newer generations of the team libraries that a workspace follows, beside whatever else goes on: the library finds them
/// by itself, and what is refused is logged and told by `plumbline status`.
pub async fn follow_team_libraries(workspace: Arc<Workspace>, stop: CancellationToken) {
    keep_following(|| Some(Arc::clone(&workspace)), &Follower::default(), |_, _| {}, stop).await;
}

/// A token that the first Ctrl-C cancels; a second one ends the process.
pub fn stop_on_interrupt(runtime: &Runtime) -> CancellationToken {
    let stop = CancellationToken::new();
    let told = stop.clone();
    runtime.spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            told.cancel();
            eprintln!("\nstopping after what is being written; Ctrl-C again ends at once");
        }
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
    stop
}

/// What the user may see.
pub fn scope(global: &Global) -> Scope {
    Scope {
        tenant: global.tenant.clone().unwrap_or_default(),
        user_tags: global.tags.clone(),
        collections: Vec::new(),
    }
}

/// A question with what the user may see.
pub fn question(global: &Global, query: &str) -> AskRequest {
    AskRequest {
        user_tags: global.tags.clone(),
        tenant_id: global.tenant.clone().unwrap_or_default(),
        ..AskRequest::new(query)
    }
}

/// The log in the workspace, for as long as the guard lives. A log that cannot be written costs nobody an answer.
pub fn logs(workspace: &Workspace) -> Option<LogGuard> {
    workspace.begin_log().inspect_err(|problem| eprintln!("plumbline: no log is written: {problem}")).ok()
}

/// Whether progress is shown: to somebody who watches, and who does not read JSON.
pub fn shows_progress(global: &Global) -> bool {
    std::io::stderr().is_terminal() && !global.quiet && !global.json
}

/// Tells how far a long command is, on one line of a terminal that the next remark overwrites.
pub fn remark(global: &Global, text: &str) {
    if shows_progress(global) {
        eprint!("\r\x1b[K{text}");
    }
}

/// So many bytes in words.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.2} MB", bytes as f64 / 1e6)
}

/// So many of something, in the word for one or for several.
pub fn counted(count: impl Display, one: &str, several: &str) -> String {
    let count = count.to_string();
    let word = if count == "1" { one } else { several };
    format!("{count} {word}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_told_in_the_word_for_one() {
        let shelves = [0, 1, 2, 11].map(|count| counted(count, "shelf", "shelves"));
        assert_eq!(shelves, ["0 shelves", "1 shelf", "2 shelves", "11 shelves"]);
    }
}
