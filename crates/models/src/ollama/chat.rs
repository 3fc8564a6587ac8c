use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatPiece, ChatRequest, ModelReply};
use reqwest::{Method, Response};
use serde_json::Value;

use super::OllamaError;
use super::http::{Connection, Deadline, broken_off, check_kind, error_text};
use super::lines::Lines;
use super::models::same_model;
use super::thoughts::Thoughts;
use super::wire::{ChatBody, ChatLine};

/// A line holds a token or more, so a server that writes more lines than tokens were asked for does not stop by itself.
const LINES_IN_RESERVE: usize = 64;
/// Far more than any tokenizer puts into a token.
const BYTES_A_TOKEN: usize = 64;
/// However the bytes are cut into lines, no reply is as long as this.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A reply as it is written; dropping it closes the connection, which stops the model.
pub(super) type Reply = BoxStream<'static, Result<ChatPiece, OllamaError>>;

/// Asks, and waits until the server begins to answer.
pub(super) async fn chat(
    connection: Arc<Connection>,
    request: &ChatRequest,
    format: Option<&Value>,
) -> Result<Reply, OllamaError> {
    let deadline = Deadline::after(request.first_token);
    let body = ChatBody::new(request, format);
    let response = connection.send(Method::POST, "/api/chat", Some(&body), &request.model, deadline).await?;
    check_kind(&response)?;
    let reader = ChatReader {
        connection,
        response: Some(response),
        lines: Lines::default(),
        thoughts: Thoughts::default(),
        ready: VecDeque::new(),
        model: request.model.clone(),
        deadline,
        between: request.between_tokens,
        lines_left: request.num_predict.saturating_add(LINES_IN_RESERVE),
        text_left: request.num_predict.saturating_add(LINES_IN_RESERVE).saturating_mul(BYTES_A_TOKEN),
        bytes_left: MAX_BYTES,
    };
    let pieces = stream::unfold(reader, async |mut reader| {
        let piece = reader.next().await?;
        Some((piece, reader))
    });
    Ok(pieces.boxed())
}

struct ChatReader {
    connection: Arc<Connection>,
    /// Absent once nothing more is read; the connection is closed then.
    response: Option<Response>,
    lines: Lines,
    thoughts: Thoughts,
    /// Pieces of a line that are still to be handed out.
    ready: VecDeque<ChatPiece>,
    model: String,
    deadline: Deadline,
    between: Duration,
    lines_left: usize,
    text_left: usize,
    bytes_left: usize,
}

impl ChatReader {
    async fn next(&mut self) -> Option<Result<ChatPiece, OllamaError>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            self.response.as_ref()?;
            if let Err(problem) = self.advance().await {
                self.response = None;
                return Some(Err(problem));
            }
        }
    }

    /// Reads a line, or waits for more bytes.
    async fn advance(&mut self) -> Result<(), OllamaError> {
        match self.lines.next() {
            Ok(Some(line)) => {
                let line = line.to_vec();
                return self.take(&line);
            }
            Ok(None) => {}
            Err(_) => return Err(OllamaError::Malformed("a line has no end")),
        }
        let Some(response) = &mut self.response else { return Ok(()) };
        match self.deadline.hold(response.chunk()).await?.map_err(|_| broken_off())? {
            Some(bytes) => {
                self.bytes_left = self
                    .bytes_left
                    .checked_sub(bytes.len())
                    .ok_or(OllamaError::Malformed("it has no end"))?;
                self.lines.push(&bytes);
                Ok(())
            }
            None => match self.lines.rest().map(<[u8]>::to_vec) {
                // A last line may lack its line end, but not its own.
                Some(line) if is_last(&line) => self.take(&line),
                Some(_) => Err(OllamaError::BrokenOff(Message::OllamaLineCut)),
                None => Err(OllamaError::BrokenOff(Message::ModelStreamEnded)),
            },
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), OllamaError> {
        let read: ChatLine = serde_json::from_slice(line)
            .map_err(|_| OllamaError::Malformed("a line is not what Ollama writes"))?;
        if let Some(error) = &read.error {
            return Err(OllamaError::Failed(self.connection.shown(&error_text(error))));
        }
        let answered = read.model.as_deref().ok_or(OllamaError::Malformed("a line names no model"))?;
        if !same_model(answered, &self.model) {
            let answered = self.connection.shown(answered);
            return Err(OllamaError::OtherModel { asked: self.model.clone(), answered });
        }
        self.take_text(&read)?;
        if read.done {
            return self.end(&read);
        }
        self.lines_left = self.lines_left.saturating_sub(1);
        if self.lines_left == 0 || self.text_left == 0 {
            // The server was told when to stop and did not: what it wrote so far is what there is.
            self.finish(ModelReply { cut: true, ..ModelReply::default() });
        }
        Ok(())
    }

    fn take_text(&mut self, line: &ChatLine) -> Result<(), OllamaError> {
        let Some(said) = &line.message else { return Ok(()) };
        let text = said.content.as_deref().unwrap_or_default();
        let thought = said.thinking.as_deref().unwrap_or_default();
        if text.is_empty() && thought.is_empty() {
            return Ok(());
        }
        self.deadline = Deadline::after(self.between);
        self.text_left = self.text_left.saturating_sub(text.len() + thought.len());
        let text = self
            .thoughts
            .push(text)
            .map_err(|_| OllamaError::Malformed("thoughts stand where the answer should"))?;
        // Empty where the model thinks or a tag is under way: whoever waits for a token knows that there was one.
        self.ready.push_back(ChatPiece::Text(text));
        Ok(())
    }

    fn end(&mut self, line: &ChatLine) -> Result<(), OllamaError> {
        let reason = line.done_reason.as_deref().unwrap_or("stop");
        if matches!(reason, "load" | "unload") {
            return Err(OllamaError::Malformed("the model was loaded and not asked"));
        }
        self.finish(ModelReply {
            prompt_tokens: line.prompt_eval_count,
            prompt_time: line.prompt_eval_duration.map(Duration::from_nanos),
            completion_tokens: line.eval_count,
            cut: reason == "length",
        });
        Ok(())
    }

    fn finish(&mut self, counted: ModelReply) {
        let held = self.thoughts.finish();
        if !held.is_empty() {
            self.ready.push_back(ChatPiece::Text(held));
        }
        self.ready.push_back(ChatPiece::Done(counted));
        self.response = None;
    }
}

fn is_last(line: &[u8]) -> bool {
    serde_json::from_slice::<ChatLine>(line).is_ok_and(|line| line.done || line.error.is_some())
}
