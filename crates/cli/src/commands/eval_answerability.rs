use anyhow::Context;
use plumbline_evaluation::answerability::{AnswerabilityReport, try_question};
use plumbline_evaluation::questions::QuestionSet;

use crate::arguments::{AnswerabilityArguments, Global};
use crate::commands::eval_questions::libraries::Libraries;
use crate::{Outcome, wiring};

/// Measures the questions of the sets that have an answer and those that have none, and tells how well the two are told apart on
/// libraries that the weights do not know.
pub fn run(global: &Global, arguments: &AnswerabilityArguments) -> anyhow::Result<Outcome> {
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let temporary = tempfile::tempdir().context("cannot make a folder for the libraries")?;
    let workspaces = arguments.workspaces.as_deref().unwrap_or(temporary.path());
    let mut tried = Vec::new();
    for folder in &arguments.sets {
        let set = QuestionSet::read(folder)?;
        let libraries = Libraries { global, set: &set, runtime: &runtime, stop: &stop };
        let chosen = |name: &String| arguments.library.is_empty() || arguments.library.contains(name);
        for library in set.libraries.iter().filter(|library| chosen(&library.name)) {
            let workspace = libraries.indexed(library, &workspaces.join(&library.name))?;
            runtime.block_on(async {
                let engine = workspace.engine().await?.engine;
                for question in set.questions.iter().filter(|question| question.library == library.name) {
                    tried.extend(try_question(&engine, question).await?);
                    wiring::remark(global, &format!("{}: measured {}", library.name, tried.len()));
                }
                anyhow::Ok(())
            })?;
        }
    }
    wiring::remark(global, "");
    let report = AnswerabilityReport::of(tried);
    if !wiring::wrote_report(global, arguments.output.as_deref(), &serde_json::to_string_pretty(&report)?)? {
        print(&report);
    }
    Ok(Outcome::Done)
}

fn print(report: &AnswerabilityReport) {
    for rule in &report.rules {
        println!("{}", if rule.with_reader { "with the reader" } else { "without the reader" });
        for library in &rule.left_out {
            println!(
                "  {:<16} {:>3} answerable, {:>3} not: area {:.3}, {:>4.1} % refused wrongly, {:>4.1} % answered wrongly",
                library.library,
                library.counts.0,
                library.counts.1,
                library.area_under_curve,
                100.0 * library.at_even_odds.false_refusals,
                100.0 * library.at_even_odds.false_answers,
            );
        }
        let weights: Vec<String> = rule.fitted.weights.iter().map(|weight| format!("{weight:.2}")).collect();
        println!("  weights on everything: {} and {:.2}\n", weights.join(", "), rule.fitted.constant);
    }
}
