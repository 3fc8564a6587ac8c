use std::sync::Arc;
use std::time::Duration;

use plumbline_core::domain::Chunk;
use plumbline_core::engine::Measured;
use plumbline_core::ports::{ChatRequest, LanguageModel, whole_reply};
use plumbline_core::prompt::{planner_messages, read_plan};

use super::{ModelsWord, RefusalQuestion};

/// As many passages as a small model still tells apart.
const PASSAGES: usize = 3;
/// The numbers of passages are all that is asked for.
const REPLY: usize = 32;

/// The planner's prompt, put to a model: does any passage help?
pub struct Planner {
    /// The server.
    pub server: Arc<dyn LanguageModel>,
    /// The model's name.
    pub model: String,
    /// Its context window.
    pub context: usize,
    /// How long a reply may take.
    pub limit: Duration,
}

#[async_trait::async_trait]
impl ModelsWord for Planner {
    async fn says(&self, question: &RefusalQuestion, measured: &Measured) -> Option<bool> {
        let passages: Vec<(usize, &Chunk)> = measured
            .passages()
            .iter()
            .take(PASSAGES)
            .zip(1..)
            .map(|(candidate, alias)| (alias, candidate.chunk.as_ref()))
            .collect();
        let aliases: Vec<usize> = passages.iter().map(|(alias, _)| *alias).collect();
        let request = ChatRequest {
            model: self.model.clone(),
            messages: planner_messages(&passages, &question.text),
            num_ctx: self.context,
            num_predict: REPLY,
            temperature: 0.0,
            seed: 0,
            first_token: self.limit,
            between_tokens: self.limit,
        };
        let reply = whole_reply(self.server.as_ref(), request, self.limit).await.ok()?;
        read_plan(&reply, &aliases).map(|helpful| !helpful.is_empty())
    }
}
