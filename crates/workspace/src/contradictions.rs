//! What users say of contradictions, kept with the hashes of both passages: when one changes, the contradiction comes back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use plumbline_core::decisions::{Mark, Opposition};
use plumbline_core::ports::{Contradictions, PortError, Scope};
use plumbline_library::Library;
use plumbline_telemetry::{Clock, sha256_hex};
use serde::{Deserialize, Serialize};

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

impl Workspace {
    /// The statements in force that oppose each other, with what was said of them.
    pub async fn contradictions(
        &self,
        library: &Library,
        scope: &Scope,
        clock: &dyn Clock,
    ) -> Result<Vec<MarkedOpposition>, WorkspaceError> {
        let today = clock.now().to_zoned(TimeZone::UTC).date();
        marked(self.folder(), library, scope, today).await
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

/// The contradictions of a library that are not marked, for the engine.
pub(crate) struct Unmarked {
    pub library: Arc<Library>,
    pub folder: PathBuf,
}

#[async_trait]
impl Contradictions for Unmarked {
    async fn open(&self, scope: &Scope, today: Date) -> Result<Vec<Opposition>, PortError> {
        let found = marked(&self.folder, &self.library, scope, today).await;
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
) -> Result<Vec<MarkedOpposition>, WorkspaceError> {
    let kept = kept(folder)?;
    let found = library.oppositions(scope, today).await?;
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
