use std::collections::BTreeSet;

use plumbline_contract::{
    CommandError, DocumentLink, DocumentRow, DocumentView, LibraryProblem, Passage, PassageContext,
    ProblemKind, SourceId,
};
use plumbline_core::domain::{Chunk, Document, DocumentId};
use plumbline_core::messages::Message;
use plumbline_library::{BrowsedDocument, How, IdentityReport, LibraryOrigin};

use crate::error::{internal, not_found, of_library};
use crate::{Host, OpenTarget};

impl Host {
    /// What is wrong or was guessed about files.
    pub async fn problems(&self) -> Result<Vec<LibraryProblem>, CommandError> {
        let words = self.words();
        let mut problems: Vec<LibraryProblem> = Vec::new();
        if let Some(reason) = self.inner.indexing.failure() {
            problems.push(LibraryProblem {
                kind: ProblemKind::Skipped,
                folder: String::new(),
                path: String::new(),
                code: "indexing_failed".to_owned(),
                reason: words.say(Message::IndexFailed, &[("reason", &reason)]),
            });
        }
        let open = self.open()?;
        let Some(library) = open.library() else { return Ok(problems) };
        let origins = self.origins().await?;
        let status = library.status().await.map_err(of_library)?;
        let of_file = |kind, source: &str, path: &str, code: &str, reason: String| LibraryProblem {
            kind,
            folder: folder_name(&origins, source),
            path: path.to_owned(),
            code: code.to_owned(),
            reason,
        };
        problems.extend(status.problems.into_iter().map(|file| {
            of_file(ProblemKind::Skipped, &file.source, &file.path, &file.problem.code, file.problem.reason)
        }));
        problems.extend(status.warnings.into_iter().map(|warning| {
            of_file(ProblemKind::Warning, &warning.source, &warning.path, "odd_content", warning.text)
        }));
        let IdentityReport { documents, collisions, disagreements, unresolved } =
            library.identities().await.map_err(of_library)?;
        let place = |id: &DocumentId| {
            let known = documents.iter().find(|document| document.id == id.as_str());
            known.map_or(("", ""), |document| (document.source.as_str(), document.path.as_str()))
        };
        for one in &collisions {
            let values = [("id", one.claimed.as_str()), ("given", one.given.as_str())];
            let reason = words.say(Message::IndexCollision, &values);
            problems.push(of_file(ProblemKind::Warning, &one.source, &one.other, "id_taken", reason));
        }
        for one in &disagreements {
            let (source, path) = place(&one.record);
            let values = [("status", one.status.as_str()), ("approval", one.approval_status.as_str())];
            let reason = words.say(Message::IndexDisagreement, &values);
            problems.push(of_file(ProblemKind::Warning, source, path, "status_disagreement", reason));
        }
        for one in &unresolved {
            let (source, path) = place(&one.document);
            let values = [("written", one.written.as_str()), ("why", one.why.as_str())];
            let reason = words.say(Message::IndexUnresolved, &values);
            problems.push(of_file(ProblemKind::Warning, source, path, "reference_unresolved", reason));
        }
        for document in documents.iter().filter(|document| document.listed) {
            for evidence in &document.evidence {
                let How::Guessed(why) = &evidence.how else { continue };
                let values = [("field", &evidence.field), ("value", &evidence.value), ("why", why)];
                let reason =
                    words.say(Message::IndexGuessed, &values.map(|(name, value)| (name, value.as_str())));
                let code = format!("{}_guessed", evidence.field);
                problems.push(of_file(ProblemKind::Guessed, &document.source, &document.path, &code, reason));
            }
        }
        // What the user may not see does not exist, with its problems.
        let visible: BTreeSet<String> =
            self.browsed().await?.iter().map(|one| one.record.document.id.to_string()).collect();
        let hidden: BTreeSet<&str> = documents
            .iter()
            .filter(|document| document.listed && !visible.contains(&document.id))
            .map(|document| document.path.as_str())
            .collect();
        problems.retain(|problem| !hidden.contains(problem.path.as_str()));
        Ok(problems)
    }

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
            return Err(not_found(self.words().say(Message::MissingPassage, &[("id", &id)])));
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
            return Err(not_found(self.words().say(Message::MissingFile, &[("path", path)])));
        };
        self.inner.desktop.open(&OpenTarget::File(file)).map_err(internal)
    }
}

fn folder_name(origins: &[LibraryOrigin], source: &str) -> String {
    let of = |origin: &&LibraryOrigin| origin.sources.iter().any(|known| known.name == source);
    origins.iter().find(of).map_or_else(|| source.to_owned(), |origin| origin.name.clone())
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
