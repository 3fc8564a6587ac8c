//! A library written by an earlier version still opens. The fixture is written by `write_the_fixture` when the format changes.

use std::path::{Path, PathBuf};

use plumbline_core::ports::Scope;
use plumbline_testkit::folders::copy;

use crate::test_library::{TestLibrary, adr};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1")
}

#[test]
fn a_library_of_the_first_format_opens_and_goes_on() {
    let test_library = TestLibrary::new();
    copy(&fixture(), &test_library.workspace());
    test_library.check();
    let library = test_library.library();
    let scope = Scope::default();
    for found in [
        test_library.lexical(&library, "one broker", &scope),
        test_library.dense(&library, "Applications exchange events through one broker.", &scope),
    ] {
        assert_eq!(found[0].chunk.text, "Applications exchange events through one broker.");
        assert_eq!(found[0].chunk.document.id.as_str(), "adr-0001");
    }
    test_library.write("adr/0009-x.md", &adr(9, "Go on", "The library goes on."));
    test_library.index();
    test_library.check();
}

/// Writes the fixture anew: `cargo test -p plumbline-library -- --ignored write_the_fixture`.
#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    let test_library = TestLibrary::new();
    test_library.write(
        "adr/0001-broker.md",
        &adr(1, "Use a broker", "Applications exchange events through one broker."),
    );
    test_library.write("adr/0002-tls.md", &adr(2, "Use TLS", "All connections use TLS 1.3."));
    test_library.index();
    let _ = std::fs::remove_dir_all(fixture());
    copy(&test_library.workspace(), &fixture());
}
