use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{Layout, StoreError};

/// What stands before the number of the process that holds a lock.
const PROCESS: &str = "process ";

/// The right to write. The system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the right, or says who has it.
    pub fn take(layout: &Layout) -> Result<Self, StoreError> {
        let path = layout.writer_lock();
        let io = |source| StoreError::io(&path, source);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Where locks are mandatory the text cannot be read; the message is then less exact.
                let _ = file.read_to_string(&mut holder);
                return Err(StoreError::Held { folder: layout.root.clone(), holder: named(holder.trim()) });
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(io)?;
        write!(file, "{PROCESS}{}", std::process::id()).map_err(io)?;
        Ok(Self { _file: file })
    }
}

/// Who holds a lock, by what it wrote.
fn named(holder: &str) -> Detail {
    match holder.strip_prefix(PROCESS) {
        Some(id) => Detail::of(Message::StoreProcess, [("id", id.into())]),
        None if holder.is_empty() => Message::StoreOtherProcess.into(),
        None => holder.into(),
    }
}

/// A reader's hold on a generation: as long as it stands, nothing of that generation is thrown away.
#[derive(Debug)]
pub(crate) struct ReaderHold {
    _file: File,
}

impl ReaderHold {
    pub fn take(layout: &Layout, generation: u64) -> Result<Self, StoreError> {
        let path = layout.readers().join(generation.to_string());
        let io = |source| StoreError::io(&path, source);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        file.lock_shared().map_err(io)?;
        Ok(Self { _file: file })
    }
}

/// The oldest generation before `current` that some reader holds; the marks of those that nobody holds go.
pub(crate) fn oldest_held(layout: &Layout, current: u64) -> Result<Option<u64>, StoreError> {
    let folder = layout.readers();
    let mut oldest = None;
    for entry in std::fs::read_dir(&folder).map_err(|source| StoreError::io(&folder, source))? {
        let entry = entry.map_err(|source| StoreError::io(&folder, source))?;
        let Some(generation) = entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok()) else {
            continue;
        };
        if generation >= current {
            continue;
        }
        let Ok(file) = OpenOptions::new().read(true).write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // A reader that takes hold of a removed mark finds its generation gone and takes a newer one.
            let _ = std::fs::remove_file(entry.path());
        } else {
            oldest = Some(oldest.map_or(generation, |known: u64| known.min(generation)));
        }
    }
    Ok(oldest)
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;

    use super::*;

    #[test]
    fn a_second_writer_is_told_who_holds_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::in_workspace(folder.path());
        layout.create().unwrap();
        let first = WriterLock::take(&layout).unwrap();
        let problem = WriterLock::take(&layout).unwrap_err();
        let (message, dutch) = (problem.to_string(), problem.detail().text(Language::NL));
        assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
        assert!(dutch.contains(&format!("proces {}", std::process::id())), "{dutch}");
        drop(first);
        WriterLock::take(&layout).unwrap();
    }

    #[test]
    fn a_held_generation_is_seen_until_its_reader_goes() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::in_workspace(folder.path());
        layout.create().unwrap();
        let hold = ReaderHold::take(&layout, 3).unwrap();
        let _newer = ReaderHold::take(&layout, 7).unwrap();
        assert_eq!(oldest_held(&layout, 7).unwrap(), Some(3));
        drop(hold);
        assert_eq!(oldest_held(&layout, 7).unwrap(), None);
    }
}
