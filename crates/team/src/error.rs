//! Why a team library could not be published or followed.

use std::fmt;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_library::{IndexError, StoreError};
use plumbline_storage::StorageError;
use plumbline_workspace::WorkspaceError;
use thiserror::Error;

/// Why a team library could not be published or followed.
#[derive(Debug, Error)]
pub enum TeamError {
    /// It is no address.
    Address {
        /// As written.
        address: String,
    },
    /// It is the address of a database server.
    Database {
        /// As written.
        address: String,
    },
    /// This build does not reach such addresses.
    NoCloud {
        /// What stands before `://`.
        scheme: &'static str,
    },
    /// The store cannot be used as it is set up.
    Setup {
        /// Where.
        address: String,
        /// What it says.
        detail: String,
    },
    /// The store does not answer, or not as it should.
    Unreachable {
        /// Where.
        address: String,
        /// What it says.
        detail: String,
    },
    /// The keys in use may not.
    Forbidden {
        /// Where.
        address: String,
        /// What they may not touch.
        name: String,
    },
    /// A file is not there.
    Missing {
        /// Where.
        address: String,
        /// Which one.
        name: String,
    },
    /// Nothing was published there.
    Nothing {
        /// Where.
        address: String,
    },
    /// It was published by a newer version.
    TooNew {
        /// Where.
        address: String,
        /// The generation.
        generation: u64,
        /// Its format.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// Its vectors are of another embedder.
    OtherEmbedder {
        /// Where.
        address: String,
        /// The generation.
        generation: u64,
        /// Its embedder's fingerprint.
        found: String,
        /// This workspace's.
        own: String,
    },
    /// A file does not hold what was published.
    Broken {
        /// Where.
        address: String,
        /// The generation.
        generation: u64,
        /// The file.
        name: String,
        /// What is wrong with it.
        detail: Detail,
    },
    /// An older generation is the newest there.
    GoneBack {
        /// Where.
        address: String,
        /// The newest there.
        found: u64,
        /// The one in force here.
        held: u64,
    },
    /// The keys may read nothing of what is published.
    NoShelf {
        /// Where.
        address: String,
        /// How many shelves there are.
        shelves: usize,
    },
    /// Another publisher was faster.
    Outrun {
        /// Where.
        address: String,
        /// The generation that is theirs.
        generation: u64,
    },
    /// What is published changed over and over while it was read.
    Moving {
        /// Where.
        address: String,
    },
    /// It was published without what it takes to read it in place.
    NotInPlace {
        /// Where.
        address: String,
        /// The generation.
        generation: u64,
    },
    /// It is not followed, or no more.
    NotFollowed {
        /// Where it is published.
        address: String,
    },
    /// The library here would not.
    Library(StoreError),
    /// What was published could not be taken in.
    Index(IndexError),
    /// The workspace lacks what it takes.
    Workspace(WorkspaceError),
}

impl TeamError {
    /// What is wrong and what to do, as it is told in any language; what a store said stays as it is.
    pub fn detail(&self) -> Detail {
        let text = |text: &str| Detail::from(text.to_owned());
        let number = |number: u64| Detail::from(number.to_string());
        match self {
            Self::Address { address } => Detail::of(Message::TeamAddress, [("address", text(address))]),
            Self::Database { address } => Detail::of(Message::TeamDatabase, [("address", text(address))]),
            Self::NoCloud { scheme } => Detail::of(Message::TeamNoCloud, [("scheme", text(scheme))]),
            Self::Setup { address, detail } => {
                Detail::of(Message::TeamStore, [("address", text(address)), ("detail", text(detail))])
            }
            Self::Unreachable { address, detail } => {
                Detail::of(Message::TeamUnreachable, [("address", text(address)), ("detail", text(detail))])
            }
            Self::Forbidden { address, name } => {
                Detail::of(Message::TeamForbidden, [("address", text(address)), ("name", text(name))])
            }
            Self::Missing { address, name } => {
                Detail::of(Message::TeamMissing, [("address", text(address)), ("name", text(name))])
            }
            Self::Nothing { address } => Detail::of(Message::TeamNothing, [("address", text(address))]),
            Self::TooNew { address, generation, found, known } => Detail::of(
                Message::TeamTooNew,
                [
                    ("address", text(address)),
                    ("generation", number(*generation)),
                    ("found", number(u64::from(*found))),
                    ("known", number(u64::from(*known))),
                ],
            ),
            Self::OtherEmbedder { address, generation, found, own } => Detail::of(
                Message::TeamOtherEmbedder,
                [
                    ("address", text(address)),
                    ("generation", number(*generation)),
                    ("found", text(found)),
                    ("own", text(own)),
                ],
            ),
            Self::Broken { address, generation, name, detail } => Detail::of(
                Message::TeamBroken,
                [
                    ("address", text(address)),
                    ("generation", number(*generation)),
                    ("name", text(name)),
                    ("detail", detail.clone()),
                ],
            ),
            Self::GoneBack { address, found, held } => Detail::of(
                Message::TeamGoneBack,
                [("address", text(address)), ("found", number(*found)), ("held", number(*held))],
            ),
            Self::NoShelf { address, shelves } => Detail::of(
                Message::TeamNoShelf,
                [("address", text(address)), ("n", Detail::from(shelves.to_string()))],
            ),
            Self::Outrun { address, generation } => Detail::of(
                Message::TeamOutrun,
                [("address", text(address)), ("generation", number(*generation))],
            ),
            Self::NotInPlace { address, generation } => Detail::of(
                Message::TeamNotInPlace,
                [("address", text(address)), ("generation", number(*generation))],
            ),
            Self::NotFollowed { address } => {
                Detail::of(Message::TeamNotFollowed, [("address", text(address))])
            }
            Self::Moving { address } => Detail::of(Message::TeamMoving, [("address", text(address))]),
            Self::Library(problem) => problem.detail(),
            Self::Index(problem) => problem.detail(),
            Self::Workspace(problem) => problem.detail(),
        }
    }
}

/// What a parser said of a file.
pub(crate) fn unreadable(problem: impl fmt::Display) -> Detail {
    Detail::of(Message::TeamUnreadable, [("detail", problem.to_string().into())])
}

/// As logs and the terminal have it: in English.
impl fmt::Display for TeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<StorageError> for TeamError {
    fn from(problem: StorageError) -> Self {
        match problem {
            StorageError::Address { address } => Self::Address { address },
            StorageError::Database { address } => Self::Database { address },
            StorageError::NoCloud { scheme } => Self::NoCloud { scheme },
            StorageError::Setup { address, detail } => Self::Setup { address, detail },
        }
    }
}

impl From<StoreError> for TeamError {
    fn from(problem: StoreError) -> Self {
        Self::Library(problem)
    }
}

impl From<WorkspaceError> for TeamError {
    fn from(problem: WorkspaceError) -> Self {
        Self::Workspace(problem)
    }
}

impl From<IndexError> for TeamError {
    fn from(problem: IndexError) -> Self {
        Self::Index(problem)
    }
}

#[cfg(test)]
mod tests {
    use plumbline_storage::Address;

    use super::TeamError;

    #[test]
    fn what_is_no_address_is_refused_with_a_word_on_what_is() {
        for written in ["", "http://example.org/a", "db://team"] {
            let problem = TeamError::from(Address::parse(written).unwrap_err()).to_string();
            assert!(problem.contains("s3://bucket/path"), "{written}: {problem}");
        }
    }
}
