//! Several questions in one, and the same about several things: each is answered, and what answers two of them is shown once.

use std::collections::BTreeSet;

use plumbline_testkit::documents::{adr, chunk};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::{AskOutcome, Rig, cited};

const BOTH: &str = "Logs of Lumen and logs of Quarry are kept for 30 days.";

async fn ask(texts: &[&str], question: &str) -> AskOutcome {
    let record = adr(31, "Logs of Lumen and of Quarry");
    let chunks = texts.iter().zip(0..).map(|(text, at)| chunk(&record, at, &["Decision"], text));
    Rig::with().library(FakeLibrary::new(chunks.collect())).build().ask(question).await
}

#[tokio::test]
async fn each_of_several_things_is_answered() {
    let texts = ["Logs of Lumen are kept for 30 days.", "Logs of Quarry are kept for 90 days."];
    let asked = ask(&texts, "How long are logs kept of Lumen and of Quarry?").await;
    let response = asked.response();
    assert!(texts.iter().all(|text| response.answer.contains(text)), "{}", response.answer);
    assert_eq!(asked.screen(), response.answer);
}

#[tokio::test]
async fn what_answers_two_of_them_is_shown_and_cited_once() {
    let asked = ask(&[BOTH], "How long are logs kept of Lumen and of Quarry?").await;
    let response = asked.response();
    assert_eq!(response.answer, format!("{BOTH} [1]"));
    assert_eq!(response.citations.len(), 1, "{:?}", response.citations);
}

#[tokio::test]
async fn a_passage_keeps_its_number_where_it_answers_a_second_thing_in_other_words() {
    let texts = [BOTH, "Keys are changed each week. Alarms go to the shift leader of Quarry."];
    let asked = ask(&texts, "How long are logs of Quarry kept, and how often are keys changed?").await;
    let response = asked.response();
    let sources = cited(response);
    let distinct: BTreeSet<&String> = sources.iter().collect();
    assert_eq!(sources.len(), distinct.len(), "{sources:?}: {}", response.answer);
    assert!(
        response.answer.contains("30 days") && response.answer.contains("each week"),
        "{}",
        response.answer
    );
}
