//! A library in memory: an index with real scores over a toy embedding, and its catalogue.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use jiff::civil::Date;
use plumbline_core::decisions::{Graph, Relation};
use plumbline_core::domain::{Chunk, Collection, Document, DocumentId, Kind, Language, SourceId};
use plumbline_core::intent::Reference;
use plumbline_core::ports::{
    Catalogue, DocumentFilter, Hit, Index, LexicalQuery, OutOfReach, PortError, Scope, TermStatistic,
};
use plumbline_core::records;
use plumbline_core::text::{content_stems, distinct_stems, stem, words};

use crate::embedder::{DIMENSIONS, ToyEmbedding, cosine};
use crate::faults::Faults;

const K1: f32 = 1.2;
const B: f32 = 0.75;
const DEFAULT_TENANT: &str = "default";

/// Who may see a document.
#[derive(Debug, Clone)]
struct Access {
    tenant: String,
    tags: Vec<String>,
}

/// A library made of chunks. Each lane can be made to fail or hang while it is in use:
/// `library.dense.fail(true)`, `library.lexical.hang(true)`; the same fields count the calls.
#[derive(Debug)]
pub struct FakeLibrary {
    /// The dense lane's faults and calls.
    pub dense: Faults,
    /// The lexical lane's faults and calls.
    pub lexical: Faults,
    /// The address lane's faults and calls.
    pub address: Faults,
    /// Faults and calls of the word statistics.
    pub statistics: Faults,
    /// The catalogue's faults and calls.
    pub catalogue: Faults,
    chunks: Vec<Arc<Chunk>>,
    documents: BTreeMap<DocumentId, Arc<Document>>,
    access: HashMap<DocumentId, Access>,
    embedding: ToyEmbedding,
    cosines: HashMap<SourceId, f32>,
    as_of: Option<Date>,
    relations: Vec<Relation>,
    out_of_reach: Vec<OutOfReach>,
    generation: AtomicU64,
}

impl FakeLibrary {
    /// A library of these chunks and their documents, open to everybody of the default tenant.
    pub fn new(chunks: Vec<Chunk>) -> Self {
        let mut chunks: Vec<Arc<Chunk>> = chunks.into_iter().map(Arc::new).collect();
        chunks.sort_by(|a, b| a.source_id.cmp(&b.source_id));
        let twice = chunks.windows(2).find(|pair| pair[0].source_id == pair[1].source_id);
        assert!(twice.is_none(), "two chunks with one id: {twice:?}");
        Self {
            dense: Faults::default(),
            lexical: Faults::default(),
            address: Faults::default(),
            statistics: Faults::default(),
            catalogue: Faults::default(),
            documents: chunks
                .iter()
                .map(|chunk| (chunk.document.id.clone(), Arc::clone(&chunk.document)))
                .collect(),
            chunks,
            access: HashMap::new(),
            embedding: ToyEmbedding::default(),
            cosines: HashMap::new(),
            as_of: None,
            relations: Vec::new(),
            out_of_reach: Vec::new(),
            generation: AtomicU64::new(1),
        }
    }

    /// A document that the catalogue knows and that has no chunk.
    pub fn with_document(mut self, document: Arc<Document>) -> Self {
        self.documents.insert(document.id.clone(), document);
        self
    }

    /// Shows a document to one tenant's users with one of these access tags only; to all of them where there are none.
    pub fn restrict(mut self, document: &str, tenant: &str, tags: &[&str]) -> Self {
        let id = DocumentId::new(document).unwrap();
        assert!(self.documents.contains_key(&id), "no document `{document}` to restrict");
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        self.access.insert(id, Access { tenant: tenant_or_default(tenant).to_owned(), tags });
        self
    }

    /// Words that mean the same; give the embedder the same ones.
    pub fn with_synonyms(mut self, groups: &[&[&str]]) -> Self {
        self.embedding = self.embedding.with_synonyms(groups);
        self
    }

    /// Fixes the cosine of a chunk, such as `adr-0012:0`, to whatever is asked.
    pub fn with_cosine(mut self, source: &str, cosine: f32) -> Self {
        self.cosines.insert(source.parse().unwrap(), cosine);
        self
    }

    /// Fixes the cosine of every chunk.
    pub fn with_all_cosines(mut self, cosine: f32) -> Self {
        self.cosines = self.chunks.iter().map(|chunk| (chunk.source_id.clone(), cosine)).collect();
        self
    }

    /// What its documents say of one another.
    pub fn relations(mut self, relations: impl IntoIterator<Item = Relation>) -> Self {
        self.relations.extend(relations);
        self
    }

    /// Fixes the day that is "today".
    pub fn as_of(mut self, day: Date) -> Self {
        self.as_of = Some(day);
        self
    }

    /// As if a published library were read in place and could not be.
    pub fn with_out_of_reach(mut self, address: &str, why: &str) -> Self {
        self.out_of_reach.push(OutOfReach { address: address.to_owned(), detail: why.into() });
        self
    }

    /// As if the library had been indexed again.
    pub fn set_generation(&self, generation: u64) {
        self.generation.store(generation, Ordering::SeqCst);
    }

    /// Whether the dense lane fails.
    pub fn fail_dense(&self, on: bool) {
        self.dense.fail(on);
    }

    /// Whether the lexical lane fails.
    pub fn fail_lexical(&self, on: bool) {
        self.lexical.fail(on);
    }

    /// Whether the dense lane never returns.
    pub fn hang_dense(&self, on: bool) {
        self.dense.hang(on);
    }

    /// All chunks of a document as hits with this cosine, for a fake memory.
    pub fn hits(&self, document: &str, cosine: f32) -> Vec<Hit> {
        let chunks = self.chunks.iter().filter(|chunk| chunk.document.id.as_str() == document);
        chunks.map(|chunk| Hit { chunk: Arc::clone(chunk), cosine: Some(cosine), lexical: None }).collect()
    }

    fn sees(&self, scope: &Scope, document: &Document) -> bool {
        let allowed = match self.access.get(&document.id) {
            None => tenant_or_default(&scope.tenant) == DEFAULT_TENANT,
            Some(access) => {
                tenant_or_default(&scope.tenant) == access.tenant
                    && (access.tags.is_empty() || access.tags.iter().any(|tag| scope.user_tags.contains(tag)))
            }
        };
        allowed && (scope.collections.is_empty() || scope.collections.contains(&document.collection))
    }

    fn visible<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Arc<Chunk>> {
        self.chunks.iter().filter(|chunk| self.sees(scope, &chunk.document))
    }

    fn visible_documents<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Arc<Document>> {
        self.documents.values().filter(|document| self.sees(scope, document))
    }

    fn cosine_to(&self, chunk: &Chunk, vector: &[f32]) -> f32 {
        let pinned = self.cosines.get(&chunk.source_id).copied();
        pinned.unwrap_or_else(|| cosine(&self.embedding.embed(&indexed_text(chunk)), vector))
    }

    fn is_about(&self, document: &Document, topic: &str) -> bool {
        let mut text = format!("{} {}", document.title, document.tags.join(" "));
        for chunk in self.chunks.iter().filter(|chunk| chunk.document.id == document.id) {
            text = format!("{text} {} {}", chunk.section_path.join(" "), chunk.text);
        }
        Language::all().any(|language| {
            let held = distinct_stems(&text, language);
            content_stems(topic, language).iter().all(|stem| held.contains(stem))
        })
    }
}

fn tenant_or_default(tenant: &str) -> &str {
    if tenant.is_empty() { DEFAULT_TENANT } else { tenant }
}

/// What is embedded and searched: a passage under its title and headings.
fn indexed_text(chunk: &Chunk) -> String {
    format!("{} {} {}", chunk.document.title, chunk.section_path.join(" "), chunk.text)
}

fn check_length(vector: &[f32]) -> Result<(), PortError> {
    if vector.len() == DIMENSIONS {
        return Ok(());
    }
    let detail = format!("a vector of {} numbers, where the index has {DIMENSIONS}", vector.len());
    Err(PortError::Failed { service: "index", detail: detail.into() })
}

fn inverse_frequency(frequency: u64, count: usize) -> f32 {
    let (frequency, count) = (frequency as f32, count as f32);
    (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// BM25 of each text for the terms, divided by the most that these terms could give.
fn bm25(terms: &[String], texts: &[Vec<String>]) -> Vec<f32> {
    let average = texts.iter().map(Vec::len).sum::<usize>() as f32 / texts.len().max(1) as f32;
    let weights: Vec<f32> = terms
        .iter()
        .map(|term| {
            inverse_frequency(texts.iter().filter(|text| text.contains(term)).count() as u64, texts.len())
        })
        .collect();
    let bound: f32 = weights.iter().map(|weight| weight * (K1 + 1.0)).sum();
    texts
        .iter()
        .map(|text| {
            let norm = K1 * (1.0 - B + B * text.len() as f32 / average.max(1.0));
            let score: f32 = terms
                .iter()
                .zip(&weights)
                .map(|(term, weight)| {
                    let count = text.iter().filter(|held| *held == term).count() as f32;
                    weight * count * (K1 + 1.0) / (count + norm)
                })
                .sum();
            if bound > 0.0 { score / bound } else { 0.0 }
        })
        .collect()
}

fn best_first(mut scored: Vec<(f32, Hit)>, limit: usize) -> Vec<Hit> {
    scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.chunk.source_id.cmp(&y.chunk.source_id)));
    scored.into_iter().take(limit).map(|(_, hit)| hit).collect()
}

#[async_trait]
impl Index for FakeLibrary {
    async fn dense(&self, vector: &[f32], scope: &Scope, limit: usize) -> Result<Vec<Hit>, PortError> {
        self.dense.pass("dense").await?;
        check_length(vector)?;
        let scored = self.visible(scope).map(|chunk| {
            let cosine = self.cosine_to(chunk, vector);
            (cosine, Hit { chunk: Arc::clone(chunk), cosine: Some(cosine), lexical: None })
        });
        Ok(best_first(scored.collect(), limit))
    }

    async fn lexical(
        &self,
        query: &LexicalQuery,
        vector: Option<&[f32]>,
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<Hit>, PortError> {
        self.lexical.pass("lexical").await?;
        vector.map_or(Ok(()), check_length)?;
        let terms = content_stems(&query.text, query.language);
        let chunks: Vec<&Arc<Chunk>> = self.visible(scope).collect();
        let texts: Vec<Vec<String>> = chunks
            .iter()
            .map(|chunk| {
                words(&indexed_text(chunk)).iter().map(|word| stem(&word.folded, query.language)).collect()
            })
            .collect();
        let scored = chunks.into_iter().zip(bm25(&terms, &texts)).filter(|(_, score)| *score > 0.0);
        let scored = scored.map(|(chunk, score)| {
            let cosine = vector.map(|vector| self.cosine_to(chunk, vector));
            (score, Hit { chunk: Arc::clone(chunk), cosine, lexical: Some(score) })
        });
        Ok(best_first(scored.collect(), limit))
    }

    async fn address(
        &self,
        documents: &[DocumentId],
        vector: Option<&[f32]>,
        scope: &Scope,
    ) -> Result<Vec<Hit>, PortError> {
        self.address.pass("address").await?;
        vector.map_or(Ok(()), check_length)?;
        let mut asked = HashSet::new();
        let documents = documents.iter().filter(|id| asked.insert(*id));
        let chunks = documents.flat_map(|id| self.visible(scope).filter(|chunk| chunk.document.id == *id));
        Ok(chunks
            .map(|chunk| {
                let cosine = vector.map(|vector| self.cosine_to(chunk, vector));
                Hit { chunk: Arc::clone(chunk), cosine, lexical: None }
            })
            .collect())
    }

    async fn term_statistics(
        &self,
        stems: &[String],
        scope: &Scope,
    ) -> Result<Vec<TermStatistic>, PortError> {
        self.statistics.pass("statistics").await?;
        let held: Vec<HashSet<String>> = self
            .visible(scope)
            .map(|chunk| {
                let text = indexed_text(chunk);
                Language::all().flat_map(|language| distinct_stems(&text, language)).collect()
            })
            .collect();
        Ok(stems
            .iter()
            .map(|stem| {
                let document_frequency = held.iter().filter(|held| held.contains(stem)).count() as u64;
                TermStatistic { document_frequency, idf: inverse_frequency(document_frequency, held.len()) }
            })
            .collect())
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    fn out_of_reach(&self) -> Vec<OutOfReach> {
        self.out_of_reach.clone()
    }
}

#[async_trait]
impl Catalogue for FakeLibrary {
    async fn collections(&self, scope: &Scope) -> Result<Vec<Collection>, PortError> {
        self.catalogue.pass("catalogue").await?;
        let held: BTreeSet<(Kind, &Collection)> = self
            .visible_documents(scope)
            // Approval records live with the records they approve and must not list their collection again.
            .map(|document| {
                (if document.kind == Kind::Dar { Kind::Adr } else { document.kind }, &document.collection)
            })
            .collect();
        let mut listed: Vec<Collection> = Vec::new();
        for (_, collection) in held {
            if !listed.contains(collection) {
                listed.push(collection.clone());
            }
        }
        Ok(listed)
    }

    async fn sources(&self, scope: &Scope) -> Result<Vec<String>, PortError> {
        self.catalogue.pass("catalogue").await?;
        let held: BTreeSet<&String> =
            self.visible_documents(scope).map(|document| &document.source).collect();
        Ok(held.into_iter().cloned().collect())
    }

    fn as_of(&self) -> Option<Date> {
        self.as_of
    }

    async fn resolve(&self, reference: &Reference, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        self.catalogue.pass("catalogue").await?;
        Ok(self
            .visible_documents(scope)
            .filter(|document| records::fits(reference, document))
            .cloned()
            .collect())
    }

    async fn document(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Arc<Document>>, PortError> {
        self.catalogue.pass("catalogue").await?;
        Ok(self.documents.get(id).filter(|document| self.sees(scope, document)).cloned())
    }

    async fn list(&self, filter: &DocumentFilter, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        self.catalogue.pass("catalogue").await?;
        let mut listed: Vec<Arc<Document>> = self
            .visible_documents(scope)
            .filter(|document| records::is_listed(filter, document))
            .filter(|document| filter.about.as_deref().is_none_or(|topic| self.is_about(document, topic)))
            .cloned()
            .collect();
        listed.sort_by(|a, b| records::list_order(a, b));
        Ok(listed)
    }

    async fn nearest(
        &self,
        reference: &Reference,
        limit: usize,
        scope: &Scope,
    ) -> Result<Vec<Arc<Document>>, PortError> {
        self.catalogue.pass("catalogue").await?;
        Ok(records::nearest(reference, self.visible_documents(scope).cloned().collect(), limit))
    }

    async fn graph(&self, scope: &Scope) -> Result<Graph, PortError> {
        self.catalogue.pass("catalogue").await?;
        let seen: HashSet<&DocumentId> = self.visible_documents(scope).map(|document| &document.id).collect();
        let sees = |one: &&Relation| [&one.from, &one.to, &one.said_in].iter().all(|id| seen.contains(id));
        Ok(Graph::of(self.relations.iter().filter(sees).cloned()))
    }

    async fn existing(&self, sources: &[SourceId], scope: &Scope) -> Result<Vec<SourceId>, PortError> {
        self.catalogue.pass("catalogue").await?;
        let held: HashSet<&SourceId> = self.visible(scope).map(|chunk| &chunk.source_id).collect();
        Ok(sources.iter().filter(|source| held.contains(source)).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use plumbline_core::intent::references;

    use super::*;
    use crate::documents::{adr, chunk, policy, principle};

    fn library() -> FakeLibrary {
        let (tls, events) = (adr(12, "Require TLS 1.3"), adr(18, "Event streaming"));
        let retention = policy("data-retention", "Data Retention");
        let open = principle(39, "Open standards");
        FakeLibrary::new(vec![
            chunk(&tls, 0, &["Decision"], "All connections use TLS 1.3."),
            chunk(&tls, 1, &["Consequences"], "Old devices need an exception."),
            chunk(&events, 0, &["Decision"], "Applications exchange events through one broker."),
            chunk(&retention, 0, &["Periods"], "Meter data is kept for ten years."),
            chunk(&open, 0, &["Statement"], "We choose open standards."),
        ])
    }

    fn ids<'a>(found: impl IntoIterator<Item = &'a Arc<Document>>) -> Vec<&'a str> {
        found.into_iter().map(|document| document.id.as_str()).collect()
    }

    #[tokio::test]
    async fn lanes_find_what_is_asked_and_scores_keep_their_bounds() {
        let library = library();
        let scope = Scope::default();
        let vector = ToyEmbedding::default().embed("How long is meter data kept?");
        let dense = Index::dense(&library, &vector, &scope, 2).await.unwrap();
        assert_eq!(
            (dense.len(), dense[0].chunk.source_id.to_string().as_str()),
            (2, "policy-data-retention:0")
        );
        let query = LexicalQuery { text: "meter data kept".to_owned(), language: Language::EN };
        let lexical = Index::lexical(&library, &query, Some(&vector), &scope, 9).await.unwrap();
        assert_eq!(lexical.len(), 1, "only chunks that hold a word");
        assert_eq!(lexical[0].cosine, dense[0].cosine, "each lane gives the same cosine");
        assert!((0.3..=1.0).contains(&lexical[0].lexical.unwrap()), "BM25 over its bound: {lexical:?}");
        let address =
            Index::address(&library, &[DocumentId::new("adr-0012").unwrap()], None, &scope).await.unwrap();
        assert_eq!(address.len(), 2);
        let stems = ["tls".to_owned(), "zebra".to_owned()];
        let statistics = library.term_statistics(&stems, &scope).await.unwrap();
        assert_eq!((statistics[0].document_frequency, statistics[1].document_frequency), (2, 0));
        assert!(statistics[1].idf > statistics[0].idf && statistics[0].idf > 0.0);
        assert!(
            Index::dense(&library, &[1.0], &scope, 1).await.is_err(),
            "vectors of another model do not pass"
        );
    }

    #[tokio::test]
    async fn what_is_not_visible_does_not_exist() {
        let library = library().restrict("adr-0012", "", &["security"]).restrict("adr-0018", "other", &[]);
        let all = DocumentFilter::default();
        let nobody = Scope::default();
        let officer = Scope { user_tags: vec!["security".to_owned()], ..Scope::default() };
        let other = Scope { tenant: "other".to_owned(), ..Scope::default() };
        let within = Scope { collections: vec![Collection::new("Policy")], ..Scope::default() };
        for (scope, expected) in [
            (&nobody, &["pcp-0039", "policy-data-retention"][..]),
            (&officer, &["adr-0012", "pcp-0039", "policy-data-retention"]),
            (&other, &["adr-0018"]),
            (&within, &["policy-data-retention"]),
        ] {
            let listed = library.list(&all, scope).await.unwrap();
            assert_eq!(ids(&listed), expected);
            let vector = ToyEmbedding::default().embed("TLS");
            let found = Index::dense(&library, &vector, scope, 99).await.unwrap();
            assert!(found.iter().all(|hit| expected.contains(&hit.chunk.document.id.as_str())));
            let known =
                Catalogue::document(&library, &DocumentId::new("adr-0012").unwrap(), scope).await.unwrap();
            assert_eq!(known.is_some(), expected.contains(&"adr-0012"));
        }
        let stems = ["tls".to_owned()];
        assert_eq!(library.term_statistics(&stems, &nobody).await.unwrap()[0].document_frequency, 0);
        assert!(library.existing(&["adr-0012:0".parse().unwrap()], &nobody).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn references_resolve_in_every_spelling_or_to_their_neighbours() {
        let library = library();
        let scope = Scope::default();
        for (text, expected) in [
            ("ADR 12", &["adr-0012"][..]),
            ("PCP-39", &["pcp-0039"]),
            ("adr-0018.md", &["adr-0018"]),
            ("policy-data-retention", &["policy-data-retention"]),
            ("ADR-0099", &[]),
        ] {
            let (_, reference) = references(text).remove(0);
            assert_eq!(ids(&library.resolve(&reference, &scope).await.unwrap()), expected, "`{text}`");
        }
        let (_, reference) = references("ADR 17").remove(0);
        assert_eq!(ids(&library.nearest(&reference, 3, &scope).await.unwrap()), ["adr-0018", "adr-0012"]);
        let about = DocumentFilter { about: Some("events".to_owned()), ..DocumentFilter::default() };
        assert_eq!(ids(&library.list(&about, &scope).await.unwrap()), ["adr-0018"]);
        let collections = library.collections(&scope).await.unwrap();
        let names: Vec<&str> = collections.iter().map(Collection::as_str).collect();
        assert_eq!(names, ["ADR", "Principle", "Policy"]);
    }

    #[tokio::test]
    async fn lanes_fail_one_by_one() {
        let library = library();
        library.fail_dense(true);
        let vector = ToyEmbedding::default().embed("TLS");
        assert!(Index::dense(&library, &vector, &Scope::default(), 1).await.is_err());
        let query = LexicalQuery { text: "TLS".to_owned(), language: Language::EN };
        assert!(Index::lexical(&library, &query, None, &Scope::default(), 1).await.is_ok());
        library.fail_dense(false);
        assert!(Index::dense(&library, &vector, &Scope::default(), 1).await.is_ok());
        assert_eq!((library.dense.calls(), library.lexical.calls()), (2, 1));
    }
}
