use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use plumbline_core::domain::Language;
use plumbline_core::response::CheckProgress;
use plumbline_library::{ReadDocument, Reader, ReaderOptions, WorkerCommand, read};

use crate::arguments::Global;
use crate::{Outcome, answer_text, wiring};

/// Under this name standard input is read: Markdown is what drafts are written in, and plain text is Markdown too.
const STANDARD_INPUT: &str = "standard-input.md";

/// Checks a text, statement by statement.
pub fn run(global: &Global, file: &Path) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    let _logs = wiring::logs(&workspace);
    let language = workspace.settings().general.language;
    let text = document(file, language)?.prose();
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let checked = runtime.block_on(async {
        let opened = wiring::engine(&workspace).await?;
        if !global.quiet {
            opened.remarks.iter().for_each(|remark| eprintln!("plumbline: {}", remark.text(language)));
        }
        let told = |progress: CheckProgress| {
            wiring::remark(global, &format!("{} of {}", progress.done, progress.total));
        };
        let checked = opened.engine.check(&text, &wiring::scope(global), &stop, &told).await;
        checked.map_err(|problem| anyhow!(problem.text(language)))
    });
    wiring::remark(global, "");
    workspace.keep_counters()?;
    let checked = checked?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&checked)?);
    } else {
        print!("{}", answer_text::plain(&checked.readable()));
    }
    Ok(if checked.counts.all_supported() { Outcome::Done } else { Outcome::NotBorneOut })
}

fn document(file: &Path, language: Language) -> anyhow::Result<ReadDocument> {
    let read = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        read(STANDARD_INPUT, &bytes)
    } else {
        let worker = Some(WorkerCommand::this_program()?);
        let reader = Reader::new(ReaderOptions { worker, ..ReaderOptions::default() });
        reader.read(file).map(|content| content.document)
    };
    read.map_err(|problem| anyhow!("{}: {}", file.display(), problem.detail().text(language)))
}
