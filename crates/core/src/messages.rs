//! Every fixed text of the assistant, in the user's language. Texts are data: `assets/languages/<code>/messages.toml`.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{FactField, Kind, Language, Standing};
use crate::kinds::RelationKind;
use crate::language::{Counted, Entry};
pub use crate::language::{Message, Messages};

impl Message {
    /// The sentence that gives a field of a record; `missing` where the record does not give it.
    pub const fn of_fact(field: FactField, missing: bool) -> Self {
        match (field, missing) {
            (FactField::Status, false) => Self::FactStatus,
            (FactField::Date, false) => Self::FactDate,
            (FactField::Owner, false) => Self::FactOwner,
            (FactField::Deciders, false) => Self::FactDeciders,
            (FactField::Approvers, false) => Self::FactApprovers,
            (FactField::Supersedes, false) => Self::FactSupersedes,
            (FactField::SupersededBy, false) => Self::FactSupersededBy,
            (FactField::Version, false) => Self::FactVersion,
            (FactField::Title, false) => Self::FactTitle,
            (FactField::Status, true) => Self::FactStatusMissing,
            (FactField::Date, true) => Self::FactDateMissing,
            (FactField::Owner, true) => Self::FactOwnerMissing,
            (FactField::Deciders, true) => Self::FactDecidersMissing,
            (FactField::Approvers, true) => Self::FactApproversMissing,
            (FactField::Supersedes, true) => Self::FactSupersedesMissing,
            (FactField::SupersededBy, true) => Self::FactSupersededByMissing,
            (FactField::Version, true) => Self::FactVersionMissing,
            (FactField::Title, true) => Self::FactTitleMissing,
        }
    }

    /// "3 decision records"; takes `n`.
    pub const fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Adr => Self::KindAdr,
            Kind::Dar => Self::KindDar,
            Kind::Principle => Self::KindPrinciple,
            Kind::Policy => Self::KindPolicy,
            Kind::Vocabulary => Self::KindVocabulary,
            Kind::Document => Self::KindDocument,
        }
    }

    /// What one record says of another; takes `from` and `to`.
    pub const fn of_relation(kind: RelationKind) -> Self {
        match kind {
            RelationKind::Supersedes => Self::RelationSupersedes,
            RelationKind::Amends => Self::RelationAmends,
            RelationKind::DependsOn => Self::RelationDependsOn,
            RelationKind::Refines => Self::RelationRefines,
            RelationKind::ConflictsWith => Self::RelationConflictsWith,
            RelationKind::Implements => Self::RelationImplements,
            RelationKind::Mentions => Self::RelationMentions,
        }
    }

    /// A standing in words.
    pub const fn of_standing(standing: Standing) -> Self {
        match standing {
            Standing::InForce => Self::StandingInForce,
            Standing::Proposed => Self::StandingProposed,
            Standing::Superseded => Self::StandingSuperseded,
            Standing::Deprecated => Self::StandingDeprecated,
            Standing::Rejected => Self::StandingRejected,
            Standing::Unknown => Self::StandingUnknown,
        }
    }
}

impl Messages {
    /// The texts of a language.
    pub fn of(language: Language) -> &'static Self {
        &language.pack().messages
    }

    /// A text with its `{placeholders}` filled in. Where it has a singular, `n` decides.
    pub fn text(&self, message: Message, values: &[(&str, &str)]) -> String {
        let template = match &self.entries[&message] {
            Entry::Text(text) => text,
            Entry::Counted(Counted { one, .. }) if values.contains(&("n", "1")) => one,
            Entry::Counted(Counted { other, .. }) => other,
        };
        fill(template, ("{", "}"), values)
    }

    /// The same with values that were kept; nothing where one is missing that the text needs.
    pub fn filled(&self, message: Message, values: &BTreeMap<String, String>) -> Option<String> {
        let complete = self.placeholders(message).iter().all(|name| values.contains_key(*name));
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        complete.then(|| self.text(message, &values))
    }

    /// The names of what a text needs filled in.
    pub(crate) fn placeholders(&self, message: Message) -> BTreeSet<&str> {
        self.entries[&message].placeholders()
    }

    /// "a, b and c".
    pub fn all_of<S: AsRef<str>>(&self, items: &[S]) -> String {
        self.joined(items, Message::And)
    }

    /// "a, b or c".
    pub fn any_of<S: AsRef<str>>(&self, items: &[S]) -> String {
        self.joined(items, Message::Or)
    }

    fn joined<S: AsRef<str>>(&self, items: &[S], word: Message) -> String {
        match items {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [before @ .., last] => {
                let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
                format!("{} {} {}", before.join(", "), self.text(word, &[]), last.as_ref())
            }
        }
    }

    /// A number with this many decimals, cut and not rounded, so that it never looks better than it is.
    pub fn number(&self, value: f64, decimals: usize) -> String {
        let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        // Scores are 32-bit numbers: without the nudge 0.29 would be shown as 0.28.
        let text = format!("{:.decimals$}", ((value * scale) + 1e-4).floor() / scale);
        text.replace('.', &self.decimal)
    }
}

/// Fills placeholders between `open` and `close` in one pass: what a value holds is never read as a placeholder, and
/// an unknown name stays as it is.
pub(crate) fn fill(template: &str, (open, close): (&str, &str), values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(open) {
        filled.push_str(before);
        let value = after.split_once(close).and_then(|(name, tail)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, tail))
        });
        match value {
            Some((value, tail)) => {
                filled.push_str(value);
                rest = tail;
            }
            None => {
                filled.push_str(open);
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}
