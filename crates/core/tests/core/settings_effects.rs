//! Every setting has an effect that a user would notice. Each is given as a user gives it, by its name and in two values, and what
//! is seen must be what each value asks for: a setting that nothing reads any more fails here.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use plumbline_core::ports::ChatRequest;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_core::response::AskResponse;
use plumbline_core::settings::{Settings, Sources};
use plumbline_testkit::documents::{adr, chunk, principle};
use plumbline_testkit::library::FakeLibrary;
use plumbline_testkit::memory::FakeMemory;
use plumbline_testkit::model::{FakeModel, Job, passages, reply};
use plumbline_testkit::reranker::FakeReranker;
use plumbline_testkit::rig::{AskOutcome, MODEL, Rig, RigBuilder, cited, library};

const QUESTION: &str = "How do applications exchange events?";

/// Settings whose effect is shown where what they reach is at hand: the file and the test.
const SHOWN_ELSEWHERE: [(&str, &str, &str); 19] = [
    (
        "models.ollama_url",
        "crates/cli/tests/answers/main.rs",
        "a_model_writes_the_answer_and_counts_and_records_are_kept",
    ),
    (
        "models.server",
        "crates/cli/tests/answers/servers.rs",
        "a_server_of_the_other_kind_writes_the_answer_and_is_looked_at",
    ),
    (
        "models.openai_url",
        "crates/cli/tests/answers/servers.rs",
        "a_server_of_the_other_kind_writes_the_answer_and_is_looked_at",
    ),
    (
        "managed.enabled",
        "crates/cli/tests/answers/own_model.rs",
        "a_model_of_our_own_answers_and_is_gone_after_a_kill",
    ),
    (
        "managed.program",
        "crates/cli/tests/answers/own_model.rs",
        "a_model_of_our_own_answers_and_is_gone_after_a_kill",
    ),
    (
        "managed.file",
        "crates/cli/tests/answers/own_model.rs",
        "a_model_of_our_own_answers_and_is_gone_after_a_kill",
    ),
    (
        "managed.context",
        "crates/cli/tests/answers/own_model.rs",
        "a_model_of_our_own_answers_and_is_gone_after_a_kill",
    ),
    ("managed.address", "crates/models/tests/models/managed.rs", "a_download_that_breaks_goes_on_from_there"),
    (
        "managed.sha256",
        "crates/models/tests/models/managed.rs",
        "what_is_not_what_it_should_be_is_thrown_away",
    ),
    (
        "managed.memory_mb",
        "crates/models/tests/models/managed.rs",
        "a_server_that_takes_too_much_memory_is_ended",
    ),
    (
        "managed.port",
        "crates/models/tests/models/managed.rs",
        "it_starts_is_found_by_others_runs_once_and_stops",
    ),
    (
        "models.embedder",
        "crates/cli/tests/answers/main.rs",
        "another_embedder_is_paid_for_knowingly_and_switching_back_is_free",
    ),
    (
        "models.reader",
        "crates/cli/tests/answers/main.rs",
        "a_reader_can_be_turned_off_and_one_that_cannot_be_used_is_said_and_left_out",
    ),
    ("models.reranker", "crates/cli/tests/answers/main.rs", "a_reranker_decides_which_source_comes_first"),
    (
        "team.follow_seconds",
        "crates/host/tests/host/team.rs",
        "a_library_is_published_followed_in_the_background_and_taken_out",
    ),
    ("vocabulary.skosmos_url", "crates/cli/tests/terms.rs", "a_server_is_asked_by_the_settings"),
    ("vocabulary.skosmos_vocabularies", "crates/cli/tests/terms.rs", "a_server_is_asked_by_the_settings"),
    (
        "vocabulary.cache_ttl_seconds",
        "crates/workspace/tests/vocabulary_cache.rs",
        "an_answer_is_remembered_for_as_long_as_the_setting_says",
    ),
    (
        "vocabulary.cache_max_size",
        "crates/workspace/tests/vocabulary_cache.rs",
        "as_many_answers_are_remembered_as_the_setting_says",
    ),
];

#[test]
fn every_setting_is_shown_here_or_where_its_test_is_named() {
    let settings = serde_json::to_value(Settings::default()).unwrap();
    let sections = settings.as_object().unwrap().iter();
    let keys: BTreeSet<String> = sections
        .flat_map(|(section, values)| {
            values.as_object().unwrap().keys().map(move |name| format!("{section}.{name}"))
        })
        .collect();
    let here = include_str!("settings_effects.rs");
    let mut shown: BTreeSet<String> =
        keys.iter().filter(|key| here.contains(&format!("Effect(\"{key}\""))).cloned().collect();
    for (key, file, test) in SHOWN_ELSEWHERE {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("fn {test}(")), "{key}: no test `{test}` in {file}");
        assert!(shown.insert(key.to_owned()), "{key} is shown here too");
    }
    assert_eq!(shown, keys, "a setting whose effect no test shows, or one that is gone");
}

/// A setting, and what is seen with each of its values.
struct Effect<'e>(&'static str, [(&'static str, &'e str); 2]);

impl Effect<'_> {
    async fn is_seen(&self, see: impl AsyncFn(Settings) -> String) {
        self.is_seen_beside(&[], see).await;
    }

    /// As [`Effect::is_seen`], with other settings given too.
    async fn is_seen_beside(&self, others: &[(&str, &str)], see: impl AsyncFn(Settings) -> String) {
        let Self(key, values) = self;
        assert_ne!(values[0].1, values[1].1, "{key}: two values that show the same show nothing");
        for (value, expected) in values {
            let flags = others.iter().copied().chain([(*key, *value)]);
            let flags = flags.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            let settings = Settings::resolve(Sources { flags, ..Sources::default() })
                .unwrap_or_else(|error| panic!("--set {key}={value}: {error}"));
            assert_eq!(see(settings).await, *expected, "--set {key}={value}");
        }
    }
}

fn with(settings: Settings) -> RigBuilder {
    Rig::with().settings(|all| *all = settings)
}

/// A rig with a model that does every job honestly, and is the one that answers unless the settings name another.
fn with_model(settings: Settings) -> RigBuilder {
    let answer = settings.models.answer.clone().or_else(|| Some(MODEL.to_owned()));
    Rig::with().model(FakeModel::honest()).settings(|all| {
        *all = settings;
        all.models.answer = answer;
    })
}

async fn prompt(rig: &Rig, question: &str) -> ChatRequest {
    rig.answer(question).await;
    rig.model.requests_for(Job::Answer).remove(0)
}

fn outcome(response: &AskResponse) -> String {
    response.refusal_reason.map_or_else(
        || response.action.as_str().to_owned(),
        |reason| format!("{} {}", response.action.as_str(), reason.as_str()),
    )
}

fn swept(asked: &AskOutcome) -> String {
    if asked.stage("dense") == "ok" { "library" } else { "memory" }.to_owned()
}

#[tokio::test]
async fn general() {
    Effect("general.language", [("en", "There is"), ("nl", "ADR-0999 komt")])
        .is_seen(async |settings| {
            let response = with(settings).build().answer("ADR-0999").await;
            response.answer.split(' ').take(2).collect::<Vec<_>>().join(" ")
        })
        .await;
    Effect("general.privacy", [("false", QUESTION), ("true", "")])
        .is_seen(async |settings| {
            let rig = with(settings).build();
            rig.answer(QUESTION).await;
            rig.record().query.unwrap_or_default()
        })
        .await;
    Effect("general.outside_knowledge", [("false", "0"), ("true", "1")])
        .is_seen(async |settings| {
            let rig = with_model(settings).build();
            rig.answer("How is quantum teleportation billed?").await;
            rig.model.requests_for(Job::Outside).len().to_string()
        })
        .await;
}

#[tokio::test]
async fn models() {
    Effect("models.answer", [("llama3.2", "llama3.2"), ("qwen3:8b", "qwen3:8b")])
        .is_seen(async |settings| prompt(&with_model(settings).build(), QUESTION).await.model)
        .await;
    let jobs = async |settings: Settings, job: Job| {
        let rig = with_model(settings).build();
        rig.answer(QUESTION).await;
        rig.model.requests_for(job).len().to_string()
    };
    Effect("models.planner", [("", "0"), (MODEL, "1")])
        .is_seen(async |settings| jobs(settings, Job::Planner).await)
        .await;
    Effect("models.judge", [("", "0"), (MODEL, "1")])
        .is_seen(async |settings| jobs(settings, Job::Judge).await)
        .await;
    Effect("models.temperature", [("0.1", "0.1"), ("0.7", "0.7")])
        .is_seen(async |settings| {
            prompt(&with_model(settings).build(), QUESTION).await.temperature.to_string()
        })
        .await;
    Effect("models.seed", [("42", "42"), ("7", "7")])
        .is_seen(async |settings| prompt(&with_model(settings).build(), QUESTION).await.seed.to_string())
        .await;
    Effect("models.timeout_seconds", [("30", "30s"), ("9", "9s")])
        .is_seen(async |settings| {
            format!("{:?}", prompt(&with_model(settings).build(), QUESTION).await.between_tokens)
        })
        .await;
    Effect("models.prompt_tokens_per_second", [("20", "slow"), ("100000", "fast")])
        .is_seen(async |settings| {
            let request = prompt(&with_model(settings).build(), QUESTION).await;
            let reading = request.first_token - request.between_tokens;
            if reading > Duration::from_secs(5) { "slow" } else { "fast" }.to_owned()
        })
        .await;
    Effect("models.allow", [("{}", "CITE"), ("{ \"llama3.2\" = false }", "ModelNotAllowed")])
        .is_seen(async |settings| match with_model(settings).build().ask(QUESTION).await.result {
            Ok(response) => outcome(&response),
            Err(error) => format!("{:?}", error.code()),
        })
        .await;
}

#[tokio::test]
async fn budget() {
    let sent = async |settings: Settings| {
        let rig = with_model(settings).build();
        match rig.ask("What do we say of TLS and connections?").await.result {
            Ok(_) => passages(&rig.model.requests_for(Job::Answer)[0]).len().to_string(),
            Err(error) => format!("{:?}", error.code()),
        }
    };
    Effect("budget.max_context_tokens", [("3000", "4"), ("120", "1")]).is_seen(sent).await;
    Effect("budget.system_prompt_tokens", [("500", "4"), ("8000", "TokenBudgetExceeded")])
        .is_seen(sent)
        .await;
    Effect("budget.max_history_tokens", [("1000", "4"), ("0", "2")])
        .is_seen(async |settings| {
            let rig = with_model(settings).build();
            let before = vec![ChatMessage::user("Hello there"), ChatMessage::assistant("Good morning")];
            let request = AskRequest { chat_history: before, ..AskRequest::new(QUESTION) };
            rig.request(request).await;
            rig.model.requests_for(Job::Answer)[0].messages.len().to_string()
        })
        .await;
    Effect("budget.max_response_tokens", [("1024", "1024"), ("99", "99")])
        .is_seen(async |settings| {
            prompt(&with_model(settings).build(), QUESTION).await.num_predict.to_string()
        })
        .await;
}

/// The documents of the passages in the prompt, by number, in order.
async fn order(rig: &Rig, question: &str) -> String {
    let request = prompt(rig, question).await;
    let titles = passages(&request).into_iter().filter_map(|passage| {
        let title = passage.header.split_once("] ")?.1.split(':').next()?;
        Some(title.to_owned())
    });
    titles.collect::<Vec<_>>().join(", ")
}

/// Two records and a principle, as near to a question as told.
fn small_library(cosines: [f32; 3]) -> FakeLibrary {
    let chunks = vec![
        chunk(&adr(1, "Queues"), 0, &["Decision"], "Messages between applications wait in queues."),
        chunk(&adr(2, "Topics"), 0, &["Decision"], "Applications publish messages under topics."),
        chunk(&principle(3, "Loose ends"), 0, &["Statement"], "Applications know each other by name."),
    ];
    let sources = ["adr-0001:0", "adr-0002:0", "pcp-0003:0"];
    sources
        .into_iter()
        .zip(cosines)
        .fold(FakeLibrary::new(chunks), |library, (source, cosine)| library.with_cosine(source, cosine))
}

#[tokio::test]
async fn retrieval_filters() {
    const NEAR: [f32; 3] = [0.9, 0.8, 0.7];
    const ASKED: &str = "How do applications talk?";
    let rig = |settings| with_model(settings).library(small_library(NEAR)).build();
    let all = "ADR 1, ADR 2, PCP 3";
    Effect("retrieval.min_similarity", [("0.3", all), ("0.75", "ADR 1, ADR 2")])
        .is_seen(async |settings| order(&rig(settings), ASKED).await)
        .await;
    let reranked = |settings| {
        let reranker = FakeReranker::scoring(|_, _| 0.5);
        with_model(settings).library(small_library(NEAR)).reranker(reranker).build()
    };
    Effect("retrieval.rerank_floor", [("0.18", all), ("0.75", "ADR 1, ADR 2")])
        .is_seen(async |settings| order(&reranked(settings), ASKED).await)
        .await;
    Effect("retrieval.total_chunks", [("5", all), ("1", "ADR 1")])
        .is_seen(async |settings| order(&rig(settings), ASKED).await)
        .await;
    Effect("retrieval.over_fetch", [("3", "ADR 1, PCP 3"), ("1", "ADR 1")])
        .is_seen_beside(&[("retrieval.total_chunks", "2")], async |settings| {
            // The second one fetched says the same as the first: only who fetches more finds another.
            let text = "Applications exchange events through one central broker.";
            let chunks = vec![
                chunk(&adr(1, "Broker"), 0, &[], text),
                chunk(&adr(2, "Broker"), 0, &[], text),
                chunk(&principle(3, "Names"), 0, &[], "Everything has a name that lasts."),
            ];
            let library = FakeLibrary::new(chunks)
                .with_cosine("adr-0001:0", 0.9)
                .with_cosine("adr-0002:0", 0.85)
                .with_cosine("pcp-0003:0", 0.8);
            order(&with_model(settings).library(library).build(), QUESTION).await
        })
        .await;
    let tls = "What do we say of TLS and connections?";
    Effect("retrieval.max_chunks_per_doc", [("3", "3"), ("1", "1")])
        .is_seen(async |settings| {
            let documents = order(&with_model(settings).build(), tls).await;
            documents.matches("ADR 12").count().to_string()
        })
        .await;
    Effect("retrieval.overlap_threshold", [("0.9", "1"), ("1", "2")])
        .is_seen(async |settings| {
            let text = "Applications exchange events through one central broker and a publisher does not know who reads";
            let twice = vec![
                chunk(&adr(1, "Broker"), 0, &[], &format!("{text} them.")),
                chunk(&adr(2, "Broker"), 0, &[], &format!("{text} these.")),
            ];
            let rig = with_model(settings).library(FakeLibrary::new(twice)).build();
            passages(&prompt(&rig, QUESTION).await).len().to_string()
        })
        .await;
}

#[tokio::test]
async fn retrieval_order() {
    const ASKED: &str = "Which principle says how applications talk?";
    let boosted = |settings| {
        let reranker = FakeReranker::scoring(|_, text| if text.contains("by name") { 0.5 } else { 0.6 });
        with_model(settings).library(small_library([0.8, 0.8, 0.8])).reranker(reranker).build()
    };
    Effect("retrieval.kind_boost_rerank", [("0", "ADR 1"), ("0.15", "PCP 3")])
        .is_seen(async |settings| first(&order(&boosted(settings), ASKED).await))
        .await;
    Effect("retrieval.kind_boost_fused", [("1", "ADR 1"), ("1.3", "PCP 3")])
        .is_seen_beside(&[("retrieval.lexical_weight", "0")], async |settings| {
            let rig = with_model(settings).library(small_library([0.8, 0.7, 0.7])).build();
            first(&order(&rig, ASKED).await)
        })
        .await;
    Effect("retrieval.lexical_weight", [("0", "ADR 1"), ("10", "ADR 2")])
        .is_seen(async |settings| {
            let rig = with_model(settings).library(small_library([0.8, 0.75, 0.5])).build();
            first(&order(&rig, "Do applications publish under topics?").await)
        })
        .await;
    let judged = |settings| {
        let reranker = FakeReranker::scoring(|_, text| if text.contains("by name") { 0.9 } else { 0.4 });
        with_model(settings).library(small_library([0.8, 0.7, 0.6])).reranker(reranker).build()
    };
    let plain = "How do applications talk?";
    Effect("retrieval.rerank_pool", [("60", "PCP 3"), ("2", "ADR 1")])
        .is_seen_beside(&[("retrieval.rerank_keep", "2")], async |settings| {
            first(&order(&judged(settings), plain).await)
        })
        .await;
    Effect("retrieval.rerank_keep", [("16", "PCP 3, ADR 1, ADR 2"), ("1", "PCP 3")])
        .is_seen(async |settings| order(&judged(settings), plain).await)
        .await;
}

fn first(order: &str) -> String {
    order.split(", ").next().unwrap_or_default().to_owned()
}

#[tokio::test(start_paused = true)]
async fn retrieval_deadlines() {
    Effect("retrieval.lane_deadline_ms", [("2000", "ok"), ("50", "failed")])
        .is_seen(async |settings| {
            let rig = with(settings).build();
            rig.library.dense.delay(Duration::from_millis(100));
            first_word(&rig.ask(QUESTION).await.stage("dense"))
        })
        .await;
    Effect("retrieval.rerank_deadline_ms", [("20000", "ok"), ("50", "failed")])
        .is_seen(async |settings| {
            let rig = with(settings).reranker(FakeReranker::new()).build();
            rig.reranker.as_ref().unwrap().faults.delay(Duration::from_millis(100));
            first_word(&rig.ask(QUESTION).await.stage("rerank"))
        })
        .await;
}

fn first_word(text: &str) -> String {
    text.split(':').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn retrieval_confidence() {
    Effect("retrieval.confidence_threshold", [("60", "CITE"), ("100", "ROUTE")])
        .is_seen(async |settings| outcome(&with(settings).build().answer(QUESTION).await))
        .await;
    Effect("retrieval.abstain_at", [("40", "ROUTE"), ("100", "REFUSE low_confidence")])
        .is_seen_beside(&[("retrieval.confidence_threshold", "100")], async |settings| {
            outcome(&with(settings).build().answer(QUESTION).await)
        })
        .await;
    Effect("retrieval.fallback_penalty", [("1", "as before"), ("0.5", "half")])
        .is_seen(async |settings| {
            let rig = with(settings).build();
            rig.embedder.faults.fail(true);
            let confidence = rig.answer(QUESTION).await.confidence.unwrap();
            let half = f64::from(confidence.overall) / 2.0;
            if confidence.adjusted == confidence.overall {
                "as before".to_owned()
            } else if (f64::from(confidence.adjusted) - half).abs() <= 0.5 {
                "half".to_owned()
            } else {
                format!("{confidence:?}")
            }
        })
        .await;
}

#[tokio::test]
async fn grounding() {
    // Of its seven content words the passage holds applications, exchange, events and broker.
    const SENTENCE: &str = "Applications exchange events through a cheap broker hourly and silently";
    let written = async |settings: Settings| {
        let model = FakeModel::with(|request| {
            let broker = passages(request).into_iter().find(|one| one.text.contains("broker"));
            reply(&format!("{SENTENCE} [{}].", broker.map_or(1, |one| one.alias)))
        });
        let rig = Rig::with().model(model).settings(|all| all.grounding = settings.grounding).build();
        if rig.ask(QUESTION).await.screen().contains(SENTENCE) { "shown" } else { "withheld" }.to_owned()
    };
    Effect("grounding.min_content_share", [("0.5", "shown"), ("0.6", "withheld")]).is_seen(written).await;
}

#[tokio::test]
async fn curated() {
    let pinned = |settings: Settings, score: f32| {
        let sources = library().hits("policy-data-retention", 0.2);
        with(settings).memory(FakeMemory::new().pin("How do systems swap messages?", score, sources))
    };
    Effect("curated.pinned_accept", [("0.85", "memory"), ("0.9", "library")])
        .is_seen(async |settings| swept(&pinned(settings, 0.87).build().ask(QUESTION).await))
        .await;
    let judge = || FakeReranker::scoring(|_, _| 0.55);
    Effect("curated.pinned_border", [("0.7", "memory"), ("0.8", "library")])
        .is_seen(async |settings| {
            swept(&pinned(settings, 0.75).reranker(judge()).build().ask(QUESTION).await)
        })
        .await;
    Effect("curated.judge_accept", [("0.5", "memory"), ("0.6", "library")])
        .is_seen(async |settings| {
            swept(&pinned(settings, 0.75).reranker(judge()).build().ask(QUESTION).await)
        })
        .await;
    let note = "Zanzibar is the code name of the broker programme.";
    Effect("curated.note_accept", [("0.6", "framed"), ("0.68", "bare")])
        .is_seen(async |settings| {
            let memory = FakeMemory::new().note(note, 0.65, library().hits("adr-0018", 0.2));
            let request = prompt(&with_model(settings).memory(memory).build(), QUESTION).await;
            let framed = request.messages.last().unwrap().content.contains(note);
            if framed { "framed" } else { "bare" }.to_owned()
        })
        .await;
    let noted = |settings: Settings| {
        let documents = ["adr-0018", "adr-0012", "adr-0010"];
        let references = documents.into_iter().flat_map(|document| library().hits(document, 0.2)).collect();
        with(settings).memory(FakeMemory::new().note(note, 0.75, references)).build()
    };
    Effect("curated.note_spares", [("0.7", "memory"), ("0.8", "library")])
        .is_seen(async |settings| swept(&noted(settings).ask(QUESTION).await))
        .await;
    Effect("curated.note_references", [("3", "memory"), ("4", "library")])
        .is_seen(async |settings| swept(&noted(settings).ask(QUESTION).await))
        .await;
    Effect("curated.reference_score", [("0.8", "0.8"), ("0.9", "0.9")])
        .is_seen(async |settings| {
            let memory = FakeMemory::new().note(note, 0.65, library().hits("adr-0018", 0.2));
            let response = with(settings).memory(memory).build().answer(QUESTION).await;
            assert_eq!(cited(&response), ["adr-0018:0"]);
            response.citations[0].relevance_score.to_string()
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn vocabulary() {
    Effect("vocabulary.timeout_ms", [("300", "CITE"), ("50", "REFUSE terminology_timeout")])
        .is_seen(async |settings| {
            let rig = with(settings).build();
            rig.vocabulary.faults.delay(Duration::from_millis(100));
            outcome(&rig.answer("What does CIMXML mean?").await)
        })
        .await;
}

/// A rig whose embeddings have failed so many times in a row, and work again.
async fn tripped(settings: Settings, failures: usize) -> Rig {
    let rig = with(settings).build();
    rig.embedder.faults.fail(true);
    for _ in 0..failures {
        rig.answer(QUESTION).await;
    }
    rig.embedder.faults.fail(false);
    rig
}

#[tokio::test]
async fn breaker() {
    let embedding = async |rig: &Rig| first_word(&rig.ask(QUESTION).await.stage("embedding"));
    Effect("breaker.failure_threshold", [("5", "ok"), ("2", "skipped")])
        .is_seen(async |settings| embedding(&tripped(settings, 2).await).await)
        .await;
    Effect("breaker.timeout_seconds", [("30", "skipped"), ("10", "ok")])
        .is_seen(async |settings| {
            let rig = tripped(settings, 5).await;
            rig.clock.advance(Duration::from_secs(20));
            embedding(&rig).await
        })
        .await;
    Effect("breaker.success_threshold", [("1", "ok"), ("2", "skipped")])
        .is_seen(async |settings| {
            let rig = tripped(settings, 5).await;
            rig.clock.advance(Duration::from_secs(31));
            rig.answer(QUESTION).await;
            // While it is tried, one failure is enough to leave it alone again.
            rig.embedder.faults.fail_times(1);
            rig.answer(QUESTION).await;
            embedding(&rig).await
        })
        .await;
}

#[tokio::test]
async fn limits() {
    Effect("limits.question_chars", [("8000", "CITE"), ("20", "QuestionTooLong")])
        .is_seen(async |settings| match with(settings).build().ask(QUESTION).await.result {
            Ok(response) => outcome(&response),
            Err(error) => format!("{:?}", error.code()),
        })
        .await;
    Effect("limits.stale_after_months", [("6", "0"), ("1", "1")])
        .is_seen(async |settings| {
            let response = with(settings).build().answer("What does ADR-0012 decide?").await;
            response.notices.len().to_string()
        })
        .await;
}
