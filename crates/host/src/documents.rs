//! The view of documents and their passages.

use plumbline_contract::{
    CommandError, DocumentLink, DocumentRow, DocumentView, Passage, PassageContext, SourceId,
};
use plumbline_core::domain::{Chunk, Document, DocumentId};
use plumbline_core::messages::Message;
use plumbline_library::BrowsedDocument;

use crate::error::{internal, not_found, of_library};
use crate::{Host, OpenTarget};

impl Host {
    /// All documents that the user may see, by type, number and title.
    pub async fn documents(&self) -> Result<Vec<DocumentRow>, CommandError> {
        Ok(self.browsed().await?.iter().map(row).collect())
    }

    /// One document with its passages.
    pub async fn document(&self, id: String) -> Result<DocumentView, CommandError> {
        let library = self.library_for(&id)?;
        let documents = self.browsed().await?;
        let found = documents.iter().find(|one| one.record.document.id.as_str() == id);
        let found = found.ok_or_else(|| self.no_document(&id))?;
        let document = &found.record.document;
        let passages = library.passages(&document.id, &self.scope()).await.map_err(of_library)?;
        let links = |ids: &[DocumentId]| ids.iter().map(|id| link(&documents, id)).collect();
        Ok(DocumentView {
            row: row(found),
            version: document.version.clone(),
            approvers: document.approvers.clone(),
            tags: document.tags.clone(),
            supersedes: links(&document.supersedes),
            superseded_by: links(&document.superseded_by),
            passages: passages.iter().map(|chunk| passage_of(chunk)).collect(),
            cited_in: self.history()?.cited_in(&id)?,
        })
    }

    /// One passage between its neighbours.
    pub async fn passage(&self, source_id: SourceId) -> Result<PassageContext, CommandError> {
        let id = source_id.document.as_str();
        let library = self.library_for(id)?;
        let documents = self.browsed().await?;
        let found = documents.iter().find(|one| one.record.document.id == source_id.document);
        let found = found.ok_or_else(|| self.no_document(id))?;
        let chunks = library.passages(&source_id.document, &self.scope()).await.map_err(of_library)?;
        let Some(at) = chunks.iter().position(|chunk| chunk.source_id == source_id) else {
            let id = source_id.to_string();
            return Err(not_found(self.texts().say(Message::MissingPassage, &[("id", &id)])));
        };
        let near = |at: Option<usize>| at.and_then(|at| chunks.get(at)).map(|chunk| passage_of(chunk));
        Ok(PassageContext {
            document: row(found),
            before: near(at.checked_sub(1)),
            passage: passage_of(&chunks[at]),
            after: near(at.checked_add(1)),
        })
    }

    /// Opens a document's file in the system's own program.
    pub async fn open_document(&self, id: String) -> Result<(), CommandError> {
        let documents = self.browsed().await?;
        let found = documents.iter().find(|one| one.record.document.id.as_str() == id);
        let record = &found.ok_or_else(|| self.no_document(&id))?.record;
        let origins = self.origins().await?;
        let mut sources = origins.iter().flat_map(|origin| &origin.sources);
        let source = sources.find(|source| source.name == record.source);
        let file = source.map(|source| source.path.join(&record.document.path));
        let Some(file) = file.filter(|file| file.is_file()) else {
            let path = record.document.path.as_str();
            return Err(not_found(self.texts().say(Message::MissingFile, &[("path", path)])));
        };
        self.inner.desktop.open(&OpenTarget::File(file)).map_err(internal)
    }
}

fn row(one: &BrowsedDocument) -> DocumentRow {
    let document = &one.record.document;
    DocumentRow {
        id: document.id.to_string(),
        reference: document.reference(),
        kind: document.kind,
        collection: document.collection.clone(),
        number: document.number,
        title: document.title.clone(),
        status: document.status.clone(),
        standing: document.standing(),
        date: document.date.map(|date| date.to_string()),
        owner: document.owner.clone(),
        language: document.language,
        path: document.path.clone(),
        passages: one.passages,
    }
}

fn link(documents: &[BrowsedDocument], id: &DocumentId) -> DocumentLink {
    let known: Option<&Document> =
        documents.iter().map(|one| &one.record.document).find(|document| document.id == *id);
    DocumentLink {
        id: id.to_string(),
        reference: known.map_or_else(|| id.to_string(), Document::reference),
        title: known.map_or_else(String::new, |document| document.title.clone()),
    }
}

fn passage_of(chunk: &Chunk) -> Passage {
    Passage {
        source_id: chunk.source_id.clone(),
        section_path: chunk.section_path.clone(),
        page: chunk.page,
        span: chunk.span,
        text: chunk.text.clone(),
    }
}
