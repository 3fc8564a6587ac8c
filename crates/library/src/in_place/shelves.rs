//! All shelves that a library reads in place, with what they share: the cache on disk, the requests under way, whether their stores
//! answer.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::cache::PieceCache;
use super::files::{FarFiles, Way};
use super::listing::{InPlaceShelf, ShelfListing};
use super::objects::Shelves;
use super::reach::{Reach, ShelfStore, ShelfStores};
use super::shelf::{FarShelf, Made};
use crate::store::audience::{access_key, tenant_or_default};
use crate::store::team::TeamLibrary;
use crate::store::{Layout, StoreError};

/// So many requests travel side by side.
const REQUESTS: usize = 48;
/// Bytes of far indexes that stay in memory, and of what describes tables and files.
const INDEX_BYTES: usize = 256 << 20;
const METADATA_BYTES: usize = 32 << 20;

/// With what published libraries are read in place.
#[derive(Clone)]
pub struct InPlace {
    /// Where their stores are reached.
    pub stores: Arc<dyn ShelfStores>,
    /// How long a question waits for them; then it is answered without.
    pub patience: Duration,
    /// So many bytes of them stay on disk.
    pub cache_bytes: u64,
}

/// The store at an address, and whether it answers.
type Reached = (Arc<dyn ShelfStore>, Arc<Reach>);

/// What the shelves of a library share.
pub(crate) struct FarShelves {
    with: InPlace,
    layout: Layout,
    cache: Arc<PieceCache>,
    gate: Arc<Semaphore>,
    tables: Arc<Shelves>,
    vectors: Arc<lancedb::Session>,
    stores: Mutex<BTreeMap<String, Reached>>,
    listings: Mutex<HashMap<String, Arc<ShelfListing>>>,
}

impl FarShelves {
    pub fn open(layout: &Layout, with: InPlace) -> Result<Self, StoreError> {
        let cache = Arc::new(PieceCache::open(&layout.pieces(), with.cache_bytes)?);
        let tables = Arc::new(Shelves::default());
        let vectors = Arc::new(tables.session(INDEX_BYTES, METADATA_BYTES));
        Ok(Self {
            with,
            layout: layout.clone(),
            cache,
            gate: Arc::new(Semaphore::new(REQUESTS)),
            tables,
            vectors,
            stores: Mutex::default(),
            listings: Mutex::default(),
        })
    }

    /// The shelves of a followed library, with the catalogue's files by the digests of what they hold.
    pub fn of(
        &self,
        library: &TeamLibrary,
        held: &BTreeMap<String, i64>,
    ) -> Result<Vec<Arc<FarShelf>>, StoreError> {
        let Some(in_place) = &library.in_place else { return Ok(Vec::new()) };
        let mut shelves = Vec::new();
        for shelf in &in_place.shelves {
            let listing = self.listing(&library.address, shelf)?;
            let (store, reach) = self.store(&library.address);
            let way = Way {
                address: library.address.clone(),
                store,
                cache: Arc::clone(&self.cache),
                gate: Arc::clone(&self.gate),
                reach,
            };
            let files = Arc::new(FarFiles::new(way, &shelf.id, &listing));
            shelves.push(Arc::new(FarShelf::new(
                Made {
                    tenant: tenant_or_default(&shelf.tenant).to_owned(),
                    access: access_key(&shelf.access_tags),
                    fingerprint: in_place.fingerprint.clone(),
                    place: self.tables.place(&shelf.listing, &files),
                    vectors: Arc::clone(&self.vectors),
                    listing,
                    files,
                },
                held,
            )));
        }
        Ok(shelves)
    }

    /// How long a question waits for what is far away.
    pub fn patience(&self) -> Duration {
        self.with.patience
    }

    /// What comes of asking the store at an address, as far as it comes in time: none where it does not, which is kept for whoever
    /// asks what was left out.
    pub async fn within_reach<T>(
        &self,
        address: &str,
        until: Instant,
        asked: impl Future<Output = Result<T, StoreError>>,
    ) -> Option<T> {
        let (_, reach) = self.store(address);
        if reach.away().is_some() {
            return None;
        }
        match timeout_at(until, asked).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(problem)) => {
                if reach.away().is_none() {
                    reach.failed(problem.detail());
                }
                None
            }
            Err(_) => {
                self.was_slow(address);
                None
            }
        }
    }

    /// The store at an address took longer than a question waits.
    pub fn was_slow(&self, address: &str) {
        let ms = self.with.patience.as_millis().to_string();
        self.store(address).1.was_slow(Detail::of(Message::TeamSlow, [("ms", ms.into())]));
    }

    /// Whether the store at an address is left alone at the moment.
    pub fn is_away(&self, address: &str) -> bool {
        self.store(address).1.away().is_some()
    }

    /// The addresses that could not be read a moment ago, with the reason.
    pub fn out_of_reach(&self) -> Vec<(String, Detail)> {
        let stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let problems =
            stores.iter().filter_map(|(address, (_, reach))| Some((address.clone(), reach.problem()?)));
        problems.collect()
    }

    /// Keeps that the library at an address cannot be searched here.
    pub fn left_out(&self, address: &str, detail: Detail) {
        self.store(address).1.was_slow(detail);
    }

    fn store(&self, address: &str) -> Reached {
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let store = stores
            .entry(address.to_owned())
            .or_insert_with(|| (self.with.stores.at(address), Arc::new(Reach::default())));
        store.clone()
    }

    fn listing(&self, address: &str, shelf: &InPlaceShelf) -> Result<Arc<ShelfListing>, StoreError> {
        let mut known = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(&shelf.listing) {
            return Ok(Arc::clone(listing));
        }
        let path = shelf.listing_in(&self.layout.listings(address));
        let bytes = fs::read(&path).map_err(|source| StoreError::io(&path, source))?;
        let listing: Arc<ShelfListing> = Arc::new(serde_json::from_slice(&bytes)?);
        known.insert(shelf.listing.clone(), Arc::clone(&listing));
        Ok(listing)
    }
}
