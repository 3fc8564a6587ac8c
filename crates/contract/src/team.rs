use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A library that somebody publishes and that is followed here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FollowedLibrary {
    /// Where it is published.
    pub address: String,
    /// The published generation that is in force.
    pub generation: u64,
    /// When that was published, ISO 8601.
    pub published_at: String,
    /// How many of its documents the user may see.
    pub documents: u32,
    /// Whether it is read where it lies, and not pulled.
    #[serde(default)]
    pub in_place: bool,
    /// When it was last looked for a newer one, ISO 8601.
    pub looked_at: Option<String>,
    /// Why that brought none, where something was in the way.
    pub problem: Option<String>,
}

/// What was last published from here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PublishedLibrary {
    /// Where.
    pub address: String,
    /// The generation that is in force there.
    pub generation: u64,
    /// Whether it was made then; where nothing had changed, none was.
    pub new: bool,
    /// When, ISO 8601.
    pub published_at: String,
    /// Its documents.
    pub documents: u32,
    /// What it is cut into by who may see what.
    pub shelves: u32,
    /// Documents that were new or had changed.
    pub added: u32,
    /// Documents that were gone or had changed.
    pub removed: u32,
    /// Entries of curated memory.
    #[serde(default)]
    pub entries: u32,
    /// Entries that are not published, because nobody may read all that they point at.
    #[serde(default)]
    pub entries_left_out: u32,
    /// Files of vocabularies.
    #[serde(default)]
    pub vocabularies: u32,
    /// Bytes that were sent.
    pub bytes_sent: u64,
}

/// What goes on between this library and a published one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TeamActivity {
    /// Where that is.
    pub address: String,
    /// How far it is.
    pub step: TeamStep,
}

/// How far following or publishing is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum TeamStep {
    /// It is seen what is there.
    Looking,
    /// Files arrive.
    Pulling {
        /// So many have.
        done: u32,
        /// So many will.
        total: u32,
    },
    /// What arrived is put in force.
    TakingIn,
    /// Documents are sent.
    Publishing {
        /// So many are there.
        done: u32,
        /// So many will be.
        total: u32,
    },
}

/// Published libraries, as this one follows and makes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TeamOverview {
    /// Those that are followed.
    pub followed: Vec<FollowedLibrary>,
    /// What was last published from here.
    pub published: Option<PublishedLibrary>,
    /// What goes on at the moment.
    pub activity: Option<TeamActivity>,
}

/// Keys to a store, on their way to the system's keyring.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GivenKeys {
    /// The access key's id, or the storage account's name; empty where the secret is a service account's file.
    pub id: String,
    /// The secret.
    pub secret: String,
}

impl std::fmt::Debug for GivenKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GivenKeys(…)")
    }
}

/// What became of keys that were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeysKept {
    /// None were given.
    NotGiven,
    /// In the system's keyring.
    InKeyring,
    /// Until the program ends, since the keyring cannot be used.
    ForThisSession,
}
