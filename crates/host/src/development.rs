//! A folder of questions, asked of the open library.

use std::path::{Path, PathBuf};
use std::time::Instant;

use plumbline_contract::{
    Broadcast, CommandError, Development, DevelopmentReport, DevelopmentSet, HostErrorCode,
};
use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_core::ports::Clock;
use plumbline_core::request::AskRequest;
use plumbline_evaluation::questions::{
    Askable, QuestionReport, QuestionSet, QuestionsReport, ask_for, request,
};
use plumbline_telemetry::SystemClock;
use plumbline_workspace::{Workspace, WorkspaceError};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::development_report::{Run, report_of};
use crate::error::{failed, internal, invalid, of_workspace};
use crate::evaluating::{Asked, TELL_EVERY};
use crate::numbers::count;
use crate::texts::Texts;

/// The fact that holds the folder.
const FOLDER: &str = "development_set";
/// The fact that holds the last run.
const LAST: &str = "development_last";
/// So many documents that the library does not hold are named.
const NAMED: usize = 5;

/// A set that can be asked of the open library.
struct Usable {
    folder: PathBuf,
    set: QuestionSet,
    paths: Vec<String>,
}

impl Usable {
    fn askable(&self) -> Askable<'_> {
        self.set.askable(self.paths.iter().map(String::as_str))
    }

    fn info(&self) -> DevelopmentSet {
        let askable = self.askable();
        DevelopmentSet {
            path: self.folder.display().to_string(),
            questions: count(askable.questions.len()),
            left_out: count(askable.left_out),
            unknown: askable.unknown.iter().take(NAMED).map(|path| (*path).to_owned()).collect(),
            unknown_count: count(askable.unknown.len()),
        }
    }
}

impl Host {
    /// The development set, a run of it that is going on, and the last one.
    pub async fn development(&self) -> Result<Development, CommandError> {
        let (set, unusable) = match self.chosen_folder()? {
            None => (None, None),
            Some(folder) => match self.usable(folder).await {
                Ok(usable) => (Some(usable.info()), None),
                Err(problem) => (None, Some(problem.message)),
            },
        };
        let running = self.inner.evaluating.progress(Asked::DevelopmentSet);
        Ok(Development { set, unusable, running, last: self.history()?.fact(LAST)? })
    }

    /// Asks the user for a folder of questions; nothing where they changed their mind.
    pub async fn pick_development_set(&self) -> Result<Option<DevelopmentSet>, CommandError> {
        let Some(folder) = self.inner.desktop.pick_folder().await else { return Ok(None) };
        let usable = self.usable(folder.clone()).await?;
        self.history()?.keep_fact(FOLDER, &folder)?;
        Ok(Some(usable.info()))
    }

    /// Asks the questions of the development set; how far it is comes as a broadcast.
    pub async fn start_development(&self) -> Result<(), CommandError> {
        let Some(folder) = self.chosen_folder()? else {
            return Err(invalid(self.say(Message::MissingQuestionSet)));
        };
        let usable = self.usable(folder).await?;
        let (total, stop) = (usable.askable().questions.len(), self.stop_token().child_token());
        if !self.inner.evaluating.begin(Asked::DevelopmentSet, count(total), &stop) {
            return Err(failed(HostErrorCode::Busy, self.say(Message::BusyEvaluation)));
        }
        self.inner.tasks.spawn(self.clone().run_development_set(usable, stop));
        Ok(())
    }

    fn chosen_folder(&self) -> Result<Option<PathBuf>, CommandError> {
        Ok(self.history()?.fact::<PathBuf>(FOLDER)?)
    }

    /// Reads a set, and holds what it names against what the library holds.
    async fn usable(&self, folder: PathBuf) -> Result<Usable, CommandError> {
        let (chosen, texts) = (folder.clone(), self.texts());
        let set = self.blocking(move || read(&chosen, texts)).await??;
        let paths: Vec<String> = self.documents().await?.into_iter().map(|row| row.path).collect();
        if paths.is_empty() {
            return Err(invalid(self.say(Message::LibraryEmpty)));
        }
        let usable = Usable { folder, set, paths };
        let askable = usable.askable();
        if askable.questions.is_empty() {
            let named: Vec<&str> = askable.unknown.iter().take(NAMED).copied().collect();
            let values = [("path", &*usable.folder.display().to_string()), ("documents", &*named.join(", "))];
            return Err(invalid(texts.say(Message::QuestionSetUnknown, &values)));
        }
        Ok(usable)
    }

    fn tell_development(&self, development: Development) {
        self.tell(Broadcast::Development { development: Box::new(development) });
    }

    async fn run_development_set(self, usable: Usable, stop: CancellationToken) {
        let kept = match self.ask_development_set(&usable, &stop).await {
            Ok(Some(report)) => {
                self.history().and_then(|history| history.keep_fact(LAST, &report).map_err(internal))
            }
            Ok(None) => Ok(()),
            Err(problem) => Err(problem),
        };
        if let Err(problem) = kept {
            tracing::error!(target: "host", event = "development_failed", reason = problem.message.as_str());
        }
        self.inner.evaluating.end();
        if let Ok(development) = self.development().await {
            self.tell_development(development);
        }
    }

    /// Asks every question as the user would; nothing where it was stopped.
    async fn ask_development_set(
        &self,
        usable: &Usable,
        stop: &CancellationToken,
    ) -> Result<Option<DevelopmentReport>, CommandError> {
        let unopened = |problem: WorkspaceError| of_workspace(&problem, self.texts());
        // A workspace of its own: what is asked to measure must not count as what users asked.
        let workspace = Workspace::open(self.inner.options.workspace.clone()).map_err(unopened)?;
        let opened = workspace.engine().await.map_err(unopened)?;
        let (questions, scope) = (usable.askable().questions, self.scope());
        let mut shown = self.development().await?;
        let (began, mut last_told) = (Instant::now(), None::<Instant>);
        let mut reports = Vec::with_capacity(questions.len());
        for question in &questions {
            self.inner.evaluating.change(|progress| progress.current.clone_from(&question.question));
            if last_told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
                last_told = Some(Instant::now());
                shown.running = self.inner.evaluating.progress(Asked::DevelopmentSet);
                self.tell_development(shown.clone());
            }
            let request = AskRequest {
                user_tags: scope.user_tags.clone(),
                tenant_id: scope.tenant.clone(),
                ..request(question)
            };
            let asked = ask_for(&opened.engine, question, request, &SystemClock, stop).await;
            if asked.answer == Err(AskError::Stopped) {
                return Ok(None);
            }
            let report = QuestionReport::of(&asked, |path| usable.set.path_for(question, path));
            self.inner.evaluating.change(|progress| {
                progress.done += 1;
                progress.failed += u32::from(!report.marks.all());
            });
            reports.push(report);
        }
        let run = Run {
            finished_at: SystemClock.now().to_string(),
            seconds: began.elapsed().as_secs_f64(),
            path: usable.folder.display().to_string(),
            model: opened.engine.settings().models.answer.clone(),
        };
        Ok(Some(report_of(&QuestionsReport::of(reports), &questions, run)))
    }
}

fn read(folder: &Path, texts: Texts) -> Result<QuestionSet, CommandError> {
    QuestionSet::read_for_open_library(folder).map_err(|problem| {
        let code = if problem.is_unreadable() { HostErrorCode::File } else { HostErrorCode::InvalidInput };
        failed(code, problem.detail().text(texts.language))
    })
}
