//! `cargo xtask run`: the best way to use Plumbline that this machine and this checkout allow.

use std::io::{IsTerminal, stdin, stdout};
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Result, bail};

use crate::parts::{self, Parts, available_parts};
use crate::workspace::Workspace;
use crate::{npm, process, progress, setup};

/// One answered from the decisions, one from the policies, and one the documents cannot support.
const SAMPLE_QUESTIONS: [&str; 3] = [
    "Which version of TLS is required for transport encryption?",
    "What does the data retention policy ask of us?",
    "Who won the football match yesterday?",
];

const WINDOW: &str = "plumbline-desktop";
const COMMAND_LINE: &str = "plumbline";

/// The command line's exit code for a refusal, which is an answer too.
const REFUSED: i32 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Surface {
    Window,
    Chat,
    Samples,
}

#[derive(Clone, Copy, Debug)]
struct Machine {
    display: bool,
    terminal: bool,
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    setup::everything(workspace, &mut stdout())?;
    let machine =
        Machine { display: has_display(), terminal: stdin().is_terminal() && stdout().is_terminal() };
    let parts = available_parts(&workspace.root);
    let (surface, reasons) = choose(machine, parts);
    for reason in reasons {
        println!("{reason}");
    }
    match surface {
        Some(Surface::Window) => open_window(workspace),
        Some(Surface::Chat) => open_chat(workspace),
        Some(Surface::Samples) => answer_samples(workspace),
        None => {
            println!(
                "So there is nothing to open yet. What works today: `cargo xtask test` and the other commands of `cargo xtask`."
            );
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The first surface that is both possible here and built, with why each one before it was passed over.
fn choose(machine: Machine, parts: Parts) -> (Option<Surface>, Vec<String>) {
    let mut reasons = Vec::new();
    let not_built = |what: &str, file: &str| format!("{what} is not built yet: there is no {file}.");
    match (machine.display, parts.window) {
        (true, true) => return (Some(Surface::Window), reasons),
        (true, false) => reasons.push(not_built("The window", parts::WINDOW)),
        (false, _) => reasons.push(
            "There is no display here (DISPLAY and WAYLAND_DISPLAY are unset), so no window.".to_owned(),
        ),
    }
    match (machine.terminal, parts.chat) {
        (true, true) => return (Some(Surface::Chat), reasons),
        (true, false) => reasons.push(not_built("The terminal chat", parts::CHAT)),
        (false, _) => reasons.push("This is no terminal, so no chat.".to_owned()),
    }
    if parts.ask {
        return (Some(Surface::Samples), reasons);
    }
    reasons.push(not_built("Answering sample questions", parts::ASK));
    (None, reasons)
}

fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    env::consts::OS != "linux" || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn open_window(workspace: &Workspace) -> Result<ExitCode> {
    npm::build_page(workspace, &mut stdout())?;
    build(workspace, WINDOW)?;
    let status = process::hand_over(&mut built(workspace, WINDOW))?;
    Ok(process::exit_code(status))
}

fn open_chat(workspace: &Workspace) -> Result<ExitCode> {
    index_samples(workspace)?;
    let status = process::hand_over(plumbline(workspace).arg("chat"))?;
    Ok(process::exit_code(status))
}

fn answer_samples(workspace: &Workspace) -> Result<ExitCode> {
    index_samples(workspace)?;
    for question in SAMPLE_QUESTIONS {
        println!("\n> {question}");
        let status = process::hand_over(plumbline(workspace).args(["ask", question]))?;
        if !status.success() && status.code() != Some(REFUSED) {
            return Ok(process::exit_code(status));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn index_samples(workspace: &Workspace) -> Result<()> {
    build(workspace, COMMAND_LINE)?;
    fs::create_dir_all(&workspace.cache)?;
    let status = process::hand_over(plumbline(workspace).args(["index", "data/sample/library.toml"]))?;
    if !status.success() {
        bail!("the sample library could not be indexed");
    }
    Ok(())
}

/// The command line, on a workspace of its own so that samples never mix with someone's documents.
fn plumbline(workspace: &Workspace) -> Command {
    let mut command = built(workspace, COMMAND_LINE);
    command.args(["--", "--workspace"]).arg(workspace.cache.join("sample-workspace"));
    command
}

/// Builds a program without naming its package: the same features as everything else, so that nothing is compiled twice.
fn build(workspace: &Workspace, program: &str) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["build", "--bin", program]);
    let status = progress::build(workspace, command, &mut stdout(), &mut stdout())?;
    if !status.success() {
        bail!("{program} could not be built");
    }
    Ok(())
}

/// Runs what [`build`] has built.
fn built(workspace: &Workspace, program: &str) -> Command {
    let mut command = workspace.cargo();
    command.args(["run", "--quiet", "--bin", program]);
    command
}

#[cfg(test)]
mod tests {
    use super::{Machine, Surface, choose};
    use crate::parts::Parts;

    const ALL: Parts = Parts { window: true, chat: true, ask: true };
    const NONE: Parts = Parts { window: false, chat: false, ask: false };

    #[test]
    fn the_best_surface_that_can_be_had_is_chosen() {
        let no_window = Parts { window: false, ..ALL };
        let only_ask = Parts { ask: true, ..NONE };
        let table = [
            (true, true, ALL, Some(Surface::Window)),
            (true, false, ALL, Some(Surface::Window)),
            (false, true, ALL, Some(Surface::Chat)),
            (false, false, ALL, Some(Surface::Samples)),
            (true, true, no_window, Some(Surface::Chat)),
            (true, false, no_window, Some(Surface::Samples)),
            (true, true, only_ask, Some(Surface::Samples)),
            (true, true, NONE, None),
            (false, false, NONE, None),
        ];
        for (display, terminal, parts, expected) in table {
            let (surface, _) = choose(Machine { display, terminal }, parts);
            assert_eq!(surface, expected, "display {display}, terminal {terminal}, {parts:?}");
        }
    }

    #[test]
    fn every_surface_passed_over_has_its_reason() {
        let (_, reasons) = choose(Machine { display: false, terminal: true }, NONE);
        assert_eq!(reasons.len(), 3);
        assert!(reasons[0].contains("no display"), "the machine's limits come before the checkout's");
        assert!(
            reasons[1].contains("crates/cli/src/commands/chat.rs"),
            "what is missing is named by its file"
        );
        assert!(
            choose(Machine { display: true, terminal: true }, ALL).1.is_empty(),
            "nothing was passed over"
        );
    }
}
