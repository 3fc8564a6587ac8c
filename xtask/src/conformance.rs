//! `cargo xtask conformance`: our MCP server before the official conformance suite and the official inspector.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::{env, fs, io};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::npm::Packages;
use crate::workspace::Workspace;
use crate::{mcpb, process};

const SUITE: &str = "@modelcontextprotocol/conformance@0.1.16";
const INSPECTOR: &str = "@modelcontextprotocol/inspector@2.12.0";
const PROXY: &str = include_str!("conformance/proxy.mjs");
const MANY_CALLS: &str = include_str!("conformance/calls.mjs");
const TOKEN: &str = "conformance";
/// A busy machine must not look like a server that fails.
const PATIENCE: [(&str, &str); 3] = [
    ("PLUMBLINE_RETRIEVAL_LANE_DEADLINE_MS", "60000"),
    ("PLUMBLINE_RETRIEVAL_RERANK_DEADLINE_MS", "60000"),
    ("PLUMBLINE_VOCABULARY_TIMEOUT_MS", "60000"),
];
/// One call of every tool that must go well over the sample library.
const CALLS: [(&str, &[&str]); 7] = [
    ("library_status", &[]),
    ("ask", &["question=Which broker do we use for event streaming?"]),
    ("search_passages", &["query=backups"]),
    ("define_term", &["term=substation"]),
    ("list_documents", &[]),
    ("get_document", &["id=adr-0015"]),
    ("check_statement", &["text=Backups are encrypted with separate keys."]),
];

pub fn conformance(workspace: &Workspace) -> Result<ExitCode> {
    let folder = workspace.cache.join("tools/mcp-conformance");
    let tools = Packages::installed(&folder, &[SUITE, INSPECTOR], &mut io::stdout())?;
    let plumbline = built(workspace)?;
    let folder = env::temp_dir().join(format!("plumbline-conformance-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = examine(workspace, &tools, &plumbline, &folder);
    fs::remove_dir_all(&folder)?;
    outcome
}

fn examine(workspace: &Workspace, tools: &Packages, plumbline: &Path, folder: &Path) -> Result<ExitCode> {
    let library = folder.join("workspace");
    let mut index = command(plumbline, &library);
    index.arg("index").arg(workspace.root.join("data/sample/library.toml"));
    process::stream_ok(index, &mut io::stdout())?;
    let mut serve = command(plumbline, &library);
    serve.args(["mcp", "--http", "0"]).env("PLUMBLINE_MCP_TOKEN", TOKEN).stderr(Stdio::piped());
    let (server, line) = Running::listening(serve, |child| child.stderr.take().map(|it| Box::new(it) as _))?;
    let address = line.split("listening on ").nth(1).context("the server did not say where it listens")?;
    let (_, port) = address.trim_end_matches("/mcp").rsplit_once(':').context("an address has a port")?;

    let proxy = folder.join("proxy.mjs");
    fs::write(&proxy, PROXY)?;
    let mut between = Command::new(&tools.node);
    between.arg(&proxy).args([port, TOKEN]).stdout(Stdio::piped());
    let (_proxy, at) = Running::listening(between, |child| child.stdout.take().map(|it| Box::new(it) as _))?;
    let mut suite = Command::new(&tools.node);
    suite
        .arg(tools.path("@modelcontextprotocol/conformance/dist/index.js"))
        .args(["server", "--suite", "all", "--url"]);
    suite.arg(format!("http://127.0.0.1:{at}/mcp")).arg("--output-dir").arg(folder.join("results"));
    suite.arg("--expected-failures").arg(workspace.root.join("xtask/src/conformance/not-applicable.yml"));
    let suite = process::hand_over(&mut suite)?;

    let over_http = |inspector: &mut Command| {
        inspector.arg(address).args(["--transport", "http", "--header"]);
        inspector.arg(format!("Authorization: Bearer {TOKEN}"));
    };
    let over_streams = |inspector: &mut Command| {
        inspector.arg(plumbline).args(["mcp", "--quiet", "--workspace"]).arg(&library);
    };
    inspect(tools, "over HTTP", &over_http)?;
    inspect(tools, "over standard input and output", &over_streams)?;

    let calls = folder.join("calls.mjs");
    fs::write(&calls, MANY_CALLS)?;
    let mut over_http = Command::new(&tools.node);
    over_http.arg(&calls).args(["http", address, TOKEN]).arg(server.0.id().to_string());
    process::stream_ok(over_http, &mut io::stdout())?;
    let mut over_streams = Command::new(&tools.node);
    over_streams
        .envs(PATIENCE)
        .arg(&calls)
        .arg("stdio")
        .arg(plumbline)
        .args(["mcp", "--quiet", "--workspace"])
        .arg(&library);
    process::stream_ok(over_streams, &mut io::stdout())?;
    Ok(process::exit_code(suite))
}

/// Has the inspector list the tools and call every one.
fn inspect(tools: &Packages, how: &str, server: &dyn Fn(&mut Command)) -> Result<()> {
    let ask = |arguments: &[&str]| -> Result<Value> {
        let mut inspector = Command::new(&tools.node);
        inspector
            .arg(tools.path("@modelcontextprotocol/inspector/clients/launcher/build/index.js"))
            .arg("--cli");
        server(&mut inspector);
        let told = inspector.envs(PATIENCE).args(arguments).stdin(Stdio::null()).output()?;
        serde_json::from_slice(&told.stdout).with_context(|| {
            format!("the inspector failed {how}: {}", String::from_utf8_lossy(&told.stderr).trim())
        })
    };
    let listed = ask(&["--method", "tools/list"])?;
    let listed = listed["tools"].as_array().context("a list of tools")?;
    let names: Vec<&str> = listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    if let Some(forgotten) = names.iter().find(|name| !CALLS.iter().any(|(called, _)| called == *name)) {
        bail!("nothing calls `{forgotten}`");
    }
    for (name, given) in CALLS {
        let mut arguments = vec!["--method", "tools/call", "--tool-name", name];
        given.iter().for_each(|one| arguments.extend(["--tool-arg", one]));
        let result = ask(&arguments)?;
        if result["isError"] == true || result["content"].as_array().is_none_or(Vec::is_empty) {
            bail!("`{name}` failed {how}: {result}");
        }
    }
    println!("inspector {how}: {} tools listed, {} called", names.len(), CALLS.len());
    Ok(())
}

fn command(plumbline: &Path, library: &Path) -> Command {
    let mut command = Command::new(plumbline);
    command.arg("--workspace").arg(library).env("OLLAMA_BASE_URL", "http://127.0.0.1:9").envs(PATIENCE);
    command
}

fn built(workspace: &Workspace) -> Result<PathBuf> {
    let mut build = workspace.cargo();
    build.args(["build", "--workspace", "--lib", "--bins"]);
    process::stream_ok(build, &mut io::stdout())?;
    Ok(workspace.target().join("debug").join(mcpb::PROGRAM))
}

/// A program that ends when this is dropped.
struct Running(Child);

impl Running {
    /// Starts it and waits for the first line that it writes.
    fn listening(
        mut command: Command,
        output: fn(&mut Child) -> Option<Box<dyn io::Read>>,
    ) -> Result<(Self, String)> {
        let mut running = Self(process::spawn(&mut command)?);
        let output = output(&mut running.0).context("its output is not captured")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        Ok((running, line.trim().to_owned()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
