use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use rusqlite::Connection;
use thiserror::Error;

use crate::manifest::{LibraryManifest, ManifestError, Source};
use crate::store::StoreError;
use crate::store::team::{self, TeamLibrary};

const MANIFEST: &str = "library.toml";

/// Why a folder cannot be part of the library.
#[derive(Debug, Error)]
pub enum OriginError {
    /// It is not there.
    Missing(PathBuf),
    /// It is neither a folder nor a manifest.
    NotALibrary(PathBuf),
    /// Its manifest cannot be used.
    Manifest(ManifestError),
    /// The library on disk would not.
    Store(StoreError),
}

impl OriginError {
    /// What is wrong and what to do, as it is told in any language.
    pub fn detail(&self) -> Detail {
        let of = |message, path: &Path| Detail::of(message, [("path", path.display().to_string().into())]);
        match self {
            Self::Missing(path) => of(Message::IndexNoOrigin, path),
            Self::NotALibrary(path) => of(Message::IndexNoLibrary, path),
            Self::Manifest(problem) => problem.detail(),
            Self::Store(problem) => problem.detail(),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

impl From<ManifestError> for OriginError {
    fn from(problem: ManifestError) -> Self {
        Self::Manifest(problem)
    }
}

impl From<StoreError> for OriginError {
    fn from(problem: StoreError) -> Self {
        Self::Store(problem)
    }
}

/// A source with what its manifest says of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub source: Source,
    pub tenant: String,
    /// Files and folders inside that are no documents: memory, vocabularies, the manifest itself.
    pub apart: Vec<PathBuf>,
    /// Whether its folder is there. The documents of a disk that is not plugged in are kept.
    pub present: bool,
    /// Whether it belongs to a library that others publish, and no folder is to be expected.
    pub shared: bool,
}

/// All that the library is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origins {
    pub placed: Vec<Placed>,
    pub as_of: Option<Date>,
    pub memory: Vec<PathBuf>,
}

/// The folder or manifest that a path means.
pub(crate) fn resolve(path: &Path) -> Result<PathBuf, OriginError> {
    let path = std::fs::canonicalize(path).map_err(|_| OriginError::Missing(path.to_owned()))?;
    if path.is_dir() {
        let manifest = path.join(MANIFEST);
        return Ok(if manifest.is_file() { manifest } else { path });
    }
    if path.file_name().is_some_and(|name| name == MANIFEST) {
        return Ok(path);
    }
    Err(OriginError::NotALibrary(path))
}

/// The origins as they were added.
pub(crate) fn known(connection: &Connection) -> Result<Vec<PathBuf>, StoreError> {
    let mut statement = connection.prepare("SELECT path FROM origin ORDER BY position")?;
    let paths = statement.query_map([], |row| Ok(PathBuf::from(row.get::<_, String>(0)?)))?;
    Ok(paths.collect::<Result<_, _>>()?)
}

pub(crate) fn add(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    connection.execute(
        "INSERT OR IGNORE INTO origin SELECT ?1, coalesce(max(position), 0) + 1 FROM origin",
        [path.to_string_lossy()],
    )?;
    Ok(())
}

/// Takes an origin out; whether it was one.
pub(crate) fn remove(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let manifest = path.join(MANIFEST);
    let removed = connection.execute(
        "DELETE FROM origin WHERE path IN (?1, ?2)",
        [path.to_string_lossy(), manifest.to_string_lossy()],
    )?;
    Ok(removed > 0)
}

/// Reads what the origins consist of now. Behind them stand the libraries that are followed: what is one's own comes first.
pub(crate) fn expand(
    paths: &[PathBuf],
    followed: &BTreeMap<String, TeamLibrary>,
) -> Result<Origins, OriginError> {
    let mut origins = Origins::default();
    for path in paths {
        let one = expand_one(path)?;
        origins.as_of = origins.as_of.or(one.as_of);
        origins.memory.extend(one.memory);
        origins.placed.extend(one.placed);
    }
    make_names_unique(&mut origins.placed, team::names(followed));
    origins.placed.extend(followed.values().flat_map(of_team));
    choose_default(&mut origins.placed);
    Ok(origins)
}

/// The sources of a followed library.
fn of_team(library: &TeamLibrary) -> impl Iterator<Item = Placed> {
    library.sources.iter().map(|source| Placed {
        source: Source {
            name: source.here.clone(),
            default: false,
            path: PathBuf::from(&library.address),
            folders: Vec::new(),
            rules: Vec::new(),
        },
        tenant: String::new(),
        apart: Vec::new(),
        present: false,
        shared: true,
    })
}

/// What one origin consists of, by the names that it would have alone.
fn expand_one(path: &Path) -> Result<Origins, OriginError> {
    if path.file_name().is_some_and(|name| name == MANIFEST) {
        if !path.is_file() {
            return Err(OriginError::Missing(path.to_owned()));
        }
        let manifest = LibraryManifest::read(path)?;
        let own = [path.to_owned()];
        let apart: Vec<PathBuf> =
            manifest.memory.iter().chain(&manifest.vocabularies).chain(&own).cloned().collect();
        let placed = manifest.sources.into_iter().map(|source| {
            let present = source.path.is_dir();
            Placed { source, tenant: manifest.tenant.clone(), apart: apart.clone(), present, shared: false }
        });
        let placed = placed.collect();
        return Ok(Origins { placed, as_of: manifest.as_of, memory: manifest.memory.into_iter().collect() });
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let source = Source {
        name: name_like(name.as_deref().unwrap_or("library")),
        default: false,
        path: path.to_owned(),
        folders: Vec::new(),
        rules: Vec::new(),
    };
    let tenant = crate::store::audience::DEFAULT_TENANT.to_owned();
    let placed = vec![Placed { source, tenant, apart: Vec::new(), present: path.is_dir(), shared: false }];
    Ok(Origins { placed, ..Origins::default() })
}

/// What each origin consists of now; nothing for one that cannot be read. The names are not those of followed libraries.
pub(crate) fn expand_each(paths: &[PathBuf], taken: BTreeSet<String>) -> Vec<Vec<Placed>> {
    let parts: Vec<Vec<Placed>> =
        paths.iter().map(|path| expand_one(path).map(|origins| origins.placed).unwrap_or_default()).collect();
    let lengths: Vec<usize> = parts.iter().map(Vec::len).collect();
    let mut placed: Vec<Placed> = parts.into_iter().flatten().collect();
    make_names_unique(&mut placed, taken);
    let mut placed = placed.into_iter();
    lengths.into_iter().map(|length| placed.by_ref().take(length).collect()).collect()
}

/// Names are made distinct, from each other and from what is taken already.
fn make_names_unique(placed: &mut [Placed], mut taken: BTreeSet<String>) {
    for place in placed.iter_mut() {
        place.source.name = free_name(&place.source.name, &taken);
        taken.insert(place.source.name.clone());
    }
}

/// The name itself, or with a number where it is taken.
pub(super) fn free_name(plain: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2_u32..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Exactly one source is the default: the declared one, else the first.
fn choose_default(placed: &mut [Placed]) {
    let default = placed.iter().position(|place| place.source.default).unwrap_or(0);
    for (at, place) in placed.iter_mut().enumerate() {
        place.source.default = at == default;
    }
}

fn name_like(folder: &str) -> String {
    let words: Vec<String> = folder
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if words.is_empty() { "library".to_owned() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;
    use crate::indexer::IndexError;

    #[test]
    fn folders_without_a_manifest_get_names_of_their_own_and_the_first_is_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> =
            ["a/Our ADRs", "b/Our ADRs", "c"].iter().map(|path| folder.path().join(path)).collect();
        paths.iter().for_each(|path| std::fs::create_dir_all(path).unwrap());
        let origins = expand(&paths, &BTreeMap::new()).unwrap();
        let named: Vec<(&str, bool)> =
            origins.placed.iter().map(|place| (place.source.name.as_str(), place.source.default)).collect();
        assert_eq!(named, [("our-adrs", true), ("our-adrs-2", false), ("c", false)]);
    }

    #[test]
    fn a_path_is_a_folder_a_manifest_or_a_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        assert_eq!(resolve(&root).unwrap(), root);
        std::fs::write(root.join("note.md"), "x").unwrap();
        assert!(matches!(resolve(&root.join("note.md")), Err(OriginError::NotALibrary(_))));
        assert!(matches!(resolve(&root.join("gone")), Err(OriginError::Missing(_))));
        for mistake in ["note.md", "gone"] {
            let problem = IndexError::from(resolve(&root.join(mistake)).unwrap_err());
            assert_dutch(&problem.detail().text(Language::NL));
        }
        std::fs::write(root.join(MANIFEST), "[library]\nname = \"x\"\n").unwrap();
        assert_eq!(resolve(&root).unwrap(), root.join(MANIFEST), "a folder's own manifest counts");
    }
}
