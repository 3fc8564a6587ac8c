//! The files of an embedded vocabulary, and what they say.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use oxrdf::Triple;
use serde::{Deserialize, Serialize};

use crate::rdf::{Defect, MAX_FILE_BYTES, RdfFormat, read_rdf};
use crate::skos::SkosData;

/// Folders are not searched deeper than this.
const MAX_FOLDER_DEPTH: usize = 8;

/// A file of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VocabularyFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The vocabulary it is part of. Files of one vocabulary complete each other; the vocabulary of an earlier file has
    /// the higher authority.
    pub vocabulary: String,
}

impl VocabularyFile {
    /// A file that is a vocabulary of its own.
    pub fn alone(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { vocabulary: path.display().to_string(), path }
    }

    /// What it is called in messages and as a source.
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    fn extension(&self) -> Option<&str> {
        self.path.extension().and_then(|extension| extension.to_str())
    }

    fn read(&self) -> Result<Vec<u8>, Defect> {
        let told =
            |problem: io::Error| Defect::of_file(&self.path.display().to_string(), problem.to_string());
        let length = fs::metadata(&self.path).map_err(told)?.len();
        if length > MAX_FILE_BYTES as u64 {
            let message = format!("the file is longer than {} MiB", MAX_FILE_BYTES >> 20);
            return Err(Defect::of_file(&self.path.display().to_string(), message));
        }
        fs::read(&self.path).map_err(told)
    }
}

/// The files that a library names: each entry a file or a folder, and each a vocabulary, highest authority first. A
/// folder gives the files in it whose extension is that of an RDF format, in the order of their paths.
pub fn vocabulary_files(entries: &[PathBuf]) -> (Vec<VocabularyFile>, Vec<Defect>) {
    let (mut files, mut defects) = (Vec::new(), Vec::new());
    for entry in entries {
        let vocabulary = entry.display().to_string();
        let mut paths = Vec::new();
        if entry.is_dir() {
            if let Err(problem) = walk(entry, 0, &mut paths) {
                defects.push(Defect::of_file(&vocabulary, problem.to_string()));
            }
            if paths.is_empty() {
                defects.push(Defect::of_file(&vocabulary, "the folder has no RDF file"));
            }
            paths.sort();
        } else {
            paths.push(entry.clone());
        }
        files.extend(paths.into_iter().map(|path| VocabularyFile { path, vocabulary: vocabulary.clone() }));
    }
    (files, defects)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if depth < MAX_FOLDER_DEPTH {
                walk(&path, depth + 1, found)?;
            }
        } else if path.extension().and_then(|text| text.to_str()).and_then(RdfFormat::of_extension).is_some()
        {
            found.push(path);
        }
    }
    Ok(())
}

/// The contents of the files, by their places; `None` for one that could not be read.
pub(crate) fn read_files(files: &[VocabularyFile]) -> (Vec<Option<Vec<u8>>>, Vec<Defect>) {
    let mut defects = Vec::new();
    let contents = files.iter().map(|file| file.read().map_err(|defect| defects.push(defect)).ok()).collect();
    (contents, defects)
}

/// What the files say, with links completed, and how many statements each has.
pub(crate) struct Assembled {
    pub(crate) data: SkosData,
    pub(crate) statements: Vec<usize>,
    pub(crate) defects: Vec<Defect>,
}

/// Reads the contents of the files as SKOS.
pub(crate) fn assemble(files: &[VocabularyFile], contents: &[Option<Vec<u8>>]) -> Assembled {
    let mut defects = Vec::new();
    let mut statements: Vec<Vec<Triple>> = Vec::new();
    for (file, bytes) in files.iter().zip(contents) {
        let bytes = bytes.as_deref().unwrap_or_default();
        let mut read =
            read_rdf(bytes, RdfFormat::of_file(file.extension(), bytes), &file.path.display().to_string());
        defects.append(&mut read.defects);
        statements.push(read.triples);
    }
    let mut vocabularies: Vec<&str> = Vec::new();
    for file in files {
        if !vocabularies.contains(&file.vocabulary.as_str()) {
            vocabularies.push(&file.vocabulary);
        }
    }
    let mut data = SkosData::default();
    for vocabulary in vocabularies {
        let own =
            files.iter().zip(&statements).zip(0_u32..).filter(|((file, _), _)| file.vocabulary == vocabulary);
        data.append(SkosData::of_vocabulary(own.map(|((_, triples), at)| (at, triples.as_slice()))));
    }
    data.complete_links();
    Assembled { data, statements: statements.iter().map(Vec::len).collect(), defects }
}
