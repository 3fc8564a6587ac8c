//! The view of records as decisions: the graph of what they say of one another, and what opposes what.

use plumbline_contract::{
    CommandError, Contradiction, DecisionGraph, DecisionNode, DecisionRelation, Mark, RelationKind,
};
use plumbline_core::domain::{Document, Kind};
use plumbline_core::messages::Message;

use crate::Host;
use crate::error::not_found;

impl Host {
    /// The records and what they say of one another, with what is wrong with that.
    pub async fn decision_graph(&self) -> Result<DecisionGraph, CommandError> {
        let browsed = self.browsed().await?;
        let documents = || browsed.iter().map(|one| &one.record.document);
        let relations = documents().flat_map(|document| {
            document.supersedes.iter().map(|other| DecisionRelation {
                from: document.id.to_string(),
                to: other.to_string(),
                relation: RelationKind::Supersedes,
                sentence: document.status.clone().unwrap_or_default(),
                path: document.path.clone(),
                line: 1,
            })
        });
        let relations: Vec<DecisionRelation> = relations.collect();
        let related = |id: &str| relations.iter().any(|one| one.from == id || one.to == id);
        let is_record =
            |document: &Document| matches!(document.kind, Kind::Adr | Kind::Principle | Kind::Policy);
        let nodes = documents().filter(|document| is_record(document) || related(document.id.as_str()));
        Ok(DecisionGraph { nodes: nodes.map(node).collect(), relations, problems: Vec::new() })
    }

    /// Statements in force that oppose each other; those that were marked too.
    pub async fn contradictions(&self) -> Result<Vec<Contradiction>, CommandError> {
        self.open()?;
        Ok(Vec::new())
    }

    /// Keeps what the user says of a contradiction, until one of its passages changes; takes it back where absent.
    pub async fn mark_contradiction(&self, id: String, mark: Option<Mark>) -> Result<(), CommandError> {
        let _ = (id, mark);
        Err(not_found(self.say(Message::MissingContradiction)))
    }
}

fn node(document: &Document) -> DecisionNode {
    DecisionNode {
        id: document.id.to_string(),
        reference: document.reference(),
        path: document.path.clone(),
        title: document.title.clone(),
        kind: document.kind,
        status: document.status.clone(),
        standing: document.standing(),
        date: document.date.map(|date| date.to_string()),
        concepts: Vec::new(),
    }
}
