//! The records whose fields are asked for.

use std::sync::Arc;

use crate::domain::{Document, DocumentFilter, Kind};
use crate::engine::services::Services;
use crate::error::AskError;
use crate::intent::{FactQuery, Question};
use crate::ports::Scope;
use crate::records::{by_title, holds_all, likest, source_named};
use crate::text::words;

/// The records whose fields a question asks for, where what it says beside the fields is their name; none where it says
/// more, or names none or several.
pub(in crate::engine) async fn named(
    services: &Services,
    question: &Question,
    query: &FactQuery,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    if query.references.is_empty() {
        return entitled(services, question, &query.title, scope).await;
    }
    let mut documents = Vec::new();
    for reference in &query.references {
        let found = services.ports.catalogue.resolve(reference, scope).await?;
        // "The typed policy context" is no policy that is called "typed", but a record whose title holds the word.
        if found.is_empty() && reference.kind == Kind::Policy {
            let title = words(&reference.written).into_iter().map(|word| word.folded);
            let title: Vec<String> = title.chain(query.title.iter().cloned()).collect();
            return entitled(services, question, &title, scope).await;
        }
        match meant(question, &found).as_slice() {
            [document] => documents.push(Arc::clone(document)),
            _ => return Ok(Vec::new()),
        }
    }
    let said = query.title.iter().all(|word| documents.iter().any(|document| holds_all([word], document)));
    Ok(if said { documents } else { Vec::new() })
}

/// The one document that goes by these words.
async fn entitled(
    services: &Services,
    question: &Question,
    title: &[String],
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    let all = services.ports.catalogue.list(&DocumentFilter::default(), scope).await?;
    let found = by_title(title, &question.kinds, &all);
    Ok(if found.len() == 1 { found } else { Vec::new() })
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
