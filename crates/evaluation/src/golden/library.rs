//! The sample library as far as the golden set needs it: which documents exist and what they say.
//!
//! This is a reader of its own on purpose. A validator that used the product's parser would share its errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

/// Why the library cannot be read.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Two documents have the same id.
    #[error("`{id}` is the id of two documents")]
    Duplicate {
        /// The id.
        id: String,
    },
}

/// One document or concept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibraryDocument {
    /// Its text with white space collapsed, without front matter and HTML comments.
    pub text: String,
    /// The fields of its front matter that stand on one line.
    pub front: BTreeMap<String, String>,
}

impl LibraryDocument {
    fn read(content: &str) -> Self {
        let (front, body) = split_front_matter(content);
        let front = front.lines().filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let plain = !name.starts_with([' ', '-', '#']) && !value.trim().is_empty();
            plain.then(|| (name.to_owned(), value.trim().trim_matches('"').to_owned()))
        });
        Self { front: front.collect(), text: collapse(&without_comments(body)) }
    }

    /// Tags of which a reader must hold one, where the document is restricted.
    pub fn access_tags(&self) -> impl Iterator<Item = &str> {
        let list = self.front.get("access_tags").map_or("", String::as_str);
        list.trim_matches(['[', ']']).split(',').map(str::trim).filter(|tag| !tag.is_empty())
    }
}

/// The documents and concepts of the sample library by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleLibrary {
    /// `adr-0012`, `adr-0012d`, `pcp-0039`, `policy-data-retention`, `vocab-cimxml`.
    pub documents: BTreeMap<String, LibraryDocument>,
}

impl SampleLibrary {
    /// Reads the library from the folder that holds its `library.toml`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or an id that two documents share.
    pub fn read(root: &Path) -> Result<Self, LibraryError> {
        let mut library = Self::default();
        for (folder, prefix) in [("adr", "adr"), ("principles", "pcp")] {
            for path in files(&root.join(folder))? {
                let document = LibraryDocument::read(&read(&path)?);
                let number = document.front.get("nav_order").and_then(|order| order.split_once('.'));
                let number = number.map_or_else(|| stem(&path), |(_, number)| number.to_owned());
                library.add(numbered_id(prefix, &number), document)?;
            }
        }
        for path in files(&root.join("policies"))? {
            // DOCX and PDF files are built from a Markdown source of the same name.
            let source = root.join("sources/policies").join(format!("{}.md", stem(&path)));
            let text = if extension(&path) == "md" { read(&path)? } else { read(&source)? };
            library.add(format!("policy-{}", stem(&path)), LibraryDocument::read(&text))?;
        }
        for path in files(&root.join("vocabulary"))?.iter().filter(|path| extension(path) == "ttl") {
            for (slug, text) in concepts(&read(path)?) {
                let document = LibraryDocument { text: collapse(&text), ..LibraryDocument::default() };
                library.add(format!("vocab-{slug}"), document)?;
            }
        }
        Ok(library)
    }

    fn add(&mut self, id: String, document: LibraryDocument) -> Result<(), LibraryError> {
        if self.documents.contains_key(&id) {
            return Err(LibraryError::Duplicate { id });
        }
        self.documents.insert(id, document);
        Ok(())
    }
}

/// White space as single blanks, so that a quotation survives a line break.
pub(super) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn numbered_id(prefix: &str, number: &str) -> String {
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    let approval = number[digits.len()..].starts_with(['D', 'd']);
    format!("{prefix}-{digits:0>4}{}", if approval { "d" } else { "" })
}

fn split_front_matter(content: &str) -> (&str, &str) {
    content.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", content))
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

/// Concepts of a Turtle file: a block starts with its subject in the first column and ends before the next one.
fn concepts(turtle: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<String> = Vec::new();
    for line in turtle.lines() {
        if line.starts_with(|first: char| !first.is_whitespace()) {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    let concept = |block: String| {
        let slug = block.split_whitespace().next()?.split_once(':')?.1.to_owned();
        block.contains("a skos:Concept ;").then_some((slug, block))
    };
    blocks.into_iter().filter_map(concept).collect()
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    let unreadable = |source| LibraryError::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.retain(|path| path.is_file() && !stem(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, LibraryError> {
    fs::read_to_string(path).map_err(|source| LibraryError::Read { path: path.to_owned(), source })
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_front_matter_are_no_part_of_a_document() {
        let document = LibraryDocument::read(
            "---\ntitle: \"A\"\naccess_tags: [security, ot]\ntags:\n  - x\n---\n\nOne <!-- draft\n--> two\nthree <!-- open",
        );
        assert_eq!(document.text, "One two three");
        assert_eq!(document.front.get("title").map(String::as_str), Some("A"));
        assert_eq!(document.access_tags().collect::<Vec<_>>(), ["security", "ot"]);
    }

    #[test]
    fn ids_follow_numbers_and_subjects() {
        assert_eq!(numbered_id("adr", "12D"), "adr-0012d");
        assert_eq!(numbered_id("adr", "0012D-use-cim"), "adr-0012d");
        assert_eq!(numbered_id("pcp", "39"), "pcp-0039");
        let found = concepts(
            "@prefix a: <b> .\nlv:cim\n    a skos:ConceptScheme .\n\nlv-cim:rdf\n    a skos:Concept ;\n    x \"y\" .\n",
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "rdf");
        assert!(found[0].1.contains("\"y\""));
    }
}
