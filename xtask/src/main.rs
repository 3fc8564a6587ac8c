//! `cargo xtask <command>`: everything a developer or CI runs, without make or shell scripts.

mod bench;
mod bundle;
mod checkout;
mod clouds;
mod conformance;
mod counts;
mod debian;
mod fresh;
mod generate;
mod help;
mod lints;
mod live;
mod mcpb;
mod modules;
mod npm;
mod parts;
mod process;
mod progress;
mod run;
mod same;
mod setup;
mod skipped;
mod step_outcome;
mod steps;
mod store_server;
mod test;
mod window;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use workspace::Workspace;

/// Exit code for a command line that cannot be understood.
const WRONG_USAGE: u8 = 2;

pub struct Task {
    name: &'static str,
    summary: &'static str,
    arguments: Arguments,
    perform: fn(&Workspace, &[String]) -> Result<ExitCode>,
}

#[derive(PartialEq)]
pub enum Arguments {
    None,
    PassedOn,
}

const TASKS: &[Task] = &[
    Task {
        name: "run",
        summary: "set up, then open the window; the terminal chat or sample questions where there is no display",
        arguments: Arguments::None,
        perform: |workspace, _| run::run(workspace),
    },
    Task {
        name: "test",
        summary: "set up, then every check and test, Rust and UI, with one closing count",
        arguments: Arguments::None,
        perform: |workspace, _| test::test(workspace),
    },
    Task {
        name: "generate",
        summary: "write the TypeScript types of crates/contract into ui/src/backend/generated",
        arguments: Arguments::None,
        perform: |workspace, _| generate::generate(workspace),
    },
    Task {
        name: "bench",
        summary: "run the benches; arguments are passed on to cargo bench",
        arguments: Arguments::PassedOn,
        perform: bench::bench,
    },
    Task {
        name: "same",
        summary: "ask an older build and this one the same questions, and print what differs: OLD [--new PATH] …",
        arguments: Arguments::PassedOn,
        perform: same::same,
    },
    Task {
        name: "modules",
        summary: "print which module of core, host and xtask uses which",
        arguments: Arguments::None,
        perform: |workspace, _| modules::modules(workspace),
    },
    Task {
        name: "live",
        summary: "build a real Ollama, fetch llama.cpp's server and real weights, and test with them; arguments go to the tests",
        arguments: Arguments::PassedOn,
        perform: live::live,
    },
    Task {
        name: "clouds",
        summary: "test Azure Blob Storage and Google Cloud Storage with their emulators; arguments go to the tests",
        arguments: Arguments::PassedOn,
        perform: clouds::clouds,
    },
    Task {
        name: "conformance",
        summary: "hold the MCP server against the official suite, and call every tool with the official inspector",
        arguments: Arguments::None,
        perform: |workspace, _| conformance::conformance(workspace),
    },
    Task {
        name: "screenshots",
        summary: "draw every view in both themes, from the real window, into docs/screenshots",
        arguments: Arguments::None,
        perform: |workspace, _| window::screenshots(workspace),
    },
    Task {
        name: "bundle",
        summary: "build the installable packages of this platform; arguments are passed on to the Tauri CLI",
        arguments: Arguments::PassedOn,
        perform: bundle::bundle,
    },
    Task {
        name: "fresh",
        summary: "prove the first commands and the package on a bare machine: [--root R] [--stage S] [--anew]",
        arguments: Arguments::PassedOn,
        perform: fresh::fresh,
    },
    Task {
        name: "icons",
        summary: "draw the icons in assets/icons from plumbline.svg",
        arguments: Arguments::None,
        perform: |workspace, _| bundle::icons(workspace),
    },
    Task {
        name: "setup",
        summary: "install what building needs: system packages and the UI's npm packages",
        arguments: Arguments::None,
        perform: |workspace, _| setup::setup(workspace),
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print!("{}", help::text(TASKS));
        return ExitCode::SUCCESS;
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print!("{}", help::text(TASKS));
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("error: there is no command `{name}`\n\n{}", help::text(TASKS));
        return ExitCode::from(WRONG_USAGE);
    };
    if task.arguments == Arguments::None && !rest.is_empty() {
        eprintln!("error: `{name}` takes no arguments, but got `{}`", rest.join(" "));
        return ExitCode::from(WRONG_USAGE);
    }
    let performed = Workspace::locate().and_then(|workspace| {
        checkout::age_patches(&workspace.root);
        (task.perform)(&workspace, rest)
    });
    performed.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
