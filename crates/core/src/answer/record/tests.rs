use std::sync::Arc;

use super::*;
use crate::domain::{SourceId, TextSpan};
use crate::test_documents::document;

fn record(sections: &[(&[&str], &str)]) -> Vec<Chunk> {
    let document = document(4, "Queue for billing");
    let chunk = |(at, (path, text)): (usize, &(&[&str], &str))| Chunk {
        source_id: SourceId::new(document.id.clone(), at as u32),
        document: Arc::clone(&document),
        text: (*text).to_owned(),
        section_path: path.iter().map(|part| (*part).to_owned()).collect(),
        page: None,
        span: TextSpan { start: at, end: at + 1 },
        language: Language::EN,
    };
    sections.iter().enumerate().map(chunk).collect()
}

fn billing() -> Vec<Chunk> {
    record(&[
        (&[], "* Status: accepted\n* Deciders: @ann, @bob"),
        (&["Context and Problem Statement"], "Invoices were lost. Which queue keeps them?"),
        (&["Considered Options"], "- Tern\n- Heron"),
        (&["Decision Outcome"], "We choose Tern, because\n\n- it is small\n- it keeps what it is given"),
        (&["Decision Outcome", "Positive Consequences"], "- Invoices are kept for a year"),
        (&["Decision Outcome", "Negative Consequences"], "- Operators must learn Tern"),
        (
            &["Pros and Cons of the Options", "Tern"],
            "- Good, because it is small\n- Bad, because nobody knows it",
        ),
        (
            &["Pros and Cons of the Options", "Heron"],
            "- Good, because all know it\n- Bad, because it loses messages",
        ),
        (&["Links"], "- [Tern](https://tern.example)"),
    ])
}

#[track_caller]
fn answer(question: &str) -> String {
    let chunks = billing();
    let chunks: Vec<&Chunk> = chunks.iter().collect();
    compose_record(&Question::read(question, Language::EN), &chunks, Language::EN).unwrap().answer
}

#[test]
fn what_a_record_decides_is_its_outcome_with_the_list_that_belongs_to_it() {
    assert_eq!(
        answer("What does ADR-0004 decide?"),
        "We choose Tern, because\n\n- it is small\n- it keeps what it is given [1]"
    );
}

#[test]
fn what_is_both_decision_and_reason_is_shown_once() {
    let chunks = record(&[
        (&["Context"], "Invoices were lost."),
        (&["Decision Outcome"], "Chosen option: Tern, because it is small."),
    ]);
    let chunks: Vec<&Chunk> = chunks.iter().collect();
    let asked = Question::read("Why does ADR-0004 decide that?", Language::EN);
    let answer = compose_record(&asked, &chunks, Language::EN).unwrap().answer;
    assert_eq!(answer.matches("Chosen option").count(), 1, "{answer}");
    assert_eq!(answer.matches("Decision Outcome").count(), 1, "{answer}");
}

#[test]
fn all_of_a_record_is_outcome_context_and_consequences() {
    assert_eq!(
        answer("Summarise ADR 4"),
        "**Decision Outcome**\n\nWe choose Tern, because\n\n- it is small\n- it keeps what it is given [1]\n\n\
         **Context and Problem Statement**\n\nInvoices were lost. Which queue keeps them? [2]\n\n\
         **Positive Consequences**\n\n- Invoices are kept for a year [3]\n\n- Operators must learn Tern [4]"
    );
}

#[test]
fn headings_are_the_readers_and_what_has_no_section_is_said() {
    let told = answer("Summarise ADR 4 with the headings Problem, Decision, Exceptions");
    assert!(told.starts_with("**Problem**\n\nInvoices were lost."), "{told}");
    assert!(told.contains("**Decision**\n\nWe choose Tern"), "{told}");
    assert!(told.ends_with("**Exceptions**\n\nThe document has no section for this."), "{told}");
}

#[test]
fn points_come_from_every_part() {
    let told = answer("Give me ADR 4 in three bullets");
    assert_eq!(told.lines().count(), 3, "{told}");
    assert!(told.lines().all(|line| line.starts_with("- ") && line.ends_with(']')), "{told}");
}

#[test]
fn an_options_pros_and_cons_are_its_own() {
    let told = answer("What are the pros and cons of option 2 in ADR 4?");
    assert!(told.contains("all know it") && told.contains("loses messages"), "{told}");
    assert!(!told.contains("it is small"), "{told}");
}

#[test]
fn why_is_the_reason_that_the_decision_gives() {
    assert!(answer("Why ADR 4?").starts_with("We choose Tern, because"));
}

#[test]
fn a_side_of_the_choice_is_no_side_of_an_option() {
    let told = answer("ADR 4 please, split up under Problem / Choice / Downsides / Advantages");
    assert!(told.starts_with("**Problem**\n\nInvoices were lost."), "{told}");
    assert!(told.contains("**Choice**\n\nWe choose Tern"), "{told}");
    assert!(told.contains("**Downsides**\n\n- Operators must learn Tern [3]"), "{told}");
    assert!(told.ends_with("**Advantages**\n\n- Invoices are kept for a year [4]"), "{told}");
    assert!(!told.contains("loses messages"), "{told}");
}

#[test]
fn the_context_does_not_stand_in_for_what_is_decided() {
    let chunks = record(&[
        (&["Context"], "Invoices were lost."),
        (&["Proposed design"], "We put Tern in front."),
        (&["Rejected options"], "- Heron"),
    ]);
    let chunks: Vec<&Chunk> = chunks.iter().collect();
    let told = |question: &str| {
        compose_record(&Question::read(question, Language::EN), &chunks, Language::EN).unwrap().answer
    };
    assert_eq!(
        told("ADR 4 please, laid out under Motive / Plan / Rejected options"),
        "**Motive**\n\nInvoices were lost. [1]\n\n**Plan**\n\nWe put Tern in front. [2]\n\n\
         **Rejected options**\n\n- Heron [3]"
    );
    assert_eq!(
        compose_record(
            &Question::read("ADR 4 met de kopjes Aanleiding, Voorstel, Gevolgen", Language::NL),
            &chunks[..1],
            Language::EN
        )
        .unwrap()
        .answer,
        "**Aanleiding**\n\nInvoices were lost. [1]\n\n**Voorstel**\n\nThe document has no section for this.\n\n\
         **Gevolgen**\n\nThe document has no section for this."
    );
}
