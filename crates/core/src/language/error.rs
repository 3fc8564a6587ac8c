//! What can be wrong with a language's folder.

use thiserror::Error;

/// Why a language cannot be used. Every one stops the start: a check without its words would let everything pass.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PackError {
    /// A folder or file cannot be read.
    #[error("{path}: {problem}")]
    Unreadable {
        /// The folder or file.
        path: String,
        /// What the system says.
        problem: String,
    },
    /// A file that every language has is not there.
    #[error("{file}: this file is missing")]
    MissingFile {
        /// The file.
        file: String,
    },
    /// A file that no language has.
    #[error("{file}: no language has a file of this name")]
    UnknownFile {
        /// The file.
        file: String,
    },
    /// A file is not written as it should be: a key is unknown, missing or of another type.
    #[error("{file}: {problem}")]
    Malformed {
        /// The file.
        file: String,
        /// What is wrong, with the line and the key.
        problem: String,
    },
    /// A value cannot be used.
    #[error("{file}: `{key}`: {problem}")]
    Value {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A pattern is no regular expression.
    #[error("{file}: `{key}`: the pattern `{pattern}` cannot be used: {problem}")]
    Pattern {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two folders are of one language.
    #[error("there are two folders for the language `{code}`")]
    Twice {
        /// The language.
        code: String,
    },
    /// The languages were in use before this folder was named.
    #[error("{folder}: the languages are in use already; name the folder before anything else")]
    TooLate {
        /// The folder.
        folder: String,
    },
}
