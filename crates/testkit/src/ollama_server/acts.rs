use std::time::Duration;

use serde_json::{Value, json as value};

/// How the end of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// In chunks, as Ollama streams.
    Chunked,
    /// By a length, true or not.
    Length(usize),
    /// By the end of the connection.
    UntilClose,
}

/// One thing that a server does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Sends status and headers.
    Head {
        /// The status.
        status: u16,
        /// The content type; none where empty.
        kind: String,
        /// How the body ends.
        framing: Framing,
    },
    /// Sends a part of the body.
    Body(Vec<u8>),
    /// Sends bytes that are part of nothing.
    Raw(Vec<u8>),
    /// Waits.
    Wait(Duration),
    /// Never does anything again, but notices when the client goes away.
    Hang,
    /// Sends this part of the body again and again.
    Endless(Vec<u8>),
    /// Ends the body; the connection stays open where the framing allows it.
    End,
    /// Closes the connection.
    Close,
}

/// What a server does in answer to one request.
pub type Acts = Vec<Act>;

/// Status and headers of a stream of lines.
pub fn head() -> Act {
    Act::Head { status: 200, kind: "application/x-ndjson".to_owned(), framing: Framing::Chunked }
}

/// A JSON answer.
pub fn json(status: u16, body: &Value) -> Acts {
    whole(status, "application/json; charset=utf-8", body.to_string())
}

/// A web page, as a proxy or a log-in sends it.
pub fn page(status: u16) -> Acts {
    whole(
        status,
        "text/html; charset=utf-8",
        "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>".to_owned(),
    )
}

fn whole(status: u16, kind: &str, body: String) -> Acts {
    let framing = Framing::Length(body.len());
    vec![Act::Head { status, kind: kind.to_owned(), framing }, Act::Body(body.into_bytes()), Act::End]
}

/// A stream of lines, each in a chunk of its own, without an end.
pub fn lines<'l>(lines: impl IntoIterator<Item = &'l Value>) -> Acts {
    let lines = lines.into_iter().map(|line| Act::Body(format!("{line}\n").into_bytes()));
    std::iter::once(head()).chain(lines).collect()
}

/// A line of a chat.
pub fn chat_line(model: &str, content: &str) -> Value {
    value!({
        "model": model,
        "created_at": "2026-11-15T02:30:36.439076495Z",
        "message": {"role": "assistant", "content": content},
        "done": false,
    })
}

/// The last line of a chat.
pub fn chat_end(
    model: &str,
    reason: &str,
    prompt_tokens: Option<usize>,
    completion_tokens: Option<usize>,
) -> Value {
    let mut line = chat_line(model, "");
    line["done"] = value!(true);
    line["done_reason"] = value!(reason);
    // Zero and absent are the same on the wire.
    for (name, count) in [("prompt_eval_count", prompt_tokens), ("eval_count", completion_tokens)] {
        if let Some(count) = count {
            line[name] = value!(count);
        }
    }
    line
}

/// A line that reports an error.
pub fn error_line(message: &str) -> Value {
    value!({"error": message})
}

/// Status and headers of a stream of events.
pub fn event_head() -> Act {
    Act::Head { status: 200, kind: "text/event-stream".to_owned(), framing: Framing::Chunked }
}

/// An event as it goes over the wire.
pub fn event(data: &Value) -> Vec<u8> {
    format!("data: {data}\n\n").into_bytes()
}

/// An event of a chat in OpenAI's protocol; the last one has a reason.
pub fn event_line(model: &str, content: &str, reason: Option<&str>) -> Value {
    value!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_794_896_548,
        "model": model,
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": reason}],
    })
}

/// The event with the counts.
pub fn event_usage(model: &str, prompt_tokens: Option<usize>, completion_tokens: Option<usize>) -> Value {
    let usage = value!({"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens});
    value!({"object": "chat.completion.chunk", "model": model, "choices": [], "usage": usage})
}

/// An error in OpenAI's protocol.
pub fn event_error(message: &str) -> Value {
    value!({"error": {"message": message, "type": "server_error", "code": null}})
}

pub(super) fn head_bytes(status: u16, kind: &str, framing: Framing) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Recorded\r\n");
    if !kind.is_empty() {
        head.push_str(&format!("Content-Type: {kind}\r\n"));
    }
    match framing {
        Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
        Framing::Length(length) => head.push_str(&format!("Content-Length: {length}\r\n")),
        Framing::UntilClose => head.push_str("Connection: close\r\n"),
    }
    if (300..400).contains(&status) {
        head.push_str("Location: http://127.0.0.1:9/elsewhere\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}
