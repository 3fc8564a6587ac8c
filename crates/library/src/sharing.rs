//! Documents as they travel from one library to another: read, cut and embedded already, so that whoever takes them in needs
//! neither their files nor an embedder. What documents say of each other is not part of it: that is reconciled anew from what
//! arrives, and so nothing tells of a document that did not.

mod entry;
mod export;
mod outline;
mod part;

use plumbline_core::domain::{Language, TextSpan};
use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

pub(crate) use entry::followed_entries;
pub use entry::{SharedEntry, SharedPointer};
pub use export::{Export, ExportedDocument, ExportedShelf};
pub use outline::{pack_outlines, unpack_outlines};
pub use part::{PartError, pack, unpack};

use crate::identity::Identity;
use crate::reading::Oddity;
use crate::store::audience::{access_key, tenant_or_default};
use crate::store::rows::NewChunk;

/// A document on its way, with the vectors of its passages.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedDocument {
    /// As it is written in a part; its digest is of these very bytes.
    line: String,
    pub(crate) content: SharedContent,
    /// One for each passage, in their order.
    pub(crate) vectors: Vec<Vec<f32>>,
    /// The digest of the whole document, where this is what it says of itself alone.
    outline_of: Option<String>,
}

/// What a line of a part says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SharedContent {
    pub identity: Identity,
    pub sha256: String,
    pub bytes: u64,
    pub reading: i64,
    pub warnings: Vec<Oddity>,
    pub passages: Vec<SharedPassage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SharedPassage {
    pub text: String,
    pub section_path: Vec<String>,
    pub page: Option<u32>,
    pub span: TextSpan,
    pub language: Language,
    /// Hash of what was embedded.
    pub embedded: String,
}

impl SharedDocument {
    fn new(line: String, vectors: Vec<Vec<f32>>) -> Result<Self, serde_json::Error> {
        Ok(Self { content: serde_json::from_str(&line)?, line, vectors, outline_of: None })
    }

    /// Names the document as it is, with vectors by this embedder: two libraries that hold the same digest hold the same.
    pub fn digest(&self, fingerprint: &str) -> String {
        self.outline_of.clone().unwrap_or_else(|| digest(fingerprint, &self.line))
    }

    /// Whether its own account of who may see it is this one.
    pub fn is_for(&self, tenant: &str, access_tags: &[String]) -> bool {
        let identity = &self.content.identity;
        tenant_or_default(&identity.placement.tenant) == tenant_or_default(tenant)
            && access_key(&identity.access_tags) == access_key(access_tags)
    }
}

impl SharedContent {
    /// Its passages, to be written.
    pub fn chunks(&self) -> Vec<NewChunk> {
        let passages = (0_u32..).zip(&self.passages);
        passages
            .map(|(position, passage)| NewChunk {
                position,
                text: passage.text.clone(),
                section_path: passage.section_path.clone(),
                page: passage.page,
                span: passage.span,
                language: passage.language,
                embedded: passage.embedded.clone(),
            })
            .collect()
    }
}

fn digest(fingerprint: &str, line: &str) -> String {
    sha256_hex(format!("{fingerprint}\n{line}"))
}
