//! A shelf that is read in place: its stores, opened when the first question comes, and the passages of its documents.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::try_join_all;
use plumbline_core::domain::{Chunk, Document, SourceId};
use tantivy::Searcher;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::directory::{FarDirectory, TEXT};
use super::files::{FarFiles, Kind};
use super::listing::{ListedDocument, ListedFile, ShelfListing};
use crate::sharing::{SharedDocument, SharedPassage, unpack};
use crate::store::StoreError;
use crate::store::audience::ScopeFilter;
use crate::store::text::{TextFields, open_elsewhere};
use crate::store::vectors::{VectorTable, Vectors};

/// The table of a shelf's vectors.
pub(super) const TABLE: &str = "passages";
/// So many bits of a key say which passage of its document it is.
const POSITION_BITS: u32 = 20;
/// So many parts stay as they were unpacked: the lanes of a question ask for the same ones.
const UNPACKED: usize = 128;

/// What a passage is called in a shelf's stores.
pub(super) fn key_in_shelf(number: u64, position: u32) -> i64 {
    ((number << POSITION_BITS) | u64::from(position)).cast_signed()
}

/// What a passage that is read in place is called here: by the catalogue's file. Keys of passages on disk are positive.
pub(crate) fn key_of(file: i64, position: u32) -> i64 {
    -((file << POSITION_BITS) | i64::from(position)) - 1
}

/// The file and the position that such a key means.
pub(crate) fn file_of(key: i64) -> Option<(i64, u32)> {
    let named = (key < 0).then(|| -(key + 1))?;
    Some((named >> POSITION_BITS, u32::try_from(named & ((1 << POSITION_BITS) - 1)).ok()?))
}

/// A passage with its vector.
#[derive(Debug, Clone)]
pub(crate) struct FarPassage {
    pub file: i64,
    pub position: u32,
    passage: SharedPassage,
    pub vector: Vec<f32>,
}

impl FarPassage {
    pub fn key(&self) -> i64 {
        key_of(self.file, self.position)
    }

    pub fn chunk(&self, document: &Arc<Document>) -> Chunk {
        let passage = self.passage.clone();
        Chunk {
            source_id: SourceId::new(document.id.clone(), self.position),
            document: Arc::clone(document),
            text: passage.text,
            section_path: passage.section_path,
            page: passage.page,
            span: passage.span,
            language: passage.language,
        }
    }
}

pub(crate) struct FarShelf {
    pub tenant: String,
    /// Who may see it, as one word.
    pub access: String,
    pub fingerprint: String,
    listing: Arc<ShelfListing>,
    pub(super) files: Arc<FarFiles>,
    /// Where its table is for LanceDB.
    place: String,
    vectors: Arc<lancedb::Session>,
    file_of: HashMap<u64, i64>,
    documents: HashMap<i64, usize>,
    open: OnceCell<OpenShelf>,
    unpacked: Mutex<Unpacked>,
}

/// A shelf's stores.
pub(crate) struct OpenShelf {
    pub searcher: Searcher,
    pub fields: TextFields,
    table: Option<VectorTable>,
}

/// The documents of a part, by their digests.
type Part = HashMap<String, SharedDocument>;

#[derive(Default)]
struct Unpacked {
    parts: HashMap<String, Arc<Part>>,
    order: VecDeque<String>,
}

/// What a shelf is made of.
pub(super) struct Made {
    pub tenant: String,
    pub access: String,
    pub fingerprint: String,
    pub listing: Arc<ShelfListing>,
    pub files: Arc<FarFiles>,
    pub place: String,
    pub vectors: Arc<lancedb::Session>,
}

impl FarShelf {
    /// A shelf, with the catalogue's files by the digests of what they hold.
    pub(super) fn new(made: Made, held: &std::collections::BTreeMap<String, i64>) -> Self {
        let (mut file_of, mut documents) = (HashMap::new(), HashMap::new());
        for (at, document) in made.listing.documents.iter().enumerate() {
            if let Some(file) = held.get(&document.digest) {
                file_of.insert(document.number, *file);
                documents.insert(*file, at);
            }
        }
        Self {
            tenant: made.tenant,
            access: made.access,
            fingerprint: made.fingerprint,
            listing: made.listing,
            files: made.files,
            place: made.place,
            vectors: made.vectors,
            file_of,
            documents,
            open: OnceCell::new(),
            unpacked: Mutex::default(),
        }
    }

    pub fn address(&self) -> &str {
        &self.files.address
    }

    /// A key of its stores as it is called here; none for a document that the catalogue does not hold.
    pub fn key_here(&self, key: u64) -> Option<i64> {
        let file = self.file_of.get(&(key >> POSITION_BITS))?;
        Some(key_of(*file, u32::try_from(key & ((1 << POSITION_BITS) - 1)).ok()?))
    }

    /// The document in a file of the catalogue, as it is listed.
    pub fn document(&self, file: i64) -> Option<&ListedDocument> {
        self.documents.get(&file).map(|at| &self.listing.documents[*at])
    }

    /// How many passages each file of the catalogue has here.
    pub fn passages_by_file(&self) -> impl Iterator<Item = (i64, u32)> {
        self.documents.iter().map(|(file, at)| (*file, self.listing.documents[*at].passages))
    }

    /// Its stores, opened.
    pub async fn opened(&self) -> Result<&OpenShelf, StoreError> {
        self.open.get_or_try_init(|| self.open_now()).await
    }

    async fn open_now(&self) -> Result<OpenShelf, StoreError> {
        self.fetch_beginnings().await?;
        let directory = FarDirectory::new(Arc::clone(&self.files));
        let text = spawn_blocking(move || open_elsewhere(directory));
        let table = async {
            match self.listing.version {
                Some(version) => {
                    let tables = Vectors::far(&format!("{}/vectors", self.place), &self.vectors).await?;
                    tables.read(TABLE, version).await.map(Some)
                }
                None => Ok(None),
            }
        };
        let (text, table) = tokio::join!(text, table);
        let (searcher, fields) = text.map_err(|error| StoreError::Disagree(error.to_string()))??;
        Ok(OpenShelf { searcher, fields, table: table? })
    }

    /// What opening reads comes side by side; else it would come one after the other.
    async fn fetch_beginnings(&self) -> Result<(), StoreError> {
        let mut wanted: HashSet<&String> = HashSet::new();
        for file in self.files.all() {
            if is_read_whole(file) {
                wanted.extend(&file.pieces);
            } else {
                wanted.extend(file.pieces.last());
            }
        }
        try_join_all(wanted.into_iter().map(|piece| self.files.fetched(Kind::Piece, piece))).await?;
        Ok(())
    }

    /// The keys of passages that come nearest by the index, as many as asked for. How near they are their own vectors say.
    pub async fn nearest(
        &self,
        vector: &[f32],
        filter: Option<&ScopeFilter>,
        limit: usize,
    ) -> Result<Vec<i64>, StoreError> {
        if filter.is_some_and(|filter| !filter.admits(&self.tenant, &self.access)) {
            return Ok(Vec::new());
        }
        let Some(table) = &self.opened().await?.table else { return Ok(Vec::new()) };
        let condition = filter.and_then(ScopeFilter::collections_condition);
        let found = table.nearest(vector, condition.as_deref(), limit).await?;
        Ok(found.into_iter().filter_map(|(key, _)| self.key_here(key.cast_unsigned())).collect())
    }

    /// All passages of these files, in their order.
    pub async fn passages(&self, files: &HashSet<i64>) -> Result<Vec<FarPassage>, StoreError> {
        let documents: Vec<(i64, &ListedDocument)> =
            files.iter().filter_map(|file| Some((*file, self.document(*file)?))).collect();
        let parts: HashSet<usize> = documents.iter().map(|(_, document)| document.part).collect();
        let unpacked = parts.into_iter().map(|part| async move {
            Ok::<_, StoreError>((part, self.part(&self.listing.parts[part]).await?))
        });
        let unpacked: HashMap<usize, Arc<Part>> = try_join_all(unpacked).await?.into_iter().collect();
        let mut found = Vec::new();
        for (file, listed) in documents {
            let Some(document) = unpacked[&listed.part].get(&listed.digest) else {
                let missing = format!("{} is not in the part that it is listed in", listed.digest);
                return Err(StoreError::Disagree(missing));
            };
            let passages = (0_u32..).zip(document.content.passages.iter().zip(&document.vectors));
            found.extend(passages.map(|(position, (passage, vector))| FarPassage {
                file,
                position,
                passage: passage.clone(),
                vector: vector.clone(),
            }));
        }
        found.sort_by_key(|passage| (passage.file, passage.position));
        Ok(found)
    }

    async fn part(&self, sha256: &str) -> Result<Arc<Part>, StoreError> {
        let kept = || self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().parts.get(sha256).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let bytes = self.files.fetched(Kind::Part, sha256).await?;
        let fingerprint = self.fingerprint.clone();
        let unpacking = spawn_blocking(move || {
            let documents = unpack(&bytes).map_err(|problem| StoreError::Disagree(problem.to_string()))?;
            let named = documents.into_iter().map(|document| (document.digest(&fingerprint), document));
            Ok::<Part, StoreError>(named.collect())
        });
        let documents = unpacking.await.map_err(|error| StoreError::Disagree(error.to_string()))??;
        let documents = Arc::new(documents);
        let mut kept = kept();
        if kept.parts.insert(sha256.to_owned(), Arc::clone(&documents)).is_none() {
            kept.order.push_back(sha256.to_owned());
        }
        if kept.order.len() > UNPACKED
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.parts.remove(&oldest);
        }
        Ok(documents)
    }
}

/// Whether opening a file means reading all of it: of a text index the dictionary of words and how long passages are.
fn is_read_whole(file: &ListedFile) -> bool {
    let is_text = file.name.starts_with(TEXT);
    file.pieces.len() <= 1
        || is_text && [".term", ".fast", ".fieldnorm"].iter().any(|ending| file.name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_which_passage_of_which_file_it_means() {
        for (file, position) in [(1, 0), (7, 3), (1 << 40, (1 << 20) - 1)] {
            let key = key_of(file, position);
            assert!(key < 0, "none that is on disk");
            assert_eq!(file_of(key), Some((file, position)));
        }
        assert_eq!(file_of(12), None);
        assert_eq!(key_in_shelf(5, 2), (5 << 20) + 2);
    }
}
