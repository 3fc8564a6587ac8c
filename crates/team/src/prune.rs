//! Taking away what nobody reads any more: old generations, then files that none of the rest names.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::format::{
    GENERATIONS, Generation, Manifest, SHELVES, generation_name, listing_name, manifest_name, numbers,
    outline_name, part_name, piece_name, vocabulary_name,
};
use crate::in_place::pieces_of;
use crate::publish::LEFTOVERS_USED;
use crate::{Remote, TeamError};

/// What is kept: the newest generations, and those that readers may still be busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// So many, however old they are. The newest is always kept.
    pub count: usize,
    /// All that are younger than this. Files that no generation names are kept as long, too, for somebody may just be publishing.
    pub age: SignedDuration,
}

impl Default for Keep {
    /// The newest three, and all of two weeks.
    fn default() -> Self {
        Self { count: 3, age: SignedDuration::from_hours(14 * 24) }
    }
}

/// What was taken away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PruneReport {
    /// Generations.
    pub generations: usize,
    /// Files of shelves.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Takes away what is not to be kept. Where what is kept cannot be read, nothing is.
pub async fn prune(remote: &Remote, keep: Keep, now: Timestamp) -> Result<PruneReport, TeamError> {
    let known = numbers(remote).await?;
    let newest = known.len().saturating_sub(keep.count.max(1));
    let mut named = BTreeSet::new();
    let mut past = Vec::new();
    for (at, number) in known.iter().enumerate() {
        let generation = match Generation::read(remote, *number).await {
            // One that is damaged names nothing, and is of use to nobody.
            Err(TeamError::Broken { .. }) if at < newest => {
                past.push(*number);
                continue;
            }
            read => read?,
        };
        let published: Option<Timestamp> = generation.published_at.parse().ok();
        let young = published.is_none_or(|published| now.duration_since(published) < keep.age);
        if at < newest && !young {
            past.push(*number);
            continue;
        }
        for shelf in &generation.shelves {
            named.insert(manifest_name(&shelf.id, &shelf.manifest));
            let manifest = Manifest::read(remote, *number, shelf).await?;
            named.extend(manifest.parts.iter().map(|part| part_name(&shelf.id, &part.sha256)));
            let vocabularies = manifest.vocabularies.iter();
            named.extend(vocabularies.map(|file| vocabulary_name(&shelf.id, &file.sha256)));
            if let Some(files) = &manifest.in_place {
                let (listing, _) = files.listing(remote, *number, &shelf.id).await?;
                named.insert(listing_name(&shelf.id, &files.listing));
                named.extend(files.outlines.iter().map(|part| outline_name(&shelf.id, &part.sha256)));
                named.extend(pieces_of(&listing).keys().map(|piece| piece_name(&shelf.id, piece)));
            }
        }
    }
    let mut report = PruneReport::default();
    for number in past {
        remote.delete(&generation_name(number)).await?;
        report.generations += 1;
    }
    // A publisher that was interrupted uses what it left for a while, and may be on its way to name it.
    let grace = keep.age.max(LEFTOVERS_USED * 2);
    for entry in remote.list(SHELVES).await? {
        let old = entry.modified.is_some_and(|at| now.duration_since(at) >= grace);
        if old && !named.contains(&entry.name) {
            remote.delete(&entry.name).await?;
            report.files += 1;
            report.bytes += entry.bytes;
        }
    }
    for entry in remote.list(GENERATIONS).await? {
        let old = entry.modified.is_some_and(|at| now.duration_since(at) >= grace);
        if old && !entry.name.ends_with(".json") {
            remote.delete(&entry.name).await?;
            report.files += 1;
        }
    }
    Ok(report)
}
