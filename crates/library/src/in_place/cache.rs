//! Pieces on disk, named by their hashes, so many bytes of them at most. A piece is written beside and then takes its name, so that a
//! kill leaves none half; several programs may share the folder.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use plumbline_telemetry::sha256_hex;

use crate::store::StoreError;

const UNFINISHED: &str = "unfinished";
/// What a killed program left is taken away once nobody can still be writing it.
const LEFT_OVER: Duration = Duration::from_secs(3_600);
/// This share of the bound stays when there is no more room: each eviction reads the whole folder.
const KEPT_SHARE: f64 = 0.9;

pub(crate) struct PieceCache {
    folder: PathBuf,
    bound: u64,
    bytes: AtomicU64,
    names: AtomicU64,
    used: Mutex<Used>,
}

/// What this program has read of it.
#[derive(Default)]
struct Used {
    /// Those that were held against their hashes.
    whole: HashSet<String>,
    /// When each was last read, as a count of reads.
    last: HashMap<String, u64>,
    reads: u64,
}

impl PieceCache {
    pub fn open(folder: &Path, bound: u64) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|source| StoreError::io(folder, source))?;
        let cache = Self {
            folder: folder.to_owned(),
            bound,
            bytes: AtomicU64::new(0),
            names: AtomicU64::new(0),
            used: Mutex::default(),
        };
        let lying = cache.lying();
        cache.bytes.store(lying.iter().map(|(_, bytes, _)| bytes).sum(), Ordering::Relaxed);
        Ok(cache)
    }

    /// The bytes of a piece, or some of them, if it is here.
    pub fn read(&self, sha256: &str, range: Option<Range<usize>>) -> Option<Vec<u8>> {
        let path = self.folder.join(sha256);
        if !self.is_whole(sha256) {
            let mut bytes = fs::read(&path).ok()?;
            if sha256_hex(&bytes) != sha256 {
                let _ = fs::remove_file(&path);
                return None;
            }
            // Other programs tell by it what was used of late.
            let _ =
                File::options().write(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
            self.used().whole.insert(sha256.to_owned());
            if let Some(range) = range {
                bytes = bytes.get(range)?.to_vec();
            }
            return Some(bytes);
        }
        let mut file = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        match range {
            Some(range) => {
                bytes.resize(range.len(), 0);
                file.seek(SeekFrom::Start(range.start as u64)).ok()?;
                file.read_exact(&mut bytes).ok()?;
            }
            None => {
                file.read_to_end(&mut bytes).ok()?;
            }
        }
        Some(bytes)
    }

    /// Keeps a piece. One that cannot be kept, for want of room, is read from the store again.
    pub fn keep(&self, sha256: &str, bytes: &[u8]) {
        let path = self.folder.join(sha256);
        let name = self.names.fetch_add(1, Ordering::Relaxed);
        let beside = self.folder.join(format!("{}-{name}.{UNFINISHED}", std::process::id()));
        if fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path)).is_err() {
            let _ = fs::remove_file(&beside);
            return;
        }
        self.is_whole(sha256);
        self.used().whole.insert(sha256.to_owned());
        let all = self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
        if all > self.bound {
            self.make_room();
        }
    }

    /// Takes away what was used least of late.
    fn make_room(&self) {
        let mut used = self.used();
        let mut lying = self.lying();
        let mut all: u64 = lying.iter().map(|(_, bytes, _)| bytes).sum();
        // What only others read comes before what this program reads: it cannot know better than by the day.
        lying.sort_by_key(|(name, _, modified)| (used.last.get(name).copied(), *modified));
        let kept = (self.bound as f64 * KEPT_SHARE) as u64;
        for (name, bytes, _) in lying {
            if all <= kept {
                break;
            }
            if fs::remove_file(self.folder.join(&name)).is_ok() {
                all -= bytes;
                used.whole.remove(&name);
                used.last.remove(&name);
            }
        }
        self.bytes.store(all, Ordering::Relaxed);
    }

    fn lying(&self) -> Vec<(String, u64, SystemTime)> {
        let mut lying = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(UNFINISHED) {
                lying.push((name, metadata.len(), modified));
            } else if modified.elapsed().is_ok_and(|age| age > LEFT_OVER) {
                let _ = fs::remove_file(entry.path());
            }
        }
        lying
    }

    /// Whether it was held against its hash by this program; notes that it is used.
    fn is_whole(&self, sha256: &str) -> bool {
        let mut used = self.used();
        used.reads += 1;
        let now = used.reads;
        used.last.insert(sha256.to_owned(), now);
        used.whole.contains(sha256)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u8) -> (String, Vec<u8>) {
        let bytes = vec![number; 1_000];
        (sha256_hex(&bytes), bytes)
    }

    #[test]
    fn what_was_used_least_of_late_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let cache = PieceCache::open(folder.path(), 5_000).unwrap();
        let pieces: Vec<(String, Vec<u8>)> = (0..5).map(piece).collect();
        for (name, bytes) in &pieces {
            cache.keep(name, bytes);
        }
        assert_eq!(cache.read(&pieces[0].0, Some(10..20)), Some(vec![0; 10]));
        let (name, bytes) = piece(9);
        cache.keep(&name, &bytes);
        assert_eq!(cache.read(&pieces[0].0, None).as_ref(), Some(&pieces[0].1), "it was read a moment ago");
        assert_eq!(cache.read(&pieces[1].0, None), None);
        let lying: u64 = cache.lying().iter().map(|(_, bytes, _)| bytes).sum();
        assert!(lying <= 5_000, "{lying}");
    }

    #[test]
    fn a_piece_that_is_not_what_its_name_says_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (name, bytes) = piece(1);
        PieceCache::open(folder.path(), 5_000).unwrap().keep(&name, &bytes);
        std::fs::write(folder.path().join(&name), &bytes[1..]).unwrap();
        let later = PieceCache::open(folder.path(), 5_000).unwrap();
        assert_eq!(later.read(&name, None), None, "a power cut may leave a name over nothing");
        later.keep(&name, &bytes);
        assert_eq!(later.read(&name, None), Some(bytes));
    }
}
