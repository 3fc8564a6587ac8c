//! One question of the golden set, and what is expected of the answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::halves::Half;

/// One question with what a right answer to it must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GoldenQuery {
    /// Identifier, `GS-001` and up.
    pub id: String,
    /// The question as a user types it.
    pub query: String,
    /// Language of the question.
    pub language: Language,
    /// What kind of question it is.
    pub category: Category,
    /// The conversation before it; only for follow-ups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Turn>,
    /// Access tags of the asker.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_tags: Vec<String>,
    /// What a right answer must hold.
    pub expected: Expected,
    /// Free labels, for reports by kind of difficulty.
    pub tags: Vec<String>,
    /// What the right behaviour is, where the other fields do not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl GoldenQuery {
    /// Whether the question carries a tag.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }

    /// The half that it belongs to, by the first document that a right answer cites or lists.
    #[must_use]
    pub fn half(&self) -> Half {
        let rows = self.expected.rows.iter().map(String::as_str);
        self.expected.cited_ids().chain(rows).next().map_or(Half::NoDocument, Half::of)
    }
}

/// What a right answer must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// Where the question has to be answered from.
    pub route: Route,
    /// Whether refusing is right.
    pub abstain: bool,
    /// The one right reason of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Reasons that are equally right.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Whether asking back is right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clarify: bool,
    /// Kinds of documents that a right answer cites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doc_types: Vec<String>,
    /// Documents that a right answer must cite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doc_ids: Vec<String>,
    /// Groups of documents of each of which a right answer must cite at least one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doc_ids_any: Vec<Vec<String>>,
    /// Documents that may be cited as well without being wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acceptable_doc_ids: Vec<String>,
    /// `SKOSMOS` for terminology.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Words, as they stand in an expected document, that a right answer must rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The same for several documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Quote>,
    /// Rows of a complete list, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// A field of a record and its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<Fact>,
}

impl Expected {
    /// The reasons of a refusal that are right, from either field.
    pub fn right_reasons(&self) -> impl Iterator<Item = Reason> + '_ {
        self.reason.iter().chain(&self.reasons).copied()
    }

    /// Documents that a right answer cites, or of which it cites some.
    pub fn cited_ids(&self) -> impl Iterator<Item = &str> {
        self.doc_ids.iter().chain(self.doc_ids_any.iter().flatten()).map(String::as_str)
    }

    /// Every document that is named at all.
    pub fn all_ids(&self) -> impl Iterator<Item = &str> {
        self.cited_ids().chain(self.acceptable_doc_ids.iter().chain(&self.rows).map(String::as_str))
    }
}

/// Words of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The document.
    pub doc_id: String,
    /// Its words.
    pub text: String,
}

/// A field of a record, with its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// `status`, `date`, `version`, `owner`, `approvers`, `supersedes`, `superseded_by` or `count`.
    pub field: String,
    /// The values that the answer must name.
    pub values: Vec<String>,
}

/// One turn of the conversation before a follow-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Who spoke.
    pub role: Role,
    /// What was said.
    pub content: String,
}

/// Who spoke in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The asker.
    User,
    /// Plumbline.
    Assistant,
}

/// Language of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// Dutch.
    Nl,
}

/// Where a question has to be answered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The vocabulary of record.
    Skosmos,
    /// Architecture decision records.
    Adr,
    /// Principles.
    Principle,
    /// Policies.
    Policy,
    /// Decision approval records.
    Dar,
    /// Several kinds of documents.
    Multi,
    /// The catalogue, over several kinds of documents.
    Catalogue,
}

/// Reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing was found.
    NoResults,
    /// What was found is too far from the question.
    LowConfidence,
    /// The vocabulary does not hold the term.
    TerminologyNotFound,
    /// The vocabulary did not answer in time.
    TerminologyTimeout,
    /// The vocabulary could not be asked.
    TerminologyError,
    /// No document has the id that was asked for.
    EntityNotFound,
    /// The passages do not support an answer.
    Unsupported,
    /// The question is about something else altogether.
    OffTopic,
}

macro_rules! categories {
    ($($(#[$doc:meta])* $variant:ident => $name:literal,)*) => {
        /// What kind of question it is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Category {
            $($(#[$doc])* $variant,)*
        }

        impl Category {
            /// Every category, in the order of the report.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name that stands in the file.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

categories! {
    /// A term that the vocabulary holds.
    TerminologyHit => "terminology_hit",
    /// A term that it does not hold.
    TerminologyMiss => "terminology_miss",
    /// A term with several meanings.
    TerminologyAmbiguous => "terminology_ambiguous",
    /// A vocabulary that does not answer.
    TerminologyTimeout => "terminology_timeout",
    /// Looks like a question for a definition and is none.
    NonTerminologyDefine => "non_terminology_define",
    /// A list or a count.
    NonTerminologyList => "non_terminology_list",
    /// Answered by a decision record.
    AdrRetrieval => "adr_retrieval",
    /// Answered by a principle.
    PrincipleRetrieval => "principle_retrieval",
    /// Answered by a policy.
    PolicyRetrieval => "policy_retrieval",
    /// A document that does not exist.
    EntityNotFound => "entity_not_found",
    /// A question in the asker's own words, to no document in particular.
    SemanticSearch => "semantic_search",
    /// Answered by several kinds of documents together.
    CrossCollection => "cross_collection",
    /// A field of one record.
    FactLookup => "fact_lookup",
    /// Understandable only from the conversation before it.
    FollowUp => "follow_up",
    /// A false premise.
    Bait => "bait",
    /// Nothing to do with the library.
    OffTopic => "off_topic",
    /// A subject next to what the library holds.
    NearMiss => "near_miss",
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Category;

    #[test]
    fn the_name_of_a_category_is_the_one_in_the_file() {
        for category in Category::ALL {
            let written = serde_json::to_value(category).unwrap();
            assert_eq!(written, category.as_str());
        }
    }
}
