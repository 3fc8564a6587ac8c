use std::path::Path;

use plumbline_contract::{FindingCounts, FindingGroup, LibraryFinding, SettingChange};

use crate::test_host::{TestHost, records, sample_workspace};

/// The findings of one file.
fn about<'f>(findings: &'f [LibraryFinding], path: &str) -> Vec<&'f LibraryFinding> {
    findings.iter().filter(|finding| finding.path == path).collect()
}

async fn added(test_host: &TestHost, folder: &Path) -> Vec<LibraryFinding> {
    let from = test_host.heard().len();
    test_host.host.add_folder(folder.display().to_string()).await.unwrap();
    test_host.indexed(from).await;
    test_host.host.findings().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_library_has_the_one_problem_that_it_was_given() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let findings = test_host.host.findings().await.unwrap();
    let problems: Vec<(&str, &str)> = findings
        .iter()
        .filter(|finding| finding.group == FindingGroup::Problem)
        .map(|finding| (finding.code.as_str(), &finding.path[..8]))
        .collect();
    assert_eq!(problems, [("status_disagreement", "adr/0031")]);
    let notes: Vec<_> = findings.iter().filter(|finding| finding.group == FindingGroup::Note).collect();
    assert!(notes.iter().all(|note| note.code == "language_detected"), "{notes:#?}");
    let counts = test_host.host.library().await.unwrap().findings;
    let expected = FindingCounts { problems: 1, guesses: 0, notes: notes.len().try_into().unwrap() };
    assert_eq!(counts, expected, "{findings:#?}");
    assert!(notes.len() > 40, "few of its files state their language: {counts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_problems_shows_none() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), records());
    std::fs::write(folder.path().join("overview.png"), [137, 80, 78, 71]).unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    let findings = added(&test_host, folder.path()).await;
    assert_eq!(test_host.host.library().await.unwrap().findings.problems, 0, "{findings:#?}");
    let picture = about(&findings, "overview.png");
    assert_eq!((picture[0].group, picture[0].code.as_str()), (FindingGroup::Note, "no_document"));
    let record = about(&findings, "0001-use-kafka-for-events.md");
    let groups: Vec<_> = record.iter().map(|finding| (finding.group, finding.code.as_str())).collect();
    assert_eq!(groups, [(FindingGroup::Guess, "kind_guessed"), (FindingGroup::Note, "language_detected")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_should_be_mended_is_a_problem_and_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &str, &str); 7] = [
        ("broken.pdf", "no pdf at all", "damaged"),
        ("empty.md", "\n", "empty"),
        ("minutes.odt", "PK", "unknown_format"),
        (
            "adr/0001-front.md",
            "---\ntitle: A: b\nstatus: accepted\n---\n\n# A\n\n## Decision\n\nIt is so.\n",
            "front_matter_broken",
        ),
        (
            "adr/0002-comment.md",
            "# B\n\n## Status\n\nAccepted\n\n## Decision\n\nIt is so.\n\n<!-- never closed\n\nlost\n",
            "comment_open",
        ),
        (
            "adr/0003-date.md",
            "---\ntitle: C\ndate: 31-02-2024\nstatus: accepted\n---\n\n## Decision\n\nIt is so.\n",
            "value_rejected",
        ),
        (
            "adr/0004-gone.md",
            "# D\n\n## Status\n\nSuperseded by ADR-0099\n\n## Decision\n\nIt is so.\n",
            "reference_unresolved",
        ),
    ];
    std::fs::create_dir(folder.path().join("adr")).unwrap();
    for (path, text, _) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    let findings = added(&test_host, folder.path()).await;
    for (path, _, code) in files {
        let found = about(&findings, path).into_iter().find(|finding| finding.code == code);
        let found = found.unwrap_or_else(|| panic!("{path} is no {code}: {findings:#?}"));
        assert_eq!(found.group, FindingGroup::Problem, "{path}");
        assert!(!found.reason.is_empty() && !found.folder.is_empty());
    }
    assert_eq!(
        test_host.host.library().await.unwrap().findings.problems as usize,
        files.len(),
        "{findings:#?}"
    );

    let change = SettingChange { key: "general.language".to_owned(), value: Some("nl".to_owned()) };
    test_host.host.change_settings(vec![change]).await.unwrap();
    let findings = test_host.host.findings().await.unwrap();
    let dutch = [
        ("broken.pdf", "het bestand is beschadigd (het begint niet zoals PDF begint)"),
        ("empty.md", "het bestand heeft geen tekst"),
        ("minutes.odt", "bestanden van de soort `odt` worden niet gelezen"),
        ("adr/0001-front.md", "de metagegevens bovenaan zijn geen geldige YAML"),
        ("adr/0002-comment.md", "een commentaar wordt nergens afgesloten"),
        ("adr/0003-date.md", "datum `31-02-2024` is geen datum (metagegevens bovenaan"),
        ("adr/0004-gone.md", "dat document staat niet in de bibliotheek"),
    ];
    for (path, words) in dutch {
        let told = about(&findings, path);
        assert!(told.iter().any(|finding| finding.reason.contains(words)), "{path}: {told:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_told_in_the_language_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let decision = "# Pumps\n\n## Status\n\nAccepted\n\n## Context\n\nA pump.\n\n## Decision\n\nWe pump.\n";
    let dated = |field: &str| format!("---\ntitle: Pumps\n{field}\n---\n\nThe pumps are inspected yearly.\n");
    let files: [(&str, &str, &str, &str); 12] = [
        ("sluices.md", "## The sluices\n\nThey open and they close.\n", "title_guessed", "de eerste kop"),
        ("weirs.txt", "The weirs\n\nThey hold the water.\n", "title_guessed", "de eerste regel"),
        (
            "dikes.html",
            "<html><head><title>The dikes</title></head><body><p>They hold the sea.</p></body></html>",
            "title_guessed",
            "de eigenschappen van het bestand",
        ),
        (
            "the-polders.md",
            "They lie below the sea.\n",
            "title_guessed",
            "de naam van het bestand of zijn map",
        ),
        ("2024-03-01-floods.md", "# Floods\n\nThe water came.\n", "date_guessed", "de naam van het bestand"),
        ("a.md", &dated("created: 2024-01-02"), "date_guessed", "de dag van de eerste versie"),
        ("b.md", &dated("date: 2024-23-01"), "date_guessed", "maand en dag staan andersom"),
        ("c.md", &dated("date: March 2024"), "date_guessed", "de eerste van de maand"),
        ("d.md", "# Pipes\n\nDeprecated. Use hoses.\n", "status_guessed", "een opmerking bovenaan"),
        ("0001-pumps.md", decision, "kind_guessed", "de paragrafen van een besluit"),
        (
            "values.md",
            "# Dry feet\n\n## Statement\n\nDry.\n\n## Rationale\n\nFeet.\n\n## Implications\n\nPumps.\n",
            "kind_guessed",
            "de paragrafen van een principe",
        ),
        ("travel-policy.md", "# Travel policy\n\nBy train.\n", "kind_guessed", "de naam van een beleidsstuk"),
    ];
    for (path, text, ..) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let workspace = tempfile::tempdir().unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    added(&test_host, folder.path()).await;
    let change = SettingChange { key: "general.language".to_owned(), value: Some("nl".to_owned()) };
    test_host.host.change_settings(vec![change]).await.unwrap();
    let findings = test_host.host.findings().await.unwrap();
    for (path, _, code, clue) in files {
        let found = about(&findings, path).into_iter().find(|finding| finding.code == code);
        let found = found.unwrap_or_else(|| panic!("{path} has no {code}: {findings:#?}"));
        assert_eq!(found.group, FindingGroup::Guess);
        assert!(found.reason.starts_with("Aangenomen is") && found.reason.contains(clue), "{}", found.reason);
    }
    let sluices = about(&findings, "sluices.md");
    let language = sluices.iter().find(|finding| finding.group == FindingGroup::Note).unwrap();
    assert_eq!(language.reason, "Engels, naar de woorden van de tekst.");
}
