//! Embeddings and lanes that fail: IR3's circuit breaker scenarios end to end, and nothing degrades silently.

use std::time::Duration;

use plumbline_core::breaker::BreakerState;
use plumbline_core::error::ErrorCode;
use plumbline_core::response::{Action, RefusalReason};
use plumbline_telemetry::names;
use plumbline_testkit::embedder::FakeEmbedder;
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::rig::{Rig, chunks, cited};

const QUESTION: &str = "How do applications exchange events?";
const ADR: &str = "ADR_Local";

fn state(rig: &Rig) -> f64 {
    rig.metrics.value(&names::CIRCUIT_BREAKER_STATE, ["embeddings"])
}

/// A rig whose embeddings have failed five times in a row.
async fn tripped() -> Rig {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    for _ in 0..5 {
        rig.answer(QUESTION).await;
    }
    rig.embedder.faults.fail(false);
    rig
}

#[tokio::test]
async fn embeddings_that_fail_leave_search_by_words() {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert_eq!((response.action, cited(response)), (Action::Cite, vec!["adr-0018:0".to_owned()]));
    assert!(response.fallback_mode);
    let quality = &response.retrieval_quality;
    assert!(quality.fallback_active && quality.degraded);
    assert_eq!(quality.fallback_reasons, ["bm25_only"]);
    let confidence = response.confidence.unwrap();
    assert_eq!(confidence.adjusted, (f64::from(confidence.overall) * 0.8).round() as u8);
    assert_eq!(
        (quality.confidence_score * 1000.0).round(),
        (f64::from(confidence.overall) * 8.0).round(),
        "base × 0.8"
    );
    let statement = response.transparency.statement.as_deref().unwrap();
    assert!(
        statement.starts_with(
            "This response uses simplified search (bm25_only). Results may be less comprehensive."
        ),
        "IR3's wording: {statement}"
    );
    assert!(response.transparency.show_to_user);
    assert!(asked.stage("embedding").starts_with("failed:"));
    assert_eq!(asked.stage("dense"), "skipped: no vector");
    for collection in [ADR, "Principle_Local", "Policy_Local"] {
        assert_eq!(rig.metrics.value(&names::EMBEDDING_FALLBACK_TOTAL, [collection]), 1.0);
        assert_eq!(rig.metrics.value(&names::EMBEDDING_FAIL_TOTAL, [collection]), 1.0);
        assert_eq!(rig.metrics.value(&names::EMBEDDING_REQUEST_TOTAL, [collection]), 1.0);
    }
    let candidate = &rig.record().retrieval.candidates[0];
    assert!(candidate.cosine.is_none() && candidate.lexical.is_some(), "BM25 alone: {candidate:?}");
}

#[tokio::test]
async fn a_vector_that_is_none_counts_as_a_failure() {
    struct Odd(Vec<Vec<f32>>);
    #[async_trait::async_trait]
    impl plumbline_core::ports::Embedder for Odd {
        async fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, plumbline_core::ports::PortError> {
            Ok(self.0.clone())
        }
        fn family(&self) -> plumbline_core::domain::EmbedderFamily {
            plumbline_core::domain::EmbedderFamily::Local
        }
    }
    for vectors in [vec![], vec![vec![]], vec![vec![f32::NAN; 512]], vec![vec![0.1; 512]; 2]] {
        let rig = Rig::with().ports(|ports| ports.embedder = Some(std::sync::Arc::new(Odd(vectors)))).build();
        let response = rig.answer(QUESTION).await;
        assert_eq!(response.retrieval_quality.fallback_reasons, ["bm25_only"]);
        assert_eq!(cited(&response), ["adr-0018:0"]);
    }
}

#[tokio::test]
async fn without_an_embedder_search_is_by_words_and_says_so() {
    let rig = Rig::with().ports(|ports| ports.embedder = None).build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(asked.stage("embedding"), "skipped: no embedding model");
    assert_eq!(asked.response().retrieval_quality.fallback_reasons, ["bm25_only"]);
}

#[tokio::test]
async fn a_named_record_is_answered_without_embeddings_too() {
    let rig = Rig::new();
    rig.embedder.faults.fail(true);
    for question in ["What does ADR-0012 decide?", "ADR-0012", "What are the consequences of ADR-0012?"] {
        let response = rig.answer(question).await;
        assert_eq!(response.action, Action::Cite, "`{question}`: {:?}", response.confidence);
        assert_eq!(response.confidence.unwrap().adjusted, 100, "its sections tell; no vector is missing");
    }
    let searched = rig.answer("Which devices does ADR-0012 place in a separate network zone?").await;
    assert_eq!(searched.action, Action::Cite, "{:?}", searched.confidence);
    assert!(searched.confidence.unwrap().adjusted <= 80, "what is looked for in it has its penalty");
}

#[tokio::test]
async fn circuit_opens_after_failures() {
    let rig = tripped().await;
    assert_eq!((state(&rig), rig.embedder.calls()), (2.0, 5));
    assert_eq!(rig.metrics.value(&names::EMBEDDING_FALLBACK_TOTAL, [ADR]), 5.0);
    assert_eq!(rig.metrics.value(&names::CIRCUIT_BREAKER_TRIP_TOTAL, ["embeddings"]), 1.0);

    let asked = rig.ask(QUESTION).await;
    assert_eq!(rig.embedder.calls(), 5, "the next question asks it no more");
    assert_eq!(asked.response().action, Action::Cite);
    assert_eq!(asked.stage("dense"), "skipped: no vector");
    assert_eq!(asked.stage("lexical"), "ok");
    assert_eq!(rig.metrics.value(&names::EMBEDDING_FALLBACK_TOTAL, [ADR]), 6.0);
    assert_eq!(rig.metrics.value(&names::EMBEDDING_REQUEST_TOTAL, [ADR]), 5.0, "no request was made");
    assert_eq!(state(&rig), 2.0);
    let banner = rig.engine.banner();
    assert_eq!((banner[0].service.as_str(), banner[0].state), ("embeddings", BreakerState::Open));
}

#[tokio::test]
async fn structured_response_during_fallback() {
    let rig = tripped().await;
    let whole = Rig::new().answer(QUESTION).await;
    let response = rig.answer(QUESTION).await;
    assert!(response.fallback_mode);
    assert_eq!(response.retrieval_quality.fallback_reasons, ["bm25_only", "circuit_open"]);
    let confidence = response.confidence.unwrap();
    assert_eq!(confidence.adjusted, (f64::from(confidence.overall) * 0.8).round() as u8, "20 % less");
    assert!(response.retrieval_quality.confidence_score < whole.retrieval_quality.confidence_score);
    let json = serde_json::to_value(&response).unwrap();
    assert_eq!(json["fallback_mode"], true);
    assert_eq!(json["retrieval_quality"]["degraded"], true);
    let statement = json["transparency"]["statement"].as_str().unwrap();
    assert!(
        statement.starts_with("This response uses simplified search (bm25_only, circuit_open)."),
        "{statement}"
    );
}

#[tokio::test]
async fn circuit_enters_half_open_after_timeout() {
    let rig = tripped().await;
    rig.clock.advance(Duration::from_millis(29_999));
    rig.answer(QUESTION).await;
    assert_eq!(rig.embedder.calls(), 5, "not a moment earlier");
    rig.clock.advance(Duration::from_millis(1));
    let response = rig.answer(QUESTION).await;
    assert_eq!((rig.embedder.calls(), state(&rig)), (6, 1.0), "one embedding request is attempted");
    assert!(!response.fallback_mode, "and it worked");
    assert_eq!(rig.engine.banner()[0].state, BreakerState::HalfOpen);
}

#[tokio::test]
async fn half_open_lets_exactly_one_probe_through() {
    let rig = tripped().await;
    rig.clock.advance(Duration::from_secs(30));
    rig.embedder.faults.delay(Duration::from_millis(20));
    let (a, b, c) = tokio::join!(rig.ask(QUESTION), rig.ask(QUESTION), rig.ask(QUESTION));
    assert_eq!(rig.embedder.calls(), 6);
    let degraded = [&a, &b, &c].iter().filter(|asked| asked.response().fallback_mode).count();
    assert_eq!(degraded, 2, "the others search by words meanwhile");
}

#[tokio::test]
async fn a_probe_that_fails_opens_the_circuit_again() {
    let rig = tripped().await;
    rig.clock.advance(Duration::from_secs(30));
    rig.embedder.faults.fail_times(1);
    rig.answer(QUESTION).await;
    assert_eq!((rig.embedder.calls(), state(&rig)), (6, 2.0));
    rig.answer(QUESTION).await;
    assert_eq!(rig.embedder.calls(), 6, "another 30 seconds");
}

#[tokio::test]
async fn circuit_closes_after_recovery() {
    let rig = tripped().await;
    rig.clock.advance(Duration::from_secs(30));
    rig.answer(QUESTION).await;
    assert_eq!(state(&rig), 1.0);
    let asked = rig.ask(QUESTION).await;
    assert_eq!(state(&rig), 0.0, "two successes");
    assert_eq!(asked.stage("dense"), "ok", "normal hybrid search resumes");
    assert!(
        !asked.response().fallback_mode
            && asked.response().transparency.statement.as_ref().unwrap().contains("copied")
    );
    assert!(rig.engine.banner().is_empty(), "the banner goes by itself");
}

#[tokio::test(start_paused = true)]
async fn embeddings_that_hang_are_given_up_at_the_deadline() {
    let rig = Rig::new();
    rig.embedder.faults.hang(true);
    let before = tokio::time::Instant::now();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(before.elapsed(), Duration::from_secs(2));
    assert_eq!(cited(asked.response()), ["adr-0018:0"]);
    assert_eq!(asked.stage("embedding"), "failed: embedding did not answer within 2000 ms");
}

#[tokio::test(start_paused = true)]
async fn a_dense_lane_that_hangs_is_left_out() {
    let rig = Rig::new();
    rig.library.hang_dense(true);
    let before = tokio::time::Instant::now();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(before.elapsed(), Duration::from_secs(2), "its deadline, and nothing waits twice");
    assert_eq!(cited(asked.response()), ["adr-0018:0"], "the lexical lane answers");
    assert_eq!(asked.stage("dense"), "failed: dense search did not answer within 2000 ms");
    assert_eq!(asked.stage("lexical"), "ok");
    assert_eq!(asked.response().retrieval_quality.fallback_reasons, ["bm25_only"]);
}

#[tokio::test]
async fn a_lexical_lane_that_fails_is_said() {
    let rig = Rig::new();
    rig.library.fail_lexical(true);
    let asked = rig.ask(QUESTION).await;
    assert_eq!(cited(asked.response()), ["adr-0018:0"], "the dense lane answers");
    assert!(asked.stage("lexical").starts_with("failed:"));
    assert!(asked.response().fallback_mode);
}

#[tokio::test]
async fn when_every_lane_fails_it_is_an_error_with_its_code() {
    let rig = Rig::new();
    rig.library.fail_dense(true);
    rig.library.fail_lexical(true);
    let asked = rig.ask(QUESTION).await;
    assert_eq!(asked.error().code(), ErrorCode::Context);
    assert!(asked.error().to_string().contains("dense") && asked.error().to_string().contains("lexical"));
    assert_eq!(rig.record().action, "FAILED");
    rig.embedder.faults.fail(true);
    rig.library.fail_dense(false);
    assert_eq!(rig.ask(QUESTION).await.error().code(), ErrorCode::Context, "no vector and no words");
}

#[tokio::test]
async fn statistics_that_fail_cost_only_the_weights() {
    let rig = Rig::new();
    rig.library.statistics.fail(true);
    assert_eq!(cited(&rig.answer(QUESTION).await), ["adr-0018:0"]);
    let response = rig.answer("How is quantum teleportation billed?").await;
    assert!(response.refused && response.refusal_reason.is_some(), "and no verdict on what is unknown");
}

#[tokio::test]
async fn the_family_of_the_embedder_names_the_collections() {
    let embedder = FakeEmbedder::new().of_family(plumbline_core::domain::EmbedderFamily::Ollama);
    let rig = Rig::with().embedder(embedder).build();
    rig.answer(QUESTION).await;
    assert_eq!(rig.metrics.value(&names::EMBEDDING_REQUEST_TOTAL, ["ADR_Ollama"]), 1.0);
    assert_eq!(rig.metrics.value(&names::RETRIEVAL_REQUEST_TOTAL, ["ADR_Ollama"]), 1.0);
}

#[tokio::test]
async fn a_library_that_could_not_be_read_in_place_is_named_and_the_rest_answers() {
    let rig = Rig::with()
        .edit_library(|library| library.with_out_of_reach("s3://records/team", "it is away"))
        .build();
    let whole = Rig::new().answer(QUESTION).await;
    let asked = rig.ask(QUESTION).await;
    let response = asked.response();
    assert_eq!(cited(response), cited(&whole), "the rest answers");
    assert!(response.fallback_mode && response.retrieval_quality.degraded);
    assert!(
        response.confidence.unwrap().adjusted < whole.confidence.unwrap().adjusted,
        "surer it must not be"
    );
    let said = response.transparency.statement.as_deref().unwrap();
    assert_eq!(said.matches("s3://records/team").count(), 1, "{said}");
    assert!(said.contains("it is away"), "{said}");
    let refused = rig.answer("How is quantum teleportation billed?").await;
    assert!(refused.refused, "that the rest holds nothing is no answer");
    assert!(
        refused.transparency.statement.unwrap().contains("s3://records/team"),
        "what was not searched is said"
    );
    let unknown = rig.answer("Where do zebras roam?").await;
    assert_ne!(unknown.refusal_reason, Some(RefusalReason::OffTopic), "its words may occur in what is away");
}

#[tokio::test]
async fn where_nothing_but_a_library_out_of_reach_is_there_the_question_fails_and_says_so() {
    // Which documents there are is known here; what they say lies there.
    let listed = FakeLibrary::new(Vec::new()).with_document(chunks()[0].document.clone());
    let rig = Rig::with().library(listed.with_out_of_reach("s3://records/team", "it is away")).build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(asked.error().code(), ErrorCode::Context);
    let said = asked.error().to_string();
    assert!(said.contains("s3://records/team") && said.contains("it is away"), "{said}");
}
