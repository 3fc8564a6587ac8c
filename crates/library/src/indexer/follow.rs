//! Libraries that others publish, taken in as they are: their documents stand beside those of folders in the same stores, so
//! that search, statistics and who may see what are the same for both. A published generation is taken in by one generation
//! of this library, and so wholly or not at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::change::Change;
use super::embedding::{VectorsByEmbedder, VectorsByHash};
use super::origins::{self, Origins, free_name};
use super::plan::{Fresh, Passages, Present, kept_identity};
use super::{IndexError, IndexReport, Indexer};
use crate::in_place::InPlaceLibrary;
use crate::library::Library;
use crate::sharing::{SharedDocument, SharedEntry};
use crate::store::StoreError;
use crate::store::catalogue::At;
use crate::store::rows::{FileRow, NewFile};
use crate::store::team::{self, Shared, TeamLibrary, TeamSource, VocabularyFile};
use crate::store::text::TextReader;
use crate::store::{Layout, schema};

/// A published generation, as far as it may be read.
#[derive(Debug, Clone)]
pub struct SharedGeneration {
    /// Where it is published.
    pub address: String,
    /// Tells the library from another that was published at the same address.
    pub library: String,
    /// Its number.
    pub generation: u64,
    /// When it was published.
    pub published_at: String,
    /// Whose vectors it holds.
    pub fingerprint: String,
    /// The digests of all its documents.
    pub holds: BTreeSet<String>,
    /// Those of them that are not here yet.
    pub new: Vec<SharedDocument>,
    /// Its curated memory.
    pub entries: Vec<SharedEntry>,
    /// Its vocabularies, whose files lie in [`vocabulary_folder`].
    pub vocabularies: Vec<VocabularyFile>,
    /// Its shelves, whose listings lie in [`listings_folder`], where it is read in place: then `new` are documents without passages.
    pub in_place: Option<InPlaceLibrary>,
}

/// What became of a published generation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FollowReport {
    /// The generation of this library that holds it.
    pub library_generation: u64,
    /// Documents of the published library.
    pub documents: usize,
    /// Those that are new.
    pub added: usize,
    /// Those that changed.
    pub changed: usize,
    /// Those that are gone, or may no longer be read.
    pub removed: usize,
}

impl Library {
    /// The published libraries that are followed.
    pub async fn team_libraries(&self) -> Result<Vec<TeamLibrary>, StoreError> {
        Ok(self.snapshot().await?.team.values().cloned().collect())
    }

    /// The digests of what is here of a published library.
    pub async fn digests_of(&self, address: &str) -> Result<BTreeSet<String>, StoreError> {
        let snapshot = self.snapshot().await?;
        Ok(snapshot.read(|at| team::held(at, address))?.into_keys().collect())
    }
}

impl Indexer {
    pub(super) fn followed(&self) -> Result<BTreeMap<String, TeamLibrary>, StoreError> {
        team::followed(&At::generation(&self.connection, self.generation))
    }

    /// Puts a published generation in force. What it holds besides `new` must be here already.
    pub fn follow(&mut self, shared: SharedGeneration) -> Result<FollowReport, IndexError> {
        let at = At::generation(&self.connection, self.generation);
        let mut followed = team::followed(&at)?;
        let before = team::held(&at, &shared.address)?;
        // Whoever had it pulled and reads it in place from now on, or the other way about, has none of it as it is to be.
        let as_before = followed
            .get(&shared.address)
            .is_none_or(|known| known.in_place.is_some() == shared.in_place.is_some());
        let held = if as_before { before.clone() } else { BTreeMap::new() };
        let last: Vec<String> = followed
            .get(&shared.address)
            .and_then(|known| known.in_place.as_ref())
            .map(|known| known.shelves.iter().map(|shelf| shelf.listing.clone()).collect())
            .unwrap_or_default();
        let mut library = TeamLibrary {
            address: shared.address.clone(),
            library: shared.library,
            generation: shared.generation,
            published_at: shared.published_at,
            sources: followed.remove(&shared.address).map(|known| known.sources).unwrap_or_default(),
            entries: shared.entries,
            vocabularies: shared.vocabularies,
            in_place: shared.in_place,
        };
        let folder = self.layout.vocabularies(&shared.address);
        let vocabularies = library.vocabularies.clone();
        if let Some(missing) = vocabularies.iter().find(|file| !file.is_in(&folder)) {
            return Err(
                StoreError::Disagree(format!("{} was published and did not arrive", missing.name)).into()
            );
        }
        let listings = self.layout.listings(&shared.address);
        let listed: Vec<String> = library
            .in_place
            .iter()
            .flat_map(|library| &library.shelves)
            .map(|shelf| shelf.listing.clone())
            .collect();
        if let Some(missing) = listed.iter().find(|name| !listings.join(name).is_file()) {
            return Err(StoreError::Disagree(format!("{missing} was published and did not arrive")).into());
        }
        let arrived = shared.new.into_iter().map(|document| (document.digest(&shared.fingerprint), document));
        let arrived: BTreeMap<String, SharedDocument> = arrived
            .filter(|(digest, _)| shared.holds.contains(digest) && !held.contains_key(digest))
            .collect();
        if let Some(missing) =
            shared.holds.iter().find(|digest| !held.contains_key(*digest) && !arrived.contains_key(*digest))
        {
            return Err(StoreError::Disagree(format!("{missing} was published and did not arrive")).into());
        }
        let paths = origins::known(&self.connection)?;
        let taken = origins::expand(&paths, &followed)?.placed.into_iter().map(|place| place.source.name);
        name_sources(&mut library, &arrived, taken.collect());
        followed.insert(shared.address, library.clone());
        let origins = origins::expand(&paths, &followed)?;
        let stays = |digest: &String| held.contains_key(digest) && shared.holds.contains(digest);
        let leaving = before.into_iter().filter(|(digest, _)| !stays(digest));
        let leaving: BTreeSet<i64> = leaving.map(|(_, file)| file).collect();
        let mut report =
            self.put_in_force(&origins, library.address.clone(), Some(library), leaving, arrived)?;
        report.documents = shared.holds.len();
        let kept: Vec<&str> = vocabularies.iter().map(|file| file.sha256.as_str()).collect();
        remove_others(&folder, &kept);
        // A program that is open may still read by the last ones; the next generation takes them away.
        let kept: Vec<&str> = listed.iter().chain(&last).map(String::as_str).collect();
        remove_others(&listings, &kept);
        Ok(report)
    }

    /// Takes a published library out; whether it was followed.
    pub fn unfollow(&mut self, address: &str) -> Result<bool, IndexError> {
        let at = At::generation(&self.connection, self.generation);
        let mut followed = team::followed(&at)?;
        if followed.remove(address).is_none() {
            return Ok(false);
        }
        let leaving = team::held(&at, address)?.into_values().collect();
        let origins = origins::expand(&origins::known(&self.connection)?, &followed)?;
        self.put_in_force(&origins, address.to_owned(), None, leaving, BTreeMap::new())?;
        remove_others(&self.layout.vocabularies(address), &[]);
        remove_others(&self.layout.listings(address), &[]);
        Ok(true)
    }

    /// One generation in which the library at an address is as given.
    fn put_in_force(
        &mut self,
        origins: &Origins,
        address: String,
        library: Option<TeamLibrary>,
        leaving: BTreeSet<i64>,
        arrived: BTreeMap<String, SharedDocument>,
    ) -> Result<FollowReport, IndexError> {
        let at = At::generation(&self.connection, self.generation);
        let records = at.records()?.into_iter().collect();
        let places: HashMap<&str, _> =
            origins.placed.iter().map(|place| (place.source.name.as_str(), place)).collect();
        let mut present = Vec::new();
        let mut replaced: HashMap<(String, String), FileRow> = HashMap::new();
        for row in at.files()? {
            if leaving.contains(&row.id) {
                replaced.insert((row.source.clone(), row.path.clone()), row);
                continue;
            }
            present.push(match places.get(row.source.as_str()) {
                Some(place) => self.kept(row, place)?,
                // Its folder was taken out; the next run takes it from there.
                None => {
                    let identity = kept_identity(&row)?;
                    Present::Unchanged(row, identity.map(Box::new))
                }
            });
        }
        let mut vectors = VectorsByHash::new();
        for (digest, document) in arrived {
            let placed = |there: &str| {
                let sources = library.iter().flat_map(|library| &library.sources);
                let here = sources.into_iter().find(|source| source.name == there)?;
                places.get(here.here.as_str()).map(|place| &place.source)
            };
            let shared = Shared { address: address.clone(), digest };
            let mut identity = document.content.identity.clone();
            if let Some(source) = placed(&identity.placement.source) {
                identity.placement.source.clone_from(&source.name);
                identity.placement.default_source = source.default;
            }
            let chunks = document.content.chunks();
            let hashes = chunks.iter().map(|chunk| chunk.embedded.clone());
            vectors.extend(hashes.zip(document.vectors));
            let file = NewFile {
                source: identity.placement.source.clone(),
                path: identity.placement.path.clone(),
                sha256: document.content.sha256,
                bytes: document.content.bytes,
                reading: document.content.reading,
                placement: serde_json::to_string(&identity.placement).map_err(StoreError::from)?,
                identity: Some(serde_json::to_string(&identity).map_err(StoreError::from)?),
                problem: None,
                warnings: document.content.warnings,
                shared: Some(shared),
            };
            let replaces = replaced.remove(&(file.source.clone(), file.path.clone()));
            let fresh = Box::new(Fresh { file, read: Some((identity, Passages::Cut(chunks))) });
            present.push(Present::Fresh { replaces, fresh });
        }
        let mut changes: Vec<Change> =
            replaced.into_values().map(|row| Change::End { file: row.id }).collect();
        let removed = changes.len();
        let mut counted = IndexReport::default();
        self.reconcile_all(present, &records, &mut changes, &mut counted)?;
        changes.push(Change::Follow { address, library: library.map(Box::new) });
        let mut all = VectorsByEmbedder::new();
        if let Some((_, key)) = &self.options.embedder {
            let hashes = changes.iter().flat_map(Change::chunks).map(|chunk| &chunk.embedded);
            let missing = hashes.filter(|hash| !vectors.contains_key(*hash));
            let known = self.known_vectors(missing, &key.fingerprint)?;
            vectors.extend(known);
            all.insert(key.fingerprint.clone(), vectors);
        }
        self.write(&changes, &all)?;
        self.tend()?;
        Ok(FollowReport {
            library_generation: self.generation,
            added: counted.added,
            changed: counted.changed,
            removed,
            documents: 0,
        })
    }
}

/// Where the vocabularies of the library at an address lie in a workspace.
pub fn vocabulary_folder(workspace: &Path, address: &str) -> PathBuf {
    Layout::in_workspace(workspace).vocabularies(address)
}

/// Where it lies in a workspace what the shelves at an address hold that are read in place.
pub fn listings_folder(workspace: &Path, address: &str) -> PathBuf {
    Layout::in_workspace(workspace).listings(address)
}

/// A file of a vocabulary that comes from a followed library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedVocabulary {
    /// Which vocabulary it is part of: files of one complete each other.
    pub vocabulary: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// The vocabularies of all libraries that a workspace follows, as far as their files are there; the next pull brings the rest.
pub fn followed_vocabularies(workspace: &Path) -> Result<Vec<FollowedVocabulary>, StoreError> {
    let layout = Layout::in_workspace(workspace);
    if !layout.exists() {
        return Ok(Vec::new());
    }
    let generation = TextReader::open(&layout)?.newest()?;
    let connection = schema::open_for_reading(&layout)?;
    let followed = team::followed(&At::generation(&connection, generation))?;
    let files = followed.values().flat_map(|library| {
        let folder = layout.vocabularies(&library.address);
        let there = library.vocabularies.iter().filter(|file| file.is_in(&folder));
        let followed = there.map(|file| FollowedVocabulary {
            vocabulary: format!("{} {}", library.address, file.vocabulary),
            path: file.in_folder(&folder),
        });
        followed.collect::<Vec<_>>()
    });
    Ok(files.collect())
}

/// Takes away what is no longer in force. What cannot be removed is in nobody's way.
fn remove_others(folder: &Path, kept: &[&str]) {
    for lying in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if !kept.iter().any(|name| **name == *lying.file_name()) {
            let path = lying.path();
            let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
    }
}

/// Gives the sources of what arrived names that nothing else has here.
fn name_sources(
    library: &mut TeamLibrary,
    arrived: &BTreeMap<String, SharedDocument>,
    mut taken: BTreeSet<String>,
) {
    taken.extend(library.sources.iter().map(|source| source.here.clone()));
    for document in arrived.values() {
        let placement = &document.content.identity.placement;
        match library.sources.iter_mut().find(|source| source.name == placement.source) {
            Some(known) => known.default = placement.default_source,
            None => {
                let here = free_name(&placement.source, &taken);
                taken.insert(here.clone());
                let (name, default) = (placement.source.clone(), placement.default_source);
                library.sources.push(TeamSource { name, default, here });
            }
        }
    }
    library.sources.sort_by(|a, b| b.default.cmp(&a.default).then_with(|| a.name.cmp(&b.name)));
}
