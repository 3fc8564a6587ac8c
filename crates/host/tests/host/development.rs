use std::path::Path;

use plumbline_contract::{Broadcast, Mistake, SettingChange};
use plumbline_testkit::dutch::assert_dutch;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::test_host::{TestHost, sample_workspace};

const DECISION: &str = "sample/adr/0001-record-architecture-decisions.md";

fn question(id: &str, form: u8, language: &str, text: &str, documents: &[&str], words: &[&str]) -> Value {
    json!({
        "id": id, "library": "sample", "form": form, "language": language, "question": text,
        "expected": {
            "behaviour": "answer", "documents": documents, "also_fine": [], "must_contain": words,
            "must_not_contain": [], "note": "a remark",
        },
    })
}

fn folder_of(lines: &[String]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("questions.jsonl"), lines.join("\n")).unwrap();
    folder
}

fn choose(test_host: &TestHost, folder: &Path) {
    *test_host.user.folder.lock().unwrap() = Some(folder.to_owned());
}

fn through(told: &Broadcast) -> bool {
    matches!(told, Broadcast::Development { development } if development.running.is_none())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_questions_is_asked_of_the_open_library_and_told_by_form_and_language() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    let never = host.development().await.unwrap();
    assert_eq!((never.set, never.unusable, never.last), (None, None, None));
    assert!(host.start_development().await.unwrap_err().message.contains("Choose a folder of questions"));

    let list = "list all principles about nothing that anybody wrote down";
    let set = folder_of(&[
        question("T-1", 1, "en", "What does ADR-0001 decide?", &[DECISION], &[]).to_string(),
        question("T-2", 1, "nl", "Wat besluit ADR-0001?", &[DECISION], &["words that no record has"])
            .to_string(),
        question("T-3", 9, "en", list, &["sample/adr/0001-record-architecture-decisoins.md"], &[])
            .to_string(),
    ]);
    choose(&test_host, set.path());
    let picked = host.pick_development_set().await.unwrap().unwrap();
    assert_eq!(
        (picked.questions, picked.left_out),
        (2, 1),
        "what names a document that is not there is not asked"
    );
    assert_eq!(picked.unknown, ["sample/adr/0001-record-architecture-decisoins.md"]);

    host.start_development().await.unwrap();
    for busy in [host.start_development().await, host.start_evaluation().await] {
        let busy = busy.unwrap_err();
        assert!(busy.message.contains("stop"), "it says what to do: {}", busy.message);
        assert_eq!(serde_json::to_value(busy).unwrap()["code"], "busy", "one run at a time");
    }
    test_host.hear(0, through).await;
    assert!(
        test_host.heard().iter().any(|told| matches!(
            told,
            Broadcast::Development { development } if development.running.as_ref().is_some_and(|run| run.total == 2)
        )),
        "how far it is was told"
    );
    let last = host.development().await.unwrap().last.unwrap();
    assert_eq!((last.overall.questions, last.overall.behaviour, last.overall.documents), (2, 2, 2));
    assert_eq!((last.overall.content, last.overall.all), (1, 1));
    assert!(last.overall.precision.is_some() && last.overall.median_length.is_some_and(|length| length > 0));
    let names: Vec<&str> = last.by_form.iter().chain(&last.by_language).map(|group| &*group.name).collect();
    assert_eq!(names, ["1", "en", "nl"]);
    assert_eq!(last.by_language.iter().map(|group| group.all).collect::<Vec<_>>(), [1, 0]);
    let [failure] = &*last.failures else { panic!("{:#?}", last.failures) };
    assert_eq!((&*failure.id, &*failure.mistakes), ("T-2", &[Mistake::Content][..]));
    assert_eq!(failure.expected.words, ["words that no record has"]);
    assert_eq!((&*failure.expected.behaviour, &*failure.expected.note), ("answer", "a remark"));
    assert!(
        failure.given.documents.iter().any(|path| path.ends_with("0001-record-architecture-decisions.md"))
    );
    assert!(!failure.given.text.is_empty());

    let from = test_host.heard().len();
    host.start_development().await.unwrap();
    host.stop_evaluation().await.unwrap();
    test_host.hear(from, through).await;
    test_host.host.shutdown().await;
    let again = TestHost::open(workspace.path()).await.host.development().await.unwrap();
    assert_eq!(
        (again.set, again.last),
        (Some(picked), Some(last)),
        "folder and report survive, and what was stopped changed neither"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_named_with_what_to_do_in_both_languages() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let host = &test_host.host;
    let good = question("T-1", 1, "en", "What does ADR-0001 decide?", &[DECISION], &[]).to_string();
    let elsewhere = question("T-1", 1, "en", "What?", &["tea/1-heat.md"], &[]).to_string();
    let nothing = tempfile::tempdir().unwrap();
    let above = tempfile::tempdir().unwrap();
    std::fs::create_dir(above.path().join("lists")).unwrap();
    std::fs::write(above.path().join("lists/questions.jsonl"), &good).unwrap();
    let cases = [
        (nothing, vec!["questions.jsonl", "Choose the folder"]),
        (above, vec!["questions.jsonl", "Choose one of the folders", "lists"]),
        (folder_of(&[]), vec!["questions.jsonl", "no question", "Write one JSON object"]),
        (folder_of(&[good.clone(), "{\"id\": ".to_owned()]), vec!["questions.jsonl, line 2"]),
        (folder_of(&[good.clone(), good.clone()]), vec!["line 2", "`T-1` is already used on line 1"]),
        (folder_of(&[good.replace("also_fine", "also_good")]), vec!["line 1", "also_good"]),
        (folder_of(&[elsewhere]), vec!["tea/1-heat.md", "Add the folder that holds them"]),
    ];
    for (folder, told) in &cases {
        choose(&test_host, folder.path());
        let problem = host.pick_development_set().await.unwrap_err().message;
        for words in told {
            assert!(problem.contains(words), "{words}: {problem}");
        }
        assert_eq!(host.development().await.unwrap().set, None, "what cannot be asked is not kept");
    }
    let dutch = SettingChange { key: "general.language".to_owned(), value: Some("nl".to_owned()) };
    host.change_settings(vec![dutch]).await.unwrap();
    for (folder, _) in &cases {
        choose(&test_host, folder.path());
        assert_dutch(&host.pick_development_set().await.unwrap_err().message);
    }

    let kept = folder_of(&[good]);
    choose(&test_host, kept.path());
    host.pick_development_set().await.unwrap();
    drop(kept);
    let now = host.development().await.unwrap();
    assert!(
        now.set.is_none() && now.unusable.is_some_and(|why| why.contains("questions.jsonl")),
        "gone is told"
    );
}
