//! Curated memory on its way to others.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

use super::Export;
use crate::library::Library;
use crate::memory::{MemoryEntry, MemoryKind, Pointer};
use crate::store::StoreError;
use crate::store::snapshot::Snapshot;
use crate::store::team;

/// An entry of curated memory as it is published. Documents are named by their digests, since their ids may differ from one
/// library to the next; and so it says which wording of them it was written for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedEntry {
    /// Where the publisher keeps it.
    pub path: String,
    /// What it does.
    pub kind: MemoryKind,
    /// The question or the note's title.
    pub title: String,
    /// What a question is compared with.
    pub phrasings: Vec<String>,
    /// What it points at.
    pub pointers: Vec<SharedPointer>,
    /// What the curator wrote.
    pub text: String,
}

/// A document, or a section of it, that a published entry points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedPointer {
    /// The document's digest.
    pub document: String,
    /// A heading in it; all of it where absent.
    pub section: Option<String>,
}

/// Whose documents: tenant and access tags.
type Audience = (String, Vec<String>);

/// Puts the entries that still hold on the shelves of what they point at; how many fit on none.
pub(super) async fn put_on_shelves(library: &Library, export: &mut Export) -> Result<usize, StoreError> {
    let mut places: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    for (at, shelf) in export.shelves.iter().enumerate() {
        for document in &shelf.documents {
            let id = export.snapshot.held[document.at].document.id.as_str();
            places.insert(id, (document.digest.as_str(), at));
        }
    }
    let (entries, _) = library.memory(&library.memory_folders()?).await?;
    let (mut put, mut left_out) = (Vec::new(), 0);
    for entry in entries.into_iter().filter(|status| status.retired.is_none()).map(|status| status.entry) {
        // Those of libraries that are followed are for their own publisher to publish.
        if entry.library.is_some() {
            continue;
        }
        let pointed = entry.pointers.iter().map(|pointer| places.get(pointer.id.as_str()).copied());
        let pointed: Option<Vec<(&str, usize)>> = pointed.collect();
        let shelf = pointed.as_ref().and_then(|pointed| {
            let audience = |at: usize| -> Audience {
                (export.shelves[at].tenant.clone(), export.shelves[at].access_tags.clone())
            };
            narrowest(pointed.iter().map(|(_, at)| (*at, audience(*at))))
        });
        let (Some(pointed), Some(shelf)) = (pointed, shelf) else {
            left_out += 1;
            continue;
        };
        let pointers = entry.pointers.into_iter().zip(pointed);
        put.push((
            shelf,
            SharedEntry {
                path: entry.path,
                kind: entry.kind,
                title: entry.title,
                phrasings: entry.phrasings,
                pointers: pointers
                    .map(|(pointer, (digest, _))| SharedPointer {
                        document: digest.to_owned(),
                        section: pointer.section,
                    })
                    .collect(),
                text: entry.text,
            },
        ));
    }
    for (shelf, entry) in put {
        export.shelves[shelf].entries.push(entry);
    }
    Ok(left_out)
}

/// The shelf whose readers see everything on all of these: the one with tags beside those without; none where two have
/// different tags or tenants, since what an entry says of one is not for the readers of the other.
fn narrowest(shelves: impl Iterator<Item = (usize, Audience)>) -> Option<usize> {
    let by_audience: BTreeMap<Audience, usize> = shelves.map(|(at, audience)| (audience, at)).collect();
    let tenants: BTreeSet<&String> = by_audience.keys().map(|(tenant, _)| tenant).collect();
    let tagged: Vec<usize> =
        by_audience.iter().filter(|((_, tags), _)| !tags.is_empty()).map(|(_, at)| *at).collect();
    match (tenants.len(), tagged.as_slice()) {
        (1, []) => by_audience.values().next().copied(),
        (1, [only]) => Some(*only),
        _ => None,
    }
}

/// The entries of libraries that are followed, pointing at what is here. One that points at something that did not arrive is
/// left out: it may not be read here.
pub(crate) fn followed_entries(snapshot: &Snapshot) -> Result<Vec<MemoryEntry>, StoreError> {
    let mut entries = Vec::new();
    for library in snapshot.team.values().filter(|library| !library.entries.is_empty()) {
        let held = snapshot.read(|at| team::held(at, &library.address))?;
        let id_of = |digest: &String| Some(snapshot.held_in(*held.get(digest)?)?.document.id.to_string());
        for shared in &library.entries {
            let pointers = shared.pointers.iter().map(|pointer| {
                Some(Pointer { id: id_of(&pointer.document)?, section: pointer.section.clone() })
            });
            let Some(pointers) = pointers.collect::<Option<Vec<Pointer>>>() else { continue };
            entries.push(MemoryEntry {
                path: format!("{}/{}", library.address.trim_end_matches('/'), shared.path),
                sha256: sha256_hex(serde_json::to_string(shared)?),
                kind: shared.kind,
                title: shared.title.clone(),
                phrasings: shared.phrasings.clone(),
                pointers,
                text: shared.text.clone(),
                library: Some(library.address.clone()),
            });
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audience(tenant: &str, tags: &[&str]) -> Audience {
        (tenant.to_owned(), tags.iter().map(|tag| (*tag).to_owned()).collect())
    }

    #[test]
    fn an_entry_goes_where_everybody_sees_all_that_it_points_at() {
        let (open, board, legal) = (audience("a", &[]), audience("a", &["board"]), audience("a", &["legal"]));
        let shelf = |audiences: &[&Audience]| {
            narrowest(audiences.iter().enumerate().map(|(at, audience)| (at, (*audience).clone())))
        };
        assert_eq!(shelf(&[&open, &open]), Some(1));
        assert_eq!(shelf(&[&open, &board, &open]), Some(1));
        assert_eq!(shelf(&[&board, &legal]), None, "who reads of the one need not read of the other");
        assert_eq!(shelf(&[&open, &audience("b", &[])]), None, "nor of another tenant");
    }
}
