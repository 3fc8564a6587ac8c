//! Codes of the library's own for its documents: "POL-03", "PRI.17".

use std::ops::Range;
use std::sync::Arc;

use super::services::Services;
use crate::domain::{Document, Kind, Reference};
use crate::error::AskError;
use crate::intent::references;
use crate::ports::Scope;
use crate::records::possible_codes;

/// A text in which every code of one document is written as the name of a file, which is how a question names any document. What only looks
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

/// Every code of one document in a text, where it stands, and the document.
pub(super) async fn coded(
    services: &Services,
    text: &str,
    scope: &Scope,
) -> Result<Vec<(Range<usize>, String, Arc<Document>)>, AskError> {
    let named: Vec<_> = references(text).into_iter().map(|(range, _)| range).collect();
    let mut coded = Vec::new();
    for (range, code) in possible_codes(text) {
        if named.iter().any(|named| range.start < named.end && named.start < range.end) {
            continue;
        }
        let code = code.replace(' ', "-");
        let reference =
            Reference { kind: Kind::Document, number: None, name: Some(code.clone()), written: code.clone() };
        let found = services.ports.catalogue.resolve(&reference, scope).await?;
        if let [document] = found.as_slice() {
            coded.push((range, code, Arc::clone(document)));
        }
    }
    Ok(coded)
}
