//! How documents say what they are: `documents.toml`.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use crate::kinds::{RelationKind, Standing};

/// The words by which documents of a language say what they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentWords {
    /// The words of a status.
    pub status: StatusWords,
    /// The names under which they state something of themselves.
    pub labels: Labels,
    /// Headings of columns.
    pub columns: Columns,
    /// Headings of sections.
    pub sections: Sections,
    /// Words in the names of files, folders and titles.
    pub names: NameWords,
    /// Words by which a document's kind is told.
    pub kinds: KindWords,
    /// Verbs by which one record replaces another.
    pub replacing: ReplacingWords,
    /// How one record speaks of another, for each relation.
    pub relations: HashMap<RelationKind, RelationWords>,
    /// What sentences demand, choose and except.
    pub statements: StatementWords,
    /// Records of approvals.
    pub approvals: ApprovalWords,
    /// What forms leave behind.
    pub hints: HintWords,
}

/// Words in the names of files, folders and titles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameWords {
    /// Before the number of a decision.
    pub adr: Vec<String>,
    /// Before the number of a principle.
    pub principle: Vec<String>,
    /// Before the number of a record, where another record names it.
    pub record: Vec<String>,
    /// Before the number of a decision in its title.
    pub decision_titles: Vec<String>,
    /// Between those and the number.
    pub number: Vec<String>,
    /// Pages that stand for their folder.
    pub front_pages: Vec<String>,
    /// Forms to fill in.
    pub forms: Vec<String>,
    /// Which of several forms it is, behind the word for a form.
    pub form_variants: Vec<String>,
    /// What is about the repository: the first word of a name, or the whole of it.
    pub repository: Vec<String>,
    /// Lists of other documents.
    pub contents: Vec<String>,
}

/// Words by which a document's kind is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindWords {
    /// The whole name of a type or folder of approval records.
    pub approval: Vec<String>,
    /// The last word of one of decisions.
    pub decision: Vec<String>,
    /// What such a name may hold instead.
    pub decision_records: Vec<String>,
    /// The last word of one of principles.
    pub principle: Vec<String>,
    /// The last word of one of policies.
    pub policy: Vec<String>,
    /// What the identifier of a principle begins with.
    pub principle_ids: Vec<String>,
    /// First words in the file name of a policy.
    pub policy_openings: Vec<String>,
    /// What the file name or the title of a policy ends with.
    pub policy_endings: Vec<String>,
    /// What the first lines of a decision say.
    pub deciding: Vec<String>,
}

/// Verbs by which one record replaces another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacingWords {
    /// Of the one that is replaced.
    pub passive: Vec<String>,
    /// What may follow them.
    pub by: Vec<String>,
    /// Of the one that replaces.
    pub active: Vec<String>,
    /// Those of either that are said of records only.
    pub of_records: Vec<String>,
}

/// How one record says one thing of another. A star stands for any ending.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RelationWords {
    /// Before the other's name.
    pub before: Vec<String>,
    /// Before the other's name, where it is the other that does so.
    pub before_by: Vec<String>,
    /// Before the other's name with hardly a word between.
    pub close: Vec<String>,
    /// At the beginning of a sentence, right before the name.
    pub opening: Vec<String>,
    /// Behind the name.
    pub behind: Vec<String>,
    /// Behind the name, where it is the other that does so.
    pub behind_by: Vec<String>,
    /// On both sides of the other's name, with dots in its place: "breidt … uit".
    pub around: Vec<String>,
    /// Before the other's name and behind a thing that they are said of: "the queue described in ADR.3".
    pub of_thing: Vec<String>,
    /// Keys of front matter.
    pub keys: Vec<String>,
    /// Keys of front matter, where it is the other that does so.
    pub keys_by: Vec<String>,
}

/// What sentences demand, choose and except.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementWords {
    /// What is demanded.
    pub must: Vec<String>,
    /// What is forbidden.
    pub must_not: Vec<String>,
    /// What is allowed.
    pub may: Vec<String>,
    /// What may be left.
    pub need_not: Vec<String>,
    /// What is told not to be so.
    pub is_not: Vec<String>,
    /// How the words that forbid are said where the same is demanded or allowed.
    pub affirmed: Vec<Affirmed>,
    /// Words before a condition.
    pub conditions: Vec<String>,
    /// A quantity may be more.
    pub at_least: Vec<String>,
    /// A quantity may be less.
    pub at_most: Vec<String>,
    /// Half of the unit that follows.
    pub halves: Vec<String>,
    /// Something is chosen.
    pub choosing: Vec<String>,
    /// An exception to a rule.
    pub exceptions: Vec<String>,
    /// Before the day on which an exception ends.
    pub ends: Vec<String>,
    /// Before how long it lasts.
    pub lasting: Vec<String>,
    /// By which it is told how a record stands now.
    pub standing: Vec<String>,
    /// By which it is told how it stood once: that it ended then still holds.
    pub stood: Vec<String>,
    /// Before the year on whose last day an exception ends.
    pub year_ends: Vec<String>,
    /// Before a thing that is known: "the queue".
    pub definite: Vec<String>,
    /// Something must be gone, or is.
    pub gone: Vec<String>,
    /// Before a clause that goes with another.
    pub clauses: Vec<String>,
    /// Something was so, or was weighed and not taken.
    pub past: Vec<String>,
    /// Kinds of one thing that a rule may be made for, each under a name over languages: what is said of staff is not said of
    /// customers. A star stands for any ending.
    pub cases: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Surroundings in which something else may hold than where none are named.
    pub settings: BTreeMap<String, Vec<String>>,
}

/// Words that forbid, as they are said where the same is demanded or allowed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Affirmed {
    /// It is forbidden.
    pub forbidden: String,
    /// It is demanded.
    pub demanded: String,
    /// It is allowed.
    pub allowed: String,
}

/// The words of records of approvals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalWords {
    /// How their titles begin.
    pub titles: Vec<String>,
    /// First words of a decision that approves, beside the words of a status.
    pub approving: Vec<String>,
    /// Parts of the headings above tables of those who approve.
    pub headings: Vec<String>,
    /// Before what a version is of.
    pub version_of: Vec<String>,
}

/// What forms leave behind when they are filled in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintWords {
    /// How a line in brackets begins that tells authors what to write.
    pub openings: Vec<String>,
    /// Values that only say that there is none yet.
    pub blanks: Vec<String>,
}

/// The names under which documents state something of themselves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// Its title.
    pub title: Vec<String>,
    /// Its status.
    pub status: Vec<String>,
    /// The day of the last change.
    pub updated: Vec<String>,
    /// A day, without saying of what.
    pub date: Vec<String>,
    /// The day of decision, approval or taking effect.
    pub decided: Vec<String>,
    /// The day of the last review.
    pub reviewed: Vec<String>,
    /// The day of the first version.
    pub created: Vec<String>,
    /// Its version.
    pub version: Vec<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Who approved.
    pub approvers: Vec<String>,
    /// Its owner.
    pub owner: Vec<String>,
    /// Who drives or answers for it.
    pub driver: Vec<String>,
    /// Topic tags.
    pub tags: Vec<String>,
    /// Tags of which a reader must hold one.
    pub access_tags: Vec<String>,
    /// What it replaces.
    pub supersedes: Vec<String>,
    /// What replaces it.
    pub superseded_by: Vec<String>,
    /// Its language.
    pub language: Vec<String>,
    /// What it is.
    pub r#type: Vec<String>,
    /// Its number or id.
    pub identifier: Vec<String>,
    /// Names of what is of no use, but ends the value before it.
    pub other: Vec<String>,
    /// Before a version on a line of its own, without a colon.
    pub version_lines: Vec<String>,
    /// Keys of front matter that group what is said of the record itself.
    pub groups: Vec<String>,
}

impl Labels {
    /// Whether this holds of any of the names of what is stated.
    pub(crate) fn any(&self, holds: impl Fn(&String) -> bool) -> bool {
        [
            &self.title,
            &self.status,
            &self.updated,
            &self.date,
            &self.decided,
            &self.reviewed,
            &self.created,
            &self.version,
            &self.deciders,
            &self.approvers,
            &self.owner,
            &self.driver,
            &self.tags,
            &self.access_tags,
            &self.supersedes,
            &self.superseded_by,
            &self.language,
            &self.r#type,
            &self.identifier,
        ]
        .into_iter()
        .flatten()
        .any(holds)
    }
}

/// Headings of the columns in tables of people and of what they decided.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// Who.
    pub name: Vec<String>,
    /// What was decided.
    pub decision: Vec<String>,
}

/// Headings inside records, principles and policies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sections {
    /// Those that are no title.
    pub names: Vec<String>,
    /// What its status is.
    pub status: Vec<String>,
    /// Words in those that hold what a document says of itself.
    pub administrative: Vec<String>,
    /// First words of such, with more words behind them.
    pub administrative_openings: Vec<String>,
    /// How those begin that name other records, under labels or behind verbs.
    pub links: Vec<String>,
    /// How those begin that name other records under labels only.
    pub references: Vec<String>,
    /// What was decided.
    pub decision: Vec<String>,
    /// Why something had to be.
    pub context: Vec<String>,
    /// What else could have been.
    pub options: Vec<String>,
    /// What follows from it.
    pub consequences: Vec<String>,
    /// Why it was decided so.
    pub reasons: Vec<String>,
    /// What a principle says.
    pub statement: Vec<String>,
    /// Why it says so.
    pub rationale: Vec<String>,
    /// What it means for the work.
    pub implications: Vec<String>,
}

/// The words of a status for each standing; a star at the end stands for any ending.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusWords {
    /// Words that take back the word behind them.
    pub denials: Vec<String>,
    /// Words that may stand between the two.
    pub between: Vec<String>,
    /// Words that a status of several words may begin with.
    pub leads: Vec<String>,
    /// Words that begin a line on other records instead of a status.
    pub relations: Vec<String>,
    in_force: Vec<String>,
    proposed: Vec<String>,
    superseded: Vec<String>,
    deprecated: Vec<String>,
    rejected: Vec<String>,
}

impl StatusWords {
    /// The words for a standing.
    pub fn of(&self, standing: Standing) -> &[String] {
        match standing {
            Standing::InForce => &self.in_force,
            Standing::Proposed => &self.proposed,
            Standing::Superseded => &self.superseded,
            Standing::Deprecated => &self.deprecated,
            Standing::Rejected => &self.rejected,
            Standing::Unknown => &[],
        }
    }
}
