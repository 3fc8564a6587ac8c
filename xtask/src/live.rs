//! `cargo xtask live`: the tests that need a real Ollama with real weights, both built and fetched into the cache first.

mod ollama;
mod weights;

use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// Where the tests look for the program and for its models.
const PROGRAM: &str = "PLUMBLINE_LIVE_OLLAMA";
const STORE: &str = "PLUMBLINE_LIVE_STORE";

/// Arguments are passed on to the tests: names of tests, `--nocapture` and so on.
pub fn live(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let folder = workspace.cache.join("ollama");
    let program = ollama::built(&folder)?;
    let store = folder.join("store");
    for model in weights::MODELS {
        if !model.is_created(&store) {
            let file = model.fetched(&folder)?;
            ollama::create(&program, &store, model, &file)?;
        }
    }
    let mut tests = workspace.cargo();
    tests.args(["test", "--workspace", "--test", "live", "--", "--nocapture", "--test-threads=1"]);
    tests.args(arguments).env(PROGRAM, &program).env(STORE, &store);
    Ok(process::exit_code(process::hand_over(&mut tests)?))
}
