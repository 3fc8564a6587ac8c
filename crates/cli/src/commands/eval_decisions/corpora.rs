use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use plumbline_library::{Identity, Placement, ReadDocument, Reconciled, Source, identify, read, reconcile};

/// The documents of one folder, read.
pub struct Corpus {
    source: Source,
    documents: BTreeMap<String, ReadDocument>,
}

impl Corpus {
    /// Reads a folder of documents; what cannot be read is left out, as it is in a library.
    pub fn read(root: &Path, name: &str) -> anyhow::Result<Self> {
        let folder = root.join(name);
        let mut corpus = Self::empty(&folder, name);
        for file in files(&folder).with_context(|| folder.display().to_string())? {
            let path = file.strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
            if let Ok(document) = read(&path, &std::fs::read(&file)?) {
                corpus.documents.insert(path, document);
            }
        }
        if corpus.documents.is_empty() {
            bail!("{} holds no document that can be read", folder.display());
        }
        Ok(corpus)
    }

    /// One without documents.
    pub fn empty(folder: &Path, name: &str) -> Self {
        let source = Source {
            name: name.to_owned(),
            default: true,
            path: folder.to_owned(),
            folders: Vec::new(),
            rules: Vec::new(),
        };
        Self { source, documents: BTreeMap::new() }
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.documents.get(path).map(|document| document.text.as_str())
    }

    /// Puts a text into the place of a file, or beside the others.
    pub fn put(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        self.documents.insert(path.to_owned(), read(path, text.as_bytes())?);
        Ok(())
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// What the documents say of themselves, and what they make of it together.
    pub fn reconciled(&self) -> (Vec<Identity>, Reconciled) {
        let one = |(path, document): (&String, &ReadDocument)| {
            identify(&Placement::of(&self.source, "", path), document)
        };
        let identities: Vec<Identity> = self.documents.iter().map(one).collect();
        let reconciled = reconcile(&identities);
        (identities, reconciled)
    }
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The folder of the corpus that a path of a truth table lies in: `corpora/adr/madr/0001-x.md`.
pub fn corpus_of(path: &str) -> String {
    path.split('/').take(3).collect::<Vec<_>>().join("/")
}
