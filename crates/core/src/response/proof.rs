use serde::{Deserialize, Serialize};

/// What decided on a statement of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ProofBasis {
    /// Its words and those of the passages: no reader read it.
    Words,
    /// A reader, over the passages that the model was given.
    Reader,
    /// A reader, over another passage of a document that it cites.
    RestOfDocument,
}

/// How a statement of a model was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StatementProof {
    /// The statement, without citations; what is withheld stands with its label among those that were.
    pub text: Option<String>,
    /// Whether it is part of the answer.
    pub kept: bool,
    /// What decided.
    pub basis: ProofBasis,
    /// The passage that the reader is surest of, by its source id.
    pub passage: Option<String>,
    /// How sure the reader is that it follows from that passage, 0 to 1.
    pub follows: Option<f64>,
    /// How sure the reader is that one of the passages says otherwise, 0 to 1.
    pub contradicted: Option<f64>,
}
