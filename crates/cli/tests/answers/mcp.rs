//! The server as programs start it: a process whose standard output is the protocol and nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Child;

use serde_json::{Value, json};

use super::{QUESTION, User, library, said};

fn send(child: &mut Child, message: &Value) {
    writeln!(child.stdin.as_mut().unwrap(), "{message}").unwrap();
}

fn introduction() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } })
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

#[test]
fn standard_output_is_the_protocol_and_nothing_else() {
    let folder = library();
    let mut child = User::new(folder.path()).start(&["mcp"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = |id: u64| loop {
        let line = lines.next().expect("an answer").unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        if message["id"] == id {
            return message["result"].clone();
        }
    };
    send(&mut child, &introduction());
    assert_eq!(answer(1)["serverInfo"]["name"], "plumbline");
    child.stdin.as_mut().unwrap().write_all(b"not a message\n").unwrap();
    send(&mut child, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    send(&mut child, &call(2, "ask", &json!({ "question": QUESTION })));
    assert_eq!(answer(2)["structuredContent"]["action"], "CITE");
    send(
        &mut child,
        &call(3, "check_statement", &json!({ "text": "Backups are encrypted with separate keys." })),
    );
    assert_eq!(answer(3)["structuredContent"]["counts"]["supported"], 1);
    drop(child.stdin.take());
    assert!(lines.next().is_none(), "nothing comes behind the last answer");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).is_empty(), "a client that ends is no trouble: {}", said(&output));
    let audit = std::fs::read_dir(folder.path().join("audit")).unwrap().count();
    assert!(audit > 0, "what was asked is on record");
}

#[test]
fn over_http_it_says_where_it_listens_and_what_to_show() {
    let folder = library();
    let mut child = User::new(folder.path()).start(&["mcp", "--http", "0"]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap();
    assert!(address.contains("listening on http://127.0.0.1:") && address.ends_with("/mcp"), "{address}");
    assert!(lines.next().unwrap().unwrap().contains("Authorization: Bearer "));
    child.kill().unwrap();
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert!(printed.is_empty(), "{printed}");
    child.wait().unwrap();
    let given = User::new(folder.path()).with("PLUMBLINE_MCP_TOKEN", "secret");
    let mut child = given.start(&["mcp", "--http", "0"]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("listening on"));
    child.kill().unwrap();
    assert!(!lines.any(|line| line.unwrap().contains("secret")), "a token that was given is not printed");
    child.wait().unwrap();
}
