//! `cargo xtask live`: the tests that need a real Ollama, a real server of llama.cpp and real weights, all of them built or fetched
//! into the cache first.

mod llama;
mod ollama;
mod weights;

use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// Where the tests look for the program and for its models.
const PROGRAM: &str = "PLUMBLINE_LIVE_OLLAMA";
const STORE: &str = "PLUMBLINE_LIVE_STORE";
const LLAMA: &str = "PLUMBLINE_LIVE_LLAMA";
/// Where llama.cpp's server finds the weights, in the order of the models.
const WEIGHTS: [&str; 2] = ["PLUMBLINE_LIVE_WEAK", "PLUMBLINE_LIVE_USABLE"];

/// Arguments are passed on to the tests: names of tests, `--nocapture` and so on.
pub fn live(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let folder = workspace.cache.join("ollama");
    let program = ollama::built(&folder)?;
    let store = folder.join("store");
    let mut tests = workspace.cargo();
    for (model, variable) in weights::MODELS.iter().zip(WEIGHTS) {
        let file = model.fetched(&folder)?;
        if !model.is_created(&store) {
            ollama::create(&program, &store, model, &file)?;
        }
        tests.env(variable, file);
    }
    tests.env(LLAMA, llama::fetched(&workspace.cache.join("llama.cpp"))?);
    tests.args(["test", "--workspace", "--test", "live", "--", "--nocapture", "--test-threads=1"]);
    tests.args(arguments).env(PROGRAM, &program).env(STORE, &store);
    Ok(process::exit_code(process::hand_over(&mut tests)?))
}
