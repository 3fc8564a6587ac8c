//! One library for a team: a generation is published on plain storage that the team has already, and followed from there.
//! What is published and followed are documents, read, cut and embedded; searching them is the library's.
#![deny(missing_docs)]

mod address;
mod error;
mod format;
mod parts;
mod prune;
mod publish;
mod pull;
mod remote;
mod store;

pub use address::Address;
pub use error::TeamError;
pub use prune::{Keep, PruneReport, prune};
pub use publish::{PublishReport, publish};
pub use pull::{Pull, Pulled, pull};
pub use remote::{Remote, Traffic};
pub use store::{Entry, Store, StoreProblem, open_store};
