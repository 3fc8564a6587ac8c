use crate::store::rows::{NewChunk, NewFile, Record};
use crate::store::team::TeamLibrary;

/// What happens to one file, or to a library that is followed.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// It is gone.
    End { file: i64 },
    /// It is new, or it changed and replaces what it was.
    Write(Box<Written>),
    /// The file is the same, but not what the library says of it: another record took its number, the manifest changed.
    Restate { file: i64, record: Box<Record>, chunks: Option<Vec<NewChunk>> },
    /// Another generation of a published library is in force, or it is followed no more.
    Follow { address: String, library: Option<Box<TeamLibrary>> },
}

/// A file as it will be in the library.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub replaces: Option<i64>,
    /// Whether what it replaces had another id.
    pub moves_id: bool,
    pub file: NewFile,
    /// None for a file that could not be read.
    pub record: Option<Record>,
    pub chunks: Vec<NewChunk>,
}

impl Change {
    pub fn chunks(&self) -> &[NewChunk] {
        match self {
            Self::End { .. } | Self::Follow { .. } => &[],
            Self::Write(written) => &written.chunks,
            Self::Restate { chunks, .. } => chunks.as_deref().unwrap_or_default(),
        }
    }

    /// Whether it takes something away or moves an id: such changes come first and together, so that no generation has two
    /// documents under one id.
    pub fn frees_an_id(&self) -> bool {
        match self {
            Self::End { .. } | Self::Restate { .. } | Self::Follow { .. } => true,
            Self::Write(written) => written.moves_id,
        }
    }
}
