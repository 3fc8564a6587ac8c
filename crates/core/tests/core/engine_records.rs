//! Questions for a record's id, one of its fields, or more of what it says.

use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_testkit::rig::Rig;

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
