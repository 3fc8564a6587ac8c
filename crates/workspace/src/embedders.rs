use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::Embedder;
use plumbline_library::{EmbedderKey, Library};
use plumbline_models::embedder::{BuiltInEmbedder, Edition};
use plumbline_models::server::ServerEmbedder;

use crate::models::built_in_embedders;
use crate::{Workspace, WorkspaceError, text_if_there};

/// The fingerprints that servers' models had when they were last reached, by address and name.
const KNOWN: &str = "embedders.json";
/// So many passages are embedded to see how fast it goes.
const TRIED: usize = 16;

/// The embedder that the settings name.
#[derive(Clone)]
pub struct WorkspaceEmbedder {
    /// What makes the vectors.
    pub embedder: Arc<dyn Embedder>,
    /// The name of its vectors.
    pub key: EmbedderKey,
    /// Its name as it is shown.
    pub name: Detail,
    /// Why it cannot be reached at the moment, where its fingerprint is the one it had before.
    pub unreachable: Option<Detail>,
}

/// What it takes to give a library the vectors of an embedder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingCost {
    /// Passages without its vectors.
    pub passages: u64,
    /// How long they will take, as measured on a few of them.
    pub time: Duration,
}

impl Workspace {
    /// The embedder of the settings: the built-in one, or a model of the server's.
    pub async fn embedder(&self) -> Result<WorkspaceEmbedder, WorkspaceError> {
        match &self.settings().models.embedder {
            Some(model) => self.server_embedder(model).await,
            None => self.built_in_embedder(),
        }
    }

    /// The built-in embedder, whatever the settings name: its newest edition.
    pub fn built_in_embedder(&self) -> Result<WorkspaceEmbedder, WorkspaceError> {
        self.built_in_editions()?.into_iter().next().ok_or(WorkspaceError::NoModel)
    }

    /// Every edition of the built-in embedder that is there, the newest first.
    fn built_in_editions(&self) -> Result<Vec<WorkspaceEmbedder>, WorkspaceError> {
        let editions = match self.built_in.get() {
            Some(editions) => editions,
            None => {
                let opened = built_in_embedders()?
                    .into_iter()
                    .map(|(edition, folder)| BuiltInEmbedder::open(edition, &folder))
                    .collect::<Result<_, _>>()?;
                self.built_in.get_or_init(|| opened)
            }
        };
        let named = |embedder: &BuiltInEmbedder| WorkspaceEmbedder {
            embedder: Arc::new(embedder.clone()),
            key: EmbedderKey::of(embedder, embedder.fingerprint()),
            name: name_of(embedder.edition()),
            unreachable: None,
        };
        Ok(editions.iter().map(named).collect())
    }

    /// The library and the embedder that it is searched with: the chosen one, or, until that one's vectors are complete, a
    /// built-in one whose vectors are. Thresholds go with the embedder.
    pub(crate) async fn searched_by(
        &self,
        chosen: WorkspaceEmbedder,
    ) -> Result<(Option<Library>, WorkspaceEmbedder), WorkspaceError> {
        let open = |key: &EmbedderKey| self.library_if_any(Some(key.clone()));
        let Some(library) = open(&chosen.key).await? else { return Ok((None, chosen)) };
        if library.has_vectors().await? {
            return Ok((Some(library), chosen));
        }
        let held = library.status().await?.embedders;
        for other in self.built_in_editions()? {
            let is_complete =
                held.iter().any(|known| known.complete && known.fingerprint == other.key.fingerprint);
            if is_complete && let Some(library) = open(&other.key).await? {
                return Ok((Some(library), other));
            }
        }
        Ok((Some(library), chosen))
    }

    async fn server_embedder(&self, model: &str) -> Result<WorkspaceEmbedder, WorkspaceError> {
        let embedder = ServerEmbedder::new(self.model_server()?, model);
        let account = format!("{} {model}", self.settings().models.address());
        let mut known = self.known_fingerprints()?;
        let (fingerprint, unreachable) = match embedder.fingerprint().await {
            Ok(fingerprint) => {
                if known.insert(account, fingerprint.clone()).as_ref() != Some(&fingerprint) {
                    self.remember(&known)?;
                }
                (fingerprint, None)
            }
            // A server that is away for a while must not cost the library its vectors: they are searched again when it is back.
            Err(problem) => match known.get(&account) {
                Some(fingerprint) => (fingerprint.clone(), Some(problem.detail())),
                None => {
                    return Err(WorkspaceError::ServerEmbedder {
                        model: model.into(),
                        detail: problem.detail(),
                    });
                }
            },
        };
        Ok(WorkspaceEmbedder {
            key: EmbedderKey::of(&embedder, fingerprint),
            embedder: Arc::new(embedder),
            name: Detail::of(
                Message::WorkspaceModelAt,
                [("model", model.into()), ("address", self.settings().models.address().into())],
            ),
            unreachable,
        })
    }

    /// What indexing with the embedder of the settings will cost; nothing where its vectors are there already, or where
    /// there is no library yet.
    pub async fn embedding_cost(&self) -> Result<Option<EmbeddingCost>, WorkspaceError> {
        let Some(library) = Library::open(self.folder(), None).await? else { return Ok(None) };
        let chosen = self.embedder().await?;
        let status = library.status().await?;
        let there = status.embedders.iter().any(|known| known.fingerprint == chosen.key.fingerprint);
        let passages = status.chunks.values().sum::<u64>();
        if there || passages == 0 {
            return Ok(None);
        }
        let sample = library.sample(TRIED).await?;
        let began = Instant::now();
        chosen.embedder.embed(&sample).await.map_err(|problem| WorkspaceError::ServerEmbedder {
            model: chosen.name.clone(),
            detail: problem.detail(),
        })?;
        let each = began.elapsed().as_secs_f64() / sample.len().max(1) as f64;
        Ok(Some(EmbeddingCost { passages, time: Duration::from_secs_f64(each * passages as f64) }))
    }

    fn known_fingerprints(&self) -> Result<BTreeMap<String, String>, WorkspaceError> {
        // A file that cannot be read costs one question to the server, no more.
        Ok(text_if_there(&self.known_file())?
            .and_then(|(_, text)| serde_json::from_str(&text).ok())
            .unwrap_or_default())
    }

    fn remember(&self, known: &BTreeMap<String, String>) -> Result<(), WorkspaceError> {
        let path = self.known_file();
        let text = serde_json::to_string_pretty(known).unwrap_or_default();
        std::fs::write(&path, text).map_err(|source| WorkspaceError::File { path, source })
    }

    fn known_file(&self) -> PathBuf {
        self.folder().join(KNOWN)
    }
}

/// An edition as it is shown; as long as there was one, nobody counted them.
fn name_of(edition: &Edition) -> Detail {
    match edition.number {
        1 => Message::WorkspaceBuiltIn.into(),
        number => Detail::of(Message::WorkspaceBuiltInEdition, [("number", number.to_string().into())]),
    }
}
