use crate::home::Home;
use crate::window::Window;

const QUESTION: &str = "Which version of TLS do we require?";

#[tokio::test(flavor = "multi_thread")]
async fn settings_and_conversations_survive_a_restart() {
    let home = Home::with_sample_library().await;
    let window = Window::open_without_mouse(&home).await;
    window.ask(QUESTION).await;
    window.go("Settings").await;
    window.press_on("input[name=theme][value=dark]").await;
    window.choose("Language", "Nederlands").await;
    window.sees("Taal").await;
    window.close().await;

    let window = Window::open_without_mouse(&home).await;
    window.sees("Nieuw gesprek").await;
    window.until("the theme is dark", async || window.count("html[data-theme=dark]").await == 1).await;
    window.press(QUESTION).await;
    window.sees("TLS 1.3").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_at_any_moment_loses_no_answer_that_was_seen() {
    let home = Home::with_sample_library().await;
    let window = Window::open_without_mouse(&home).await;
    window.ask(QUESTION).await;
    window.begin_to_ask("How long are access tokens valid?").await;
    window.kill().await;

    let window = Window::open_without_mouse(&home).await;
    window.press(QUESTION).await;
    window.sees("TLS 1.3").await;
    window.finds("article .citation").await;
    window.ask("What does ADR-0012 decide?").await;
    window.sees("canonical data model").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_indexing_leaves_a_library_that_completes_itself() {
    let home = Home::new();
    let window = Window::open_without_mouse(&home).await;
    window.press("Try the sample library").await;
    window.finds("[role=progressbar], progress").await;
    window.kill().await;

    let window = Window::open_without_mouse(&home).await;
    window.go("Library").await;
    window.press("Check for changes").await;
    window.sees("Last indexed").await;
    window.go("Ask").await;
    window.ask(QUESTION).await;
    window.sees("TLS 1.3").await;
}
