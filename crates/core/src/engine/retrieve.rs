use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use plumbline_telemetry::{RequestContext, Route};
use tracing::Instrument;

use super::Engine;
use super::gather::{Reach, Sweep};
use super::turn::Turn;
use crate::domain::{Candidate, Collection, Document, EmbedderFamily, Lane, SourceId};
use crate::error::AskError;
use crate::intent::{Intent, classify};
use crate::ports::Scope;
use crate::response::{Stage, StageOutcome, StageReport};

/// What the lanes found for a question, before floors, cuts and gates.
#[derive(Debug, Clone, Default)]
pub struct Retrieved {
    /// The ranking of each lane that found something, best first.
    pub lanes: BTreeMap<Lane, Vec<Candidate>>,
    /// The lanes' rankings made one, as an answer would use it, best first.
    pub whole: Vec<Candidate>,
    /// Whose cosines these are; lexical where there was no vector.
    pub family: Option<EmbedderFamily>,
    /// What each stage did.
    pub stages: Vec<StageReport>,
    /// What was off.
    pub fallback_flags: Vec<String>,
}

/// A question as the lanes take it up.
pub(super) struct Understood {
    pub intent: Intent,
    /// The collections that the scope lets it see.
    pub searched: Vec<Collection>,
    /// The records that it names.
    pub documents: Vec<Arc<Document>>,
}

impl Engine {
    /// Searches the documents as [`Engine::ask`] does for `wanted` passages, and stops before it decides anything. The
    /// rankings hold all that was fetched, several times as many: whoever counts documents has chunks enough. The whole
    /// library is searched, whatever the question names or curated memory holds. It leaves no audit record.
    pub async fn retrieve(&self, query: &str, scope: &Scope, wanted: usize) -> Result<Retrieved, AskError> {
        let context =
            RequestContext::new(self.ports.ids.request_id(), Route::Tree, Arc::clone(&self.ports.clock));
        let span = context.span().clone();
        let mut turn = Turn::new(context, &self.configuration.settings, &self.metrics, &|_| {});
        self.retrieve_within(&mut turn, query, scope, wanted).instrument(span).await
    }

    async fn retrieve_within(
        &self,
        turn: &mut Turn<'_>,
        query: &str,
        scope: &Scope,
        wanted: usize,
    ) -> Result<Retrieved, AskError> {
        let Understood { intent, searched, documents } = self.understood(turn, query, scope).await?;
        if searched.is_empty() {
            return Ok(Retrieved { stages: turn.take_stages(), ..Retrieved::default() });
        }
        let reach = Reach {
            scope,
            searched: &searched,
            documents: &documents,
            sweep: Sweep::Always,
            limit: wanted.saturating_mul(self.configuration.settings.retrieval.over_fetch.max(1)),
        };
        let mut found = self.gather(turn, &intent, &[], &reach).await?;
        let family = found.embedded.family;
        let ranked = self.rank(turn, &intent, &found.question, &mut found.pool, family).await;
        let mut whole = ranked.candidates;
        if ranked.reranked {
            // A reranker keeps few; what it left out comes behind, so that a long ranking stays long.
            let kept: HashSet<SourceId> =
                whole.iter().map(|candidate| candidate.chunk.source_id.clone()).collect();
            let fused = self.fused(&intent, &found.question, &found.pool);
            whole.extend(fused.into_iter().filter(|candidate| !kept.contains(&candidate.chunk.source_id)));
        }
        Ok(Retrieved {
            lanes: found.pool.lanes(),
            whole,
            family: Some(family),
            stages: turn.take_stages(),
            fallback_flags: turn.context.fallback_flags(),
        })
    }

    /// What a question means by itself, without a conversation around it.
    pub(super) async fn understood(
        &self,
        turn: &mut Turn<'_>,
        query: &str,
        scope: &Scope,
    ) -> Result<Understood, AskError> {
        let query = self.checked(query)?;
        let started = turn.begin(Stage::Intent);
        let intent = classify(&query, &[], self.configuration.settings.general.language);
        turn.end(started, StageOutcome::Ok);
        let searched = self.ports.catalogue.collections(scope).await?;
        let documents = self.named_documents(&intent, scope).await?;
        Ok(Understood { intent, searched, documents })
    }

    /// The records that the question names; those that do not exist, or are not unique, are passed over.
    async fn named_documents(&self, intent: &Intent, scope: &Scope) -> Result<Vec<Arc<Document>>, AskError> {
        let mut documents: Vec<Arc<Document>> = Vec::new();
        for reference in &intent.references {
            let found = self.ports.catalogue.resolve(reference, scope).await?;
            if let [document] = found.as_slice()
                && !documents.iter().any(|known| known.id == document.id)
            {
                documents.push(Arc::clone(document));
            }
        }
        Ok(documents)
    }
}
