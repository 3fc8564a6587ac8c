//! A configured model that fails: extracts instead, said, penalised, and left alone after a while.

use std::time::Duration;

use plumbline_core::breaker::BreakerState;
use plumbline_core::error::ErrorCode;
use plumbline_core::ports::ModelError;
use plumbline_core::request::AskRequest;
use plumbline_core::response::{Action, AnswerEvent};
use plumbline_telemetry::names;
use plumbline_testkit::model::{FakeModel, Script, Step, passages};
use plumbline_testkit::rig::{AskOutcome, MODEL, Rig};

const QUESTION: &str = "How do applications exchange events?";
const FACT: &str = "Applications exchange events through one central broker.";
/// The paragraph that it stands in.
const EXTRACT: &str =
    "Applications exchange events through one central broker. A publisher does not know its subscribers. [1]";

fn connection() -> ModelError {
    ModelError::Connection { address: "http://localhost:11434".to_owned(), detail: "refused".into() }
}

/// A true first sentence, then what comes.
fn breaking_off(then: Step) -> FakeModel {
    FakeModel::with(move |request| {
        let found = passages(request).into_iter().find(|passage| passage.text.contains("central broker"));
        let alias = found.map_or(1, |passage| passage.alias);
        let text = format!("{FACT} [{alias}] A publisher does not kn");
        let mut script: Script = text.split_inclusive(' ').map(|word| Step::Text(word.to_owned())).collect();
        script.push(then.clone());
        script
    })
}

#[track_caller]
fn assert_extractive(asked: &AskOutcome) {
    let response = asked.response();
    assert_eq!((response.action, response.model_used.as_deref()), (Action::Cite, None));
    assert_eq!(response.answer, EXTRACT);
    assert_eq!(response.retrieval_quality.fallback_reasons, ["extractive"]);
    assert!(response.fallback_mode && response.retrieval_quality.degraded);
    let confidence = response.confidence.unwrap();
    let expected = (f64::from(confidence.overall) * 0.8).round() as u8;
    assert_eq!(confidence.adjusted, expected, "×0.8 of {}", confidence.overall);
    let statement = response.transparency.statement.as_deref().unwrap();
    assert!(statement.starts_with("This response uses simplified search (extractive)."), "{statement}");
    assert!(statement.contains("The language model could not answer"), "{statement}");
    assert!(asked.stage("generation").starts_with("failed:"), "{}", asked.stage("generation"));
    assert_eq!(asked.screen(), response.answer, "what the window shows is the answer");
}

#[tokio::test]
async fn a_server_that_cannot_be_reached() {
    let rig = Rig::with().model(FakeModel::unreachable()).build();
    let asked = rig.ask(QUESTION).await;
    assert_extractive(&asked);
    let statement = asked.response().transparency.statement.clone().unwrap();
    assert!(statement.contains("http://localhost:11434"), "the cause is named: {statement}");
    assert!(statement.contains("connection refused"), "and what the server's client says of it: {statement}");
    assert_eq!(rig.metrics.value(&names::GENERATION_REQUEST_TOTAL, ["answer", "connection"]), 1.0);
}

#[tokio::test]
async fn a_server_that_answers_to_inspection_and_refuses_the_chat() {
    let model = FakeModel::with(|_| vec![Step::Refuse(connection())]);
    let asked = Rig::with().model(model).build().ask(QUESTION).await;
    assert_extractive(&asked);
}

#[tokio::test]
async fn a_configured_model_that_is_not_pulled_names_the_command() {
    let rig = Rig::with().model(FakeModel::honest().having(&[])).build();
    for _ in 0..6 {
        let asked = rig.ask(QUESTION).await;
        assert_extractive(&asked);
        let statement = asked.response().transparency.statement.clone().unwrap();
        assert!(statement.contains("ollama pull llama3.2"), "{statement}");
    }
    assert!(rig.engine.banner().is_empty(), "the server itself works");
}

#[tokio::test]
async fn a_request_that_is_refused_is_no_outage() {
    let refusal = ModelError::Refused {
        address: "http://localhost:11434".to_owned(),
        detail: "the text is longer than the context of the model".into(),
    };
    let model = FakeModel::with(move |_| vec![Step::Refuse(refusal.clone())]);
    let rig = Rig::with().model(model).build();
    for _ in 0..6 {
        let asked = rig.ask(QUESTION).await;
        assert_extractive(&asked);
        let statement = asked.response().transparency.statement.clone().unwrap();
        assert!(statement.contains("longer than the context"), "{statement}");
    }
    assert!(rig.engine.banner().is_empty(), "asking less often changes nothing");
    assert_eq!(rig.metrics.value(&names::GENERATION_REQUEST_TOTAL, ["answer", "refused"]), 6.0);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_off_hangs_or_ends_early_is_taken_back() {
    for then in [
        Step::Fail(ModelError::Broken("reset".into())),
        Step::Fail(connection()),
        Step::Wait(Duration::from_secs(31)),
        Step::Hang,
        // The script ends without its `Done`, as a cut connection does.
        Step::Text("ow".to_owned()),
    ] {
        let rig = Rig::with().model(breaking_off(then.clone())).build();
        let asked = rig.ask(QUESTION).await;
        assert_extractive(&asked);
        let shown = asked.events.iter().position(|event| matches!(event, AnswerEvent::Delta { .. }));
        let back = asked.events.iter().position(|event| matches!(event, AnswerEvent::Replaced { .. }));
        assert!(shown.is_some() && shown < back, "{then:?}: the half answer was shown and is taken back");
        let after: Vec<_> = asked.events.iter().skip(back.unwrap()).collect();
        let citation = after.iter().position(|event| matches!(event, AnswerEvent::Citation(_)));
        let text = after.iter().position(|event| matches!(event, AnswerEvent::Delta { .. }));
        assert!(citation.is_some() && citation < text, "{then:?}: the new text brings its own citations");
    }
}

#[tokio::test(start_paused = true)]
async fn thirty_seconds_between_tokens_are_the_limit() {
    let rig = Rig::with().model(breaking_off(Step::Hang)).build();
    let before = tokio::time::Instant::now();
    assert_extractive(&rig.ask(QUESTION).await);
    assert_eq!(before.elapsed(), Duration::from_secs(30));
    assert_eq!(rig.model.stopped(), 1, "the server is not left writing");
    assert_eq!(rig.metrics.value(&names::GENERATION_REQUEST_TOTAL, ["answer", "timeout"]), 1.0);
}

#[tokio::test(start_paused = true)]
async fn a_slow_first_token_is_given_the_time_to_read_the_prompt() {
    let slow = FakeModel::with(|request| {
        let mut script = vec![Step::Wait(Duration::from_secs(45))];
        script.extend(plumbline_testkit::model::reply(&format!("{FACT} [{}]", passages(request)[0].alias)));
        script
    });
    let rig = Rig::with().model(slow).build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(asked.response().model_used.as_deref(), Some(MODEL), "{:?}", asked.stage("generation"));
}

#[tokio::test(start_paused = true)]
async fn an_inspection_that_hangs_is_given_up() {
    struct Mute;
    #[async_trait::async_trait]
    impl plumbline_core::ports::LanguageModel for Mute {
        async fn inspect(&self, _: &str) -> Result<plumbline_core::ports::ModelInfo, ModelError> {
            std::future::pending().await
        }
        async fn chat(
            &self,
            _: plumbline_core::ports::ChatRequest,
        ) -> Result<plumbline_core::ports::ChatStream, ModelError> {
            std::future::pending().await
        }
    }
    let rig = Rig::with()
        .model(FakeModel::honest())
        .ports(|ports| ports.model = Some(std::sync::Arc::new(Mute)))
        .build();
    assert_extractive(&rig.ask(QUESTION).await);
    let request = AskRequest { model: Some(MODEL.to_owned()), ..AskRequest::new(QUESTION) };
    assert_eq!(rig.request(request).await.error().code(), ErrorCode::LlmTimeout, "who asks by name is told");
}

#[tokio::test]
async fn after_five_failures_the_model_is_left_alone_and_the_banner_says_until_when() {
    let rig = Rig::with().model(FakeModel::unreachable()).planning_and_judging().build();
    for _ in 0..4 {
        rig.ask(QUESTION).await;
    }
    assert!(rig.engine.banner().is_empty());
    rig.ask(QUESTION).await;
    let banner = rig.engine.banner();
    assert_eq!((banner[0].service.as_str(), banner[0].state), ("generation", BreakerState::Open));
    assert_eq!(banner[0].retry_in_seconds, 30);
    let (calls, inspections) = (rig.model.calls(), rig.model.inspections());
    let asked = rig.ask(QUESTION).await;
    assert_eq!(
        (rig.model.calls(), rig.model.inspections()),
        (calls, inspections),
        "no helper asks it either"
    );
    assert_eq!(asked.response().action, Action::Cite);
    assert_eq!(asked.response().retrieval_quality.fallback_reasons, ["circuit_open", "extractive"]);
    for stage in ["rewrites", "generation", "judge"] {
        assert!(asked.stage(stage).starts_with("skipped: left alone"), "{stage}: {}", asked.stage(stage));
    }
    assert_eq!(rig.metrics.value(&names::CIRCUIT_BREAKER_STATE, ["generation"]), 2.0);
    assert_eq!(rig.metrics.value(&names::CIRCUIT_BREAKER_TRIP_TOTAL, ["generation"]), 1.0);
}

#[tokio::test]
async fn a_model_that_comes_back_is_used_again_and_the_banner_goes() {
    let down = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let switch = std::sync::Arc::clone(&down);
    let model = FakeModel::with(move |request| {
        if switch.load(std::sync::atomic::Ordering::SeqCst) {
            return vec![Step::Refuse(connection())];
        }
        let found = passages(request).into_iter().find(|passage| passage.text.contains("central broker"));
        plumbline_testkit::model::reply(&format!("{FACT} [{}]", found.map_or(1, |passage| passage.alias)))
    });
    let rig = Rig::with().model(model).build();
    for _ in 0..5 {
        assert_extractive(&rig.ask(QUESTION).await);
    }
    assert_eq!(rig.engine.banner().len(), 1);
    down.store(false, std::sync::atomic::Ordering::SeqCst);
    rig.clock.advance(Duration::from_secs(30));
    for _ in 0..2 {
        let asked = rig.ask(QUESTION).await;
        assert_eq!(asked.response().model_used.as_deref(), Some(MODEL));
        assert!(!asked.response().fallback_mode);
    }
    assert!(rig.engine.banner().is_empty());
}

#[tokio::test]
async fn nothing_of_a_draft_stays_on_screen_when_the_answer_fails_after_it() {
    let rig = Rig::with().model(FakeModel::honest()).build();
    // Every catalogue call of this question works but the last, which looks the sources up once more.
    let before = rig.library.catalogue.calls();
    rig.ask(QUESTION).await;
    let calls = rig.library.catalogue.calls() - before;
    struct Late {
        library: std::sync::Arc<plumbline_testkit::library::FakeLibrary>,
    }
    use plumbline_core::domain::{Collection, Document, DocumentId, SourceId};
    use plumbline_core::intent::Reference;
    use plumbline_core::ports::{Catalogue, DocumentFilter, PortError, Scope};
    use std::sync::Arc;
    #[async_trait::async_trait]
    impl Catalogue for Late {
        async fn collections(&self, scope: &Scope) -> Result<Vec<Collection>, PortError> {
            self.library.collections(scope).await
        }
        async fn sources(&self, scope: &Scope) -> Result<Vec<String>, PortError> {
            self.library.sources(scope).await
        }
        fn as_of(&self) -> Option<jiff::civil::Date> {
            None
        }
        async fn resolve(
            &self,
            reference: &Reference,
            scope: &Scope,
        ) -> Result<Vec<Arc<Document>>, PortError> {
            self.library.resolve(reference, scope).await
        }
        async fn document(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Arc<Document>>, PortError> {
            self.library.document(id, scope).await
        }
        async fn list(
            &self,
            filter: &DocumentFilter,
            scope: &Scope,
        ) -> Result<Vec<Arc<Document>>, PortError> {
            self.library.list(filter, scope).await
        }
        async fn nearest(
            &self,
            reference: &Reference,
            limit: usize,
            scope: &Scope,
        ) -> Result<Vec<Arc<Document>>, PortError> {
            self.library.nearest(reference, limit, scope).await
        }
        async fn graph(&self, scope: &Scope) -> Result<plumbline_core::decisions::Graph, PortError> {
            self.library.graph(scope).await
        }
        async fn existing(&self, _: &[SourceId], _: &Scope) -> Result<Vec<SourceId>, PortError> {
            Err(PortError::Failed { service: "catalogue", detail: "locked".into() })
        }
    }
    assert!(calls >= 2, "{calls}");
    let library = Arc::new(plumbline_testkit::rig::library());
    let rig = Rig::with()
        .model(FakeModel::honest())
        .ports(move |ports| ports.catalogue = Arc::new(Late { library }))
        .build();
    let asked = rig.ask(QUESTION).await;
    assert_eq!(asked.error().code(), ErrorCode::Port);
    assert!(asked.replaced() && asked.screen().is_empty(), "{}", asked.screen());
}
