//! Files that are wrong, and files that are meant to do harm.

use std::fs;

use plumbline_library::{ChunkRules, Reader, ReaderOptions, read};

use crate::support::{chunks, contents};

#[test]
fn every_reason_has_its_code_and_says_what_to_do() {
    for (name, bytes, code, advice) in [
        ("a.md", &b""[..], "empty", "remove it"),
        ("a.md", b" \n\t\n", "empty", "remove it"),
        ("a.md", b"<!-- only a comment -->", "empty", "remove it"),
        ("a.xlsx", b"x", "unknown_format", "save it as"),
        ("README", b"x", "unknown_format", "save it as"),
        ("a.md", b"%PDF-1.7\n", "wrong_format", "right extension"),
        ("a.txt", b"PK\x03\x04\x14\0", "wrong_format", "right extension"),
        ("a.md", b"<!DOCTYPE html><html></html>", "wrong_format", "right extension"),
        ("a.docx", b"{\\rtf1 text}", "wrong_format", "right extension"),
        ("a.docx", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 old", "wrong_format", "right extension"),
        ("a.md", b"\x89PNG\r\n\x1a\n", "wrong_format", "right extension"),
        ("a.txt", &[7, 0, 1, 2, 250, 3, 4, 5, 6, 1, 2, 3], "wrong_format", "right extension"),
    ] {
        let error = read(name, bytes).unwrap_err();
        assert_eq!(error.code(), code, "{name} with {bytes:?}: {error}");
        assert!(error.to_string().contains(advice), "`{error}` says what to do");
    }
    let mut protected = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    protected.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(read("a.docx", &protected).unwrap_err().code(), "encrypted");
}

#[test]
fn files_on_disk_have_reasons_too() {
    let folder = tempfile::tempdir().unwrap();
    let reader = Reader::new(ReaderOptions { max_bytes: 1000, ..ReaderOptions::default() });
    let code = |name: &str| reader.read(&folder.path().join(name)).unwrap_err().code();
    fs::create_dir(folder.path().join("folder.md")).unwrap();
    fs::write(folder.path().join("large.md"), "word ".repeat(300)).unwrap();
    assert_eq!(code("folder.md"), "not_a_file");
    assert_eq!(code("large.md"), "too_large");
    assert_eq!(code("missing.md"), "not_found");

    fs::write(folder.path().join("a.md"), "# T\n\ntext\n").unwrap();
    let content = reader.read(&folder.path().join("a.md")).unwrap();
    assert_eq!(content.bytes, 10);
    assert_eq!(content.sha256.len(), 64);
    let short = Reader::new(ReaderOptions { max_text: 5, ..ReaderOptions::default() });
    assert_eq!(short.read(&folder.path().join("a.md")).unwrap_err().code(), "too_large");
}

#[test]
fn deep_nesting_neither_overflows_nor_takes_for_ever() {
    let quotes = "> ".repeat(10_000) + "deep\n";
    let document = read("a.md", quotes.as_bytes()).unwrap();
    assert!(contents(&document).concat().contains("deep"));
    assert!(!chunks(&document, "T").is_empty());

    let lists: String = (0..500).map(|depth| format!("{}- item\n", "  ".repeat(depth))).collect();
    assert!(!chunks(&read("a.md", lists.as_bytes()).unwrap(), "T").is_empty());

    let brackets = "[".repeat(50_000) + &"*a ".repeat(10_000) + &"<!--".repeat(1_000);
    assert!(read("a.md", brackets.as_bytes()).is_ok());
}

#[test]
fn large_tables_and_long_lines_are_cut() {
    let rows: String = (0..20_000).map(|row| format!("| {row} | value |\n")).collect();
    let document = read("a.md", format!("| n | v |\n|---|---|\n{rows}").as_bytes()).unwrap();
    let found = chunks(&document, "T");
    assert!(
        found.len() > 100 && found.iter().all(|chunk| chunk.text.len() <= ChunkRules::default().whole_chars)
    );

    let line = "x".repeat(1_000_000);
    let found = chunks(&read("a.md", line.as_bytes()).unwrap(), "T");
    assert_eq!(found.iter().map(|chunk| chunk.text.len()).sum::<usize>(), 1_000_000);
}

#[test]
fn many_comments_cost_no_more_than_their_length() {
    let text = "a <!-- b\n\nc --> d\n\n".repeat(5_000);
    let document = read("a.md", text.as_bytes()).unwrap();
    assert_eq!(contents(&document).len(), 10_000);
    let scripts = "<script>".repeat(5_000);
    assert!(read("a.md", format!("text\n\n{scripts}").as_bytes()).is_ok());
}
