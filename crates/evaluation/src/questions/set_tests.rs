use super::*;

const GOOD: &str = r#"{"id": "T-1", "library": "tea", "form": 1, "language": "en", "question": "How hot?", "expected": {"behaviour": "fact", "documents": ["tea/1-heat.md"], "also_fine": [], "must_contain": ["80"], "must_not_contain": []}}"#;
const GOOD_LIBRARIES: &str = r#"{"root": "a word for people", "file_types": ["md"],
 "libraries": [
  {"name": "tea", "describe": "another", "folders": ["tea", "cups/"]}
 ]}"#;

fn read(questions: &str, libraries: &str) -> Result<QuestionSet, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(QUESTIONS), questions).unwrap();
    std::fs::write(folder.path().join(LIBRARIES), libraries).unwrap();
    QuestionSet::read(folder.path()).map_err(|error| error.to_string())
}

#[test]
fn a_set_is_read_as_it_stands() {
    let history = r#""history": [{"role": "user", "content": "What is tea?"}], "question""#;
    let second = GOOD.replace("T-1", "T-2").replace(r#""question""#, history);
    let set = read(&format!("{GOOD}\n\n{second}\n"), GOOD_LIBRARIES).unwrap();
    let ids: Vec<&str> = set.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["T-1", "T-2"]);
    assert!(set.questions[0].history.is_empty() && set.questions[1].history.len() == 1);
    assert_eq!(set.libraries[0].folders, ["tea", "cups/"]);
}

#[test]
fn errors_name_file_and_line() {
    let cases = [
        (r#""documents""#, r#""document""#, "questions.jsonl, line 2: unknown field `document`"),
        (r#""also_fine": [], "#, "", "questions.jsonl, line 2: missing field `also_fine`"),
        (r#""fact""#, r#""guess""#, "questions.jsonl, line 2: unknown variant `guess`"),
        (r#""form": 1"#, r#""form": "one""#, "questions.jsonl, line 2: invalid type"),
        (r#""tea""#, r#""coffee""#, "questions.jsonl, line 2: libraries.json has no library `coffee`"),
        ("T-2", "T-1", "questions.jsonl, line 2: `T-1` is already used on line 1"),
    ];
    for (from, to, expected) in cases {
        let wrong = GOOD.replace("T-1", "T-2").replacen(from, to, 1);
        let error = read(&format!("{GOOD}\n{wrong}\n"), GOOD_LIBRARIES).unwrap_err();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let error = read(GOOD, &GOOD_LIBRARIES.replace(r#""name""#, r#""title""#)).unwrap_err();
    assert!(error.contains("libraries.json, line 3: missing field `name`"), "{error}");
    assert!(read("\n", GOOD_LIBRARIES).unwrap_err().contains("questions.jsonl holds no question"));
    let nowhere = QuestionSet::read(Path::new("nowhere")).unwrap_err().to_string();
    assert!(nowhere.contains("libraries.json"), "{nowhere}");
}

#[test]
fn a_document_is_named_with_its_folder_where_only_one_holds_it() {
    let root = tempfile::tempdir().unwrap();
    for (folder, names) in [("tea", ["index.md", "1-heat.md"]), ("cups", ["index.md", "2-size.md"])] {
        std::fs::create_dir(root.path().join(folder)).unwrap();
        for name in names {
            std::fs::write(root.path().join(folder).join(name), "x").unwrap();
        }
    }
    let library = QuestionLibrary {
        name: "tea".to_owned(),
        folders: vec!["tea".to_owned(), "cups/".to_owned()],
        vocabularies: Vec::new(),
    };
    let path = |path: &str| library.path_in_set(root.path(), path);
    assert_eq!((path("1-heat.md"), path("2-size.md")), ("tea/1-heat.md".into(), "cups/2-size.md".into()));
    assert_eq!(path("index.md"), "index.md", "both hold it");
    assert_eq!(
        path("https://example.org/id/tea"),
        "https://example.org/id/tea",
        "a concept lies in no folder"
    );
}
