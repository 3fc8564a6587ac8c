//! The names under which documents state something of themselves, in every language.

use plumbline_core::domain::Language;
use plumbline_core::language::{DocumentWords, Labels};

use super::words::key;

/// What a labelled value is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Title,
    Status,
    /// The day of the last change.
    Updated,
    /// The day, without saying of what.
    Date,
    /// The day of decision, approval or taking effect.
    Decided,
    Reviewed,
    Created,
    Version,
    Deciders,
    Approvers,
    Owner,
    /// Who drives or answers for a decision; its owner where none is named.
    Driver,
    Tags,
    AccessTags,
    Supersedes,
    SupersededBy,
    Language,
    Type,
    Identifier,
    /// Columns of tables of people and decisions.
    Name,
    Decision,
}

impl Field {
    pub(super) fn is_date(self) -> bool {
        matches!(self, Self::Updated | Self::Date | Self::Decided | Self::Reviewed | Self::Created)
    }

    /// What a label is about, if it is one.
    pub(super) fn of(label: &str) -> Option<Self> {
        let label = key(label.trim().trim_end_matches([':', '?']));
        let says =
            |names: fn(&Labels) -> &Vec<String>| any_language(|words| names(&words.labels).contains(&label));
        LABELS.iter().find(|(_, names)| says(*names)).map(|(field, _)| *field)
    }

    /// What a column is about; "Decision" heads a column of decisions, but is no label.
    pub(super) fn of_column(heading: &str) -> Option<Self> {
        let label = key(heading);
        if any_language(|words| words.columns.name.contains(&label)) {
            Some(Self::Name)
        } else if any_language(|words| words.columns.decision.contains(&label)) {
            Some(Self::Decision)
        } else {
            Self::of(heading)
        }
    }
}

/// Whether this holds of the words of any language: documents mix them.
pub(super) fn any_language(holds: impl Fn(&DocumentWords) -> bool) -> bool {
    Language::all().any(|language| holds(language.documents()))
}

/// The words of all languages in one pattern, the longest first.
pub(super) fn alternatives(words: fn(&DocumentWords) -> &Vec<String>, fixed: &[&str]) -> String {
    let of_languages = Language::all().flat_map(|language| words(language.documents())).map(String::as_str);
    let mut all: Vec<&str> = of_languages.chain(fixed.iter().copied()).collect();
    all.sort_by_key(|word| std::cmp::Reverse(word.len()));
    all.into_iter().map(regex::escape).collect::<Vec<_>>().join("|")
}

/// The words that a pack has for a field.
type WordsOf = fn(&Labels) -> &Vec<String>;

/// Where each field's names stand in a language's words.
const LABELS: [(Field, WordsOf); 19] = [
    (Field::Title, |labels| &labels.title),
    (Field::Status, |labels| &labels.status),
    (Field::Updated, |labels| &labels.updated),
    (Field::Date, |labels| &labels.date),
    (Field::Decided, |labels| &labels.decided),
    (Field::Reviewed, |labels| &labels.reviewed),
    (Field::Created, |labels| &labels.created),
    (Field::Version, |labels| &labels.version),
    (Field::Deciders, |labels| &labels.deciders),
    (Field::Approvers, |labels| &labels.approvers),
    (Field::Owner, |labels| &labels.owner),
    (Field::Driver, |labels| &labels.driver),
    (Field::Tags, |labels| &labels.tags),
    (Field::AccessTags, |labels| &labels.access_tags),
    (Field::Supersedes, |labels| &labels.supersedes),
    (Field::SupersededBy, |labels| &labels.superseded_by),
    (Field::Language, |labels| &labels.language),
    (Field::Type, |labels| &labels.r#type),
    (Field::Identifier, |labels| &labels.identifier),
];
