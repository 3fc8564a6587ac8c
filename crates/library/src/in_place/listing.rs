use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Files are cut into pieces of so many bytes, each a file of its own in the store that is named by its hash: what is read is
/// held against it, and what has not changed is neither sent nor pulled again.
pub const PIECE_BYTES: usize = 256 << 10;

/// A followed library that is read where it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InPlaceLibrary {
    /// Whose vectors it holds.
    pub fingerprint: String,
    /// Its shelves, as far as they may be read.
    pub shelves: Vec<InPlaceShelf>,
}

/// A shelf that is read where it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InPlaceShelf {
    /// Its id in the store.
    pub id: String,
    /// Whose documents it holds.
    pub tenant: String,
    /// Who may see them; everybody where empty.
    pub access_tags: Vec<String>,
    /// The hash of its [`ShelfListing`].
    pub listing: String,
}

impl InPlaceShelf {
    /// Where its listing lies in a folder.
    pub fn listing_in(&self, folder: &Path) -> PathBuf {
        folder.join(&self.listing)
    }
}

/// What of a shelf is read where it lies, and which pieces it is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShelfListing {
    /// The version of its table of vectors; none where it has no passages.
    pub version: Option<u64>,
    /// The hashes of its parts.
    pub parts: Vec<String>,
    /// Its documents.
    pub documents: Vec<ListedDocument>,
    /// The files of its stores.
    pub files: Vec<ListedFile>,
}

/// A document of a shelf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedDocument {
    /// Names it as it is.
    pub digest: String,
    /// Names it in the shelf's stores.
    pub number: u64,
    /// Which of the parts holds its passages.
    pub part: usize,
    /// How many it has.
    pub passages: u32,
}

/// A file of a shelf's stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    /// Its name, with slashes.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The hashes of its pieces, in order.
    pub pieces: Vec<String>,
}

impl ShelfListing {
    /// Whether every piece, part and file is one that can be there; a listing is named by its hash, and so is its publisher's word.
    pub fn is_sound(&self) -> bool {
        let plain = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let whole = |file: &ListedFile| {
            file.bytes.div_ceil(PIECE_BYTES as u64) == file.pieces.len() as u64
                && file.pieces.iter().all(plain)
        };
        self.parts.iter().all(plain)
            && self.files.iter().all(whole)
            && self.documents.iter().all(|document| document.part < self.parts.len())
    }
}
