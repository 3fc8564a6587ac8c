//! Texts of the user's own, checked statement by statement.

use std::path::Path;

use plumbline_contract::{CheckProgress, CheckedText, CommandError, Draft};
use plumbline_library::{Reader, ReaderOptions};

use crate::batches::Batches;
use crate::error::{invalid, of_question};
use crate::locks::lock;
use crate::{FileKind, Host, export};

impl Host {
    /// Checks a text of the user's own, statement by statement; each streams over `events` with its verdict. A check that
    /// goes on is stopped.
    pub async fn check_text(
        &self,
        text: String,
        events: impl Fn(Vec<CheckProgress>) + Send + Sync + 'static,
    ) -> Result<CheckedText, CommandError> {
        let open = self.open()?;
        let stop = self.stop_token().child_token();
        std::mem::replace(&mut *lock(&self.inner.check), stop.clone()).cancel();
        let batches = Batches::new(events);
        let told = |progress: CheckProgress| batches.push(progress);
        let scope = self.scope();
        let checked = batches.while_doing(open.engine().check(&text, &scope, &stop, &told)).await;
        batches.flush();
        let checked = checked.map_err(|problem| of_question(&problem, self.texts()))?;
        *lock(&self.inner.last_check) = Some(checked.clone());
        Ok(checked)
    }

    /// Stops the check.
    pub async fn stop_check(&self) -> Result<(), CommandError> {
        lock(&self.inner.check).cancel();
        Ok(())
    }

    /// Asks the user for a file to check, and reads it; nothing where they changed their mind.
    pub async fn pick_draft(&self) -> Result<Option<Draft>, CommandError> {
        match self.inner.desktop.pick_file(FileKind::Draft).await {
            Some(path) => Ok(Some(self.read_draft(path.display().to_string()).await?)),
            None => Ok(None),
        }
    }

    /// Reads a file to check, in a process of its own as files of the library are.
    pub async fn read_draft(&self, path: String) -> Result<Draft, CommandError> {
        let worker = Some(self.inner.options.worker.clone());
        let reader = Reader::new(ReaderOptions { worker, ..ReaderOptions::default() });
        let (file, language) = (path.clone(), self.texts().language);
        let read = self.blocking(move || reader.read(Path::new(&file))).await?;
        let name = Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or(path);
        match read {
            Ok(content) => Ok(Draft { name, text: content.document.prose() }),
            Err(problem) => Err(invalid(format!("{name}: {}", problem.detail().text(language)))),
        }
    }

    /// Asks where to, and writes the last check there as Markdown; the path, or nothing where the user changed their mind.
    pub async fn export_check(&self, name: Option<String>) -> Result<Option<String>, CommandError> {
        let Some(checked) = lock(&self.inner.last_check).clone() else { return Ok(None) };
        let title = name.unwrap_or_else(|| "check".to_owned());
        let text = export::checked_markdown(&title, &checked, self.texts());
        self.save(&format!("{}.md", export::file_stem(&title)), text).await
    }
}
