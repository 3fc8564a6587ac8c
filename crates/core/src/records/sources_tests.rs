use std::sync::Arc;

use super::source_named;
use crate::domain::Document;
use crate::records::test_documents::document;

fn documents(sources: &[&str]) -> Vec<Arc<Document>> {
    let of = |source: &&str| {
        Arc::new(Document { source: (*source).to_owned(), ..(*document(1, "A title")).clone() })
    };
    sources.iter().map(of).collect()
}

fn named(text: &str) -> Option<String> {
    let all = documents(&[
        "records/harbour-authority",
        "adr/govuk-infrastructure",
        "adr/madr",
        "uk-home-office/docs",
    ]);
    source_named(text, &all).map(|named| named.source)
}

#[test]
fn a_source_goes_by_half_of_its_name() {
    assert_eq!(named("Which GOV.UK ADRs are about Kubernetes?").as_deref(), Some("adr/govuk-infrastructure"));
    assert_eq!(named("how many decisions has the MADR project recorded").as_deref(), Some("adr/madr"));
    assert_eq!(named("the Home Office's principles").as_deref(), Some("uk-home-office/docs"));
    assert_eq!(named("gov uk decisions").as_deref(), Some("adr/govuk-infrastructure"));
}

#[test]
fn what_names_none_or_two_names_nothing() {
    for text in ["Which ADRs are there?", "MADR or GOV.UK?", "which records and docs", "who works from home"]
    {
        assert_eq!(named(text), None, "{text}");
    }
    let one = documents(&["adr/madr"]);
    assert_eq!(
        source_named("the MADR decisions", &one),
        None,
        "where all come from one there is nothing to tell apart"
    );
}
