use std::path::PathBuf;

use plumbline_core::request::{AskRequest, Choice};
use tokio_util::sync::CancellationToken;

use crate::arguments::Global;
use crate::{Outcome, answer_text, wiring};

/// Looks a term up, through the same engine as any question.
pub fn run(global: &Global, term: &str, files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace_with(global, files)?;
    let response = wiring::runtime()?.block_on(async {
        let vocabulary = workspace.vocabulary()?;
        for defect in vocabulary.defects() {
            eprintln!("plumbline: {}{}: {}", defect.file, line_of(defect.line), defect.message);
        }
        let engine = workspace.vocabulary_engine(vocabulary.port())?;
        let request =
            AskRequest { choice: Some(Choice::Define { term: term.to_owned() }), ..AskRequest::new(term) };
        anyhow::Ok(engine.ask(request, &CancellationToken::new(), &|_| {}).await?)
    })?;
    workspace.keep_counters()?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&response)?);
    } else {
        print!("{}", answer_text::whole(&response));
    }
    Ok(if response.refused { Outcome::Refused } else { Outcome::Done })
}

fn line_of(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}
