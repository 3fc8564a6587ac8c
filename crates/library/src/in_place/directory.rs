//! The segments of a shelf's text index as a directory of tantivy's. Nothing is written to it.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

use super::files::FarFiles;
use super::listing::ListedFile;

/// Where the text index lies among a shelf's files.
pub(super) const TEXT: &str = "text";

#[derive(Debug, Clone)]
pub(super) struct FarDirectory {
    files: Arc<FarFiles>,
}

struct FarFile {
    files: Arc<FarFiles>,
    file: ListedFile,
}

impl FarDirectory {
    pub fn new(files: Arc<FarFiles>) -> Self {
        Self { files }
    }

    fn file(&self, path: &Path) -> Result<FarFile, OpenReadError> {
        let file = self.files.file(&format!("{TEXT}/{}", path.display())).cloned();
        let file = file.ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))?;
        Ok(FarFile { files: Arc::clone(&self.files), file })
    }
}

impl fmt::Debug for FarFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?}", self.file.name, self.files)
    }
}

impl HasLen for FarFile {
    fn len(&self) -> usize {
        usize::try_from(self.file.bytes).unwrap_or(usize::MAX)
    }
}

impl FileHandle for FarFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let bytes = self.files.read_here(&self.file, range.start as u64..range.end as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

fn only_read() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "a published library is only read")
}

impl Directory for FarDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(self.file(path)?))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(only_read()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.file(path).is_ok())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::IoError { io_error: Arc::new(only_read()), filepath: path.to_owned() })
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self.file(path)?;
        let failed =
            |problem| OpenReadError::IoError { io_error: Arc::new(problem), filepath: PathBuf::from(path) };
        self.files.read_here(&file.file, 0..file.file.bytes).map_err(failed)
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(only_read())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nobody writes, so nobody has to be kept out.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
