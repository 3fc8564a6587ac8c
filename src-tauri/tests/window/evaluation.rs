use crate::home::Home;
use crate::window::Window;

/// One question that is answered as expected, and one that is not.
const QUESTIONS: &str = r#"{"id": "GS-001", "query": "Which version of TLS do we require?", "language": "en", "category": "adr_retrieval", "expected": {"route": "adr", "abstain": false, "doc_types": ["ADR"], "doc_ids": ["adr-0021"]}, "tags": []}
{"id": "GS-002", "query": "How long are access tokens valid?", "language": "en", "category": "adr_retrieval", "expected": {"route": "adr", "abstain": false, "doc_types": ["Principle"], "doc_ids": ["pcp-0010"]}, "tags": []}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_golden_set_is_run_and_a_failure_opens_as_a_conversation() {
    let home = Home::with_sample_library().await;
    let file = home.path("golden.jsonl");
    std::fs::write(&file, QUESTIONS).unwrap();
    let window = Window::open(&home.answering_dialogs(&[&file])).await;
    window.go("Evaluation").await;
    window.press("Choose a golden set").await;
    window.sees("2 questions").await;
    window.press("Run the golden set").await;
    window.sees("1 of 2").await;
    window.sees("1 not as expected").await;
    window.press("How long are access tokens valid?").await;
    window.until("it stands in a conversation", async || window.count("article .citation").await > 0).await;
    window.sees("15 minutes").await;
}
