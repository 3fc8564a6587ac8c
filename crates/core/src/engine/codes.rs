//! What the library itself calls its documents: codes of its own ("POL-03", "PRI.17"), and ids as citations show them.

use std::ops::Range;
use std::sync::Arc;

use super::services::Services;
use crate::domain::{Document, Kind, Reference};
use crate::error::AskError;
use crate::intent::references;
use crate::ports::Scope;
use crate::records::{possible_codes, possible_ids};

/// A text in which every code or id of one document is written as the name of a file, which is how a question names any document. What only looks
/// like a code stays as it is: the catalogue knows.
pub(super) async fn codes_as_files(
    services: &Services,
    text: &str,
    scope: &Scope,
) -> Result<String, AskError> {
    let mut rewritten = text.to_owned();
    for (range, code, _) in coded(services, text, scope).await?.into_iter().rev() {
        rewritten.replace_range(range, &format!("{code}.md"));
    }
    Ok(rewritten)
}

/// Every code or id of one document in a text, where it stands, and the document. An id may hold what looks like a number of a record or
/// like a code; then the whole is meant.
pub(super) async fn coded(
    services: &Services,
    text: &str,
    scope: &Scope,
) -> Result<Vec<(Range<usize>, String, Arc<Document>)>, AskError> {
    let mut coded = Vec::new();
    let mut taken: Vec<Range<usize>> = references(text).into_iter().map(|(range, _)| range).collect();
    for (range, id) in possible_ids(text) {
        if taken.iter().any(|taken| taken.start <= range.start && range.end <= taken.end) {
            continue;
        }
        if let Some(document) = only(services, id, scope).await? {
            taken.push(range.clone());
            coded.push((range, id.to_owned(), document));
        }
    }
    for (range, code) in possible_codes(text) {
        if taken.iter().any(|taken| range.start < taken.end && taken.start < range.end) {
            continue;
        }
        let code = code.replace(' ', "-");
        if let Some(document) = only(services, &code, scope).await? {
            coded.push((range, code, document));
        }
    }
    coded.sort_by_key(|(range, ..)| range.start);
    Ok(coded)
}

/// The document that goes by this name, where it is one.
async fn only(services: &Services, name: &str, scope: &Scope) -> Result<Option<Arc<Document>>, AskError> {
    let reference = Reference {
        kind: Kind::Document,
        number: None,
        name: Some(name.to_owned()),
        written: name.to_owned(),
    };
    let found = services.ports.catalogue.resolve(&reference, scope).await?;
    let [document] = found.as_slice() else { return Ok(None) };
    Ok(Some(Arc::clone(document)))
}
