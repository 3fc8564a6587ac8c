use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::home::Home;
use crate::window::{BUILT, Window, program};

/// Kibibytes that a process and all it started hold; what they share is counted once.
fn memory(process: i32) -> u64 {
    let task = PathBuf::from(format!("/proc/{process}"));
    let own = std::fs::read_to_string(task.join("smaps_rollup")).unwrap_or_default();
    let own = own
        .lines()
        .find_map(|line| line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    let children = std::fs::read_to_string(task.join(format!("task/{process}/children"))).unwrap_or_default();
    let threads = std::fs::read_dir(task.join("task")).into_iter().flatten().flatten();
    let of_threads = threads
        .filter(|thread| thread.file_name() != *process.to_string())
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let all = of_threads.fold(children, |all, more| format!("{all} {more}"));
    own.unwrap_or_default()
        + all.split_whitespace().filter_map(|child| child.parse().ok()).map(memory).sum::<u64>()
}

async fn measure(name: &str, program: &str, home: &Home, usable: &str) {
    let started = Instant::now();
    let window = Window::open_program(program, home).await;
    window.finds(usable).await;
    let seconds = started.elapsed().as_secs_f64();
    // At rest: when the figure no longer falls or rises by more than a twentieth from one second to the next.
    let mut before = 0;
    let mut now = memory(window.process_id());
    while now.abs_diff(before) > now / 20 {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        (before, now) = (now, memory(window.process_id()));
    }
    let size = std::fs::metadata(program).unwrap().len();
    println!(
        "{name}: usable after {seconds:.2} s, {:.0} MiB at rest with WebKit's processes, program of {:.0} MiB",
        now as f64 / 1024.0,
        size as f64 / 1024.0 / 1024.0
    );
    window.close().await;
}

/// `PLUMBLINE_PROGRAM` names another build of the program, such as the one that `cargo xtask bundle` packs.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures: run it with --nocapture on a quiet machine, after `cargo build --workspace --examples`"]
async fn beside_a_bare_window() {
    let program = program();
    let bare = Path::new(BUILT).parent().unwrap().join("examples/bare-window");
    measure("bare window", &bare.to_string_lossy(), &Home::new(), "main").await;
    measure("Plumbline, first run", &program, &Home::new(), ".ways button:not(:disabled)").await;
    measure(
        "Plumbline, sample library",
        &program,
        &Home::with_sample_library().await,
        "[data-focus=question]",
    )
    .await;
}
