use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// The package that holds llama.cpp's own server as a library.
const PACKAGE: &str = "xllamacpp==2026.10.11549";
const SERVER: &str = include_str!("llama-server.py");

/// A program that takes what Plumbline gives `llama-server`, made where it is missing.
pub fn fetched(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("llama-server");
    let python = folder.join("python/bin/python");
    if !python.is_file() {
        fs::create_dir_all(folder)?;
        println!("Fetching llama.cpp's server, once.");
        let mut make = Command::new("python3");
        make.args(["-m", "venv"]).arg(folder.join("python"));
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", PACKAGE]);
        if !process::hand_over(&mut make)?.success() || !process::hand_over(&mut install)?.success() {
            // Half of it must not pass for the whole the next time.
            let _ = fs::remove_dir_all(folder.join("python"));
            bail!("llama.cpp's server could not be fetched; see above (python3 with venv and pip is needed)");
        }
    }
    let script = folder.join("llama-server.py");
    fs::write(&script, SERVER)?;
    fs::write(
        &program,
        format!("#!/bin/sh\nexec \"{}\" \"{}\" \"$@\"\n", python.display(), script.display()),
    )?;
    #[cfg(unix)]
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(program)
}
