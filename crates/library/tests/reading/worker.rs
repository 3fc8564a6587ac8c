use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use plumbline_library::{Reader, ReaderOptions, WorkerCommand};

/// Cargo builds examples beside the tests.
fn command(misbehaviour: Option<&str>) -> WorkerCommand {
    let tests = std::env::current_exe().unwrap();
    let program: PathBuf = tests.ancestors().nth(2).unwrap().join("examples").join("read-worker");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is built with the tests", program.display());
    WorkerCommand { program, args: misbehaviour.into_iter().map(str::to_owned).collect() }
}

fn reader(misbehaviour: Option<&str>) -> Reader {
    let deadline =
        if misbehaviour == Some("hang") { Duration::from_millis(300) } else { Duration::from_secs(60) };
    Reader::new(ReaderOptions { worker: Some(command(misbehaviour)), deadline, ..ReaderOptions::default() })
}

#[test]
fn a_worker_reads_what_this_process_would() {
    let folder = tempfile::tempdir().unwrap();
    let here = Reader::new(ReaderOptions::default());
    let there = reader(None);
    for (name, text) in [
        ("é.md", "---\ntitle: T\n---\n\n# T\n\na <!-- c --> b\n"),
        ("b.txt", "text"),
        ("c.md", ""),
        ("d.xyz", "x"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        assert_eq!(there.read(&path), here.read(&path), "{name}");
    }
    assert_eq!(there.read(folder.path()), here.read(folder.path()));
}

#[test]
fn a_worker_that_breaks_down_costs_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    fs::write(&path, "# T\n\ntext\n").unwrap();
    for (misbehaviour, code) in [("abort", "crashed"), ("hang", "too_slow"), ("flood", "too_large")] {
        let started = Instant::now();
        let reader = reader(Some(misbehaviour));
        for _ in 0..2 {
            assert_eq!(
                reader.read(&path).unwrap_err().code(),
                code,
                "each file gets a new worker after {misbehaviour}"
            );
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "nobody waits for a worker that does {misbehaviour}"
        );
    }
    let missing = WorkerCommand { program: folder.path().join("missing"), args: Vec::new() };
    let reader = Reader::new(ReaderOptions { worker: Some(missing), ..ReaderOptions::default() });
    assert_eq!(reader.read(&path).unwrap_err().code(), "no_access");
}

#[test]
fn threads_have_workers_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let reader = reader(None);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (reader, folder) = (&reader, folder.path());
            scope.spawn(move || {
                for file in 0..10 {
                    let path = folder.join(format!("{thread}-{file}.md"));
                    fs::write(&path, format!("# File {thread} {file}\n\ntext\n")).unwrap();
                    let content = reader.read(&path).unwrap();
                    assert!(
                        content.document.text.contains(&format!("File {thread} {file}")),
                        "answers do not mix"
                    );
                }
            });
        }
    });
}

#[cfg(unix)]
#[test]
fn a_worker_ends_when_the_one_who_asked_goes_away() {
    use std::process::{Command, Stdio};
    let mut worker =
        Command::new(command(None).program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(worker.stdin.take());
    assert!(worker.wait().unwrap().success());
}
