//! What records say of one another: from the graph alone, complete, in order, with the sentences that say so.

use std::sync::Arc;

use plumbline_core::decisions::{Relation, RelationKind};
use plumbline_core::domain::Document;
use plumbline_core::response::{Action, AskResponse, RefusalReason};
use plumbline_testkit::documents::{adr, chunk, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::{Rig, cited};

fn relation(from: &Document, kind: RelationKind, to: &Document, sentence: &str) -> Relation {
    Relation {
        from: from.id.clone(),
        to: to.id.clone(),
        kind,
        sentence: sentence.to_owned(),
        said_in: from.id.clone(),
        line: 1,
    }
}

fn rig() -> Rig {
    let old: Arc<Document> = adr(1, "Queues in files");
    let new = adr(2, "Queues in a broker");
    let user = adr(3, "Mail through the queue");
    let far = adr(4, "Retries of mail");
    let bare = principle(5, "Loose coupling");
    let kept = principle(6, "Keep it simple");
    let chunks = vec![
        chunk(&old, 0, &["Decision"], "Queues are files in a folder."),
        chunk(&new, 0, &["Context"], "Files were lost when two programs wrote at once."),
        chunk(&new, 1, &["Decision"], "We use a broker. This supersedes [ADR-1](0001.md)."),
        chunk(&user, 0, &["Decision"], "Mail goes through the broker. It depends on ADR-2, and on PCP-5."),
        chunk(&far, 0, &["Decision"], "Retries build on ADR-3."),
        chunk(&bare, 0, &["Statement"], "Parts know little of each other."),
        chunk(&kept, 0, &["Statement"], "What is simple is kept."),
    ];
    let relations = [
        relation(&new, RelationKind::Supersedes, &old, "This supersedes ADR-1."),
        relation(&user, RelationKind::DependsOn, &new, "It depends on ADR-2, and on PCP-5."),
        relation(&user, RelationKind::DependsOn, &bare, "It depends on ADR-2, and on PCP-5."),
        relation(&far, RelationKind::DependsOn, &user, "Retries build on ADR-3."),
    ];
    let library = FakeLibrary::new(chunks).relations(relations);
    Rig::with().library(library).model(FakeModel::honest()).planning_and_judging().build()
}

fn rows(response: &AskResponse) -> Vec<&str> {
    response.rows.iter().map(|row| row.id.as_str()).collect()
}

#[tokio::test]
async fn what_replaced_a_record_is_told_with_its_sentence_and_its_reasons() {
    let rig = rig();
    let response = rig.answer("What replaced ADR-1, and why?").await;
    assert_eq!((response.action, rows(&response)), (Action::Cite, vec!["adr-0002"]));
    assert!(
        response.answer.contains("“This supersedes ADR-1.” [1]\n\nWhy, in the words of"),
        "the reasons are a paragraph of their own: {}",
        response.answer
    );
    assert!(
        response.answer.contains("Files were lost when two programs wrote at once."),
        "{}",
        response.answer
    );
    assert_eq!(cited(&response), ["adr-0002:1", "adr-0002:0"], "where each of the two stands");
    assert_eq!(rig.model.calls(), 0, "no model takes part");
}

#[tokio::test]
async fn what_hangs_on_a_record_is_complete_and_the_direct_ones_come_first() {
    let rig = rig();
    for question in ["Which decisions depend on ADR-2?", "Welke besluiten hangen af van ADR-2?"] {
        assert_eq!(rows(&rig.answer(question).await), ["adr-0003", "adr-0004"], "of `{question}`");
    }
    let impact = rig.answer("What would be affected if we dropped ADR-2?").await;
    assert_eq!(rows(&impact), ["adr-0003", "adr-0004"]);
    assert!(impact.answer.contains(", through ADR-0003"), "{}", impact.answer);
    let rests_on = rig.answer("What does ADR-3 build on?").await;
    assert_eq!(
        rows(&rests_on)[..2],
        ["adr-0002", "pcp-0005"],
        "what rests on it comes after what it rests on"
    );
}

#[tokio::test]
async fn a_thing_touches_what_names_it_and_what_rests_on_that() {
    let rig = rig();
    let response = rig.answer("What would be affected if we dropped the broker?").await;
    assert_eq!(rows(&response), ["adr-0002", "adr-0003", "adr-0004"]);
}

#[tokio::test]
async fn kinds_of_record_that_go_with_no_other_are_listed() {
    let rig = rig();
    assert_eq!(rows(&rig.answer("Which principles have no decision?").await), ["pcp-0006"]);
    assert_eq!(
        rows(&rig.answer("Welke besluiten hebben geen principe?").await),
        ["adr-0001", "adr-0002", "adr-0004"]
    );
}

#[tokio::test]
async fn a_record_that_is_not_there_and_a_relation_that_nobody_tells_of_are_refused() {
    let rig = rig();
    let unknown = rig.answer("What replaced ADR-99, and why?").await;
    assert_eq!(unknown.refusal_reason, Some(RefusalReason::EntityNotFound));
    assert!(!unknown.suggestions.is_empty(), "the nearest are offered");
    let nothing = rig.answer("Which decisions depend on PCP-6?").await;
    assert_eq!(nothing.refusal_reason, Some(RefusalReason::NoResults));
    assert_eq!(nothing.answer, "No record in the library says that of PCP-0006.");
}

#[tokio::test]
async fn without_the_passages_the_sentences_stay() {
    let rig = rig();
    rig.library.address.fail(true);
    let response = rig.answer("Which decisions depend on ADR-2?").await;
    assert_eq!(rows(&response), ["adr-0003", "adr-0004"]);
    assert!(response.answer.contains("“It depends on ADR-2, and on PCP-5.”"), "{}", response.answer);
    assert!(response.citations.is_empty());
}
