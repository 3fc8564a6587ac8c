//! The view of the golden set: which one, how its last runs went, and starting one.

use std::path::PathBuf;

use plumbline_contract::{CommandError, Evaluation, GoldenSet, GoldenSetOrigin, HostErrorCode};
use plumbline_core::messages::Message;

use crate::error::{failed, invalid};
use crate::evaluating::Asked;
use crate::evaluation_report::{LAST, PREVIOUS};
use crate::golden_sets::{GOLDEN_SET, info_of, read_set};
use crate::numbers::count;
use crate::{FileKind, Host};

impl Host {
    /// The golden set, a run that is going on, and the last two.
    pub async fn evaluation(&self) -> Result<Evaluation, CommandError> {
        let (history, texts) = (self.history()?, self.texts());
        let read = match self.golden_set_file()? {
            Some((origin, file)) => {
                self.blocking(move || read_set(&file, texts).map(|read| Some(info_of(origin, &read)))).await?
            }
            None => Ok(None),
        };
        let (golden_set, unreadable) = match read {
            Ok(set) => (set, None),
            Err(problem) => (None, Some(problem.message)),
        };
        Ok(Evaluation {
            golden_set,
            unreadable,
            sample_available: self.sample_golden_set().is_some(),
            running: self.inner.evaluating.progress(Asked::GoldenSet),
            last: history.fact(LAST)?,
            previous: history.fact(PREVIOUS)?,
        })
    }

    /// Asks the user for a golden set of their own; nothing where they changed their mind.
    pub async fn pick_golden_set(&self) -> Result<Option<GoldenSet>, CommandError> {
        let Some(path) = self.inner.desktop.pick_file(FileKind::GoldenSet).await else { return Ok(None) };
        let (chosen, texts) = (path.clone(), self.texts());
        let read = self.blocking(move || read_set(&chosen, texts)).await??;
        self.history()?.keep_fact(GOLDEN_SET, &path)?;
        Ok(Some(info_of(GoldenSetOrigin::Own, &read)))
    }

    /// Goes back from a file of the user's own to the sample library's golden set.
    pub async fn use_sample_golden_set(&self) -> Result<(), CommandError> {
        if self.sample_golden_set().is_none() {
            return Err(invalid(self.say(Message::MissingGoldenSet)));
        }
        Ok(self.history()?.keep_fact(GOLDEN_SET, &None::<PathBuf>)?)
    }

    /// Runs the golden set; how far it is comes as a broadcast.
    pub async fn start_evaluation(&self) -> Result<(), CommandError> {
        if self.open()?.library().is_none() {
            return Err(invalid(self.say(Message::LibraryEmpty)));
        }
        let Some((_, file)) = self.golden_set_file()? else {
            return Err(invalid(self.say(Message::MissingGoldenSet)));
        };
        let texts = self.texts();
        let read = self.blocking(move || read_set(&file, texts)).await??;
        let stop = self.stop_token().child_token();
        if !self.inner.evaluating.begin(Asked::GoldenSet, count(read.set.queries.len()), &stop) {
            return Err(failed(HostErrorCode::Busy, self.say(Message::BusyEvaluation)));
        }
        self.inner.tasks.spawn(self.clone().run_golden_set(read, stop));
        Ok(())
    }

    /// Stops the run of either set; nothing is kept of it.
    pub async fn stop_evaluation(&self) -> Result<(), CommandError> {
        self.inner.evaluating.stop();
        Ok(())
    }
}
