//! What every tool and resource needs: the workspace as it is now, and for whom.

use std::sync::Arc;

use plumbline_core::domain::Language;
use plumbline_core::ports::Scope;
use plumbline_core::request::AskRequest;
use plumbline_workspace::{WorkspaceError, WorkspaceOptions};

use crate::followed::{FollowedWorkspace, OpenWorkspace};

/// A workspace that is served to one user.
pub(crate) struct Served {
    workspace: FollowedWorkspace,
    scope: Scope,
    /// Of prompts, and of what goes wrong.
    language: Language,
}

impl Served {
    pub fn new(options: WorkspaceOptions, scope: Scope, language: Language) -> Self {
        Self { workspace: FollowedWorkspace::new(options), scope, language }
    }

    /// The workspace as it is now, or why there is none, in the user's language.
    pub async fn open(&self) -> Result<Arc<OpenWorkspace>, String> {
        self.workspace.open().await.map_err(|problem| problem.detail().text(self.language))
    }

    pub async fn keep_counters(&self) -> Result<(), WorkspaceError> {
        self.workspace.keep_counters().await
    }

    /// What the user may see.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// A question with what the user may see.
    pub fn question(&self, query: &str) -> AskRequest {
        let Scope { tenant, user_tags, .. } = self.scope.clone();
        AskRequest { tenant_id: tenant, user_tags, ..AskRequest::new(query) }
    }
}
