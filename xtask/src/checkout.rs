//! Files that git has just written look new to cargo, which compiles anew what depends on them. For the crates in `patches` that is
//! most of LanceDB, in every clone that shares a target folder. So they are made as old as their last change.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::process;

const PATCHES: &str = "patches";

/// Does nothing where they were changed and not committed, or where there is no history to go by: compiling anew is right then.
pub fn age_patches(root: &Path) {
    let git = |arguments: &[&str]| {
        let root = root.to_string_lossy();
        process::answer("git", &[&["-C", &root], arguments, &["--", PATCHES]].concat())
    };
    if git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty()) {
        return;
    }
    let changed = git(&["log", "-1", "--format=%ct"]).and_then(|seconds| seconds.parse().ok());
    let (Some(seconds), Some(files)) = (changed, git(&["ls-files"])) else { return };
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    for file in files.lines() {
        // A checkout that cannot be written costs a compilation, no more.
        let _ = File::options().append(true).open(root.join(file)).and_then(|file| file.set_modified(time));
    }
}
