//! What's measured: everything about an answer but the model, over 10,000 passages with the built-in embedder.
//!
//! - From the question to the prompt, as the model's server would receive it (aim: p95 under 40 ms).
//! - From a sentence's last token to the moment it is shown, checked (aim: 20 ms).
//! - Five questions at once beside one alone: the slowest of five should take no more than five times as long.
//!
//! The peer of the first figure is the embedder alone on the same question, in the same run: the question must be embedded,
//! so nothing can be faster. Passages are made up from templates; the model writes a sentence of each passage it is given.
//!
//! `cargo bench -p plumbline-tests --bench answers`; `PLUMBLINE_BENCH_CHUNKS=1000` measures another size.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::StreamExt;
use plumbline_core::budget::EstimatingCounter;
use plumbline_core::domain::DocumentId;
use plumbline_core::engine::{Configuration, Engine, Ports};
use plumbline_core::ports::{
    ChatPiece, ChatRequest, ChatStream, Embedder, IdSource, LanguageModel, ModelError, ModelInfo, ModelReply,
};
use plumbline_core::request::AskRequest;
use plumbline_core::response::AnswerEvent;
use plumbline_library::{Indexer, Library, PlainDocument};
use plumbline_telemetry::{Metrics, NullAudit, SystemClock};
use plumbline_testkit::model::{passages, question};
use plumbline_testkit::prng::Prng;
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const MODEL: &str = "llama3.2";
const QUESTIONS: usize = 60;
const AT_ONCE: usize = 5;

const SYSTEMS: [&str; 12] = [
    "outage register",
    "meter gateway",
    "asset store",
    "market portal",
    "field app",
    "alarm server",
    "grid model",
    "billing engine",
    "weather feed",
    "crew planner",
    "event broker",
    "document archive",
];
const PROPERTIES: [&str; 10] = [
    "retention period",
    "backup window",
    "owner",
    "release calendar",
    "network zone",
    "encryption key",
    "access role",
    "recovery time",
    "data format",
    "interface version",
];
const PLACES: [&str; 14] = [
    "Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Larch",
    "Maple", "Oak", "Pine",
];

struct Numbered(Mutex<u64>);

impl IdSource for Numbered {
    fn request_id(&self) -> String {
        let mut next = self.0.lock().unwrap();
        *next += 1;
        format!("bench-{next}")
    }
}

/// When each question's prompt came, and when the last token of each sentence went out.
#[derive(Default)]
struct Writer {
    prompted: Mutex<HashMap<String, Instant>>,
    sent: Arc<Mutex<Vec<Instant>>>,
}

#[async_trait]
impl LanguageModel for Writer {
    async fn inspect(&self, _: &str) -> Result<ModelInfo, ModelError> {
        Ok(ModelInfo { context_window: 8_192, max_response: 1_024 })
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError> {
        self.prompted.lock().unwrap().insert(question(&request), Instant::now());
        let mut pieces = Vec::new();
        for passage in passages(&request).iter().take(3) {
            let first = passage.text.split_inclusive('.').next().unwrap_or_default().trim();
            let body = first.trim_end_matches('.');
            pieces.extend(body.split_inclusive(' ').map(|word| (word.to_owned(), false)));
            pieces.push((format!(" [{}].\n\n", passage.alias), true));
        }
        let sent = Arc::clone(&self.sent);
        let words = futures::stream::iter(pieces).then(move |(text, ends)| {
            let sent = Arc::clone(&sent);
            async move {
                tokio::time::sleep(Duration::from_millis(3)).await;
                if ends {
                    sent.lock().unwrap().push(Instant::now());
                }
                Ok(ChatPiece::Text(text))
            }
        });
        let done = futures::stream::iter([Ok(ChatPiece::Done(ModelReply::default()))]);
        Ok(words.chain(done).boxed())
    }
}

struct House {
    engine: Engine,
    writer: Arc<Writer>,
    embedder: Arc<dyn Embedder>,
    _folder: TempDir,
}

fn passage(number: usize, chance: &mut Prng) -> PlainDocument {
    let mut pick = |of: &[&'static str]| of[chance.below(of.len())];
    let (system, property, place, other) = (pick(&SYSTEMS), pick(&PROPERTIES), pick(&PLACES), pick(&SYSTEMS));
    PlainDocument {
        id: DocumentId::new(format!("doc-{number:06}")).unwrap(),
        title: format!("{property} of the {system} in {place}, record {number}"),
        text: format!(
            "The {property} of the {system} in {place} is set to {} in record {number}. It was chosen because the \
             {other} depends on it and the board asked for one value. Exceptions are kept in a register and end after \
             a year.",
            chance.below(90) + 10
        ),
        access_tags: Vec::new(),
    }
}

fn build(runtime: &Runtime, count: usize) -> House {
    let folder = tempfile::tempdir().unwrap();
    let options = WorkspaceOptions { folder: Some(folder.path().to_owned()), ..WorkspaceOptions::default() };
    let workspace = Workspace::open(options).unwrap();
    let mut options = runtime.block_on(workspace.index_options(true)).unwrap();
    options.reader.worker = None;
    let mut chance = Prng::new(7);
    let documents: Vec<PlainDocument> = (0..count).map(|number| passage(number, &mut chance)).collect();
    let mut indexer = Indexer::open(folder.path(), options, runtime.handle().clone()).unwrap();
    indexer.write_texts(documents, &CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    let (library, embedder) = runtime.block_on(async {
        let chosen = workspace.embedder().await.unwrap();
        let library = Library::open(folder.path(), Some(chosen.key)).await.unwrap().unwrap();
        (Arc::new(library), chosen.embedder)
    });
    let writer = Arc::new(Writer::default());
    let mut settings = workspace.settings().clone();
    settings.models.answer = Some(MODEL.to_owned());
    let ports = Ports {
        index: library.clone(),
        catalogue: library,
        embedder: Some(Arc::clone(&embedder)),
        vocabulary: None,
        contradictions: None,
        memory: None,
        reranker: None,
        reader: None,
        model: Some(writer.clone()),
        counter: Arc::new(EstimatingCounter::new()),
        clock: Arc::new(SystemClock),
        ids: Arc::new(Numbered(Mutex::new(0))),
        audit: Arc::new(NullAudit),
    };
    let configuration = Configuration { settings, ..Configuration::default() };
    House { engine: Engine::new(ports, configuration, Metrics::new()), writer, embedder, _folder: folder }
}

fn asked(number: usize) -> String {
    let (system, property, place) =
        (SYSTEMS[number % 12], PROPERTIES[(number / 3) % 10], PLACES[(number / 5) % 14]);
    format!("Which value does the {property} of the {system} in {place} have, question {number}?")
}

/// How long the prompt took, and how long after its last token each sentence was shown.
async fn ask(house: &House, text: &str) -> (Option<Duration>, Vec<Duration>) {
    let shown: Mutex<Vec<Instant>> = Mutex::default();
    let before = house.writer.sent.lock().unwrap().len();
    let started = Instant::now();
    let hear = |event: AnswerEvent| {
        if matches!(event, AnswerEvent::Delta { .. }) {
            shown.lock().unwrap().push(Instant::now());
        }
    };
    let _ = house.engine.ask(AskRequest::new(text), &CancellationToken::new(), &hear).await.unwrap();
    let prompted = house.writer.prompted.lock().unwrap().get(text).map(|at| at.duration_since(started));
    let sent = house.writer.sent.lock().unwrap()[before..].to_vec();
    let shown = shown.into_inner().unwrap();
    let behind = if shown.len() == sent.len() {
        shown.iter().zip(&sent).map(|(shown, sent)| shown.saturating_duration_since(*sent)).collect()
    } else {
        Vec::new()
    };
    (prompted, behind)
}

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let at = ((times.len().max(1) - 1) as f64 * share).round() as usize;
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

fn main() {
    let count =
        std::env::var("PLUMBLINE_BENCH_CHUNKS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let runtime = Runtime::new().unwrap();
    let house = build(&runtime, count);
    let (mut prompts, mut alone, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    runtime.block_on(async {
        let _ = ask(&house, "Warm up: what is the owner of the grid model in Oak?").await;
        for number in 0..QUESTIONS {
            let text = asked(number);
            let started = Instant::now();
            let _ = house.embedder.embed(std::slice::from_ref(&text)).await.unwrap();
            alone.push(started.elapsed());
            let (prompted, shown) = ask(&house, &text).await;
            prompts.extend(prompted);
            behind.extend(shown);
        }
    });
    println!("{count} passages, {} of {QUESTIONS} questions came to the model", prompts.len());
    let (p50, p95) = (percentile(&mut prompts, 0.5), percentile(&mut prompts, 0.95));
    println!("question to prompt: p50 {p50:.1} ms, p95 {p95:.1} ms");
    let floor = percentile(&mut alone, 0.5);
    println!(
        "embedding the question alone: p50 {floor:.1} ms; question to prompt is {:.1} times that",
        p50 / floor
    );
    println!(
        "last token to shown sentence: p50 {:.2} ms, p95 {:.2} ms over {} sentences",
        percentile(&mut behind, 0.5),
        percentile(&mut behind, 0.95),
        behind.len()
    );
    let mut together = runtime.block_on(async {
        let mut all = Vec::new();
        for round in 0..6 {
            let texts: Vec<String> = (0..AT_ONCE).map(|at| asked(1_000 + round * AT_ONCE + at)).collect();
            let asked = texts.iter().map(|text| ask(&house, text));
            all.extend(
                futures::future::join_all(asked).await.into_iter().filter_map(|(prompted, _)| prompted),
            );
        }
        all
    });
    let (median, slowest) = (percentile(&mut together, 0.5), percentile(&mut together, 1.0));
    println!(
        "{AT_ONCE} questions at once: p50 {median:.1} ms, slowest {slowest:.1} ms, {:.1} times one alone",
        slowest / p50
    );
}
