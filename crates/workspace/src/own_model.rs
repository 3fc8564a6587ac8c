//! The model that Plumbline runs by itself, as everybody who opens the workspace sees it.

use std::path::Path;

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatRequest, ChatStream, LanguageModel, ModelError, ModelInfo};
use plumbline_core::settings::{ModelAllowance, ModelSettings, ServerKind, Settings};
use plumbline_models::managed::{ManagedError, RunningModel, model_name, running};

/// Whether Plumbline's own model is in use, and whether it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnModel {
    /// The server of the settings is used.
    Off,
    /// It is to be used and does not run: nothing is sent anywhere.
    Stopped,
    /// It runs.
    Running(RunningModel),
}

/// The settings with Plumbline's own model in place of the server's, where it is in use.
pub(crate) fn in_force(folder: &Path, given: &Settings) -> (Settings, OwnModel) {
    if !given.managed.enabled {
        return (given.clone(), OwnModel::Off);
    }
    let own = running(folder).map_or(OwnModel::Stopped, OwnModel::Running);
    let (model, address) = match &own {
        OwnModel::Running(running) => (running.model.clone(), running.address.clone()),
        _ => {
            let model = model_name(&given.managed, folder).unwrap_or_else(|| "llama-server".to_owned());
            (model, format!("http://127.0.0.1:{}/v1", given.managed.port))
        }
    };
    let context_window = given.managed.context;
    let max_response = given.budget.max_response_tokens.min(context_window);
    let mut settings = given.clone();
    let models = &mut settings.models;
    *models = ModelSettings {
        server: ServerKind::Openai,
        openai_url: address,
        answer: Some(model.clone()),
        // Those of the other server are not here.
        planner: models.planner.take().filter(|name| *name == model),
        judge: models.judge.take().filter(|name| *name == model),
        ..models.clone()
    };
    models.allow.insert(model, ModelAllowance { context_window, max_response });
    (settings, own)
}

/// Stands in for a model that does not run, so that an answer without it says so.
pub(crate) struct NotRunning {
    pub address: String,
}

impl NotRunning {
    fn problem(&self) -> ModelError {
        ModelError::Connection { address: self.address.clone(), detail: not_running() }
    }
}

/// That it does not run, and the way out.
pub(crate) fn not_running() -> Detail {
    Detail::all(vec![ManagedError::NotRunning.detail(), Message::ManagedFixStart.into()])
}

#[async_trait]
impl LanguageModel for NotRunning {
    async fn inspect(&self, _: &str) -> Result<ModelInfo, ModelError> {
        Err(self.problem())
    }

    async fn chat(&self, _: ChatRequest) -> Result<ChatStream, ModelError> {
        Err(self.problem())
    }
}
