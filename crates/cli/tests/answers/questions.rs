//! A development set of our own, asked as a user types it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{User, json, said, text};

const TEA: &str = "# 1. Steam the leaves\n\n## Status\n\nAccepted\n\n## Context\n\nFresh tea leaves turn brown within a day of the harvest.\n\n## Decision\n\nWe steam the tea leaves for ninety seconds, because heat stops the browning.\n";
const CUPS: &str = "# 2. Buy porcelain cups\n\n## Status\n\nProposed\n\n## Context\n\nGlass cups break in the dishwasher.\n\n## Decision\n\nWe buy porcelain cups from the pottery in the village.\n";
const TERMS: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://example.org/tea> a skos:ConceptScheme ; skos:prefLabel "Tea"@en .
<https://example.org/tea/gongfu> a skos:Concept ; skos:inScheme <https://example.org/tea> ;
  skos:prefLabel "gongfu"@en ; skos:definition "Brewing in small pots, several times from the same leaves."@en .
"#;

fn expected(behaviour: &str, documents: &[&str], words: &[&str]) -> Value {
    json!({
        "behaviour": behaviour, "documents": documents, "also_fine": [], "must_contain": words, "must_not_contain": []
    })
}

/// Two records with a text that repeats one of them in another type of file, and a vocabulary.
fn set() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, content: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("records/tea/0001-steam-the-leaves.md", TEA);
    write("records/tea/0002-buy-porcelain-cups.md", CUPS);
    write("records/tea/everything.txt", TEA);
    write("terms/tea.ttl", TERMS);
    let library = json!({ "name": "tea", "folders": ["records/tea"], "vocabularies": ["terms/tea.ttl"] });
    write("set/libraries.json", &json!({ "file_types": ["md"], "libraries": [library] }).to_string());
    let steam = "records/tea/0001-steam-the-leaves.md";
    let mut list = expected("list", &[], &[]);
    list["rows"] = json!(["records/tea/0002-buy-porcelain-cups.md"]);
    let mut define = expected("define", &["terms/tea.ttl"], &["several times from the same leaves"]);
    define["concept"] = json!("https://example.org/tea/gongfu");
    let questions = [
        (1, "For how long do we steam the tea leaves?", expected("answer", &[steam], &["ninety seconds"])),
        (3, "What is the status of ADR 1?", expected("fact", &[steam], &["accepted"])),
        (9, "List all proposed ADRs", list),
        (12, "What is gongfu?", define),
        (20, "Who won the football match yesterday?", expected("refuse", &[], &[])),
        (
            1,
            "Which cups do we buy?",
            expected("answer", &["records/tea/0003-not-there.md"], &["bronze cups"]),
        ),
    ];
    let line = |(at, (form, question, expected)): (usize, (u8, &str, Value))| {
        json!({
            "id": format!("T-{}", at + 1), "library": "tea", "form": form, "language": "en",
            "question": question, "expected": expected
        })
        .to_string()
    };
    let lines: Vec<String> = questions.into_iter().enumerate().map(line).collect();
    write("set/questions.jsonl", &lines.join("\n"));
    root
}

fn argument(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn a_set_is_asked_of_its_own_library_and_marked() {
    let root = set();
    let user = User::new(root.path());
    let (folder, kept) = (argument(&root.path().join("set")), argument(&root.path().join("kept")));
    let output = user.run(&["eval", "questions", &folder, "--workspaces", &kept, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let report = json(&output);
    let questions = report["questions"].as_array().unwrap();
    let done: Vec<&str> = questions.iter().map(|one| one["behaviour"].as_str().unwrap()).collect();
    assert_eq!(done, ["answer", "fact", "list", "define", "refuse", "answer"], "{questions:#?}");
    for one in &questions[..5] {
        let marks = &one["marks"];
        let all = ["behaviour", "documents", "content"].map(|mark| marks[mark].as_bool().unwrap());
        assert_eq!(all, [true; 3], "{one:#}");
    }
    assert_eq!(questions[5]["marks"]["documents"], false);
    assert_eq!(
        questions[0]["citations"],
        json!(["records/tea/0001-steam-the-leaves.md"]),
        "Markdown alone is read"
    );
    assert_eq!((&report["overall"]["count"], &report["by_form"]["1"]["all"]), (&json!(6), &json!(0.5)));
    assert_eq!(report["lists"], json!({ "count": 1, "recall": 1.0, "precision": 1.0 }));

    // The library changes; the workspace is there already.
    let changed = root.path().join("records/tea/0001-steam-the-leaves.md");
    fs::write(changed, TEA.replace("ninety seconds", "two minutes")).unwrap();
    let file = root.path().join("report.json");
    let output = user.run(&[
        "eval",
        "questions",
        &folder,
        "--workspaces",
        &kept,
        "--only",
        "T-1,T-6",
        "--failures",
        "--output",
        &argument(&file),
    ]);
    assert!(output.status.success(), "{}", said(&output));
    let printed = text(&output);
    for told in [
        "form 1",
        "median length",
        "T-1 (form 1), wrong: content",
        "words: ninety seconds",
        "two minutes",
        "0003-not-there.md",
    ] {
        assert!(printed.contains(told), "{told}: {printed}");
    }
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(written["questions"].as_array().unwrap().len(), 2);
}

#[test]
fn names_that_the_set_does_not_have_are_told() {
    let root = set();
    let user = User::new(root.path());
    let folder = argument(&root.path().join("set"));
    for (flags, told) in [
        (["--library", "coffee"], "no library `coffee`; there are tea"),
        (["--only", "T-1,T-99"], "no question `T-99`"),
        (["--form", "17"], "no question of the set is left"),
    ] {
        let output = user.run(&[&["eval", "questions", folder.as_str()][..], &flags[..]].concat());
        assert!(!output.status.success() && said(&output).contains(told), "{told}: {}", said(&output));
    }
}

#[test]
fn the_water_authoritys_questions_are_answered_and_nothing_beside() {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/evaluation/waterschap/questions");
    let folder = tempfile::tempdir().unwrap();
    let output = User::new(folder.path()).run(&["eval", "questions", &set.to_string_lossy(), "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let report = json(&output);
    // docs/evaluation.md has the figure; this only notices when something breaks.
    let right = report["overall"]["all"].as_f64().unwrap();
    assert!(right >= 0.6, "{right} of the questions are right");
    let answered = |one: &&Value| one["expected"] == "refuse" && one["marks"]["behaviour"] == false;
    let asked = report["questions"].as_array().unwrap().iter();
    let wrongly: Vec<&Value> = asked.filter(answered).map(|one| &one["id"]).collect();
    assert!(wrongly.is_empty(), "what has no answer is not answered: {wrongly:?}");
}
