//! Publishing: files first, which nobody looks at before they are named; then the generation, by one conditional put.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use futures::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use plumbline_library::{
    Export, ExportedDocument, ExportedShelf, PartError, SharedDocument, StoreError, VocabularyFile, pack,
    pack_outlines,
};
use plumbline_telemetry::sha256_hex;
use serde::Serialize;

use crate::format::{
    Generation, InPlaceFiles, Manifest, Part, ShelfReference, format_of, generation_name, listing_name,
    manifest_name, numbers, outline_name, part_name, piece_name, shelf_folder, vocabulary_name,
};
use crate::in_place::{Lying, is_of, lies_whole, pieces_of, send_stores};
use crate::parts::{Sizes, arrange};
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
    /// Whether it can be read in place; a library that was published so goes on being.
    pub in_place: bool,
    /// The folder where the stores are made that are searched in place.
    pub stores: &'a Path,
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
    let was_in_place =
        base.iter().flat_map(|base| &base.shelves).any(|(_, manifest)| manifest.in_place.is_some());
    let in_place = how.in_place || was_in_place;
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
        let work = ShelfWork { export, shelf, vocabularies, base: base.as_ref(), how, in_place };
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
        format: format_of(in_place),
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
    in_place: bool,
}

/// Sends what a shelf lacks, and gives it as the generation names it, with how many files were sent.
async fn publish_shelf(
    remote: &Remote,
    work: &ShelfWork<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(ShelfReference, usize), TeamError> {
    let ShelfWork { shelf, base, how, .. } = *work;
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
    let sizes = if work.in_place { Sizes::READ_IN_PLACE } else { Sizes::PULLED };
    let sending = Sending { remote, work, id: &id, lying: &lying };
    let published = known.map(|(_, manifest)| manifest.parts.as_slice()).unwrap_or_default();
    let (parts, mut files_sent) = sending.bring(published, Kind::PART, sizes, progress).await?;
    let in_place = match work.in_place {
        true => {
            let published = known.and_then(|(_, manifest)| manifest.in_place.as_ref());
            let held = published.map(|files| files.outlines.as_slice()).unwrap_or_default();
            let (outlines, sent) = sending.bring(held, Kind::OUTLINE, sizes, &|_| {}).await?;
            let (listing, bytes, more) = sending.stores(published, &parts).await?;
            files_sent += sent + more;
            Some(InPlaceFiles { outlines, listing, bytes })
        }
        false => None,
    };
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
        in_place,
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

/// A kind of file that documents are packed into.
struct Kind {
    name: fn(&str, &str) -> String,
    pack: fn(&[SharedDocument], &str) -> Result<Vec<u8>, PartError>,
    /// How many bytes a document takes in it, where that is not what it takes with all its passages.
    each: Option<usize>,
}

impl Kind {
    const PART: Self = Self { name: part_name, pack: |documents, _| pack(documents), each: None };
    const OUTLINE: Self = Self { name: outline_name, pack: pack_outlines, each: Some(2 << 10) };
}

/// What is being sent to one shelf.
struct Sending<'a> {
    remote: &'a Remote,
    work: &'a ShelfWork<'a>,
    id: &'a str,
    /// What lies there: size, and when it was written.
    lying: &'a HashMap<String, (u64, Option<Timestamp>)>,
}

impl Sending<'_> {
    /// Sends the files of a kind that do not lie there yet; gives all of them, with how many were sent.
    async fn bring(
        &self,
        published: &[Part],
        kind: Kind,
        sizes: Sizes,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(Vec<Part>, usize), TeamError> {
        let Self { remote, work, id, lying } = *self;
        let ShelfWork { export, shelf, how, .. } = *work;
        let mut usable: Vec<Part> = Vec::new();
        let mut damaged: BTreeSet<String> = BTreeSet::new();
        for part in published {
            let name = (kind.name)(id, &part.sha256);
            let whole = lying.get(&name).is_some_and(|(bytes, _)| *bytes == part.bytes);
            if whole && (!how.repair || sha256_hex(remote.get(&name).await?) == part.sha256) {
                usable.push(part.clone());
            } else {
                damaged.insert(name);
            }
        }
        let sized =
            |document: &ExportedDocument| (document.digest.clone(), kind.each.unwrap_or(document.bytes));
        let wanted: Vec<(String, usize)> = shelf.documents.iter().map(sized).collect();
        let by_digest: BTreeMap<&str, &ExportedDocument> =
            shelf.documents.iter().map(|document| (document.digest.as_str(), document)).collect();
        let arrangement = arrange(&usable, &wanted, sizes);
        let mut parts = arrangement.kept;
        let fresh = |name: &str, bytes: usize| {
            let lies = lying.get(name).is_some_and(|(size, at)| *size == bytes as u64 && is_young(*at, how));
            lies && !damaged.contains(name)
        };
        let (by_digest, fresh, kind) = (&by_digest, &fresh, &kind);
        let made = stream::iter(arrangement.made).map(|digests| async move {
            let documents: Vec<&ExportedDocument> =
                digests.iter().filter_map(|digest| by_digest.get(digest.as_str()).copied()).collect();
            let packed = (kind.pack)(&export.load(&documents).await?, &export.fingerprint);
            let bytes = packed.map_err(|problem| TeamError::Setup {
                address: remote.address().to_owned(),
                detail: problem.to_string(),
            })?;
            let part = Part {
                sha256: sha256_hex(&bytes),
                bytes: bytes.len() as u64,
                made_of: digests.len(),
                documents: digests.into_iter().collect(),
            };
            let name = (kind.name)(id, &part.sha256);
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
        Ok((parts, files_sent))
    }

    /// Sends what is searched in place and does not lie there yet; gives hash and size of its listing, with how many files were sent.
    async fn stores(
        &self,
        published: Option<&InPlaceFiles>,
        parts: &[Part],
    ) -> Result<(String, u64, usize), TeamError> {
        let Self { remote, work, id, lying } = *self;
        let ShelfWork { export, shelf, how, base, .. } = *work;
        let young = lying.iter().filter(|(_, (_, at))| is_young(*at, how));
        let mut usable: HashMap<String, u64> = young.map(|(name, (size, _))| (name.clone(), *size)).collect();
        let before = match (published, base) {
            (Some(files), Some(base)) => match files.listing(remote, base.generation.number, id).await {
                Ok((listing, _)) => Some((files, listing)),
                // It is made anew.
                Err(TeamError::Broken { .. } | TeamError::Missing { .. }) => None,
                Err(problem) => return Err(problem),
            },
            _ => None,
        };
        if let Some((files, listing)) = &before {
            let names = pieces_of(listing).into_keys().map(|piece| piece_name(id, piece));
            let named = names.chain(std::iter::once(listing_name(id, &files.listing)));
            usable.extend(named.filter_map(|name| Some((name.clone(), lying.get(&name)?.0))));
        }
        let lies = Lying { usable: &usable, repair: how.repair };
        let documents: BTreeSet<&String> = shelf.documents.iter().map(|document| &document.digest).collect();
        if let Some((files, listing)) = &before
            && is_of(listing, &documents, parts)
            && lies_whole(remote, id, listing, &lies).await?
        {
            return Ok((files.listing.clone(), files.bytes, 0));
        }
        let made = export.make_stores(shelf, &how.stores.join(id)).await?;
        send_stores(remote, id, &made, parts, &lies).await
    }
}

/// Whether it was left by somebody who may just be publishing, and so is not taken away yet.
fn is_young(at: Option<Timestamp>, how: &Publishing<'_>) -> bool {
    at.is_some_and(|at| how.now.duration_since(at) < LEFTOVERS_USED)
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
