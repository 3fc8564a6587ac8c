//! Which parts of the product this checkout holds: the one place that knows how to tell.

use std::fs;
use std::path::Path;

pub const WINDOW: &str = "src-tauri/tauri.conf.json";
pub const CHAT: &str = "crates/cli/src/commands/chat.rs";
pub const ASK: &str = "crates/cli/src/commands/ask.rs";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    pub window: bool,
    pub chat: bool,
    pub ask: bool,
    /// The library stores vectors in LanceDB, whose build needs protoc.
    pub vector_store: bool,
}

pub fn available_parts(root: &Path) -> Parts {
    let library = fs::read_to_string(root.join("crates/library/Cargo.toml")).unwrap_or_default();
    Parts {
        window: root.join(WINDOW).is_file(),
        chat: root.join(CHAT).is_file(),
        ask: root.join(ASK).is_file(),
        vector_store: depends_on(&library, "lancedb"),
    }
}

fn depends_on(manifest: &str, package: &str) -> bool {
    manifest
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(package))
        .any(|rest| rest.starts_with([' ', '=', '.']))
}

#[cfg(test)]
mod tests {
    use super::depends_on;

    #[test]
    fn a_dependency_is_told_from_its_neighbours() {
        for line in ["lancedb = \"0.41\"", "lancedb.workspace = true", "lancedb={ version = \"0.41\" }"] {
            assert!(depends_on(&format!("[dependencies]\n{line}\n"), "lancedb"), "{line} is a dependency");
        }
        for line in ["# lancedb = \"0.41\"", "lancedb-extra = \"1\"", "description = \"lancedb\""] {
            assert!(!depends_on(line, "lancedb"), "{line} is not a dependency");
        }
    }
}
