//! Thresholds, and the embedder that they were found for.

use plumbline_core::detail::Detail;
use plumbline_core::domain::EmbedderFamily;
use plumbline_core::messages::Message;
use plumbline_core::settings::{MeantFor, Thresholds};
use plumbline_models::embedder::FIRST;

use crate::{OpenEngine, Workspace, WorkspaceEmbedder, WorkspaceError};

impl WorkspaceEmbedder {
    /// Which thresholds are meant for it. Files from before there were editions were found for the first.
    pub fn meant_for(&self) -> MeantFor<'_> {
        match self.key.family {
            EmbedderFamily::Local => MeantFor {
                fingerprint: &self.key.fingerprint,
                unmarked: self.key.fingerprint == FIRST.fingerprint(),
            },
            EmbedderFamily::Ollama | EmbedderFamily::Lexical => MeantFor::ANY,
        }
    }
}

impl OpenEngine {
    /// Which thresholds are meant for what it searches with.
    pub fn meant_for(&self) -> MeantFor<'_> {
        self.embedder.as_ref().map_or(MeantFor::ANY, WorkspaceEmbedder::meant_for)
    }
}

impl Workspace {
    /// The thresholds in force where this embedder answers.
    pub fn thresholds(&self, embedder: Option<&WorkspaceEmbedder>) -> Result<Thresholds, WorkspaceError> {
        let Some((path, text)) = &self.thresholds_file else { return Ok(Thresholds::default()) };
        let meant_for = embedder.map_or(MeantFor::ANY, WorkspaceEmbedder::meant_for);
        Ok(Thresholds::parse_for(meant_for, &path.to_string_lossy(), text)?)
    }

    /// That thresholds were calibrated for another edition than the one that answers, if they were.
    pub(crate) fn set_aside(&self, answering: &WorkspaceEmbedder) -> Option<Detail> {
        let (path, text) =
            self.thresholds_file.as_ref().filter(|_| answering.key.family == EmbedderFamily::Local)?;
        let is_set_aside = Thresholds::sets_aside(answering.meant_for(), &path.to_string_lossy(), text);
        is_set_aside.unwrap_or(false).then(|| Message::DoctorThresholdsSetAside.into())
    }
}
