use crate::home::Home;
use crate::window::Window;

/// One question that is answered as expected, and one that is not.
const QUESTIONS: &str = r#"{"id": "GS-001", "query": "Which version of TLS do we require?", "language": "en", "category": "adr_retrieval", "expected": {"route": "adr", "abstain": false, "doc_types": ["ADR"], "doc_ids": ["adr-0021"]}, "tags": []}
{"id": "GS-002", "query": "How long are access tokens valid?", "language": "en", "category": "adr_retrieval", "expected": {"route": "adr", "abstain": false, "doc_types": ["Principle"], "doc_ids": ["pcp-0010"]}, "tags": []}
"#;

/// How many were asked; nothing where none is being asked.
async fn asked(window: &Window) -> Option<u64> {
    window.session.run("return document.querySelector('progress')?.value ?? null").await.as_u64()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_samples_golden_set_is_run_without_choosing_a_file() {
    let window = Window::open(&Home::with_sample_library().await).await;
    window.go("Evaluation").await;
    window.sees("The sample library's golden set").await;
    window.press("Run the golden set").await;
    window.finds("progress").await;
    // All of them take longer than anything else that is waited for, so each step of the way is.
    while let Some(before) = asked(&window).await {
        window.until("the next one is asked", async || asked(&window).await != Some(before)).await;
    }
    window.sees("Finished ").await;
    window.sees("By category").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_golden_set_of_ones_own_is_run_and_a_failure_opens_as_a_conversation() {
    let home = Home::with_sample_library().await;
    let file = home.path("golden.jsonl");
    std::fs::write(&file, QUESTIONS).unwrap();
    let window = Window::open(&home.answering_dialogs(&[&file])).await;
    window.go("Evaluation").await;
    window.press("Choose your own golden set").await;
    window.sees("Your own golden set · 2 questions").await;
    window.press("Run the golden set").await;
    window.sees("1 of 2").await;
    window.sees("1 not as expected").await;
    window.press("Use the sample's golden set").await;
    window.sees("The sample library's golden set").await;
    window.sees("This run asked another golden set.").await;
    window.press("How long are access tokens valid?").await;
    window.until("it stands in a conversation", async || window.count("article .citation").await > 0).await;
    window.sees("15 minutes").await;
}
