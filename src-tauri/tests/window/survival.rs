use std::path::Path;
use std::time::Duration;

use plumbline_testkit::skipping::skip;
use rustix::process::Pid;

use crate::home::Home;
use crate::window::{BUILT, PATIENCE, Window, is_running};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_takes_the_model_that_the_window_runs_with_it() {
    // Cargo builds examples beside the programs.
    let stand_in = Path::new(BUILT).with_file_name("examples").join("fake-llama-server");
    if !stand_in.is_file() {
        return skip("the stand-in for llama.cpp's server is not built");
    }
    let home = Home::with_sample_library().await;
    let weights = home.path("small.gguf");
    std::fs::write(&weights, "well").unwrap();
    let home = home
        .with("PLUMBLINE_MANAGED_ENABLED", "true")
        .with("PLUMBLINE_MANAGED_PROGRAM", stand_in)
        .with("PLUMBLINE_MANAGED_FILE", &weights);
    let window = Window::open_without_mouse(&home).await;
    window.sees("A language model words the answers.").await;
    let process = std::fs::read_to_string(home.path("small.gguf.process")).unwrap();
    let process = Pid::from_raw(process.parse().unwrap()).unwrap();
    assert!(is_running(process));
    window.kill().await;
    let gone = async {
        while is_running(process) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("the model ends with the window");
}
