//! The `plumbline` command line: it reads arguments, wires the engine and prints what comes back.

mod arguments;
mod commands;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

/// The question was refused; the answer says why.
const REFUSED: u8 = 3;

/// How a command ended, where it did not fail.
enum Outcome {
    Done,
    Refused,
}

fn main() -> ExitCode {
    // A wrong use ends here, with exit code 2.
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Refused) => ExitCode::from(REFUSED),
        Err(problem) => {
            eprintln!("plumbline: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.command {
        Command::Define { term, vocabulary } => {
            commands::define::run(&arguments.global, term, &vocabulary.files)
        }
        Command::Vocab { what } => commands::vocab::run(&arguments.global, what),
    }
}
