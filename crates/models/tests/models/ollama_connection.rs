//! How the server is reached: both families, tokens, redirects, and one connection a request.

use std::sync::Arc;

use plumbline_core::ports::{LanguageModel, ModelError, ModelInfo};
use plumbline_models::server::{AddressFamily, ModelServer, Token, TokenSource, diagnose};
use plumbline_testkit::ollama_server::{
    Act, Framing, OllamaServer, World, WorldModel, chat_end, chat_line, error_line, json,
};
use plumbline_testkit::skipping::skip;
use serde_json::json as value;

use crate::ollama_support::{MODEL, ask, client, client_at, patient, request, settings};

fn bearer(text: &'static str) -> Option<TokenSource> {
    Some(Arc::new(move || Token::new(text)))
}

fn with_token(address: &str, token: &'static str) -> ModelServer {
    ModelServer::with_deadlines(&settings(address), bearer(token), patient()).unwrap()
}

#[tokio::test]
async fn localhost_is_found_on_either_family() {
    for family in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(server) = OllamaServer::start_on(family, World::default()).await else {
            println!("not tried: this machine has no {family}");
            continue;
        };
        let address = format!("http://localhost:{}", server.port());
        let client = client_at(&address, patient());
        assert_eq!(client.version().await.as_deref(), Ok("0.24.0"), "a server on {family} only");
        assert_eq!(client.address(), address);
        let family = if family.starts_with('[') { AddressFamily::Ipv6 } else { AddressFamily::Ipv4 };
        assert_eq!(diagnose(&client).await.family, Some(family), "and the doctor tells which");
    }
}

#[test]
fn a_proxy_is_not_asked_for_this_machine() {
    // The environment is a process's own, so another one is started with a proxy that nobody runs.
    let this = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(this);
    command.args(["--exact", "ollama_connection::localhost_is_found_on_either_family"]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"] {
        command.env(name, "http://127.0.0.1:1");
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}

#[tokio::test]
async fn a_model_holds_what_it_was_made_for_and_writes_what_it_may() {
    let models = [WorldModel::chat("llama3.2:latest", 131_072), WorldModel::chat("phi4:latest", 16_384)];
    let server = OllamaServer::with(World::default().models(models)).await;
    let client = client(&server);
    let info = async |model: &str| client.inspect(model).await.unwrap();
    assert_eq!(info(MODEL).await, ModelInfo { context_window: 131_072, max_response: 1024 });
    assert_eq!(info("Llama3.2:latest").await, info(MODEL).await, "the same under another spelling");
    let unlisted = info("phi4").await;
    assert_eq!(unlisted.context_window, 16_384, "the server tells, not a constant");
}

#[tokio::test]
async fn all_that_has_a_default_of_its_own_is_sent() {
    let server = OllamaServer::start().await;
    ask(&client(&server), request(MODEL)).await.unwrap();
    let asked = server.asked_of("/api/chat").remove(0);
    assert_eq!(
        asked.body,
        value!({
            "model": MODEL,
            "messages": [{"role": "user", "content": "Name three colours."}],
            "stream": true,
            "think": false,
            "truncate": false,
            "shift": false,
            "keep_alive": "300s",
            "options": {"num_ctx": 4096, "num_predict": 1000, "temperature": 0.1, "seed": 42},
        })
    );
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.header("authorization"), None, "no token, no header");
    assert_eq!(asked.header("origin"), None, "an origin could be refused");
}

#[tokio::test]
async fn a_token_goes_to_loopback_and_to_nobody_in_plain_text() {
    let server = OllamaServer::start().await;
    with_token(server.address(), "s3cret").version().await.unwrap();
    assert_eq!(server.asked()[0].header("authorization"), Some("Bearer s3cret"));

    for address in ["http://192.0.2.7:11434", "http://ollama.example.org", "http://localhost.example.org"] {
        let problem = with_token(address, "s3cret").inspect(MODEL).await.unwrap_err();
        let told = problem.to_string();
        assert!(matches!(problem, ModelError::Refused { .. }), "{told}");
        assert!(
            told.contains("https://") && told.contains("OLLAMA_BASE_URL") && !told.contains("s3cret"),
            "{told}"
        );
    }
    let odd = with_token(server.address(), "two\nlines").inspect(MODEL).await.unwrap_err().to_string();
    assert!(odd.contains("enter it again") && !odd.contains("lines"), "{odd}");
}

#[tokio::test]
async fn a_token_is_in_no_error() {
    let server = OllamaServer::start().await;
    let client = with_token(server.address(), "s3cret");
    let echo = error_line("invalid key s3cret for host");
    for status in [400, 401, 403, 404, 429, 500, 503] {
        server.answer("/api/show", json(status, &echo));
        let problem = client.inspect(MODEL).await.unwrap_err();
        assert!(!format!("{problem} {problem:?}").contains("s3cret"), "{status}: {problem:?}");
    }
    server.behave();
    server.answer("/api/chat", json(200, &echo));
    let (_, problem) = ask(&client, request(MODEL)).await.unwrap_err();
    assert!(!format!("{problem:?}").contains("s3cret"), "{problem:?}");
    server.answer("/api/show", json(401, &echo));
    let told = client.inspect(MODEL).await.unwrap_err().to_string();
    assert!(told.contains("token"), "it says what is wanted: {told}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = OllamaServer::start().await;
    let server = OllamaServer::start().await;
    for status in [301, 302, 307, 308] {
        let location = format!(
            "HTTP/1.1 {status} Moved\r\nLocation: {}/api/show\r\nContent-Length: 0\r\n\r\n",
            elsewhere.address()
        );
        server.answer("/api/show", vec![Act::Raw(location.into_bytes())]);
        let problem = with_token(server.address(), "s3cret").inspect(MODEL).await.unwrap_err();
        assert!(problem.to_string().contains("redirects to another address"), "{status}: {problem}");
    }
    assert!(elsewhere.asked().is_empty(), "nobody chose that server");
}

#[tokio::test]
async fn what_one_answer_leaves_behind_is_not_the_answer_to_the_next() {
    let server = OllamaServer::start().await;
    let client = client(&server);
    let card = |context: usize| value!({"model_info": {"general.architecture": "a", "a.context_length": context}, "capabilities": ["completion"]});
    let whole = |context: usize| {
        let body = card(context).to_string();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    // Two answers to one request: on a connection that is used again the second would answer the next request.
    let both = format!("{}{}", whole(1111), whole(2222));
    server.answer("/api/show", vec![Act::Raw(both.into_bytes())]);
    assert_eq!(client.inspect(MODEL).await.unwrap().context_window, 1111);
    server.answer("/api/show", json(200, &card(3333)));
    assert_eq!(client.inspect(MODEL).await.unwrap().context_window, 3333, "its own answer");

    // The same with a stream whose rest comes after its end, and with one that was dropped half-way.
    let late = [chat_end(MODEL, "stop", None, None), chat_line(MODEL, "of another request")];
    let late: String = late.iter().map(|line| format!("{line}\n")).collect();
    let framing = Framing::Length(100_000);
    let kind = "application/x-ndjson".to_owned();
    server.answer("/api/chat", vec![Act::Head { status: 200, kind, framing }, Act::Body(late.into_bytes())]);
    assert_eq!(ask(&client, request(MODEL)).await.unwrap().0, "");
    server.behave();
    drop(client.chat(request(MODEL)).await.unwrap());
    ask(&client, request(MODEL)).await.unwrap();
    let asked = server.asked();
    let connections: std::collections::BTreeSet<usize> = asked.iter().map(|asked| asked.connection).collect();
    assert_eq!(connections.len(), asked.len(), "every request has a connection of its own");
    assert!(server.all_closed().await);
}

#[tokio::test]
async fn a_server_that_comes_back_is_found_by_the_next_request() {
    let server = OllamaServer::start().await;
    let (address, port) = (server.address().to_owned(), server.port());
    let client = client_at(&address, patient());
    client.version().await.unwrap();
    server.stop().await;
    assert!(client.version().await.is_err());
    let again = OllamaServer::start_on(&format!("127.0.0.1:{port}"), World::default()).await;
    let Ok(_again) = again else {
        return skip("the port was taken meanwhile");
    };
    assert_eq!(client.version().await.as_deref(), Ok("0.24.0"));
}
