//! What lies where in a team library, and what the two kinds of lists in it say.
//!
//! ```text
//! generations/17.json                       what is in force: written once, by one conditional put, and never changed
//! shelves/<id>/manifests/<sha256>.json      who may see the shelf, and its parts
//! shelves/<id>/parts/<sha256>.zip           documents, read, cut and embedded
//! shelves/<id>/vocabularies/<sha256>        a vocabulary's file, as it is
//! shelves/<id>/outlines/<sha256>.zip        documents without their passages, for who reads these in place
//! shelves/<id>/listings/<sha256>.json       which pieces the stores are made of that are searched in place
//! shelves/<id>/pieces/<sha256>              a piece of these
//! ```
//!
//! Outside of a shelf's own folder nothing is said of it but its id and the hash of its manifest.

use std::collections::BTreeSet;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_library::{SharedEntry, VocabularyFile};
use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

use crate::error::unreadable;
use crate::{Remote, TeamError};

/// The newest format that is known. A change that older programs do not survive raises it: those of the first would take away what
/// is read in place when they prune, so only libraries without it are of the first.
pub(crate) const FORMAT: u32 = 2;
const WITHOUT_IN_PLACE: u32 = 1;
pub(crate) const GENERATIONS: &str = "generations/";
pub(crate) const SHELVES: &str = "shelves/";
const MANIFESTS: &str = "manifests";
const PARTS: &str = "parts";
const VOCABULARIES: &str = "vocabularies";
const OUTLINES: &str = "outlines";
const LISTINGS: &str = "listings";
const PIECES: &str = "pieces";

/// Around what a generation says stands its checksum, so that a damaged one is told from one by a newer program.
const BEFORE_CHECKSUM: &str = "{\"checksum\":\"";
const BEFORE_CONTENT: &str = "\",\"generation\":";
const BEHIND: &str = "}\n";

/// A published generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Generation {
    pub format: u32,
    /// Tells the library from another that is published at the same address later.
    pub library: String,
    pub number: u64,
    /// Tells two publishers of the same moment apart.
    pub publisher: String,
    pub published_at: String,
    /// The embedder's fingerprint.
    pub embedder: String,
    /// In the order of their ids, which says nothing.
    pub shelves: Vec<ShelfReference>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShelfReference {
    pub id: String,
    /// The hash of its manifest.
    pub manifest: String,
}

/// What a shelf holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub tenant: String,
    pub access_tags: Vec<String>,
    pub parts: Vec<Part>,
    /// Curated memory, which points at documents of this shelf or of those that all its readers see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<SharedEntry>,
    /// Vocabularies, in order of authority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vocabularies: Vec<VocabularyFile>,
    /// What it takes to read the shelf in place, where that was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_place: Option<InPlaceFiles>,
}

/// What a shelf has beside its parts for those who read it in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InPlaceFiles {
    /// Files with what documents say of themselves.
    pub outlines: Vec<Part>,
    /// The hash of the listing of its stores, and its size.
    pub listing: String,
    pub bytes: u64,
}

/// A file with documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub sha256: String,
    pub bytes: u64,
    /// How many documents it was made of.
    pub made_of: usize,
    /// Those that are still part of the library, by their digests.
    pub documents: BTreeSet<String>,
}

pub(crate) fn generation_name(number: u64) -> String {
    format!("{GENERATIONS}{number}.json")
}

pub(crate) fn shelf_folder(shelf: &str) -> String {
    format!("{SHELVES}{shelf}/")
}

pub(crate) fn manifest_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{MANIFESTS}/{sha256}.json")
}

pub(crate) fn part_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{PARTS}/{sha256}.zip")
}

pub(crate) fn vocabulary_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{VOCABULARIES}/{sha256}")
}

pub(crate) fn outline_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{OUTLINES}/{sha256}.zip")
}

pub(crate) fn listing_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{LISTINGS}/{sha256}.json")
}

pub(crate) fn piece_name(shelf: &str, sha256: &str) -> String {
    format!("{SHELVES}{shelf}/{PIECES}/{sha256}")
}

/// The format of a library that is published with what it takes to read it in place, or without.
pub(crate) fn format_of(in_place: bool) -> u32 {
    if in_place { FORMAT } else { WITHOUT_IN_PLACE }
}

impl Generation {
    /// As it is written.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain fields: this cannot fail.
        let content = serde_json::to_string(self).unwrap_or_default();
        let checksum = sha256_hex(&content);
        format!("{BEFORE_CHECKSUM}{checksum}{BEFORE_CONTENT}{content}{BEHIND}").into_bytes()
    }

    /// Reads a generation and checks that it is what was published.
    pub async fn read(remote: &Remote, number: u64) -> Result<Self, TeamError> {
        let name = generation_name(number);
        let bytes = remote.get(&name).await?;
        let broken = |detail: Detail| TeamError::Broken {
            address: remote.address().to_owned(),
            generation: number,
            name: name.clone(),
            detail,
        };
        let wrong = || broken(Message::TeamWrongContent.into());
        let content = checked(&bytes).ok_or_else(wrong)?;
        let Format { format } =
            serde_json::from_str(content).map_err(|problem| broken(unreadable(problem)))?;
        if format > FORMAT {
            let address = remote.address().to_owned();
            return Err(TeamError::TooNew { address, generation: number, found: format, known: FORMAT });
        }
        let generation: Self =
            serde_json::from_str(content).map_err(|problem| broken(unreadable(problem)))?;
        let named = generation.shelves.iter().all(|shelf| is_plain(&shelf.id) && is_plain(&shelf.manifest));
        if generation.number != number || !named {
            return Err(wrong());
        }
        Ok(generation)
    }
}

/// Names of files are made of it, here and there: it must lead nowhere else.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// What stands behind the checksum, if that fits.
fn checked(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (checksum, content) = text.strip_prefix(BEFORE_CHECKSUM)?.split_once(BEFORE_CONTENT)?;
    let content = content.strip_suffix(BEHIND)?;
    (sha256_hex(content) == checksum).then_some(content)
}

impl Manifest {
    /// As it is written, with the hash that names it.
    pub fn to_bytes(&self) -> (String, Vec<u8>) {
        let text = serde_json::to_string(self).unwrap_or_default();
        (sha256_hex(&text), text.into_bytes())
    }

    /// Reads a shelf's manifest and checks that it is what was published.
    pub async fn read(remote: &Remote, generation: u64, shelf: &ShelfReference) -> Result<Self, TeamError> {
        let name = manifest_name(&shelf.id, &shelf.manifest);
        let bytes = remote.get(&name).await?;
        let broken = |detail: Detail| TeamError::Broken {
            address: remote.address().to_owned(),
            generation,
            name: name.clone(),
            detail,
        };
        if sha256_hex(&bytes) != shelf.manifest {
            return Err(broken(Message::TeamWrongContent.into()));
        }
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|problem| broken(unreadable(problem)))?;
        let hashes = manifest.parts.iter().map(|part| &part.sha256);
        let hashes = hashes.chain(manifest.vocabularies.iter().map(|file| &file.sha256));
        let in_place = manifest.in_place.iter();
        let mut hashes = hashes.chain(in_place.flat_map(|files| {
            files.outlines.iter().map(|part| &part.sha256).chain(std::iter::once(&files.listing))
        }));
        match hashes.all(|sha256| is_plain(sha256)) {
            true => Ok(manifest),
            false => Err(broken(Message::TeamWrongContent.into())),
        }
    }
}

/// The numbers of all generations that are there, in their order.
pub(crate) async fn numbers(remote: &Remote) -> Result<Vec<u64>, TeamError> {
    let entries = remote.list(GENERATIONS).await?;
    let number = |name: &str| name.strip_prefix(GENERATIONS)?.strip_suffix(".json")?.parse().ok();
    let mut numbers: Vec<u64> = entries.iter().filter_map(|entry| number(&entry.name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_byte_of_a_generation_is_noticed() {
        let generation = Generation {
            format: FORMAT,
            library: "a".to_owned(),
            number: 7,
            publisher: "b".to_owned(),
            published_at: "2026-01-01T00:00:00Z".to_owned(),
            embedder: "f".to_owned(),
            shelves: vec![ShelfReference { id: "c".to_owned(), manifest: "d".to_owned() }],
        };
        let bytes = generation.to_bytes();
        assert!(checked(&bytes).is_some());
        assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(), "others can read it, too");
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert_eq!(checked(&flipped), None, "byte {at}");
        }
    }
}
