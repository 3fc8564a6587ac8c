//! Publishing: files first, which nobody looks at before they are named; then the generation, by one conditional put.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use futures::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use plumbline_library::{Export, ExportedDocument, ExportedShelf, StoreError, VocabularyFile, pack};
use plumbline_telemetry::sha256_hex;
use serde::Serialize;

use crate::format::{
    FORMAT, Generation, Manifest, Part, ShelfReference, generation_name, manifest_name, numbers, part_name,
    shelf_folder, vocabulary_name,
};
use crate::parts::arrange;
use crate::{Remote, TeamError, Traffic};

/// So many files travel side by side.
const AT_ONCE: usize = 4;
/// What an interrupted publisher left is used again while it is younger than this; afterwards pruning may take it away.
pub(crate) const LEFTOVERS_USED: SignedDuration = SignedDuration::from_hours(12);

/// What was published.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PublishReport {
    /// Where.
    pub address: String,
    /// The generation that is in force now.
    pub generation: u64,
    /// Whether it is new: where nothing has changed, none is made.
    pub new: bool,
    /// How many shelves it has.
    pub shelves: usize,
    /// How many documents.
    pub documents: usize,
    /// Documents that were not published before, or not like this.
    pub added: usize,
    /// Documents that were published before and are no more, or not like that.
    pub removed: usize,
    /// Entries of curated memory.
    pub entries: usize,
    /// Those that are not published, because nobody may read all that they point at.
    pub entries_left_out: usize,
    /// Files of vocabularies.
    pub vocabularies: usize,
    /// Files that were sent.
    pub files_sent: usize,
    /// What went over the wire.
    #[serde(flatten)]
    pub traffic: Traffic,
}

/// A generation that can be built upon, with its shelves.
struct Base {
    generation: Generation,
    shelves: Vec<(ShelfReference, Manifest)>,
}

/// A file of a vocabulary that is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnVocabulary {
    /// Which vocabulary it is part of, by its place among them: files of one complete each other.
    pub vocabulary: usize,
    /// The file.
    pub path: PathBuf,
}

/// How a library is published.
pub struct Publishing<'a> {
    /// When.
    pub now: Timestamp,
    /// Whether what is published is read again, and sent anew where it is damaged.
    pub repair: bool,
    /// Files of the library's vocabularies, in order of authority. They are for everybody.
    pub vocabularies: &'a [OwnVocabulary],
    /// Told how many documents are there, of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Publishes a library.
pub async fn publish(
    remote: &Remote,
    export: &Export,
    how: &Publishing<'_>,
) -> Result<PublishReport, TeamError> {
    let known = match numbers(remote).await {
        Ok(known) => known,
        // The first publisher of a folder makes it.
        Err(TeamError::Unreachable { .. } | TeamError::Missing { .. }) if is_new(remote) => Vec::new(),
        Err(problem) => return Err(problem),
    };
    let base = base(remote, &known).await?;
    let shelves_there = shelves_with_room(export, !how.vocabularies.is_empty());
    let vocabularies = read_vocabularies(how.vocabularies)?;
    let mut report = PublishReport {
        address: remote.address().to_owned(),
        shelves: shelves_there.len(),
        documents: export.shelves.iter().map(|shelf| shelf.documents.len()).sum(),
        entries: export.shelves.iter().map(|shelf| shelf.entries.len()).sum(),
        entries_left_out: export.entries_left_out,
        vocabularies: vocabularies.len(),
        ..PublishReport::default()
    };
    let mut before: BTreeSet<&String> = BTreeSet::new();
    let published = base.iter().flat_map(|base| &base.shelves);
    before.extend(published.flat_map(|(_, manifest)| &manifest.parts).flat_map(|part| &part.documents));
    let after: BTreeSet<&String> =
        export.shelves.iter().flat_map(|shelf| &shelf.documents).map(|document| &document.digest).collect();
    report.added = after.difference(&before).count();
    report.removed = before.difference(&after).count();

    let mut shelves = Vec::new();
    let mut done = 0;
    for shelf in &shelves_there {
        let sent = |of_shelf: usize| (how.progress)(done + of_shelf, report.documents);
        let vocabularies = if shelf.access_tags.is_empty() { vocabularies.as_slice() } else { &[] };
        let work = ShelfWork { export, shelf, vocabularies, base: base.as_ref(), how };
        let (reference, files) = publish_shelf(remote, &work, &sent).await?;
        shelves.push(reference);
        report.files_sent += files;
        done += shelf.documents.len();
    }
    shelves.sort_by(|a, b| a.id.cmp(&b.id));
    let newest = known.last().copied().unwrap_or(0);
    if let Some(base) = &base
        && (&base.generation.embedder, &base.generation.shelves) == (&export.fingerprint, &shelves)
        && base.generation.number == newest
    {
        (report.generation, report.traffic) = (newest, remote.traffic());
        return Ok(report);
    }
    let generation = Generation {
        format: FORMAT,
        library: base.map_or_else(new_id, |base| base.generation.library),
        number: newest + 1,
        publisher: new_id(),
        published_at: how.now.to_string(),
        embedder: export.fingerprint.clone(),
        shelves,
    };
    put_in_force(remote, &generation).await?;
    (report.generation, report.new, report.traffic) = (generation.number, true, remote.traffic());
    Ok(report)
}

fn new_id() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// Whether a folder is missing inside one that is there.
fn is_new(remote: &Remote) -> bool {
    let path = std::path::Path::new(remote.address());
    path.is_absolute() && !path.exists() && path.parent().is_some_and(std::path::Path::is_dir)
}

/// The newest generation that is whole. One that is damaged is passed over, so that publishing mends it.
async fn base(remote: &Remote, known: &[u64]) -> Result<Option<Base>, TeamError> {
    for number in known.iter().rev() {
        match whole(remote, *number).await {
            Ok(base) => return Ok(Some(base)),
            Err(TeamError::Broken { .. } | TeamError::Missing { .. }) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(None)
}

async fn whole(remote: &Remote, number: u64) -> Result<Base, TeamError> {
    let generation = Generation::read(remote, number).await?;
    let manifests = stream::iter(generation.shelves.clone()).map(|shelf| async move {
        let manifest = Manifest::read(remote, number, &shelf).await?;
        Ok::<_, TeamError>((shelf, manifest))
    });
    let shelves = manifests.buffered(AT_ONCE).try_collect().await?;
    Ok(Base { generation, shelves })
}

/// The shelves to be published. Vocabularies are for everybody, so each tenant has a shelf without tags for them, be it without
/// documents.
fn shelves_with_room(export: &Export, for_vocabularies: bool) -> Vec<ExportedShelf> {
    let mut shelves = export.shelves.clone();
    if for_vocabularies {
        let tenants: BTreeSet<String> = shelves.iter().map(|shelf| shelf.tenant.clone()).collect();
        for tenant in tenants {
            if !shelves.iter().any(|shelf| shelf.tenant == tenant && shelf.access_tags.is_empty()) {
                let (access_tags, documents, entries) = (Vec::new(), Vec::new(), Vec::new());
                shelves.push(ExportedShelf { tenant, access_tags, documents, entries });
            }
        }
    }
    shelves
}

fn read_vocabularies(files: &[OwnVocabulary]) -> Result<Vec<(VocabularyFile, Vec<u8>)>, TeamError> {
    let read = |OwnVocabulary { vocabulary, path }: &OwnVocabulary| {
        let bytes = std::fs::read(path)
            .map_err(|source| TeamError::Library(StoreError::Io { path: path.clone(), source }))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (sha256, length) = (sha256_hex(&bytes), bytes.len() as u64);
        let file = VocabularyFile { name, vocabulary: *vocabulary, sha256, bytes: length };
        Ok((file, bytes))
    };
    files.iter().map(read).collect()
}

/// What is published of one shelf.
struct ShelfWork<'a> {
    export: &'a Export,
    shelf: &'a ExportedShelf,
    vocabularies: &'a [(VocabularyFile, Vec<u8>)],
    base: Option<&'a Base>,
    how: &'a Publishing<'a>,
}

/// Sends what a shelf lacks, and gives it as the generation names it, with how many files were sent.
async fn publish_shelf(
    remote: &Remote,
    work: &ShelfWork<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(ShelfReference, usize), TeamError> {
    let ShelfWork { export, shelf, base, how, .. } = *work;
    let is_it = |manifest: &Manifest| {
        (&manifest.tenant, &manifest.access_tags) == (&shelf.tenant, &shelf.access_tags)
    };
    let known = base.and_then(|base| base.shelves.iter().find(|(_, manifest)| is_it(manifest)));
    // An id says nothing of the shelf, and stays: access rules name it.
    let id = known.map_or_else(new_id, |(reference, _)| reference.id.clone());
    let lying: HashMap<String, (u64, Option<Timestamp>)> = match known {
        Some(_) => remote.list(&shelf_folder(&id)).await?,
        None => Vec::new(),
    }
    .into_iter()
    .map(|entry| (entry.name, (entry.bytes, entry.modified)))
    .collect();
    let mut usable: Vec<Part> = Vec::new();
    let mut damaged: BTreeSet<String> = BTreeSet::new();
    for part in known.into_iter().flat_map(|(_, manifest)| &manifest.parts) {
        let name = part_name(&id, &part.sha256);
        let whole = lying.get(&name).is_some_and(|(bytes, _)| *bytes == part.bytes);
        if whole && (!how.repair || sha256_hex(remote.get(&name).await?) == part.sha256) {
            usable.push(part.clone());
        } else {
            damaged.insert(name);
        }
    }
    let wanted: Vec<(String, usize)> =
        shelf.documents.iter().map(|document| (document.digest.clone(), document.bytes)).collect();
    let by_digest: BTreeMap<&str, &ExportedDocument> =
        shelf.documents.iter().map(|document| (document.digest.as_str(), document)).collect();
    let arrangement = arrange(&usable, &wanted);
    let mut parts = arrangement.kept;
    let fresh = |name: &str, bytes: usize| {
        lying.get(name).is_some_and(|(size, modified)| {
            let young = modified.is_some_and(|at| how.now.duration_since(at) < LEFTOVERS_USED);
            *size == bytes as u64 && young && !damaged.contains(name)
        })
    };
    let (id_, by_digest, fresh) = (&id, &by_digest, &fresh);
    let made = stream::iter(arrangement.made).map(|digests| async move {
        let documents: Vec<&ExportedDocument> =
            digests.iter().filter_map(|digest| by_digest.get(digest.as_str()).copied()).collect();
        let bytes = pack(&export.load(&documents).await?).map_err(|problem| TeamError::Setup {
            address: remote.address().to_owned(),
            detail: problem.to_string(),
        })?;
        let part = Part {
            sha256: sha256_hex(&bytes),
            bytes: bytes.len() as u64,
            made_of: digests.len(),
            documents: digests.into_iter().collect(),
        };
        let name = part_name(id_, &part.sha256);
        let send = !fresh(&name, bytes.len());
        if send {
            remote.put(&name, bytes).await?;
        }
        Ok::<_, TeamError>((part, send))
    });
    let mut files_sent = 0;
    let mut done: usize = parts.iter().map(|part| part.documents.len()).sum();
    let mut made = made.buffered(AT_ONCE);
    progress(done);
    while let Some((part, sent)) = made.try_next().await? {
        done += part.documents.len();
        parts.push(part);
        files_sent += usize::from(sent);
        progress(done);
    }
    drop(made);
    parts.sort_by(|a, b| a.sha256.cmp(&b.sha256));
    for (file, bytes) in work.vocabularies {
        let name = vocabulary_name(&id, &file.sha256);
        let lies = lying.get(&name).is_some_and(|(size, _)| *size == file.bytes);
        if !lies || (how.repair && sha256_hex(remote.get(&name).await?) != file.sha256) {
            remote.put(&name, bytes.clone()).await?;
            files_sent += 1;
        }
    }
    let manifest = Manifest {
        tenant: shelf.tenant.clone(),
        access_tags: shelf.access_tags.clone(),
        parts,
        entries: shelf.entries.clone(),
        vocabularies: work.vocabularies.iter().map(|(file, _)| file.clone()).collect(),
    };
    let (sha256, bytes) = manifest.to_bytes();
    let name = manifest_name(&id, &sha256);
    let unchanged = known.is_some_and(|(reference, _)| reference.manifest == sha256);
    if !unchanged {
        remote.put(&name, bytes).await?;
        files_sent += 1;
    }
    Ok((ShelfReference { id, manifest: sha256 }, files_sent))
}

/// Makes the generation. Of several publishers one does; the others are told.
async fn put_in_force(remote: &Remote, generation: &Generation) -> Result<(), TeamError> {
    let (name, bytes) = (generation_name(generation.number), generation.to_bytes());
    if remote.put_new(&name, bytes).await? {
        return Ok(());
    }
    // An answer may have been lost on the way: then it is our own that is there.
    let there = Generation::read(remote, generation.number).await;
    match there {
        Ok(there) if there.publisher == generation.publisher => Ok(()),
        Ok(_) | Err(TeamError::Broken { .. } | TeamError::TooNew { .. }) => {
            Err(TeamError::Outrun { address: remote.address().to_owned(), generation: generation.number })
        }
        Err(problem) => Err(problem),
    }
}
