//! The library as decisions: what its records say of one another.

use std::collections::BTreeSet;
use std::sync::Arc;

use plumbline_core::decisions::{Graph, Relation};
use plumbline_core::domain::{Document, DocumentId, Kind};
use plumbline_core::ports::Scope;
use plumbline_core::records;

use crate::identity::Unresolved;
use crate::library::Library;
use crate::store::StoreError;

/// The records that a user may see, and what they say of one another.
#[derive(Debug, Clone)]
pub struct Decisions {
    /// Decisions, principles and policies, and whatever else takes part in a relation; in the order of lists.
    pub documents: Vec<Arc<Document>>,
    /// What they say of one another.
    pub graph: Graph,
    /// What they say of records that are not there.
    pub broken: Vec<Unresolved>,
}

impl Library {
    /// The records that a user may see, and what they say of one another. What they may not see takes no part.
    pub async fn decisions(&self, scope: &Scope) -> Result<Decisions, StoreError> {
        let snapshot = self.snapshot().await?;
        let held: Vec<_> = snapshot.visible(scope).filter(|held| held.record.listed).collect();
        let visible: BTreeSet<&DocumentId> = held.iter().map(|held| &held.document.id).collect();
        let sees = |one: &&Relation| [&one.from, &one.to, &one.said_in].iter().all(|id| visible.contains(id));
        let said = held.iter().flat_map(|held| &held.record.relations);
        let graph = Graph::of(said.filter(sees).cloned());
        let related: BTreeSet<&DocumentId> =
            graph.relations().iter().flat_map(|one| [&one.from, &one.to]).collect();
        let is_record = |kind| matches!(kind, Kind::Adr | Kind::Principle | Kind::Policy);
        let shown = |document: &Arc<Document>| is_record(document.kind) || related.contains(&document.id);
        let mut documents: Vec<Arc<Document>> =
            held.iter().map(|held| Arc::clone(&held.document)).filter(|document| shown(document)).collect();
        documents.sort_by(|a, b| records::list_order(a, b));
        let broken = self.identities().await?.unresolved;
        let broken = broken.into_iter().filter(|one| visible.contains(&one.document)).collect();
        Ok(Decisions { documents, graph, broken })
    }
}
