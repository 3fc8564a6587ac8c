//! Where a file lies and what the library's manifest says of it.

use std::path::{Component, Path};

use globset::GlobBuilder;
use serde::{Deserialize, Serialize};

use crate::manifest::{FolderRule, Source};

/// Where a file lies and what the manifest says of files there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The source's name.
    pub source: String,
    /// The name of its folder, with the one around it: "docs" alone tells nothing.
    #[serde(default)]
    pub origin: String,
    /// Whether the source's ids go without its name.
    pub default_source: bool,
    /// The path relative to the source, with `/` between folders.
    pub path: String,
    /// The collection that the folder is mapped to.
    pub collection: Option<String>,
    /// Topic tags of folder and rules.
    pub tags: Vec<String>,
    /// Access tags of folder and rules.
    pub access_tags: Vec<String>,
    /// Whose document it is.
    pub tenant: String,
    /// The owner of documents that name none.
    pub owner: Option<String>,
}

impl Placement {
    /// Applies a source's folders and rules to a path. The innermost folder counts; of the rules, all that match.
    pub fn of(source: &Source, tenant: &str, path: &str) -> Self {
        let mut placement = Self {
            source: source.name.clone(),
            origin: origin(&source.path),
            default_source: source.default,
            path: path.to_owned(),
            tenant: tenant.to_owned(),
            ..Self::default()
        };
        if let Some(folder) = source.folder_of(path) {
            placement.collection = Some(folder.collection.clone());
            placement.tags = folder.tags.clone();
            placement.access_tags = folder.access_tags.clone();
            placement.owner = folder.owner.clone();
            if let Some(tenant) = &folder.tenant {
                placement.tenant = tenant.clone();
            }
        }
        for rule in source.rules.iter().filter(|rule| matches(&rule.pattern, path)) {
            add(&mut placement.tags, &rule.tags);
            add(&mut placement.access_tags, &rule.access_tags);
            if rule.owner.is_some() {
                placement.owner = rule.owner.clone();
            }
        }
        placement
    }
}

fn origin(path: &Path) -> String {
    let mut names: Vec<String> = path
        .components()
        .rev()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .take(2)
        .collect();
    names.reverse();
    names.join("/")
}

impl Source {
    /// Whether a file is part of the source: in one of its folders, where it names any, else anywhere.
    pub fn covers(&self, path: &str) -> bool {
        self.folders.is_empty() || self.folder_of(path).is_some()
    }

    fn folder_of(&self, path: &str) -> Option<&FolderRule> {
        let holding = self.folders.iter().filter_map(|folder| {
            let root = folder.path.trim_start_matches("./").trim_matches('/');
            let root = if root == "." { "" } else { root };
            let inside = root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
            inside.then_some((root.len(), folder))
        });
        holding.max_by_key(|(len, _)| *len).map(|(_, folder)| folder)
    }
}

/// Whether a path matches a pattern, in which `*` stays within a folder and `**` does not.
fn matches(pattern: &str, path: &str) -> bool {
    let glob = GlobBuilder::new(pattern.trim_start_matches("./")).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

/// Adds what is not there yet.
pub(super) fn add(to: &mut Vec<String>, more: &[String]) {
    for item in more {
        if !to.contains(item) {
            to.push(item.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::manifest::LibraryManifest;

    const MANIFEST: &str = r#"
[library]
name = "x"
tenant = "north"
[[source]]
name = "a"
default = true
path = "."
[[source.folder]]
path = "docs/"
collection = "Document"
owner = "Board"
tags = ["all"]
[[source.folder]]
path = "./docs/adr"
collection = "ADR"
tenant = "south"
[[source.rule]]
match = "docs/*.md"
tags = ["all", "top"]
[[source.rule]]
match = "**/secret-*.md"
access_tags = ["security"]
owner = "Guard"
"#;

    fn placed(path: &str) -> Placement {
        let manifest = LibraryManifest::parse(Path::new("library.toml"), MANIFEST).unwrap();
        Placement::of(&manifest.sources[0], &manifest.tenant, path)
    }

    #[test]
    fn the_innermost_folder_and_every_matching_rule_count() {
        let top = placed("docs/a.md");
        assert_eq!((top.collection.as_deref(), top.tenant.as_str()), (Some("Document"), "north"));
        assert_eq!(
            (top.tags, top.owner.as_deref()),
            (vec!["all".to_owned(), "top".to_owned()], Some("Board"))
        );
        let adr = placed("docs/adr/secret-x.md");
        assert_eq!((adr.collection.as_deref(), adr.tenant.as_str()), (Some("ADR"), "south"));
        assert_eq!((adr.access_tags, adr.owner.as_deref()), (vec!["security".to_owned()], Some("Guard")));
        assert!(adr.tags.is_empty(), "`*` does not reach into a folder, nor does an outer folder's tag");
    }

    #[test]
    fn a_source_that_names_folders_holds_those_only() {
        let manifest = LibraryManifest::parse(Path::new("library.toml"), MANIFEST).unwrap();
        assert!(manifest.sources[0].covers("docs/x/y.md"));
        assert!(
            !manifest.sources[0].covers("docs-old/y.md"),
            "a folder's name is not a beginning of another"
        );
        assert!(!manifest.sources[0].covers("readme.md"));
    }
}
