//! Which parts of the product this checkout holds: the one place that knows how to tell.

use std::path::Path;

pub const WINDOW: &str = "src-tauri/tauri.conf.json";
pub const CHAT: &str = "crates/cli/src/commands/chat.rs";
pub const ASK: &str = "crates/cli/src/commands/ask.rs";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    pub window: bool,
    pub chat: bool,
    pub ask: bool,
}

pub fn available_parts(root: &Path) -> Parts {
    let has = |file: &str| root.join(file).is_file();
    Parts { window: has(WINDOW), chat: has(CHAT), ask: has(ASK) }
}
