use plumbline_library::MetaValue;

use crate::support::{contents, markdown};

fn text(value: &str) -> MetaValue {
    MetaValue::Text(value.to_owned())
}

fn list(values: &[&str]) -> MetaValue {
    MetaValue::List(values.iter().map(|value| (*value).to_owned()).collect())
}

fn entries(pairs: Vec<(&str, MetaValue)>) -> Vec<(String, MetaValue)> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[test]
fn values_stay_as_they_are_written() {
    let document = markdown(
        "---\nnav_order: ADR.12\ndate: 2024-01-23\nversion: 1.0\ncode: 0012\nquoted: \"yes: really\"\nempty:\nflag: true\ntags: [a, 'b c']\ndeciders:\n  - Jan\n  - Piet\ndct:\n  title: Nested\n  creator:\n    name: Noor\ndct:identifier: urn:x:12\nnote: >\n  folded\n  text\n# a remark\n---\n\n# T\n\nbody\n",
    );
    assert_eq!(
        document.front_matter,
        entries(vec![
            ("nav_order", text("ADR.12")),
            ("date", text("2024-01-23")),
            ("version", text("1.0")),
            ("code", text("0012")),
            ("quoted", text("yes: really")),
            ("empty", text("")),
            ("flag", text("true")),
            ("tags", list(&["a", "b c"])),
            ("deciders", list(&["Jan", "Piet"])),
            ("dct.title", text("Nested")),
            ("dct.creator.name", text("Noor")),
            ("dct:identifier", text("urn:x:12")),
            ("note", text("folded text")),
        ])
    );
    assert_eq!(contents(&document), ["body"]);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
}

#[test]
fn broken_front_matter_is_salvaged_and_reported() {
    let document = markdown(
        "---\ntitle: Use TLS: everywhere\nstatus: accepted\ntags: [a, b]\nowners:\n  - Jan\n\tbroken\n---\n\n# T\n\nbody\n",
    );
    assert_eq!(
        document.front_matter,
        entries(vec![
            ("title", text("Use TLS: everywhere")),
            ("status", text("accepted")),
            ("tags", list(&["a", "b"])),
            ("owners", list(&["Jan"])),
        ])
    );
    assert_eq!(document.warnings.len(), 1);
    assert!(
        document.warnings[0].detail().to_string().contains("line 2"),
        "the first line that is wrong: {:?}",
        document.warnings
    );
    assert_eq!(contents(&document), ["body"], "front matter is no content, broken or not");
}

#[test]
fn front_matter_that_is_never_closed_ends_where_it_no_longer_looks_like_it() {
    let document = markdown("---\ntitle: T\nstatus: accepted\n\n# T\n\nbody\n");
    assert_eq!(document.front_matter, entries(vec![("title", text("T")), ("status", text("accepted"))]));
    assert_eq!(contents(&document), ["body"]);
    assert!(document.warnings[0].detail().to_string().contains("never closed"), "{:?}", document.warnings);
}

#[test]
fn thematic_breaks_are_no_front_matter() {
    let document = markdown("---\n\nA sentence between two rules.\n\n---\n\nMore.\n");
    assert!(document.front_matter.is_empty());
    assert_eq!(contents(&document), ["A sentence between two rules.", "More."]);
}

#[test]
fn aliases_cannot_grow_without_bound() {
    let mut yaml = "a: &a x\n".to_owned();
    for (name, before) in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d"), ("f", "e")] {
        let aliases = vec![format!("*{before}"); 10].join(", ");
        yaml += &format!("{name}: &{name} [{aliases}]\n");
    }
    let document = markdown(&format!("---\n{yaml}---\n\nbody\n"));
    assert_eq!(document.warnings.len(), 1, "an alias of a list is refused, and that is said");
    assert_eq!(contents(&document), ["body"]);

    let scalar =
        format!("---\na: &a {}\nb: [{}]\n---\n\nbody\n", "x".repeat(10_000), vec!["*a"; 10_000].join(", "));
    let document = markdown(&scalar);
    let total: usize = document
        .front_matter
        .iter()
        .map(|(_, value)| match value {
            MetaValue::Text(text) => text.len(),
            MetaValue::List(items) => items.iter().map(String::len).sum(),
        })
        .sum();
    assert!(total < 1_000_000, "{total} bytes of values from a few kilobytes");
}

#[test]
fn a_file_with_nothing_but_front_matter_is_read_and_says_so() {
    let document = markdown("---\ntitle: T\n---\n");
    assert!(document.blocks.is_empty());
    assert!(document.warnings[0].detail().to_string().contains("no text"), "{:?}", document.warnings);
}
