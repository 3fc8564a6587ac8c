//! What a user may not see behaves as if it did not exist.

use std::sync::Arc;

use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::{Action, RefusalReason};
use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::{Rig, RigBuilder, chunks, cited, edit};

/// A record that supersedes ADR-0018 and that only some may see.
fn secret_library() -> FakeLibrary {
    let secret = edit(adr(19, "Zebra failover site"), |document| {
        document.tags = vec!["zebra".to_owned()];
    });
    let text = "The zebra failover site takes over events when the central broker burns down.";
    let known = chunks().into_iter().map(|mut known| {
        if known.document.id.as_str() == "adr-0018" {
            known.document = edit(Arc::clone(&known.document), |document| {
                document.status = Some("accepted".to_owned());
                document.superseded_by = vec![secret.id.clone()];
            });
        }
        known
    });
    FakeLibrary::new(known.chain([chunk(&secret, 0, &["Decision"], text)]).collect())
}

fn restricted() -> RigBuilder {
    Rig::with().library(secret_library().restrict("adr-0019", "", &["crisis"]))
}

fn as_member(query: &str) -> AskRequest {
    AskRequest { user_tags: vec!["crisis".to_owned()], ..AskRequest::new(query) }
}

const QUESTIONS: [&str; 11] = [
    "Where is the zebra failover site?",
    "What takes over events when the central broker burns down?",
    "What does ADR-0019 decide?",
    "Who approved ADR-0019?",
    "What supersedes ADR-0018?",
    "What does ADR-0018 decide?",
    "List all ADRs",
    "How many ADRs are there?",
    "List ADRs about zebra",
    "19",
    "Which events does the zebra take?",
];

#[tokio::test]
async fn a_restricted_document_appears_nowhere_without_its_tag() {
    for rig in [restricted().build(), restricted().model(FakeModel::honest()).planning_and_judging().build()]
    {
        for question in QUESTIONS {
            let asked = rig.ask(question).await;
            let mut response = asked.response().clone();
            // The user's own words may come back to them.
            response.warnings.clear();
            let shown = serde_json::to_string(&response).unwrap().replace(question, "");
            for trace in ["adr-0019\"", "adr-0019:", "failover site takes", "Zebra failover", "ADR-0019 ("] {
                assert!(!shown.contains(trace), "`{question}` gives away `{trace}`: {shown}");
            }
            let events = serde_json::to_string(&asked.events).unwrap();
            assert!(
                !events.contains("Zebra failover") && !events.contains("adr-0019:0"),
                "`{question}`: {events}"
            );
        }
        for record in rig.audit.records() {
            let seen = record
                .retrieval
                .candidates
                .iter()
                .any(|candidate| candidate.source_id.starts_with("adr-0019"));
            assert!(!seen, "it is not even a candidate");
        }
        let prompts = rig.model.requests().into_iter().flat_map(|request| request.messages);
        for prompt in prompts {
            assert!(
                !prompt.content.contains("The zebra failover site"),
                "no model reads it: {}",
                prompt.content
            );
        }
    }
}

#[tokio::test]
async fn a_restricted_document_is_there_with_its_tag() {
    let rig = restricted().build();
    let found = rig.request(as_member("What takes over events when the central broker burns down?")).await;
    assert_eq!(cited(found.response())[0], "adr-0019:0");
    let named = rig.request(as_member("What does ADR-0019 decide?")).await;
    assert_eq!(named.response().action, Action::Cite);
    let successor = rig.request(as_member("What supersedes ADR-0018?")).await;
    assert!(successor.response().answer.contains("ADR-0019 (Zebra failover site)"));
    let counted = rig.request(as_member("How many ADRs are there?")).await;
    assert_eq!(counted.response().answer, "There are 5 decision records.");
}

#[tokio::test]
async fn without_the_tag_counts_and_successors_are_those_of_a_library_without_it() {
    let rig = restricted().build();
    assert_eq!(rig.answer("How many ADRs are there?").await.answer, "There are 4 decision records.");
    let successor = rig.answer("What supersedes ADR-0018?").await;
    assert_eq!(successor.answer, "Nothing in the library says that ADR-0018 has been superseded [1].");
    assert!(successor.notices.is_empty(), "not even that there is one: {:?}", successor.notices);
    let decided = rig.answer("What does ADR-0018 decide?").await;
    assert!(decided.notices.is_empty(), "{:?}", decided.notices);
    let off_topic = rig.answer("Where do zebras roam?").await;
    assert_eq!(off_topic.refusal_reason, Some(RefusalReason::OffTopic), "its words are unknown too");
}

#[tokio::test]
async fn a_choice_cannot_reach_what_the_user_may_not_see() {
    let rig = restricted().build();
    let choice = Some(Choice::Document { id: "adr-0019".to_owned() });
    let asked = rig.request(AskRequest { choice, ..AskRequest::new("ADR-0019") }).await;
    assert_eq!(asked.response().refusal_reason, Some(RefusalReason::EntityNotFound));
    assert!(asked.response().suggestions.iter().all(|suggestion| suggestion.query != "ADR-0019"));
}

#[tokio::test]
async fn tenants_do_not_see_each_other() {
    let rig = Rig::with().library(secret_library().restrict("adr-0019", "north", &[])).build();
    let query = "What takes over events when the central broker burns down?";
    let here = rig.answer(query).await;
    assert!(!serde_json::to_string(&here).unwrap().contains("Zebra"));
    let north = AskRequest { tenant_id: "north".to_owned(), ..AskRequest::new(query) };
    let there = rig.request(north.clone()).await;
    assert_eq!(cited(there.response()), ["adr-0019:0"]);
    let all = rig.request(AskRequest { query: "List all documents".to_owned(), ..north.clone() }).await;
    let rows: Vec<_> = all.response().rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(rows, ["adr-0019"], "and nothing of the default tenant");
    let foreign = rig.request(AskRequest { query: "What does ADR-0012 decide?".to_owned(), ..north }).await;
    assert_eq!(foreign.response().refusal_reason, Some(RefusalReason::EntityNotFound));
}

#[tokio::test]
async fn the_empty_tenant_is_the_default_one() {
    let rig = Rig::new();
    let named = AskRequest { tenant_id: "default".to_owned(), ..AskRequest::new("List all ADRs") };
    assert_eq!(rig.request(named).await.response().rows, rig.answer("List all ADRs").await.rows);
}
