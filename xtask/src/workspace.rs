//! Where things are: the checkout, its UI and the cache.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

pub struct Workspace {
    pub root: PathBuf,
    pub cache: PathBuf,
}

impl Workspace {
    pub fn locate() -> Result<Self> {
        // Cargo sets it at run time too; the compiled-in value may be another checkout's when target folders are shared.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).parent().context("xtask must lie in a folder of the workspace")?;
        let cache = cache_folder(env::consts::OS, |name| env::var_os(name).filter(|value| !value.is_empty()))
            .context("no home folder is known: set PLUMBLINE_CACHE to a folder for tools")?;
        Ok(Self { root: root.to_path_buf(), cache: std::path::absolute(cache)? })
    }

    pub fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// Where cargo puts what it builds.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |folder| self.root.join(folder))
    }

    /// The commit that is checked out.
    pub fn head(&self) -> Result<String> {
        let head = process::answer("git", &["-C", &self.root.to_string_lossy(), "rev-parse", "HEAD"]);
        head.context("the checkout has no commit")
    }

    /// Cargo itself, in the workspace's root.
    pub fn cargo(&self) -> Command {
        self.building(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A program that has cargo build something, in the workspace's root.
    pub fn building(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        // Cargo told this program about its own package. Build scripts that listen for such names would take the news for a
        // change, and half of all dependencies would be compiled anew for every checkout.
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(is_about_this_program) {
                command.env_remove(name);
            }
        }
        command
    }
}

fn is_about_this_program(name: &str) -> bool {
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

fn cache_folder(os: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(folder) = variable("PLUMBLINE_CACHE") {
        return Some(folder.into());
    }
    let home = || variable("HOME").map(PathBuf::from);
    let platform = match os {
        "windows" => variable("LOCALAPPDATA").map(PathBuf::from),
        "macos" => home().map(|home| home.join("Library/Caches")),
        _ => variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| home().map(|home| home.join(".cache"))),
    };
    platform.map(|folder| folder.join("plumbline"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::cache_folder;

    fn folder(os: &str, variables: &[(&str, &str)]) -> Option<String> {
        let lookup =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        cache_folder(os, lookup).as_deref().map(Path::to_string_lossy).map(Into::into)
    }

    #[test]
    fn the_cache_follows_the_variable_then_the_platform() {
        let all = [("PLUMBLINE_CACHE", "/p"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder("linux", &all).as_deref(), Some("/p"));
        assert_eq!(folder("linux", &all[1..]).as_deref(), Some("/x/plumbline"));
        assert_eq!(folder("linux", &all[2..]).as_deref(), Some("/h/.cache/plumbline"));
        assert_eq!(folder("macos", &all[2..]).as_deref(), Some("/h/Library/Caches/plumbline"));
        assert_eq!(folder("linux", &[]), None, "without a home there is nothing to guess");
    }
}
