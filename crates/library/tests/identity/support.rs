//! Whole folders read and identified.

use std::path::Path;

use plumbline_library::{Identity, Placement, Source, identify, read};

/// The files below a folder, by their path relative to it, sorted.
pub fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// A source over a folder that no manifest describes.
pub fn bare_source(root: &Path, name: &str) -> Source {
    Source {
        name: name.to_owned(),
        default: true,
        path: root.to_owned(),
        folders: Vec::new(),
        rules: Vec::new(),
    }
}

/// What the readable files of a source say of themselves.
pub fn identities(source: &Source, tenant: &str) -> Vec<Identity> {
    identities_of(source, tenant, |_| true)
}

/// The same for Markdown only, which takes seconds where hundreds of printed pages take minutes.
pub fn markdown_identities(source: &Source, tenant: &str) -> Vec<Identity> {
    identities_of(source, tenant, |path| path.ends_with(".md"))
}

fn identities_of(source: &Source, tenant: &str, wanted: impl Fn(&str) -> bool) -> Vec<Identity> {
    let mut found = Vec::new();
    for path in files(&source.path).into_iter().filter(|path| source.covers(path) && wanted(path)) {
        let bytes = std::fs::read(source.path.join(&path)).unwrap();
        if let Ok(document) = read(&path, &bytes) {
            found.push(identify(&Placement::of(source, tenant, &path), &document));
        }
    }
    found
}
