//! A missing or broken file of a language stops the start and is named.
//!
//! A binary of its own, because a program reads its languages once.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use plumbline_core::language;
use plumbline_workspace::languages_in;

const GERMAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/packs/de");

/// A copy of the German pack, with one file changed; gone where there is no text left.
fn changed(name: &str, file: &str, change: impl FnOnce(String) -> Option<String>) -> PathBuf {
    let packs = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let folder = packs.join("de");
    let _ = fs::remove_dir_all(&packs);
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(GERMAN).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    match change(text) {
        Some(text) => fs::write(folder.join(file), text).unwrap(),
        None => fs::remove_file(folder.join(file)).unwrap(),
    }
    packs
}

fn replaced(from: &'static str, to: &'static str) -> impl FnOnce(String) -> Option<String> {
    move |text| {
        assert!(text.contains(from), "`{from}` is not there to be changed");
        Some(text.replacen(from, to, 1))
    }
}

#[track_caller]
fn assert_named(packs: &Path, named: &[&str]) {
    let error = languages_in(packs).and_then(language::check).unwrap_err().to_string();
    for part in named {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
}

#[test]
fn a_missing_file_stops_the_start() {
    let packs = changed("missing", "remarks.toml", |_| None);
    let error = language::start(Some(languages_in(&packs).unwrap())).unwrap_err().to_string();
    assert!(error.contains("de/remarks.toml") && error.contains("missing"), "{error}");
    assert_eq!(
        language::start(Some(languages_in(&packs).unwrap())).unwrap_err().to_string(),
        error,
        "and no second try passes"
    );
}

#[test]
fn a_broken_file_is_named_with_its_key() {
    let packs = changed("syntax", "words.toml", replaced("stop = [", "stop = "));
    assert_named(&packs, &["de/words.toml", "line 2"]);
    let packs = changed("unknown-key", "words.toml", replaced("rates =", "rate ="));
    assert_named(&packs, &["de/words.toml", "`rate`"]);
    let packs = changed("missing-key", "intent.toml", replaced("bare = [\"alle\"]\n", ""));
    assert_named(&packs, &["de/intent.toml", "`bare`"]);
    for (name, line, key) in [
        ("missing-heading", "administrative = [\"dokumentenlenkung\", \"freigabe\"]\n", "`administrative`"),
        ("missing-verb", "of_records = [\"abgelöst\"]\n", "`of_records`"),
        ("missing-blank", "blanks = [\"offen\", \"k. a.\", \"tt.mm.jjjj\"]\n", "`blanks`"),
    ] {
        assert_named(&changed(name, "documents.toml", replaced(line, "")), &["de/documents.toml", key]);
    }
}

#[test]
fn a_pattern_that_does_not_compile_is_named() {
    let packs = changed("remark", "remarks.toml", replaced("zu wenig)", "zu wenig"));
    assert_named(&packs, &["de/remarks.toml", "`no_answer`", "(?:nicht genügend|zu wenig informationen"]);
    let packs =
        changed("reference", "intent.toml", replaced("entscheidung(?:en)?\"]", "entscheidung(?:en?\"]"));
    assert_named(&packs, &["de/intent.toml", "`reference.adr`", "entscheidung(?:en?"]);
    let packs = changed("list", "intent.toml", replaced("liste(?: alle)?", "liste(?: alle?"));
    assert_named(&packs, &["de/intent.toml", "`list.all`", "liste(?: alle?"]);
}

#[test]
fn a_message_is_missing_unknown_or_fills_in_what_is_not_there() {
    let packs =
        changed("no-message", "messages.toml", replaced("cut = \"Die Antwort", "cat = \"Die Antwort"));
    assert_named(&packs, &["de/messages.toml", "`warning.cut`", "missing"]);
    let packs =
        changed("more-messages", "messages.toml", replaced("[word]\n", "[word]\nneither = \"weder\"\n"));
    assert_named(&packs, &["de/messages.toml", "`word.neither`", "no such message"]);
    let packs = changed("placeholder", "messages.toml", replaced("{title}", "{titel}"));
    assert_named(&packs, &["de/messages.toml", "`suggest.did_you_mean`", "{titel}"]);
}

#[test]
fn a_stemmer_a_file_or_a_language_that_cannot_be_is_named() {
    let packs =
        changed("stemmer", "language.toml", replaced("stemmer = \"german\"", "stemmer = \"klingon\""));
    assert_named(&packs, &["de/language.toml", "`stemmer`", "klingon", "german"]);
    let packs = changed("more-files", "wrods.toml", |_| Some(String::new()));
    assert_named(&packs, &["de/wrods.toml"]);
    let packs = changed("twice", "language.toml", Some);
    fs::rename(packs.join("de"), packs.join("en")).unwrap();
    assert_named(&packs, &["`en`"]);
    assert_named(Path::new("/no/such/folder"), &["/no/such/folder"]);
}
