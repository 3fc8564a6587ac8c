//! One library for a team: a generation is published on plain storage that the team has already, and followed from there.
//! What is published and followed are documents, read, cut and embedded; searching them is the library's.
#![deny(missing_docs)]

mod error;
mod following;
mod format;
mod in_place;
mod keys;
mod parts;
mod prune;
mod publish;
mod publishing;
mod pull;
mod remote;
mod shelves;

pub use error::TeamError;
pub use following::{
    FollowStep, Followed, Follower, LastLook, due, follow, followed, keep_following, last_looks, renew,
    stays, tick, unfollow,
};
pub use keys::KeyStore;
pub use plumbline_storage::{Address, Entry, StorageError, Store, StoreKeys, StoreProblem, open_store};
pub use prune::{Keep, PruneReport, prune};
pub use publish::{OwnVocabulary, PublishReport, Publishing, publish};
pub use publishing::{Published, Wanted, publish_library};
pub use pull::{Pull, Pulled, pull};
pub use remote::{Remote, Traffic};
pub use shelves::{FollowedShelves, RemoteShelves};
