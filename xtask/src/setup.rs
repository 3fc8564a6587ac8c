//! `cargo xtask setup`: what must be on the machine before anything builds.

use std::env;
use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::parts::{Parts, available_parts};
use crate::workspace::Workspace;
use crate::{debian, npm, process};

pub fn setup(workspace: &Workspace) -> Result<ExitCode> {
    everything(workspace, &mut stdout())?;
    println!("Set-up is complete.");
    Ok(ExitCode::SUCCESS)
}

pub fn everything(workspace: &Workspace, out: &mut dyn Write) -> Result<()> {
    system(workspace, out)?;
    npm::install(workspace, out)
}

/// The same, and the page that the window is built around.
pub fn with_page(workspace: &Workspace, out: &mut dyn Write) -> Result<()> {
    everything(workspace, out)?;
    npm::build_page(workspace, out)
}

/// The machine's part: all that is wrong is told at once.
pub fn system(workspace: &Workspace, out: &mut dyn Write) -> Result<()> {
    let parts = available_parts(&workspace.root);
    let mut problems = match env::consts::OS {
        "linux" => {
            debian::install_missing(&parts, out).err().map(|error| format!("{error:#}")).into_iter().collect()
        }
        "macos" => missing_on_macos(),
        "windows" => missing_on_windows(&parts),
        _ => Vec::new(),
    };
    problems.extend(npm::problem());
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    writeln!(out, "System packages, Node and npm are in place.")?;
    Ok(())
}

fn missing_on_macos() -> Vec<String> {
    let absent = process::answer("xcode-select", &["--print-path"]).is_none();
    let remedy = "Xcode's command line tools are missing: run `xcode-select --install`";
    absent.then(|| remedy.to_owned()).into_iter().collect()
}

fn missing_on_windows(parts: &Parts) -> Vec<String> {
    /// Under this key Edge's updater records WebView2, per machine or per user.
    const WEBVIEW2: &str = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";
    let hives = [r"HKLM\SOFTWARE\WOW6432Node", r"HKCU\Software"];
    let has_webview = || {
        hives.iter().any(|hive| process::answer("reg", &["query", &format!(r"{hive}\{WEBVIEW2}")]).is_some())
    };
    let absent = parts.window && !has_webview();
    let remedy = "WebView2 is missing: install Microsoft's Evergreen WebView2 Runtime";
    absent.then(|| remedy.to_owned()).into_iter().collect()
}
