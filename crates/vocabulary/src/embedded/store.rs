use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tracing::warn;

use crate::rdf::Defect;
use crate::skos::SkosData;
use crate::source::VocabularyFile;

/// Changes whenever what is kept, or how files are read, does.
const FORMAT: &[u8] = b"plumbline vocabulary 2\n";
const DIGEST: usize = 32;

/// What is kept of the files between starts. Written with postcard: it has one place for each field and no names, so that
/// reading 6,000 concepts back costs little more than copying their text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) data: SkosData,
    pub(super) defects: Vec<Defect>,
}

/// What the cache belongs to: the files, where they lie, their order and their contents.
pub(super) fn key_of(files: &[VocabularyFile], contents: &[Option<Vec<u8>>]) -> [u8; DIGEST] {
    let mut digest = Sha256::new();
    let mut part = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    for (file, bytes) in files.iter().zip(contents) {
        part(file.path.to_string_lossy().as_bytes());
        part(file.vocabulary.as_bytes());
        part(bytes.as_deref().unwrap_or_default());
        part(if bytes.is_some() { b"read" } else { b"unread" });
    }
    digest.finalize().into()
}

/// What is kept for the key, if the cache has it undamaged.
pub(super) fn read(cache: &Path, key: &[u8; DIGEST]) -> Option<Kept> {
    let bytes = fs::read(cache).ok()?;
    let rest = bytes.strip_prefix(FORMAT)?.strip_prefix(key.as_slice())?;
    let (sum, body) = rest.split_at_checked(DIGEST)?;
    let whole = Sha256::digest(body).as_slice() == sum;
    if !whole {
        warn!(target: "skosmos", event = "vocabulary_cache_damaged", path = %cache.display());
        return None;
    }
    postcard::from_bytes(body).ok()
}

/// Keeps it, whole or not at all.
pub(super) fn write(cache: &Path, key: &[u8; DIGEST], kept: &Kept) {
    let body = match postcard::to_stdvec(kept) {
        Ok(body) => body,
        Err(problem) => {
            warn!(target: "skosmos", event = "vocabulary_cache_unwritten", %problem);
            return;
        }
    };
    if let Err(problem) = replace(cache, key, &body) {
        warn!(target: "skosmos", event = "vocabulary_cache_unwritten", path = %cache.display(), %problem);
    }
}

fn replace(cache: &Path, key: &[u8; DIGEST], body: &[u8]) -> io::Result<()> {
    let folder = cache.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(FORMAT)?;
    file.write_all(key)?;
    file.write_all(&Sha256::digest(body))?;
    file.write_all(body)?;
    file.as_file().sync_all()?;
    file.persist(cache).map_err(|problem| problem.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("deep/vocabulary.cache");
        let kept = Kept { data: SkosData::default(), defects: vec![Defect::of_file("a.ttl", "broken")] };
        let key = [7; DIGEST];
        assert_eq!(read(&cache, &key), None, "there is none yet");
        write(&cache, &key, &kept);
        assert_eq!(read(&cache, &key), Some(kept));
        assert_eq!(read(&cache, &[8; DIGEST]), None, "it belongs to other files");
        let whole = fs::read(&cache).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x20;
            fs::write(&cache, &damaged).unwrap();
            assert_eq!(read(&cache, &key), None, "byte {at} is another");
            fs::write(&cache, &whole[..at]).unwrap();
            assert_eq!(read(&cache, &key), None, "cut at {at}");
        }
    }

    #[test]
    fn the_key_knows_order_place_and_content() {
        let file = |name: &str| VocabularyFile::alone(name);
        let key = |names: [&str; 2], texts: [Option<&str>; 2]| {
            key_of(&names.map(file), &texts.map(|text| text.map(|text| text.as_bytes().to_vec())))
        };
        let one = key(["a", "b"], [Some("x"), Some("y")]);
        for other in [
            key(["b", "a"], [Some("x"), Some("y")]),
            key(["a", "b"], [Some("y"), Some("x")]),
            key(["a", "b"], [Some("xy"), Some("")]),
            key(["a", "b"], [Some("x"), None]),
        ] {
            assert_ne!(one, other);
        }
    }
}
