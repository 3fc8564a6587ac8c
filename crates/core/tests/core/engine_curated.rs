//! Curated memory: what a team wrote down about questions that come back.

use std::sync::Arc;

use plumbline_core::response::Action;
use plumbline_testkit::memory::FakeMemory;
use plumbline_testkit::model::{FakeModel, Job, passages};
use plumbline_testkit::reranker::FakeReranker;
use plumbline_testkit::rig::{AskOutcome, Rig, RigBuilder, cited, library};

const QUESTION: &str = "How do applications exchange events?";

fn pinned(score: f32) -> RigBuilder {
    let sources = library().hits("policy-data-retention", 0.2);
    Rig::with().memory(FakeMemory::new().pin("How do systems swap messages?", score, sources))
}

fn candidates(rig: &Rig) -> Vec<(String, Option<f64>)> {
    let record = rig.audit.records().pop().unwrap();
    record.retrieval.candidates.into_iter().map(|candidate| (candidate.source_id, candidate.cosine)).collect()
}

fn swept(asked: &AskOutcome) -> bool {
    asked.stage("dense") == "ok" && asked.stage("lexical") == "ok"
}

#[tokio::test]
async fn a_pinned_question_spares_the_sweep() {
    let rig = pinned(0.85).build();
    let asked = rig.ask(QUESTION).await;
    for lane in ["dense", "lexical"] {
        assert_eq!(asked.stage(lane), "skipped: curated memory answers");
    }
    assert_eq!((rig.library.dense.calls(), rig.library.lexical.calls()), (0, 0));
    let found = candidates(&rig);
    assert!(found.iter().all(|(source, _)| source.starts_with("policy-data-retention:")), "{found:?}");
    assert!(
        found.iter().all(|(_, cosine)| cosine.is_some_and(|cosine| cosine > 0.849)),
        "a pinned source is as near as its question, not as its words: {found:?}"
    );
}

#[tokio::test]
async fn a_pinned_source_is_cited_like_any_other() {
    let sources = library().hits("adr-0018", 0.3);
    let rig = Rig::with().memory(FakeMemory::new().pin("Event exchange", 0.9, sources)).build();
    let response = rig.answer(QUESTION).await;
    assert_eq!((response.action, cited(&response)), (Action::Cite, vec!["adr-0018:0".to_owned()]));
}

#[tokio::test]
async fn under_the_border_a_pin_is_passed_over() {
    let reranker = FakeReranker::scoring(|_, _| 1.0);
    let rig = pinned(0.69).reranker(reranker).build();
    let asked = rig.ask(QUESTION).await;
    assert!(swept(&asked));
    assert_eq!(asked.stage("curated"), "ok");
    assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    assert_eq!(
        rig.reranker.as_ref().unwrap().faults.calls(),
        1,
        "only the ranking: nobody judges a pin so far away"
    );
}

#[tokio::test]
async fn at_the_border_the_cross_encoder_judges_question_and_phrasing() {
    for (score, spared) in [(0.5, true), (0.49, false)] {
        let reranker = FakeReranker::scoring(move |question, text| {
            if text == "How do systems swap messages?" {
                assert_eq!(question, QUESTION);
                score
            } else {
                0.6
            }
        });
        let rig = pinned(0.75).reranker(reranker).build();
        let asked = rig.ask(QUESTION).await;
        assert_eq!(swept(&asked), !spared, "a score of {score}");
    }
}

#[tokio::test]
async fn at_the_border_no_judge_means_no() {
    let rig = pinned(0.84).build();
    let asked = rig.ask(QUESTION).await;
    assert!(swept(&asked));
    let rig = pinned(0.84).reranker(FakeReranker::new()).build();
    rig.reranker.as_ref().unwrap().faults.fail(true);
    let asked = rig.ask(QUESTION).await;
    assert!(swept(&asked), "a judge that fails is no judge");
}

#[tokio::test]
async fn a_note_shapes_the_prompt_and_is_never_cited() {
    let note = "Zanzibar is the code name of the broker programme.";
    let references = library().hits("adr-0018", 0.2);
    let model = FakeModel::with(|request| {
        let broker = passages(request).into_iter().find(|passage| passage.text.contains("broker"));
        let alias = broker.map_or(1, |passage| passage.alias);
        plumbline_testkit::model::reply(&format!(
            "Applications exchange events through one central broker. [{alias}] Zanzibar is the code name of the broker programme. [{alias}]"
        ))
    });
    let rig = Rig::with().memory(FakeMemory::new().note(note, 0.6, references)).model(model).build();
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    let prompt = rig.model.requests_for(Job::Answer).remove(0).messages.pop().unwrap().content;
    assert!(prompt.contains(note), "it frames the answer");
    assert!(!response.answer.contains("Zanzibar"), "and is not evidence: {}", response.answer);
    assert_eq!(response.withheld.len(), 1);
    assert!(response.citations.iter().all(|citation| !citation.snippet_full.contains("Zanzibar")));
    let reference = candidates(&rig).into_iter().find(|(source, _)| source == "adr-0018:0").unwrap();
    assert!(
        reference.1.is_some_and(|cosine| cosine >= 0.75 - 1e-6),
        "its references enter at 0.75: {reference:?}"
    );
}

#[tokio::test]
async fn a_note_that_is_too_far_is_left_out() {
    let rig = Rig::with()
        .memory(FakeMemory::new().note("Zanzibar is a code name.", 0.59, library().hits("pcp-0041", 0.2)))
        .model(FakeModel::honest())
        .build();
    rig.answer(QUESTION).await;
    let prompt = rig.model.requests().remove(0).messages.pop().unwrap().content;
    assert!(!prompt.contains("Zanzibar"));
}

#[tokio::test]
async fn a_strong_note_with_three_references_spares_the_sweep() {
    let three = ["adr-0018", "pcp-0041", "adr-0012"];
    for (score, documents, spared) in
        [(0.70, &three[..], true), (0.69, &three[..], false), (0.75, &three[..2], false)]
    {
        let hits = documents.iter().flat_map(|document| library().hits(document, 0.3)).collect();
        let rig = Rig::with().memory(FakeMemory::new().note("Background.", score, hits)).build();
        let asked = rig.ask(QUESTION).await;
        assert_eq!(swept(&asked), !spared, "{score} with {} references", documents.len());
        assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    }
}

#[tokio::test]
async fn memory_that_fails_costs_only_its_help() {
    let rig = Rig::with()
        .ports(|ports| {
            let memory = FakeMemory::new();
            memory.faults.fail(true);
            ports.memory = Some(Arc::new(memory));
        })
        .build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    assert!(asked.stage("curated").starts_with("failed:"), "and it is said");
}

#[tokio::test(start_paused = true)]
async fn memory_that_hangs_costs_only_its_help() {
    let rig = Rig::with()
        .ports(|ports| {
            let memory = FakeMemory::new();
            memory.faults.hang(true);
            ports.memory = Some(Arc::new(memory));
        })
        .build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    assert_eq!(asked.stage("curated"), "failed: curated memory did not answer within 2000 ms");
}
