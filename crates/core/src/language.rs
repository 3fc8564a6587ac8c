//! Languages as data: a language is a folder under `assets/languages`, or one that is named at the start, and no line of Rust.
//!
//! All packs are read once. [`start`] says what is wrong with them, by file, key and pattern; whoever has not called it
//! gets the same packs at the first use, and ends there if they are broken: no check runs without its words.

// Declares before it is used.
#[macro_use]
mod declared;
#[macro_use]
mod server_messages;

mod across;
mod aspects;
mod documents;
mod error;
mod grounding;
mod intent;
mod map;
mod message;
mod messages;
mod pack;
mod passages;
mod patterns;
mod profile;
mod remarks;
mod stemmer;
#[cfg(feature = "ts")]
mod typescript;
mod words;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::OnceLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use documents::{
    Affirmed, ApprovalWords, Columns, DocumentWords, HintWords, KindWords, Labels, NameWords, RelationWords,
    ReplacingWords, Sections, StatementWords, StatusWords,
};
pub use error::PackError;
pub use message::Message;
pub use messages::Messages;
pub use pack::{AddedLanguages, LanguageFiles};
pub use words::{CompoundNumbers, WordList};

pub(crate) use across::Across;
pub(crate) use grounding::{Lexicon, Outcomes, Sides, Traits};
pub(crate) use intent::facts::MASK;
pub(crate) use intent::follow_up::FollowUpRules;
pub(crate) use intent::list::ListRules;
pub(crate) use intent::several_questions::{ASPECTS, SeveralQuestions};
pub(crate) use intent::terminology::TerminologyRules;
pub(crate) use map::Map;
pub(crate) use messages::{Counted, Entry};
pub(crate) use pack::Pack;
pub use patterns::fixed;

pub(crate) use patterns::Patterns;

use pack::Packs;

/// The variable that names a folder with more languages, each a folder of its own; whoever starts the program reads it.
pub const FOLDER_VARIABLE: &str = "PLUMBLINE_LANGUAGES";

/// A language that questions and documents are analysed in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

impl Language {
    /// Every language that has a pack, those of the program first.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Pack::all().map(|pack| pack.language)
    }

    /// The BCP 47 code.
    pub fn code(self) -> &'static str {
        &self.pack().code
    }

    /// Reads a BCP 47 code, with or without a region.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or_default();
        Self::all().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// The language that documents call so: by its code or by a name.
    pub fn named(name: &str) -> Option<Self> {
        let known = Pack::all().find(|pack| pack.profile.known_as.iter().any(|known| known == name));
        known.map(|pack| pack.language).or_else(|| Self::from_code(name))
    }

    /// What it is called in a language.
    pub fn name_in(self, reader: Self) -> &'static str {
        reader.pack().profile.names.get(self.code()).unwrap_or(&self.pack().profile.name)
    }

    /// The words by which its documents say what they are.
    pub fn documents(self) -> &'static DocumentWords {
        &self.pack().documents
    }

    pub(crate) fn pack(self) -> &'static Pack {
        &packs().all[usize::from(self.0)]
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::EN
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::all().find(|language| language.code() == code).ok_or_else(|| {
            let known: Vec<String> = Self::all().map(|language| format!("`{}`", language.code())).collect();
            D::Error::custom(format!("unknown language `{code}`, expected {}", known.join(" or ")))
        })
    }
}

static PACKS: OnceLock<Result<Packs, PackError>> = OnceLock::new();

/// Takes the languages of the program and those that are added. Called before anything else; the packs stay as they are until the
/// program ends.
pub fn start(added: Option<AddedLanguages>) -> Result<(), PackError> {
    let folder = added.as_ref().map(|added| added.folder.clone());
    let packs = PACKS.get_or_init(|| Packs::load(added)).as_ref().map_err(Clone::clone)?;
    match folder.filter(|folder| packs.folder.as_ref() != Some(folder)) {
        Some(folder) => Err(PackError::TooLate { folder }),
        None => Ok(()),
    }
}

/// What is wrong with languages, without using them.
pub fn check(added: AddedLanguages) -> Result<(), PackError> {
    Packs::load(Some(added)).map(|_| ())
}

fn packs() -> &'static Packs {
    let packs = PACKS.get_or_init(|| Packs::load(None));
    packs.as_ref().unwrap_or_else(|error| patterns::stop(error))
}

/// What is read in every language at once.
pub(crate) fn across() -> &'static Across {
    &packs().across
}
