mod documents;
mod table;

use std::path::Path;

use anyhow::{Context, bail};
use plumbline_core::error::AskError;
use plumbline_evaluation::questions::{
    Question, QuestionLibrary, QuestionReport, QuestionSet, QuestionsReport, ask,
};
use plumbline_library::Indexer;
use plumbline_telemetry::SystemClock;
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Global, QuestionsArguments};
use crate::{Outcome, wiring};

/// Asks a development set of its libraries and tells how well it was answered.
pub fn run(global: &Global, arguments: &QuestionsArguments) -> anyhow::Result<Outcome> {
    let set = QuestionSet::read(&arguments.set)?;
    let chosen = chosen(&set, arguments)?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let temporary = tempfile::tempdir().context("cannot make a folder for the libraries")?;
    let workspaces = arguments.workspaces.as_deref().unwrap_or(temporary.path());
    let asking =
        Asking { global, model: arguments.model.as_deref(), set: &set, runtime: &runtime, stop: &stop };
    let mut reports = Vec::new();
    for library in &set.libraries {
        let of_library: Vec<&Question> =
            chosen.iter().copied().filter(|question| question.library == library.name).collect();
        if !of_library.is_empty() {
            reports.extend(asking.ask(library, &of_library, &workspaces.join(&library.name))?);
        }
    }
    let report = QuestionsReport::of(reports);
    let json = serde_json::to_string_pretty(&report)?;
    if let Some(output) = &arguments.output {
        std::fs::write(output, &json).with_context(|| format!("cannot write {}", output.display()))?;
    }
    if global.json {
        println!("{json}");
    } else {
        table::print(&report);
        if arguments.failures {
            table::print_failures(&report, &chosen);
        }
    }
    Ok(Outcome::Done)
}

/// The questions that the flags leave. A name that nothing has is a mistake, not an empty choice.
fn chosen<'s>(set: &'s QuestionSet, arguments: &QuestionsArguments) -> anyhow::Result<Vec<&'s Question>> {
    for name in &arguments.library {
        if !set.libraries.iter().any(|library| &library.name == name) {
            let known: Vec<&str> = set.libraries.iter().map(|library| library.name.as_str()).collect();
            bail!("the set has no library `{name}`; there are {}", known.join(", "));
        }
    }
    if let Some(id) = arguments.only.iter().find(|id| !set.questions.iter().any(|one| &one.id == *id)) {
        bail!("the set has no question `{id}`");
    }
    let among = |question: &&Question| {
        (arguments.library.is_empty() || arguments.library.contains(&question.library))
            && (arguments.form.is_empty() || arguments.form.contains(&question.form))
            && (arguments.only.is_empty() || arguments.only.contains(&question.id))
    };
    let chosen: Vec<&Question> = set.questions.iter().filter(among).collect();
    if chosen.is_empty() {
        bail!("no question of the set is left; name fewer of --library, --form and --only");
    }
    Ok(chosen)
}

/// What asking one library after the other needs.
struct Asking<'a> {
    global: &'a Global,
    model: Option<&'a str>,
    set: &'a QuestionSet,
    runtime: &'a Runtime,
    stop: &'a CancellationToken,
}

impl Asking<'_> {
    /// Indexes a library into a workspace of its own, and asks it.
    fn ask(
        &self,
        library: &QuestionLibrary,
        questions: &[&Question],
        folder: &Path,
    ) -> anyhow::Result<Vec<QuestionReport>> {
        wiring::remark(self.global, &format!("{}: indexing", library.name));
        let workspace = Workspace::open(self.options(library, folder))?;
        self.index(&workspace, library)?;
        let mut reports = Vec::with_capacity(questions.len());
        self.runtime.block_on(async {
            let opened = workspace.engine().await?;
            if !self.global.quiet {
                opened.remarks.iter().for_each(|remark| eprintln!("plumbline: {}: {remark}", library.name));
            }
            for question in questions {
                let asked = ask(&opened.engine, question, self.model, &SystemClock, self.stop).await;
                if asked.answer == Err(AskError::Stopped) {
                    bail!(
                        "stopped after {} of {} questions of {}",
                        reports.len(),
                        questions.len(),
                        library.name
                    );
                }
                reports.push(QuestionReport::of(&asked, |path| library.path_in_set(&self.set.root, path)));
                let done = format!("{}: asked {} of {}", library.name, reports.len(), questions.len());
                wiring::remark(self.global, &done);
            }
            anyhow::Ok(())
        })?;
        wiring::remark(self.global, "");
        Ok(reports)
    }

    fn options(&self, library: &QuestionLibrary, folder: &Path) -> WorkspaceOptions {
        let vocabularies: Vec<_> = library.vocabularies.iter().map(|path| self.set.root.join(path)).collect();
        wiring::patient_options(self.global, Some(folder.to_owned()), &vocabularies)
    }

    fn index(&self, workspace: &Workspace, library: &QuestionLibrary) -> anyhow::Result<()> {
        let folders = documents::copied(self.set, library, workspace.folder())?;
        let options = self.runtime.block_on(workspace.index_options(true))?;
        let mut indexer = Indexer::open(workspace.folder(), options, self.runtime.handle().clone())?;
        for known in indexer.origins()? {
            if !folders.contains(&known) {
                indexer.remove(&known)?;
            }
        }
        indexer.add(&folders)?;
        indexer.run(self.stop, &|_| {})?;
        if self.stop.is_cancelled() {
            bail!("stopped before anything was asked of {}", library.name);
        }
        Ok(())
    }
}
