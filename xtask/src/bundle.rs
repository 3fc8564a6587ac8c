//! `cargo xtask bundle` and `cargo xtask icons`: the Tauri CLI, which comes with the UI's packages.

use std::io::stdout;
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{process, setup};

const ICONS: &str = "assets/icons";
/// What the window and the packages need of all that the CLI draws.
const KEPT: [&str; 5] = ["32x32.png", "128x128.png", "128x128@2x.png", "icon.icns", "icon.ico"];

pub fn bundle(workspace: &Workspace, arguments: &[String]) -> Result<ExitCode> {
    setup::with_page(workspace, &mut stdout())?;
    // AppImage is left out: its tools are downloaded while it is built.
    let bundles = match env::consts::OS {
        "macos" => "app,dmg",
        "windows" => "nsis",
        _ => "deb,rpm",
    };
    let mut command = tauri(workspace);
    command.args(["build", "--bundles", bundles]).args(arguments);
    Ok(process::exit_code(process::hand_over(&mut command)?))
}

pub fn icons(workspace: &Workspace) -> Result<ExitCode> {
    setup::everything(workspace, &mut stdout())?;
    let icons = workspace.root.join(ICONS);
    let drawn = env::temp_dir().join(format!("plumbline-icons-{}", std::process::id()));
    let mut command = tauri(workspace);
    command.arg("icon").arg(icons.join("plumbline.svg")).arg("--output").arg(&drawn);
    process::stream_ok(command, &mut stdout())?;
    for name in KEPT {
        fs::copy(drawn.join(name), icons.join(name))?;
    }
    fs::remove_dir_all(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

fn tauri(workspace: &Workspace) -> Command {
    let program = if cfg!(windows) { "tauri.cmd" } else { "tauri" };
    let mut command = Command::new(workspace.ui().join("node_modules/.bin").join(program));
    command.current_dir(&workspace.root);
    command
}
