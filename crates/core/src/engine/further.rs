//! The rest of the documents that a model's passages come from: a statement that none of those bears out may stand elsewhere in them.

use std::sync::Arc;

use super::read_statement::read;
use super::services::Services;
use super::turn::Turn;
use crate::answer::grounding::{CitedPassages, GroundingRules};
use crate::domain::{Candidate, Chunk, DocumentId};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::text::{distinct_stems, holds};

/// Passages beside those that a model was given, looked up when the first statement needs them.
pub(super) struct Further<'p> {
    given: &'p [Candidate],
    vector: Option<&'p [f32]>,
    scope: &'p Scope,
    rules: GroundingRules,
    /// The documents that are asked for by name.
    named: Vec<DocumentId>,
    found: Option<Vec<Candidate>>,
    /// Those that bear a statement out, in the order in which they were needed: their aliases follow those of the given ones.
    cited: Vec<Candidate>,
}

impl<'p> Further<'p> {
    pub fn new(
        given: &'p [Candidate],
        vector: Option<&'p [f32]>,
        scope: &'p Scope,
        rules: GroundingRules,
        named: Vec<DocumentId>,
    ) -> Self {
        Self { given, vector, scope, rules, named, found: None, cited: Vec::new() }
    }

    /// The passage that a statement follows from, by its alias, and how sure the reader is of it: surer where a given one denies it.
    pub async fn bearing_out(
        &mut self,
        services: &Services,
        turn: &Turn<'_>,
        statement: &str,
        is_denied: bool,
    ) -> Option<(usize, f64)> {
        let nearest = self.nearest(services, statement).await;
        let chunks: Vec<&Chunk> = nearest.iter().map(|candidate| candidate.chunk.as_ref()).collect();
        let given: Vec<&Chunk> = self.given.iter().map(|candidate| candidate.chunk.as_ref()).collect();
        let passages = CitedPassages::new(&chunks, self.rules).beside(&given);
        let readings = read(services, turn, &passages, &chunks, statement).await?;
        let at = passages.followed(statement, &readings, is_denied)?;
        let sureness = readings.sureness(&[at]).unwrap_or_default();
        Some((self.alias_of(nearest.get(at - 1)?), sureness))
    }

    /// Those that bear a statement out, by alias.
    pub fn into_cited(self) -> Vec<Candidate> {
        self.cited
    }

    /// One of those that are cited, by its alias.
    pub fn get(&self, alias: usize) -> Option<&Candidate> {
        self.cited.get(alias.checked_sub(self.given.len() + 1)?)
    }

    fn alias_of(&mut self, candidate: &Candidate) -> usize {
        let is_it = |known: &Candidate| known.chunk.source_id == candidate.chunk.source_id;
        let at = self.cited.iter().position(is_it).unwrap_or_else(|| {
            self.cited.push(candidate.clone());
            self.cited.len() - 1
        });
        self.given.len() + at + 1
    }

    /// The passages that share most with a statement; those nearest to the question where they share as much.
    async fn nearest(&mut self, services: &Services, statement: &str) -> Vec<Candidate> {
        if self.found.is_none() {
            self.found = Some(self.look_up(services).await);
        }
        let shared = |chunk: &Chunk| {
            let held = distinct_stems(&chunk.text, chunk.language);
            let said = distinct_stems(statement, chunk.language);
            said.iter().filter(|stem| holds(&held, stem, chunk.language)).count()
        };
        let found = self.found.iter().flatten();
        let mut ranked: Vec<(usize, &Candidate)> =
            found.map(|candidate| (shared(&candidate.chunk), candidate)).collect();
        ranked.sort_by(|(a, left), (b, right)| {
            b.cmp(a).then_with(|| right.cosine.unwrap_or(0.0).total_cmp(&left.cosine.unwrap_or(0.0)))
        });
        ranked.truncate(numbers().reader.further_passages);
        ranked.into_iter().map(|(_, candidate)| candidate.clone()).collect()
    }

    async fn look_up(&self, services: &Services) -> Vec<Candidate> {
        let mut documents: Vec<DocumentId> = Vec::new();
        for candidate in self.given {
            let document = &candidate.chunk.document;
            let is_given = |id: &DocumentId| self.given.iter().any(|other| other.chunk.document.id == *id);
            // What replaced it is at hand: the rest of it tells what no longer holds.
            let is_past = document.superseded_by.iter().any(is_given) && !self.named.contains(&document.id);
            if !is_past && !documents.contains(&document.id) {
                documents.push(document.id.clone());
            }
        }
        let asked = services.ports.index.address(&documents, self.vector, self.scope);
        let hits = services.within_deadline("address", asked).await.unwrap_or_default();
        let is_given =
            |chunk: &Chunk| self.given.iter().any(|given| given.chunk.source_id == chunk.source_id);
        hits.into_iter()
            .filter(|hit| !is_given(&hit.chunk))
            .map(|hit| Candidate { cosine: hit.cosine, ..Candidate::of_chunk(Arc::clone(&hit.chunk)) })
            .collect()
    }
}
