//! A folder, on this machine or a network, as a store.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use jiff::Timestamp;
use walkdir::WalkDir;

use super::{Entry, Store, StoreProblem};

/// What the name of a file that is being written begins with.
const UNFINISHED: &str = ".unfinished-";

pub(super) struct FolderStore {
    root: PathBuf,
}

impl FolderStore {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Writes to a file beside, which then takes the name in one step. A network that is not mounted must not get a copy on
    /// this machine's disk: the folder around the store is never made.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(PathBuf, PathBuf), StoreProblem> {
        match fs::create_dir(&self.root) {
            Err(problem) if problem.kind() != ErrorKind::AlreadyExists => {
                return Err(said(&self.root, &problem));
            }
            _ => {}
        }
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(|problem| said(folder, &problem))?;
        let beside = folder.join(format!("{UNFINISHED}{}", uuid::Uuid::new_v4().simple()));
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|problem| {
            let _ = fs::remove_file(&beside);
            said(&path, &problem)
        })?;
        Ok((beside, path))
    }
}

/// What the system said of a file.
fn said(path: &Path, problem: &io::Error) -> StoreProblem {
    match problem.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => StoreProblem::Forbidden,
        _ => StoreProblem::Unreachable(format!("{}: {problem}", path.display())),
    }
}

#[async_trait]
impl Store for FolderStore {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        // A folder that is not there is no empty one: perhaps the network is away.
        fs::read_dir(&self.root).map_err(|problem| said(&self.root, &problem))?;
        let mut entries = Vec::new();
        for entry in WalkDir::new(self.root.join(beginning)).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(problem) => match problem.io_error() {
                    Some(gone) if gone.kind() == ErrorKind::NotFound => continue,
                    // A shelf that is closed to this reader is none of theirs.
                    Some(closed) if closed.kind() == ErrorKind::PermissionDenied && problem.depth() > 0 => {
                        continue;
                    }
                    Some(other) => return Err(said(problem.path().unwrap_or(&self.root), other)),
                    None => return Err(StoreProblem::Unreachable(problem.to_string())),
                },
            };
            let Ok(metadata) = entry.metadata() else { continue };
            let Ok(relative) = entry.path().strip_prefix(&self.root) else { continue };
            if metadata.is_file() {
                let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
                let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
                entries.push(Entry { name: parts.join("/"), bytes: metadata.len(), modified });
            }
        }
        Ok(entries)
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
        let path = self.root.join(name);
        fs::read(&path).map_err(|problem| match problem.kind() {
            ErrorKind::NotFound if self.root.is_dir() => StoreProblem::NotFound,
            _ => said(&path, &problem),
        })
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
        let (beside, path) = self.write(name, &bytes)?;
        fs::rename(&beside, &path).map_err(|problem| said(&path, &problem))
    }

    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
        let (beside, path) = self.write(name, &bytes)?;
        // A second name for the file can be given once only.
        let linked = fs::hard_link(&beside, &path);
        let _ = fs::remove_file(&beside);
        match linked {
            Ok(()) => Ok(true),
            Err(problem) if problem.kind() == ErrorKind::AlreadyExists => Ok(false),
            // Some networks know no second names. There the file is made by whoever is first; cut short, it is damaged, which
            // readers notice and the next publisher passes over.
            Err(_) => match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let written = file.write_all(&bytes).and_then(|()| file.sync_all());
                    written.map(|()| true).map_err(|problem| said(&path, &problem))
                }
                Err(problem) if problem.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(problem) => Err(said(&path, &problem)),
            },
        }
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        let path = self.root.join(name);
        match fs::remove_file(&path) {
            Err(problem) if problem.kind() != ErrorKind::NotFound => Err(said(&path, &problem)),
            _ => Ok(()),
        }
    }
}
