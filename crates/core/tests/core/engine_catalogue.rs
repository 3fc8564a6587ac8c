//! Lists and facts: from the catalogue alone, complete and in a fixed order.

use std::sync::Arc;

use plumbline_core::domain::{Document, DocumentId, Kind};
use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::{Action, AskResponse, NoticeKind, RefusalReason};
use plumbline_telemetry::names;
use plumbline_testkit::documents::{adr, chunk, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::model::FakeModel;
use plumbline_testkit::rig::{Rig, chunks, cited, edit};

fn ids(response: &AskResponse) -> Vec<&str> {
    response.rows.iter().map(|row| row.id.as_str()).collect()
}

/// A rig with a model for every job, to see that none is asked.
fn with_models() -> Rig {
    Rig::with().model(FakeModel::honest()).planning_and_judging().build()
}

/// The rig's library with these documents, one chunk each, added.
fn library_and(documents: &[Arc<Document>]) -> FakeLibrary {
    let more =
        documents.iter().map(|document| chunk(document, 0, &["Decision"], "Something was decided here."));
    FakeLibrary::new(chunks().into_iter().chain(more).collect())
}

fn twin(source: &str, number: u32) -> Arc<Document> {
    edit(adr(number, "The same number elsewhere"), |document| {
        document.id = DocumentId::new(format!("{source}-adr-{number:04}")).unwrap();
        document.path = format!("{source}/adr-{number:04}.md");
        document.approvers = vec!["Mia Vos".to_owned()];
    })
}

#[tokio::test]
async fn a_list_is_complete_counted_and_in_a_fixed_order() {
    let rig = with_models();
    let asked = rig.ask("List all ADRs").await;
    let response = asked.response();
    assert_eq!(response.action, Action::Cite);
    assert_eq!(ids(response), ["adr-0007", "adr-0010", "adr-0012", "adr-0018"]);
    let lines: Vec<&str> = response.answer.lines().collect();
    assert_eq!((lines[0], lines.len()), ("4 decision records:", 5));
    assert_eq!(lines[3], "- ADR-0012: Require TLS 1.3 (accepted)");
    assert_eq!(asked.screen(), response.answer);
    assert_eq!(rig.answer("Show all decision records").await.rows, response.rows, "the same order each time");
    assert_eq!(
        (rig.model.calls(), rig.model.inspections(), rig.embedder.calls()),
        (0, 0, 0),
        "no model takes part"
    );
    assert_eq!(rig.audit.records()[0].routing.destination, "adr");
    assert_eq!(rig.metrics.value(&names::FACT_LOOKUP_TOTAL, ["ok"]), 2.0);
}

#[tokio::test]
async fn a_list_of_everything_goes_by_type_number_and_title() {
    let response = Rig::new().answer("List all documents").await;
    let expected = [
        "adr-0007",
        "adr-0010",
        "adr-0012",
        "adr-0018",
        "adr-0010d",
        "pcp-0039",
        "pcp-0041",
        "policy-toegangsbeheer",
        "policy-data-retention",
    ];
    assert_eq!(ids(&response), expected);
}

#[tokio::test]
async fn lists_are_filtered_and_counted() {
    let rig = Rig::new();
    let many = rig.answer("How many principles are there?").await;
    assert_eq!((many.answer.as_str(), many.rows.len()), ("There are 2 principles.", 2));
    let proposed = rig.answer("Which ADRs are proposed?").await;
    assert_eq!(ids(&proposed), ["adr-0018"]);
    let about = rig.answer("List ADRs about TLS").await;
    assert_eq!(ids(&about), ["adr-0007", "adr-0012"]);
    let lines: Vec<&str> = about.answer.lines().collect();
    let expected = [
        "2 decision records about “TLS”:",
        "- ADR-0007: Allow TLS 1.2 (superseded)",
        "  - Connections use at least TLS 1.2 with approved cipher suites. [1]",
        "- ADR-0012: Require TLS 1.3 (accepted)",
        "  - All connections between applications use TLS 1.3. [2]",
    ];
    assert_eq!(lines, expected, "below each record stands what it says of the topic");
    assert_eq!(cited(&about), ["adr-0007:0", "adr-0012:1"]);
    let none = rig.answer("List ADRs about zebras").await;
    assert_eq!(none.answer, "The library holds 0 decision records about “zebras”.");
    assert!(none.rows.is_empty() && !none.refused, "an empty list is an answer");
    let dutch = rig.answer("Toon alle principes").await;
    assert_eq!(ids(&dutch), ["pcp-0039", "pcp-0041"]);
}

#[tokio::test]
async fn approvers_come_from_the_record_and_cite_where_they_stand() {
    let rig = with_models();
    let asked = rig.ask("Who approved ADR-0010?").await;
    let response = asked.response();
    assert_eq!(response.answer, "ADR-0010 was approved by Eva de Wit and Jan Smit [1].");
    assert_eq!(cited(response), ["adr-0010d:0"], "the approval record states it");
    let fact = response.fact.as_ref().unwrap();
    assert_eq!((fact.document_id.as_str(), fact.field.as_str()), ("adr-0010", "approvers"));
    assert_eq!(fact.values, ["Eva de Wit", "Jan Smit"]);
    assert_eq!(ids(response), ["adr-0010"], "a link to the record");
    assert_eq!((rig.model.calls(), rig.embedder.calls()), (0, 0));
    assert_eq!(rig.metrics.value(&names::FACT_LOOKUP_TOTAL, ["ok"]), 1.0);
    assert_eq!(asked.screen(), response.answer);
}

#[tokio::test]
async fn every_spelling_of_a_reference_reaches_the_record() {
    let rig = Rig::new();
    for query in ["Who approved ADR-0010?", "who approved adr 10", "Wie heeft ADR.10 goedgekeurd?"] {
        let response = rig.answer(query).await;
        assert_eq!(response.fact.unwrap().values, ["Eva de Wit", "Jan Smit"], "`{query}`");
    }
}

#[tokio::test]
async fn a_status_shows_that_record_and_approval_disagree() {
    let torn = edit(adr(30, "Keep two clouds"), |document| {
        document.status = Some("accepted".to_owned());
        document.approval_status = Some("rejected".to_owned());
    });
    let rig = Rig::with().library(library_and(&[torn])).build();
    let response = rig.answer("What is the status of ADR-0030?").await;
    assert_eq!(
        response.answer,
        "The status of ADR-0030 is accepted [1]. The approval record of ADR-0030 says rejected."
    );
    let notice = &response.notices[0];
    assert_eq!(notice.kind, NoticeKind::StatusDisagreement);
    assert!(notice.text.contains("“accepted”") && notice.text.contains("“rejected”"), "{}", notice.text);
    assert!(response.transparency.statement.unwrap().contains(&notice.text), "it is said with the answer");
    let list = rig.answer("List all ADRs").await;
    let noticed: Vec<_> =
        list.notices.iter().map(|notice| (notice.kind, notice.document_id.as_str())).collect();
    assert_eq!(noticed, [(NoticeKind::StatusDisagreement, "adr-0030")], "and beside a list");
}

#[tokio::test]
async fn what_supersedes_what_is_told_by_name() {
    let rig = Rig::new();
    let forward = rig.answer("What supersedes ADR 7?").await;
    assert_eq!(forward.answer, "ADR-0007 has been superseded by ADR-0012 (Require TLS 1.3) [1].");
    assert_eq!(forward.notices[0].kind, NoticeKind::Superseded);
    let back = rig.answer("What does ADR-0012 supersede?").await;
    assert_eq!(back.answer, "ADR-0012 supersedes ADR-0007 (Allow TLS 1.2) [1].");
}

#[tokio::test]
async fn a_field_that_the_record_does_not_give_says_so() {
    let rig = with_models();
    let response = rig.answer("Who approved ADR-0018?").await;
    assert_eq!(response.answer, "ADR-0018 does not say who approved it [1].");
    assert!(response.fact.unwrap().values.is_empty());
    assert_eq!(rig.metrics.value(&names::FACT_LOOKUP_TOTAL, ["ok"]), 0.0, "nothing was found");
    assert_eq!(rig.metrics.value(&names::FACT_LOOKUP_TOTAL, ["not_given"]), 1.0);
    assert_eq!(rig.model.calls(), 0);
}

#[tokio::test]
async fn test_billing_tool_cannot_invent() {
    let rig = with_models();
    let response = rig.answer("Who approved ADR-0099?").await;
    assert_eq!(response.refusal_reason, Some(RefusalReason::EntityNotFound));
    assert!(response.answer.contains("There is no ADR-0099"), "{}", response.answer);
    assert!(response.fact.is_none() && response.rows.is_empty() && response.citations.is_empty());
    for name in ["Eva", "Jan"] {
        assert!(!response.answer.contains(name), "no approver of another record: {}", response.answer);
    }
    assert_eq!(rig.model.calls(), 0, "nobody is asked to guess");
    assert_eq!(rig.metrics.value(&names::FACT_LOOKUP_TOTAL, ["not_found"]), 1.0);
    assert_eq!(rig.metrics.value(&names::RAG_ABSTENTION_TOTAL, ["entity_not_found"]), 1.0);
}

#[tokio::test]
async fn an_unknown_record_offers_its_three_nearest_and_each_answers() {
    let rig = Rig::new();
    for query in ["Who approved ADR-0013?", "What does ADR-0013 decide?"] {
        let response = rig.answer(query).await;
        assert_eq!(response.refusal_reason, Some(RefusalReason::EntityNotFound), "`{query}`");
        let queries: Vec<_> =
            response.suggestions.iter().map(|suggestion| suggestion.query.as_str()).collect();
        assert_eq!(queries, ["ADR-0012", "ADR-0010", "ADR-0018"], "`{query}`");
        assert_eq!(response.suggestions[0].label, "Did you mean ADR-0012 (Require TLS 1.3)?");
        for suggestion in response.suggestions {
            let request =
                AskRequest { query: suggestion.query, choice: suggestion.choice, ..AskRequest::default() };
            let next = rig.request(request).await;
            assert_eq!(
                next.response().action,
                Action::Cite,
                "{}: {}",
                suggestion.label,
                next.response().answer
            );
        }
    }
}

#[tokio::test]
async fn a_number_that_several_sources_use_gives_a_picker_and_the_choice_answers_the_fact() {
    let rig = Rig::with().library(library_and(&[twin("grid", 10)])).build();
    let picker = rig.answer("Who approved ADR-0010?").await;
    assert_eq!(picker.action, Action::Clarify);
    let options = picker.clarification.unwrap().options;
    let labels: Vec<_> = options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["ADR-0010: Use the Common Information Model", "ADR-0010: The same number elsewhere"]);
    assert_eq!(options[1].detail.as_deref(), Some("grid/adr-0010.md"), "what tells them apart");
    let chosen = options[1].clone();
    let request = AskRequest { query: chosen.query, choice: Some(chosen.choice), ..AskRequest::default() };
    let response = rig.request(request).await.result.unwrap();
    assert_eq!(
        response.fact.unwrap().values,
        ["Mia Vos"],
        "the question is answered, not only the record shown"
    );

    let picker = rig.answer("What does ADR-0010 decide?").await.clarification.unwrap();
    let chosen = picker.options[0].clone();
    let request = AskRequest { query: chosen.query, choice: Some(chosen.choice), ..AskRequest::default() };
    assert_eq!(cited(rig.request(request).await.response()), ["adr-0010:1"]);
}

#[tokio::test]
async fn a_chosen_document_that_is_gone_is_said_with_the_nearest() {
    let rig = Rig::new();
    let choice = Some(Choice::Document { id: "adr-0011".to_owned() });
    let asked =
        rig.request(AskRequest { query: "ADR-0011".to_owned(), choice, ..AskRequest::default() }).await;
    let response = asked.response();
    assert_eq!(response.refusal_reason, Some(RefusalReason::EntityNotFound));
    assert_eq!(response.suggestions.len(), 3);
}

#[tokio::test]
async fn an_index_that_fails_costs_a_fact_its_citation_only() {
    let rig = Rig::new();
    rig.library.address.fail(true);
    let asked = rig.ask("Who approved ADR-0010?").await;
    assert_eq!(asked.response().answer, "ADR-0010 was approved by Eva de Wit and Jan Smit.");
    assert!(asked.response().citations.is_empty());
    assert!(asked.stage("address").starts_with("failed:"), "and it is said");
}

#[tokio::test]
async fn a_catalogue_that_fails_is_an_error_with_its_code() {
    let rig = Rig::new();
    rig.library.catalogue.fail(true);
    for query in ["List all ADRs", "Who approved ADR-0010?", "How do applications exchange events?"] {
        let asked = rig.ask(query).await;
        assert_eq!(asked.error().code(), plumbline_core::error::ErrorCode::Port, "`{query}`");
    }
}

/// A record as teams write it that name who decided and nobody who approved.
fn decided() -> Arc<Document> {
    edit(adr(22, "Collect meter telemetry centrally"), |document| {
        document.deciders = vec!["@noor-v".to_owned(), "@sander".to_owned()];
        document.status = Some("Accepted (lazy consensus), not implemented yet".to_owned());
        document.date = Some(jiff::civil::Date::constant(2023, 5, 4));
    })
}

#[tokio::test]
async fn several_fields_are_a_cited_sentence_each() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    let both = "ADR-0022 is dated 2023-05-04 [1]. ADR-0022 was decided by @noor-v and @sander [1].";
    for query in [
        "When was ADR 22 decided, and by whom?",
        "When was ADR 22 (telemetry) decided, and by whom?",
        "When was the decision on collecting meter telemetry centrally taken, and by whom?",
    ] {
        let response = rig.answer(query).await;
        assert_eq!((response.answer.as_str(), response.citations.len()), (both, 1), "`{query}`");
        assert_eq!(ids(&response), ["adr-0022"], "`{query}`");
    }
    let dutch = rig.answer("Wie hebben het besluit over telemetrie (ADR 22) genomen?").await;
    assert_eq!(dutch.answer, "ADR-0022 is besloten door @noor-v en @sander [1].");
    let signing =
        edit(adr(27, "Signing and Sealing"), |document| document.deciders = vec!["@mia".to_owned()]);
    let titled = Rig::with().library(library_and(&[signing])).build();
    let response =
        titled.answer("Wanneer is het besluit over Signing and Sealing genomen, en door wie?").await;
    assert_eq!(
        response.answer,
        "De datum van ADR-0027 is 2026-03-01 [1]. ADR-0027 is besloten door @mia [1]."
    );
    let two = rig.answer("status of ADR 12 and ADR 18").await;
    assert_eq!(two.answer, "The status of ADR-0012 is accepted [1]. The status of ADR-0018 is proposed [2].");
}

#[tokio::test]
async fn deciding_is_never_told_as_approving() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    let approved = rig.answer("Who approved ADR-0022?").await;
    assert_eq!(
        approved.answer,
        "ADR-0022 does not say who approved it [1]. ADR-0022 was decided by @noor-v and @sander [1]."
    );
    let decided = rig.answer("Who decided ADR-0010?").await;
    assert_eq!(
        decided.answer,
        "ADR-0010 does not say who decided it [1]. ADR-0010 was approved by Eva de Wit and Jan Smit [2]."
    );
}

#[tokio::test]
async fn more_than_a_title_beside_a_field_asks_the_documents() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    for query in
        ["What is the status of ADR 22 for suppliers?", "When must suppliers send meter telemetry centrally?"]
    {
        assert!(rig.answer(query).await.fact.is_none(), "`{query}`");
    }
}

#[tokio::test]
async fn what_a_number_is_called_tells_records_of_that_number_apart() {
    let rig = Rig::with().library(library_and(&[twin("grid", 10)])).build();
    let response = rig.answer("Who approved ADR 10, the one about the Common Information Model?").await;
    assert_eq!(response.fact.unwrap().values, ["Eva de Wit", "Jan Smit"]);
}

#[tokio::test]
async fn the_approval_record_of_a_principle_is_known_and_cited() {
    let approved = edit(principle(20, "Design for repair"), |document| {
        document.approvers = vec!["Mia Vos".to_owned()];
    });
    let approval = edit(principle(20, "Design for repair"), |document| {
        document.id = DocumentId::new("pcp-0020d").unwrap();
        document.kind = Kind::Dar;
        document.number = None;
    });
    let own = chunk(&approved, 0, &["Statement"], "Equipment can be repaired.");
    let other = chunk(&approval, 0, &["Approvers"], "Approved by Mia Vos.");
    let library = FakeLibrary::new(chunks().into_iter().chain([own, other]).collect());
    let rig = Rig::with().library(library).build();
    let response = rig.answer("Who approved PCP.20?").await;
    assert_eq!(cited(&response), ["pcp-0020d:0"], "{}", response.answer);
    let status = rig.answer("status of PCP.20D").await;
    assert_eq!(status.fact.unwrap().document_id, "pcp-0020d");
}

#[tokio::test]
async fn lists_know_years_people_and_the_librarys_own_statuses() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    for query in [
        "Which decisions were dated in 2023?",
        "List all ADRs before 2024",
        "All decisions where @Noor-V was involved",
        "Geef alle besluiten waar @sander bij betrokken was.",
        "Which ADRs were adopted by lazy consensus?",
        "Welke ADR's zijn nog niet geïmplementeerd?",
    ] {
        let response = rig.answer(query).await;
        assert_eq!(ids(&response), ["adr-0022"], "`{query}`: {}", response.answer);
    }
    let implemented = rig.answer("Which ADRs are implemented?").await;
    assert!(ids(&implemented).is_empty(), "not implemented yet is not implemented: {}", implemented.answer);
    let counted = rig.answer("How many of our ADRs are still proposed, and which ones?").await;
    assert!(
        counted.answer.starts_with("There is 1 decision record with status proposed.\n- ADR-0018"),
        "{}",
        counted.answer
    );
    let span = rig.answer("How many ADRs between 2022 and 2024?").await;
    assert_eq!(span.answer, "There is 1 decision record from 2022 to 2024.");
}

#[tokio::test]
async fn lists_know_months_what_has_ended_and_an_order() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    for query in ["Which ADRs were written in May 2023?", "alle besluiten van vóór juni 2023"] {
        assert_eq!(ids(&rig.answer(query).await), ["adr-0022"], "`{query}`");
    }
    let counted = rig.answer("Count the ADRs from May 2023 for me and name each").await;
    assert!(
        counted.answer.starts_with("There is 1 decision record of 2023-05.\n- ADR-0022"),
        "{}",
        counted.answer
    );
    let ended = rig.answer("which of our decisions are no longer in force").await;
    assert_eq!(ids(&ended), ["adr-0007"], "{}", ended.answer);
    let oldest = rig.answer("List all ADRs, oldest first").await;
    assert_eq!(ids(&oldest)[0], "adr-0022", "{}", oldest.answer);
    let newest = rig.answer("Toon alle besluiten, nieuwste eerst").await;
    assert_eq!(ids(&newest).last(), Some(&"adr-0022"), "{}", newest.answer);
}

#[tokio::test]
async fn a_number_without_a_kind_is_a_records_where_there_is_one() {
    let rig = Rig::with().library(library_and(&[decided()])).build();
    let known =
        rig.answer("Has number 22, the telemetry one, actually been accepted or is it still waiting?").await;
    assert_eq!(known.fact.unwrap().document_id, "adr-0022");
    let unknown = rig.answer("Has number 77, the telemetry one, actually been accepted?").await;
    assert!(unknown.fact.is_none(), "{}", unknown.answer);
}

#[tokio::test]
async fn a_list_in_a_wording_that_no_grammar_knows_is_told_by_how_it_is_worded() {
    let of_year = |number: u32, title: &str, year: i16| {
        edit(adr(number, title), |document| document.date = Some(jiff::civil::date(year, 3, 1)))
    };
    let documents = [of_year(70, "Keep copies", 2025), of_year(71, "Keep keys", 2024)];
    let rig = Rig::with().library(library_and(&documents)).build();
    let asked = "For my yearly report: whatever was decided in 2025, titles will do";
    let listed = rig.answer(asked).await;
    assert_eq!(ids(&listed), ["adr-0070"], "{}", listed.answer);

    let about = "heb je even alle besluiten over keys op een rijtje?";
    assert_eq!(ids(&rig.answer(about).await), ["adr-0071"]);
    let unknown = rig.answer("heb je even alle besluiten over zeepbellen op een rijtje?").await;
    assert!(unknown.rows.is_empty(), "{}", unknown.answer);

    let more = "heb je even alles over keys op een rijtje: hoe lang gelden ze en waar liggen ze?";
    assert!(rig.answer(more).await.rows.is_empty(), "who speaks of them does not tell that");

    for of_one in ["What did we decide on copies?", "Which keys do we keep?"] {
        assert!(rig.answer(of_one).await.rows.is_empty(), "`{of_one}` asks for no list");
    }
}

#[tokio::test]
async fn what_is_said_of_a_topic_is_the_saying_that_holds_most_of_it() {
    let (review, costs) = (adr(80, "Review of access rights"), adr(81, "Costs of access rights"));
    let passages = vec![
        chunk(&review, 0, &["Context"], "Rights grow over the years. Nobody takes them back."),
        chunk(
            &review,
            1,
            &["Decision"],
            "- Rights are given for a year.\n- A yearly review of access rights is done by the owner.",
        ),
        chunk(
            &costs,
            0,
            &["Costs"],
            "| What | Hours |\n|---|---|\n| Review of access rights | 40 |\n| Training | 10 |",
        ),
    ];
    let rig = Rig::with().library(FakeLibrary::new(passages)).build();
    let listed = rig.answer("List all ADRs about a review of access rights").await;
    let lines: Vec<&str> = listed.answer.lines().collect();
    assert_eq!(lines[2], "  - A yearly review of access rights is done by the owner. [1]");
    assert_eq!(lines[4], "  - Review of access rights – 40 [2]", "a row is told by its cells");
    assert_eq!(cited(&listed), ["adr-0080:1", "adr-0081:0"]);
}

#[tokio::test]
async fn a_document_that_belongs_to_a_topic_by_its_tag_alone_says_so() {
    let listed = Rig::new().answer("List all documents about integration").await;
    let lines: Vec<&str> = listed.answer.lines().collect();
    assert_eq!(ids(&listed), ["adr-0018"], "{}", listed.answer);
    assert_eq!(lines[2], "  - tagged “integration”");
}

#[tokio::test]
async fn a_count_by_topic_is_a_count() {
    let counted = Rig::new().answer("How many ADRs about TLS?").await;
    assert_eq!(counted.answer, "There are 2 decision records about “TLS”.");
    assert!(counted.citations.is_empty());
    assert_eq!(ids(&counted), ["adr-0007", "adr-0012"]);
}

#[tokio::test]
async fn records_from_a_number_on_are_listed_wherever_that_is_said() {
    let rig = Rig::new();
    for query in ["List all ADRs from number 12 on", "Which ADRs do we have, from ADR 12 onwards?"] {
        let listed = rig.answer(query).await;
        assert_eq!(ids(&listed), ["adr-0012", "adr-0018"], "`{query}`: {}", listed.answer);
    }
    let dutch = rig.answer("Vanaf nummer 12: welke adr's hebben we?").await;
    assert_eq!(ids(&dutch), ["adr-0012", "adr-0018"], "{}", dutch.answer);
    assert!(dutch.answer.starts_with("2 architectuurbesluiten vanaf nummer 12:"), "{}", dutch.answer);
}
