use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use plumbline_core::numbers::in_place_cache_bytes;
use plumbline_library::{InPlace, ShelfStores};

/// A lane gives up what is far away while there is time left to answer from the rest: after this share of what it has.
const SHARE_OF_LANE: f64 = 0.75;

/// Where published libraries are reached that are read in place; nowhere by default.
#[derive(Clone, Default)]
pub struct Shelves(Option<Arc<dyn ShelfStores>>);

impl Shelves {
    /// Through these stores.
    pub fn through(stores: Arc<dyn ShelfStores>) -> Self {
        Self(Some(stores))
    }

    /// With what they are read where a lane has so many milliseconds.
    pub(crate) fn within(&self, lane_ms: u64) -> Option<InPlace> {
        let patience = Duration::from_millis(lane_ms).mul_f64(SHARE_OF_LANE);
        Some(InPlace { stores: self.0.clone()?, patience, cache_bytes: in_place_cache_bytes() })
    }
}

impl fmt::Debug for Shelves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Shelves(…)" } else { "Shelves" })
    }
}
