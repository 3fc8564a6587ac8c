use std::collections::VecDeque;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatPiece, ChatRequest, ModelReply};
use reqwest::Response;

use super::Fault;
use super::http::{Deadline, broken_off};
use super::lines::Lines;
use super::thoughts::Thoughts;

/// A line holds a token or more, so a server that writes more lines than tokens were asked for does not stop by itself.
const LINES_IN_RESERVE: usize = 64;
/// Far more than any tokenizer puts into a token.
const BYTES_A_TOKEN: usize = 64;
/// However the bytes are cut into lines, no reply is as long as this.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How long what may follow a reply that is over is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// A reply as it is written; dropping it closes the connection, which stops the model.
pub(super) type Reply = BoxStream<'static, Result<ChatPiece, Fault>>;

/// What a line of a reply says.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Words of the answer, thoughts among them where the server does not keep them apart.
    pub text: String,
    /// Thoughts.
    pub thought: String,
    /// What was counted, where this is the end.
    pub end: Option<ModelReply>,
    /// Whether the line only shows that the connection lives.
    pub is_empty: bool,
}

/// How a kind of server writes a reply.
pub(super) trait Dialect: Send {
    /// Reads a line.
    fn hear(&mut self, line: &[u8]) -> Result<Heard, Fault>;

    /// Whether a line that lacks its line end is the last one all the same.
    fn is_last(&self, line: &[u8]) -> bool;

    /// What was counted, where the reply is over and only formalities are to follow.
    fn over(&self) -> Option<ModelReply>;
}

/// The reply that an answer holds.
pub(super) fn reply(
    response: Response,
    dialect: Box<dyn Dialect>,
    request: &ChatRequest,
    deadline: Deadline,
) -> Reply {
    let lines = request.num_predict.saturating_add(LINES_IN_RESERVE);
    let reader = ChatReader {
        dialect,
        response: Some(response),
        lines: Lines::default(),
        thoughts: Thoughts::default(),
        ready: VecDeque::new(),
        deadline,
        between: request.between_tokens,
        lines_left: lines,
        text_left: lines.saturating_mul(BYTES_A_TOKEN),
        bytes_left: MAX_BYTES,
    };
    let pieces = stream::unfold(reader, async |mut reader| {
        let piece = reader.next().await?;
        Some((piece, reader))
    });
    pieces.boxed()
}

struct ChatReader {
    dialect: Box<dyn Dialect>,
    /// Absent once nothing more is read; the connection is closed then.
    response: Option<Response>,
    lines: Lines,
    thoughts: Thoughts,
    /// Pieces of a line that are still to be handed out.
    ready: VecDeque<ChatPiece>,
    deadline: Deadline,
    between: Duration,
    lines_left: usize,
    text_left: usize,
    bytes_left: usize,
}

impl ChatReader {
    async fn next(&mut self) -> Option<Result<ChatPiece, Fault>> {
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
    async fn advance(&mut self) -> Result<(), Fault> {
        match self.lines.next() {
            Ok(Some(line)) => {
                let line = line.to_vec();
                return self.take(&line);
            }
            Ok(None) => {}
            Err(_) => return Err(Fault::Malformed("a line has no end")),
        }
        let Some(response) = &mut self.response else { return Ok(()) };
        let came = match self.deadline.hold(response.chunk()).await {
            Ok(came) => came.map_err(|_| broken_off()),
            Err(late) => Err(late),
        };
        match (came, self.dialect.over()) {
            (Ok(Some(bytes)), _) => {
                self.bytes_left =
                    self.bytes_left.checked_sub(bytes.len()).ok_or(Fault::Malformed("it has no end"))?;
                self.lines.push(&bytes);
                Ok(())
            }
            // The reply had ended by its own account; what it lacks are formalities.
            (Ok(None) | Err(_), Some(counted)) => {
                self.finish(counted);
                Ok(())
            }
            (Err(problem), None) => Err(problem),
            (Ok(None), None) => match self.lines.rest().map(<[u8]>::to_vec) {
                // A last line may lack its line end, but not its own.
                Some(line) if self.dialect.is_last(&line) => {
                    self.take(&line)?;
                    self.dialect.over().map_or(Ok(()), |counted| {
                        self.finish(counted);
                        Ok(())
                    })
                }
                Some(_) => Err(Fault::BrokenOff(Message::OllamaLineCut)),
                None => Err(Fault::BrokenOff(Message::ModelStreamEnded)),
            },
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), Fault> {
        let heard = self.dialect.hear(line)?;
        if heard.is_empty {
            return Ok(());
        }
        self.take_text(&heard)?;
        if let Some(counted) = heard.end {
            self.finish(counted);
            return Ok(());
        }
        if self.dialect.over().is_some() {
            self.deadline = Deadline::after(self.between.min(GRACE));
        }
        self.lines_left = self.lines_left.saturating_sub(1);
        if self.lines_left == 0 || self.text_left == 0 {
            // The server was told when to stop and did not: what it wrote so far is what there is.
            self.finish(ModelReply { cut: true, ..ModelReply::default() });
        }
        Ok(())
    }

    fn take_text(&mut self, heard: &Heard) -> Result<(), Fault> {
        if heard.text.is_empty() && heard.thought.is_empty() {
            return Ok(());
        }
        self.deadline = Deadline::after(self.between);
        self.text_left = self.text_left.saturating_sub(heard.text.len() + heard.thought.len());
        let text = self
            .thoughts
            .push(&heard.text)
            .map_err(|_| Fault::Malformed("thoughts stand where the answer should"))?;
        // Empty where the model thinks or a tag is under way: whoever waits for a token knows that there was one.
        self.ready.push_back(ChatPiece::Text(text));
        Ok(())
    }

    fn finish(&mut self, counted: ModelReply) {
        if self.response.take().is_none() {
            return;
        }
        let held = self.thoughts.finish();
        if !held.is_empty() {
            self.ready.push_back(ChatPiece::Text(held));
        }
        self.ready.push_back(ChatPiece::Done(counted));
    }
}
