//! The journey as far as the evidence: what the lanes find for a question.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::evidence::{Evidence, gather};
use super::rank::fused;
use super::reach::{Help, Reach, Sweep, hits_for};
use super::services::Services;
use super::turn::Turn;
use crate::domain::{Candidate, Document, EmbedderFamily, Lane, Language, SourceId};
use crate::error::AskError;
use crate::intent::Question;
use crate::ports::Scope;
use crate::response::StageReport;

/// What the lanes found for a question, before floors, cuts and gates.
#[derive(Debug, Clone, Default)]
pub struct Retrieved {
    /// The ranking of each lane that found something, best first.
    pub lanes: BTreeMap<Lane, Vec<Candidate>>,
    /// The lanes' rankings made one, as an answer would use it, best first.
    pub whole: Vec<Candidate>,
    /// The question's language, where its words tell: what passages in another one share with it then counts for little.
    pub language: Option<Language>,
    /// Whose cosines these are; lexical where there was no vector.
    pub family: Option<EmbedderFamily>,
    /// What each stage did.
    pub stages: Vec<StageReport>,
    /// What was off.
    pub fallback_flags: Vec<String>,
}

/// The evidence for a question without a conversation around it; nothing where there is nothing to search.
pub(super) async fn evidence_alone(
    services: &Services,
    turn: &mut Turn<'_>,
    question: Question,
    scope: &Scope,
    sweep: Sweep,
    wanted: usize,
) -> Result<Option<Evidence>, AskError> {
    let searched = services.ports.catalogue.collections(scope).await?;
    let documents = named_documents(services, &question, scope).await?;
    if searched.is_empty() {
        return Ok(None);
    }
    let limit = hits_for(services, wanted);
    let reach = Reach { scope, searched, documents: &documents, sweep, limit, help: Help::OfModels };
    Ok(Some(gather(services, turn, question, &[], reach).await?))
}

/// The lanes' rankings of the evidence, and the one that they make together.
pub(super) fn retrieved(services: &Services, turn: &mut Turn<'_>, evidence: Option<Evidence>) -> Retrieved {
    let Some(evidence) = evidence else {
        return Retrieved { stages: turn.take_stages(), ..Retrieved::default() };
    };
    // A reranker keeps few; what it left out comes behind, so that a long ranking stays long. Without one, all that was found is
    // here in its order: leaving out what does not hold the question's names is a cut that an answer makes.
    let mut whole = if evidence.reranked { evidence.candidates } else { Vec::new() };
    let kept: HashSet<SourceId> = whole.iter().map(|candidate| candidate.chunk.source_id.clone()).collect();
    let fused = fused(services, &evidence.question, &evidence.pool);
    whole.extend(fused.into_iter().filter(|candidate| !kept.contains(&candidate.chunk.source_id)));
    Retrieved {
        lanes: evidence.pool.lanes(),
        whole,
        language: evidence.question.language_is_known.then_some(evidence.question.language),
        family: Some(evidence.family),
        stages: turn.take_stages(),
        fallback_flags: turn.context.fallback_flags(),
    }
}

/// The records that the question names; those that do not exist, or are not unique, are passed over.
async fn named_documents(
    services: &Services,
    question: &Question,
    scope: &Scope,
) -> Result<Vec<Arc<Document>>, AskError> {
    let mut documents: Vec<Arc<Document>> = Vec::new();
    for reference in &question.references {
        let found = services.ports.catalogue.resolve(reference, scope).await?;
        if let [document] = found.as_slice()
            && !documents.iter().any(|known| known.id == document.id)
        {
            documents.push(Arc::clone(document));
        }
    }
    Ok(documents)
}
