//! The folders that a library is made of: listed, added and taken out. The next indexing run does the rest, so none of this
//! waits for one that is going on.

use std::path::{Path, PathBuf};

use crate::indexer::IndexError;
use crate::indexer::origins::{add, expand, expand_each, known, remove, resolve};
use crate::manifest::LibraryManifest;
use crate::store::catalogue::At;
use crate::store::{Layout, StoreError, schema, team};

/// A folder or manifest that a library is made of, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryOrigin {
    /// The folder, or the manifest's file.
    pub path: PathBuf,
    /// The folder, or the one that the manifest lies in.
    pub folder: PathBuf,
    /// What the manifest calls it, else the folder's name.
    pub name: String,
    /// Whether it is there and can be read.
    pub present: bool,
    /// Its trees of documents, by the names that documents carry.
    pub sources: Vec<LibrarySource>,
}

/// A tree of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibrarySource {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// The folders and manifests of a workspace's library, in the order in which they were added.
pub fn library_origins(workspace: &Path) -> Result<Vec<LibraryOrigin>, StoreError> {
    let layout = Layout::in_workspace(workspace);
    if !layout.exists() {
        return Ok(Vec::new());
    }
    let connection = schema::open_for_reading(&layout)?;
    let paths = known(&connection)?;
    let placed = expand_each(&paths, team::sources(&At::newest(&connection))?);
    let origin = |(path, placed): (PathBuf, Vec<crate::indexer::origins::Placed>)| {
        let manifest = path.extension().is_some_and(|extension| extension == "toml");
        let folder = if manifest { path.parent().unwrap_or(&path) } else { &path }.to_owned();
        let told =
            if manifest { LibraryManifest::read(&path).ok().map(|manifest| manifest.name) } else { None };
        let own_name = || folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        LibraryOrigin {
            name: told.unwrap_or_else(own_name),
            present: !placed.is_empty() && placed.iter().all(|place| place.present),
            sources: placed
                .into_iter()
                .map(|place| LibrarySource { name: place.source.name, path: place.source.path })
                .collect(),
            path,
            folder,
        }
    };
    Ok(paths.into_iter().zip(placed).map(origin).collect())
}

/// The tree of documents that a file lies in, or would lie in once it is written.
pub fn source_holding(workspace: &Path, file: &Path) -> Result<Option<LibrarySource>, StoreError> {
    let file = real(file);
    let sources = library_origins(workspace)?.into_iter().flat_map(|origin| origin.sources);
    Ok(sources.into_iter().find(|source| file.starts_with(real(&source.path))))
}

/// A path without links on the way, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    existing.map_or_else(
        || path.clone(),
        |(above, real)| path.strip_prefix(above).map_or_else(|_| real.clone(), |rest| real.join(rest)),
    )
}

/// Adds a folder or a manifest; the origin's path, and whether it is new.
pub fn add_origin(workspace: &Path, path: &Path) -> Result<(PathBuf, bool), IndexError> {
    let resolved = resolve(path)?;
    let layout = Layout::in_workspace(workspace);
    layout.create()?;
    let connection = schema::open_for_writing(&layout)?;
    let mut all = known(&connection)?;
    if all.contains(&resolved) {
        return Ok((resolved, false));
    }
    all.push(resolved.clone());
    expand(&all, &team::followed(&At::newest(&connection))?)?;
    add(&connection, &resolved)?;
    Ok((resolved, true))
}

/// Takes a folder or manifest out; whether it was part of the library.
pub fn remove_origin(workspace: &Path, path: &Path) -> Result<bool, StoreError> {
    let layout = Layout::in_workspace(workspace);
    if !layout.exists() {
        return Ok(false);
    }
    remove(&schema::open_for_writing(&layout)?, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_and_go_without_an_indexing_run() {
        let workspace = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(library_origins(workspace.path()).unwrap(), []);
        let (path, new) = add_origin(workspace.path(), folder.path()).unwrap();
        assert!(new);
        assert!(!add_origin(workspace.path(), folder.path()).unwrap().1, "the second time it is known");
        let listed = library_origins(workspace.path()).unwrap();
        assert_eq!(listed.len(), 1);
        assert!(listed[0].present && listed[0].sources.len() == 1);
        drop(folder);
        assert!(!library_origins(workspace.path()).unwrap()[0].present, "it is listed, and missing");
        assert!(remove_origin(workspace.path(), &path).unwrap());
        assert_eq!(library_origins(workspace.path()).unwrap(), []);
    }

    #[test]
    fn a_manifest_gives_its_own_name_and_one_that_is_gone_is_missing() {
        let workspace = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("library.toml");
        std::fs::write(
            &manifest,
            "[library]\nname = \"Our records\"\n[[source]]\nname = \"a\"\npath = \".\"\n",
        )
        .unwrap();
        add_origin(workspace.path(), folder.path()).unwrap();
        let listed = library_origins(workspace.path()).unwrap();
        assert_eq!((listed[0].name.as_str(), listed[0].present), ("Our records", true));
        std::fs::remove_file(manifest).unwrap();
        assert!(!library_origins(workspace.path()).unwrap()[0].present);
    }
}
