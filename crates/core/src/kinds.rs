//! What documents are, how they stand and what can be asked of them: the names that language packs have words for.

use serde::{Deserialize, Serialize};

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Kind {
    /// An architecture decision record.
    #[serde(rename = "ADR")]
    Adr,
    /// A decision approval record.
    #[serde(rename = "DAR")]
    Dar,
    /// An architecture principle.
    Principle,
    /// A policy.
    Policy,
    /// A concept of the vocabulary of record.
    Vocabulary,
    /// Anything else in the library.
    Document,
}

impl Kind {
    /// Every kind, in the order of lists.
    pub const ALL: [Self; 6] =
        [Self::Adr, Self::Dar, Self::Principle, Self::Policy, Self::Vocabulary, Self::Document];

    /// The name used in doc types, collections and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Adr => "ADR",
            Self::Dar => "DAR",
            Self::Principle => "Principle",
            Self::Policy => "Policy",
            Self::Vocabulary => "Vocabulary",
            Self::Document => "Document",
        }
    }

    /// What the ids of such documents begin with; numbered kinds only carry a number behind it.
    pub const fn id_prefix(self) -> &'static str {
        match self {
            Self::Adr | Self::Dar => "adr",
            Self::Principle => "pcp",
            Self::Policy => "policy",
            Self::Vocabulary => "vocab",
            Self::Document => "doc",
        }
    }
}

/// Whether a record is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Standing {
    /// Accepted, approved or in force.
    InForce,
    /// Proposed or draft.
    Proposed,
    /// Superseded by another record.
    Superseded,
    /// Deprecated or withdrawn.
    Deprecated,
    /// Rejected.
    Rejected,
    /// The document does not say.
    Unknown,
}

/// What a record says of another. Read from the first to the second: the first supersedes the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum RelationKind {
    /// The other no longer holds.
    Supersedes,
    /// Changes or adds to what the other decided, which stays in force.
    Amends,
    /// Would not stand, or not like this, without the other.
    DependsOn,
    /// Works out the other in more detail.
    Refines,
    /// Answers the same question in another way.
    ConflictsWith,
    /// Carries out a principle, policy or standard.
    Implements,
    /// Names it, and says no more.
    Mentions,
}

impl RelationKind {
    /// Every kind, the strongest first: of two in one sentence the first counts.
    pub const ALL: [Self; 7] = [
        Self::Supersedes,
        Self::Amends,
        Self::Refines,
        Self::DependsOn,
        Self::Implements,
        Self::ConflictsWith,
        Self::Mentions,
    ];

    /// Those by which one record rests on another that is in force.
    pub const RESTING: [Self; 4] = [Self::DependsOn, Self::Refines, Self::Implements, Self::Amends];

    /// The name used in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supersedes => "supersedes",
            Self::Amends => "amends",
            Self::DependsOn => "depends_on",
            Self::Refines => "refines",
            Self::ConflictsWith => "conflicts_with",
            Self::Implements => "implements",
            Self::Mentions => "mentions",
        }
    }
}

/// What can be asked of the graph of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphAsk {
    /// Which others say this of a record: what depends on it.
    To,
    /// Of which others a record says this: what it depends on.
    From,
    /// What a change of a record, or of a thing, touches.
    Impact,
    /// What two records say of each other.
    Between,
    /// Which records of one kind no record of another kind goes with.
    Lacking,
    /// What was decided on something, the oldest first.
    History,
}

/// A field of a record that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactField {
    /// Its status.
    Status,
    /// When it was decided or last updated.
    Date,
    /// Who owns it.
    Owner,
    /// Who decided it.
    Deciders,
    /// Who approved it.
    Approvers,
    /// What it replaces.
    Supersedes,
    /// What replaces it.
    SupersededBy,
    /// Its version.
    Version,
    /// Its title.
    Title,
}

impl FactField {
    /// The name in responses, packs and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Date => "date",
            Self::Owner => "owner",
            Self::Deciders => "deciders",
            Self::Approvers => "approvers",
            Self::Supersedes => "supersedes",
            Self::SupersededBy => "superseded_by",
            Self::Version => "version",
            Self::Title => "title",
        }
    }
}

/// What can be asked about the assistant itself, in the order in which it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Nothing: a greeting.
    Greeting,
    /// Nothing: thanks, praise or a farewell.
    Thanks,
    /// Who or what it is.
    Identity,
    /// What it can do, and how to begin.
    Abilities,
    /// Whether its answers can be relied on.
    Trust,
    /// Which documents it has.
    Library,
    /// Which terms it knows.
    Vocabulary,
    /// Which model words the answers, and where.
    Model,
    /// What becomes of what the user types.
    Privacy,
    /// Which version it is.
    Version,
    /// More of something that was never named.
    Unfinished,
}
