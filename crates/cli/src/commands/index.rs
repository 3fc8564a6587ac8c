use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use plumbline_library::{FolderWatch, IndexProgress, IndexReport, Indexer};
use plumbline_workspace::Workspace;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Global, IndexArguments};
use crate::{Outcome, wiring};

/// So many files are named on a terminal; `--json` names all.
const NAMED: usize = 20;

/// Adds folders and brings the library up to date.
pub fn run(global: &Global, arguments: &IndexArguments) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    if !arguments.no_embeddings && !global.quiet {
        tell_cost(&runtime, &workspace)?;
    }
    let options = runtime.block_on(workspace.index_options(!arguments.no_embeddings))?;
    let mut indexer = Indexer::open(workspace.folder(), options, runtime.handle().clone())?;
    for path in &arguments.remove {
        if !indexer.remove(path)? {
            anyhow::bail!("{} is not part of the library; `plumbline status` names what is", path.display());
        }
    }
    indexer.add(&arguments.paths)?;
    if indexer.origins()?.is_empty() && arguments.remove.is_empty() {
        anyhow::bail!("the library has no folders yet: give one, as in `plumbline index docs/adr`");
    }
    if arguments.rebuild {
        indexer.forget()?;
    }
    let report = index(&mut indexer, &stop, global)?;
    print(global, &report)?;
    if !arguments.watch {
        return Ok(Outcome::Done);
    }
    let watch = FolderWatch::begin(&indexer.origins()?)?;
    while watch.wait(&stop) {
        let report = index(&mut indexer, &stop, global)?;
        if report.added + report.changed + report.removed > 0 {
            print(global, &report)?;
        }
    }
    Ok(Outcome::Done)
}

/// Says what a change of embedder costs before it is paid.
fn tell_cost(runtime: &Runtime, workspace: &Workspace) -> anyhow::Result<()> {
    if let Some(cost) = runtime.block_on(workspace.embedding_cost())? {
        eprintln!(
            "The library has no vectors of this embedder yet: {} will be embedded, which takes about {}. Vectors of \
             other embedders are kept; until these are complete, the built-in embedder answers where it has made vectors before, \
             else search is by words alone.",
            wiring::counted(cost.passages, "passage", "passages"),
            minutes(cost.time.as_secs_f64())
        );
    }
    Ok(())
}

fn index(indexer: &mut Indexer, stop: &CancellationToken, global: &Global) -> anyhow::Result<IndexReport> {
    let shown = std::io::stderr().is_terminal() && !global.quiet;
    let line = ProgressLine::default();
    let report = indexer.run(stop, &|progress| {
        if shown {
            line.show(progress);
        }
    });
    if shown {
        eprint!("\r\x1b[K");
    }
    Ok(report?)
}

/// One line that is written over and over.
#[derive(Default)]
struct ProgressLine {
    last: Mutex<Option<(Instant, Instant)>>,
}

impl ProgressLine {
    const EVERY: Duration = Duration::from_millis(100);

    fn show(&self, progress: IndexProgress) {
        let Ok(mut last) = self.last.lock() else { return };
        let now = Instant::now();
        let (began, shown) = last.unwrap_or((now, now));
        if last.is_some() && now.duration_since(shown) < Self::EVERY {
            return;
        }
        let text = match progress {
            IndexProgress::Reading { done, total } => format!("reading {done} of {total} files"),
            IndexProgress::Writing { files, total_files, chunks, total_chunks } => {
                let seconds = now.duration_since(began).as_secs_f64().max(0.1);
                let rate = chunks as f64 / seconds;
                let left = (total_chunks.saturating_sub(chunks)) as f64 / rate.max(0.1);
                format!(
                    "{files} of {total_files} files · {chunks} of {total_chunks} passages · {rate:.0} a second · {} left",
                    minutes(left)
                )
            }
            IndexProgress::Committed { .. } => return,
        };
        // The rate counts from the first passage, not from the first file read.
        let began = if matches!(progress, IndexProgress::Reading { .. }) { now } else { began };
        *last = Some((began, now));
        eprint!("\r\x1b[K{text}");
    }
}

fn minutes(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    if seconds < 90 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

fn print(global: &Global, report: &IndexReport) -> anyhow::Result<()> {
    if global.json {
        println!("{}", serde_json::to_string_pretty(report)?);
        return Ok(());
    }
    println!(
        "{}, {} (generation {}); {} new, {} changed, {} removed; {:.1} s",
        wiring::counted(report.files, "file", "files"),
        wiring::counted(report.chunks, "passage", "passages"),
        report.generation,
        report.added,
        report.changed,
        report.removed,
        report.seconds
    );
    if report.stopped {
        println!("Stopped before all was done; `plumbline index` goes on from here.");
    }
    for folder in &report.absent {
        println!(
            "{folder} is not there; its documents were kept. `plumbline index --remove` takes them out."
        );
    }
    if report.files == 0 && !report.stopped {
        println!("There is no document in the library: check the folders with `plumbline status`.");
    }
    if !report.skipped.is_empty() {
        println!("\nNot in the library ({}):", report.skipped.len());
        for skipped in report.skipped.iter().take(NAMED) {
            println!("  {}: {}", skipped.path, skipped.reason);
        }
        if report.skipped.len() > NAMED {
            println!("  … {} more; `plumbline status` names all", report.skipped.len() - NAMED);
        }
    }
    if !report.warnings.is_empty() && !global.quiet {
        println!("\nOdd, but indexed ({}):", report.warnings.len());
        for warning in report.warnings.iter().take(NAMED) {
            println!("  {}: {}", warning.path, warning.text);
        }
    }
    Ok(())
}
