use std::sync::Arc;

use super::*;
use crate::domain::Language;
use crate::test_documents::document;

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

fn numbers_of(documents: &[Arc<Document>]) -> Vec<u32> {
    documents.iter().filter_map(|document| document.number).collect()
}

#[test]
fn a_title_in_quotes_names_its_document() {
    for (question, language, numbers) in [
        ("\"Distributed mail queue\": what did we decide there?", Language::EN, &[1][..]),
        ("Wat staat er in het besluit \"Distributed mail queue\"?", Language::NL, &[1]),
        ("what does \"as long as it is needed\" mean", Language::EN, &[5]),
        ("what does \"queue\" mean", Language::EN, &[]),
    ] {
        let found = quoted_titles(&Question::read(question, language), &library());
        assert_eq!(numbers_of(&found), numbers, "{question}");
    }
}

#[test]
fn a_question_for_a_document_names_it_by_its_topic() {
    for (question, language, numbers) in [
        ("why the distributed mail queue?", Language::EN, &[1][..]),
        ("summarise our decision on changing usernames", Language::EN, &[2]),
        ("Kun je ons besluit over GitOps samenvatten?", Language::NL, &[4]),
        ("exactly three bullets on the distributed queue decision", Language::EN, &[1]),
        ("Tell me about the queue", Language::EN, &[1, 3]),
        ("GitOps", Language::EN, &[4]),
        ("the decision \"Distributed mail queue\".", Language::EN, &[1]),
        ("the distributed mail queue ADR", Language::EN, &[1]),
        ("Het besluit Distributed mail queue", Language::NL, &[1]),
        ("a distributed mail", Language::EN, &[]),
        ("the decision", Language::EN, &[]),
        ("Which broker does the distributed mail queue use?", Language::EN, &[]),
        ("Do we use GitOps for the queue?", Language::EN, &[]),
    ] {
        let found = titled(&Question::read(question, language), &library());
        assert_eq!(numbers_of(&found), numbers, "{question}");
    }
}
