//! Why settings, thresholds or owners could not be read.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use crate::detail::Detail;
use crate::messages::Message;
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

impl Origin {
    /// The place, as it is told in any language.
    pub fn detail(&self) -> Detail {
        match self {
            Self::Default => Message::SettingOriginDefault.into(),
            Self::File(path) => path.display().to_string().into(),
            Self::Variable(name) => {
                Detail::of(Message::SettingOriginVariable, [("name", name.as_str().into())])
            }
            Self::Flag(name) => Detail::of(Message::SettingOriginFlag, [("name", name.as_str().into())]),
        }
    }
}

/// As logs have it: in English.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// Why settings, thresholds or owners could not be read. The message names the place and what is allowed there.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// The file is not what its name says.
    Syntax {
        /// The file.
        origin: Origin,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        detail: Detail,
    },
    /// The value is not allowed.
    Value {
        /// Where it was given.
        origin: Origin,
        /// The setting.
        key: String,
        /// What it was given, as written.
        value: Detail,
        /// What is allowed, as the end of "must be …".
        allowed: Detail,
    },
    /// The program was built with numbers that do not hold.
    Numbers(NumbersError),
    /// There is no such setting.
    UnknownKey {
        /// Where it was given.
        origin: Origin,
        /// What was written.
        key: String,
        /// What it may have been meant to be.
        nearest: Option<String>,
    },
}

impl SettingsError {
    /// What is wrong and where, as it is told in any language; what a parser said stays as it is.
    pub fn detail(&self) -> Detail {
        let words = |text: &str| Detail::from(text);
        match self {
            Self::Syntax { origin, line, detail } => Detail::at_line(origin.detail(), line, detail.clone()),
            Self::Value { origin, key, value, allowed } => Detail::of(
                Message::SettingValue,
                [
                    ("origin", origin.detail()),
                    ("key", words(key)),
                    ("value", value.clone()),
                    ("allowed", allowed.clone()),
                ],
            ),
            Self::Numbers(problem) => {
                Detail::of(Message::SettingNumbers, [("detail", problem.to_string().into())])
            }
            Self::UnknownKey { origin, key, nearest: None } => {
                Detail::of(Message::SettingUnknown, [("origin", origin.detail()), ("key", words(key))])
            }
            Self::UnknownKey { origin, key, nearest: Some(nearest) } => Detail::of(
                Message::SettingUnknownNearest,
                [("origin", origin.detail()), ("key", words(key)), ("nearest", words(nearest))],
            ),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<NumbersError> for SettingsError {
    fn from(problem: NumbersError) -> Self {
        Self::Numbers(problem)
    }
}

/// Two settings beside each other: `message` takes the other one's `key` and its `value`.
pub(super) fn beside(message: Message, key: &str, value: impl fmt::Display) -> Detail {
    Detail::of(message, [("key", key.into()), ("value", value.to_string().into())])
}

/// The line of a byte position, from 1.
pub(super) fn line_of(text: &str, position: usize) -> usize {
    1 + text.bytes().take(position).filter(|b| *b == b'\n').count()
}

/// A TOML error with its place.
pub(super) fn toml_syntax(origin: Origin, text: &str, error: &toml::de::Error) -> SettingsError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    SettingsError::Syntax { origin, line, detail: error.message().into() }
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
