//! Why settings, thresholds or owners could not be read.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use crate::numbers::NumbersError;

/// Where a setting was given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The built-in default.
    Default,
    /// A file.
    File(PathBuf),
    /// An environment variable.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("the built-in default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Variable(name) => write!(f, "the environment variable {name}"),
            Self::Flag(flag) => write!(f, "the flag {flag}"),
        }
    }
}

/// Why settings, thresholds or owners could not be read. The message names the place and what is allowed there.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// The file is not what its name says.
    #[error("{origin}, line {line}: {detail}")]
    Syntax {
        /// The file.
        origin: Origin,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        detail: String,
    },
    /// The value is not allowed.
    #[error("{origin}: `{key}` is {value}, and must be {allowed}")]
    Value {
        /// Where it was given.
        origin: Origin,
        /// The setting.
        key: String,
        /// What it was given, as written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// The program was built with numbers that do not hold.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// There is no such setting.
    #[error("{origin}: there is no setting `{key}`{}", hint(.nearest.as_deref()))]
    UnknownKey {
        /// Where it was given.
        origin: Origin,
        /// What was written.
        key: String,
        /// What it may have been meant to be.
        nearest: Option<String>,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}

/// The line of a byte position, from 1.
pub(super) fn line_of(text: &str, position: usize) -> usize {
    1 + text.bytes().take(position).filter(|b| *b == b'\n').count()
}

/// A TOML error with its place.
pub(super) fn toml_syntax(origin: Origin, text: &str, error: &toml::de::Error) -> SettingsError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    SettingsError::Syntax { origin, line, detail: error.message().to_owned() }
}

/// The name among `known` that was most likely meant.
pub(super) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(written, name), name))
        .filter(|(similarity, _)| *similarity >= 0.5)
        .max_by(|(a, first), (b, second)| a.total_cmp(b).then_with(|| second.cmp(first)))
        .map(|(_, name)| name.to_owned())
}
