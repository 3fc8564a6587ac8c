use plumbline_core::domain::{Collection, Document, DocumentId, Kind, Language};
use plumbline_core::text::detect_or;
use plumbline_telemetry::sha256_hex;
use tokio_util::sync::CancellationToken;

use super::change::{Change, Written};
use super::plan::cut;
use super::report::{IndexProgress, IndexReport};
use super::{IndexError, Indexer, READING_VERSION};
use crate::reading;
use crate::store::audience::DEFAULT_TENANT;
use crate::store::rows::{NewFile, Record};

/// A text that comes from no file, such as a passage of a public test set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainDocument {
    /// Its id.
    pub id: DocumentId,
    /// Its title; may be empty.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Who may see it; everybody where empty.
    pub access_tags: Vec<String>,
}

impl Indexer {
    /// Writes texts that come from no file: they are cut, embedded and indexed like any document. The next [`Indexer::run`]
    /// takes them out again, for no folder holds them.
    pub fn write_texts(
        &mut self,
        documents: Vec<PlainDocument>,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
    ) -> Result<IndexReport, IndexError> {
        let changes = documents.into_iter().map(|document| Change::Write(Box::new(written(document))));
        let mut report = IndexReport::default();
        self.apply(changes.collect(), stop, progress, &mut report)?;
        self.tend()?;
        report.generation = self.generation;
        Ok(report)
    }
}

fn written(plain: PlainDocument) -> Written {
    let document = Document {
        language: detect_or(&plain.text, Language::default()),
        kind: Kind::Document,
        collection: Collection::from(Kind::Document),
        number: None,
        status: None,
        approval_status: None,
        codes: Vec::new(),
        source: String::new(),
        version: None,
        date: None,
        owner: None,
        deciders: Vec::new(),
        approvers: Vec::new(),
        tags: Vec::new(),
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        path: plain.id.to_string(),
        id: plain.id,
        title: plain.title,
    };
    let file = NewFile {
        source: "texts".to_owned(),
        path: document.path.clone(),
        sha256: sha256_hex(&plain.text),
        bytes: plain.text.len() as u64,
        reading: READING_VERSION,
        placement: String::new(),
        identity: None,
        problem: None,
        warnings: Vec::new(),
        shared: None,
    };
    let record = Record {
        listed: true,
        searched: true,
        source: file.source.clone(),
        tenant: DEFAULT_TENANT.to_owned(),
        access_tags: plain.access_tags,
        created: None,
        relations: Vec::new(),
        document,
    };
    // A text without a single word has no passages, and that is all there is to say of it.
    let chunks = reading::read("text.txt", plain.text.as_bytes()).map(|read| cut(&record, &read));
    Written {
        replaces: None,
        moves_id: false,
        file,
        record: Some(record),
        chunks: chunks.unwrap_or_default(),
    }
}
