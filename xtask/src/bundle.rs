//! `cargo xtask bundle` and `cargo xtask icons`: the Tauri CLI, of a fixed version and kept in the cache.

use std::io::stdout;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{mcpb, npm, process, setup};

const CLI_VERSION: &str = "2.12.4";
const ICONS: &str = "assets/icons";
/// What the window and the packages need of all that the CLI draws.
const KEPT: [&str; 5] = ["32x32.png", "128x128.png", "128x128@2x.png", "icon.icns", "icon.ico"];

pub fn bundle(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    let built = build_packages(workspace, arguments)?;
    if built.success() {
        // The whole workspace was built, the command line with it.
        let program = workspace.target().join("release").join(mcpb::PROGRAM);
        println!("    Bundling {}", mcpb::bundle(workspace, &program)?.display());
    }
    Ok(process::exit_code(built))
}

fn build_packages(workspace: &Workspace, arguments: &[String]) -> Result<ExitStatus> {
    setup::with_page(workspace, &mut stdout())?;
    // AppImage is left out: its tools are downloaded while it is built.
    let bundles = match env::consts::OS {
        "macos" => "app,dmg",
        "windows" => "nsis",
        _ => "deb,rpm",
    };
    let mut command = tauri(workspace)?;
    command.args(["build", "--bundles", bundles]).args(arguments);
    // The whole workspace, so that what was compiled for the benches is not compiled again with other features.
    command.args(["--", "--workspace", "--locked"]);
    process::hand_over(&mut command)
}

/// The package for Debian and Ubuntu, built now.
pub fn deb(workspace: &Workspace) -> Result<PathBuf> {
    // A package of an earlier build must not pass for this one's.
    if !build_packages(workspace, &[])?.success() {
        bail!("the package could not be built");
    }
    let folder = workspace.target().join("release/bundle/deb");
    let files = fs::read_dir(&folder).with_context(|| format!("there is no {}", folder.display()))?;
    let packages = files.filter_map(|entry| Some(entry.ok()?.path()));
    let mut packages: Vec<PathBuf> =
        packages.filter(|path| path.extension().is_some_and(|extension| extension == "deb")).collect();
    packages.sort();
    packages.pop().with_context(|| format!("there is no package in {}", folder.display()))
}

pub fn icons(workspace: &Workspace) -> Result<ExitCode> {
    setup::everything(workspace, &mut stdout())?;
    let icons = workspace.root.join(ICONS);
    let drawn = env::temp_dir().join(format!("plumbline-icons-{}", std::process::id()));
    let mut command = tauri(workspace)?;
    command.arg("icon").arg(icons.join("plumbline.svg")).arg("--output").arg(&drawn);
    process::stream_ok(command, &mut stdout())?;
    for name in KEPT {
        fs::copy(drawn.join(name), icons.join(name))?;
    }
    fs::remove_dir_all(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

/// The CLI is no package of the UI's: it comes as one package for each system, and a lock file must name them all.
fn tauri(workspace: &Workspace) -> Result<Command> {
    let folder = workspace.cache.join("tools").join(format!("tauri-cli-{CLI_VERSION}"));
    let name = if cfg!(windows) { "tauri.cmd" } else { "tauri" };
    let program = folder.join("node_modules/.bin").join(name);
    if !program.exists() {
        fs::create_dir_all(&folder)?;
        let mut install = Command::new(npm::PROGRAM);
        install.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
        install.arg(format!("@tauri-apps/cli@{CLI_VERSION}"));
        process::stream_ok(install, &mut stdout())?;
    }
    Ok(workspace.building(program))
}
