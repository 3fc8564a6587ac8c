//! What measures the product, as a user types it.

use std::fmt::Write as _;
use std::path::Path;

use plumbline_testkit::model::reply;
use plumbline_testkit::ollama_server::{OllamaServer, World};
use serde_json::{Value, json};

use super::{User, json, library, said, text};

const MODEL: &str = "llama3.2";

/// Questions over passages of our own: what the title names, and what one of its sentences says, or does not.
fn question_files(folder: &Path) -> (String, String) {
    let towns = [
        ("Alder", "mill", "1841"),
        ("Birch", "ferry", "1902"),
        ("Cedar", "school", "1877"),
        ("Dogwood", "bridge", "1933"),
        ("Elm", "market", "1650"),
        ("Fir", "harbour", "1788"),
    ];
    let (mut answerable, mut unanswerable) = (String::new(), String::new());
    for (number, (town, thing, year)) in towns.iter().enumerate() {
        let sentence = format!("The {thing} of {town} was opened in {year} by the council.");
        let passage = json!({
            "title": town,
            "text": format!("{town} is a town on the river. {sentence} Trains stop there twice a day."),
            "sentences": [],
        });
        let row = |id: String, question: String, gold: Vec<&str>| json!({ "id": id, "input": question, "passages": [passage], "output": [{ "selected_sentences": gold }] });
        let asked = format!("when was the {thing} of {town} opened by the council");
        let _ = writeln!(answerable, "{}", row(format!("a{number}"), asked, vec![&sentence]));
        let beside = format!("how many languages does the mayor of {town} speak fluently");
        let _ = writeln!(unanswerable, "{}", row(format!("u{number}"), beside, Vec::new()));
    }
    let (first, second) = (folder.join("answerable.jsonl"), folder.join("unanswerable.jsonl"));
    std::fs::write(&first, answerable).unwrap();
    std::fs::write(&second, unanswerable).unwrap();
    (first.to_string_lossy().into_owned(), second.to_string_lossy().into_owned())
}

#[test]
fn refusal_is_measured_on_questions_with_and_without_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (answerable, unanswerable) = question_files(folder.path());
    let user = User::new(folder.path());
    let output = user.run(&["eval", "refusal", "--clapnq", &answerable, &unanswerable, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let report = json(&output);
    assert_eq!((report["answerable"].as_u64(), report["unanswerable"].as_u64()), (Some(6), Some(6)));
    let built_in = report["built_in"]["area_under_curve"].as_f64().unwrap();
    assert!(built_in > 0.9, "what a town's own sentence says is told from what none says: {built_in}");
    let ends: Vec<&Value> = report["built_in"]["curve"].as_array().unwrap().iter().collect();
    assert_eq!(ends.first().unwrap()["false_answers"], 1.0, "the curve begins where everything is answered");
    assert_eq!(ends.last().unwrap()["false_refusals"], 1.0, "and ends where everything is refused");
    assert!(report["decisions"]["gold_sentence_shown"].as_f64().unwrap() > 0.5);
}

#[test]
fn a_file_that_is_no_set_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let (answerable, _) = question_files(folder.path());
    let broken = folder.path().join("broken.jsonl");
    std::fs::write(&broken, "{\"id\": 1}\n").unwrap();
    let output = User::new(folder.path()).run(&[
        "eval",
        "refusal",
        "--clapnq",
        &answerable,
        &broken.to_string_lossy(),
    ]);
    assert!(!output.status.success());
    assert!(said(&output).contains("broken.jsonl, line 1"), "{}", said(&output));
}

/// Every question of one category, asked and written down.
fn report(user: &User<'_>, file: &Path) {
    let output =
        user.run(&["eval", "golden", "--only", "policy_retrieval", "--output", &file.to_string_lossy()]);
    assert!(output.status.success(), "{}", said(&output));
    let written: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut counted = 0;
    for half in ["fitted", "reported"] {
        let count = written["metrics"]["by_half"][half]["count"].as_u64().unwrap();
        let row = printed.lines().find(|line| line.starts_with(half)).expect(&printed);
        assert_eq!(row.split_whitespace().nth(1), Some(&*count.to_string()), "{printed}");
        counted += count;
    }
    assert_eq!(written["meta"]["total_queries"], counted, "policies are documents, so each is in a half");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_reports_are_judged_blind_and_sides_do_not_favour_either() {
    let server = OllamaServer::with(
        World::default().writing(|_| reply("faithfulness: A\ncompleteness: A\nstructure: A\nbalance: tie")),
    )
    .await;
    let folder = library();
    let user = User::new(folder.path()).with("OLLAMA_BASE_URL", server.address());
    let (first, second) = (folder.path().join("first.json"), folder.path().join("second.json"));
    report(&user, &first);
    let other = std::fs::read_to_string(&first).unwrap();
    let mut other: Value = serde_json::from_str(&other).unwrap();
    let answers = other["answers"].as_array_mut().unwrap();
    let same = 1;
    answers.iter_mut().skip(same).for_each(|one| one["answer"] = "Otherwise.".into());
    std::fs::write(&second, other.to_string()).unwrap();
    let output =
        user.run(&["judge", &first.to_string_lossy(), &second.to_string_lossy(), "--model", MODEL, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let verdict = json(&output);
    assert_eq!(verdict["identical"], same, "equal answers are no contest");
    assert_eq!(verdict["unreadable"], 0);
    assert_eq!(verdict["first_place_wins"], 1.0, "this judge always takes what stands first, and that shows");
    let wins = &verdict["criteria"]["faithfulness"];
    assert!(
        wins["first"].as_u64().unwrap() > 0 && wins["second"].as_u64().unwrap() > 0,
        "sides change with the question, so that such a judge favours nobody: {wins}"
    );
    let asked: Vec<String> =
        server.asked_of("/api/chat").iter().map(|asked| asked.body.to_string()).collect();
    assert!(asked.iter().all(|body| !body.contains("first.json") && !body.contains("second.json")));
    assert!(asked.iter().all(|body| body.contains("\"temperature\":0.0")), "the same verdict every time");
}

#[test]
fn a_report_without_answers_cannot_be_judged() {
    let folder = tempfile::tempdir().unwrap();
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/evaluation/baseline.json");
    let baseline = baseline.to_string_lossy();
    let output = User::new(folder.path()).run(&["judge", &baseline, &baseline, "--model", MODEL]);
    assert!(!output.status.success());
    assert!(said(&output).contains("eval golden --output"), "it says how to get one: {}", said(&output));
}

#[test]
fn calibration_shows_what_thresholds_trade_and_writes_only_when_asked() {
    let folder = library();
    let user = User::new(folder.path());
    let few = folder.path().join("few.jsonl");
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/evaluation/golden_queries.jsonl");
    let lines = std::fs::read_to_string(set).unwrap();
    let chosen = ["\"policy_retrieval\"", "\"near_miss\"", "\"off_topic\""];
    let chosen: Vec<&str> =
        lines.lines().filter(|line| chosen.iter().any(|category| line.contains(category))).collect();
    std::fs::write(&few, chosen.join("\n")).unwrap();
    let written = folder.path().join("calibration.json");
    let output = user.run(&[
        "calibrate",
        "--questions",
        &few.to_string_lossy(),
        "--output",
        &written.to_string_lossy(),
    ]);
    assert!(output.status.success(), "{}", said(&output));
    let printed = text(&output);
    assert!(printed.contains("Policy_Local") && printed.contains("false answers"), "{printed}");
    let calibration: Value = serde_json::from_slice(&std::fs::read(&written).unwrap()).unwrap();
    let measured = calibration["measured"].as_array().unwrap();
    assert!(measured.iter().any(|one| one["answerable"] == false && one["refused"] == true));
    let settled = calibration["settled"].as_array().unwrap();
    let policy = settled.iter().find(|one| one["section"] == "Policy_Local").expect("a section of its own");
    let swept = policy["swept"]["bail_below"].as_array().unwrap();
    let refused = |at: &Value| at["false_refusals"].as_f64().unwrap();
    assert!(
        refused(swept.first().unwrap()) <= refused(swept.last().unwrap()),
        "a higher threshold refuses no less"
    );
    assert!(!folder.path().join("thresholds.yaml").exists(), "nothing is written unless --write is given");
}
