use anyhow::anyhow;
use plumbline_core::domain::Collection;
use plumbline_core::request::AskRequest;
use plumbline_core::response::{Action, AnswerEvent, Stage};

use crate::arguments::{AskArguments, Global};
use crate::{Outcome, answer_text, wiring};

/// Answers one question.
pub fn run(global: &Global, arguments: &AskArguments) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace_with(global, &arguments.vocabulary.files)?;
    let _logs = wiring::logs(&workspace);
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let shown = wiring::shows_progress(global);
    let language = workspace.settings().general.language;
    let response = runtime.block_on(async {
        let opened = wiring::engine(&workspace).await?;
        if !global.quiet {
            opened.remarks.iter().for_each(|remark| eprintln!("plumbline: {}", remark.text(language)));
        }
        let request = request(global, arguments);
        let events = |event: AnswerEvent| {
            if let (true, AnswerEvent::Stage { stage, report: None }) = (shown, event) {
                eprint!("\r\x1b[K{}", doing(stage));
            }
        };
        let answered = opened.engine.ask(request, &stop, &events).await;
        answered.map_err(|problem| anyhow!(problem.text(language)))
    });
    if shown {
        eprint!("\r\x1b[K");
    }
    workspace.keep_counters()?;
    let response = response?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&response)?);
    } else {
        print!("{}", answer_text::whole(&response));
        if arguments.passages {
            response.citations.iter().for_each(|citation| print!("\n{}", answer_text::passage(citation)));
        }
    }
    Ok(if response.action == Action::Refuse { Outcome::Refused } else { Outcome::Done })
}

fn request(global: &Global, arguments: &AskArguments) -> AskRequest {
    AskRequest {
        model: arguments.model.clone(),
        collections: arguments.within.iter().map(Collection::new).collect(),
        ..wiring::question(global, &arguments.question)
    }
}

/// What the user sees of a stage.
pub fn doing(stage: Stage) -> &'static str {
    match stage {
        Stage::Intent | Stage::Vocabulary | Stage::Catalogue => "looking",
        Stage::Embedding
        | Stage::Curated
        | Stage::Dense
        | Stage::Lexical
        | Stage::Address
        | Stage::Rewrites => "searching",
        Stage::Rerank | Stage::Filters | Stage::Gates | Stage::Planner | Stage::Budget => "reading",
        Stage::Generation => "writing",
        Stage::Grounding | Stage::Judge | Stage::Confidence | Stage::Audit => "checking",
    }
}
