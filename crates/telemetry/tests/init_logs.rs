//! Apart from the other tests: the subscriber of a process can be set only once.

use std::fs;
use std::sync::Arc;

use plumbline_telemetry::{LogError, LogLevel, LogSettings, RequestContext, Route, SystemClock, init_logs};
use serde_json::Value;

#[test]
fn logs_reach_the_days_file_and_a_second_start_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let settings = LogSettings {
        folder: folder.path().join("logs"),
        max_files: 1,
        privacy: true,
        level: LogLevel::Warn,
    };

    let blocked = folder.path().join("a file, not a folder");
    fs::write(&blocked, "").unwrap();
    let error = init_logs(LogSettings { folder: blocked.join("logs"), ..settings.clone() }).unwrap_err();
    assert!(error.to_string().contains("a file, not a folder"), "the message names the folder: {error}");

    let guard = init_logs(settings.clone()).expect("the failed start left nothing behind");
    assert!(matches!(init_logs(settings.clone()), Err(LogError::AlreadySet)));

    let context = RequestContext::new("req-1", Route::Direct, Arc::new(SystemClock));
    context.span().in_scope(|| {
        tracing::info!(target: "router", event = "too_quiet");
        tracing::info!(target: "lance::dataset", event = "not_ours");
        tracing::warn!(target: "lance::dataset", event = "theirs_but_grave");
        tracing::error!(target: "router", event = "failed", query = "who?", hits = 2);
    });
    assert_eq!(guard.dropped_lines(), 0);
    drop(guard);

    let files: Vec<_> = fs::read_dir(&settings.folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let name = files[0].file_name().unwrap().to_string_lossy();
    assert!(name.starts_with("plumbline.") && name.ends_with(".jsonl"), "{name}");

    let text = fs::read_to_string(&files[0]).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["theirs_but_grave", "failed"]);
    assert_eq!(lines[1]["request_id"], "req-1", "the level must not take the request's fields away");
    assert_eq!(lines[1]["hits"], 2);
    assert!(!text.contains("who?"));
}
