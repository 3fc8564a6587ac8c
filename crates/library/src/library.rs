//! The library, open for reading: core's `Index` and `Catalogue` over the newest complete generation.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::Date;
use plumbline_core::decisions::Graph;
use plumbline_core::domain::{
    Chunk, Collection, CosineScale, Document, DocumentId, EmbedderFamily, Kind, SourceId,
};
use plumbline_core::intent::{Reference, references};
use plumbline_core::ports::{
    Catalogue, DocumentFilter, Edition, Embedder, Hit, Index, LexicalQuery, OutOfReach, PortError, Scope,
    TermStatistic,
};
use plumbline_core::{records, text};

use crate::analysis;
use crate::in_place::{FarShelves, InPlace, file_of};
use crate::store::rows::Record;
use crate::store::snapshot::{Held, Snapshot};
use crate::store::statistics::BodyStatistics;
use crate::store::text::TextReader;
use crate::store::texts::{TextQuery, Texts};
use crate::store::vectors::{READER_CACHE_BYTES, Vectors};
use crate::store::{Layout, StoreError};

/// Fetched beyond what was asked for, so that ties at the end break by id and not by where a row lies.
const TIES: usize = 16;

/// How often a generation is looked for before the stores are taken to disagree.
const TRIES: usize = 50;
/// So many documents are shown for a reference that fits none.
const NEAREST: usize = 3;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Whose vectors are searched.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbedderKey {
    /// Names the tables together with the collection.
    pub family: EmbedderFamily,
    /// Of weights, pooling and normalisation: vectors of two models never mix.
    pub fingerprint: String,
    /// How its cosines are told.
    pub scale: CosineScale,
}

impl EmbedderKey {
    /// The key of an embedder's vectors.
    pub fn of(embedder: &dyn Embedder, fingerprint: impl Into<String>) -> Self {
        Self { family: embedder.family(), fingerprint: fingerprint.into(), scale: embedder.scale() }
    }
}

/// What came of looking for a document by what somebody wrote.
#[derive(Debug, Clone)]
pub enum Found {
    /// It means this one.
    One(Arc<Document>),
    /// The reference fits several.
    Several(String, Vec<Arc<Document>>),
    /// The reference fits none; these come nearest.
    Unknown(String, Vec<Arc<Document>>),
    /// It names no document at all.
    NoReference,
}

/// Passages by the file they stand in.
type PassagesByFile = HashMap<i64, HashSet<i64>>;

/// A library on disk, open for reading. Every call sees the newest complete generation.
pub struct Library {
    layout: Layout,
    text: TextReader,
    vectors: Vectors,
    embedder: Option<EmbedderKey>,
    far: Option<Arc<FarShelves>>,
    current: RwLock<Arc<Snapshot>>,
}

impl Library {
    /// Opens the library of a workspace, without what it reads in place; none where nothing was ever indexed.
    pub async fn open(workspace: &Path, embedder: Option<EmbedderKey>) -> Result<Option<Self>, StoreError> {
        Self::open_with(workspace, embedder, None).await
    }

    /// The same with published libraries that are read in place.
    pub async fn open_with(
        workspace: &Path,
        embedder: Option<EmbedderKey>,
        in_place: Option<InPlace>,
    ) -> Result<Option<Self>, StoreError> {
        let layout = Layout::in_workspace(workspace);
        if !layout.exists() {
            return Ok(None);
        }
        layout.create()?;
        let text = TextReader::open(&layout)?;
        let vectors = Vectors::open(&layout, READER_CACHE_BYTES).await?;
        let far = in_place.map(|with| FarShelves::open(&layout, with)).transpose()?.map(Arc::new);
        let snapshot = newest(&layout, &text, &vectors, embedder.as_ref(), far.as_ref()).await?;
        let current = RwLock::new(Arc::new(snapshot));
        Ok(Some(Self { layout, text, vectors, embedder, far, current }))
    }

    /// Opens what is read in place, so that the first question does not wait for it; whatever cannot be opened is told by who asks.
    pub async fn open_in_place(&self) -> Result<(), StoreError> {
        let snapshot = self.snapshot().await?;
        snapshot.texts(snapshot.until()).await;
        Ok(())
    }

    /// The newest complete generation.
    pub(crate) async fn snapshot(&self) -> Result<Arc<Snapshot>, StoreError> {
        let current = self.current();
        if self.text.newest()? == current.generation {
            return Ok(current);
        }
        let newest =
            newest(&self.layout, &self.text, &self.vectors, self.embedder.as_ref(), self.far.as_ref());
        let snapshot = Arc::new(newest.await?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&snapshot);
        Ok(snapshot)
    }

    /// Whether every passage has a vector of the embedder that it was opened with, so that it is searched by meaning.
    pub async fn has_vectors(&self) -> Result<bool, StoreError> {
        Ok(self.snapshot().await?.tables.is_ok())
    }

    /// Whose vectors are searched.
    pub(crate) fn fingerprint(&self) -> Option<&str> {
        self.embedder.as_ref().map(|embedder| embedder.fingerprint.as_str())
    }

    fn scale(&self) -> CosineScale {
        self.embedder.as_ref().map_or(CosineScale::PLAIN, |embedder| embedder.scale)
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    fn current(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The document that an id or a reference means: `adr-0012`, "ADR.12", "principle 39", a file name.
    pub async fn find(&self, written: &str, scope: &Scope) -> Result<Found, PortError> {
        if let Ok(id) = DocumentId::new(written.trim().to_ascii_lowercase())
            && let Some(document) = self.document(&id, scope).await?
        {
            return Ok(Found::One(document));
        }
        let references = references(written);
        let Some((_, reference)) = references.first() else { return Ok(Found::NoReference) };
        let mut fitting = self.resolve(reference, scope).await?;
        match (fitting.pop(), fitting.is_empty()) {
            (Some(only), true) => Ok(Found::One(only)),
            (Some(last), false) => {
                fitting.push(last);
                Ok(Found::Several(reference.display(), fitting))
            }
            (None, _) => {
                Ok(Found::Unknown(reference.display(), self.nearest(reference, NEAREST, scope).await?))
            }
        }
    }

    /// One document with all that the catalogue keeps of it.
    pub async fn record(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Record>, StoreError> {
        Ok(self.snapshot().await?.document(id, scope).map(|held| held.record.clone()))
    }
}

async fn newest(
    layout: &Layout,
    text: &TextReader,
    vectors: &Vectors,
    embedder: Option<&EmbedderKey>,
    far: Option<&Arc<FarShelves>>,
) -> Result<Snapshot, StoreError> {
    let fingerprint = embedder.map(|embedder| embedder.fingerprint.as_str());
    for _ in 0..TRIES {
        // A generation that was pruned between looking and taking hold of it has a successor.
        if let Some(snapshot) =
            Snapshot::open(layout, text.snapshot()?, vectors, fingerprint, far.cloned()).await?
        {
            return Ok(snapshot);
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
    Err(StoreError::Disagree("the catalogue does not know the generation of the text index".to_owned()))
}

/// Cosines of stored vectors to a question's, by key.
async fn cosines(
    snapshot: &Snapshot,
    scale: CosineScale,
    vector: &[f32],
    by_collection: HashMap<Collection, Vec<i64>>,
) -> Result<HashMap<i64, f32>, StoreError> {
    let mut cosines = HashMap::new();
    let Ok(tables) = &snapshot.tables else { return Ok(cosines) };
    for (collection, keys) in by_collection {
        let Some(table) = tables.get(&collection) else { continue };
        for (key, stored) in table.vectors(&keys).await? {
            cosines.insert(key, scale.told(dot(vector, &stored)));
        }
    }
    Ok(cosines)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn best_first(mut scored: Vec<(f32, Hit)>, limit: usize) -> Vec<Hit> {
    scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.chunk.source_id.cmp(&y.chunk.source_id)));
    scored.into_iter().take(limit).map(|(_, hit)| hit).collect()
}

impl Library {
    async fn dense_hits(&self, vector: &[f32], scope: &Scope, limit: usize) -> Result<Vec<Hit>, StoreError> {
        let snapshot = self.snapshot().await?;
        let tables = snapshot.tables.as_ref().map_err(|problem| StoreError::NoVectors(problem.clone()))?;
        let condition = snapshot.filter(scope).map(|filter| filter.condition());
        let asked = |collection: &&Collection| {
            scope.collections.is_empty() || scope.collections.contains(*collection)
        };
        let searches = tables
            .iter()
            .filter(|(collection, _)| asked(collection))
            .map(|(_, table)| table.nearest(vector, condition.as_deref(), limit + TIES));
        let (filter, until) = (snapshot.filter(scope), snapshot.until());
        let (here, far) = tokio::join!(
            futures::future::try_join_all(searches),
            snapshot.nearest_in_place(vector, self.fingerprint(), filter.as_ref(), limit + TIES, until)
        );
        let mut best: Vec<(i64, f32)> = here?.into_iter().flatten().collect();
        best.extend(far.iter().map(|passage| (passage.key(), dot(vector, &passage.vector))));
        best.sort_by(|(x, a), (y, b)| b.total_cmp(a).then(x.cmp(y)));
        best.truncate(limit + TIES);
        let far =
            far.iter().filter_map(|one| Some((one.key(), (snapshot.chunk_in_place(one, scope)?, None))));
        let far: HashMap<i64, _> = far.collect();
        let keys: Vec<i64> = best.iter().map(|(key, _)| *key).filter(|key| !far.contains_key(key)).collect();
        let mut chunks = snapshot.found(&keys, scope, until).await?;
        chunks.extend(far);
        let hits = best.into_iter().filter_map(|(key, cosine)| {
            let (chunk, _) = chunks.remove(&key)?;
            Some((cosine, Hit { chunk, cosine: Some(self.scale().told(cosine)), lexical: None }))
        });
        Ok(best_first(hits.collect(), limit))
    }

    async fn lexical_hits(
        &self,
        query: &LexicalQuery,
        vector: Option<&[f32]>,
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        let snapshot = self.snapshot().await?;
        let (words, exact) =
            (analysis::question_terms(&query.text, query.language), analysis::exact(&query.text));
        let scope_there = scope.clone();
        let search = move |snapshot: &Snapshot, texts: &Texts| {
            let statistics = texts.statistics(snapshot.filter(&scope_there).as_ref())?;
            texts.search(&TextQuery { words: &words, exact: &exact }, &statistics, limit)
        };
        let until = snapshot.until();
        let found = snapshot.search_texts(until, search).await?;
        let keys: Vec<i64> = found.iter().map(|(key, _)| *key).collect();
        let mut chunks = snapshot.found(&keys, scope, until).await?;
        let hits = found.into_iter().filter_map(|(key, share)| {
            let (chunk, stored) = chunks.remove(&key)?;
            Some((key, share, chunk, stored))
        });
        let mut hits: Vec<(i64, f32, _, _)> = hits.collect();
        hits.sort_by(|(_, a, x, _), (_, b, y, _)| b.total_cmp(a).then_with(|| x.source_id.cmp(&y.source_id)));
        hits.truncate(limit);
        let stored = hits.iter().map(|(key, _, chunk, stored)| (*key, chunk, stored.as_deref()));
        let cosines = self.cosines_to(&snapshot, vector, stored).await?;
        let hit = |(key, share, chunk, _): (i64, f32, Arc<Chunk>, _)| Hit {
            chunk,
            cosine: cosines.get(&key).copied(),
            lexical: Some(share),
        };
        Ok(hits.into_iter().map(hit).collect())
    }

    /// Cosines of passages to a question's vector, where it has one: those on disk have theirs in the tables, those that are read in
    /// place bring it along.
    async fn cosines_to<'c>(
        &self,
        snapshot: &Snapshot,
        vector: Option<&[f32]>,
        passages: impl Iterator<Item = (i64, &'c Arc<Chunk>, Option<&'c [f32]>)>,
    ) -> Result<HashMap<i64, f32>, StoreError> {
        let Some(vector) = vector else { return Ok(HashMap::new()) };
        let mut asked: HashMap<Collection, Vec<i64>> = HashMap::new();
        let mut brought = HashMap::new();
        for (key, chunk, stored) in passages {
            match (stored, file_of(key)) {
                // Vectors of another embedder say nothing of this question.
                (Some(stored), Some((file, _))) => {
                    let shelf = snapshot.shelf_of(file).map(|shelf| shelf.fingerprint.as_str());
                    if shelf.is_some() && shelf == self.fingerprint() {
                        brought.insert(key, self.scale().told(dot(vector, stored)));
                    }
                }
                _ => asked.entry(chunk.document.collection.clone()).or_default().push(key),
            }
        }
        brought.extend(cosines(snapshot, self.scale(), vector, asked).await?);
        Ok(brought)
    }

    async fn address_hits(
        &self,
        documents: &[DocumentId],
        vector: Option<&[f32]>,
        scope: &Scope,
    ) -> Result<Vec<Hit>, StoreError> {
        let snapshot = self.snapshot().await?;
        let until = snapshot.until();
        let mut asked = HashSet::new();
        let mut hits = Vec::new();
        for id in documents.iter().filter(|id| asked.insert(*id)) {
            let Some(held) = snapshot.document(id, scope) else { continue };
            let chunks = snapshot.all_chunks_of(held, until).await?;
            let stored = chunks.iter().map(|(key, chunk, stored)| (*key, chunk, stored.as_deref()));
            let cosines = self.cosines_to(&snapshot, vector, stored).await?;
            hits.extend(chunks.into_iter().map(|(key, chunk, _)| Hit {
                chunk,
                cosine: cosines.get(&key).copied(),
                lexical: None,
            }));
        }
        Ok(hits)
    }

    async fn statistics_of(&self, stems: &[String], scope: &Scope) -> Result<Vec<TermStatistic>, StoreError> {
        let snapshot = self.snapshot().await?;
        let (stems, scope) = (stems.to_vec(), scope.clone());
        let count = move |snapshot: &Snapshot, texts: &Texts| {
            let statistics = texts.statistics(snapshot.filter(&scope).as_ref())?;
            texts.fetch(stems.iter())?;
            let body = BodyStatistics::of(texts, &statistics);
            let counted = stems.iter().map(|stem| {
                let document_frequency = body.frequency(stem)?;
                Ok(TermStatistic { document_frequency, idf: statistics.idf(document_frequency) })
            });
            counted.collect()
        };
        snapshot.search_texts(snapshot.until(), count).await
    }

    /// The documents that speak of a topic: one of their passages, with its headings, holds every content word of it that title and
    /// topic tags do not hold.
    async fn about(
        &self,
        snapshot: &Arc<Snapshot>,
        topic: &str,
        scope: &Scope,
    ) -> Result<HashSet<DocumentId>, StoreError> {
        let language = text::detect_or(topic, plumbline_core::domain::Language::EN);
        let mut words: Vec<(Vec<String>, PassagesByFile)> = Vec::new();
        let terms = analysis::question_terms(topic, language);
        // Some write as one word what others write as two: "Cosmos DB" and "CosmosDB".
        let joined: Vec<String> =
            terms.windows(2).map(|two| two.iter().map(|stems| stems[0].as_str()).collect()).collect();
        for (at, mut alternatives) in terms.into_iter().enumerate() {
            let (before, behind) = (at.checked_sub(1).and_then(|at| joined.get(at)), joined.get(at));
            alternatives.extend(before.into_iter().chain(behind).cloned());
            let asked = alternatives.clone();
            let keys = snapshot.search_texts(snapshot.until(), move |_, texts| texts.holding(&asked)).await?;
            let mut holding = PassagesByFile::new();
            snapshot.read(|at| {
                for key in keys {
                    let file = match file_of(key) {
                        Some((file, _)) => Some(file),
                        None => at.chunk(key)?.map(|chunk| chunk.file),
                    };
                    if let Some(file) = file {
                        holding.entry(file).or_default().insert(key);
                    }
                }
                Ok::<_, StoreError>(())
            })?;
            words.push((alternatives, holding));
        }
        let speaks = |held: &&Held| {
            let said = format!("{} {}", held.document.title, held.document.tags.join(" "));
            let named = analysis::passage_terms(&said, held.document.language);
            let unnamed = words.iter().filter(|(word, _)| !word.iter().any(|term| named.contains(term)));
            let mut passages =
                unnamed.map(|(_, holding)| holding.get(&held.file).cloned().unwrap_or_default());
            match passages.next() {
                None => !words.is_empty(),
                Some(first) => !passages.fold(first, |together, word| &together & &word).is_empty(),
            }
        };
        Ok(snapshot.visible(scope).filter(speaks).map(|held| held.document.id.clone()).collect())
    }
}

#[async_trait]
impl Index for Library {
    async fn dense(&self, vector: &[f32], scope: &Scope, limit: usize) -> Result<Vec<Hit>, PortError> {
        self.dense_hits(vector, scope, limit).await.map_err(|error| error.into_port("dense"))
    }

    async fn lexical(
        &self,
        query: &LexicalQuery,
        vector: Option<&[f32]>,
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<Hit>, PortError> {
        self.lexical_hits(query, vector, scope, limit).await.map_err(|error| error.into_port("lexical"))
    }

    async fn address(
        &self,
        documents: &[DocumentId],
        vector: Option<&[f32]>,
        scope: &Scope,
    ) -> Result<Vec<Hit>, PortError> {
        self.address_hits(documents, vector, scope).await.map_err(|error| error.into_port("address"))
    }

    async fn term_statistics(
        &self,
        stems: &[String],
        scope: &Scope,
    ) -> Result<Vec<TermStatistic>, PortError> {
        self.statistics_of(stems, scope).await.map_err(|error| error.into_port("term statistics"))
    }

    fn generation(&self) -> u64 {
        self.current().generation
    }

    fn out_of_reach(&self) -> Vec<OutOfReach> {
        let problems = self.current().out_of_reach().into_iter();
        problems.map(|(address, detail)| OutOfReach { address, detail }).collect()
    }
}

#[async_trait]
impl Catalogue for Library {
    async fn collections(&self, scope: &Scope) -> Result<Vec<Collection>, PortError> {
        let snapshot = self.snapshot().await.map_err(|error| error.into_port("catalogue"))?;
        let held: BTreeSet<(Kind, &Collection)> = snapshot
            .visible(scope)
            .filter(|held| held.record.searched)
            // Approval records live with the records they approve and must not list their collection again.
            .map(|held| {
                let kind = held.document.kind;
                (if kind == Kind::Dar { Kind::Adr } else { kind }, &held.document.collection)
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
        let snapshot = self.snapshot().await.map_err(|error| error.into_port("catalogue"))?;
        let held: BTreeSet<&String> = snapshot.visible(scope).map(|held| &held.document.source).collect();
        Ok(held.into_iter().cloned().collect())
    }

    fn as_of(&self) -> Option<Date> {
        self.current().as_of
    }

    async fn resolve(&self, reference: &Reference, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        let snapshot = self.snapshot().await.map_err(|error| error.into_port("catalogue"))?;
        let fitting = snapshot.visible(scope).filter(|held| held.record.listed);
        let fitting = fitting.filter(|held| records::fits(reference, &held.document));
        Ok(fitting.map(|held| Arc::clone(&held.document)).collect())
    }

    async fn document(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Arc<Document>>, PortError> {
        let snapshot = self.snapshot().await.map_err(|error| error.into_port("catalogue"))?;
        Ok(snapshot.document(id, scope).map(|held| Arc::clone(&held.document)))
    }

    async fn list(&self, filter: &DocumentFilter, scope: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        let failed = |error: StoreError| error.into_port("catalogue");
        let snapshot = self.snapshot().await.map_err(failed)?;
        let about = match &filter.about {
            Some(topic) => Some(self.about(&snapshot, topic, scope).await.map_err(failed)?),
            None => None,
        };
        let mut listed: Vec<Arc<Document>> = snapshot
            .visible(scope)
            .filter(|held| held.record.listed && records::is_listed(filter, &held.document))
            .filter(|held| about.as_ref().is_none_or(|about| about.contains(&held.document.id)))
            .map(|held| Arc::clone(&held.document))
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
        let snapshot = self.snapshot().await.map_err(|error| error.into_port("catalogue"))?;
        let listed = snapshot.visible(scope).filter(|held| held.record.listed);
        Ok(records::nearest(reference, listed.map(|held| Arc::clone(&held.document)).collect(), limit))
    }

    async fn graph(&self, scope: &Scope) -> Result<Graph, PortError> {
        self.relations(scope).await.map_err(|error| error.into_port("catalogue"))
    }

    async fn edition(&self, id: &DocumentId, scope: &Scope) -> Result<Option<Edition>, PortError> {
        let failed = |error: StoreError| error.into_port("catalogue");
        let snapshot = self.snapshot().await.map_err(failed)?;
        let Some(held) = snapshot.document(id, scope) else { return Ok(None) };
        let edition = snapshot.team.values().find_map(|library| {
            let is_of = library.sources.iter().any(|source| source.here == held.record.source);
            let published = library.published_at.get(..10)?.parse().ok()?;
            let (address, generation) = (library.address.clone(), library.generation);
            is_of.then_some(Edition { address, generation, published })
        });
        Ok(edition)
    }

    async fn existing(&self, sources: &[SourceId], scope: &Scope) -> Result<Vec<SourceId>, PortError> {
        let failed = |error: StoreError| error.into_port("catalogue");
        let snapshot = self.snapshot().await.map_err(failed)?;
        let exists = |source: &SourceId| -> Result<bool, StoreError> {
            let Some(held) = snapshot.document(&source.document, scope) else { return Ok(false) };
            match snapshot.passages_away(held.file) {
                Some(passages) => Ok(source.chunk < passages),
                None => snapshot.read(|at| at.has_chunk(held.file, source.chunk)),
            }
        };
        let mut existing = Vec::new();
        for source in sources {
            if exists(source).map_err(failed)? {
                existing.push(source.clone());
            }
        }
        Ok(existing)
    }
}
