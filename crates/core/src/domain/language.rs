use serde::{Deserialize, Serialize};

/// A language that questions and documents are analysed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    En,
    /// Dutch.
    #[serde(rename = "nl")]
    Nl,
}

impl Language {
    /// Every language with a pack of its own.
    pub const ALL: [Self; 2] = [Self::En, Self::Nl];

    /// The BCP 47 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Nl => "nl",
        }
    }

    /// Reads a BCP 47 code, with or without a region.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(primary))
    }
}
