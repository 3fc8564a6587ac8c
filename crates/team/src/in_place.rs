//! What a shelf needs beside its parts so that it can be read where it lies: what documents say of themselves, without their
//! passages; the stores that are searched, cut into pieces; and a listing that says which piece is what.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use futures::{StreamExt, TryStreamExt, stream};
use plumbline_core::messages::Message;
use plumbline_library::{ListedDocument, ListedFile, MadeShelf, PIECE_BYTES, ShelfListing, StoreError};
use plumbline_telemetry::sha256_hex;

use crate::error::unreadable;
use crate::format::{InPlaceFiles, Part, listing_name, piece_name};
use crate::{Remote, TeamError};

/// So many pieces travel side by side.
const AT_ONCE: usize = 8;

impl InPlaceFiles {
    /// Reads a shelf's listing and checks that it is what was published; gives it with its bytes.
    pub async fn listing(
        &self,
        remote: &Remote,
        generation: u64,
        shelf: &str,
    ) -> Result<(ShelfListing, Vec<u8>), TeamError> {
        let name = listing_name(shelf, &self.listing);
        let bytes = remote.get(&name).await?;
        let broken = |detail| {
            let (address, name) = (remote.address().to_owned(), name.clone());
            TeamError::Broken { address, generation, name, detail }
        };
        if sha256_hex(&bytes) != self.listing {
            return Err(broken(Message::TeamWrongContent.into()));
        }
        let listing: ShelfListing =
            serde_json::from_slice(&bytes).map_err(|problem| broken(unreadable(problem)))?;
        if !listing.is_sound() {
            return Err(broken(Message::TeamWrongContent.into()));
        }
        Ok((listing, bytes))
    }
}

/// What lies on a shelf already, and what of it can be used.
pub(crate) struct Lying<'a> {
    /// Sizes by name, of what somebody needs or somebody is just publishing.
    pub usable: &'a HashMap<String, u64>,
    /// Whether it is read again before it is used.
    pub repair: bool,
}

impl Lying<'_> {
    /// Whether a file lies there as it should.
    pub async fn holds(
        &self,
        remote: &Remote,
        name: &str,
        sha256: &str,
        bytes: u64,
    ) -> Result<bool, TeamError> {
        if self.usable.get(name) != Some(&bytes) {
            return Ok(false);
        }
        if !self.repair {
            return Ok(true);
        }
        match remote.get(name).await {
            Ok(there) => Ok(sha256_hex(there) == sha256),
            Err(TeamError::Missing { .. }) => Ok(false),
            Err(problem) => Err(problem),
        }
    }
}

/// Whether a listing is of these documents in these parts.
pub(crate) fn is_of(listing: &ShelfListing, documents: &BTreeSet<&String>, parts: &[Part]) -> bool {
    let listed: BTreeSet<&String> = listing.documents.iter().map(|document| &document.digest).collect();
    let lie_in: BTreeSet<&String> = listing.parts.iter().collect();
    listed == *documents && lie_in == parts.iter().map(|part| &part.sha256).collect()
}

/// Whether every piece of a listing lies there as it should.
pub(crate) async fn lies_whole(
    remote: &Remote,
    shelf: &str,
    listing: &ShelfListing,
    lying: &Lying<'_>,
) -> Result<bool, TeamError> {
    for (sha256, bytes) in pieces_of(listing) {
        if !lying.holds(remote, &piece_name(shelf, sha256), sha256, bytes).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The pieces of a listing with their sizes.
pub(crate) fn pieces_of(listing: &ShelfListing) -> BTreeMap<&String, u64> {
    let sized = listing.files.iter().flat_map(|file| {
        (0_u64..).zip(&file.pieces).map(|(at, piece)| {
            let before = at * PIECE_BYTES as u64;
            (piece, file.bytes.saturating_sub(before).min(PIECE_BYTES as u64))
        })
    });
    sized.collect()
}

/// Sends what of a shelf's stores does not lie there, then their listing; gives what the manifest says of them, with how many files
/// were sent.
pub(crate) async fn send_stores(
    remote: &Remote,
    shelf: &str,
    made: &MadeShelf,
    parts: &[Part],
    lying: &Lying<'_>,
) -> Result<(String, u64, usize), TeamError> {
    let mut sent = 0;
    let mut files = Vec::with_capacity(made.files.len());
    for (name, path) in &made.files {
        let (bytes, pieces) = cut(path)?;
        let sending = stream::iter(pieces.clone()).map(|(at, sha256, length)| async move {
            let name = piece_name(shelf, &sha256);
            if lying.holds(remote, &name, &sha256, length).await? {
                return Ok::<_, TeamError>(false);
            }
            remote.put(&name, piece_at(path, at, length)?).await?;
            Ok(true)
        });
        let mut sending = sending.buffered(AT_ONCE);
        while let Some(was_sent) = sending.try_next().await? {
            sent += usize::from(was_sent);
        }
        let pieces = pieces.into_iter().map(|(_, sha256, _)| sha256).collect();
        files.push(ListedFile { name: name.clone(), bytes, pieces });
    }
    let places: HashMap<&String, usize> = parts
        .iter()
        .enumerate()
        .flat_map(|(at, part)| part.documents.iter().map(move |digest| (digest, at)))
        .collect();
    let documents = made.documents.iter().filter_map(|(digest, (number, passages))| {
        let part = *places.get(digest)?;
        Some(ListedDocument { digest: digest.clone(), number: *number, part, passages: *passages })
    });
    let listing = ShelfListing {
        version: made.version,
        parts: parts.iter().map(|part| part.sha256.clone()).collect(),
        documents: documents.collect(),
        files,
    };
    let bytes = serde_json::to_vec(&listing).map_err(|problem| TeamError::Library(problem.into()))?;
    let (sha256, length) = (sha256_hex(&bytes), bytes.len() as u64);
    let name = listing_name(shelf, &sha256);
    if !lying.holds(remote, &name, &sha256, length).await? {
        remote.put(&name, bytes).await?;
        sent += 1;
    }
    Ok((sha256, length, sent))
}

/// A piece of a file: which it is, its hash and its size.
type Piece = (u64, String, u64);

/// The size of a file, and its pieces. They are read one after the other: a file may be larger than memory.
fn cut(path: &Path) -> Result<(u64, Vec<Piece>), TeamError> {
    let failed = |source| TeamError::Library(StoreError::Io { path: path.to_owned(), source });
    let mut file = File::open(path).map_err(failed)?;
    let (mut bytes, mut pieces) = (0, Vec::new());
    for at in 0.. {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let length = file.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece).map_err(failed)?;
        if length == 0 {
            break;
        }
        bytes += length as u64;
        pieces.push((at, sha256_hex(&piece), length as u64));
    }
    Ok((bytes, pieces))
}

fn piece_at(path: &Path, at: u64, length: u64) -> Result<Vec<u8>, TeamError> {
    let read = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at * PIECE_BYTES as u64))?;
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        file.take(length).read_to_end(&mut piece)?;
        Ok(piece)
    };
    read().map_err(|source| TeamError::Library(StoreError::Io { path: path.to_owned(), source }))
}
