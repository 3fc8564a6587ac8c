//! A workspace that others write while it is served.

use plumbline_core::domain::Language;
use plumbline_core::ports::Scope;
use plumbline_mcp::Server;
use serde_json::json;

use crate::world::{call, called, connected, index, indexer, options, server};

fn record(number: u32, title: &str, decision: &str) -> String {
    format!("# {number}. {title}\n\nDate: 2024-01-05\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_indexed_meanwhile_is_found_and_nobody_waits_for_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let (workspace, documents) = (folder.path().join("workspace"), folder.path().join("adr"));
    std::fs::create_dir_all(&documents).unwrap();
    let client = connected(server(&workspace)).await;
    let (status, _) = called(&client, "library_status", json!({})).await;
    assert_eq!(status["indexed"], false);
    let (empty, _) = called(&client, "ask", json!({ "question": "Which queue do we use?" })).await;
    assert_eq!(empty["refused"], true, "an empty library is no error");

    let first = record(1, "Use a queue", "Events travel through the herring queue.");
    std::fs::write(documents.join("0001-queue.md"), first).unwrap();
    index(&workspace, &documents);
    let (found, _) = called(&client, "search_passages", json!({ "query": "herring queue" })).await;
    assert_eq!(found["passages"][0]["document_id"], "adr-0001");

    let second = record(2, "Use a lighthouse", "Ships are warned by the porcelain lighthouse.");
    std::fs::write(documents.join("0002-lighthouse.md"), second).unwrap();
    index(&workspace, &documents);
    let text = "Ships are warned by the porcelain lighthouse.";
    let (checked, told) = called(&client, "check_statement", json!({ "text": text })).await;
    assert_eq!(checked["counts"]["supported"], 1, "{told}");

    // The writer's lock is held by another, as by a window that indexes.
    let held = workspace.clone();
    let (ready, is_held) = std::sync::mpsc::channel();
    let (let_go, until) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let _indexer = indexer(&held, &runtime);
        ready.send(()).unwrap();
        let _ = until.recv();
    });
    is_held.recv().unwrap();
    let other = connected(server(&workspace)).await;
    let (status, _) = called(&other, "library_status", json!({})).await;
    assert_eq!(status["documents"]["ADR"], 2, "a reader needs no lock of the writer's");
    drop(let_go);
    writer.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_hold_for_every_tool_and_resource() {
    let folder = tempfile::tempdir().unwrap();
    let (workspace, documents) = (folder.path().join("workspace"), folder.path().join("adr"));
    std::fs::create_dir_all(&documents).unwrap();
    let open = record(1, "Use a queue", "Events travel through the herring queue.");
    std::fs::write(documents.join("0001-queue.md"), open).unwrap();
    let secret = record(2, "Use a lighthouse", "Ships are warned by the porcelain lighthouse.");
    let secret = format!("---\naccess_tags: [crisis]\n---\n{secret}");
    std::fs::write(documents.join("0002-lighthouse.md"), secret).unwrap();
    index(&workspace, &documents);

    let stranger = connected(server(&workspace)).await;
    let member = Scope { user_tags: vec!["crisis".to_owned()], ..Scope::default() };
    let member = connected(Server::new(options(&workspace), member, Language::EN)).await;
    let calls = [
        ("ask", json!({ "question": "What warns ships?" })),
        ("search_passages", json!({ "query": "porcelain lighthouse" })),
        ("list_documents", json!({})),
        ("library_status", json!({})),
        ("check_statement", json!({ "text": "Ships are warned by the porcelain vessel." })),
    ];
    for (tool, arguments) in calls {
        let shown = serde_json::to_string(&call(&stranger, tool, arguments).await).unwrap();
        for trace in
            ["adr-0002", "lighthouse.md", "Use a lighthouse", "are warned by the porcelain lighthouse"]
        {
            assert!(!shown.contains(trace), "{tool} gives away `{trace}`: {shown}");
        }
    }
    assert_eq!(call(&stranger, "get_document", json!({ "id": "adr-0002" })).await.is_error, Some(true));
    assert_eq!(stranger.list_all_resources().await.unwrap().len(), 1);
    called(&member, "get_document", json!({ "id": "adr-0002" })).await;
    let text = "Ships are warned by the porcelain lighthouse.";
    let (checked, _) = called(&member, "check_statement", json!({ "text": text })).await;
    assert_eq!(checked["counts"]["supported"], 1);
}
