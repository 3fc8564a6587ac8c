//! A record that is drafted: shown, or written where the user says and nowhere else.

use super::{User, library, said, sample, text};

#[test]
fn a_draft_is_written_where_the_user_says_and_over_nothing() {
    let folder = library();
    let user = User::new(folder.path());
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("draft.md");
    let path = file.to_string_lossy().into_owned();
    let output = user.run(&["draft", "backups", "--output", &path]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output), said(&output));
    let written = std::fs::read_to_string(&file).unwrap();
    for wanted in ["# Backups\n", "*[To be filled in]*", "[^1]", "\n[^1]: "] {
        assert!(written.contains(wanted), "`{wanted}`: {written}");
    }
    let again = user.run(&["draft", "backups", "--output", &path]);
    assert_eq!(again.status.code(), Some(1), "a file that is there is not replaced");
    assert!(said(&again).contains("is there already"), "{}", said(&again));
    let forced = user.run(&["draft", "backups", "--output", &path, "--force"]);
    assert_eq!(forced.status.code(), Some(0), "{}", said(&forced));
}

#[test]
fn a_draft_does_not_go_into_the_library_by_itself() {
    let folder = library();
    let user = User::new(folder.path());
    let file = sample().join("adr/9999-backups.md");
    let output = user.run(&["draft", "backups", "--output", &file.to_string_lossy()]);
    assert!(!file.exists() || std::fs::remove_file(&file).is_err(), "nothing was written");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(said(&output).contains("folder of the library"), "{}", said(&output));
}
