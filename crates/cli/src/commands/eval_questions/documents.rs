//! The documents that a set is about, copied: libraries hold files of other types beside them, which repeat their texts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use plumbline_evaluation::questions::{QuestionLibrary, QuestionSet};

/// Where copies lie, in the library's workspace.
const COPIES: &str = "documents";

/// Brings the copies of a library's documents up to date; the folders that hold them. What has not changed is not written
/// again, so that it need not be indexed again.
pub fn copied(
    set: &QuestionSet,
    library: &QuestionLibrary,
    workspace: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for folder in &library.folders {
        let (from, to) = (set.root.join(folder), workspace.join(COPIES).join(folder));
        fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
        copy(&from, &to, &set.file_types)?;
        folders.push(to.canonicalize().with_context(|| format!("cannot open {}", to.display()))?);
    }
    Ok(folders)
}

fn copy(from: &Path, to: &Path, types: &[String]) -> anyhow::Result<()> {
    let names = names(from)?;
    for gone in self::names(to)?.difference(&names) {
        let gone = to.join(gone);
        let removed = if gone.is_dir() { fs::remove_dir_all(&gone) } else { fs::remove_file(&gone) };
        removed.with_context(|| format!("cannot remove {}", gone.display()))?;
    }
    for name in &names {
        let (from, to) = (from.join(name), to.join(name));
        if from.is_dir() {
            fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
            copy(&from, &to, types)?;
        } else if is_document(&from, types) {
            let content = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
            if fs::read(&to).ok().as_ref() != Some(&content) {
                fs::write(&to, content).with_context(|| format!("cannot write {}", to.display()))?;
            }
        }
    }
    Ok(())
}

fn names(folder: &Path) -> anyhow::Result<BTreeSet<std::ffi::OsString>> {
    let listed = || fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<_>>();
    listed().with_context(|| format!("cannot read {}", folder.display()))
}

fn is_document(path: &Path, types: &[String]) -> bool {
    let of_type = |own: &str| types.iter().any(|wanted| wanted.eq_ignore_ascii_case(own));
    path.extension().and_then(|own| own.to_str()).is_some_and(of_type)
}
