//! What statements of a library mean beside one another, worked out once and kept: a text that has not changed is not read again.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use plumbline_core::decisions::Meaning;
use plumbline_core::detail::Detail;
use plumbline_core::ports::PortError;
use plumbline_models::embedder::BuiltInEmbedder;
use plumbline_models::reader::FolderReader;
use plumbline_telemetry::sha256_hex;

/// Where it is kept, in the workspace.
const FILE: &str = "statements.bin";
/// The first bytes of the file: which way it is written down. Behind them stands the name of the reader.
const HEAD: &[u8; 8] = b"PLBST002";
/// So many hexadecimal digits of a hash name a text.
const NAME: usize = 32;
/// Numbers of a vector, each kept as a byte.
const DIMENSIONS: usize = 384;
/// So many texts are compared, and so many read, between two words of how far it is.
const COMPARED_AT_ONCE: usize = 256;
const READ_AT_ONCE: usize = 16;
/// What a number of a vector is multiplied with to be a byte.
const BYTE: f32 = 127.0;

/// The models that work it out.
#[derive(Clone)]
pub(crate) struct Models {
    pub embedder: BuiltInEmbedder,
    pub reader: FolderReader,
}

/// How far it is with what was not known. It takes minutes for a large library, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementProgress {
    /// Statements whose nearness to one another is known, of those that were new.
    Comparing {
        /// How many.
        done: usize,
        /// Of how many.
        total: usize,
    },
    /// Pairs of near statements that are read, of those that were new.
    Reading {
        /// How many.
        done: usize,
        /// Of how many.
        total: usize,
    },
}

/// Who is told how far it is.
pub(super) type Told = Arc<dyn Fn(StatementProgress) + Send + Sync>;

/// What is known of statements; what is not is worked out where there are models, and left open where there are none.
pub(super) struct Known {
    path: PathBuf,
    reader: String,
    models: Option<Models>,
    told: Told,
    before: Kept,
    used: Mutex<Kept>,
}

/// Vectors and what follows, by the hash of the texts.
#[derive(Default, PartialEq, Eq)]
struct Kept {
    vectors: BTreeMap<String, Vec<u8>>,
    follows: BTreeMap<String, [u8; 4]>,
}

impl Known {
    /// Nothing is known yet, and nothing is kept.
    pub fn nothing(models: Models) -> Self {
        let (path, reader) = (PathBuf::new(), String::new());
        let models = Some(models);
        Self { path, reader, models, told: untold(), before: Kept::default(), used: Mutex::default() }
    }

    /// Reads what is kept in a workspace of what this reader said. A file that cannot be read, or that another reader's words are in, is
    /// worked out anew.
    pub fn of(folder: &Path, reader: &str, models: Option<Models>) -> Self {
        let (path, reader) = (folder.join(FILE), name(reader));
        let before =
            std::fs::read(&path).ok().and_then(|bytes| Kept::read(&bytes, &reader)).unwrap_or_default();
        Self { path, reader, models, told: untold(), before, used: Mutex::default() }
    }

    /// Says how far it is.
    pub fn telling(self, told: Told) -> Self {
        Self { told, ..self }
    }

    /// Keeps what was asked for, and nothing of statements that are gone.
    pub fn keep(&self) -> std::io::Result<()> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if self.models.is_none() || *used == self.before {
            return Ok(());
        }
        // A file that is written halfway would lose what took minutes.
        let beside = self.path.with_extension("bin.new");
        std::fs::write(&beside, used.written(&self.reader))?;
        std::fs::rename(&beside, &self.path)
    }
}

impl Meaning for Known {
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, PortError> {
        let names: Vec<String> = texts.iter().map(|text| name(text)).collect();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = |at: &usize| !self.before.vectors.contains_key(&names[*at]);
        let new: Vec<usize> = (0..texts.len()).filter(unknown).collect();
        if let Some(models) = &self.models {
            for (part, done) in new.chunks(COMPARED_AT_ONCE).zip((0..).step_by(COMPARED_AT_ONCE)) {
                (self.told)(StatementProgress::Comparing { done, total: new.len() });
                let asked: Vec<String> = part.iter().map(|at| texts[*at].to_owned()).collect();
                let made =
                    models.embedder.embed_blocking(&asked).map_err(|problem| failed(problem.detail()))?;
                for (at, vector) in part.iter().zip(made) {
                    used.vectors.insert(names[*at].clone(), vector.into_iter().map(as_byte).collect());
                }
            }
        }
        for name in &names {
            if let Some(known) = self.before.vectors.get(name) {
                used.vectors.insert(name.clone(), known.clone());
            }
        }
        let vector = |name: &String| {
            used.vectors.get(name).map(|bytes| bytes.iter().map(|byte| of_byte(*byte)).collect())
        };
        Ok(names.iter().map(|name| vector(name).unwrap_or_default()).collect())
    }

    fn follows(&self, readings: &[(String, String)]) -> Result<Vec<Option<f32>>, PortError> {
        let names: Vec<String> =
            readings.iter().map(|(text, passage)| name(&format!("{text}\u{1f}{passage}"))).collect();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        for name in &names {
            if let Some(known) = self.before.follows.get(name) {
                used.follows.insert(name.clone(), *known);
            }
        }
        if let Some(models) = &self.models {
            let new: Vec<usize> =
                (0..names.len()).filter(|at| !used.follows.contains_key(&names[*at])).collect();
            for (at, follows) in models.read(readings, &new, &self.told)? {
                used.follows.insert(names[at].clone(), follows.to_le_bytes());
            }
        }
        Ok(names.iter().map(|name| used.follows.get(name).map(|bytes| f32::from_le_bytes(*bytes))).collect())
    }
}

impl Models {
    /// Reads some of the texts, on all cores.
    fn read(
        &self,
        readings: &[(String, String)],
        wanted: &[usize],
        told: &Told,
    ) -> Result<Vec<(usize, f32)>, PortError> {
        let (done, total) = (AtomicUsize::new(0), wanted.len());
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let each = wanted.len().div_ceil(cores).max(1);
        let one = |at: &usize| {
            let done = done.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(READ_AT_ONCE) {
                told(StatementProgress::Reading { done, total });
            }
            let (text, passage) = &readings[*at];
            let read = self.reader.read_blocking(text, std::slice::from_ref(passage));
            let read = read.map_err(|problem| failed(problem.detail()))?;
            Ok((*at, read.first().map(|reading| reading.follows).unwrap_or_default()))
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> = wanted
                .chunks(each)
                .map(|part| scope.spawn(move || part.iter().map(one).collect::<Result<Vec<_>, _>>()))
                .collect();
            let stopped = |_| failed(Detail::from("a thread stopped".to_owned()));
            let mut read = Vec::with_capacity(wanted.len());
            for part in parts {
                read.extend(part.join().map_err(stopped)??);
            }
            Ok(read)
        })
    }
}

fn untold() -> Told {
    Arc::new(|_| ())
}

fn failed(detail: Detail) -> PortError {
    PortError::Failed { service: "contradictions", detail }
}

fn name(text: &str) -> String {
    sha256_hex(text).chars().take(NAME).collect()
}

fn as_byte(number: f32) -> u8 {
    ((number * BYTE).round().clamp(-BYTE, BYTE) as i8).cast_unsigned()
}

fn of_byte(byte: u8) -> f32 {
    f32::from(byte.cast_signed()) / BYTE
}

impl Kept {
    fn written(&self, reader: &str) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        bytes.extend(reader.as_bytes());
        bytes.extend((self.vectors.len() as u64).to_le_bytes());
        for (name, vector) in &self.vectors {
            bytes.extend(name.as_bytes());
            bytes.extend(vector);
        }
        for (name, follows) in &self.follows {
            bytes.extend(name.as_bytes());
            bytes.extend(follows);
        }
        bytes
    }

    fn read(bytes: &[u8], reader: &str) -> Option<Self> {
        let rest = bytes.strip_prefix(HEAD)?.strip_prefix(reader.as_bytes())?;
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let vectors = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(NAME + DIMENSIONS)?;
        let (vectors, follows) = rest.split_at_checked(vectors)?;
        let named = |entry: &[u8]| String::from_utf8(entry.get(..NAME)?.to_vec()).ok();
        let vectors = vectors.chunks_exact(NAME + DIMENSIONS);
        let vectors = vectors.map(|entry| Some((named(entry)?, entry[NAME..].to_vec())));
        let follows = follows.chunks_exact(NAME + 4);
        let follows = follows.map(|entry| Some((named(entry)?, entry[NAME..].try_into().ok()?)));
        Some(Self { vectors: vectors.collect::<Option<_>>()?, follows: follows.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_worked_out_is_read_again_as_it_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let vector: Vec<u8> = (0..DIMENSIONS).map(|at| as_byte(if at == 0 { 1.0 } else { -0.5 })).collect();
        let kept = Kept {
            vectors: [(name("Logs are kept."), vector)].into(),
            follows: [(name("a\u{1f}b"), 0.75_f32.to_le_bytes())].into(),
        };
        std::fs::write(folder.path().join(FILE), kept.written(&name("first"))).unwrap();

        let known = Known::of(folder.path(), "first", None);
        let vectors = known.vectors(&["Logs are kept.", "Logs are shown."]).unwrap();
        assert_eq!((vectors[0].len(), vectors[0][0]), (DIMENSIONS, 1.0));
        assert!(vectors[1].is_empty(), "what is not known is left open where there is no model");
        let reading = |text: &str| (text.to_owned(), "b".to_owned());
        assert_eq!(known.follows(&[reading("a"), reading("c")]).unwrap(), [Some(0.75), None]);
        let of_another = Known::of(folder.path(), "second", None);
        assert_eq!(
            of_another.follows(&[reading("a")]).unwrap(),
            [None],
            "what another reader said does not count"
        );
    }

    #[test]
    fn a_file_that_is_torn_or_of_another_kind_is_worked_out_anew() {
        let folder = tempfile::tempdir().unwrap();
        for bytes in [b"".as_slice(), HEAD, b"PLBST002\x09\0\0\0\0\0\0\0abc", b"something else"] {
            std::fs::write(folder.path().join(FILE), bytes).unwrap();
            let known = Known::of(folder.path(), "", None);
            assert!(known.vectors(&["Logs are kept."]).unwrap()[0].is_empty());
        }
    }
}
