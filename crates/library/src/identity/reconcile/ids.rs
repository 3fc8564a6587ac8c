//! One id per document, the same whatever else is in the library, as far as that can be.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use plumbline_core::domain::{DocumentId, Kind};

use super::Collision;
use crate::identity::naming::{is_front_page, stem};
use crate::identity::words::slug;
use crate::identity::{Identity, Role};

/// Gives every document its id, in the order of the documents, and tells which ids were claimed twice.
pub(super) fn assign(identities: &[Identity], order: &[usize]) -> (Vec<DocumentId>, Vec<Collision>) {
    let prefixes = folder_prefixes(identities, order);
    let plain: Vec<String> =
        identities.iter().zip(&prefixes).map(|(identity, prefix)| plain_id(identity, prefix)).collect();
    let mut leaders = order.to_vec();
    // In a folder that stands for a record its front page comes first.
    leaders.sort_by_key(|at| !identities[*at].part.as_deref().is_none_or(is_front_page));

    let mut keeper: HashMap<&str, usize> = HashMap::new();
    for at in leaders {
        keeper.entry(&plain[at]).or_insert(at);
    }
    let mut taken: HashSet<String> = plain.iter().cloned().collect();
    let mut ids = plain.clone();
    for at in order.iter().copied().filter(|at| keeper.get(plain[*at].as_str()) != Some(at)) {
        let first = keeper.get(plain[at].as_str()).map_or(at, |first| *first);
        ids[at] = another_id(&plain[at], &identities[at], &identities[first], &taken);
        taken.insert(ids[at].clone());
    }

    // All parts are slugs, unless someone has changed what was stored.
    let valid = |id: String| DocumentId::new(id.as_str()).or_else(|_| DocumentId::new(slug(&id))).ok();
    let ids: Vec<DocumentId> = ids.into_iter().filter_map(valid).collect();
    let collisions = collisions(identities, order, &ids);
    (ids, collisions)
}

fn plain_id(identity: &Identity, folders: &str) -> String {
    let place = &identity.placement;
    let source = if place.default_source { String::new() } else { format!("{}-", slug(&place.source)) };
    format!("{source}{folders}{}", identity.base_id)
}

/// An id for a document that came second: its own words behind the number, or whatever else tells the two apart.
fn another_id(claimed: &str, identity: &Identity, first: &Identity, taken: &HashSet<String>) -> String {
    let path = identity.placement.path.as_str();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let extension = file[stem(file).len()..].trim_start_matches('.');
    let extension = if extension.is_empty() { "file".to_owned() } else { slug(extension) };
    let beside = first.placement.path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder;
    let mut more = Vec::new();
    if let Some(part) = &identity.part {
        more.push(part.clone());
    } else if identity.number.is_some() {
        more.push(identity.slug.clone());
    }
    if beside {
        more.push(extension);
    } else {
        let folder = slug(folder.rsplit('/').next().unwrap_or(folder));
        more.extend([folder.clone(), format!("{folder}-{extension}")]);
    }
    more.push(slug(path));
    let named = more.into_iter().map(|more| format!("{claimed}-{more}"));
    let counted = (2_u32..).map(|count| format!("{claimed}-{}-{count}", slug(path)));
    named.chain(counted).find(|id| !taken.contains(id)).unwrap_or_else(|| claimed.to_owned())
}

/// Who gave way to whom. Files beside a record in its own folder are its parts and no collision.
fn collisions(identities: &[Identity], order: &[usize], ids: &[DocumentId]) -> Vec<Collision> {
    let mut first: HashMap<(&str, &str), usize> = HashMap::new();
    let mut found = Vec::new();
    for at in order.iter().copied() {
        let (identity, place) = (&identities[at], &identities[at].placement);
        let claimed = identity.base_id.as_str();
        let kept = *first.entry((place.source.as_str(), claimed)).or_insert(at);
        let beside = folder(&identities[kept].placement.path) == folder(&place.path);
        let parts = identity.part.is_some() && identities[kept].part.is_some() && beside;
        let records = [at, kept].iter().any(|at| identities[*at].role == Role::Record);
        if kept != at && !parts && records {
            found.push(Collision {
                claimed: ids.get(kept).map_or(claimed, DocumentId::as_str).to_owned(),
                source: place.source.clone(),
                kept_by: identities[kept].placement.path.clone(),
                other: place.path.clone(),
                given: ids[at].clone(),
            });
        }
    }
    found
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder that a record is numbered in: its own folder does not count.
fn home(identity: &Identity) -> &str {
    let folder_of = folder(&identity.placement.path);
    if identity.part.is_some() { folder(folder_of) } else { folder_of }
}

fn is_numbered(identity: &Identity) -> bool {
    identity.role == Role::Record && matches!(identity.kind, Kind::Adr | Kind::Dar | Kind::Principle)
}

/// Where folders side by side number the same kind of record anew, every one but the first goes by its name, with all
/// that lies in it. Returns the prefix of each document.
fn folder_prefixes(identities: &[Identity], order: &[usize]) -> Vec<String> {
    // Per source and kind of record: the folders, and who claims an id from where.
    let mut homes: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut claims: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for at in order.iter().copied().filter(|at| is_numbered(&identities[*at])) {
        let identity = &identities[at];
        let source = identity.placement.source.as_str();
        homes.entry((source, identity.numbered_kind().id_prefix())).or_default().insert(home(identity));
        claims.entry((source, identity.base_id.as_str())).or_default().insert(home(identity));
    }
    // Folders whose children collide: (source, prefix of the kind, folder).
    let mut split: BTreeSet<(&str, &str, String)> = BTreeSet::new();
    for ((source, id), from) in &claims {
        let kind = id.split('-').next().unwrap_or_default();
        let from: Vec<&str> = from.iter().copied().collect();
        for pair in from.windows(2) {
            split.insert((source, kind, common(pair[0], pair[1])));
        }
    }
    // The children that carry their name: (source, folder, child).
    let mut named: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for (source, kind, parent) in &split {
        let Some(homes) = homes.get(&(*source, *kind)) else { continue };
        let children: BTreeSet<&str> = homes.iter().filter_map(|home| child(parent, home)).collect();
        named.extend(children.into_iter().skip(1).map(|child| (*source, parent.as_str(), child)));
    }
    identities
        .iter()
        .map(|identity| {
            let place = &identity.placement;
            let mut names: Vec<(usize, &str)> = named
                .iter()
                .filter(|(source, parent, name)| {
                    *source == place.source && child(parent, folder(&place.path)) == Some(name)
                })
                .map(|(_, parent, name)| (parent.len(), *name))
                .collect();
            names.sort_unstable();
            names.into_iter().map(|(_, name)| format!("{}-", slug(name))).collect()
        })
        .collect()
}

/// The folder that two folders share.
fn common(a: &str, b: &str) -> String {
    let shared = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).map(|(a, _)| a);
    shared.collect::<Vec<_>>().join("/")
}

/// The folder below `parent` that leads to `path`; empty for `parent` itself, none for what lies elsewhere.
fn child<'p>(parent: &str, path: &'p str) -> Option<&'p str> {
    let rest = match parent {
        "" => path,
        parent if path == parent => "",
        parent => path.strip_prefix(parent)?.strip_prefix('/')?,
    };
    Some(rest.split('/').next().unwrap_or_default())
}
