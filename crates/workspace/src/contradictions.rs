//! What users say of contradictions, kept with the hashes of both passages: when one changes, the contradiction comes back.

mod known;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use plumbline_core::decisions::{Mark, Meaning, Opposition};
use plumbline_core::ports::{Contradictions, PortError, Scope};
use plumbline_library::Library;
use plumbline_models::embedder::{BuiltInEmbedder, FIRST};
use plumbline_models::reader::FolderReader;
use plumbline_telemetry::{Clock, sha256_hex};
use serde::{Deserialize, Serialize};

pub use self::known::StatementProgress;
use self::known::{Known, Models};
use crate::models::{built_in_embedders, built_in_reader};
use crate::{Workspace, WorkspaceError, text_if_there};

/// Where they are kept, in the workspace.
const FILE: &str = "contradictions.json";

/// What was said of one contradiction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    id: String,
    mark: Mark,
    first_sha256: String,
    second_sha256: String,
}

/// A contradiction and what was said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedOpposition {
    /// The contradiction.
    pub opposition: Opposition,
    /// What was said of it, as long as both passages are what they were.
    pub mark: Option<Mark>,
}

/// What opposes what in a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposed {
    /// The statements in force that oppose each other, with what was said of them.
    pub found: Vec<MarkedOpposition>,
    /// Whether they were held against each other by their words alone, since there is no reader to tell what they mean.
    pub by_words_alone: bool,
}

impl Workspace {
    /// The statements in force that oppose each other. What is new is read first, and `told` hears how far that is.
    pub async fn contradictions(
        &self,
        library: &Library,
        scope: &Scope,
        clock: &dyn Clock,
        told: impl Fn(StatementProgress) + Send + Sync + 'static,
    ) -> Result<Opposed, WorkspaceError> {
        let today = clock.now().to_zoned(TimeZone::UTC).date();
        let known = self.statement_models().and_then(|models| {
            let reader = models.reader.fingerprint().ok()?;
            Some(Known::of(self.folder(), &reader, Some(models)).telling(Arc::new(told)))
        });
        let by_words_alone = known.is_none();
        let found = marked(self.folder(), library, scope, today, known).await?;
        Ok(Opposed { found, by_words_alone })
    }

    /// The name of the reader that tells what statements mean.
    pub(crate) fn statement_reader(&self) -> Option<String> {
        self.statement_models()?.reader.fingerprint().ok()
    }

    fn statement_models(&self) -> Option<Models> {
        Models::with(self.folder_reader().ok().flatten()?)
    }

    /// Keeps what is said of a contradiction, or takes it back.
    pub fn mark_contradiction(
        &self,
        opposition: &Opposition,
        mark: Option<Mark>,
    ) -> Result<(), WorkspaceError> {
        let mut kept = kept(self.folder())?;
        kept.retain(|one| one.id != opposition.id);
        kept.extend(mark.map(|mark| said_of(opposition, mark)));
        let path = self.folder().join(FILE);
        let text = serde_json::to_string_pretty(&kept).unwrap_or_default();
        // A file that is written halfway would lose what was said before.
        let beside = path.with_extension("json.new");
        let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &path));
        written.map_err(|source| WorkspaceError::File { path, source })
    }
}

/// What tells what statements mean, by the models that come with the program; nothing where one is missing.
pub fn built_in_meaning() -> Option<impl Meaning> {
    let reader = FolderReader::open(&built_in_reader().ok()?).ok()?;
    Models::with(reader).map(Known::nothing)
}

impl Models {
    fn with(reader: FolderReader) -> Option<Self> {
        // The numbers by which nearness counts are those of the first edition.
        let editions = built_in_embedders().ok()?;
        let (edition, folder) = editions.into_iter().find(|(edition, _)| edition.number == FIRST.number)?;
        Some(Self { embedder: BuiltInEmbedder::open(edition, &folder).ok()?, reader })
    }
}

/// The contradictions of a library that are not marked, for the engine.
pub(crate) struct Unmarked {
    pub library: Arc<Library>,
    pub folder: PathBuf,
    /// The name of the reader that tells what statements mean, where there is one.
    pub reader: Option<String>,
}

#[async_trait]
impl Contradictions for Unmarked {
    async fn open(&self, scope: &Scope, today: Date) -> Result<Vec<Opposition>, PortError> {
        // A question does not wait until everything is read: what is known by now counts.
        let known = self.reader.as_deref().map(|reader| Known::of(&self.folder, reader, None));
        let found = marked(&self.folder, &self.library, scope, today, known).await;
        let found = found
            .map_err(|problem| PortError::Failed { service: "contradictions", detail: problem.detail() })?;
        Ok(found.into_iter().filter(|one| one.mark.is_none()).map(|one| one.opposition).collect())
    }
}

async fn marked(
    folder: &Path,
    library: &Library,
    scope: &Scope,
    today: Date,
    known: Option<Known>,
) -> Result<Vec<MarkedOpposition>, WorkspaceError> {
    let kept = kept(folder)?;
    let known = known.map(Arc::new);
    let meaning = known.clone().map(|known| known as Arc<dyn Meaning + Send + Sync>);
    let found = library.oppositions(scope, today, meaning).await?;
    if let Some(known) = known {
        // On a full disk what was read is read again next time; what was found is not lost by it.
        known.keep().ok();
    }
    let marked = |opposition: Opposition| {
        let now = said_of(&opposition, Mark::Known);
        let same = |one: &&Kept| {
            (&one.id, &one.first_sha256, &one.second_sha256)
                == (&now.id, &now.first_sha256, &now.second_sha256)
        };
        let mark = kept.iter().find(same).map(|one| one.mark);
        MarkedOpposition { opposition, mark }
    };
    Ok(found.into_iter().map(marked).collect())
}

fn said_of(opposition: &Opposition, mark: Mark) -> Kept {
    Kept {
        id: opposition.id.clone(),
        mark,
        first_sha256: sha256_hex(&opposition.first.sentence.text),
        second_sha256: sha256_hex(&opposition.second.sentence.text),
    }
}

fn kept(folder: &Path) -> Result<Vec<Kept>, WorkspaceError> {
    let Some((path, text)) = text_if_there(&folder.join(FILE))? else { return Ok(Vec::new()) };
    serde_json::from_str(&text).map_err(|problem| {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidData, problem);
        WorkspaceError::File { path, source }
    })
}
