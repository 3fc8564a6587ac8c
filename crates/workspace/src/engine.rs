use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use plumbline_core::budget::EstimatingCounter;
use plumbline_core::detail::Detail;
use plumbline_core::engine::{Configuration, Engine, Ports};
use plumbline_core::messages::Message;
use plumbline_core::ports::{
    AuditSink, Catalogue, Contradictions, CuratedMemory, EmptyLibrary, IdSource, Index, LanguageModel,
    Reader, Reranker, Vocabulary,
};
use plumbline_library::{Library, TeamMemory, memory_folders};
use plumbline_models::reader::FolderReader;
use plumbline_models::reranker::CrossEncoder;
use plumbline_models::server::ServerReranker;
use plumbline_telemetry::{AuditLog, NullAudit, SystemClock};

use crate::contradictions::Unmarked;
use crate::error::no_file;
use crate::models::built_in_reader;
use crate::own_model::NotRunning;
use crate::{OpenVocabulary, OwnModel, Workspace, WorkspaceEmbedder, WorkspaceError};

/// The audit records' folder, in the workspace.
const AUDIT: &str = "audit";
/// What the setting says where no reader is wanted.
const NO_READER: &str = "off";

/// An engine, and what the user should know about how it came about.
pub struct OpenEngine {
    /// It answers.
    pub engine: Engine,
    /// What it searches; absent where nothing was indexed yet.
    pub library: Option<Arc<Library>>,
    /// What makes its vectors; absent where that cannot be used.
    pub embedder: Option<WorkspaceEmbedder>,
    /// Where it looks terms up, with what is wrong there; absent where there is none.
    pub vocabulary: Option<OpenVocabulary>,
    /// What is not as it should be; the engine works without it.
    pub remarks: Vec<Detail>,
}

struct RandomIds;

impl IdSource for RandomIds {
    fn request_id(&self) -> String {
        format!("req-{}", uuid::Uuid::new_v4())
    }
}

impl Workspace {
    /// The engine over everything that this workspace has. What is missing is left out and remarked on; only a library
    /// there must be.
    pub async fn engine(&self) -> Result<OpenEngine, WorkspaceError> {
        let opened = self.engine_with_or_without_library().await?;
        if opened.library.is_some() { Ok(opened) } else { Err(WorkspaceError::NoLibrary) }
    }

    /// As [`Workspace::engine`]; without a library it knows the vocabulary alone, and says so when it is asked more.
    pub async fn engine_with_or_without_library(&self) -> Result<OpenEngine, WorkspaceError> {
        self.assembled(None).await
    }

    /// As [`Workspace::engine`], with another model than the server's.
    pub async fn engine_speaking_through(
        &self,
        model: Arc<dyn LanguageModel>,
    ) -> Result<OpenEngine, WorkspaceError> {
        let opened = self.assembled(Some(model)).await?;
        if opened.library.is_some() { Ok(opened) } else { Err(WorkspaceError::NoLibrary) }
    }

    async fn assembled(&self, model: Option<Arc<dyn LanguageModel>>) -> Result<OpenEngine, WorkspaceError> {
        let mut remarks = Vec::new();
        let mut left_out = |problem: WorkspaceError| remarks.push(problem.detail());
        let chosen = self.embedder().await.map_err(&mut left_out).ok();
        let (library, embedder) = match chosen.clone() {
            Some(chosen) => {
                let (library, answering) = self.searched_by(chosen).await?;
                (library, Some(answering))
            }
            None => (self.library_if_any(None).await?, None),
        };
        let library = library.map(Arc::new);
        let vocabulary = match self.vocabulary() {
            Ok(vocabulary) => Some(vocabulary),
            // Many libraries have none, and a question about a term says so then.
            Err(WorkspaceError::NoVocabulary) => None,
            Err(problem) => {
                left_out(problem);
                None
            }
        };
        let reranker = self.reranker().map_err(&mut left_out).ok().flatten();
        let reader = self.reader().map_err(&mut left_out).ok().flatten();
        let served = || match self.own_model {
            // Left out in silence, it would look as if none were configured.
            OwnModel::Stopped => {
                Some(Arc::new(NotRunning { address: self.settings.models.address().to_owned() }) as _)
            }
            _ => self.model_server().map_err(&mut left_out).ok().map(|client| Arc::new(client) as _),
        };
        let model = model.or_else(served);
        let memory = match (&embedder, &library) {
            (Some(embedder), Some(library)) => self.memory(library, embedder, &mut remarks).await?,
            _ => None,
        };
        if let (Some(chosen), Some(answering)) = (&chosen, &embedder)
            && chosen.key != answering.key
        {
            remarks.push(meanwhile(chosen, answering));
        }
        if let Some(WorkspaceEmbedder { unreachable: Some(problem), name, .. }) = &chosen {
            let away = Detail::about(name.clone(), problem.clone());
            remarks.push(Detail::all(vec![away, Message::DoctorWordsUntilBack.into()]));
        }
        let searched = match &library {
            Some(library) => ports(library.clone(), library.clone()),
            None => ports(Arc::new(EmptyLibrary), Arc::new(EmptyLibrary)),
        };
        let contradictions = library.clone().map(|library| {
            let folder = self.folder().to_owned();
            Arc::new(Unmarked { library, folder, reader: self.statement_reader() }) as Arc<dyn Contradictions>
        });
        let ports = Ports {
            embedder: embedder.as_ref().map(|chosen| Arc::clone(&chosen.embedder)),
            vocabulary: vocabulary.as_ref().map(OpenVocabulary::port),
            contradictions,
            memory,
            reranker,
            reader,
            model,
            audit: Arc::new(AuditLog::open(self.folder().join(AUDIT))?),
            ..searched
        };
        remarks.extend(embedder.as_ref().and_then(|answering| self.set_aside(answering)));
        let engine = self.engine_over(ports, embedder.as_ref())?;
        Ok(OpenEngine { engine, library, embedder, vocabulary, remarks })
    }

    /// An engine that knows the vocabulary and no documents.
    pub fn vocabulary_engine(&self, vocabulary: Arc<dyn Vocabulary>) -> Result<Engine, WorkspaceError> {
        let library = Arc::new(EmptyLibrary);
        self.engine_over(Ports { vocabulary: Some(vocabulary), ..ports(library.clone(), library) }, None)
    }

    /// An engine that searches a library and writes nothing.
    pub fn search_engine(
        &self,
        library: Arc<Library>,
        embedder: Option<&WorkspaceEmbedder>,
    ) -> Result<Engine, WorkspaceError> {
        let port = embedder.map(|chosen| Arc::clone(&chosen.embedder));
        self.engine_over(Ports { embedder: port, ..ports(library.clone(), library) }, embedder)
    }

    /// As [`Workspace::search_engine`], with the reader: it answers as the whole engine does where no model writes.
    pub fn reading_engine(
        &self,
        library: Arc<Library>,
        embedder: &WorkspaceEmbedder,
    ) -> Result<Engine, WorkspaceError> {
        let (port, reader) = (Some(Arc::clone(&embedder.embedder)), self.reader()?);
        let ports = Ports { embedder: port, reader, ..ports(library.clone(), library) };
        self.engine_over(ports, Some(embedder))
    }

    fn engine_over(
        &self,
        ports: Ports,
        embedder: Option<&WorkspaceEmbedder>,
    ) -> Result<Engine, WorkspaceError> {
        let configuration = Configuration {
            settings: self.settings.clone(),
            thresholds: self.thresholds(embedder)?,
            owners: self.owners()?,
        };
        Ok(Engine::new(ports, configuration, self.metrics.clone()))
    }

    async fn memory(
        &self,
        library: &Arc<Library>,
        embedder: &WorkspaceEmbedder,
        remarks: &mut Vec<Detail>,
    ) -> Result<Option<Arc<dyn CuratedMemory>>, WorkspaceError> {
        let folders = memory_folders(self.folder())?;
        let (memory, problems) =
            TeamMemory::open(&folders, library.clone(), embedder.embedder.clone()).await?;
        if folders.is_empty() && memory.entries().is_empty() {
            return Ok(None);
        }
        remarks.extend(problems.into_iter().map(|problem| {
            Detail::of(Message::MemoryEntry, [("path", problem.path.into()), ("reason", problem.reason)])
        }));
        Ok(Some(Arc::new(memory)))
    }

    /// A folder holds a cross-encoder; any other name is a model of the server's.
    pub(crate) fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, WorkspaceError> {
        let Some(name) = &self.settings.models.reranker else { return Ok(None) };
        let refused = |detail: Detail| WorkspaceError::Reranker { name: name.clone(), detail };
        let folder = Path::new(name);
        if folder.is_dir() {
            let encoder = CrossEncoder::open(folder).map_err(|problem| refused(problem.detail()))?;
            return Ok(Some(Arc::new(encoder)));
        }
        if folder.is_absolute() || name.starts_with('.') {
            return Err(refused(no_file(folder)));
        }
        if !self.settings.models.allow.contains_key(name) {
            let name = [("name", name.as_str().into())];
            return Err(refused(Detail::of(Message::WorkspaceNotAllowed, name)));
        }
        let limit = Duration::from_millis(self.settings.retrieval.rerank_deadline_ms);
        Ok(Some(Arc::new(ServerReranker::new(self.model_server()?, name).within(limit))))
    }
}

impl Workspace {
    /// The built-in reader, that of a folder, or none.
    pub(crate) fn reader(&self) -> Result<Option<Arc<dyn Reader>>, WorkspaceError> {
        Ok(self.folder_reader()?.map(|reader| Arc::new(reader) as Arc<dyn Reader>))
    }

    pub(crate) fn folder_reader(&self) -> Result<Option<FolderReader>, WorkspaceError> {
        let folder = match self.settings.models.reader.as_deref() {
            Some(NO_READER) => return Ok(None),
            Some(folder) => PathBuf::from(folder),
            None => built_in_reader()?,
        };
        let reader = FolderReader::open(&folder);
        reader.map(Some).map_err(|problem| WorkspaceError::Reader { detail: problem.detail() })
    }
}

/// That another embedder than the chosen one answers until the chosen one's vectors are complete.
pub(crate) fn meanwhile(chosen: &WorkspaceEmbedder, answering: &WorkspaceEmbedder) -> Detail {
    let names = [("chosen", chosen.name.clone()), ("answering", answering.name.clone())];
    Detail::of(Message::WorkspaceMeanwhile, names)
}

fn ports(index: Arc<dyn Index>, catalogue: Arc<dyn Catalogue>) -> Ports {
    Ports {
        index,
        catalogue,
        embedder: None,
        vocabulary: None,
        contradictions: None,
        memory: None,
        reranker: None,
        reader: None,
        model: None,
        counter: Arc::new(EstimatingCounter::new()),
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
        audit: Arc::new(NullAudit) as Arc<dyn AuditSink>,
    }
}
