//! The view of documents and their passages.

use std::sync::Arc;

use plumbline_contract::{
    CommandError, DocumentLink, DocumentRow, DocumentView, Passage, PassageContext, SourceId,
};
use plumbline_core::domain::{Chunk, Document, DocumentId};
use plumbline_core::messages::Message;
use plumbline_core::ports::Scope;
use plumbline_library::{BrowsedDocument, Library, StoreError};

use crate::error::{internal, not_found, of_library};
use crate::{Host, OpenTarget};

impl Host {
    /// All documents that the user may see, by type, number and title.
    pub async fn documents(&self) -> Result<Vec<DocumentRow>, CommandError> {
        match self.open()?.library() {
            Some(library) => {
                rows(&**library, &self.scope()).await.map_err(|problem| of_library(&problem, self.texts()))
            }
            None => Ok(Vec::new()),
        }
    }

    /// One document with its passages.
    pub async fn document(&self, id: String) -> Result<DocumentView, CommandError> {
        let library = self.library_for(&id)?;
        let view = view(&*library, &id, &self.scope())
            .await
            .map_err(|problem| of_library(&problem, self.texts()))?;
        let view = view.ok_or_else(|| self.no_document(&id))?;
        Ok(DocumentView { cited_in: self.history()?.cited_in(&id)?, ..view })
    }

    /// One passage between its neighbours.
    pub async fn passage(&self, source_id: SourceId) -> Result<PassageContext, CommandError> {
        let id = source_id.document.as_str();
        let library = self.library_for(id)?;
        let found = with_passages(&*library, id, &self.scope())
            .await
            .map_err(|problem| of_library(&problem, self.texts()))?;
        let (found, chunks) = found.ok_or_else(|| self.no_document(id))?;
        let Some(at) = chunks.iter().position(|chunk| chunk.source_id == source_id) else {
            let id = source_id.to_string();
            return Err(not_found(self.texts().say(Message::MissingPassage, &[("id", &id)])));
        };
        let near = |at: Option<usize>| at.and_then(|at| chunks.get(at)).map(|chunk| passage_of(chunk));
        Ok(PassageContext {
            document: row(&found),
            before: near(at.checked_sub(1)),
            passage: passage_of(&chunks[at]),
            after: near(at.checked_add(1)),
        })
    }

    /// Opens a document's file in the system's own program.
    pub async fn open_document(&self, id: String) -> Result<(), CommandError> {
        let library = self.library_for(&id)?;
        let found = by_id(&*library, &id, &self.scope())
            .await
            .map_err(|problem| of_library(&problem, self.texts()))?;
        let record = found.ok_or_else(|| self.no_document(&id))?.record;
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

/// What these views ask of a library. To list takes the longer the more documents there are; to look one up does not.
trait Browse {
    async fn list(&self, scope: &Scope) -> Result<Vec<BrowsedDocument>, StoreError>;
    async fn look_up(&self, id: &DocumentId, scope: &Scope) -> Result<Option<BrowsedDocument>, StoreError>;
    async fn passages_of(&self, id: &DocumentId, scope: &Scope) -> Result<Vec<Arc<Chunk>>, StoreError>;
}

impl Browse for Library {
    async fn list(&self, scope: &Scope) -> Result<Vec<BrowsedDocument>, StoreError> {
        self.documents(scope).await
    }

    async fn look_up(&self, id: &DocumentId, scope: &Scope) -> Result<Option<BrowsedDocument>, StoreError> {
        self.document_by_id(id, scope).await
    }

    async fn passages_of(&self, id: &DocumentId, scope: &Scope) -> Result<Vec<Arc<Chunk>>, StoreError> {
        self.passages(id, scope).await
    }
}

async fn rows(library: &impl Browse, scope: &Scope) -> Result<Vec<DocumentRow>, StoreError> {
    Ok(library.list(scope).await?.iter().map(row).collect())
}

async fn by_id(
    library: &impl Browse,
    id: &str,
    scope: &Scope,
) -> Result<Option<BrowsedDocument>, StoreError> {
    match DocumentId::new(id) {
        Ok(id) => library.look_up(&id, scope).await,
        // What can be no id is that of no document.
        Err(_) => Ok(None),
    }
}

async fn with_passages(
    library: &impl Browse,
    id: &str,
    scope: &Scope,
) -> Result<Option<(BrowsedDocument, Vec<Arc<Chunk>>)>, StoreError> {
    let Some(found) = by_id(library, id, scope).await? else { return Ok(None) };
    let passages = library.passages_of(&found.record.document.id, scope).await?;
    Ok(Some((found, passages)))
}

/// The document as it is shown, but for the conversations that cite it.
async fn view(library: &impl Browse, id: &str, scope: &Scope) -> Result<Option<DocumentView>, StoreError> {
    let Some((found, passages)) = with_passages(library, id, scope).await? else { return Ok(None) };
    let document = &found.record.document;
    Ok(Some(DocumentView {
        row: row(&found),
        version: document.version.clone(),
        approvers: document.approvers.clone(),
        tags: document.tags.clone(),
        supersedes: links(library, &document.supersedes, scope).await?,
        superseded_by: links(library, &document.superseded_by, scope).await?,
        passages: passages.iter().map(|chunk| passage_of(chunk)).collect(),
        cited_in: Vec::new(),
    }))
}

async fn links(
    library: &impl Browse,
    ids: &[DocumentId],
    scope: &Scope,
) -> Result<Vec<DocumentLink>, StoreError> {
    let mut links = Vec::with_capacity(ids.len());
    for id in ids {
        let known = library.look_up(id, scope).await?.map(|found| found.record.document);
        links.push(DocumentLink {
            id: id.to_string(),
            reference: known.as_ref().map_or_else(|| id.to_string(), Document::reference),
            title: known.map_or_else(String::new, |document| document.title),
        });
    }
    Ok(links)
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

fn passage_of(chunk: &Chunk) -> Passage {
    Passage {
        source_id: chunk.source_id.clone(),
        section_path: chunk.section_path.clone(),
        page: chunk.page,
        span: chunk.span,
        text: chunk.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use plumbline_library::Record;
    use plumbline_testkit::documents::{adr, chunk};
    use plumbline_testkit::rig::edit;

    use super::*;

    /// A library of two records, the second of which replaces the first, that counts how it is asked.
    #[derive(Default)]
    struct CountingLibrary {
        lists: AtomicUsize,
        look_ups: AtomicUsize,
    }

    fn documents() -> Vec<BrowsedDocument> {
        let successor = edit(adr(2, "Topics"), |document| {
            document.supersedes = vec![DocumentId::new("adr-0001").unwrap()];
        });
        [adr(1, "Queues"), successor].into_iter().map(browsed).collect()
    }

    fn browsed(document: Arc<Document>) -> BrowsedDocument {
        let record = Record {
            document: (*document).clone(),
            listed: true,
            searched: true,
            source: "library".to_owned(),
            tenant: String::new(),
            access_tags: Vec::new(),
            created: None,
            relations: Vec::new(),
        };
        BrowsedDocument { record, sha256: String::new(), passages: 1 }
    }

    impl Browse for CountingLibrary {
        async fn list(&self, _: &Scope) -> Result<Vec<BrowsedDocument>, StoreError> {
            self.lists.fetch_add(1, Ordering::Relaxed);
            Ok(documents())
        }

        async fn look_up(&self, id: &DocumentId, _: &Scope) -> Result<Option<BrowsedDocument>, StoreError> {
            self.look_ups.fetch_add(1, Ordering::Relaxed);
            Ok(documents().into_iter().find(|one| one.record.document.id == *id))
        }

        async fn passages_of(&self, id: &DocumentId, _: &Scope) -> Result<Vec<Arc<Chunk>>, StoreError> {
            let of = documents().into_iter().find(|one| one.record.document.id == *id);
            let passage = |one: BrowsedDocument| chunk(&Arc::new(one.record.document), 0, &[], "Text.");
            Ok(of.map(passage).map(Arc::new).into_iter().collect())
        }
    }

    #[tokio::test]
    async fn one_document_is_looked_up_and_none_are_listed() {
        let (library, scope) = (CountingLibrary::default(), Scope::default());
        let shown = view(&library, "adr-0002", &scope).await.unwrap().unwrap();
        assert_eq!((shown.row.title.as_str(), shown.passages.len()), ("Topics", 1));
        let replaced = &shown.supersedes[0];
        assert_eq!((replaced.id.as_str(), replaced.title.as_str()), ("adr-0001", "Queues"));
        assert_eq!(library.look_ups.load(Ordering::Relaxed), 2, "the document, and the one that it replaces");

        let (found, passages) = with_passages(&library, "adr-0001", &scope).await.unwrap().unwrap();
        assert_eq!((found.record.document.title.as_str(), passages.len()), ("Queues", 1));
        assert!(by_id(&library, "adr-0003", &scope).await.unwrap().is_none());
        assert!(by_id(&library, "no id at all", &scope).await.unwrap().is_none());
        assert_eq!(library.lists.load(Ordering::Relaxed), 0, "the rest of the library is left alone");

        assert_eq!(rows(&library, &scope).await.unwrap().len(), 2);
        assert_eq!(library.lists.load(Ordering::Relaxed), 1, "and a list would have been counted");
    }
}
