use plumbline_core::domain::EmbedderFamily;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// All is well.
    Ok,
    /// It works, with a reservation.
    Warning,
    /// It does not work.
    Failed,
    /// It was not tried because something before it failed or nothing is configured.
    Skipped,
}

/// One thing that the doctor looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DoctorCheck {
    /// What was looked at, in the user's language.
    pub name: String,
    /// How it came out.
    pub outcome: CheckOutcome,
    /// What was found; of a failure, its cause.
    pub finding: String,
    /// What mends it, as a command or a sentence.
    pub fix: Option<String>,
}

/// A language model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// Whether it is on the allowlist.
    pub allowed: bool,
    /// Whether the server has it.
    pub pulled: bool,
    /// Bytes on the server's disk.
    pub bytes: Option<u64>,
    /// Tokens of its context window, by the server's account.
    pub context_window: Option<u64>,
}

/// The models, and whether they can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelList {
    /// Whether the server answered.
    pub reachable: bool,
    /// Whether the server fetches models when it is told to.
    pub pulls: bool,
    /// Allowed or served models, by name.
    pub models: Vec<ModelInfo>,
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PullProgress {
    /// What the server is doing.
    pub status: String,
    /// Bytes that are there.
    pub done: Option<u64>,
    /// Bytes in all.
    pub total: Option<u64>,
}

/// Whether Plumbline's own model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OwnModelState {
    /// It does not.
    Stopped,
    /// It is being loaded.
    Starting,
    /// It answers.
    Running,
}

/// The model that Plumbline runs by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OwnModel {
    /// Where `llama-server` was found.
    pub program: Option<String>,
    /// What the model is called, where one is chosen.
    pub model: Option<String>,
    /// Whether it is known from where it comes and what it must be, and it is not here yet.
    pub downloadable: bool,
    /// Whether it can be started.
    pub ready: bool,
    /// Whether it runs.
    pub state: OwnModelState,
    /// Where it answers.
    pub address: Option<String>,
    /// What is missing, or why it ended.
    pub problem: Option<String>,
}

/// A model that embeds, and what switching to it costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EmbedderInfo {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whose scores it gives.
    pub family: EmbedderFamily,
    /// Whether it is in use.
    pub current: bool,
    /// Whether it can be used; what is missing where it cannot.
    pub unavailable: Option<String>,
    /// Passages that have no vector of it yet.
    pub passages_to_embed: u32,
    /// Seconds that those would take; absent until that can be told.
    pub seconds: Option<u64>,
}
