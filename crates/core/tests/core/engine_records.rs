//! Questions for a record's id, one of its fields, or more of what it says.

use std::sync::Arc;

use plumbline_core::domain::DocumentId;
use plumbline_core::ports::PassageReading;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::Action;
use plumbline_testkit::documents::{adr, chunk, policy, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::reader::FakeReader;
use plumbline_testkit::rig::{Rig, chunks, edit};

#[tokio::test]
async fn where_the_id_or_the_name_is_wished_for_nothing_else_is_said() {
    let rig = Rig::new();
    for (query, said) in [
        (
            "Which ADR lets applications exchange events through one central broker? Nothing else.",
            "ADR-0018 [1]",
        ),
        (
            "What's the number of the record that lets applications exchange events through one broker?",
            "ADR-0018 [1]",
        ),
        (
            "only the name of the record that has applications exchange events through one broker, no prose",
            "ADR-0018: Exchange events through one broker [1]",
        ),
    ] {
        assert_eq!(rig.answer(query).await.answer, said, "`{query}`");
    }
}

#[tokio::test]
async fn a_field_is_told_of_the_record_that_says_something() {
    let rig = Rig::new();
    let told = rig
        .answer("What is the status of the record that says applications exchange events through a broker?");
    assert_eq!(told.await.answer, "The status of ADR-0018 is proposed [1].");
}

#[tokio::test]
async fn more_of_what_was_cited_is_all_of_that_record() {
    let rig = Rig::new();
    let history = vec![
        ChatMessage::user("Which model do we exchange grid data in?"),
        ChatMessage::assistant("CIM [adr-0012:1]."),
    ];
    for query in ["Vertel daar eens wat meer over.", "Tell me more about that"] {
        let request = AskRequest { chat_history: history.clone(), ..AskRequest::new(query) };
        let asked = rig.request(request).await;
        let response = asked.response();
        assert!(!response.refused, "`{query}`: {}", response.answer);
        let cited = response.citations.iter().all(|citation| citation.document_id == "adr-0012");
        assert!(cited && !response.citations.is_empty(), "`{query}`: {response:#?}");
    }
}

/// The rig's library with a policy that goes by a code, and a record that two people decided.
fn with_codes_and_people() -> Rig {
    let policy = edit(policy("remote-access", "Remote Access by Suppliers"), |document| {
        document.codes = vec!["POL-03".to_owned()];
        document.owner = Some("Joris van Velzen".to_owned());
    });
    let record = edit(adr(31, "Read meters through the access server"), |document| {
        document.deciders = vec!["Ruth Adeyemi".to_owned(), "Daan Molenaar".to_owned()];
        document.approvers = vec!["Marit Veenstra".to_owned()];
        document.status = Some("in review".to_owned());
    });
    let more = [
        chunk(&policy, 0, &["Scope"], "A supplier requests a session two working days ahead."),
        chunk(&record, 0, &["Decision"], "We read smart meters through the central access server only."),
    ];
    Rig::with().library(FakeLibrary::new(chunks().into_iter().chain(more).collect())).build()
}

#[tokio::test]
async fn a_field_that_no_passage_says_is_told_of_the_record_that_is_spoken_of() {
    let rig = with_codes_and_people();
    for (query, said) in [
        (
            "Reading smart meters through the central access server: is that agreed already, or still only a plan?",
            "The status of ADR-0031 is in review [1].",
        ),
        (
            "Names please of whoever gave the green light to reading smart meters through the access server",
            "ADR-0031 was approved by Marit Veenstra [1].",
        ),
    ] {
        assert_eq!(rig.answer(query).await.answer, said, "`{query}`");
    }
    let unheard_of =
        rig.answer("Orbital launch windows for weather satellites: agreed already or still a plan?").await;
    assert!(unheard_of.refused, "no other record's status is told: {}", unheard_of.answer);
}

#[tokio::test]
async fn what_nothing_answers_by_itself_is_asked_of_the_record_that_was_spoken_of() {
    let rig = with_codes_and_people();
    let query = "Names please of whoever gave the green light";
    assert!(rig.answer(query).await.refused, "nobody knows to what");
    let history = vec![
        ChatMessage::user("How do we read smart meters?"),
        ChatMessage::assistant("Through the central access server only [adr-0031:0]."),
    ];
    let request = AskRequest { chat_history: history.clone(), ..AskRequest::new(query) };
    assert_eq!(rig.request(request).await.response().answer, "ADR-0031 was approved by Marit Veenstra [1].");
    let request = AskRequest { chat_history: history, ..AskRequest::new("Write a poem about cheese") };
    let asked = rig.request(request).await;
    assert!(asked.response().refused, "a conversation is no reason to answer: {}", asked.response().answer);
}

#[tokio::test]
async fn a_document_goes_by_the_code_that_its_library_gives_it() {
    let rig = with_codes_and_people();
    for query in ["Who owns POL-03?", "wie is de eigenaar van pol 3"] {
        let response = rig.answer(query).await;
        assert!(response.answer.contains("Joris van Velzen"), "`{query}`: {}", response.answer);
    }
    let shown = rig.answer("Summarise POL-03").await;
    assert!(shown.answer.contains("two working days ahead"), "{}", shown.answer);
    let other = rig.answer("Who owns TLS 1.3?").await;
    assert!(!other.answer.contains("Joris"), "what only looks like a code names nothing: {}", other.answer);
}

#[tokio::test]
async fn a_single_letter_in_a_title_is_no_word_of_it() {
    let entitled = |id: &str, title: &str| {
        edit(adr(0, title), |document| {
            document.id = DocumentId::new(id).unwrap();
            document.path = format!("{id}.md");
            document.number = None;
        })
    };
    let forecast = entitled("d-forecast", "D-Forecast");
    let response = entitled("d-forecast-response", "D-ForecastResponse");
    let more = [
        chunk(&forecast, 0, &[], "D-Forecast messages tell the grid operator what is expected."),
        chunk(&response, 0, &[], "D-ForecastResponse messages answer them."),
    ];
    let rig = Rig::with().library(FakeLibrary::new(chunks().into_iter().chain(more).collect())).build();
    let approved = rig.answer("Who approved D-Forecast?").await;
    assert_eq!(approved.answer, "D-Forecast does not say who approved it [1].");
}

#[tokio::test]
async fn a_record_in_a_folder_of_its_own_goes_by_its_path_its_folder_and_its_day() {
    let of_day = |folder: &str, title: &str, day: &str| {
        edit(adr(0, title), |document| {
            document.id = DocumentId::new(format!("adr-{folder}")).unwrap();
            document.path = format!("{folder}/README.md");
            document.number = None;
            document.date = Some(day.parse().unwrap());
        })
    };
    let tracing = of_day("2022-02-07-tracing", "Tracing", "2022-02-07");
    let contexts = of_day("2024-10-05-typed-policy-context", "Typed scopes through contexts", "2024-10-05");
    let more = [
        chunk(&tracing, 0, &["Decision"], "Every request between services carries a trace."),
        chunk(&contexts, 0, &["Decision"], "Scopes and contexts are bound to each other."),
    ];
    let rig = Rig::with().library(FakeLibrary::new(chunks().into_iter().chain(more).collect())).build();
    for question in [
        "What does 2022-02-07-tracing/README.md decide?",
        "What did we decide on 7 February 2022?",
        "What is the decision of 2022-02-07 about?",
        "Besluit 20220207, waar ging dat over?",
    ] {
        let response = rig.answer(question).await;
        assert!(
            response.answer.starts_with("Every request between services carries a trace. [1]"),
            "{question}"
        );
    }
    for question in [
        "What is the date of the typed policy context record?",
        "What date is on the typed policy context record?",
    ] {
        let response = rig.answer(question).await;
        assert_eq!(response.fact.unwrap().values, ["2024-10-05"], "{question}");
    }
}

#[tokio::test]
async fn what_speaks_against_something_is_told_by_the_list_that_a_sentence_leads_to() {
    let record = edit(adr(61, "Copy data with a managed service"), |document| document.date = None);
    let more = [
        chunk(&record, 0, &["Decision"], "Managed services may copy data between accounts."),
        chunk(
            &record,
            1,
            &["Rationale"],
            "For large copies, advantages of the managed service include:\n\n- Copies run in parallel.\n- Retries are built in.\n\nLimitations of the managed service include:\n\n- One more thing can fail.\n- Costs are hard to foresee.",
        ),
    ];
    let rig = Rig::with().library(FakeLibrary::new(chunks().into_iter().chain(more).collect())).build();
    let against = rig.answer("What are the downsides of ADR-0061?").await;
    assert!(against.answer.contains("One more thing can fail."), "{}", against.answer);
    assert!(against.answer.contains("Costs are hard to foresee."), "{}", against.answer);
    assert!(!against.answer.contains("parallel"), "{}", against.answer);
    let advantages = rig.answer("Give me the advantages of ADR-0061 in two bullets").await;
    assert!(advantages.answer.contains("- Copies run in parallel."), "{}", advantages.answer);
    assert!(!advantages.answer.contains("fail"), "{}", advantages.answer);
}

#[tokio::test]
async fn a_document_goes_by_the_id_that_citations_show() {
    let named = |id: &str, title: &str, approvers: &[&str]| {
        edit(adr(0, title), |document| {
            document.id = DocumentId::new(id).unwrap();
            document.path = format!("{id}/README.md");
            document.number = None;
            document.approvers = approvers.iter().map(|name| (*name).to_owned()).collect();
        })
    };
    let dated = named("adr-2024-10-24-two-way-transfers", "Two-way transfers", &[]);
    let beside = named("billing-adr-0012", "Invoices by mail", &["Marit Veenstra"]);
    let more = [
        chunk(&dated, 0, &["Rationale"], "Whoever receives data wants to report errors."),
        chunk(&dated, 1, &["Decision"], "Data planes offer a channel for responses."),
        chunk(
            &dated,
            2,
            &["Approach"],
            "The provider always offers the response channel. Nothing else changes.",
        ),
        chunk(&beside, 0, &["Decision"], "Invoices go out by mail."),
    ];
    let rig = Rig::with().library(FakeLibrary::new(chunks().into_iter().chain(more).collect())).build();
    let decided = rig.answer("What does adr-2024-10-24-two-way-transfers decide?").await;
    assert_eq!(decided.answer, "Data planes offer a channel for responses. [1]");
    assert_eq!(decided.warnings, [""; 0], "no word of the question is missing");
    for name in ["adr-2024-10-24-two-way-transfers", "2024-10-24-two-way-transfers"] {
        let approved = rig.answer(&format!("Who approved {name}?")).await;
        assert!(approved.answer.contains("does not say who approved it"), "{}", approved.answer);
    }
    let other = rig.answer("Who approved billing-adr-0012?").await;
    assert!(other.answer.contains("Marit Veenstra"), "the number in an id names no other: {}", other.answer);
    let prose = rig.answer("Which state-of-the-art cipher do connections use?").await;
    assert!(
        prose.answer.contains("TLS"),
        "words between hyphens name nothing by themselves: {}",
        prose.answer
    );
}

#[tokio::test]
async fn who_signed_for_something_is_told_of_the_record_that_decides_it() {
    let rig = with_codes_and_people();
    let response =
        rig.answer("who signed off on reading smart meters through the central access server?").await;
    assert!(response.answer.contains("Marit Veenstra"), "{}", response.answer);
}

#[tokio::test]
async fn a_field_is_told_whatever_the_words_it_is_asked_for_in() {
    let rig = with_codes_and_people();
    for (query, told) in [
        ("Whose names are under ADR 31?", "Marit Veenstra"),
        ("Wiens handtekeningen staan er onder ADR 31?", "Marit Veenstra"),
        (
            "names of whoever signed off on reading smart meters through the central access server please",
            "Marit Veenstra",
        ),
        ("is ADR 31 still waiting for the board or has it been settled", "in review"),
        ("whom do i bother with remarks on POL-03, who looks after it", "Joris van Velzen"),
    ] {
        let response = rig.answer(query).await;
        assert!(response.fact.is_some(), "`{query}`: {}", response.answer);
        assert!(response.answer.contains(told), "`{query}`: {}", response.answer);
    }
    let said = rig.answer("Who must ask for a session under POL-03, and how far ahead?").await;
    assert!(said.fact.is_none(), "what a record says is no field of it: {}", said.answer);
}

#[tokio::test]
async fn rows_of_what_a_record_decides_stand_once_below_one_head() {
    let record = adr(32, "Keep backups by tier");
    let table = "| Tier | Kept for |\n|---|---|\n| gold | one year |\n| silver | ninety days |\n| bronze | one week |";
    let decided = chunk(&record, 0, &["Decision"], table);
    let rig = Rig::with().library(FakeLibrary::new(vec![decided])).build();
    let response = rig.answer("How long for gold and how long for silver?").await;
    assert_eq!(response.answer.matches("| Tier | Kept for |").count(), 1, "{}", response.answer);
    assert_eq!(response.answer.matches("| silver |").count(), 1, "{}", response.answer);
    let is_marked_outside = |line: &str| line.starts_with('|') && !line.trim_end().ends_with('|');
    assert!(!response.answer.lines().any(is_marked_outside), "a mark breaks the row: {}", response.answer);
}

#[tokio::test]
async fn what_a_named_record_decides_is_shown_without_a_search_or_reading_for_it() {
    let record = adr(33, "Sign releases");
    let decided = chunk(&record, 0, &["Decision"], "Every release is signed with the key of its team.");
    let context = chunk(&record, 1, &["Context"], "Two releases of last year were replaced on their way.");
    let reader = FakeReader::saying(|_, _| PassageReading { answers: 3.0, follows: 0.1, contradicts: 0.1 });
    let read = Arc::clone(&reader);
    let rig = Rig::with()
        .library(FakeLibrary::new(vec![decided, context]))
        .ports(move |ports| ports.reader = Some(reader))
        .build();
    let decides = rig.answer("What does ADR-0033 decide?").await;
    assert!(decides.answer.contains("signed with the key of its team"), "{}", decides.answer);
    assert_eq!((read.faults.calls(), rig.embedder.calls()), (0, 0), "its sections tell");
    assert_eq!(decides.citations[0].relevance_score, 1.0, "nothing is more relevant than what was named");
    assert!(!decides.retrieval_quality.fallback_active, "nothing was missing: {decides:?}");

    let searched = rig.answer("Which releases does ADR-0033 say were replaced on their way?").await;
    assert!(searched.answer.contains("replaced on their way"), "{}", searched.answer);
    assert!(
        read.faults.calls() > 0 && rig.embedder.calls() > 0,
        "what stands somewhere in a record is read for"
    );
}

#[tokio::test]
async fn a_list_is_understood_by_the_names_and_statuses_that_the_catalogue_knows() {
    let rig = with_codes_and_people();
    for query in [
        "every decision Ruth Adeyemi had a hand in as decider",
        "bij welke adr's zat ruth adeyemi als beslisser aan tafel",
        "hey, which ADRs are sitting in review?",
    ] {
        let rows: Vec<String> = rig.answer(query).await.rows.iter().map(|row| row.id.clone()).collect();
        assert_eq!(rows, ["adr-0031"], "`{query}`");
    }
    let unknown = rig.answer("which ADRs did somebody called Zebedee have a hand in?").await;
    assert!(unknown.rows.is_empty(), "a list with a word that nobody knows is none: {:?}", unknown.rows);
}

#[tokio::test]
async fn a_number_that_two_kinds_have_is_asked_back() {
    let rig = Rig::with()
        .library(FakeLibrary::new(
            chunks()
                .into_iter()
                .chain([chunk(&principle(12, "Loose coupling"), 0, &["Statement"], "Parts change alone.")])
                .collect(),
        ))
        .build();
    let response = rig.answer("Summarise number 12 for me").await;
    assert_eq!(response.action, Action::Clarify, "{}", response.answer);
    let rig = Rig::new();
    let response = rig.answer("Summarise number 12 for me").await;
    assert!(response.citations.iter().all(|citation| citation.document_id == "adr-0012"), "{response:#?}");
    assert!(!response.citations.is_empty());
}

#[tokio::test]
async fn records_of_one_source_are_listed_and_told_apart_by_its_name() {
    let of = |source: &str, number: u32, title: &str| {
        edit(adr(number, title), |document| {
            document.id = DocumentId::new(format!("{source}-adr-{number:04}")).unwrap();
            document.source = format!("adr/{source}");
        })
    };
    let documents = [
        of("harbour-authority", 1, "Keep a register of ships"),
        of("harbour-authority", 2, "Radio on channel twelve"),
        of("lighthouse", 1, "Lamps with diodes"),
    ];
    let chunks = documents.iter().map(|document| chunk(document, 0, &["Decision"], "So it was decided."));
    let rig = Rig::with().library(FakeLibrary::new(chunks.collect())).build();
    for query in ["List the Lighthouse ADRs", "which ADRs of the lighthouse do we have?"] {
        let rows: Vec<String> = rig.answer(query).await.rows.iter().map(|row| row.id.clone()).collect();
        assert_eq!(rows, ["lighthouse-adr-0001"], "`{query}`");
    }
    let decided = rig.answer("What does ADR 1 of the lighthouse decide?").await;
    let cited: Vec<&str> = decided.citations.iter().map(|citation| citation.document_id.as_str()).collect();
    assert_eq!(cited, ["lighthouse-adr-0001"], "{}", decided.answer);
    assert_eq!(rig.answer("What does ADR 1 decide?").await.action, Action::Clarify);
}

#[tokio::test]
async fn a_record_that_is_called_what_is_asked_for_as_a_whole_is_shown_however_far_its_vector_is() {
    let library = || {
        let of = |number, title: &str, text: &str| chunk(&adr(number, title), 0, &["Decision"], text);
        FakeLibrary::new(vec![
            of(
                11,
                "Spoorboek for access to records",
                "We keep a line for everyone who opens a patient's record.",
            ),
            of(12, "Store measurements", "Measurements are stored once, and Spoorboek is told."),
        ])
        .with_all_cosines(0.1)
    };
    for (question, action) in [
        ("Tell me about Spoorboek", Action::Cite),
        ("Can you summarise our decision about Spoorboek?", Action::Cite),
        ("Summarise Spoorboek", Action::Cite),
        ("Tell me about the moon landing", Action::Refuse),
    ] {
        let response = Rig::with().library(library()).build().answer(question).await;
        assert_eq!(response.action, action, "{question}: {}", response.answer);
        let cited = response.citations.iter().any(|citation| citation.document_id == "adr-0011");
        assert_eq!(cited, action == Action::Cite, "{question}: {}", response.answer);
    }
}
