//! A draft of the user's own, checked against the library.

use std::io::Write;

use plumbline_testkit::docx_files::docx;

use super::{User, json, library, said, text};

const TRUE: &str = "Backups are encrypted with separate keys.";
const FALSE: &str = "Backups are encrypted with a key of 4711 bits.";

#[test]
fn a_draft_is_checked_sentence_by_sentence() {
    let folder = library();
    let user = User::new(folder.path());
    let draft = folder.path().join("draft.md");
    std::fs::write(
        &draft,
        format!("---\nstatus: draft\n---\n# Backups\n\n{TRUE} {FALSE}\n\n```\ncode\n```\n"),
    )
    .unwrap();
    let path = draft.to_string_lossy().into_owned();
    let output = user.run(&["check", &path, "--json"]);
    assert_eq!(output.status.code(), Some(4), "one statement is not borne out: {}", said(&output));
    let checked = json(&output);
    let statements = checked["statements"].as_array().unwrap();
    assert_eq!(statements.len(), 2, "front matter, heading and code state nothing: {checked:#}");
    assert_eq!(statements[0]["verdict"], "supported", "{:#}", statements[0]);
    assert_eq!(
        (&statements[1]["verdict"], &statements[1]["detail"]),
        (&"not_supported".into(), &"4711".into())
    );
    let printed = text(&user.run(&["check", &path]));
    for wanted in ["Supported: ", "[1] ", "**", "Not supported: ", "“4711”", "2 statements: 1 supported"]
    {
        assert!(printed.contains(wanted), "`{wanted}`: {printed}");
    }
}

#[test]
fn what_is_borne_out_ends_well_whatever_it_comes_as() {
    let folder = library();
    let user = User::new(folder.path());
    let word = folder.path().join("draft.docx");
    std::fs::write(&word, docx(&format!("<w:p><w:r><w:t>{TRUE}</w:t></w:r></w:p>"))).unwrap();
    let output = user.run(&["check", &word.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output), said(&output));

    let mut child = user.start(&["check", "-", "--json"]);
    child.stdin.take().unwrap().write_all(TRUE.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(json(&output)["counts"]["supported"], 1);
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let folder = library();
    let output = User::new(folder.path()).run(&["check", "nowhere.md"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nowhere.md") && text(&output).is_empty(), "{}", said(&output));
}
