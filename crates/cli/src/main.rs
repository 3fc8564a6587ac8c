//! The `plumbline` command line: it reads arguments, wires the engine and prints what comes back.

mod answer_text;
mod arguments;
mod commands;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command, EvalCommand};
use plumbline_core::ports::{DocumentFilter, Years};
use plumbline_library::{WORKER_ARGUMENT, serve_worker};
use plumbline_models::managed::{GUARD_ARGUMENT, serve_guard};

/// The question was refused; the answer says why.
const REFUSED: u8 = 3;

/// A statement of the text is not borne out, or not by what it names for it.
const NOT_BORNE_OUT: u8 = 4;

/// Statements of the library oppose each other, and nobody has said that this is known.
const CONTRADICTED: u8 = 5;

/// How a command ended, where it did not fail.
enum Outcome {
    Done,
    Refused,
    NotBorneOut,
    Contradicted,
}

fn main() -> ExitCode {
    // The same program reads single files in a process of its own, so that a broken one takes nothing down.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == WORKER_ARGUMENT) {
        serve_worker();
    }
    // And it guards a model's server, which then ends however we do.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == GUARD_ARGUMENT) {
        serve_guard();
    }
    end_quietly_when_nobody_reads();
    // A wrong use ends here, with exit code 2.
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Refused) => ExitCode::from(REFUSED),
        Ok(Outcome::NotBorneOut) => ExitCode::from(NOT_BORNE_OUT),
        Ok(Outcome::Contradicted) => ExitCode::from(CONTRADICTED),
        Err(problem) => {
            eprintln!("plumbline: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

/// `plumbline list | head` closes our output early: the reader's right, and no fault worth a word.
fn end_quietly_when_nobody_reads() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>().map(String::as_str).unwrap_or_default();
        if message.starts_with("failed printing to stdout") && message.contains("Broken pipe") {
            std::process::exit(0);
        }
        tell(panic);
    }));
}

fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    plumbline_workspace::start_languages()?;
    match &arguments.command {
        Command::Ask(ask) => commands::ask::run(&arguments.global, ask),
        Command::Chat(chat) => commands::chat::run(&arguments.global, chat),
        Command::Define { term, vocabulary } => {
            commands::define::run(&arguments.global, term, &vocabulary.files)
        }
        Command::Vocab { what } => commands::vocab::run(&arguments.global, what),
        Command::Index(index) => commands::index::run(&arguments.global, index),
        Command::Publish(publish) => commands::publish::run(&arguments.global, publish),
        Command::Subscribe(subscribe) => commands::subscribe::run(&arguments.global, subscribe),
        Command::Check { file } => commands::check::run(&arguments.global, file),
        Command::Contradictions => commands::contradictions::run(&arguments.global),
        Command::Draft { topic, output, force } => {
            commands::draft::run(&arguments.global, topic, output.as_deref(), *force)
        }
        Command::Search { query, limit } => {
            commands::search::run(&arguments.global, query, usize::from(*limit))
        }
        Command::List { kind, about, status, owner, year } => {
            let filter = DocumentFilter {
                kinds: kind.0.clone(),
                standings: status.iter().copied().collect(),
                about: about.clone(),
                owner: owner.clone(),
                years: year.map(Years::only),
                ..DocumentFilter::default()
            };
            commands::list::run(&arguments.global, &filter)
        }
        Command::Show { id } => commands::show::run(&arguments.global, id),
        Command::Status => commands::status::run(&arguments.global),
        Command::VerifyIdentity => commands::verify_identity::run(&arguments.global),
        Command::Doctor => commands::doctor::run(&arguments.global),
        Command::Models { what } => commands::models::run(&arguments.global, what.as_ref()),
        Command::Mcp { http } => commands::mcp::run(&arguments.global, *http),
        Command::Metrics { dump: _, format } => commands::metrics::run(&arguments.global, *format),
        Command::CheckRegression { current, baseline } => {
            commands::check_regression::run(&arguments.global, current, baseline)
        }
        Command::Calibrate(calibrate) => commands::calibrate::run(&arguments.global, calibrate),
        Command::Judge(judge) => commands::judge::run(&arguments.global, judge),
        Command::Eval { what: EvalCommand::Answerability(sets) } => {
            commands::eval_answerability::run(&arguments.global, sets)
        }
        Command::Eval { what: EvalCommand::Contradictions { tables, root, words, output } } => {
            commands::eval_decisions::contradictions::run(
                &arguments.global,
                tables,
                root,
                *words,
                output.as_deref(),
            )
        }
        Command::Eval { what: EvalCommand::Golden(golden) } => {
            commands::eval_golden::run(&arguments.global, golden)
        }
        Command::Eval { what: EvalCommand::Grounding { statements, check, output } } => {
            commands::eval_grounding::run(&arguments.global, statements, *check, output.as_deref())
        }
        Command::Eval { what: EvalCommand::Pairs { tables, words } } => {
            commands::eval_decisions::pairs::run(&arguments.global, tables, *words)
        }
        Command::Eval { what: EvalCommand::Questions(questions) } => {
            commands::eval_questions::run(&arguments.global, questions)
        }
        Command::Eval { what: EvalCommand::Refusal(refusal) } => {
            commands::eval_refusal::run(&arguments.global, refusal)
        }
        Command::Eval { what: EvalCommand::Relations(table) } => commands::eval_decisions::relations::run(
            &arguments.global,
            &table.truth,
            &table.root,
            table.output.as_deref(),
        ),
        Command::Eval { what: EvalCommand::Retrieval { beir, output, rankings } } => {
            commands::eval_retrieval::run(&arguments.global, beir, output.as_deref(), rankings.as_deref())
        }
    }
}
