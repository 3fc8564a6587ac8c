use plumbline_core::decisions::{ContradictionKind, Mark, RelationKind};
use plumbline_core::domain::{Kind, Standing};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The records of the library and what they say of one another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DecisionGraph {
    /// Decisions, principles and policies, and whatever else takes part in a relation; in the order of lists.
    pub nodes: Vec<DecisionNode>,
    /// What they say of one another, each once and in one direction.
    pub relations: Vec<DecisionRelation>,
    /// Relations that lead nowhere or in a circle.
    pub problems: Vec<RelationProblem>,
}

/// A record in the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DecisionNode {
    /// Its id, as in `documents`.
    pub id: String,
    /// As people write it, such as `ADR-0012`; its title where it has no number.
    pub reference: String,
    /// Where it lies, relative to its folder.
    pub path: String,
    /// Its title.
    pub title: String,
    /// What it is.
    pub kind: Kind,
    /// Its status, as written.
    pub status: Option<String>,
    /// Whether it is in force.
    pub standing: Standing,
    /// The day of its last update by its own account, ISO 8601.
    pub date: Option<String>,
    /// What it is about: concepts of the vocabulary that its title or tags name, by their labels, then its tags.
    pub concepts: Vec<String>,
}

/// What one record says of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DecisionRelation {
    /// The id of the first.
    pub from: String,
    /// The id of the second.
    pub to: String,
    /// In the direction from the first to the second.
    pub relation: RelationKind,
    /// The sentence, line or entry that says so, as written.
    pub sentence: String,
    /// The file that says so, relative to its folder: that of the first, or of the second ("superseded by").
    pub path: String,
    /// The line of that file on which it begins, from 1.
    pub line: u32,
}

/// What is wrong with a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RelationProblemKind {
    /// The record that is named is not there.
    Broken,
    /// It leads back to where it began: two records that supersede each other.
    Circular,
}

/// A relation that leads nowhere or in a circle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RelationProblem {
    /// What is wrong.
    pub kind: RelationProblemKind,
    /// The id of the record that says so.
    pub from: String,
    /// Of a broken one the other record as written, else its id.
    pub to: String,
    /// What is said.
    pub relation: RelationKind,
    /// The sentence that says so.
    pub sentence: String,
}

/// How far the reading of what is new is, on the way to what opposes what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContradictionProgress {
    /// What is being done.
    pub step: ContradictionStep,
    /// Statements or pairs of statements that are done.
    pub done: u32,
    /// Of how many.
    pub total: u32,
}

/// What is done to tell what opposes what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionStep {
    /// Statements are compared.
    Comparing,
    /// Pairs of near statements are read.
    Reading,
}

/// What opposes what in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Contradictions {
    /// Statements in force that oppose each other; those that were marked too.
    pub found: Vec<Contradiction>,
    /// Whether they were held against each other by their words alone, since there is no reader to tell what they mean.
    pub by_words_alone: bool,
}

/// Two statements in force that oppose each other. Shown side by side, never as a judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Contradiction {
    /// Its id: the same as long as both passages say the same.
    pub id: String,
    /// In what way they oppose each other.
    pub kind: ContradictionKind,
    /// One passage.
    pub first: OpposingPassage,
    /// The other.
    pub second: OpposingPassage,
    /// The words of the first that oppose those of the second.
    pub opposes: (String, String),
    /// What the user said of it.
    pub mark: Option<Mark>,
}

/// One of two passages that oppose each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpposingPassage {
    /// The id of its document.
    pub document: String,
    /// The document as people write it.
    pub reference: String,
    /// The document's title.
    pub title: String,
    /// Where the document lies, relative to its folder.
    pub path: String,
    /// The heading above it; empty where there is none.
    pub heading: String,
    /// The sentence, as written.
    pub sentence: String,
    /// The line on which it begins, from 1.
    pub line: u32,
}
