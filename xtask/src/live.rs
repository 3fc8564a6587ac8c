//! `cargo xtask live`: the tests that need a real Ollama, a real server of llama.cpp and real weights, all of them built or fetched
//! into the cache first.

mod llama;
mod ollama;
mod weights;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, thread};

use anyhow::{Result, bail};

use crate::process;
use crate::workspace::Workspace;

/// Where the tests look for the program and for its models.
const PROGRAM: &str = "PLUMBLINE_LIVE_OLLAMA";
const STORE: &str = "PLUMBLINE_LIVE_STORE";
const LLAMA: &str = "PLUMBLINE_LIVE_LLAMA";
const THREADS: &str = "PLUMBLINE_LIVE_THREADS";
/// Where llama.cpp's server finds the weights, in the order of the models.
const WEIGHTS: [&str; 2] = ["PLUMBLINE_LIVE_WEAK", "PLUMBLINE_LIVE_USABLE"];

/// Arguments are passed on to the tests: names of tests, `--nocapture` and so on. A server that cannot be had on this machine is named,
/// and its tests are passed over.
pub fn live(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let folder = workspace.cache.join("ollama");
    fs::create_dir_all(&folder)?;
    let llama = here("llama.cpp's server", llama::fetched(&workspace.cache.join("llama.cpp")));
    let ollama = here("Ollama", ollama::built(&folder));
    if llama.is_none() && ollama.is_none() {
        bail!("there is no real server to try: see above");
    }
    let threads = threads();
    let mut tests = workspace.cargo();
    tests.env(THREADS, threads.to_string());
    let store = folder.join("store");
    for (model, variable) in weights::MODELS.iter().zip(WEIGHTS) {
        let file = model.fetched(&folder)?;
        if let Some(program) = ollama.as_ref().filter(|_| !model.is_created(&store)) {
            ollama::create(program, &store, model, &file, threads)?;
        }
        tests.env(variable, file);
    }
    if let Some(program) = ollama {
        tests.env(PROGRAM, program).env(STORE, store);
    }
    if let Some(program) = llama {
        tests.env(LLAMA, program);
    }
    tests.args(["test", "--workspace", "--test", "live", "--", "--nocapture", "--test-threads=1"]);
    tests.args(arguments);
    Ok(process::exit_code(process::hand_over(&mut tests)?))
}

/// Half of the cores: the threads of a model wait for one another, and on a machine that has other work all of them stand still.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))
}

/// A server's program, or a word on why there is none.
fn here(name: &str, program: Result<PathBuf>) -> Option<PathBuf> {
    program.inspect_err(|problem| println!("Without {name}: {problem:#}")).ok()
}
