//! A library written by an earlier version still opens. The fixture is written by `write_the_fixture` when the format changes.

use std::path::{Path, PathBuf};

use plumbline_core::ports::Scope;
use plumbline_testkit::folders::copy;

use crate::desk::{Desk, adr};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1")
}

#[test]
fn a_library_of_the_first_format_opens_and_goes_on() {
    let desk = Desk::new();
    copy(&fixture(), &desk.workspace());
    desk.check();
    let library = desk.library();
    let scope = Scope::default();
    for found in [
        desk.lexical(&library, "one broker", &scope),
        desk.dense(&library, "Applications exchange events through one broker.", &scope),
    ] {
        assert_eq!(found[0].chunk.text, "Applications exchange events through one broker.");
        assert_eq!(found[0].chunk.document.id.as_str(), "adr-0001");
    }
    desk.write("adr/0009-x.md", &adr(9, "Go on", "The library goes on."));
    desk.index();
    desk.check();
}

/// Writes the fixture anew: `cargo test -p plumbline-library -- --ignored write_the_fixture`.
#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    let desk = Desk::new();
    desk.write(
        "adr/0001-broker.md",
        &adr(1, "Use a broker", "Applications exchange events through one broker."),
    );
    desk.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    desk.index();
    let _ = std::fs::remove_dir_all(fixture());
    copy(&desk.workspace(), &fixture());
}
