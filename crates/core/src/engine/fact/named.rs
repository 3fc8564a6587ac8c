//! The records whose fields are asked for.

use std::sync::Arc;

use crate::domain::{Document, DocumentFilter};
use crate::engine::services::Services;
use crate::error::AskError;
use crate::intent::{FactQuery, Question};
use crate::ports::Scope;
use crate::records::{by_title, holds_all, likest, source_named};

/// The records whose fields a question asks for, where what it says beside the fields is their name; none where it says
/// more, or names none or several.
pub(in crate::engine) async fn named(
    services: &Services,
    question: &Question,
    query: &FactQuery,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    if query.references.is_empty() {
        let all = services.ports.catalogue.list(&DocumentFilter::default(), scope).await?;
        let found = by_title(&query.title, &question.kinds, &all);
        return Ok(if found.len() == 1 { found } else { Vec::new() });
    }
    let mut documents = Vec::new();
    for reference in &query.references {
        let found = services.ports.catalogue.resolve(reference, scope).await?;
        match meant(question, &found).as_slice() {
            [document] => documents.push(Arc::clone(document)),
            _ => return Ok(Vec::new()),
        }
    }
    let said = query.title.iter().all(|word| documents.iter().any(|document| holds_all([word], document)));
    Ok(if said { documents } else { Vec::new() })
}

/// Of several documents that a reference fits, that of the source which the question names, or the one whose title the question's
/// words are nearest to.
pub(in crate::engine) fn meant(question: &Question, found: &[Arc<Document>]) -> Vec<Arc<Document>> {
    let of_source = of_named_source(question, found.to_vec());
    if of_source.len() < 2 { of_source } else { likest(&question.words, &of_source) }
}

/// Of these documents those of the source that the question names; all of them where it names none.
pub(in crate::engine) fn of_named_source(
    question: &Question,
    mut found: Vec<Arc<Document>>,
) -> Vec<Arc<Document>> {
    if let Some(named) = source_named(&question.text, found.iter().map(|document| document.source.as_str())) {
        found.retain(|document| document.source == named.source);
    }
    found
}
