//! A server that goes wrong in every way we know of: each ends as what it is, and the next request works.

use std::time::Duration;

use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_core::ports::{ChatRequest, LanguageModel, ModelError};
use plumbline_testkit::ollama_server::{
    Act, Acts, Framing, OllamaServer, chat_end, chat_line, error_line, head, json, lines, page,
};
use plumbline_testkit::skipping::skip;
use serde_json::{Value, json as value};

use crate::ollama_support::{MODEL, SOON, ask, client, client_at, hasty_request, patient, request};

fn body(line: &Value) -> Act {
    Act::Body(format!("{line}\n").into_bytes())
}

fn with(mut acts: Acts, more: impl IntoIterator<Item = Act>) -> Acts {
    acts.extend(more);
    acts
}

fn some_text() -> Acts {
    lines(&[chat_line(MODEL, "Red"), chat_line(MODEL, ", green")])
}

/// What a server did with a chat ends in this kind of error with these words, after this text.
async fn ends(acts: Acts, text: &str, kind: fn(&ModelError) -> bool, words: &str) {
    let server = OllamaServer::start().await;
    server.answer("/api/chat", acts.clone());
    let client = client(&server);
    let hangs = acts.iter().any(|act| matches!(act, Act::Hang | Act::Wait(_)));
    let asked = match (hangs, text) {
        (false, _) => request(MODEL),
        (true, "") => ChatRequest { first_token: SOON, ..request(MODEL) },
        (true, _) => hasty_request(MODEL),
    };
    let (read, problem) = ask(&client, asked).await.unwrap_err();
    assert!(kind(&problem) && problem.to_string().contains(words), "{words:?} was expected: {problem:?}");
    assert_eq!(read, text, "{problem:?}");
    assert!(server.all_closed().await, "nothing is left open after {problem:?}");
    server.behave();
    ask(&client, request(MODEL)).await.unwrap();
}

fn broken(problem: &ModelError) -> bool {
    matches!(problem, ModelError::Broken(_))
}

fn connection(problem: &ModelError) -> bool {
    matches!(problem, ModelError::Connection { .. })
}

fn timeout(problem: &ModelError) -> bool {
    matches!(problem, ModelError::Timeout(_))
}

#[tokio::test]
async fn connection_refused() {
    let server = OllamaServer::start().await;
    let address = server.address().to_owned();
    server.stop().await;
    let client = client_at(&address, patient());
    for problem in
        [client.inspect(MODEL).await.unwrap_err(), ask(&client, request(MODEL)).await.unwrap_err().1]
    {
        assert_eq!(
            problem,
            ModelError::Connection {
                address: address.clone(),
                detail: Message::OllamaConnectionRefused.into()
            }
        );
        let told = AskError::of_model(problem, MODEL).to_string();
        assert!(told.contains("`ollama serve`") && told.contains("OLLAMA_BASE_URL"), "the way out: {told}");
    }
}

#[tokio::test]
async fn dns_failure() {
    let proxied = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if proxied {
        return skip("behind a proxy no name is resolved here");
    }
    let client = client_at("http://no-such-host.invalid:11434", patient());
    let problem = client.inspect(MODEL).await.unwrap_err();
    assert!(connection(&problem), "{problem:?}");
    assert!(problem.to_string().contains("the host name cannot be resolved"), "{problem}");
}

#[tokio::test]
async fn tls_failure() {
    let server = OllamaServer::start().await;
    let address = server.address().replace("http://", "https://");
    let problem = client_at(&address, patient()).inspect(MODEL).await.unwrap_err();
    assert!(connection(&problem) && problem.to_string().contains("does not speak TLS"), "{problem}");
}

#[tokio::test]
async fn model_404() {
    let server = OllamaServer::start().await;
    let client = client(&server);
    for problem in [
        client.inspect("qwen3:8b").await.unwrap_err(),
        ask(&client, request("qwen3:8b")).await.unwrap_err().1,
    ] {
        assert_eq!(problem, ModelError::Unavailable("qwen3:8b".to_owned()));
        let told = AskError::of_model(problem, "qwen3:8b").to_string();
        assert!(told.contains("ollama pull qwen3:8b"), "{told}");
    }
    let text = Act::Body(b"404 page not found".to_vec());
    let plain = Act::Head { status: 404, kind: "text/plain".to_owned(), framing: Framing::UntilClose };
    ends(vec![plain, text, Act::End], "", connection, "not Ollama").await;
}

#[tokio::test]
async fn status_500() {
    let out_of_memory = "model requires more system memory (5.6 GiB) than is available (3.2 GiB)";
    ends(json(500, &error_line(out_of_memory)), "", connection, "5.6 GiB").await;
    ends(json(500, &value!({"error": {"message": "out of luck"}})), "", connection, "out of luck").await;
    let silent = Act::Head { status: 502, kind: String::new(), framing: Framing::Length(0) };
    ends(vec![silent, Act::End], "", connection, "status 502: no reason given").await;
    ends(page(500), "", connection, "status 500: a web page").await;
    let long = format!("line one\n{}", "x".repeat(50_000));
    let server = OllamaServer::start().await;
    server.answer("/api/chat", json(500, &error_line(&long)));
    let (_, problem) = ask(&client(&server), request(MODEL)).await.unwrap_err();
    let told = problem.to_string();
    assert!(told.len() < 500 && !told.contains('\n'), "an error fits on a line: {told}");
}

#[tokio::test]
async fn html_instead_of_json() {
    ends(page(200), "", connection, "not Ollama: it sent a web page").await;
    let server = OllamaServer::start().await;
    for path in ["/api/show", "/api/tags", "/api/version"] {
        server.answer(path, page(200));
    }
    let client = client(&server);
    assert!(connection(&client.inspect(MODEL).await.unwrap_err()));
    assert!(client.pulled().await.unwrap_err().to_string().contains("a web page"));
}

#[tokio::test]
async fn a_line_cut_in_half() {
    let whole = format!("{}\n", chat_line(MODEL, ", blue"));
    let (half, rest) = whole.as_bytes().split_at(whole.len() / 2);
    let cut = || with(some_text(), [Act::Body(half.to_vec())]);
    ends(with(cut(), [Act::Close]), "Red, green", broken, "ended in the middle").await;
    ends(with(cut(), [Act::End]), "Red, green", broken, "the last line was cut").await;
    ends(with(cut(), [Act::Body(b"\n".to_vec()), Act::End]), "Red, green", broken, "not what Ollama writes")
        .await;

    // In two pieces it is whole again, also where the cut goes through a character.
    let server = OllamaServer::start().await;
    let end = body(&chat_end(MODEL, "stop", Some(7), Some(3)));
    server.answer("/api/chat", with(cut(), [Act::Body(rest.to_vec()), end.clone(), Act::End]));
    assert_eq!(ask(&client(&server), request(MODEL)).await.unwrap().0, "Red, green, blue");
    let accent = format!("{}\n", chat_line(MODEL, "é🙂")).into_bytes();
    let bytes = accent.iter().map(|byte| Act::Body(vec![*byte]));
    server.answer("/api/chat", with(vec![head()], bytes.chain([end, Act::End])));
    assert_eq!(ask(&client(&server), request(MODEL)).await.unwrap().0, "é🙂");
    // A last line may come without its line end.
    let bare = Act::Body(chat_end(MODEL, "stop", None, None).to_string().into_bytes());
    server.answer("/api/chat", with(some_text(), [bare, Act::End]));
    assert_eq!(ask(&client(&server), request(MODEL)).await.unwrap().0, "Red, green");
}

#[tokio::test]
async fn a_stream_that_stops_for_ever() {
    ends(vec![Act::Hang], "", timeout, "").await;
    ends(vec![head(), Act::Hang], "", timeout, "").await;
    ends(with(some_text(), [Act::Hang]), "Red, green", timeout, "").await;
    ends(with(some_text(), [Act::End]), "Red, green", broken, "ended before the reply did").await;
    ends(with(some_text(), [Act::Close]), "Red, green", broken, "ended in the middle").await;
    ends(vec![Act::Close], "", broken, "without an answer").await;
}

#[tokio::test]
async fn one_byte_at_a_time_is_not_progress() {
    // Bytes keep coming, and no token ever does.
    let line = format!("{}\n", chat_line(MODEL, "x".repeat(400).as_str())).into_bytes();
    let slowly: Acts =
        line.iter().flat_map(|byte| [Act::Wait(Duration::from_millis(50)), Act::Body(vec![*byte])]).collect();
    ends(with(some_text(), slowly), "Red, green", timeout, "").await;
    let blank: Acts =
        (0..1000).flat_map(|_| [Act::Wait(Duration::from_millis(50)), Act::Body(b"\n".to_vec())]).collect();
    ends(with(some_text(), blank), "Red, green", timeout, "").await;
    let empty = body(&chat_line(MODEL, ""));
    let empty: Acts = (0..1000).flat_map(|_| [Act::Wait(Duration::from_millis(50)), empty.clone()]).collect();
    ends(with(some_text(), empty), "Red, green", timeout, "").await;
}

#[tokio::test]
async fn endless_output() {
    let server = OllamaServer::start().await;
    let client = client(&server);
    let line = |line: Value| format!("{line}\n").into_bytes();
    let thinking = value!({"model": MODEL, "message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": false});
    for (endless, most) in [
        (line(chat_line(MODEL, "word ")), 5 * 200),
        (line(chat_line(MODEL, &"x".repeat(1_000_000))), 2_000_000),
        (line(thinking), 0),
        (line(chat_line(MODEL, "")), 0),
    ] {
        server.answer("/api/chat", vec![head(), Act::Endless(endless)]);
        let asked = ChatRequest { num_predict: 100, ..request(MODEL) };
        let (text, counted) = ask(&client, asked).await.unwrap();
        assert!(counted.cut && counted.prompt_tokens.is_none(), "the reply says that it was cut");
        assert!(text.len() <= most, "{} characters", text.len());
        assert!(server.all_closed().await, "the server is not left writing");
    }
    server.answer("/api/chat", vec![head(), Act::Endless(vec![b' '; 1_000_000])]);
    let (_, problem) = ask(&client, request(MODEL)).await.unwrap_err();
    assert!(broken(&problem) && problem.to_string().contains("no end"), "a line without an end: {problem}");
    server.answer("/api/show", vec![head(), Act::Endless(vec![b' '; 1_000_000])]);
    let problem = client.inspect(MODEL).await.unwrap_err();
    assert!(broken(&problem), "an answer without an end: {problem}");
    assert!(server.all_closed().await);
}

#[tokio::test]
async fn a_wrong_content_length() {
    let lines = [chat_line(MODEL, "Red"), chat_end(MODEL, "stop", Some(7), Some(1))];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let framed = |length: usize| {
        let framing = Framing::Length(length);
        vec![
            Act::Head { status: 200, kind: "application/x-ndjson".to_owned(), framing },
            Act::Body(text.clone().into_bytes()),
        ]
    };
    // Too long a length: the reply is over when it says so, not when the bytes are.
    let server = OllamaServer::start().await;
    for then in [Act::Hang, Act::Close] {
        server.answer("/api/chat", with(framed(text.len() + 100), [then]));
        assert_eq!(ask(&client(&server), request(MODEL)).await.unwrap().0, "Red");
    }
    ends(with(framed(text.len() - 100), [Act::Hang]), "Red", broken, "the last line was cut").await;
    let card = value!({"model_info": {}, "capabilities": ["completion"]}).to_string();
    let kind = "application/json".to_owned();
    server.answer(
        "/api/show",
        vec![
            Act::Head { status: 200, kind, framing: Framing::Length(card.len() + 1) },
            Act::Body(card.into_bytes()),
            Act::Close,
        ],
    );
    assert!(broken(&client(&server).inspect(MODEL).await.unwrap_err()));
}

#[tokio::test]
async fn an_error_object_after_200_tokens() {
    let tokens = vec![chat_line(MODEL, "word "); 200];
    let acts = with(lines(&tokens), [body(&error_line("llama runner process has terminated")), Act::End]);
    ends(acts, &"word ".repeat(200), broken, "llama runner process has terminated").await;
    let unended = Act::Body(error_line("unexpected EOF").to_string().into_bytes());
    ends(with(some_text(), [unended, Act::End]), "Red, green", broken, "unexpected EOF").await;
}

#[tokio::test]
async fn a_changed_model_half_way() {
    let acts = with(some_text(), [body(&chat_line("qwen3:8b", ", blue"))]);
    ends(acts, "Red, green", broken, "`llama3.2` was asked and `qwen3:8b` answered").await;
    ends(lines(&[chat_line("llama3.2:1b", "Red")]), "", broken, "`llama3.2:1b` answered").await;
    let nameless = value!({"message": {"content": "Red"}, "done": false});
    ends(lines(&[nameless]), "", broken, "names no model").await;

    // The same model under another spelling is the same model.
    let server = OllamaServer::start().await;
    let same = [chat_line("Llama3.2:latest", "Red"), chat_end("llama3.2", "stop", None, None)];
    server.answer("/api/chat", with(lines(&same), [Act::End]));
    assert_eq!(ask(&client(&server), request(MODEL)).await.unwrap().0, "Red");
}

#[tokio::test]
async fn thoughts_are_kept_out_and_count_as_life() {
    let thought = |text: &str| value!({"model": MODEL, "message": {"role": "assistant", "content": "", "thinking": text}, "done": false});
    let server = OllamaServer::start().await;
    let (pause, limit) = (|| Act::Wait(Duration::from_millis(700)), Duration::from_secs(3));
    // Together the thoughts take longer than any single token may.
    let thinking: Acts = (0..6).flat_map(|_| [pause(), body(&thought("hm "))]).collect();
    let end = body(&chat_end(MODEL, "stop", Some(9), Some(8)));
    let said =
        [body(&chat_line(MODEL, "<think>or ")), body(&chat_line(MODEL, "not?</think>Red")), end, Act::End];
    server.answer("/api/chat", with(with(vec![head()], thinking), said));
    let (text, counted) =
        ask(&client(&server), ChatRequest { first_token: limit, between_tokens: limit, ..request(MODEL) })
            .await
            .unwrap();
    assert_eq!((text.as_str(), counted.completion_tokens), ("Red", Some(8)));
    let asked = server.asked_of("/api/chat");
    assert_eq!(asked[0].body["think"], false, "and they are not asked for");
    ends(lines(&[chat_line(MODEL, "I think so. </think>")]), "", broken, "thoughts").await;
}

#[tokio::test]
async fn a_server_that_does_not_speak_http() {
    ends(
        vec![Act::Raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec()), Act::Close],
        "",
        connection,
        "does not speak HTTP",
    )
    .await;
}
