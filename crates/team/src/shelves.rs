//! Shelves of published libraries that are read where they lie. What is read is held against its hash by the library.

use std::sync::Arc;

use async_trait::async_trait;
use plumbline_core::detail::Detail;
use plumbline_library::{ShelfStore, ShelfStores};
use plumbline_storage::Address;
use tokio::sync::OnceCell;

use crate::following::open;
use crate::format::{part_name, piece_name};
use crate::{KeyStore, Remote, TeamError};

/// Shelves at any address, opened with the keys that are kept for it.
pub struct FollowedShelves {
    keys: Arc<KeyStore>,
}

impl FollowedShelves {
    /// With these keys.
    pub fn new(keys: Arc<KeyStore>) -> Self {
        Self { keys }
    }
}

impl ShelfStores for FollowedShelves {
    fn at(&self, address: &str) -> Arc<dyn ShelfStore> {
        let (keys, remote) = (Arc::clone(&self.keys), OnceCell::new());
        Arc::new(ShelvesAt { address: address.to_owned(), keys, remote })
    }
}

/// Shelves at an address whose keys are asked for with the first request: a keyring may wait for its user.
struct ShelvesAt {
    address: String,
    keys: Arc<KeyStore>,
    remote: OnceCell<RemoteShelves>,
}

impl ShelvesAt {
    async fn remote(&self) -> Result<&RemoteShelves, Detail> {
        let opened = || async {
            let address = Address::parse(&self.address).map_err(TeamError::from)?;
            Ok(RemoteShelves::at(Arc::new(open(&self.keys, &address).await?)))
        };
        self.remote.get_or_try_init(opened).await.map_err(|problem: TeamError| problem.detail())
    }
}

#[async_trait]
impl ShelfStore for ShelvesAt {
    async fn piece(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail> {
        self.remote().await?.piece(shelf, sha256).await
    }

    async fn part(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail> {
        self.remote().await?.part(shelf, sha256).await
    }
}

/// Shelves at an address that is open.
pub struct RemoteShelves {
    remote: Arc<Remote>,
}

impl RemoteShelves {
    /// Those of this place.
    pub fn at(remote: Arc<Remote>) -> Self {
        Self { remote }
    }
}

#[async_trait]
impl ShelfStore for RemoteShelves {
    async fn piece(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail> {
        self.remote.get(&piece_name(shelf, sha256)).await.map_err(|problem| problem.detail())
    }

    async fn part(&self, shelf: &str, sha256: &str) -> Result<Vec<u8>, Detail> {
        self.remote.get(&part_name(shelf, sha256)).await.map_err(|problem| problem.detail())
    }
}
