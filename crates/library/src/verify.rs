//! What was recognised, guessed and rejected of every document: the check that ids and types are what they should be.

use plumbline_core::answer::record::{TypedSection, typed_sections};
use plumbline_core::detail::Detail;
use plumbline_core::domain::Chunk;
use serde::Serialize;

use crate::identity::{Collision, Disagreement, Identity, Provenance, Unresolved, reconcile};
use crate::library::Library;
use crate::store::StoreError;

/// The identity of every document in the library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdentityReport {
    /// Every document.
    pub documents: Vec<IdentifiedDocument>,
    /// Documents that claim one id.
    pub collisions: Vec<Collision>,
    /// Records whose approval record says otherwise.
    pub disagreements: Vec<Disagreement>,
    /// References that lead nowhere.
    pub unresolved: Vec<Unresolved>,
}

/// One document and how its identity came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdentifiedDocument {
    /// Its id.
    pub id: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether lists hold it.
    pub listed: bool,
    /// Where it lies.
    pub source: String,
    /// Relative to the source.
    pub path: String,
    /// What was recognised and what was guessed.
    #[serde(rename = "evidence")]
    pub provenance: Vec<Provenance>,
    /// What was not believed, and why.
    pub rejected: Vec<Detail>,
    /// What its sections are taken for.
    pub sections: Vec<TypedSection>,
}

impl Library {
    /// How the identity of every document came about.
    pub async fn identities(&self) -> Result<IdentityReport, StoreError> {
        let snapshot = self.snapshot().await?;
        let kept: Vec<Identity> = snapshot
            .read(|at| at.files())?
            .iter()
            .filter_map(|file| file.identity.as_deref())
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let reconciled = reconcile(&kept);
        let mut documents = Vec::with_capacity(kept.len());
        for (reconciled, identity) in reconciled.documents.into_iter().zip(kept) {
            let chunks = match snapshot.held(&reconciled.document.id) {
                Some(held) => snapshot.chunks_of(held)?,
                None => Vec::new(),
            };
            let passages: Vec<&Chunk> = chunks.iter().map(|(_, chunk)| chunk.as_ref()).collect();
            documents.push(IdentifiedDocument {
                id: reconciled.document.id.to_string(),
                kind: reconciled.document.kind.as_str().to_owned(),
                listed: reconciled.listed,
                source: reconciled.source,
                path: reconciled.document.path,
                provenance: identity.provenance,
                rejected: identity.problems.into_iter().map(|kept| kept.0).collect(),
                sections: typed_sections(&passages),
            });
        }
        Ok(IdentityReport {
            documents,
            collisions: reconciled.collisions,
            disagreements: reconciled.disagreements,
            unresolved: reconciled.unresolved,
        })
    }
}
