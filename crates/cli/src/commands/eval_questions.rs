mod documents;
pub mod libraries;
mod table;

use std::path::Path;

use anyhow::{Context, bail};
use plumbline_core::error::AskError;
use plumbline_evaluation::questions::{
    Question, QuestionLibrary, QuestionReport, QuestionSet, QuestionsReport, ask,
};
use plumbline_telemetry::SystemClock;

use crate::arguments::{Global, QuestionsArguments};
use crate::{Outcome, wiring};
use libraries::Libraries;

/// Asks a development set of its libraries and tells how well it was answered.
pub fn run(global: &Global, arguments: &QuestionsArguments) -> anyhow::Result<Outcome> {
    let set = QuestionSet::read(&arguments.set)?;
    let chosen = chosen(&set, arguments)?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let temporary = tempfile::tempdir().context("cannot make a folder for the libraries")?;
    let workspaces = arguments.workspaces.as_deref().unwrap_or(temporary.path());
    let libraries = Libraries { global, set: &set, runtime: &runtime, stop: &stop };
    let asking = Asking { libraries: &libraries, model: arguments.model.as_deref() };
    let mut reports = Vec::new();
    for library in &set.libraries {
        let of_library: Vec<&Question> =
            chosen.iter().copied().filter(|question| question.library == library.name).collect();
        if !of_library.is_empty() {
            reports.extend(asking.ask(library, &of_library, &workspaces.join(&library.name))?);
        }
    }
    let report = QuestionsReport::of(reports);
    if !wiring::wrote_report(global, arguments.output.as_deref(), &serde_json::to_string_pretty(&report)?)? {
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

/// Asks one library after the other.
struct Asking<'a> {
    libraries: &'a Libraries<'a>,
    model: Option<&'a str>,
}

impl Asking<'_> {
    /// Indexes a library into a workspace of its own, and asks it.
    fn ask(
        &self,
        library: &QuestionLibrary,
        questions: &[&Question],
        folder: &Path,
    ) -> anyhow::Result<Vec<QuestionReport>> {
        let Libraries { global, set, runtime, stop } = self.libraries;
        let workspace = self.libraries.indexed(library, folder)?;
        let mut reports = Vec::with_capacity(questions.len());
        runtime.block_on(async {
            let opened = workspace.engine().await?;
            if !global.quiet {
                opened.remarks.iter().for_each(|remark| eprintln!("plumbline: {}: {remark}", library.name));
            }
            for question in questions {
                let asked = ask(&opened.engine, question, self.model, &SystemClock, stop).await;
                if asked.answer == Err(AskError::Stopped) {
                    bail!(
                        "stopped after {} of {} questions of {}",
                        reports.len(),
                        questions.len(),
                        library.name
                    );
                }
                reports.push(QuestionReport::of(&asked, |path| library.path_in_set(&set.root, path)));
                let done = format!("{}: asked {} of {}", library.name, reports.len(), questions.len());
                wiring::remark(global, &done);
            }
            anyhow::Ok(())
        })?;
        wiring::remark(global, "");
        Ok(reports)
    }
}
