//! Following: the newest generation, as far as the keys may read it, and of that what is not here yet. Every file is held
//! against its hash before anything of it is taken in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use futures::{StreamExt, TryStreamExt, stream};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_library::{
    InPlaceLibrary, InPlaceShelf, PartError, SharedDocument, SharedEntry, SharedGeneration, StoreError,
    TeamLibrary, VocabularyFile, unpack, unpack_outlines,
};
use plumbline_telemetry::sha256_hex;

use crate::error::unreadable;
use crate::format::{
    Generation, InPlaceFiles, Manifest, Part, numbers, outline_name, part_name, vocabulary_name,
};
use crate::{Remote, TeamError};

/// So many files travel side by side.
const AT_ONCE: usize = 4;
/// How often it is begun anew when what is being read was taken away meanwhile.
const TRIES: usize = 3;

/// What a workspace has of a published library, and what it can use.
pub struct Pull<'a> {
    /// What is in force here.
    pub in_force: Option<&'a TeamLibrary>,
    /// The digests of what is here.
    pub held: &'a BTreeSet<String>,
    /// The fingerprint of the embedder in use.
    pub fingerprint: &'a str,
    /// Where the listings of shelves are kept that are read in place; none where the library is pulled.
    pub in_place: Option<&'a Path>,
    /// Where the library's vocabularies are kept.
    pub vocabularies: &'a Path,
    /// Where files lie until they are taken in, so that an interrupted pull goes on where it was.
    pub cache: &'a Path,
    /// Told of every file that has arrived: how many of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// What came of looking for a newer generation.
#[derive(Debug)]
pub enum Pulled {
    /// The newest is in force already, and no other shelf may be read than before.
    UpToDate(u64),
    /// Another is there, whole.
    Generation(Box<SharedGeneration>),
}

/// A file to be pulled.
struct Wanted {
    kind: Kind,
    shelf: String,
    tenant: String,
    access_tags: Vec<String>,
    part: Part,
}

/// What a file holds.
#[derive(Clone, Copy)]
enum Kind {
    /// Documents with their passages.
    Part,
    /// Documents without.
    Outline,
}

impl Kind {
    fn name(self, shelf: &str, sha256: &str) -> String {
        match self {
            Self::Part => part_name(shelf, sha256),
            Self::Outline => outline_name(shelf, sha256),
        }
    }

    fn unpack(self, bytes: &[u8]) -> Result<Vec<SharedDocument>, PartError> {
        match self {
            Self::Part => unpack(bytes),
            Self::Outline => unpack_outlines(bytes),
        }
    }
}

/// Pulls what is new of the newest generation.
pub async fn pull(remote: &Remote, asked: Pull<'_>) -> Result<Pulled, TeamError> {
    for _ in 0..TRIES {
        let Some(number) = newest(remote).await? else {
            return Err(TeamError::Nothing { address: remote.address().to_owned() });
        };
        match pull_generation(remote, &asked, number).await {
            // The newest is never pruned: what is missing was taken away behind a newer one, or is damage.
            Err(TeamError::Missing { address, name }) => {
                if newest(remote).await? == Some(number) {
                    let detail = Message::TeamNotThere.into();
                    return Err(TeamError::Broken { address, generation: number, name, detail });
                }
            }
            done => return done,
        }
    }
    Err(TeamError::Moving { address: remote.address().to_owned() })
}

async fn newest(remote: &Remote) -> Result<Option<u64>, TeamError> {
    Ok(numbers(remote).await?.last().copied())
}

async fn pull_generation(remote: &Remote, asked: &Pull<'_>, number: u64) -> Result<Pulled, TeamError> {
    let address = || remote.address().to_owned();
    let generation = Generation::read(remote, number).await?;
    if let Some(held) = asked.in_force
        && held.library == generation.library
        && held.generation > number
    {
        return Err(TeamError::GoneBack { address: address(), found: number, held: held.generation });
    }
    if generation.embedder != asked.fingerprint {
        return Err(TeamError::OtherEmbedder {
            address: address(),
            generation: number,
            found: generation.embedder,
            own: asked.fingerprint.to_owned(),
        });
    }
    let mut holds: BTreeSet<String> = BTreeSet::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut readable = 0;
    let mut closed: Option<String> = None;
    let mut entries: Vec<SharedEntry> = Vec::new();
    let mut vocabularies: Vec<(String, VocabularyFile)> = Vec::new();
    let mut in_place: Vec<(InPlaceShelf, InPlaceFiles)> = Vec::new();
    for shelf in &generation.shelves {
        let manifest = match Manifest::read(remote, number, shelf).await {
            // Who may read a shelf is for the store to say; one that is closed does not exist.
            Err(TeamError::Forbidden { name, .. }) => {
                closed = Some(name);
                continue;
            }
            read => read?,
        };
        readable += 1;
        entries.extend(manifest.entries);
        for file in manifest.vocabularies {
            if !vocabularies.iter().any(|(_, known)| known.sha256 == file.sha256) {
                vocabularies.push((shelf.id.clone(), file));
            }
        }
        let (kind, parts) = match (asked.in_place, manifest.in_place) {
            (None, _) => (Kind::Part, manifest.parts),
            (Some(_), Some(files)) => {
                let here = InPlaceShelf {
                    id: shelf.id.clone(),
                    tenant: manifest.tenant.clone(),
                    access_tags: manifest.access_tags.clone(),
                    listing: files.listing.clone(),
                };
                let outlines = files.outlines.clone();
                in_place.push((here, files));
                (Kind::Outline, outlines)
            }
            (Some(_), None) => return Err(TeamError::NotInPlace { address: address(), generation: number }),
        };
        for part in parts {
            let is_new = part.documents.iter().any(|digest| !asked.held.contains(digest));
            holds.extend(part.documents.iter().cloned());
            if is_new {
                wanted.push(Wanted {
                    kind,
                    shelf: shelf.id.clone(),
                    tenant: manifest.tenant.clone(),
                    access_tags: manifest.access_tags.clone(),
                    part,
                });
            }
        }
    }
    // Some stores say of what is missing that it is closed; then there is a newer generation.
    if let Some(name) = closed
        && newest(remote).await? != Some(number)
    {
        return Err(TeamError::Missing { address: address(), name });
    }
    if readable == 0 && !generation.shelves.is_empty() {
        return Err(TeamError::NoShelf { address: address(), shelves: generation.shelves.len() });
    }
    // The order of shelves says nothing, and is another one at the next publisher's.
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let lies = |file: &VocabularyFile| file.is_in(asked.vocabularies);
    let missing: Vec<(String, VocabularyFile)> =
        vocabularies.iter().filter(|(_, file)| !lies(file)).cloned().collect();
    let vocabularies: Vec<VocabularyFile> = vocabularies.into_iter().map(|(_, file)| file).collect();
    let library = asked.in_place.map(|_| InPlaceLibrary {
        fingerprint: generation.embedder.clone(),
        shelves: in_place.iter().map(|(shelf, _)| shelf.clone()).collect(),
    });
    let is_in_force = |held: &TeamLibrary| {
        held.library == generation.library
            && held.generation == number
            && (&held.entries, &held.vocabularies, &held.in_place) == (&entries, &vocabularies, &library)
    };
    let nothing_new = wanted.is_empty() && missing.is_empty() && holds == *asked.held;
    if asked.in_force.is_some_and(is_in_force) && nothing_new {
        return Ok(Pulled::UpToDate(number));
    }
    pull_vocabularies(remote, asked, number, &missing).await?;
    for (shelf, files) in &in_place {
        pull_listing(remote, asked, number, shelf, files).await?;
    }
    let new = arrive(remote, asked, number, &wanted).await?;
    Ok(Pulled::Generation(Box::new(SharedGeneration {
        address: address(),
        library: generation.library,
        generation: number,
        published_at: generation.published_at,
        fingerprint: generation.embedder,
        holds,
        new,
        entries,
        vocabularies,
        in_place: library,
    })))
}

/// Brings vocabularies to where they are kept. They lie there under their hashes, and are in force when the generation is.
async fn pull_vocabularies(
    remote: &Remote,
    asked: &Pull<'_>,
    generation: u64,
    missing: &[(String, VocabularyFile)],
) -> Result<(), TeamError> {
    let kept = |source| TeamError::Library(StoreError::Io { path: asked.vocabularies.to_owned(), source });
    for (shelf, file) in missing {
        let name = vocabulary_name(shelf, &file.sha256);
        let bytes = remote.get(&name).await?;
        if sha256_hex(&bytes) != file.sha256 || bytes.len() as u64 != file.bytes {
            let (address, detail) = (remote.address().to_owned(), Message::TeamWrongContent.into());
            return Err(TeamError::Broken { address, generation, name, detail });
        }
        let path = file.in_folder(asked.vocabularies);
        let beside = asked.vocabularies.join(format!("{}.unfinished", file.sha256));
        std::fs::create_dir_all(path.parent().unwrap_or(asked.vocabularies)).map_err(kept)?;
        std::fs::write(&beside, &bytes).and_then(|()| std::fs::rename(&beside, &path)).map_err(kept)?;
    }
    Ok(())
}

/// Brings the listing of a shelf's stores to where it is kept, under its hash.
async fn pull_listing(
    remote: &Remote,
    asked: &Pull<'_>,
    generation: u64,
    shelf: &InPlaceShelf,
    files: &InPlaceFiles,
) -> Result<(), TeamError> {
    let Some(folder) = asked.in_place else { return Ok(()) };
    let kept = |source| TeamError::Library(StoreError::Io { path: folder.to_owned(), source });
    let path = shelf.listing_in(folder);
    if std::fs::read(&path).is_ok_and(|bytes| sha256_hex(&bytes) == shelf.listing) {
        return Ok(());
    }
    let (_, bytes) = files.listing(remote, generation, &shelf.id).await?;
    let beside = folder.join(format!("{}.unfinished", shelf.listing));
    std::fs::create_dir_all(folder).map_err(kept)?;
    std::fs::write(&beside, &bytes).and_then(|()| std::fs::rename(&beside, &path)).map_err(kept)
}

/// The documents of these files that are not here yet.
async fn arrive(
    remote: &Remote,
    asked: &Pull<'_>,
    generation: u64,
    wanted: &[Wanted],
) -> Result<Vec<SharedDocument>, TeamError> {
    let broken = |name: String, detail: Detail| TeamError::Broken {
        address: remote.address().to_owned(),
        generation,
        name,
        detail,
    };
    let kept = |path: &Path, problem: &std::io::Error| {
        TeamError::Library(StoreError::Io {
            path: path.to_owned(),
            source: std::io::Error::new(problem.kind(), problem.to_string()),
        })
    };
    std::fs::create_dir_all(asked.cache).map_err(|problem| kept(asked.cache, &problem))?;
    // By their place: a future over references could not be handed to another thread.
    let fetched = stream::iter(0..wanted.len()).map(|at| async move {
        let one = &wanted[at];
        let name = one.kind.name(&one.shelf, &one.part.sha256);
        let path = asked.cache.join(&one.part.sha256);
        let fits = |bytes: &[u8]| sha256_hex(bytes) == one.part.sha256;
        if std::fs::read(&path).is_ok_and(|bytes| fits(&bytes)) {
            return Ok::<PathBuf, TeamError>(path);
        }
        let bytes = remote.get(&name).await?;
        if !fits(&bytes) {
            return Err(broken(name, Message::TeamWrongContent.into()));
        }
        std::fs::write(&path, &bytes).map_err(|problem| kept(&path, &problem))?;
        Ok(path)
    });
    let mut fetched = fetched.buffered(AT_ONCE);
    let mut paths = Vec::new();
    while let Some(path) = fetched.try_next().await? {
        paths.push(path);
        (asked.progress)(paths.len(), wanted.len());
    }
    let mut new = Vec::new();
    for (one, path) in wanted.iter().zip(&paths) {
        let name = || one.kind.name(&one.shelf, &one.part.sha256);
        let bytes = std::fs::read(path).map_err(|problem| kept(path, &problem))?;
        let documents = one.kind.unpack(&bytes).map_err(|problem| broken(name(), unreadable(problem)))?;
        for document in documents {
            let digest = document.digest(asked.fingerprint);
            if !one.part.documents.contains(&digest) || asked.held.contains(&digest) {
                continue;
            }
            // A document that says of itself that others may see it than its shelf says was put there by somebody else.
            if !document.is_for(&one.tenant, &one.access_tags) {
                return Err(broken(name(), Message::TeamOtherShelf.into()));
            }
            new.push(document);
        }
    }
    Ok(new)
}
