//! An engine over fakes, ready to be asked: `Rig::new()`, or `Rig::with().model(…).build()` with one port replaced.

use std::sync::{Arc, Mutex, PoisonError};

use plumbline_core::budget::EstimatingCounter;
use plumbline_core::domain::{Chunk, Collection, Document, DocumentId, Kind};
use plumbline_core::engine::{Configuration, Engine, Ports};
use plumbline_core::error::AskError;
use plumbline_core::request::AskRequest;
use plumbline_core::response::{AnswerEvent, AskResponse, Citation, StageOutcome};
use plumbline_core::settings::{Owners, Settings, Thresholds};
use plumbline_telemetry::{AuditRecord, ManualClock, MemoryAudit, Metrics};
use tokio_util::sync::CancellationToken;

use crate::documents::{adr, chunk, dutch_policy, policy, principle};
use crate::embedder::FakeEmbedder;
use crate::ids::SequentialIds;
use crate::library::FakeLibrary;
use crate::memory::FakeMemory;
use crate::model::FakeModel;
use crate::reranker::FakeReranker;
use crate::vocabulary::FakeVocabulary;

/// The model that [`RigBuilder::model`] configures.
pub const MODEL: &str = "llama3.2";

/// The definition of CIMXML in the rig's vocabulary, with what a copy could lose: quotes, a line break, a double space.
pub const CIMXML: &str =
    "Serialisation of a CIM “model” in RDF/XML,\nas in IEC 61970-552;  one file holds one model.";

const OWNERS: &str = r#"
[admin]
name = "Architecture board"
email = "board@example.org"

[[owner]]
tag = "security"
id = "sander"
name = "Sander Kuipers"
email = "sander@example.org"
"#;

/// The rig's chunks: five decision records and an approval record, two principles, two policies, one of them in Dutch.
pub fn chunks() -> Vec<Chunk> {
    let cim = edit(adr(10, "Use the Common Information Model"), |document| {
        document.approvers = vec!["Eva de Wit".to_owned(), "Jan Smit".to_owned()];
        document.owner = Some("Team Data".to_owned());
        document.tags = vec!["data".to_owned()];
    });
    let approval = edit(adr(10, "Approval of the Common Information Model"), |document| {
        document.id = id("adr-0010d");
        document.path = "adr-0010d.md".to_owned();
        document.kind = Kind::Dar;
        document.collection = Collection::from(Kind::Dar);
    });
    let old_tls = edit(adr(7, "Allow TLS 1.2"), |document| {
        document.status = Some("superseded".to_owned());
        document.superseded_by = vec![id("adr-0012")];
    });
    let tls = edit(adr(12, "Require TLS 1.3"), |document| document.supersedes = vec![id("adr-0007")]);
    let broker = edit(adr(18, "Exchange events through one broker"), |document| {
        document.status = Some("proposed".to_owned());
        document.tags = vec!["integration".to_owned()];
    });
    let protected = principle(39, "Data is protected by default");
    let open =
        edit(principle(41, "Prefer open standards"), |document| document.tags = vec!["data".to_owned()]);
    let retention = policy("data-retention", "Data Retention Policy");
    let access = dutch_policy("toegangsbeheer", "Beleid toegangsbeheer");
    vec![
        chunk(
            &cim,
            0,
            &["Context"],
            "Applications exchanged grid models in eleven private formats. Every new link needed its own converter.",
        ),
        chunk(
            &cim,
            1,
            &["Decision"],
            "We use the Common Information Model as the canonical data model. Grid models are exchanged as CIMXML files.",
        ),
        chunk(
            &approval,
            0,
            &["Approval"],
            "| Name | Role | Verdict |\n|---|---|---|\n| Eva de Wit | Chief architect | approved |\n| Jan Smit | Data architect | approved |",
        ),
        chunk(&old_tls, 0, &["Decision"], "Connections use at least TLS 1.2 with approved cipher suites."),
        chunk(
            &tls,
            0,
            &["Context"],
            "Passwords and meter readings crossed the office network in plain text.",
        ),
        chunk(
            &tls,
            1,
            &["Decision"],
            "All connections between applications use TLS 1.3. Devices in substations may use TLS 1.2 until 1 January 2027.",
        ),
        chunk(
            &tls,
            2,
            &["Consequences"],
            "Certificates are renewed every 90 days. Devices that cannot be updated are placed in a separate network zone.",
        ),
        chunk(
            &broker,
            0,
            &["Decision"],
            "Applications exchange events through one central broker. A publisher does not know its subscribers.",
        ),
        chunk(
            &protected,
            0,
            &["Statement"],
            "Data is encrypted at rest and in transit. Access is denied unless a rule allows it.",
        ),
        chunk(
            &open,
            0,
            &["Statement"],
            "We prefer open standards over private formats. A deviation needs a written motivation.",
        ),
        chunk(
            &retention,
            0,
            &["Periods"],
            "Meter readings are kept for ten years. Log files are kept for thirteen months and then destroyed.",
        ),
        chunk(&retention, 1, &["Exceptions"], "The privacy officer may allow a longer retention in writing."),
        chunk(
            &access,
            0,
            &["Regels"],
            "Elke medewerker krijgt alleen de rechten die nodig zijn voor het werk. Rechten vervallen twaalf maanden na de laatste controle.",
        ),
        chunk(
            &access,
            1,
            &["Uitzonderingen"],
            "Noodtoegang duurt hoogstens vier uur en wordt achteraf beoordeeld.",
        ),
    ]
}

/// The rig's library: [`chunks`], open to everybody.
pub fn library() -> FakeLibrary {
    FakeLibrary::new(chunks())
}

/// The rig's vocabulary: CIMXML, two concepts called CIM, and a few more terms.
pub fn vocabulary() -> FakeVocabulary {
    FakeVocabulary::new()
        .define("CIMXML", CIMXML)
        .define("CIM", "The Common Information Model of IEC 61970.")
        .define("CIM", "Customer information management.")
        .define("Substation", "A node of the network where voltage is transformed.")
        .define("Transformer", "A device that changes voltage.")
        .define("Switchgear", "Devices that switch a circuit.")
}

/// A document with some fields changed.
pub fn edit(document: Arc<Document>, change: impl FnOnce(&mut Document)) -> Arc<Document> {
    let mut document = Arc::unwrap_or_clone(document);
    change(&mut document);
    Arc::new(document)
}

fn id(text: &str) -> DocumentId {
    DocumentId::new(text).unwrap()
}

/// An engine and everything that a test looks at.
pub struct Rig {
    /// The engine.
    pub engine: Engine,
    /// The library behind its index and catalogue.
    pub library: Arc<FakeLibrary>,
    /// Its embedder, also where it was taken out.
    pub embedder: Arc<FakeEmbedder>,
    /// Its vocabulary, also where it was taken out.
    pub vocabulary: Arc<FakeVocabulary>,
    /// Its model; one that is never asked where none is configured.
    pub model: Arc<FakeModel>,
    /// Its reranker, where it has one.
    pub reranker: Option<Arc<FakeReranker>>,
    /// Its clock, which stands still at 2026-06-01T09:00:00Z.
    pub clock: Arc<ManualClock>,
    /// Its audit records.
    pub audit: Arc<MemoryAudit>,
    /// Its counters.
    pub metrics: Metrics,
}

/// What one question came to.
#[derive(Debug)]
pub struct AskOutcome {
    /// The response, or why there is none.
    pub result: Result<AskResponse, AskError>,
    /// Every event, in order.
    pub events: Vec<AnswerEvent>,
}

/// Events as they come, readable while a question is under way.
#[derive(Debug, Clone, Default)]
pub struct Events(Arc<Mutex<Vec<AnswerEvent>>>);

impl Events {
    /// Takes an event.
    pub fn push(&self, event: AnswerEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// The events so far.
    pub fn so_far(&self) -> Vec<AnswerEvent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a window would show after these events.
pub fn screen(events: &[AnswerEvent]) -> String {
    let mut screen = String::new();
    for event in events {
        match event {
            AnswerEvent::Delta { text } => screen.push_str(text),
            AnswerEvent::Replaced { text } => screen.clone_from(text),
            _ => {}
        }
    }
    screen
}

impl AskOutcome {
    /// The response; fails the test where there is none.
    #[track_caller]
    pub fn response(&self) -> &AskResponse {
        match &self.result {
            Ok(response) => response,
            Err(error) => panic!("no response: {error}"),
        }
    }

    /// The error; fails the test where there is a response.
    #[track_caller]
    pub fn error(&self) -> &AskError {
        match &self.result {
            Ok(response) => panic!("a response: {response:#?}"),
            Err(error) => error,
        }
    }

    /// What a window would show at the end.
    pub fn screen(&self) -> String {
        screen(&self.events)
    }

    /// Whether shown text was taken back.
    pub fn replaced(&self) -> bool {
        self.events.iter().any(|event| matches!(event, AnswerEvent::Replaced { .. }))
    }

    /// The outcome of a stage by name, as `ok`, `skipped: why` or `failed: why`; `absent` where it did not report.
    pub fn stage(&self, name: &str) -> String {
        stage(self.response(), name)
    }
}

/// As [`AskOutcome::stage`].
pub fn stage(response: &AskResponse, name: &str) -> String {
    let report = response.stages.iter().find(|report| report.stage.as_str() == name);
    report.map_or_else(
        || "absent".to_owned(),
        |report| match &report.outcome {
            StageOutcome::Ok => "ok".to_owned(),
            StageOutcome::Skipped(why) => format!("skipped: {why}"),
            StageOutcome::Failed(why) => format!("failed: {why}"),
        },
    )
}

/// The documents that are cited, in order.
pub fn cited(response: &AskResponse) -> Vec<String> {
    response.citations.iter().map(|citation: &Citation| citation.source_id.to_string()).collect()
}

impl Rig {
    /// The default rig: library, embedder and vocabulary, and no language model.
    pub fn new() -> Self {
        Self::with().build()
    }

    /// A rig to be changed before it is built.
    pub fn with() -> RigBuilder {
        RigBuilder::default()
    }

    /// Asks a plain question and waits for its response.
    pub async fn ask(&self, query: &str) -> AskOutcome {
        self.request(AskRequest::new(query)).await
    }

    /// Asks a plain question that must get a response.
    pub async fn answer(&self, query: &str) -> AskResponse {
        let asked = self.ask(query).await;
        asked.result.unwrap_or_else(|error| panic!("`{query}` got no response: {error}"))
    }

    /// Asks.
    pub async fn request(&self, request: AskRequest) -> AskOutcome {
        self.request_until(request, &CancellationToken::new()).await
    }

    /// Asks, and may be stopped.
    pub async fn request_until(&self, request: AskRequest, cancel: &CancellationToken) -> AskOutcome {
        let events = Events::default();
        let result = self.engine.ask(request, cancel, &|event| events.push(event)).await;
        AskOutcome { result, events: events.so_far() }
    }

    /// The only audit record so far.
    #[track_caller]
    pub fn record(&self) -> AuditRecord {
        let mut records = self.audit.records();
        assert_eq!(records.len(), 1, "one record per question");
        records.remove(0)
    }
}

impl Default for Rig {
    fn default() -> Self {
        Self::new()
    }
}

/// A rig before it is built. What is not replaced is the default.
pub struct RigBuilder {
    library: FakeLibrary,
    embedder: FakeEmbedder,
    vocabulary: FakeVocabulary,
    memory: Option<FakeMemory>,
    reranker: Option<FakeReranker>,
    model: Option<FakeModel>,
    configuration: Configuration,
    change: Box<dyn FnOnce(&mut Ports)>,
}

impl Default for RigBuilder {
    fn default() -> Self {
        let owners = Owners::parse("owners.toml", OWNERS).unwrap();
        Self {
            library: library(),
            embedder: FakeEmbedder::new(),
            vocabulary: vocabulary(),
            memory: None,
            reranker: None,
            model: None,
            configuration: Configuration { owners, ..Configuration::default() },
            change: Box::new(|_| {}),
        }
    }
}

impl RigBuilder {
    /// Another library.
    pub fn library(mut self, library: FakeLibrary) -> Self {
        self.library = library;
        self
    }

    /// The default library, changed.
    pub fn edit_library(mut self, change: impl FnOnce(FakeLibrary) -> FakeLibrary) -> Self {
        self.library = change(self.library);
        self
    }

    /// Another embedder.
    pub fn embedder(mut self, embedder: FakeEmbedder) -> Self {
        self.embedder = embedder;
        self
    }

    /// Another vocabulary.
    pub fn vocabulary(mut self, vocabulary: FakeVocabulary) -> Self {
        self.vocabulary = vocabulary;
        self
    }

    /// Curated memory.
    pub fn memory(mut self, memory: FakeMemory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// A cross-encoder.
    pub fn reranker(mut self, reranker: FakeReranker) -> Self {
        self.reranker = Some(reranker);
        self
    }

    /// A language model, configured to write answers.
    pub fn model(mut self, model: FakeModel) -> Self {
        self.model = Some(model);
        self.configuration.settings.models.answer = Some(MODEL.to_owned());
        self
    }

    /// The model also plans and judges.
    pub fn planning_and_judging(self) -> Self {
        self.settings(|settings| {
            settings.models.planner = Some(MODEL.to_owned());
            settings.models.judge = Some(MODEL.to_owned());
        })
    }

    /// Other settings.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.configuration.settings);
        self
    }

    /// Other thresholds.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.configuration.thresholds = thresholds;
        self
    }

    /// Any port, after the others: `.ports(|ports| ports.embedder = None)`.
    pub fn ports(mut self, change: impl FnOnce(&mut Ports) + 'static) -> Self {
        self.change = Box::new(change);
        self
    }

    /// The rig.
    pub fn build(self) -> Rig {
        let start = "2026-06-01T09:00:00Z".parse().unwrap();
        let clock = Arc::new(ManualClock::new(start));
        let audit = Arc::new(MemoryAudit::default());
        let library = Arc::new(self.library);
        let embedder = Arc::new(self.embedder);
        let vocabulary = Arc::new(self.vocabulary);
        let reranker = self.reranker.map(Arc::new);
        let has_model = self.model.is_some();
        let model = Arc::new(self.model.unwrap_or_else(FakeModel::unreachable));
        let metrics = Metrics::new();
        let mut ports = Ports {
            index: library.clone(),
            catalogue: library.clone(),
            embedder: Some(embedder.clone()),
            vocabulary: Some(vocabulary.clone()),
            contradictions: None,
            memory: None,
            reranker: None,
            reader: None,
            model: None,
            counter: Arc::new(EstimatingCounter::new()),
            clock: clock.clone(),
            ids: Arc::new(SequentialIds::new()),
            audit: audit.clone(),
        };
        if let Some(memory) = self.memory {
            ports.memory = Some(Arc::new(memory));
        }
        if let Some(reranker) = &reranker {
            ports.reranker = Some(reranker.clone());
        }
        if has_model {
            ports.model = Some(model.clone());
        }
        (self.change)(&mut ports);
        let engine = Engine::new(ports, self.configuration, metrics.clone());
        Rig { engine, library, embedder, vocabulary, model, reranker, clock, audit, metrics }
    }
}
