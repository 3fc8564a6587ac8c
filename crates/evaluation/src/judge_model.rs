//! A model that judges answers for the evaluation.

use std::sync::Arc;
use std::time::Duration;

use plumbline_core::ports::{ChatRequest, LanguageModel, whole_reply};
use plumbline_core::request::ChatMessage;

/// A model that is asked for verdicts, always in the same way: no chance, and a limit to how long one may take.
pub struct JudgeModel {
    /// The server.
    pub server: Arc<dyn LanguageModel>,
    /// The model's name.
    pub model: String,
    /// Its context window.
    pub context: usize,
    /// How long a verdict may take.
    pub limit: Duration,
}

impl JudgeModel {
    /// What it says, in at most so many tokens; nothing where it cannot be asked.
    pub(crate) async fn says(&self, messages: Vec<ChatMessage>, most_tokens: usize) -> Option<String> {
        let request = ChatRequest {
            model: self.model.clone(),
            messages,
            num_ctx: self.context,
            num_predict: most_tokens,
            temperature: 0.0,
            seed: 0,
            first_token: self.limit,
            between_tokens: self.limit,
        };
        whole_reply(self.server.as_ref(), request, self.limit).await.ok()
    }
}
