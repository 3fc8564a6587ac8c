use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatPiece, ChatRequest, PortError, Reranker};
use plumbline_core::prompt::rerank_messages;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Fault, ModelServer};

/// Small models lose count in longer lists.
const BATCH: usize = 10;
/// How much of a passage is read: enough to tell what it is about.
const PASSAGE_CHARS: usize = 1_500;
/// Rules, fences and question.
const PROMPT_TOKENS: usize = 600;
/// A number with its comma, in tokens at most, with some to spare.
const SCORE_TOKENS: usize = 8;
/// The braces and the name around the numbers.
const FRAME_TOKENS: usize = 32;
/// On the safe side: even code has more characters a token.
const CHARS_A_TOKEN: usize = 2;

/// A chat model that rates passages, in place of a cross-encoder.
pub struct ServerReranker {
    server: ModelServer,
    model: String,
    limit: Duration,
}

#[derive(Deserialize)]
struct Scores {
    scores: Vec<f32>,
}

impl ServerReranker {
    /// Rates with this model; all passages together have the settings' time for short jobs.
    pub fn new(server: ModelServer, model: &str) -> Self {
        let limit = Duration::from_secs(server.settings.timeout_seconds);
        Self { server, model: model.to_owned(), limit }
    }

    /// The same with another limit.
    pub fn within(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    async fn all(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, Fault> {
        let allowed = self.server.allowance(&self.model).map(|allowed| allowed.context_window);
        let window = self.server.context(&self.model).await?;
        let window = allowed.map_or(window, |allowed| allowed.min(window));
        let texts: Vec<&str> = texts.iter().map(|text| beginning(text, PASSAGE_CHARS)).collect();
        let reply = FRAME_TOKENS + BATCH * SCORE_TOKENS;
        let room = window.saturating_sub(PROMPT_TOKENS + reply) * CHARS_A_TOKEN;
        let mut scores = Vec::with_capacity(texts.len());
        let mut rest = texts.as_slice();
        while !rest.is_empty() {
            let mut chars = 0;
            let fits = rest.iter().take(BATCH).take_while(|text| {
                chars += text.chars().count();
                chars <= room
            });
            let (batch, after) = rest.split_at(fits.count().max(1));
            scores.extend(self.batch(query, batch, window).await?);
            rest = after;
        }
        Ok(scores)
    }

    async fn batch(&self, query: &str, texts: &[&str], window: usize) -> Result<Vec<f32>, Fault> {
        let request = ChatRequest {
            model: self.model.clone(),
            messages: rerank_messages(query, texts),
            num_ctx: window,
            num_predict: FRAME_TOKENS + texts.len() * SCORE_TOKENS,
            temperature: 0.0,
            seed: self.server.settings.seed,
            first_token: self.limit,
            between_tokens: self.limit,
        };
        let mut reply = self.server.ask(request, Some(&schema(texts.len()))).await?;
        let mut written = String::new();
        let counted = loop {
            match reply.next().await {
                Some(Ok(ChatPiece::Text(text))) => written.push_str(&text),
                Some(Ok(ChatPiece::Done(counted))) => break counted,
                Some(Err(problem)) => return Err(problem),
                None => return Err(Fault::BrokenOff(Message::ModelStreamEnded)),
            }
        };
        if counted.cut {
            return Err(Fault::BrokenOff(Message::OllamaScoresCut));
        }
        read_scores(&written, texts.len())
    }
}

#[async_trait]
impl Reranker for ServerReranker {
    async fn rerank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>, PortError> {
        let scores = tokio::time::timeout(self.limit, self.all(query, texts)).await;
        let scores = scores.unwrap_or(Err(Fault::Timeout(self.limit)));
        scores
            .map_err(|problem| problem.into_port_error(self.server.kind(), "reranker", self.server.address()))
    }
}

fn schema(count: usize) -> Value {
    json!({
        "type": "object",
        "properties": {
            "scores": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 100},
                "minItems": count,
                "maxItems": count,
            },
        },
        "required": ["scores"],
    })
}

/// The scores from 0 to 1; all of them, or none.
fn read_scores(text: &str, count: usize) -> Result<Vec<f32>, Fault> {
    let read: Scores =
        serde_json::from_str(text.trim()).map_err(|_| Fault::Malformed("it is not a list of scores"))?;
    let sound = read.scores.len() == count && read.scores.iter().all(|score| (0.0..=100.0).contains(score));
    if !sound {
        return Err(Fault::Malformed("there is not one score from 0 to 100 for each passage"));
    }
    Ok(read.scores.into_iter().map(|score| score / 100.0).collect())
}

fn beginning(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(cut, _)| &text[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_whole_or_not_at_all() {
        assert_eq!(read_scores(" {\"scores\": [100, 7.5, 0]}\n", 3).unwrap(), [1.0, 0.075, 0.0]);
        for wrong in [
            "",
            "{\"scores\": [100, 7",
            "{\"scores\": [100, 7]}",
            "{\"scores\": [1, 2, 3, 4]}",
            "{\"scores\": [1, 2, 101]}",
            "{\"scores\": [1, 2, -1]}",
            "{\"scores\": [1, 2, null]}",
            "[1, 2, 3]",
            "The scores are {\"scores\": [1, 2, 3]}",
        ] {
            assert!(read_scores(wrong, 3).is_err(), "{wrong}");
        }
    }
}
