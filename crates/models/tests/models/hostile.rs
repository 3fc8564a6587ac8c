//! A server that goes wrong in every way we know of: each ends as what it is, and the next request works.

use std::time::Duration;

use plumbline_core::error::AskError;
use plumbline_core::ports::{ChatRequest, LanguageModel, ModelError};
use plumbline_core::settings::ServerKind;
use plumbline_models::server::diagnose;
use plumbline_testkit::ollama_server::{Act, Acts, Framing, json, page};
use plumbline_testkit::skipping::skip;
use serde_json::json as value;

use crate::behind_both_doors;
use crate::door::Door;
use crate::ollama_support::{MODEL, SOON, ask, hasty_request, patient, request};

behind_both_doors!(
    connection_refused,
    dns_failure,
    tls_failure,
    model_404,
    status_500,
    html_instead_of_json,
    a_line_cut_in_half,
    a_stream_that_stops_for_ever,
    one_byte_at_a_time_is_not_progress,
    endless_output,
    a_wrong_content_length,
    an_error_object_after_200_tokens,
    a_changed_model_half_way,
    thoughts_are_kept_out_and_count_as_life,
    a_server_that_does_not_speak_http,
);

fn with(mut acts: Acts, more: impl IntoIterator<Item = Act>) -> Acts {
    acts.extend(more);
    acts
}

fn some_text(door: Door) -> Acts {
    door.lines([door.line(MODEL, "Red"), door.line(MODEL, ", green")])
}

/// What a server did with a chat ends in this kind of error with these words, after this text.
async fn ends(door: Door, acts: Acts, text: &str, kind: fn(&ModelError) -> bool, words: &str) {
    let server = door.server().await;
    server.answer(door.chat_path(), acts.clone());
    let client = door.client(&server);
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

async fn connection_refused(door: Door) {
    let server = door.server().await;
    let address = server.address().to_owned();
    server.stop().await;
    let client = door.client_at(&address, patient());
    for problem in
        [client.inspect(MODEL).await.unwrap_err(), ask(&client, request(MODEL)).await.unwrap_err().1]
    {
        assert!(
            matches!(&problem, ModelError::Connection { address: at, .. } if *at == door.shown(&address))
        );
        let told = AskError::of_model(problem, MODEL).to_string();
        let words = door.way_out();
        assert!(told.contains("connection refused"), "{told}");
        assert!(words.iter().all(|word| told.contains(word)), "the way out: {told}");
    }
}

async fn dns_failure(door: Door) {
    let proxied = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if proxied {
        return skip("behind a proxy no name is resolved here");
    }
    let client = door.client_at("http://no-such-host.invalid:11434", patient());
    let problem = client.inspect(MODEL).await.unwrap_err();
    assert!(connection(&problem), "{problem:?}");
    assert!(problem.to_string().contains("the host name cannot be resolved"), "{problem}");
}

async fn tls_failure(door: Door) {
    let server = door.server().await;
    let address = server.address().replace("http://", "https://");
    let problem = door.client_at(&address, patient()).inspect(MODEL).await.unwrap_err();
    assert!(connection(&problem) && problem.to_string().contains("does not speak TLS"), "{problem}");
}

async fn model_404(door: Door) {
    let server = door.server().await;
    let client = door.client(&server);
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
    ends(door, vec![plain, text, Act::End], "", connection, door.is_other()).await;
}

async fn status_500(door: Door) {
    let out_of_memory = "model requires more system memory (5.6 GiB) than is available (3.2 GiB)";
    ends(door, json(500, &door.error(out_of_memory)), "", connection, "5.6 GiB").await;
    ends(door, json(500, &value!({"error": {"message": "out of luck"}})), "", connection, "out of luck")
        .await;
    let silent = Act::Head { status: 502, kind: String::new(), framing: Framing::Length(0) };
    ends(door, vec![silent, Act::End], "", connection, "status 502: no reason given").await;
    ends(door, page(500), "", connection, "status 500: a web page").await;
    let long = format!("line one\n{}", "x".repeat(50_000));
    let server = door.server().await;
    server.answer(door.chat_path(), json(500, &door.error(&long)));
    let (_, problem) = ask(&door.client(&server), request(MODEL)).await.unwrap_err();
    let told = problem.to_string();
    assert!(told.len() < 500 && !told.contains('\n'), "an error fits on a line: {told}");
}

async fn html_instead_of_json(door: Door) {
    ends(door, page(200), "", connection, "it sent a web page").await;
    let server = door.server().await;
    for path in door.lookups() {
        server.answer(path, page(200));
    }
    let client = door.client(&server);
    assert!(connection(&client.inspect(MODEL).await.unwrap_err()));
    let found = diagnose(&client).await;
    let told = found.problems[0].text.to_string();
    assert!(told.contains(door.is_other()) && told.contains("a web page"), "{told}");
}

async fn a_line_cut_in_half(door: Door) {
    let whole = door.line(MODEL, ", blue");
    let (half, rest) = whole.split_at(whole.len() / 2);
    let cut = || with(some_text(door), [Act::Body(half.to_vec())]);
    ends(door, with(cut(), [Act::Close]), "Red, green", broken, "ended in the middle").await;
    ends(door, with(cut(), [Act::End]), "Red, green", broken, "the last line was cut").await;
    ends(door, with(cut(), [Act::Body(b"\n".to_vec()), Act::End]), "Red, green", broken, door.unreadable())
        .await;

    // In two pieces it is whole again, also where the cut goes through a character.
    let server = door.server().await;
    let end = Act::Body(door.end(MODEL, Some(7), Some(3)));
    server.answer(door.chat_path(), with(cut(), [Act::Body(rest.to_vec()), end.clone(), Act::End]));
    assert_eq!(ask(&door.client(&server), request(MODEL)).await.unwrap().0, "Red, green, blue");
    let accent = door.line(MODEL, "é🙂");
    let bytes = accent.iter().map(|byte| Act::Body(vec![*byte]));
    server.answer(door.chat_path(), with(vec![door.head()], bytes.chain([end, Act::End])));
    assert_eq!(ask(&door.client(&server), request(MODEL)).await.unwrap().0, "é🙂");
    // A last line may come without its line end.
    let bare = Act::Body(door.end(MODEL, None, None).trim_ascii_end().to_vec());
    server.answer(door.chat_path(), with(some_text(door), [bare, Act::End]));
    assert_eq!(ask(&door.client(&server), request(MODEL)).await.unwrap().0, "Red, green");
}

async fn a_stream_that_stops_for_ever(door: Door) {
    ends(door, vec![Act::Hang], "", timeout, "").await;
    ends(door, vec![door.head(), Act::Hang], "", timeout, "").await;
    ends(door, with(some_text(door), [Act::Hang]), "Red, green", timeout, "").await;
    ends(door, with(some_text(door), [Act::End]), "Red, green", broken, "ended before the reply did").await;
    ends(door, with(some_text(door), [Act::Close]), "Red, green", broken, "ended in the middle").await;
    ends(door, vec![Act::Close], "", broken, "without an answer").await;
}

async fn one_byte_at_a_time_is_not_progress(door: Door) {
    // Bytes keep coming, and no token ever does.
    let line = door.line(MODEL, "x".repeat(400).as_str());
    let slowly: Acts =
        line.iter().flat_map(|byte| [Act::Wait(Duration::from_millis(50)), Act::Body(vec![*byte])]).collect();
    ends(door, with(some_text(door), slowly), "Red, green", timeout, "").await;
    let again = |bytes: Vec<u8>| -> Acts {
        (0..1000).flat_map(|_| [Act::Wait(Duration::from_millis(50)), Act::Body(bytes.clone())]).collect()
    };
    ends(door, with(some_text(door), again(b"\n".to_vec())), "Red, green", timeout, "").await;
    ends(door, with(some_text(door), again(door.line(MODEL, ""))), "Red, green", timeout, "").await;
    if door.0 == ServerKind::Openai {
        let comment = again(b": still here\n\n".to_vec());
        ends(door, with(some_text(door), comment), "Red, green", timeout, "").await;
    }
}

async fn endless_output(door: Door) {
    let server = door.server().await;
    let client = door.client(&server);
    for (endless, most) in [
        (door.line(MODEL, "word "), 5 * 200),
        (door.line(MODEL, &"x".repeat(1_000_000)), 2_000_000),
        (door.thought("hm"), 0),
        (door.line(MODEL, ""), 0),
    ] {
        server.answer(door.chat_path(), vec![door.head(), Act::Endless(endless)]);
        let asked = ChatRequest { num_predict: 100, ..request(MODEL) };
        let (text, counted) = ask(&client, asked).await.unwrap();
        assert!(counted.cut && counted.prompt_tokens.is_none(), "the reply says that it was cut");
        assert!(text.len() <= most, "{} characters", text.len());
        assert!(server.all_closed().await, "the server is not left writing");
    }
    server.answer(door.chat_path(), vec![door.head(), Act::Endless(vec![b' '; 1_000_000])]);
    let (_, problem) = ask(&client, request(MODEL)).await.unwrap_err();
    assert!(broken(&problem) && problem.to_string().contains("no end"), "a line without an end: {problem}");
    server.answer(door.model_path(), vec![door.head(), Act::Endless(vec![b' '; 1_000_000])]);
    let problem = client.inspect(MODEL).await.unwrap_err();
    assert!(broken(&problem), "an answer without an end: {problem}");
    assert!(server.all_closed().await);
}

async fn a_wrong_content_length(door: Door) {
    let bytes = [door.line(MODEL, "Red"), door.end(MODEL, Some(7), Some(1))].concat();
    let text = String::from_utf8(bytes).unwrap();
    let Act::Head { kind, .. } = door.head() else { panic!("an answer begins with its head") };
    let framed = |length: usize| {
        let framing = Framing::Length(length);
        vec![Act::Head { status: 200, kind: kind.clone(), framing }, Act::Body(text.clone().into_bytes())]
    };
    // Too long a length: the reply is over when it says so, not when the bytes are.
    let server = door.server().await;
    for then in [Act::Hang, Act::Close] {
        server.answer(door.chat_path(), with(framed(text.len() + 100), [then]));
        assert_eq!(ask(&door.client(&server), request(MODEL)).await.unwrap().0, "Red");
    }
    let short = text.find(door.end_mark()).unwrap();
    ends(door, with(framed(short), [Act::Hang]), "Red", broken, "the last line was cut").await;
    let card = door.model_answer().to_string();
    let kind = "application/json".to_owned();
    server.answer(
        door.model_path(),
        vec![
            Act::Head { status: 200, kind, framing: Framing::Length(card.len() + 1) },
            Act::Body(card.into_bytes()),
            Act::Close,
        ],
    );
    assert!(broken(&door.client(&server).inspect(MODEL).await.unwrap_err()));
}

async fn an_error_object_after_200_tokens(door: Door) {
    let tokens = vec![door.line(MODEL, "word "); 200];
    let failed = Act::Body(door.error_line("llama runner process has terminated"));
    let acts = with(door.lines(tokens), [failed, Act::End]);
    ends(door, acts, &"word ".repeat(200), broken, "llama runner process has terminated").await;
    let unended = Act::Body(door.error_line("unexpected EOF").trim_ascii_end().to_vec());
    ends(door, with(some_text(door), [unended, Act::End]), "Red, green", broken, "unexpected EOF").await;
}

async fn a_changed_model_half_way(door: Door) {
    let acts = with(some_text(door), [Act::Body(door.line("qwen3:8b", ", blue"))]);
    ends(door, acts, "Red, green", broken, "`llama3.2` was asked and `qwen3:8b` answered").await;
    let other = door.other_model();
    ends(door, door.lines([door.line(other, "Red")]), "", broken, &format!("`{other}` answered")).await;
    ends(door, door.lines([door.nameless()]), "", broken, "names no model").await;

    // The same model under another spelling is the same model.
    let server = door.server().await;
    let same = [door.line("Llama3.2:latest", "Red"), door.end("llama3.2", None, None)];
    server.answer(door.chat_path(), with(door.lines(same), [Act::End]));
    assert_eq!(ask(&door.client(&server), request(MODEL)).await.unwrap().0, "Red");
}

async fn thoughts_are_kept_out_and_count_as_life(door: Door) {
    let server = door.server().await;
    let (pause, limit) = (|| Act::Wait(Duration::from_millis(700)), Duration::from_secs(3));
    // Together the thoughts take longer than any single token may.
    let thinking: Acts = (0..6).flat_map(|_| [pause(), Act::Body(door.thought("hm "))]).collect();
    let end = Act::Body(door.end(MODEL, Some(9), Some(8)));
    let line = |text: &str| Act::Body(door.line(MODEL, text));
    let said = [line("<think>or "), line("not?</think>Red"), end, Act::End];
    server.answer(door.chat_path(), with(with(vec![door.head()], thinking), said));
    let (text, counted) = ask(
        &door.client(&server),
        ChatRequest { first_token: limit, between_tokens: limit, ..request(MODEL) },
    )
    .await
    .unwrap();
    assert_eq!((text.as_str(), counted.completion_tokens), ("Red", Some(8)));
    if door.0 == ServerKind::Ollama {
        let asked = server.asked_of(door.chat_path());
        assert_eq!(asked[0].body["think"], false, "and they are not asked for");
    }
    ends(door, door.lines([door.line(MODEL, "I think so. </think>")]), "", broken, "thoughts").await;
}

async fn a_server_that_does_not_speak_http(door: Door) {
    ends(
        door,
        vec![Act::Raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec()), Act::Close],
        "",
        connection,
        "does not speak HTTP",
    )
    .await;
}
