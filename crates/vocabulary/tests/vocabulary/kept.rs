//! What is kept between starts.

use std::fs;

use plumbline_core::domain::Language;
use plumbline_core::ports::LookupOutcome;
use plumbline_vocabulary::embedded::EmbeddedVocabulary;
use plumbline_vocabulary::rdf::RdfFormat;
use plumbline_vocabulary::source::{VocabularyFile, vocabulary_files};

use crate::support::{clock, concepts, sample, sample_files};

const TURTLE: &str = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://x.test/a> a skos:Concept ; skos:prefLabel \"a term\"@en ; skos:definition \"FIRST\"@en .
";

#[test]
fn from_the_cache_everything_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("vocabulary.cache");
    let (first, _) = EmbeddedVocabulary::load_cached(&sample_files(), &cache, &clock());
    let written = fs::metadata(&cache).unwrap().modified().unwrap();
    let (second, defects) = EmbeddedVocabulary::load_cached(&sample_files(), &cache, &clock());
    assert_eq!(
        fs::metadata(&cache).unwrap().modified().unwrap(),
        written,
        "nothing changed, nothing is written"
    );
    assert_eq!((first.data(), defects.len()), (second.data(), 0));
    assert_eq!(second.data(), sample().data());
}

#[test]
fn a_changed_file_or_a_damaged_cache_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join("v.ttl"), folder.path().join("cache"));
    let files = [VocabularyFile::alone(&path)];
    let definition = || {
        let (vocabulary, defects) = EmbeddedVocabulary::load_cached(&files, &cache, &clock());
        let found = concepts(vocabulary.look_up("a term", Language::EN));
        (found.first().map(|concept| concept.definitions[0].text.clone()), defects.len())
    };
    fs::write(&path, TURTLE).unwrap();
    assert_eq!(definition(), (Some("FIRST".to_owned()), 0));
    fs::write(&path, TURTLE.replace("FIRST", "OTHER")).unwrap();
    assert_eq!(definition(), (Some("OTHER".to_owned()), 0), "same length, another text");
    let whole = fs::read(&cache).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", &[whole.as_slice(), b"more"].concat()] {
        fs::write(&cache, damaged).unwrap();
        assert_eq!(definition(), (Some("OTHER".to_owned()), 0));
        assert_eq!(fs::read(&cache).unwrap(), whole, "and the cache is whole again");
    }
    fs::write(&path, format!("{TURTLE}nonsense .\n")).unwrap();
    assert_eq!(definition().1, 1);
    assert_eq!(definition().1, 1, "defects are kept too");
    fs::remove_file(&path).unwrap();
    assert_eq!(definition(), (None, 1), "a file that is gone defines nothing");
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    let (vocabulary, defects) =
        EmbeddedVocabulary::load_cached(&sample_files(), &blocked.join("cache"), &clock());
    assert_eq!((vocabulary.data().concepts.len(), defects.len()), (178, 0));
}

#[test]
fn a_broken_file_keeps_the_others_and_names_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("b.ttl"),
        format!("{TURTLE}\n<http://x.test/b> a a a .\n{}", TURTLE.replace("x.test/a", "x.test/c")),
    )
    .unwrap();
    fs::write(folder.path().join("a.ttl"), TURTLE.replace("x.test/a", "x.test/0").replace("a term", "zero"))
        .unwrap();
    fs::write(folder.path().join("notes.txt"), "not RDF").unwrap();
    let gone = folder.path().join("gone.ttl");
    let (files, defects) = vocabulary_files(&[folder.path().to_owned(), gone]);
    assert_eq!((files.len(), defects.len()), (3, 0));
    let (vocabulary, defects) = EmbeddedVocabulary::load(&files, &clock());
    assert_eq!(vocabulary.data().concepts.len(), 3);
    let lines: Vec<(bool, Option<u64>)> =
        defects.iter().map(|defect| (defect.file.ends_with("b.ttl"), defect.line)).collect();
    assert_eq!(lines, [(false, None), (true, Some(4))], "{defects:?}");
    assert!(matches!(vocabulary.look_up("zero", Language::EN), LookupOutcome::Found(_)));
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(vocabulary_files(&[empty.path().to_owned()]).1.len(), 1, "an empty folder is no success");
    assert_eq!(RdfFormat::of_extension("txt"), None);
}

#[test]
fn the_first_vocabulary_has_the_last_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        VocabularyFile::alone(path)
    };
    let (one, other) = (file("1.ttl", TURTLE), file("2.ttl", &TURTLE.replace("FIRST", "SECOND")));
    let third = file("3.ttl", &TURTLE.replace("FIRST", "THIRD").replace("x.test/a", "x.test/z"));
    let texts = |files: &[VocabularyFile]| -> Vec<String> {
        let (vocabulary, _) = EmbeddedVocabulary::load(files, &clock());
        let found = concepts(vocabulary.look_up("A TERM", Language::NL));
        found.into_iter().flat_map(|concept| concept.definitions).map(|definition| definition.text).collect()
    };
    assert_eq!(texts(&[one.clone(), other.clone()]), ["FIRST"]);
    assert_eq!(texts(&[other.clone(), one]), ["SECOND"]);
    assert_eq!(texts(&[third, other]), ["THIRD", "SECOND"], "two concepts, in order of authority");
}
