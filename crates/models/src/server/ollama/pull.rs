use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use plumbline_core::messages::Message;
use plumbline_core::settings::ServerKind;
use reqwest::{Method, Response};
use serde::{Deserialize, Serialize};

use super::wire::{PullBody, PullLine};
use crate::server::http::{Connection, Deadline, broken_off, check_kind, error_text};
use crate::server::lines::Lines;
use crate::server::{Fault, ModelServer, ServerError};

/// How far a model has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum PullProgress {
    /// The list of its parts is being fetched.
    Manifest,
    /// A part is being fetched.
    Part {
        /// Which one.
        digest: String,
        /// Its bytes, where they are known.
        total: Option<u64>,
        /// How many are here.
        completed: u64,
    },
    /// The parts are compared with their digests.
    Verifying,
    /// Anything else on the way, in the server's words.
    Working {
        /// Its words.
        status: String,
    },
    /// It is here. Only this is success.
    Done,
}

/// A model being pulled. Dropping it stops the server, which goes on from there the next time.
pub type PullStream = BoxStream<'static, Result<PullProgress, ServerError>>;

impl ModelServer {
    /// Pulls a model. A failure comes as the last item, whatever status the answer began with.
    pub async fn pull(&self, model: &str) -> Result<PullStream, ServerError> {
        let steps = self.begin_pull(model).await.map_err(|fault| self.named(fault))?;
        let server = self.clone();
        Ok(steps.map(move |step| step.map_err(|fault| server.named(fault))).boxed())
    }

    async fn begin_pull(
        &self,
        model: &str,
    ) -> Result<BoxStream<'static, Result<PullProgress, Fault>>, Fault> {
        if self.settings.server != ServerKind::Ollama {
            return Err(Fault::NoPull(model.to_owned()));
        }
        let body = PullBody { model, stream: true };
        let deadline = Deadline::after(self.deadlines.pull_stall);
        let response = self.connection.send(Method::POST, "/api/pull", Some(&body), "", deadline).await?;
        check_kind(&response)?;
        let pulling = Pulling {
            connection: Arc::clone(&self.connection),
            response: Some(response),
            lines: Lines::default(),
            model: model.to_owned(),
            stall: self.deadlines.pull_stall,
        };
        let progress = stream::unfold(pulling, async |mut pulling| {
            let step = pulling.next().await?;
            Some((step, pulling))
        });
        Ok(progress.boxed())
    }
}

struct Pulling {
    connection: Arc<Connection>,
    response: Option<Response>,
    lines: Lines,
    model: String,
    stall: Duration,
}

impl Pulling {
    async fn next(&mut self) -> Option<Result<PullProgress, Fault>> {
        self.response.as_ref()?;
        let step = self.advance().await;
        if !matches!(&step, Ok(progress) if *progress != PullProgress::Done) {
            self.response = None;
        }
        Some(step)
    }

    async fn advance(&mut self) -> Result<PullProgress, Fault> {
        let deadline = Deadline::after(self.stall);
        loop {
            match self.lines.next() {
                Ok(Some(line)) => return self.connection.step(line, &self.model),
                Ok(None) => {}
                Err(_) => return Err(Fault::Malformed("a line has no end")),
            }
            let Some(response) = &mut self.response else { return Err(broken_off()) };
            match deadline.hold(response.chunk()).await?.map_err(|_| broken_off())? {
                Some(bytes) => self.lines.push(&bytes),
                None => {
                    let rest = self.lines.rest().map(|line| self.connection.step(line, &self.model));
                    return match rest {
                        Some(Ok(PullProgress::Done)) => Ok(PullProgress::Done),
                        Some(Err(problem @ Fault::Pull { .. })) => Err(problem),
                        _ => Err(Fault::BrokenOff(Message::OllamaPullEnded)),
                    };
                }
            }
        }
    }
}

impl Connection {
    fn step(&self, line: &[u8], model: &str) -> Result<PullProgress, Fault> {
        let line: PullLine =
            serde_json::from_slice(line).map_err(|_| Fault::Malformed("a line is not what Ollama writes"))?;
        if let Some(error) = &line.error {
            let message = self.shown(&error_text(error));
            return Err(Fault::Pull { model: model.to_owned(), message });
        }
        Ok(match (line.status.as_str(), line.digest) {
            ("success", _) => PullProgress::Done,
            ("pulling manifest", _) => PullProgress::Manifest,
            (status, Some(digest)) if status.starts_with("pulling ") => {
                PullProgress::Part { digest, total: line.total, completed: line.completed.unwrap_or(0) }
            }
            (status, _) if status.starts_with("verifying") => PullProgress::Verifying,
            (status, _) => PullProgress::Working { status: self.shown(status) },
        })
    }
}
