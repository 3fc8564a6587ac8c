//! A model that the window runs by itself, with a stand-in for llama.cpp's server.

use std::time::Duration;

use plumbline_contract::{OwnModel, OwnModelState};

use crate::test_host::{TestHost, example};

async fn until(host: &TestHost, state: OwnModelState) -> OwnModel {
    let waiting = async {
        loop {
            let own = host.host.own_model().await.unwrap();
            if own.state == state {
                return own;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("the state is reached")
}

/// Waits until the window says that a model words answers, or that none does.
async fn words_answers(host: &TestHost, expected: bool) {
    let waiting = async {
        while host.host.app_state().await.unwrap().answers_with_model != expected {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("the window says what is so");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_window_starts_it_stops_it_tells_its_end_and_leaves_nothing_running() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("small.gguf");
    std::fs::write(&weights, "well").unwrap();
    let (program, file) = (example("fake-llama-server").display().to_string(), weights.display().to_string());
    let environment =
        [("PLUMBLINE_MANAGED_PROGRAM", program.as_str()), ("PLUMBLINE_MANAGED_FILE", file.as_str())];
    let off = TestHost::open_with(folder.path(), &environment).await;
    assert_eq!(off.host.own_model().await.unwrap().state, OwnModelState::Stopped, "nothing runs unasked");
    assert!(off.host.start_own_model().await.unwrap_err().message.contains("managed.enabled"));
    off.host.shutdown().await;

    let environment = [environment[0], environment[1], ("PLUMBLINE_MANAGED_ENABLED", "true")];
    let host = TestHost::open_with(folder.path(), &environment).await;
    let own = until(&host, OwnModelState::Running).await;
    assert_eq!(
        (own.model.as_deref(), own.problem),
        (Some("small"), None),
        "chosen, it starts with the window"
    );
    words_answers(&host, true).await;
    assert_eq!(
        host.host.settings().await.unwrap().settings.models.answer,
        None,
        "the user's settings stay theirs"
    );
    assert_eq!(host.host.stop_own_model().await.unwrap().state, OwnModelState::Stopped);
    words_answers(&host, false).await;
    assert_eq!(host.host.start_own_model().await.unwrap().state, OwnModelState::Running);

    let process = || std::fs::read_to_string(folder.path().join("small.gguf.process")).unwrap();
    let killed = process();
    std::process::Command::new("kill").args(["-9", &killed]).status().unwrap();
    let ended = until(&host, OwnModelState::Stopped).await;
    assert!(ended.ready, "it can be started anew");
    let told = async {
        while host.host.own_model().await.unwrap().problem.is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), told).await.expect("its end is told");
    host.host.start_own_model().await.unwrap();
    let last = process();
    host.host.shutdown().await;
    let stat = std::fs::read_to_string(format!("/proc/{last}/stat")).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z"), "it is gone when the window is: {stat}");
}
