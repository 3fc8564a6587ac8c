//! The way to the evidence alone: the same lanes and ranking as an answer has, and nothing decided.

use plumbline_core::domain::{Candidate, EmbedderFamily, Lane};
use plumbline_core::engine::Retrieved;
use plumbline_core::error::AskError;
use plumbline_core::ports::Scope;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::{Stage, StageOutcome};
use plumbline_testkit::documents::{adr, chunk, dutch_policy};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::memory::FakeMemory;
use plumbline_testkit::reranker::FakeReranker;
use plumbline_testkit::rig::{Rig, library};

const QUESTION: &str = "How do applications exchange events?";

fn everyone() -> Scope {
    Scope { tenant: "default".to_owned(), ..Scope::default() }
}

async fn retrieve(rig: &Rig, query: &str, wanted: usize) -> Retrieved {
    rig.engine.retrieve(query, &everyone(), wanted).await.unwrap()
}

fn ids(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.chunk.source_id.to_string()).collect()
}

fn outcome(retrieved: &Retrieved, stage: Stage) -> StageOutcome {
    retrieved.stages.iter().find(|report| report.stage == stage).unwrap().outcome.clone()
}

#[tokio::test]
async fn it_finds_what_the_answer_is_made_of_in_the_same_order() {
    let rig = Rig::new();
    let retrieved = retrieve(&rig, QUESTION, 100).await;
    rig.answer(QUESTION).await;
    let kept: Vec<String> = rig
        .record()
        .retrieval
        .candidates
        .into_iter()
        .filter(|candidate| candidate.outcome == "kept")
        .map(|candidate| candidate.source_id)
        .collect();
    let whole = ids(&retrieved.whole);
    assert!(!kept.is_empty());
    let places: Vec<usize> =
        kept.iter().map(|id| whole.iter().position(|other| other == id).unwrap()).collect();
    assert!(places.is_sorted(), "an answer only leaves out: {kept:?} of {whole:?}");
}

#[tokio::test]
async fn every_lane_shows_its_own_ranking_and_status() {
    let rig = Rig::new();
    let retrieved = retrieve(&rig, QUESTION, 3).await;
    assert_eq!(ids(&retrieved.lanes[&Lane::Dense])[0], "adr-0018:0");
    assert_eq!(ids(&retrieved.lanes[&Lane::Lexical])[0], "adr-0018:0");
    assert!(
        retrieved.lanes.values().all(|lane| lane.len() <= 9),
        "three wanted, three times as many fetched"
    );
    assert_eq!(outcome(&retrieved, Stage::Dense), StageOutcome::Ok);
    assert_eq!(outcome(&retrieved, Stage::Address), StageOutcome::Skipped("no record named".to_owned()));
    assert_eq!(retrieved.family, Some(EmbedderFamily::Local));
    assert!(retrieved.fallback_flags.is_empty());
}

#[tokio::test]
async fn nothing_is_refused_and_nothing_goes_on_record() {
    let rig = Rig::new();
    let retrieved = retrieve(&rig, "Who won the football match of Sunday?", 5).await;
    assert!(retrieved.whole.len() >= 5, "however far away, it is the nearest there is");
    assert!(retrieved.stages.iter().all(|report| report.stage != Stage::Gates));
    assert!(rig.audit.records().is_empty());
    assert_eq!(rig.model.calls(), 0);
}

#[tokio::test]
async fn the_library_is_swept_whatever_spares_it_for_an_answer() {
    let sources = library().hits("policy-data-retention", 0.2);
    let rig = Rig::with().memory(FakeMemory::new().pin(QUESTION, 0.95, sources)).build();
    let retrieved = retrieve(&rig, QUESTION, 20).await;
    assert_eq!(outcome(&retrieved, Stage::Dense), StageOutcome::Ok);
    assert_eq!(ids(&retrieved.lanes[&Lane::Curated]).len(), 2, "and what curators pinned is there as well");

    let retrieved = retrieve(&rig, "What does ADR-0012 decide?", 20).await;
    assert_eq!(outcome(&retrieved, Stage::Lexical), StageOutcome::Ok);
    let whole = ids(&retrieved.whole);
    assert!(whole[..3].iter().all(|id| id.starts_with("adr-0012:")), "the named record first: {whole:?}");
    assert!(whole.len() > 3);
}

#[tokio::test]
async fn a_lane_that_fails_says_so_and_the_other_goes_on() {
    let rig = Rig::new();
    rig.library.fail_dense(true);
    let retrieved = retrieve(&rig, QUESTION, 10).await;
    assert!(matches!(outcome(&retrieved, Stage::Dense), StageOutcome::Failed(_)));
    assert!(!retrieved.lanes.contains_key(&Lane::Dense));
    assert_eq!(ids(&retrieved.whole)[0], "adr-0018:0");
    assert_eq!(retrieved.fallback_flags, ["bm25_only"]);

    rig.library.fail_lexical(true);
    let error = rig.engine.retrieve(QUESTION, &everyone(), 10).await.unwrap_err();
    assert!(matches!(error, AskError::Context { .. }), "{error}");
}

#[tokio::test]
async fn a_reranker_decides_and_what_it_left_out_comes_behind() {
    let reranker = FakeReranker::scoring(|_, text| if text.contains("privacy officer") { 0.9 } else { 0.1 });
    let rig = Rig::with().reranker(reranker).settings(|settings| settings.retrieval.rerank_keep = 2).build();
    let retrieved = retrieve(&rig, QUESTION, 100).await;
    let whole = ids(&retrieved.whole);
    assert_eq!(whole[0], "policy-data-retention:1");
    let plain = retrieve(&Rig::new(), QUESTION, 100).await;
    let (mut all, mut expected) = (whole.clone(), ids(&plain.whole));
    all.sort();
    expected.sort();
    assert_eq!(all, expected, "no chunk is lost and none comes twice: {whole:?}");
}

#[tokio::test]
async fn what_is_no_question_or_no_library_is_told_apart() {
    let rig = Rig::new();
    assert_eq!(rig.engine.retrieve(" ?! ", &everyone(), 5).await.unwrap_err(), AskError::EmptyQuestion);
    let empty = Rig::with().library(FakeLibrary::new(Vec::new())).build();
    let retrieved = retrieve(&empty, QUESTION, 5).await;
    assert!(retrieved.whole.is_empty() && retrieved.lanes.is_empty() && retrieved.family.is_none());
}

#[tokio::test]
async fn a_name_in_a_chatty_question_tells_which_documents_are_meant() {
    let of =
        |number: u32, text: &str| chunk(&adr(number, &format!("Record {number}")), 0, &["Decision"], text);
    let chunks = vec![
        of(1, "The licence of Stroomboek became too dear, and queries took hours."),
        of(2, "The reasoning of the board was that nobody understood the product, so it was abandoned."),
    ];
    let library = FakeLibrary::new(chunks).with_cosine("adr-0001:0", 0.24).with_cosine("adr-0002:0", 0.35);
    let rig = Rig::with().library(library).build();
    let question = "i never understood why we abandoned stroomboek, what was the reasoning?";
    assert_eq!(ids(&retrieve(&rig, question, 10).await.whole), ["adr-0001:0", "adr-0002:0"]);
    rig.answer(question).await;
    let used: Vec<String> =
        rig.record().retrieval.candidates.into_iter().map(|candidate| candidate.source_id).collect();
    assert_eq!(used, ["adr-0001:0"], "the other is about something else");
    let nameless = "i never understood why we abandoned it, what was the reasoning?";
    assert_eq!(ids(&retrieve(&rig, nameless, 10).await.whole)[0], "adr-0002:0");
}

#[tokio::test]
async fn what_adds_to_a_question_about_a_record_is_looked_for_there_first() {
    let of =
        |number: u32, text: &str| chunk(&adr(number, &format!("Record {number}")), 0, &["Decision"], text);
    let chunks = vec![
        of(1, "Warning comes with 80 percent of the limit, the alarm with 95 percent."),
        of(2, "An alarm in the control room is never told by its colour alone."),
    ];
    let library = FakeLibrary::new(chunks).with_cosine("adr-0001:0", 0.45).with_cosine("adr-0002:0", 0.5);
    let rig = Rig::with().library(library).build();
    let question = "and with how many percent does the alarm go off in the control room?";
    let history =
        [ChatMessage::user("What does ADR-0001 say about congestion?"), ChatMessage::assistant("Much.")];
    let asked =
        |history: &[ChatMessage]| AskRequest { chat_history: history.to_vec(), ..AskRequest::new(question) };
    let first = rig.request(asked(&history)).await.response().citations[0].source_id.to_string();
    assert_eq!(first, "adr-0001:0");
}

#[tokio::test]
async fn a_word_that_only_texts_in_another_language_hold_is_no_name() {
    let (window, list) = (dutch_policy("venster", "Vensters"), dutch_policy("lijst", "Lijsten"));
    let chunks = vec![
        chunk(&window, 0, &["Hulp"], "Kies in het venster Function Wizard wat u wilt berekenen."),
        chunk(&list, 0, &["Lijst"], "Alle formules staan in deze lijst, van A tot en met Z."),
    ];
    let [wizard, formulas] = [0, 1].map(|at| chunks[at].source_id.to_string());
    let library = FakeLibrary::new(chunks).with_cosine(&wizard, 0.24).with_cosine(&formulas, 0.35);
    let rig = Rig::with().library(library).build();
    rig.answer("function categories").await;
    let found: Vec<String> =
        rig.record().retrieval.candidates.into_iter().map(|candidate| candidate.source_id).collect();
    assert!(found.contains(&formulas), "{found:?}");
}
