//! What a new record would touch: decisions, principles and policies, and statements that oppose each other about it.

use std::sync::Arc;

use crate::decisions::{Opposition, Side};
use crate::domain::{Document, DocumentId, Kind, Language, Standing};
use crate::engine::graph::Library;
use crate::engine::services::Services;
use crate::engine::turn::Turn;
use crate::kinds::RelationKind;
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::text::{content_stems, distinct_stems, holds};

/// What a new record would touch, the nearest first.
pub(super) struct Related {
    pub decisions: Vec<Arc<Document>>,
    pub principles: Vec<Arc<Document>>,
}

impl Related {
    pub fn all(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.decisions.iter().chain(&self.principles)
    }

    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }
}

/// The documents that a question about the topic finds, those whose titles name it, what came in the place of one of them, and the
/// principles and policies that the decisions in force among them name.
pub(super) fn related(library: &Library, found: &[DocumentId], topic: &str, language: Language) -> Related {
    let most = numbers().draft.records;
    let mut found: Vec<&DocumentId> = found.iter().collect();
    let titled = library
        .documents
        .values()
        .filter(|document| is_named(topic, language, &document.title, document.language));
    found.extend(titled.map(|document| &document.id));
    let replaced: Vec<&DocumentId> = found
        .iter()
        .flat_map(|id| library.graph.to(id))
        .filter(|relation| relation.kind == RelationKind::Supersedes)
        .map(|relation| &relation.from)
        .collect();
    found.extend(replaced);
    let of = |ids: &[&DocumentId], kinds: &[Kind]| {
        let mut documents: Vec<Arc<Document>> = Vec::new();
        for document in ids.iter().filter_map(|id| library.documents.get(*id)) {
            let is_new = !documents.iter().any(|known| known.id == document.id);
            if is_new && kinds.contains(&document.kind) && documents.len() < most {
                documents.push(Arc::clone(document));
            }
        }
        documents
    };
    let decisions = of(&found, &[Kind::Adr]);
    let named_by = decisions
        .iter()
        .filter(|decision| decision.standing() == Standing::InForce)
        .flat_map(|decision| library.graph.from(&decision.id));
    let named_by: Vec<&DocumentId> = named_by.map(|relation| &relation.to).collect();
    found.extend(named_by);
    let principles = of(&found, &[Kind::Principle, Kind::Policy]);
    Related { decisions, principles }
}

/// Whether a text holds every word of a topic that says something.
fn is_named(topic: &str, language: Language, text: &str, written_in: Language) -> bool {
    let wanted = content_stems(topic, language);
    let held = distinct_stems(text, written_in);
    !wanted.is_empty() && wanted.iter().all(|stem| holds(&held, stem, written_in))
}

/// The statements that oppose each other about the topic: both stand in related documents, or one of them names it.
pub(super) async fn open_contradictions(
    services: &Services,
    turn: &Turn<'_>,
    related: &Related,
    topic: &str,
    scope: &Scope,
) -> (Vec<Opposition>, Option<String>) {
    let Some(contradictions) = &services.ports.contradictions else { return (Vec::new(), None) };
    let mut open = match contradictions.open(scope, services.today()).await {
        Ok(open) => open,
        Err(problem) => return (Vec::new(), Some(problem.detail().text(turn.language))),
    };
    let is_related = |side: &Side| related.all().any(|document| document.id == side.document);
    let names = |side: &Side| is_named(topic, turn.language, &side.sentence.text, turn.language);
    open.retain(|one| {
        is_related(&one.first) && is_related(&one.second) || names(&one.first) || names(&one.second)
    });
    (open, None)
}
