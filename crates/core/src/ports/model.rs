use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use thiserror::Error;

use crate::detail::Detail;
use crate::messages::Message;
use crate::request::ChatMessage;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The model.
    pub model: String,
    /// System prompt first, the question last.
    pub messages: Vec<ChatMessage>,
    /// The context window, always explicit.
    pub num_ctx: usize,
    /// At most this many tokens are written.
    pub num_predict: usize,
    /// Low, so that answers repeat.
    pub temperature: f32,
    /// Fixed, so that answers repeat.
    pub seed: u64,
    /// How long the first token may take.
    pub first_token: Duration,
    /// How long any later token may take.
    pub between_tokens: Duration,
}

/// A piece of a model's reply. Thoughts of thinking models are not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatPiece {
    /// Text as it came; empty while the model thinks, so that whoever waits knows that it is at work.
    Text(String),
    /// The end of the reply, with the server's counts.
    Done(ModelReply),
}

/// What the server counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelReply {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<usize>,
    /// How long the server took to read the prompt.
    pub prompt_time: Option<Duration>,
    /// Tokens of the reply.
    pub completion_tokens: Option<usize>,
    /// Whether the reply was cut at its limit.
    pub cut: bool,
}

/// A reply as it is written. Dropping it stops the model.
pub type ChatStream = BoxStream<'static, Result<ChatPiece, ModelError>>;

/// What a model can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelInfo {
    /// Tokens of prompt and reply together.
    pub context_window: usize,
    /// Tokens of the reply at most.
    pub max_response: usize,
}

/// Whose fault a failed generation is.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum ModelError {
    /// The server cannot be reached or answered with an error.
    #[error("cannot connect to the model server at {address}: {detail}")]
    Connection {
        /// The configured address.
        address: String,
        /// What failed.
        detail: Detail,
    },
    /// The server is well and will not do this: the prompt is too long for it, the model cannot chat, the token is not
    /// accepted. Asking less often changes nothing.
    #[error("the model server at {address} refused: {detail}")]
    Refused {
        /// The configured address.
        address: String,
        /// Why, and the way out where there is one.
        detail: Detail,
    },
    /// It did not answer in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The server does not have the model.
    #[error("model `{0}` is not available")]
    Unavailable(String),
    /// The reply broke off.
    #[error("the reply broke off: {0}")]
    Broken(Detail),
}

/// Language models behind one address.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// What a model can hold, if it is there.
    async fn inspect(&self, model: &str) -> Result<ModelInfo, ModelError>;

    /// Asks a model; the reply streams.
    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError>;
}

/// Asks a model and reads its reply whole, within a limit for all of it.
pub async fn whole_reply(
    model: &dyn LanguageModel,
    request: ChatRequest,
    limit: Duration,
) -> Result<String, ModelError> {
    let work = async {
        let mut stream = model.chat(request).await?;
        let mut reply = String::new();
        while let Some(piece) = stream.next().await {
            match piece? {
                ChatPiece::Text(text) => reply.push_str(&text),
                ChatPiece::Done(_) => return Ok(reply),
            }
        }
        Err(ModelError::Broken(Message::ModelStreamEnded.into()))
    };
    tokio::time::timeout(limit, work).await.unwrap_or(Err(ModelError::Timeout(limit)))
}
