//! The library as decisions: what its records say of one another, and which statements oppose each other.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::civil::Date;
use plumbline_core::decisions::{
    Graph, Meaning, Opposition, Relation, Told, oppositions, oppositions_in_any_words,
};
use plumbline_core::domain::{Document, DocumentId, Kind};
use plumbline_core::ports::Scope;
use plumbline_core::records;

use crate::identity::{Identity, Unresolved};
use crate::library::Library;
use crate::store::StoreError;
use crate::store::snapshot::{Held, Snapshot};

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
        let held = listed(&snapshot, scope);
        let graph = graph(&held);
        let related: BTreeSet<&DocumentId> =
            graph.relations().iter().flat_map(|one| [&one.from, &one.to]).collect();
        let is_record = |kind| matches!(kind, Kind::Adr | Kind::Principle | Kind::Policy);
        let shown = |document: &Arc<Document>| is_record(document.kind) || related.contains(&document.id);
        let mut documents: Vec<Arc<Document>> =
            held.iter().map(|held| Arc::clone(&held.document)).filter(|document| shown(document)).collect();
        documents.sort_by(|a, b| records::list_order(a, b));
        let visible: BTreeSet<&DocumentId> = held.iter().map(|held| &held.document.id).collect();
        let broken = self.identities().await?.unresolved;
        let broken = broken.into_iter().filter(|one| visible.contains(&one.document)).collect();
        Ok(Decisions { documents, graph, broken })
    }

    /// What the records that a user may see say of one another.
    pub(crate) async fn relations(&self, scope: &Scope) -> Result<Graph, StoreError> {
        let snapshot = self.snapshot().await?;
        Ok(graph(&listed(&snapshot, scope)))
    }

    /// The statements in force that oppose each other, among what a user may see: by their words alone where nothing tells what they
    /// mean. The library's own day goes before the given one.
    pub async fn oppositions(
        &self,
        scope: &Scope,
        today: Date,
        meaning: Option<Arc<dyn Meaning + Send + Sync>>,
    ) -> Result<Vec<Opposition>, StoreError> {
        let snapshot = self.snapshot().await?;
        let held = listed(&snapshot, scope);
        let mut sentences: HashMap<i64, Identity> = HashMap::new();
        for file in snapshot.read(|at| at.files())? {
            if let Some(identity) = file.identity.as_deref() {
                sentences.insert(file.id, serde_json::from_str(identity)?);
            }
        }
        let told: Vec<Told> = held
            .iter()
            .filter(|held| held.document.kind != Kind::Dar)
            .map(|held| Told {
                document: Arc::clone(&held.document),
                sentences: sentences.remove(&held.file).map(|found| found.sentences).unwrap_or_default(),
            })
            .collect();
        let (graph, today) = (graph(&held), snapshot.as_of.unwrap_or(today));
        let found = tokio::task::spawn_blocking(move || match meaning {
            Some(meaning) => oppositions_in_any_words(&told, &graph, today, &*meaning),
            None => Ok(oppositions(&told, &graph, today)),
        });
        let disagree = |problem: String| StoreError::Disagree(problem);
        found.await.map_err(|error| disagree(error.to_string()))?.map_err(|error| disagree(error.to_string()))
    }
}

fn listed<'s>(snapshot: &'s Snapshot, scope: &'s Scope) -> Vec<&'s Held> {
    snapshot.visible(scope).filter(|held| held.record.listed).collect()
}

fn graph(held: &[&Held]) -> Graph {
    let visible: BTreeSet<&DocumentId> = held.iter().map(|held| &held.document.id).collect();
    let sees = |one: &&Relation| [&one.from, &one.to, &one.said_in].iter().all(|id| visible.contains(id));
    Graph::of(held.iter().flat_map(|held| &held.record.relations).filter(sees).cloned())
}
