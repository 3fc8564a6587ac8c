//! Documents, passages and concepts under their addresses.

use plumbline_core::domain::{DocumentId, SourceId};
use plumbline_core::ports::Scope;
use plumbline_core::request::{AskRequest, Choice};
use plumbline_library::Library;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use tokio_util::sync::CancellationToken;

use crate::address::{Address, CONCEPT_TEMPLATE, DOCUMENT_TEMPLATE, PASSAGE_TEMPLATE};
use crate::followed::OpenWorkspace;
use crate::served::Served;
use crate::text;

const MARKDOWN: &str = "text/markdown";
/// So many are listed at a time.
const PAGE: usize = 200;

/// A page of the documents, in the order of lists.
pub(crate) async fn page(
    served: &Served,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let from = match &cursor {
        Some(cursor) => cursor
            .parse::<usize>()
            .map_err(|_| ErrorData::invalid_params(format!("`{cursor}` is no cursor"), None))?,
        None => 0,
    };
    let open = served.open().await.map_err(|problem| ErrorData::internal_error(problem, None))?;
    let Some(library) = &open.engine.library else { return Ok(ListResourcesResult::default()) };
    let documents = library.documents(served.scope()).await.map_err(internal)?;
    let page = documents.iter().skip(from).take(PAGE).map(|one| {
        let document = &one.record.document;
        Resource::new(Address::Document(document.id.clone()).to_string(), document.id.as_str())
            .with_title(format!("{}: {}", document.reference(), document.title))
            .with_mime_type(MARKDOWN)
    });
    let resources: Vec<Resource> = page.collect();
    let next = from.saturating_add(resources.len());
    let next_cursor = (next < documents.len() && !resources.is_empty()).then(|| next.to_string());
    Ok(ListResourcesResult { resources, next_cursor, ..ListResourcesResult::default() })
}

/// What is behind an address.
pub(crate) async fn read(served: &Served, address: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("there is nothing at `{address}`"), None);
    let parsed: Address = address.parse().map_err(|()| unknown())?;
    let open = served.open().await.map_err(|problem| ErrorData::internal_error(problem, None))?;
    let found = match (&parsed, &open.engine.library) {
        (Address::Concept(uri), _) => concept(served, &open, uri).await?,
        (Address::Document(id), Some(library)) => document(library, id, served.scope()).await?,
        (Address::Passage(source), Some(library)) => passage(library, source, served.scope()).await?,
        (_, None) => None,
    };
    let text = found.ok_or_else(unknown)?;
    let contents = ResourceContents::text(text, parsed.to_string()).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn document(library: &Library, id: &DocumentId, scope: &Scope) -> Result<Option<String>, ErrorData> {
    let found = library.document_by_id(id, scope).await.map_err(internal)?;
    let Some(found) = found else { return Ok(None) };
    let passages = library.passages(id, scope).await.map_err(internal)?;
    Ok(Some(text::document(&found.record.document, passages.iter().map(AsRef::as_ref))))
}

async fn passage(library: &Library, source: &SourceId, scope: &Scope) -> Result<Option<String>, ErrorData> {
    if library.document_by_id(&source.document, scope).await.map_err(internal)?.is_none() {
        return Ok(None);
    }
    let passages = library.passages(&source.document, scope).await.map_err(internal)?;
    let passage = passages.into_iter().find(|chunk| chunk.source_id == *source);
    Ok(passage.map(|chunk| chunk.under_headings(&format!("\n{}", chunk.text))))
}

async fn concept(served: &Served, open: &OpenWorkspace, uri: &str) -> Result<Option<String>, ErrorData> {
    let choice = Some(Choice::Concept { uri: uri.to_owned() });
    let request = AskRequest { choice, ..served.question(uri) };
    let asked = open.engine.engine.ask(request, &CancellationToken::new(), &|_| {}).await;
    let response = asked.map_err(internal)?;
    Ok(response.definition.is_some().then(|| text::answer(&response)))
}

/// The shapes of addresses.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = |shape: &str, name: &str, title: &str| {
        ResourceTemplate::new(shape, name).with_title(title).with_mime_type(MARKDOWN)
    };
    ListResourceTemplatesResult {
        resource_templates: vec![
            template(DOCUMENT_TEMPLATE, "document", "A document of the library, by its id"),
            template(PASSAGE_TEMPLATE, "passage", "A passage of a document, by its number from 0"),
            template(
                CONCEPT_TEMPLATE,
                "concept",
                "A concept of the vocabulary of record, by its URI, percent-encoded",
            ),
        ],
        ..ListResourceTemplatesResult::default()
    }
}

fn internal(problem: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(problem.to_string(), None)
}
