//! Files of a shelf's stores, put together of pieces: from the cache, else from the store, each held against its hash.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::try_join_all;
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_telemetry::sha256_hex;
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, Semaphore};

use super::cache::PieceCache;
use super::listing::{ListedFile, PIECE_BYTES, ShelfListing};
use super::reach::{Reach, ShelfStore};
use crate::store::StoreError;

/// What a hash names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Piece,
    Part,
}

type Flight = Arc<OnceCell<Arc<Vec<u8>>>>;

pub(crate) struct FarFiles {
    pub address: String,
    shelf: String,
    store: Arc<dyn ShelfStore>,
    cache: Arc<PieceCache>,
    /// So many requests travel side by side.
    gate: Arc<Semaphore>,
    pub reach: Arc<Reach>,
    files: HashMap<String, ListedFile>,
    flights: Mutex<HashMap<String, Flight>>,
    runtime: Handle,
}

impl fmt::Debug for FarFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FarFiles({} of {})", self.shelf, self.address)
    }
}

/// With what the files of a shelf are read.
pub(super) struct Way {
    pub address: String,
    pub store: Arc<dyn ShelfStore>,
    pub cache: Arc<PieceCache>,
    pub gate: Arc<Semaphore>,
    pub reach: Arc<Reach>,
}

impl FarFiles {
    pub fn new(way: Way, shelf: &str, listing: &ShelfListing) -> Self {
        let files = listing.files.iter().map(|file| (file.name.clone(), file.clone()));
        Self {
            address: way.address,
            shelf: shelf.to_owned(),
            store: way.store,
            cache: way.cache,
            gate: way.gate,
            reach: way.reach,
            files: files.collect(),
            flights: Mutex::default(),
            runtime: Handle::current(),
        }
    }

    pub fn file(&self, name: &str) -> Option<&ListedFile> {
        self.files.get(name)
    }

    pub fn all(&self) -> impl Iterator<Item = &ListedFile> {
        self.files.values()
    }

    /// The bytes that a hash names. Whoever asks for the same meanwhile waits for the same request, which goes on when nobody waits
    /// for it any more.
    pub async fn fetched(self: &Arc<Self>, kind: Kind, sha256: &str) -> Result<Arc<Vec<u8>>, StoreError> {
        if let Some(bytes) = self.cache.read(sha256, None) {
            return Ok(Arc::new(bytes));
        }
        let flights = || self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        let flight = Arc::clone(flights().entry(sha256.to_owned()).or_default());
        let (here, name) = (Arc::clone(self), sha256.to_owned());
        let request = || async move {
            let asked = tokio::spawn(async move { here.request(kind, &name).await });
            asked.await.map_err(|problem| StoreError::Disagree(problem.to_string()))?
        };
        let arrived = flight.get_or_try_init(request).await.cloned();
        flights().remove(sha256);
        arrived
    }

    async fn request(&self, kind: Kind, sha256: &str) -> Result<Arc<Vec<u8>>, StoreError> {
        if self.reach.away().is_some() {
            return Err(self.out_of_reach());
        }
        let turn = self.gate.acquire().await;
        let asked = match kind {
            Kind::Piece => self.store.piece(&self.shelf, sha256).await,
            Kind::Part => self.store.part(&self.shelf, sha256).await,
        };
        drop(turn);
        let whole = asked.and_then(|bytes| match sha256_hex(&bytes) == sha256 {
            true => Ok(bytes),
            false => Err(Detail::of(Message::TeamDamagedPiece, [("name", sha256.into())])),
        });
        let bytes = whole.map_err(|detail| {
            self.reach.failed(detail);
            self.out_of_reach()
        })?;
        self.cache.keep(sha256, &bytes);
        Ok(Arc::new(bytes))
    }

    /// Why it cannot be read at the moment.
    pub fn out_of_reach(&self) -> StoreError {
        let detail = self.reach.problem().unwrap_or_else(|| Message::TeamNotThere.into());
        StoreError::OutOfReach { address: self.address.clone(), detail }
    }

    /// Some bytes of a file.
    pub async fn read(self: &Arc<Self>, file: &ListedFile, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        let pieces = pieces_of(file, range).into_iter().map(|(sha256, part)| async move {
            if let Some(bytes) = self.cache.read(&sha256, Some(part.clone())) {
                return Ok(bytes);
            }
            let bytes = self.fetched(Kind::Piece, &sha256).await?;
            let within = bytes.get(part).map(<[u8]>::to_vec);
            within.ok_or_else(|| StoreError::Disagree(format!("{sha256} is shorter than it was")))
        });
        Ok(try_join_all(pieces).await?.concat())
    }

    /// The same for those who cannot wait as tasks do. On a thread that tasks run on it would hold them up: callers are elsewhere.
    pub fn read_here(self: &Arc<Self>, file: &ListedFile, range: Range<u64>) -> io::Result<Vec<u8>> {
        let wanted = pieces_of(file, range.clone());
        let lying: Option<Vec<Vec<u8>>> =
            wanted.into_iter().map(|(sha256, part)| self.cache.read(&sha256, Some(part))).collect();
        if let Some(lying) = lying {
            return Ok(lying.concat());
        }
        let (here, file) = (Arc::clone(self), file.clone());
        let (tell, told) = std::sync::mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            let _ = tell.send(here.read(&file, range).await);
        });
        let read = told.recv().map_err(io::Error::other)?;
        read.map_err(|problem| io::Error::other(problem.to_string()))
    }
}

/// The pieces that a range of a file lies in, with the range in each.
fn pieces_of(file: &ListedFile, range: Range<u64>) -> Vec<(String, Range<usize>)> {
    let piece = PIECE_BYTES as u64;
    let end = range.end.min(file.bytes);
    if range.start >= end {
        return Vec::new();
    }
    let pieces = (range.start / piece..=(end - 1) / piece).filter_map(|at| {
        let begins = at * piece;
        let from = range.start.max(begins) - begins;
        let until = end.min(begins + piece) - begins;
        let sha256 = file.pieces.get(usize::try_from(at).ok()?)?.clone();
        Some((sha256, usize::try_from(from).ok()?..usize::try_from(until).ok()?))
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_of_the_pieces_that_it_lies_in() {
        let piece = PIECE_BYTES as u64;
        let pieces = ["a", "b", "c"].map(str::to_owned).to_vec();
        let file = ListedFile { name: "f".to_owned(), bytes: 2 * piece + 10, pieces };
        let of = |range| pieces_of(&file, range);
        assert_eq!(of(5..9), [("a".to_owned(), 5..9)]);
        assert_eq!(
            of(piece - 1..piece + 2),
            [("a".to_owned(), PIECE_BYTES - 1..PIECE_BYTES), ("b".to_owned(), 0..2)]
        );
        assert_eq!(of(2 * piece..9 * piece), [("c".to_owned(), 0..10)], "no further than the file goes");
        assert_eq!(of(7..7), []);
    }
}
