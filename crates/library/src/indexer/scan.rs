use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::origins::Placed;
use super::report::Skipped;

/// A file that may be a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// Which of the sources it belongs to.
    pub source: usize,
    /// Relative to the source, with slashes.
    pub path: String,
    /// Where it lies.
    pub at: PathBuf,
}

/// Every file of the sources that are there, in a fixed order, and what was left out.
pub(crate) fn scan(placed: &[Placed]) -> (Vec<FoundFile>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for (source, place) in placed.iter().enumerate().filter(|(_, place)| place.present) {
        let root = &place.source.path;
        let mut folders: Vec<PathBuf> =
            place.source.folders.iter().map(|folder| root.join(&folder.path)).collect();
        if folders.is_empty() {
            folders.push(root.clone());
        }
        // A folder inside another one is walked once.
        folders.sort();
        let mut walked: Vec<PathBuf> = Vec::new();
        for folder in folders {
            if walked.iter().any(|outer| folder.starts_with(outer)) {
                continue;
            }
            walk(source, place, &folder, &mut found, &mut skipped);
            walked.push(folder);
        }
    }
    found.sort_by(|a, b| (a.source, &a.path).cmp(&(b.source, &b.path)));
    (found, skipped)
}

fn walk(
    source: usize,
    place: &Placed,
    folder: &Path,
    found: &mut Vec<FoundFile>,
    skipped: &mut Vec<Skipped>,
) {
    let root = &place.source.path;
    let skip = |path: &Path, code: &str, reason: String| Skipped {
        source: place.source.name.clone(),
        path: relative(root, path),
        code: code.to_owned(),
        reason,
    };
    let wanted =
        |entry: &DirEntry| entry.depth() == 0 || !(is_hidden(entry) || is_apart(place, entry.path()));
    for entry in WalkDir::new(folder).follow_links(false).sort_by_file_name().into_iter().filter_entry(wanted)
    {
        match entry {
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let reason = format!("cannot be opened ({error}); check its permissions");
                skipped.push(skip(&path, "no_access", reason));
            }
            Ok(entry) if entry.path_is_symlink() => {
                let inside = std::fs::canonicalize(entry.path())
                    .ok()
                    .zip(std::fs::canonicalize(root).ok())
                    .is_some_and(|(target, root)| target.starts_with(root));
                // What a link inside the folder leads to is found where it lies.
                if !inside {
                    let reason = "the link leads out of the folder; add the folder it leads to".to_owned();
                    skipped.push(skip(entry.path(), "link_outside", reason));
                }
            }
            Ok(entry) if entry.file_type().is_file() => found.push(FoundFile {
                source,
                path: relative(root, entry.path()),
                at: entry.path().to_owned(),
            }),
            Ok(_) => {}
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    // Names that office programs give to their lock files are hidden on some systems only.
    name.starts_with('.') || name.starts_with("~$") || name == "node_modules"
}

fn is_apart(place: &Placed, path: &Path) -> bool {
    place.apart.iter().any(|apart| path == apart)
}

fn relative(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    // "./adr/1.md" and "adr/1.md" are one place.
    let parts = relative.components().filter_map(|part| match part {
        std::path::Component::Normal(part) => Some(part.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}
