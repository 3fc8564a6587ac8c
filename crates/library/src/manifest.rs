use std::fmt;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use serde::Deserialize;
use thiserror::Error;

/// Why a `library.toml` could not be used.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It could not be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no valid manifest.
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        detail: String,
    },
    /// It contradicts itself.
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// What does not fit, and what to do.
        detail: Detail,
    },
}

impl ManifestError {
    /// What is wrong and where, as it is told in any language; what a system or a parser said stays as it is.
    pub fn detail(&self) -> Detail {
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::Unreadable { path, source } => Detail::about(shown(path), source.to_string()),
            Self::Invalid { path, line, detail } => Detail::at_line(shown(path), line, detail.as_str()),
            Self::Inconsistent { path, detail } => Detail::about(shown(path), detail.clone()),
        }
    }
}

/// As logs and the terminal have it: in English.
impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

/// What a library consists of. Paths are resolved against the manifest's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryManifest {
    /// Its name.
    pub name: String,
    /// The day that is "today" in it, where it fixes one.
    pub as_of: Option<Date>,
    /// The tenant of its documents.
    pub tenant: String,
    /// The file that says who owns which topic.
    pub owners: Option<PathBuf>,
    /// The folder of curated memory.
    pub memory: Option<PathBuf>,
    /// Files and folders of vocabularies, in order of authority.
    pub vocabularies: Vec<PathBuf>,
    /// Where its documents come from.
    pub sources: Vec<Source>,
}

/// A tree of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name; ids of all but the default source carry it.
    pub name: String,
    /// Whether its ids go without a prefix.
    pub default: bool,
    /// Where it lies.
    pub path: PathBuf,
    /// What its folders hold.
    pub folders: Vec<FolderRule>,
    /// What single files or patterns deviate in.
    pub rules: Vec<PathRule>,
}

/// What a folder of a source holds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderRule {
    /// The folder, relative to the source.
    pub path: String,
    /// The collection that its documents belong to.
    pub collection: String,
    /// Topic tags that all of them get.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Access tags that all of them get.
    #[serde(default)]
    pub access_tags: Vec<String>,
    /// The owner of those that name none.
    pub owner: Option<String>,
    /// The tenant, where it is another than the library's.
    pub tenant: Option<String>,
}

/// What files that match a pattern deviate in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRule {
    /// The pattern, relative to the source.
    #[serde(rename = "match")]
    pub pattern: String,
    /// Access tags that they get.
    #[serde(default)]
    pub access_tags: Vec<String>,
    /// Topic tags that they get.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Their owner.
    pub owner: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    library: WrittenLibrary,
    #[serde(default)]
    source: Vec<WrittenSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLibrary {
    name: String,
    as_of: Option<Date>,
    tenant: Option<String>,
    owners: Option<PathBuf>,
    memory: Option<PathBuf>,
    #[serde(default)]
    vocabularies: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSource {
    name: String,
    #[serde(default)]
    default: bool,
    path: PathBuf,
    #[serde(default)]
    folder: Vec<FolderRule>,
    #[serde(default)]
    rule: Vec<PathRule>,
}

impl LibraryManifest {
    /// Reads a manifest file.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ManifestError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(path, &text)
    }

    /// Reads the text of a manifest that lies at `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ManifestError> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            ManifestError::Invalid {
                path: path.to_owned(),
                line: text[..before].matches('\n').count() + 1,
                detail: error.message().to_owned(),
            }
        })?;
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        let manifest = Self {
            name: written.library.name,
            as_of: written.library.as_of,
            tenant: written.library.tenant.unwrap_or_else(|| "default".to_owned()),
            owners: written.library.owners.map(|owners| folder.join(owners)),
            memory: written.library.memory.map(|memory| folder.join(memory)),
            vocabularies: written.library.vocabularies.iter().map(|path| folder.join(path)).collect(),
            sources: written
                .source
                .into_iter()
                .map(|source| Source {
                    name: source.name,
                    default: source.default,
                    path: folder.join(source.path),
                    folders: source.folder,
                    rules: source.rule,
                })
                .collect(),
        };
        manifest.check(path)?;
        Ok(manifest)
    }

    fn check(&self, path: &Path) -> Result<(), ManifestError> {
        let inconsistent =
            |detail: Detail| Err(ManifestError::Inconsistent { path: path.to_owned(), detail });
        let named = |message, name: &str| Detail::of(message, [("name", name.into())]);
        for (at, source) in self.sources.iter().enumerate() {
            let named_well = !source.name.is_empty()
                && source.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            if !named_well {
                return inconsistent(named(Message::IndexSourceName, &source.name));
            }
            if self.sources[..at].iter().any(|other| other.name == source.name) {
                return inconsistent(named(Message::IndexSourceTwice, &source.name));
            }
        }
        for rule in self.sources.iter().flat_map(|source| &source.rules) {
            if let Err(error) = globset::Glob::new(&rule.pattern) {
                let values =
                    [("pattern", rule.pattern.as_str().into()), ("detail", error.kind().to_string().into())];
                return inconsistent(Detail::of(Message::IndexPattern, values));
            }
        }
        if self.sources.iter().filter(|source| source.default).count() > 1 {
            return inconsistent(Message::IndexSeveralDefaults.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    fn parse(text: &str) -> Result<LibraryManifest, ManifestError> {
        LibraryManifest::parse(Path::new("team/library.toml"), text)
    }

    #[test]
    fn the_sample_librarys_manifest_is_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/library.toml");
        let manifest = LibraryManifest::read(&path).unwrap();
        assert_eq!(manifest.as_of, Some(Date::constant(2026, 6, 30)));
        assert!(manifest.vocabularies[0].is_dir() && manifest.memory.unwrap().is_dir());
        assert!(manifest.owners.unwrap().is_file());
        let source = &manifest.sources[0];
        assert!(source.default);
        let collections: Vec<_> = source.folders.iter().map(|folder| folder.collection.as_str()).collect();
        assert_eq!(collections, ["ADR", "Principle", "Policy"]);
        assert_eq!(source.rules[0].access_tags, ["security"], "the restricted policy stays restricted");
    }

    #[test]
    fn a_mistake_names_file_line_and_key() {
        let error = parse("[library]\nname = \"x\"\ntenent = \"y\"\n").unwrap_err().to_string();
        assert!(error.contains("library.toml, line 3") && error.contains("tenent"), "{error}");
        let error = parse("[library]\nname = \"x\"\nas_of = \"yesterday\"\n").unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_named() {
        let rule = "[library]\nname = \"x\"\n[[source]]\nname = \"a\"\npath = \".\"\n[[source.rule]]\nmatch = \"a/[b.md\"\n";
        let problem = parse(rule).unwrap_err();
        assert!(problem.to_string().contains("`a/[b.md`"), "a rule that never matches would protect nothing");
        assert_dutch(&problem.detail().text(Language::NL));
    }

    #[test]
    fn two_sources_cannot_share_a_name_or_both_be_the_default() {
        let source = |name: &str| format!("[[source]]\nname = \"{name}\"\ndefault = true\npath = \".\"\n");
        let twice = |a, b| format!("[library]\nname = \"x\"\n{}{}", source(a), source(b));
        assert!(parse(&twice("a", "a")).unwrap_err().to_string().contains("two sources are named `a`"));
        assert!(parse(&twice("a", "b")).unwrap_err().to_string().contains("at most one"));
        let misnamed = "[library]\nname = \"x\"\n[[source]]\nname = \"a b\"\npath = \".\"\n";
        for wrong in [twice("a", "a"), twice("a", "b"), misnamed.to_owned()] {
            assert_dutch(&parse(&wrong).unwrap_err().detail().text(Language::NL));
        }
    }
}
