use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use plumbline_telemetry::sha256_hex;
use tokio_util::sync::CancellationToken;

use super::change::{Change, Written};
use super::origins::{Origins, Placed};
use super::report::{IndexProgress, IndexReport, Skipped, Warning};
use super::scan::{FoundFile, scan};
use super::write::embedded_hash;
use super::{IndexError, Indexer, READING_VERSION};
use crate::chunking::{ChunkDraft, ChunkRules, chunk};
use crate::identity::{Identity, Placement, identify, reconcile};
use crate::reading::{Oddity, ReadDocument, Reader, ReaderOptions};
use crate::store::StoreError;
use crate::store::catalogue::At;
use crate::store::rows::{FileProblem, FileRow, NewChunk, NewFile, Record};
use crate::store::team;

/// How many files are read side by side.
const READERS: usize = 2;

/// A file that is written anew.
pub(super) struct Fresh {
    pub file: NewFile,
    pub read: Option<(Identity, Passages)>,
}

/// What the passages of a file are made of.
pub(super) enum Passages {
    /// Its text, which is still to be cut.
    Of(ReadDocument),
    /// They are cut already.
    Cut(Vec<NewChunk>),
}

impl Passages {
    fn of(&self, record: &Record) -> Vec<NewChunk> {
        match self {
            Self::Of(document) => cut(record, document),
            Self::Cut(chunks) if record.searched => chunks.clone(),
            Self::Cut(_) => Vec::new(),
        }
    }
}

/// A file of the library as it will be.
pub(super) enum Present {
    Unchanged(FileRow, Option<Box<Identity>>),
    Fresh { replaces: Option<FileRow>, fresh: Box<Fresh> },
}

impl Indexer {
    /// Compares folders and catalogue, and reads what changed.
    pub(super) fn plan(
        &self,
        origins: &Origins,
        stop: &CancellationToken,
        progress: &(dyn Fn(IndexProgress) + Sync),
        report: &mut IndexReport,
    ) -> Result<Vec<Change>, IndexError> {
        let at = At::generation(&self.connection, self.generation);
        let mut known: HashMap<(String, String), FileRow> =
            at.files()?.into_iter().map(|file| ((file.source.clone(), file.path.clone()), file)).collect();
        let records: HashMap<i64, Record> = at.records()?.into_iter().collect();
        let (found, skipped) = scan(&origins.placed);
        report.skipped = skipped;
        let fresh = read_changed(&self.options.reader, &found, &origins.placed, &known, stop, progress);
        if stop.is_cancelled() {
            return Ok(Vec::new());
        }
        let mut present: Vec<Present> = Vec::new();
        for (file, fresh) in found.iter().zip(fresh) {
            let place = (origins.placed[file.source].source.name.clone(), file.path.clone());
            let row = known.remove(&place);
            match (fresh, row) {
                (Some(fresh), replaces) => present.push(Present::Fresh { replaces, fresh: Box::new(fresh) }),
                (None, Some(row)) => {
                    let identity = kept_identity(&row)?;
                    present.push(Present::Unchanged(row, identity.map(Box::new)));
                }
                (None, None) => {}
            }
        }
        let absent: HashMap<&str, &Placed> = origins
            .placed
            .iter()
            .filter(|place| !place.present)
            .map(|place| (place.source.name.as_str(), place))
            .collect();
        let mut changes = Vec::new();
        let mut gone: Vec<FileRow> = known.into_values().collect();
        gone.sort_by_key(|row| row.id);
        for row in gone {
            match absent.get(row.source.as_str()) {
                Some(place) => present.push(self.kept(row, place)?),
                None => {
                    report.removed += usize::from(row.problem.is_none());
                    changes.push(Change::End { file: row.id });
                }
            }
        }
        self.reconcile_all(present, &records, &mut changes, report)?;
        Ok(changes)
    }

    /// A file that is not looked for. One of a followed library is written anew where its ids begin or cease to carry the name
    /// of their source.
    pub(super) fn kept(&self, row: FileRow, place: &Placed) -> Result<Present, StoreError> {
        let Some(mut identity) = kept_identity(&row)? else { return Ok(Present::Unchanged(row, None)) };
        if !place.shared || identity.placement.default_source == place.source.default {
            return Ok(Present::Unchanged(row, Some(Box::new(identity))));
        }
        identity.placement.default_source = place.source.default;
        let at = At::generation(&self.connection, self.generation);
        let chunks = at.chunks_of(row.id)?.into_iter().zip(at.embedded_of(row.id)?);
        let chunks = chunks.map(|(chunk, embedded)| chunk.into_new(embedded)).collect();
        let file = NewFile {
            source: row.source.clone(),
            path: row.path.clone(),
            sha256: row.sha256.clone(),
            bytes: row.bytes,
            reading: row.reading,
            placement: serde_json::to_string(&identity.placement)?,
            identity: Some(serde_json::to_string(&identity)?),
            problem: None,
            warnings: row.warnings.clone(),
            shared: team::shared(&at, row.id)?,
        };
        let fresh = Fresh { file, read: Some((identity, Passages::Cut(chunks))) };
        Ok(Present::Fresh { replaces: Some(row), fresh: Box::new(fresh) })
    }

    /// Reconciles all documents together, and finds what that changes.
    pub(super) fn reconcile_all(
        &self,
        present: Vec<Present>,
        records: &HashMap<i64, Record>,
        changes: &mut Vec<Change>,
        report: &mut IndexReport,
    ) -> Result<(), IndexError> {
        let identities: Vec<Identity> = present.iter().filter_map(Present::identity).cloned().collect();
        let mut reconciled = reconcile(&identities).documents.into_iter();
        for present in present {
            let record =
                if present.identity().is_some() { reconciled.next().map(Record::from) } else { None };
            match present {
                Present::Unchanged(row, _) => {
                    note_problem(report, &row.source, &row.path, row.problem.as_ref(), &row.warnings);
                    let (Some(record), before) = (record, records.get(&row.id)) else { continue };
                    if before == Some(&record) {
                        continue;
                    }
                    let like_before = before.is_some_and(|before| before.is_indexed_like(&record));
                    let chunks = if like_before { None } else { Some(self.cut_again(row.id, &record)?) };
                    changes.push(Change::Restate { file: row.id, record: Box::new(record), chunks });
                }
                Present::Fresh { replaces, fresh } => {
                    let Fresh { file, read } = *fresh;
                    note_problem(report, &file.source, &file.path, file.problem.as_ref(), &file.warnings);
                    let indexed = usize::from(file.problem.is_none());
                    match &replaces {
                        Some(_) => report.changed += indexed,
                        None => report.added += indexed,
                    }
                    let before = replaces.as_ref().and_then(|row| records.get(&row.id));
                    let moves_id = before.map(|before| &before.document.id)
                        != record.as_ref().map(|record| &record.document.id)
                        && before.is_some();
                    let chunks = match (&record, &read) {
                        (Some(record), Some((_, passages))) => passages.of(record),
                        _ => Vec::new(),
                    };
                    changes.push(Change::Write(Box::new(Written {
                        replaces: replaces.map(|row| row.id),
                        moves_id,
                        file,
                        record,
                        chunks,
                    })));
                }
            }
        }
        Ok(())
    }

    /// The passages of an unchanged file under what the library says of it now.
    fn cut_again(&self, file: i64, record: &Record) -> Result<Vec<NewChunk>, StoreError> {
        if !record.searched {
            return Ok(Vec::new());
        }
        let rows = At::generation(&self.connection, self.generation).chunks_of(file)?;
        let anew = rows.into_iter().map(|row| {
            let embedded = embedded_hash(record, &row.section_path, &row.text);
            row.into_new(embedded)
        });
        Ok(anew.collect())
    }
}

impl Present {
    fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Unchanged(_, identity) => identity.as_deref(),
            Self::Fresh { fresh, .. } => fresh.read.as_ref().map(|(identity, _)| identity),
        }
    }
}

/// Reads the files that are new or whose content is not what the catalogue has seen.
fn read_changed(
    options: &ReaderOptions,
    found: &[FoundFile],
    placed: &[Placed],
    known: &HashMap<(String, String), FileRow>,
    stop: &CancellationToken,
    progress: &(dyn Fn(IndexProgress) + Sync),
) -> Vec<Option<Fresh>> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<(usize, Option<Fresh>)>> = Mutex::new(Vec::with_capacity(found.len()));
    std::thread::scope(|threads| {
        for _ in 0..READERS.min(found.len()) {
            threads.spawn(|| {
                let reader = Reader::new(options.clone());
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = found.get(at) else { break };
                    if stop.is_cancelled() {
                        break;
                    }
                    let place = &placed[file.source];
                    let row = known.get(&(place.source.name.clone(), file.path.clone()));
                    let fresh = read_if_changed(&reader, file, place, row);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((at, fresh));
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    progress(IndexProgress::Reading { done, total: found.len() });
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, fresh)| fresh).collect()
}

pub(super) fn kept_identity(row: &FileRow) -> Result<Option<Identity>, StoreError> {
    Ok(row.identity.as_deref().map(serde_json::from_str).transpose()?)
}

fn note_problem(
    report: &mut IndexReport,
    source: &str,
    path: &str,
    problem: Option<&FileProblem>,
    warnings: &[Oddity],
) {
    report.skipped.extend(problem.map(|problem| Skipped {
        source: source.to_owned(),
        path: path.to_owned(),
        code: problem.code.clone(),
        reason: problem.reason.clone(),
    }));
    report.warnings.extend(warnings.iter().map(|odd| Warning {
        source: source.to_owned(),
        path: path.to_owned(),
        code: odd.code.clone(),
        text: odd.detail().clone(),
    }));
}

/// The file as it is now, unless the catalogue has seen just this content.
fn read_if_changed(
    reader: &Reader,
    file: &FoundFile,
    place: &Placed,
    row: Option<&FileRow>,
) -> Option<Fresh> {
    let placement = Placement::of(&place.source, &place.tenant, &file.path);
    let placed = serde_json::to_string(&placement).unwrap_or_default();
    if let Some(row) = row {
        let same = row.reading == READING_VERSION
            && row.placement == placed
            && hash_file(&file.at).as_deref() == Some(&row.sha256);
        // What kept a file from being read may have been the machine's state and not the file's.
        let permanent = row.problem.as_ref().is_none_or(|problem| lies_in_the_file(&problem.code));
        if same && permanent {
            return None;
        }
    }
    let mut new = NewFile {
        source: place.source.name.clone(),
        path: file.path.clone(),
        sha256: hash_file(&file.at).unwrap_or_default(),
        bytes: 0,
        reading: READING_VERSION,
        placement: placed,
        identity: None,
        problem: None,
        warnings: Vec::new(),
        shared: None,
    };
    match reader.read(&file.at) {
        Ok(content) => {
            let identity = identify(&placement, &content.document);
            new.identity = serde_json::to_string(&identity).ok();
            (new.sha256, new.bytes) = (content.sha256, content.bytes);
            new.warnings.clone_from(&content.document.warnings);
            Some(Fresh { file: new, read: Some((identity, Passages::Of(content.document))) })
        }
        Err(unreadable) => {
            new.problem = Some(FileProblem::of(&unreadable));
            // The same problem with the same content is nothing new.
            let known = row.is_some_and(|row| row.problem == new.problem && row.sha256 == new.sha256);
            (!known).then_some(Fresh { file: new, read: None })
        }
    }
}

fn lies_in_the_file(code: &str) -> bool {
    !matches!(code, "not_found" | "no_access" | "too_slow" | "crashed")
}

fn hash_file(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(sha256_hex)
}

pub(super) fn cut(record: &Record, document: &ReadDocument) -> Vec<NewChunk> {
    if !record.searched {
        return Vec::new();
    }
    let drafts = chunk(document, &record.document.title, record.document.language, &ChunkRules::default());
    let new = |(position, draft): (u32, ChunkDraft)| NewChunk {
        position,
        embedded: embedded_hash(record, &draft.section_path, &draft.text),
        text: draft.text,
        section_path: draft.section_path,
        page: draft.page,
        span: draft.span,
        language: draft.language,
    };
    (0_u32..).zip(drafts).map(new).collect()
}
