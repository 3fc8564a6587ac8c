use std::sync::Arc;

use super::*;
use crate::domain::Language;

fn library() -> Vec<Arc<Document>> {
    let titles = [
        (1, "Distributed mail queue"),
        (2, "Changing the username of a user"),
        (3, "Message queue for the billing domain"),
        (4, "GitOps"),
        (5, "Keep personal data for as long as it is needed"),
    ];
    titles.into_iter().map(|(number, title)| document(number, title)).collect()
}

fn document(number: u32, title: &str) -> Arc<Document> {
    let id = crate::domain::DocumentId::new(format!("adr-{number:04}")).unwrap();
    Arc::new(Document {
        id,
        kind: Kind::Adr,
        collection: Kind::Adr.into(),
        number: Some(number),
        title: title.to_owned(),
        status: None,
        approval_status: None,
        version: None,
        date: None,
        owner: None,
        approvers: Vec::new(),
        deciders: Vec::new(),
        tags: Vec::new(),
        supersedes: Vec::new(),
        superseded_by: Vec::new(),
        language: Language::EN,
        path: format!("{number:04}.md"),
    })
}

#[track_caller]
fn assert_names(question: &str, language: Language, numbers: &[u32]) {
    let found = titled(&Question::read(question, language), &library());
    assert_eq!(
        found.iter().filter_map(|document| document.number).collect::<Vec<_>>(),
        numbers,
        "{question}"
    );
}

#[test]
fn a_title_names_its_document_in_quotes_whole_or_by_its_topic() {
    assert_names("\"Distributed mail queue\": what did we decide there?", Language::EN, &[1]);
    assert_names("Wat staat er in het besluit \"Distributed mail queue\"?", Language::NL, &[1]);
    assert_names("why the distributed mail queue?", Language::EN, &[1]);
    assert_names("summarise our decision on changing usernames", Language::EN, &[2]);
    assert_names("Kun je ons besluit over GitOps samenvatten?", Language::NL, &[4]);
    assert_names("what does \"as long as it is needed\" mean", Language::EN, &[5]);
}

#[test]
fn a_word_that_a_title_shares_names_nothing() {
    assert_names("Which broker does the distributed mail queue use?", Language::EN, &[]);
    assert_names("Which queue do we use?", Language::EN, &[]);
    assert_names("Do we use GitOps for the queue?", Language::EN, &[]);
    assert_names("Tell me about the queue", Language::EN, &[]);
}
