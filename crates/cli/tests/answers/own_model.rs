//! A model that Plumbline runs by itself, with a stand-in for llama.cpp's server.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{QUESTION, User, json, library, said, text};

/// Cargo builds examples beside the programs.
fn fake() -> PathBuf {
    let program =
        Path::new(env!("CARGO_BIN_EXE_plumbline")).with_file_name("examples").join("fake-llama-server");
    assert!(program.is_file(), "cargo builds examples for `cargo test`: {}", program.display());
    program
}

fn is_alive(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn a_model_of_our_own_answers_and_is_gone_after_a_kill() {
    let folder = library();
    let weights = folder.path().join("small.gguf");
    std::fs::write(&weights, "well").unwrap();
    let user = |enabled: &str| {
        User::new(folder.path())
            .with("PLUMBLINE_MANAGED_ENABLED", enabled)
            .with("PLUMBLINE_MANAGED_PROGRAM", &fake().display().to_string())
            .with("PLUMBLINE_MANAGED_FILE", &weights.display().to_string())
            .with("PLUMBLINE_MANAGED_CONTEXT", "5000")
    };
    let unasked = user("false").run(&["models", "serve"]);
    assert!(said(&unasked).contains("managed.enabled"), "{}", said(&unasked));
    let without = json(&user("true").run(&["ask", QUESTION, "--json"]));
    assert_eq!(without["model_used"], serde_json::Value::Null);
    let statement = without["transparency"]["statement"].to_string();
    assert!(statement.contains("plumbline models serve"), "an answer without it says so: {statement}");

    let mut serving = user("true").start(&["models", "serve"]);
    let mut lines = BufReader::new(serving.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("runs small itself, at http://127.0.0.1:"), "{first}");
    let response = json(&user("true").run(&["ask", QUESTION, "--json"]));
    let told = (response["action"].as_str(), response["model_used"].as_str());
    assert_eq!(told, (Some("CITE"), Some("small")), "{response}");
    let listed = json(&user("true").run(&["models", "--json"]));
    assert_eq!(listed["pulled"][0]["context_length"], 5000, "{listed}");
    let second = user("true").run(&["models", "serve"]);
    assert!(said(&second).contains("another Plumbline runs"), "{}", said(&second));
    let unused = json(&user("false").run(&["ask", QUESTION, "--json"]));
    assert_eq!(unused["model_used"], serde_json::Value::Null, "who did not choose it does not use it");

    let process = std::fs::read_to_string(folder.path().join("small.gguf.process")).unwrap();
    assert!(is_alive(&process));
    serving.kill().unwrap();
    serving.wait().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while is_alive(&process) {
        assert!(Instant::now() < patience, "the server outlives whoever started it");
        std::thread::sleep(Duration::from_millis(20));
    }
    let dutch = text(&user("true").run(&["doctor", "--lang", "nl"]));
    assert!(dutch.contains("het eigen model van Plumbline draait niet"), "{dutch}");
}

#[test]
fn what_is_missing_is_named_before_anything_is_fetched() {
    let folder = library();
    let fetch = |user: User<'_>| {
        let output = user.run(&["models", "fetch"]);
        assert_eq!(output.status.code(), Some(1));
        said(&output)
    };
    let said = fetch(User::new(folder.path()));
    assert!(said.contains("managed.address") && said.contains("managed.file"), "{said}");
    let unhashed =
        User::new(folder.path()).with("PLUMBLINE_MANAGED_ADDRESS", "http://127.0.0.1:9/small.gguf");
    let said = fetch(unhashed);
    assert!(said.contains("managed.sha256"), "{said}");
    let away = User::new(folder.path())
        .with("PLUMBLINE_MANAGED_ADDRESS", "http://127.0.0.1:9/small.gguf")
        .with("PLUMBLINE_MANAGED_SHA256", &"0".repeat(64));
    let said = fetch(away);
    assert!(said.contains("http://127.0.0.1:9/small.gguf"), "{said}");
}
