//! The same over HTTP, by bytes: what matters is who is let in and what is kept apart.

use std::time::Duration;

use plumbline_mcp::HttpServer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::world::{sample, server};

const TOKEN: &str = "a-token";

struct Site {
    host: String,
    _stop: DropGuard,
}

struct Got {
    status: u16,
    head: String,
    body: String,
}

impl Got {
    fn session(&self) -> String {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with("mcp-session-id:"));
        line.and_then(|line| line.split_once(':')).map(|(_, id)| id.trim().to_owned()).expect("a session")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}

async fn site() -> Site {
    let listening = HttpServer::bind(server(sample()), 0, TOKEN).await.unwrap();
    let address = listening.address();
    let host = address.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let stop = CancellationToken::new();
    tokio::spawn(listening.serve(stop.clone()));
    Site { host, _stop: stop.drop_guard() }
}

impl Site {
    /// Sends bytes and reads until the connection ends.
    async fn send(&self, bytes: &[u8]) -> Got {
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        // Whoever is refused early may not be read to the end.
        let _ = stream.write_all(bytes).await;
        let mut got = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(60), read_response(&mut stream, &mut got)).await;
        let got = String::from_utf8_lossy(&got).into_owned();
        let (head, body) = got.split_once("\r\n\r\n").unwrap_or((&got, ""));
        let status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Got { status, head: head.to_owned(), body: body.to_owned() }
    }

    async fn post(&self, headers: &[(&str, &str)], body: &str) -> Got {
        let mut request = format!("POST /mcp HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
        let usual = [
            ("Host", self.host.as_str()),
            ("Authorization", "Bearer a-token"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let given = |name: &str| headers.iter().any(|(known, _)| *known == name);
        for (name, value) in usual.iter().filter(|(name, _)| !given(name)).chain(headers) {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        self.send(format!("{request}\r\n{body}").as_bytes()).await
    }

    async fn begin(&self) -> String {
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "http", "version": "1" } } });
        let got = self.post(&[], &message.to_string()).await;
        assert_eq!((got.status, &got.json()["result"]["serverInfo"]["name"]), (200, &json!("plumbline")));
        let session = got.session();
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(&[("Mcp-Session-Id", &session)], &told.to_string()).await.status, 202);
        session
    }
}

/// Reads one response: as long as it says, or until the connection ends.
async fn read_response(stream: &mut TcpStream, got: &mut Vec<u8>) {
    loop {
        let text = String::from_utf8_lossy(got).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            if length.is_some_and(|length| body.len() >= length.parse().unwrap_or(usize::MAX)) {
                return;
            }
        }
        if stream.read_buf(got).await.unwrap_or(0) == 0 {
            return;
        }
    }
}

fn tool(id: u64, name: &str, arguments: Value, token: Option<&str>) -> String {
    let mut params = json!({ "name": name, "arguments": arguments });
    if let Some(token) = token {
        params["_meta"] = json!({ "progressToken": token });
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_answered_and_may_hear_progress() {
    let site = site().await;
    let session = site.begin().await;
    let with = [("Mcp-Session-Id", session.as_str())];
    let got = site.post(&with, &tool(1, "library_status", json!({}), None)).await;
    assert_eq!((got.status, &got.json()["result"]["structuredContent"]["indexed"]), (200, &json!(true)));
    let text = json!({ "text": "Backups are encrypted with separate keys." });
    let got = site.post(&with, &tool(2, "check_statement", text, Some("p"))).await;
    assert!(got.head.contains("text/event-stream"), "{}", got.head);
    let messages: Vec<Value> = got
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(messages[0]["method"], "notifications/progress");
    assert_eq!(messages.last().unwrap()["result"]["structuredContent"]["counts"]["supported"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_in_without_the_token_or_from_a_page() {
    let site = site().await;
    let body = tool(1, "library_status", json!({}), None);
    for (headers, status) in [
        (vec![("Authorization", "")], 401),
        (vec![("Authorization", "Bearer another")], 401),
        (vec![("Host", "evil.example")], 403),
        (vec![("Origin", "https://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Content-Type", "text/plain")], 415),
        (vec![("Accept", "text/html")], 406),
        (vec![("MCP-Protocol-Version", "1999-01-01")], 400),
        (vec![("Mcp-Session-Id", "no-such-session")], 404),
        (vec![], 400),
    ] {
        let got = site.post(&headers, &body).await;
        assert_eq!(got.status, status, "{headers:?}: {}", got.body);
        assert!(!got.body.contains("indexed"), "{headers:?}");
    }
    let session = site.begin().await;
    let host = &site.host;
    let get = format!("GET /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    assert_eq!(site.send(get.as_bytes()).await.status, 405);
    let delete = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\nMcp-Session-Id: {session}\r\n\r\n"
    );
    assert_eq!(site.send(delete.as_bytes()).await.status, 204);
    assert_eq!(site.post(&[("Mcp-Session-Id", &session)], &body).await.status, 404, "it is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_and_huge_requests_harm_nobody() {
    let site = site().await;
    for broken in ["{", "[]", "{\"jsonrpc\":\"2.0\"}", "\u{0}"] {
        assert_eq!(site.post(&[], broken).await.status, 400, "{broken}");
    }
    let host = &site.host;
    let huge = format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 999999999\r\n\r\n");
    assert_eq!(site.send(huge.as_bytes()).await.status, 413);
    assert_eq!(
        site.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").await.status,
        400,
        "TLS is none"
    );
    let endless = format!("POST /mcp HTTP/1.1\r\nX: {}", "x".repeat(40_000));
    assert_eq!(site.send(endless.as_bytes()).await.status, 431);
    let session = site.begin().await;
    let got = site.post(&[("Mcp-Session-Id", &session)], &tool(1, "library_status", json!({}), None)).await;
    assert_eq!(got.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_called_off_by_another_request() {
    let site = site().await;
    let session = site.begin().await;
    let text: String =
        (0..300).map(|n| format!("Backups of system {n} are encrypted with separate keys. ")).collect();
    let with = [("Mcp-Session-Id", session.as_str())];
    let checking = tool(7, "check_statement", json!({ "text": text }), Some("p"));
    let (got, ()) = tokio::join!(
        async { tokio::time::timeout(Duration::from_secs(8), site.post(&with, &checking)).await },
        async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            let off = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
            assert_eq!(site.post(&with, &off.to_string()).await.status, 202);
        }
    );
    // The client does not wait for what it called off; if it does, it hears no answer.
    assert!(got.is_err() || !got.unwrap().body.contains("\"result\""));
    let got = site.post(&with, &tool(8, "library_status", json!({}), None)).await;
    assert_eq!(got.status, 200);
}
