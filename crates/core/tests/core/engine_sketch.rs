//! A draft of a record: the library's layout, what the library says as citations, and blanks for the rest.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use plumbline_core::decisions::{ContradictionKind, Opposition, Relation, RelationKind, Sentence, Side};
use plumbline_core::domain::Document;
use plumbline_core::ports::{Contradictions, PortError, Scope};
use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::{Action, AskResponse};
use plumbline_testkit::documents::{adr, chunk, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::Rig;

/// Two statements about retries that oppose each other.
struct Opposed;

#[async_trait]
impl Contradictions for Opposed {
    async fn open(&self, _: &Scope, _: Date) -> Result<Vec<Opposition>, PortError> {
        let side = |document: &Document, text: &str| Side {
            document: document.id.clone(),
            sentence: Sentence { heading: "Decision".to_owned(), text: text.to_owned(), line: 1 },
        };
        Ok(vec![Opposition {
            id: "1".to_owned(),
            kind: ContradictionKind::DifferentValue,
            first: side(&adr(2, ""), "Mail is retried 3 times."),
            second: side(&adr(4, ""), "Mail is retried 5 times."),
            opposes: ("3".to_owned(), "5".to_owned()),
        }])
    }
}

fn library() -> FakeLibrary {
    let records = [
        (adr(1, "Queues in files"), "Queues are files in a folder."),
        (adr(2, "Retries of mail"), "Mail is retried 3 times."),
        (adr(3, "Passwords in a vault"), "Passwords are kept in a vault."),
        (adr(4, "Mail through the queue"), "Mail is retried 5 times."),
    ];
    let rule = principle(5, "Loose coupling");
    let mut chunks = vec![chunk(&rule, 0, &["Statement"], "Parts know little of each other.")];
    for (record, decision) in &records {
        chunks.push(chunk(record, 0, &["Why"], "There was a need."));
        chunks.push(chunk(record, 1, &["What we decided"], decision));
        chunks.push(chunk(record, 2, &["What follows"], "Some work."));
    }
    let names = Relation {
        from: records[3].0.id.clone(),
        to: rule.id.clone(),
        kind: RelationKind::Implements,
        sentence: "It follows PCP-5.".to_owned(),
        said_in: records[3].0.id.clone(),
        line: 1,
    };
    FakeLibrary::new(chunks).relations([names])
}

fn rig() -> Rig {
    Rig::with().library(library()).ports(|ports| ports.contradictions = Some(Arc::new(Opposed))).build()
}

/// What stands under a heading of the draft.
fn section<'a>(response: &'a AskResponse, heading: &str) -> &'a str {
    let draft = &response.draft.as_ref().expect("a draft").text;
    let from = draft.find(&format!("## {heading}\n")).unwrap_or_else(|| panic!("no {heading} in {draft}"));
    let rest = &draft[from + heading.len() + 3..];
    rest[..rest.find("\n## ").unwrap_or(rest.len())].trim()
}

#[tokio::test]
async fn a_draft_has_the_librarys_layout_the_next_number_and_blanks_for_what_is_to_be_decided() {
    let response = rig().answer("Draft a record about retries of mail").await;
    assert_eq!(response.action, Action::Cite);
    let draft = response.draft.as_ref().expect("a draft");
    assert_eq!(draft.reference.as_deref(), Some("ADR-0005"), "after four records");
    assert!(draft.file_name.ends_with("retries-of-mail.md"), "{}", draft.file_name);
    assert!(draft.text.starts_with("# Retries of mail\n"), "{}", draft.text);
    assert!(draft.text.contains("ADR-0005 (a suggestion"), "{}", draft.text);
    assert_eq!(section(&response, "What we decided"), "*[To be filled in]*");
    assert_eq!(section(&response, "What follows"), "*[To be filled in]*");
    assert!(section(&response, "Why").ends_with("*[To be filled in]*"), "{}", section(&response, "Why"));
}

#[tokio::test]
async fn what_the_library_says_is_quoted_with_its_record_and_a_footnote() {
    let response = rig().answer("Draft a record about retries of mail").await;
    let more = section(&response, "More Information");
    assert!(more.contains("ADR-0002: Retries of mail"), "{more}");
    assert!(more.contains("ADR-0002 says “Mail is retried 3 times.”"), "{more}");
    assert!(more.contains("ADR-0004 says “Mail is retried 5 times.”"), "{more}");
    assert!(!more.contains("vault"), "what has nothing to do with it stays out: {more}");
    let draft = response.draft.as_ref().expect("a draft");
    for citation in &response.citations {
        let note = format!("[^{}]", citation.number);
        assert_eq!(
            draft.text.matches(&note).count().min(2),
            2,
            "{note} is used and explained in {}",
            draft.text
        );
    }
}

#[tokio::test]
async fn a_topic_that_the_library_does_not_know_gets_its_layout_and_a_word_on_that() {
    let response = rig().answer("Draft a record about quantum telescopes").await;
    assert!(
        response.answer.starts_with("The library holds nothing about “quantum telescopes”"),
        "{}",
        response.answer
    );
    assert_eq!((response.citations.len(), response.rows.len(), response.grounded), (0, 0, false));
    assert_eq!(section(&response, "What we decided"), "*[To be filled in]*");
    assert!(!response.answer.contains('“') || response.answer.matches('“').count() == 1, "nothing is quoted");
}

#[tokio::test]
async fn a_library_without_records_gets_madr_in_the_language_of_the_question() {
    let rig = Rig::with().library(FakeLibrary::new(Vec::new())).build();
    let request = AskRequest {
        choice: Some(Choice::Draft { topic: "het bewaren van logbestanden".to_owned() }),
        ..AskRequest::new("het bewaren van logbestanden")
    };
    let response = rig.request(request).await.response().clone();
    let draft = response.draft.as_ref().expect("a draft");
    assert_eq!(draft.reference, None, "there is no series to go on with");
    for heading in ["Context en probleemstelling", "Overwogen opties", "Besluit"] {
        assert!(draft.text.contains(&format!("## {heading}\n")), "no {heading} in {}", draft.text);
    }
}

#[tokio::test]
async fn a_model_words_the_context_and_nothing_else() {
    let rig = Rig::with().library(library()).model(FakeModel::honest()).planning_and_judging().build();
    let response = rig.answer("Draft a record about retries of mail").await;
    assert!(response.model_used.is_some(), "the model wrote: {}", response.answer);
    assert_eq!(section(&response, "What we decided"), "*[To be filled in]*");
}
