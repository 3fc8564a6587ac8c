//! What no honest client sends.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::world::{call, called, connected, sample, server, streams};

struct Raw {
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
}

impl Raw {
    fn new() -> Self {
        let (output, input) = tokio::io::split(streams(server(sample())));
        Self { input, output: BufReader::new(output) }
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    /// The answer to a request; what has another id is passed over.
    async fn answer(&mut self, id: u64) -> Value {
        let waiting = async {
            loop {
                let mut line = String::new();
                assert!(self.output.read_line(&mut line).await.unwrap() > 0, "the server is gone");
                let message: Value = serde_json::from_str(&line).expect("every line is a message");
                if message["id"] == id {
                    return message;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("an answer")
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(message.to_string().as_bytes()).await;
        self.answer(id).await
    }
}

fn introduction() -> Value {
    json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "raw", "version": "1" } })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_anything_is_served_as_soon_as_it_behaves() {
    let mut raw = Raw::new();
    let deep = "[".repeat(100_000);
    let huge = "x".repeat(9 * 1024 * 1024);
    let nonsense: [&[u8]; 9] = [
        b"",
        b"garbage",
        b"\xff\xfe\x00",
        b"[]",
        b"{}",
        b"{\"jsonrpc\":\"2.0\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":12345}}",
        deep.as_bytes(),
        huge.as_bytes(),
    ];
    for bytes in nonsense {
        raw.send(bytes).await;
    }
    let early = raw.ask(1, "tools/list", json!({})).await;
    assert_eq!(early["error"]["code"], -32002, "nobody is served before they are introduced");
    assert_eq!(raw.ask(2, "server/discover", json!({})).await["error"]["code"], -32601);
    let begun = raw.ask(3, "initialize", introduction()).await;
    assert_eq!(begun["result"]["protocolVersion"], "2025-06-18");
    for bytes in nonsense {
        raw.send(bytes).await;
    }
    assert_eq!(raw.ask(4, "no/such/method", json!({})).await["error"]["code"], -32601);
    let huge_call = json!({ "name": "ask", "arguments": { "question": "x".repeat(3 * 1024 * 1024) } });
    assert_eq!(raw.ask(5, "tools/call", huge_call).await["result"]["isError"], true);
    // What cannot be read has no id that could be answered; it is told, and the next request is served.
    for wrong in [json!({ "name": 7 }), json!([]), json!({ "name": "ask", "arguments": "text" })] {
        let message = json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": wrong });
        raw.send(message.to_string().as_bytes()).await;
    }
    let status = raw.ask(7, "tools/call", json!({ "name": "library_status", "arguments": {} })).await;
    assert_eq!(status["result"]["structuredContent"]["indexed"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_in_the_middle_leaves_others_alone() {
    let one = server(sample());
    for _ in 0..5 {
        let mut stream = streams(one.clone());
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": introduction() });
        stream.write_all(message.to_string().as_bytes()).await.unwrap();
        stream.write_all(b"\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/ca").await.unwrap();
        drop(stream);
    }
    let client = connected(one).await;
    called(&client, "library_status", json!({})).await;
}

/// The memory of this process that is in use.
fn resident_bytes() -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_leave_nothing_behind() {
    let client = connected(server(sample())).await;
    let one = async |n: usize| {
        let (tool, arguments) = match n % 50 {
            0 => ("ask", json!({ "question": "Which broker do we use for event streaming?" })),
            25 => ("check_statement", json!({ "text": "Backups are encrypted with separate keys." })),
            at if at % 10 == 5 => ("search_passages", json!({ "query": "backups" })),
            at if at % 4 == 0 => ("define_term", json!({ "term": "substation" })),
            at if at % 4 == 1 => ("get_document", json!({ "id": "adr-0015" })),
            at if at % 4 == 2 => ("list_documents", json!({})),
            _ => ("get_document", json!({ "id": "ADR-9999" })),
        };
        call(&client, tool, arguments).await
    };
    for n in 0..100 {
        one(n).await;
    }
    let before = resident_bytes();
    for n in 0..1000 {
        one(n).await;
    }
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        let grown = after.saturating_sub(before);
        println!("{} MB before a thousand calls, {} KB more behind them", before >> 20, grown >> 10);
        // Other tests of this process run beside it and read models of their own.
        assert!(grown < 400 << 20, "{} MB more", grown >> 20);
    }
}
