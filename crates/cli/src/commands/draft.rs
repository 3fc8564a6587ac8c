use std::path::Path;

use anyhow::{Context, anyhow};
use plumbline_core::domain::Language;
use plumbline_core::messages::{Message, Messages};
use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::AskResponse;
use plumbline_library::source_holding;
use plumbline_workspace::Workspace;

use crate::arguments::Global;
use crate::{Outcome, answer_text, wiring};

/// Drafts a record about a topic; shown, or written to a file that the user names.
pub fn run(global: &Global, topic: &str, output: Option<&Path>, force: bool) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let _logs = wiring::logs(&workspace);
    let language = workspace.settings().general.language;
    if let Some(output) = output.filter(|_| !force) {
        may_be_written(&workspace, output, language)?;
    }
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let response = runtime.block_on(async {
        let opened = wiring::engine(&workspace).await?;
        if !global.quiet {
            opened.remarks.iter().for_each(|remark| eprintln!("plumbline: {}", remark.text(language)));
        }
        let choice = Some(Choice::Draft { topic: topic.to_owned() });
        let request = AskRequest { choice, ..wiring::question(global, topic) };
        let answered = opened.engine.ask(request, &stop, &|_| {}).await;
        answered.map_err(|problem| anyhow!(problem.text(language)))
    });
    workspace.keep_counters()?;
    let response = response?;
    if let Some(output) = output {
        write(&response, output)?;
    }
    if global.json {
        println!("{}", serde_json::to_string_pretty(&response)?);
    } else if output.is_none() {
        print!("{}", answer_text::whole(&response));
    }
    Ok(Outcome::Done)
}

/// A draft goes nowhere by itself: not over a file that is there, and not into the library.
fn may_be_written(workspace: &Workspace, output: &Path, language: Language) -> anyhow::Result<()> {
    let path = output.display().to_string();
    let messages = Messages::of(language);
    if let Some(source) = source_holding(workspace.folder(), output)? {
        let folder = source.path.display().to_string();
        let values = [("path", path.as_str()), ("folder", folder.as_str())];
        return Err(anyhow!("{} (--force)", messages.text(Message::DraftInLibrary, &values)));
    }
    if output.exists() {
        return Err(anyhow!("{} (--force)", messages.text(Message::DraftThere, &[("path", &path)])));
    }
    Ok(())
}

fn write(response: &AskResponse, output: &Path) -> anyhow::Result<()> {
    let text = response.draft.as_ref().map_or(response.answer.as_str(), |draft| draft.text.as_str());
    std::fs::write(output, text).with_context(|| format!("cannot write {}", output.display()))
}
