//! Answers as they go out.

use std::io;

use rmcp::model::ServerJsonRpcMessage;
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    Accepted,
    NoContent,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    LengthRequired,
    ContentTooLarge,
    UnsupportedMediaType,
    HeadTooLarge,
}

impl Status {
    const fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::Accepted => "202 Accepted",
            Self::NoContent => "204 No Content",
            Self::BadRequest => "400 Bad Request",
            Self::Unauthorized => "401 Unauthorized",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed",
            Self::NotAcceptable => "406 Not Acceptable",
            Self::LengthRequired => "411 Length Required",
            Self::ContentTooLarge => "413 Content Too Large",
            Self::UnsupportedMediaType => "415 Unsupported Media Type",
            Self::HeadTooLarge => "431 Request Header Fields Too Large",
        }
    }
}

/// A response; its body is whole, or events that follow it.
pub(super) struct Response {
    status: Status,
    headers: Vec<(&'static str, String)>,
    /// Absent where events follow.
    body: Option<Vec<u8>>,
}

impl Response {
    pub fn of(status: Status) -> Self {
        let mut headers = Vec::new();
        match status {
            Status::Unauthorized => headers.push(("WWW-Authenticate", "Bearer".to_owned())),
            Status::MethodNotAllowed => headers.push(("Allow", "POST, DELETE".to_owned())),
            _ => {}
        }
        Self { status, headers, body: Some(Vec::new()) }
    }

    pub fn json(status: Status, message: &ServerJsonRpcMessage) -> Self {
        let body = serde_json::to_vec(message).unwrap_or_default();
        Self { body: Some(body), ..Self::of(status) }.with("Content-Type", "application/json")
    }

    pub fn event_stream() -> Self {
        let started = Self { body: None, ..Self::of(Status::Ok) };
        started.with("Content-Type", "text/event-stream").with("Cache-Control", "no-store").closing()
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The connection ends with it.
    pub fn closing(self) -> Self {
        self.with("Connection", "close")
    }

    pub async fn write(&self, stream: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let mut out = format!("HTTP/1.1 {}\r\n", self.status.line()).into_bytes();
        for (name, value) in &self.headers {
            out.extend(format!("{name}: {value}\r\n").bytes());
        }
        if let Some(body) = self.body.as_ref().filter(|_| self.status != Status::NoContent) {
            out.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
        }
        out.extend(b"\r\n");
        out.extend(self.body.iter().flatten());
        stream.write_all(&out).await?;
        stream.flush().await
    }
}

/// A message as an event.
pub(super) async fn event(
    stream: &mut (impl AsyncWrite + Unpin),
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    // JSON has no line breaks of its own.
    let data = serde_json::to_string(message).unwrap_or_default();
    stream.write_all(format!("event: message\ndata: {data}\n\n").as_bytes()).await?;
    stream.flush().await
}

/// A comment, which clients pass over.
pub(super) async fn still_there(stream: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    stream.write_all(b": still there\n\n").await?;
    stream.flush().await
}
