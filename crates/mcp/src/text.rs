//! Responses as text for whoever reads a tool's result: a model, and the person behind it.

use std::fmt::Write;

use plumbline_core::domain::{Candidate, Chunk, Document, Kind};
use plumbline_core::response::{AskResponse, Citation, ListRow};

use crate::address::Address;

/// An answer with its notes, its remarks and its ways on.
pub(crate) fn answer(response: &AskResponse) -> String {
    let mut text = response.answer.trim().to_owned();
    if let Some(definition) = &response.definition {
        let _ =
            write!(text, "\n\n{} ({})", definition.preferred_label, Address::Concept(definition.uri.clone()));
    }
    gap(&mut text, !response.citations.is_empty());
    for citation in &response.citations {
        let _ = write!(text, "\n[{}] {} {}", citation.number, citation.note(), cited(citation));
    }
    gap(&mut text, !response.nearest.is_empty());
    for near in &response.nearest {
        let snippet = near.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
        let address = Address::Passage(near.source_id.clone());
        let _ = write!(text, "\n- {} › {} {address}: {snippet}", near.document_name, near.section);
    }
    let mut remarks: Vec<String> = Vec::new();
    if let (true, Some(statement)) = (response.transparency.show_to_user, &response.transparency.statement) {
        remarks.push(statement.clone());
    }
    remarks.extend(response.warnings.iter().cloned());
    let said = remarks.join(" ");
    remarks.extend(
        response.notices.iter().map(|notice| &notice.text).filter(|text| !said.contains(*text)).cloned(),
    );
    if let Some(owner) = &response.route_to {
        let name = owner.owner_name.as_deref().unwrap_or_default();
        let email = owner.owner_email.as_deref().unwrap_or_default();
        remarks.push(format!("{name} <{email}>: {}", owner.reason));
    }
    gap(&mut text, !remarks.is_empty());
    for remark in &remarks {
        let _ = write!(text, "\n{remark}");
    }
    let options = response.clarification.iter().flat_map(|asked| &asked.options).map(|option| &option.label);
    let ways: Vec<&String> = options.chain(response.suggestions.iter().map(|way| &way.label)).collect();
    gap(&mut text, !ways.is_empty());
    for way in ways {
        let _ = write!(text, "\n- {way}");
    }
    text
}

/// Where a citation can be read in full.
fn cited(citation: &Citation) -> Address {
    match citation.doc_type {
        // What is cited of the vocabulary lies at its URI.
        Kind::Vocabulary => Address::Concept(citation.path.clone()),
        _ => Address::Passage(citation.source_id.clone()),
    }
}

/// A blank line before what follows, where something does.
fn gap(text: &mut String, follows: bool) {
    if follows && !text.is_empty() {
        text.push('\n');
    }
}

/// Passages that were found, best first.
pub(crate) fn passages(found: &[&Candidate]) -> String {
    let shown = found.iter().map(|candidate| {
        let chunk = &candidate.chunk;
        let place = chunk.section_path.join(" › ");
        format!(
            "{} › {place} {}\n\n{}",
            chunk.document.title,
            Address::Passage(chunk.source_id.clone()),
            chunk.text.trim()
        )
    });
    shown.collect::<Vec<_>>().join("\n\n---\n\n")
}

/// A list of documents.
pub(crate) fn rows(rows: &[ListRow], total: usize) -> String {
    let mut text = format!("{} / {total}", rows.len());
    for row in rows {
        let known = [row.date.as_deref(), row.status.as_deref(), row.owner.as_deref()];
        let known: Vec<&str> = known.into_iter().flatten().collect();
        let _ = write!(text, "\n- {}: {} ({})", row.id, row.title, known.join(", "));
    }
    text
}

/// A document with what it says of itself, and its passages under their places.
pub(crate) fn document<'c>(document: &Document, passages: impl Iterator<Item = &'c Chunk>) -> String {
    let mut text = format!("# {}: {}\n", document.reference(), document.title);
    let date = document.date.map(|date| date.to_string());
    let known = [
        ("id", Some(document.id.to_string())),
        ("status", document.status.clone()),
        ("version", document.version.clone()),
        ("date", date),
        ("owner", document.owner.clone()),
        ("path", Some(document.path.clone())),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            let _ = write!(text, "\n- {name}: {value}");
        }
    }
    for chunk in passages {
        let place = chunk.section_path.join(" › ");
        let _ = write!(
            text,
            "\n\n## {place} ({})\n\n{}",
            Address::Passage(chunk.source_id.clone()),
            chunk.text.trim()
        );
    }
    text
}
