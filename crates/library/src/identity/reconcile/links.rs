//! Which document a reference means.

use std::collections::HashMap;

use plumbline_core::domain::Kind;

use crate::identity::naming::{is_front_page, stem};
use crate::identity::{Identity, RecordRef, Role, WhyUnresolved};

/// Finds documents by their path or number, as seen from another document.
pub(super) struct Finder<'i> {
    identities: &'i [Identity],
    by_path: HashMap<(&'i str, &'i str), usize>,
    by_number: HashMap<(&'i str, Kind, u32), Vec<usize>>,
    /// By the name of the file without its ending, with and without the folder around it.
    by_tail: HashMap<(&'i str, String), Vec<usize>>,
}

impl<'i> Finder<'i> {
    pub(super) fn new(identities: &'i [Identity], order: &[usize]) -> Self {
        let mut finder =
            Self { identities, by_path: HashMap::new(), by_number: HashMap::new(), by_tail: HashMap::new() };
        for at in order.iter().copied() {
            let identity = &identities[at];
            let (source, path) = (identity.placement.source.as_str(), identity.placement.path.as_str());
            finder.by_path.insert((source, path), at);
            let (folder, name) = page(path);
            finder.by_tail.entry((source, name.to_owned())).or_default().push(at);
            if let Some(folder) = folder {
                finder.by_tail.entry((source, format!("{folder}/{name}"))).or_default().push(at);
            }
            if let Some((folder, file)) = path.rsplit_once('/')
                && is_front_page(stem(file))
            {
                finder.by_path.entry((source, folder)).or_insert(at);
            }
            if let Some(number) = identity.number.filter(|_| identity.role == Role::Record) {
                finder.by_number.entry((source, identity.kind, number)).or_default().push(at);
            }
        }
        finder
    }

    /// The document that a reference means, or why there is none.
    pub(super) fn find(&self, from: usize, reference: &RecordRef) -> Result<usize, WhyUnresolved> {
        let here = &self.identities[from].placement;
        if let Some(path) = &reference.path {
            let with_extension = [path.clone(), format!("{path}.md")];
            let found = with_extension
                .iter()
                .find_map(|path| self.by_path.get(&(here.source.as_str(), path.as_str())));
            if let Some(at) = found {
                return Ok(*at);
            }
        }
        if let Some(at) = reference.address.as_deref().and_then(|address| self.addressed(from, address)) {
            return Ok(at);
        }
        let Some(number) = reference.number else {
            return Err(WhyUnresolved::NoFile);
        };
        let own = self.identities[from].numbered_kind();
        self.numbered(from, reference.kind.unwrap_or(own), number)
    }

    /// The document that a page of a site, or a file in a repository on the web, is: by folder and name, or by the name of a file
    /// alone where that tells it apart.
    fn addressed(&self, from: usize, address: &str) -> Option<usize> {
        let source = self.identities[from].placement.source.as_str();
        let (folder, name) = page(address.trim_end_matches('/'));
        let only = |tail: String| match self.by_tail.get(&(source, tail)).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        };
        let by_folder = folder.and_then(|folder| only(format!("{folder}/{name}")));
        let is_file = stem(address) != address && name.contains(['-', '_']);
        by_folder.or_else(|| only(name.to_owned()).filter(|_| is_file))
    }

    /// The record with an approval record's own number; where there are no numbers, the one of its name or title.
    pub(super) fn record_of(&self, approval: usize) -> Option<usize> {
        let own = &self.identities[approval];
        let kind = own.numbered_kind();
        if let Some(number) = own.number {
            return self.numbered(approval, kind, number).ok();
        }
        let is_record = |other: &Identity| {
            other.kind == kind && other.role == Role::Record && other.placement.source == own.placement.source
        };
        let all: Vec<usize> =
            (0..self.identities.len()).filter(|at| is_record(&self.identities[*at])).collect();
        let named = |same: &dyn Fn(&Identity) -> bool| {
            let fitting: Vec<usize> = all.iter().copied().filter(|at| same(&self.identities[*at])).collect();
            self.nearest(approval, &fitting).ok()
        };
        named(&|other| other.slug == own.slug).or_else(|| named(&|other| own.title.ends_with(&other.title)))
    }

    /// By number: the nearest folder goes first, as several may number alike.
    fn numbered(&self, from: usize, kind: Kind, number: u32) -> Result<usize, WhyUnresolved> {
        let source = self.identities[from].placement.source.as_str();
        self.nearest(from, self.by_number.get(&(source, kind, number)).map_or(&[][..], Vec::as_slice))
    }

    fn nearest(&self, from: usize, all: &[usize]) -> Result<usize, WhyUnresolved> {
        let here = &self.identities[from].placement;
        let shared = |at: usize| {
            let parts = here.path.split('/').zip(self.identities[at].placement.path.split('/'));
            parts.take_while(|(a, b)| a == b).count()
        };
        let nearest = all.iter().map(|at| shared(*at)).max().unwrap_or_default();
        let nearest: Vec<usize> = all.iter().copied().filter(|at| shared(*at) == nearest).collect();
        match nearest.as_slice() {
            [only] => Ok(*only),
            [] => Err(WhyUnresolved::NoRecord),
            _ => Err(WhyUnresolved::SeveralRecords),
        }
    }
}

/// A path's last folder and name, without an ending; a page that stands for its folder goes by that.
fn page(path: &str) -> (Option<&str>, &str) {
    let slash = path.rfind('/');
    let name = stem(&path[slash.map_or(0, |at| at + 1)..]);
    match slash {
        Some(slash) if is_front_page(name) => page(&path[..slash]),
        Some(slash) => (path[..slash].rsplit('/').next(), name),
        None => (None, name),
    }
}
