//! Stop stops: nothing is left of a reply that nobody wants any more.

use futures::StreamExt;
use plumbline_core::ports::{ChatPiece, Embedder, LanguageModel};
use plumbline_models::server::ServerEmbedder;
use plumbline_testkit::ollama_server::{Act, OllamaServer, Recordings, chat_line, lines};

use crate::ollama_support::{MODEL, client, request};

#[tokio::test]
async fn dropping_a_reply_closes_its_connection_at_once() {
    let server = OllamaServer::start().await;
    let client = client(&server);
    let mut hanging = lines(&[chat_line(MODEL, "Red"), chat_line(MODEL, ", green")]);
    hanging.push(Act::Hang);
    server.answer("/api/chat", hanging);
    // Before the first token, after it, and while waiting for a token that never comes.
    for tokens in 0..=2 {
        let mut stream = client.chat(request(MODEL)).await.unwrap();
        for _ in 0..tokens {
            assert!(matches!(stream.next().await, Some(Ok(ChatPiece::Text(_)))));
        }
        if tokens == 2 {
            let waiting = tokio::time::timeout(std::time::Duration::from_millis(50), stream.next()).await;
            assert!(waiting.is_err(), "it hangs");
        }
        assert_eq!(server.open(), 1);
        drop(stream);
        assert!(server.all_closed().await, "after {tokens} tokens");
        let chat = server.asked_of("/api/chat").pop().unwrap();
        assert_eq!(server.closed().last(), Some(&chat.connection));
    }
    // And before the server has answered at all, as while it loads a model.
    server.answer("/api/chat", vec![Act::Hang]);
    let before = server.asked_of("/api/chat").len();
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.chat(request(MODEL)).await.map(|_| ()) }
    });
    assert!(server.was_asked("/api/chat", before + 1).await);
    asking.abort();
    assert!(server.all_closed().await, "while the model is being loaded");
}

#[tokio::test]
async fn a_pull_and_a_batch_of_vectors_stop_too() {
    let server = OllamaServer::start().await;
    let client = client(&server);
    server.replay(Recordings::load().named("pull-cancelled"), 0.0);
    let mut pull = client.pull("smollm2:135m").await.unwrap();
    assert!(pull.next().await.unwrap().is_ok());
    drop(pull);
    assert!(server.all_closed().await);
    server.answer("/api/embed", vec![Act::Hang]);
    let embedder = ServerEmbedder::new(client, "all-minilm");
    let texts = ["one".to_owned()];
    tokio::select! {
        _ = embedder.embed(&texts) => panic!("the server never answers"),
        asked = server.was_asked("/api/embed", 1) => assert!(asked),
    }
    assert!(server.all_closed().await);
}
