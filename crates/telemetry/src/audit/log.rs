use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{AuditError, AuditRecord, AuditSink};

/// Audit records as JSON lines in a folder, one file per month (UTC) of the records' own timestamps.
#[derive(Debug)]
pub struct AuditLog {
    folder: PathBuf,
    current: Mutex<Option<(PathBuf, File)>>,
}

/// What an audit log holds.
#[derive(Debug, Default)]
pub struct AuditHistory {
    /// The records, month by month, in the order in which they were written.
    pub records: Vec<AuditRecord>,
    /// Lines that are no record, such as one that a crash tore.
    pub unreadable: usize,
}

impl AuditLog {
    /// Opens the folder, made if it is missing, and closes off what a crash left half written.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, AuditError> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        for path in months(&folder)? {
            open_for_append(&path).map_err(at(&path))?;
        }
        Ok(Self { folder, current: Mutex::new(None) })
    }

    /// Reads every record; lines that cannot be read are skipped and counted.
    pub fn read_all(&self) -> Result<AuditHistory, AuditError> {
        let mut history = AuditHistory::default();
        for path in months(&self.folder)? {
            let file = File::open(&path).map_err(at(&path))?;
            // As bytes: a torn line may end inside a character.
            for line in BufReader::new(file).split(b'\n') {
                let line = line.map_err(at(&path))?;
                if line.trim_ascii().is_empty() {
                    continue;
                }
                match serde_json::from_slice(&line) {
                    Ok(record) => history.records.push(record),
                    Err(_) => history.unreadable += 1,
                }
            }
        }
        Ok(history)
    }
}

impl AuditSink for AuditLog {
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let path = self.folder.join(format!("audit-{}.jsonl", record.timestamp.strftime("%Y-%m")));

        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = match current.take() {
            Some((open, file)) if open == path => file,
            _ => open_for_append(&path).map_err(at(&path))?,
        };
        // After an error the file is not put back: opening it again closes off the half line.
        write_whole(&mut file, &line).map_err(at(&path))?;
        *current = Some((path, file));
        Ok(())
    }
}

/// One write call, so that lines of two processes do not mix.
fn write_whole(file: &mut File, line: &[u8]) -> io::Result<()> {
    if file.write(line)? < line.len() {
        return Err(io::ErrorKind::WriteZero.into());
    }
    file.flush()
}

fn open_for_append(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    if file.seek(SeekFrom::End(0))? > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// The log's files, oldest month first.
fn months(folder: &Path) -> Result<Vec<PathBuf>, AuditError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with("audit-") && name.ends_with(".jsonl")) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> AuditError {
    let path = path.to_owned();
    move |source| AuditError::Io { path, source }
}
