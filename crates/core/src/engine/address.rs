use std::sync::Arc;

use super::Engine;
use super::turn::Turn;
use crate::domain::{Candidate, Document};
use crate::error::AskError;
use crate::intent::{Intent, Reference};
use crate::ports::Scope;
use crate::refusal::{RefusalFacts, refusal_text};
use crate::request::AskRequest;
use crate::response::{AskResponse, RefusalReason};
use crate::retrieval::Question;

impl Engine {
    /// A question that names records: their own passages answer it, or there are no such records.
    pub(super) async fn records(
        &self,
        turn: &mut Turn<'_>,
        request: &AskRequest,
        intent: &Intent,
        references: &[Reference],
        scope: Scope,
    ) -> Result<AskResponse, AskError> {
        let mut found: Vec<Arc<Document>> = Vec::new();
        let mut unknown: Vec<Reference> = Vec::new();
        for reference in references {
            let documents = self.ports.catalogue.resolve(reference, &scope).await?;
            match documents.as_slice() {
                [] => unknown.push(reference.clone()),
                [document] if found.iter().any(|known| known.id == document.id) => {}
                [document] => found.push(Arc::clone(document)),
                several => return Ok(self.which_document(turn, reference, &intent.query, several)),
            }
        }
        if found.is_empty() {
            return self.no_such_record(turn, &intent.query, &unknown, &scope).await;
        }
        let mut response = self.search(turn, request, intent, scope, found).await?;
        for reference in &unknown {
            let facts = RefusalFacts { reference: Some(reference.display()), ..RefusalFacts::default() };
            response.warnings.push(refusal_text(RefusalReason::EntityNotFound, &facts, turn.language));
        }
        Ok(response)
    }
}

/// The passages of the addressed documents: the part that is asked for first, then the nearest.
pub(super) fn in_order_of_use(mut candidates: Vec<Candidate>, question: &Question) -> Vec<Candidate> {
    let asked_for = |candidate: &Candidate| {
        let path = &candidate.chunk.section_path;
        question.aspects.iter().any(|aspect| path.iter().any(|section| aspect.is_in_section(section)))
    };
    let near = |candidate: &Candidate| f64::from(candidate.score()) + question.covered_by(&candidate.chunk);
    candidates.sort_by(|a, b| {
        asked_for(b)
            .cmp(&asked_for(a))
            .then_with(|| near(b).total_cmp(&near(a)))
            .then_with(|| a.chunk.source_id.cmp(&b.chunk.source_id))
    });
    candidates
}
