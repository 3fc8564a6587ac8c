//! Real files: the sample library always, others where they are at hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plumbline_core::domain::Language;
use plumbline_library::{ChunkRules, Format, ReadDocument, Unreadable, chunk, read};
use walkdir::WalkDir;

use crate::support::{chunks, headings};

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

fn read_all(root: &Path) -> Vec<(PathBuf, Result<ReadDocument, Unreadable>)> {
    WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| {
            entry.file_type().is_file() && Format::of(&entry.file_name().to_string_lossy()).is_some()
        })
        .map(|entry| {
            let bytes = fs::read(entry.path()).unwrap();
            (entry.path().to_owned(), read(&entry.file_name().to_string_lossy(), &bytes))
        })
        .collect()
}

#[test]
fn the_sample_library_is_read_without_a_word_of_warning() {
    for (path, document) in read_all(&sample()) {
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(document.warnings.is_empty(), "{}: {:?}", path.display(), document.warnings);
        assert!(!chunks(&document, "").is_empty(), "{}", path.display());
    }
}

/// The policies in DOCX and PDF are made from Markdown that lies beside them: whatever it says must be found again.
#[test]
fn the_sample_policies_say_what_their_sources_say() {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let folder = sample().join("policies");
    for (path, document) in read_all(&folder) {
        let document = document.unwrap();
        if !matches!(document.format, Format::Docx | Format::Pdf) {
            continue;
        }
        let source = sample().join("sources/policies").join(path.file_stem().unwrap()).with_extension("md");
        let source = read("a.md", &fs::read(source).unwrap()).unwrap();
        let found: BTreeMap<String, usize> =
            words(&document.text).into_iter().fold(BTreeMap::new(), |mut counts, word| {
                *counts.entry(word).or_default() += 1;
                counts
            });
        let mut missing = Vec::new();
        for block in &source.blocks {
            missing.extend(
                words(&source.text[block.span.clone()]).into_iter().filter(|word| !found.contains_key(word)),
            );
        }
        assert!(missing.is_empty(), "{} lacks {missing:?}", path.display());
        let expected: Vec<&str> = headings(&source).into_iter().map(|(_, text)| text).collect();
        let got: Vec<&str> = headings(&document).into_iter().skip(1).map(|(_, text)| text).collect();
        assert_eq!(got, expected, "headings of {}", path.display());
    }
}

#[test]
fn other_libraries_are_read_or_have_a_reason() {
    let Some(corpora) = plumbline_testkit::shared_data::path_or_skip("corpora") else { return };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut passages = 0;
    let rules = ChunkRules::default();
    for (path, document) in read_all(&corpora) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        match document {
            Ok(document) => {
                let found = chunk(&document, "", Language::EN, &rules);
                assert!(
                    found.iter().all(|chunk| chunk.text.chars().count() <= rules.whole_chars),
                    "{}",
                    path.display()
                );
                assert!(
                    found.iter().all(|chunk| !chunk.text.contains("<!--") || chunk.text.contains('`')),
                    "{}",
                    path.display()
                );
                passages += found.len();
                *counts.entry(format!("{extension} read")).or_default() += 1;
            }
            Err(error) => {
                assert_ne!(error.code(), "crashed", "{}", path.display());
                *counts.entry(format!("{extension} {}", error.code())).or_default() += 1;
            }
        }
    }
    println!("{counts:?}, {passages} passages");
}
