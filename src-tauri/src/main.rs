//! The window's program. It holds no logic of its own: the page's commands go to the host, the host's broadcasts to the page.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod arguments;
mod closing;
mod commands;
mod desktop;
#[cfg(debug_assertions)]
mod prepared_answers;
mod resources;
mod shell;

use std::process::ExitCode;

use clap::Parser;
use plumbline_host::{GUARD_ARGUMENT, WORKER_ARGUMENT, serve_guard, serve_worker};

fn main() -> ExitCode {
    // The same program reads single files in a process of its own, so that a broken one takes nothing down.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == WORKER_ARGUMENT) {
        serve_worker();
    }
    // And it guards a model's server, which then ends however we do.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == GUARD_ARGUMENT) {
        serve_guard();
    }
    match shell::run(arguments::Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("plumbline: the window cannot be opened: {problem}");
            ExitCode::FAILURE
        }
    }
}
