//! The library's commands as a user types them.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use plumbline_testkit::shared_data;
use serde_json::Value;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// Runs `plumbline` in a workspace, with none of the caller's settings.
fn plumbline(workspace: &Path, arguments: &[&str]) -> Output {
    command(workspace, arguments).output().unwrap()
}

fn command(workspace: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline"));
    command.args(arguments).arg("--workspace").arg(workspace).env_clear();
    command
}

fn json(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_sample_library_is_indexed_listed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sample = sample();
    let report = json(&plumbline(at, &["index", &sample.to_string_lossy(), "--no-embeddings", "--json"]));
    assert_eq!((report["files"].as_u64(), report["skipped"].as_array().map(Vec::len)), (Some(90), Some(0)));
    assert!(report["chunks"].as_u64().unwrap() > 300 && report["seconds"].is_number());

    let listed = json(&plumbline(at, &["list", "adr", "--json"]));
    assert_eq!(listed["total"], 30);
    let first = &listed["rows"][0];
    assert_eq!((first["id"].as_str(), first["type"].as_str()), (Some("adr-0001"), Some("ADR")));
    for field in ["number", "title", "status", "date", "owner", "path"] {
        assert!(!first[field].is_null(), "`{field}` is given");
    }
    let policies = |tags: &[&str]| {
        json(&plumbline(at, &[&["list", "policy", "--json"], tags].concat()))["total"].clone()
    };
    assert_eq!((policies(&[]), policies(&["--tag", "security"])), (9.into(), 10.into()));
    let rejected = json(&plumbline(at, &["list", "adrs", "--status", "rejected", "--json"]));
    assert_eq!(rejected["rows"][0]["id"], "adr-0028");

    for written in ["adr-0012", "ADR.12", "adr 12"] {
        let shown = json(&plumbline(at, &["show", written, "--json"]));
        assert_eq!(shown["record"]["document"]["id"], "adr-0012", "{written}");
        assert!(!shown["passages"].as_array().unwrap().is_empty());
    }
    let missing = plumbline(at, &["show", "ADR-14"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("nearest: adr-0013"), "{}", said(&missing));
    let hidden = plumbline(at, &["show", "policy-incident-response"]);
    assert_eq!(hidden.status.code(), Some(1), "what may not be seen does not exist");

    let status = json(&plumbline(at, &["status", "--json"]));
    assert_eq!(status["documents"]["ADR"], 30);
    let verified = plumbline(at, &["verify-identity", "--json"]);
    assert_eq!(verified.status.code(), Some(0), "the sample library has no collisions");
    assert_eq!(
        json(&verified)["disagreements"].as_array().unwrap().len(),
        1,
        "ADR.31 and its approval record"
    );
}

#[test]
fn two_records_with_one_number_are_both_kept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("adr");
    std::fs::create_dir_all(&docs).unwrap();
    for name in ["0009-first", "0009-second"] {
        let text =
            format!("# 9. The {name}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe take the {name}.\n");
        std::fs::write(docs.join(format!("{name}.md")), text).unwrap();
    }
    let at = folder.path().join("workspace");
    plumbline(&at, &["index", &docs.to_string_lossy(), "--no-embeddings"]);
    assert_eq!(json(&plumbline(&at, &["list", "adr", "--json"]))["total"], 2);
    let verified = plumbline(&at, &["verify-identity"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(said(&verified).contains("1 document claims the id of another"), "{}", said(&verified));
}

#[test]
fn what_sections_are_taken_for_is_shown_however_a_record_is_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("adr");
    std::fs::create_dir_all(&docs).unwrap();
    let many: String = (1..=1000).map(|at| format!("\n## Point {at}\n\nPoint {at} is settled.\n")).collect();
    for (name, text) in [
        (
            "0001-known",
            "# Known\n\n## CONTEXT AND PROBLEM STATEMENT\n\nWe had two.\n\n## DECISION OUTCOME\n\nWe keep one.\n",
        ),
        (
            "0002-twice",
            "# Twice\n\n## Decision\n\nWe keep one.\n\n## Context\n\nWe had two.\n\n## Decision\n\nAnd not two.\n",
        ),
        ("0003-one", "# One\n\n## Our way\n\nWe keep three.\n"),
        ("0004-none", "We keep four, whatever comes.\n"),
        ("0005-many", &format!("# Many\n{many}")),
        (
            "0006-table",
            "# Table\n\n## Decision\n\n| what | how |\n|---|---|\n| six | kept |\n| seven |\n| eight | kept | twice |\n",
        ),
    ] {
        std::fs::write(docs.join(format!("{name}.md")), text).unwrap();
    }
    let at = folder.path().join("workspace");
    plumbline(&at, &["index", &docs.to_string_lossy(), "--no-embeddings"]);
    let verified = json(&plumbline(&at, &["verify-identity", "--json"]));
    let sections_of = |name: &str| {
        let documents = verified["documents"].as_array().unwrap();
        let document = documents.iter().find(|one| one["path"].as_str().unwrap().contains(name)).unwrap();
        document["sections"].as_array().unwrap().clone()
    };
    let taken = |name: &str| -> Vec<(String, bool)> {
        let sections = sections_of(name).into_iter();
        let typed = sections.filter(|section| section["part"].is_string());
        typed.map(|one| (one["part"].as_str().unwrap().to_owned(), one["guessed"] == true)).collect()
    };
    let told = |part: &str, guessed: bool| (part.to_owned(), guessed);
    assert_eq!(taken("0001"), [told("context", false), told("decision", false)]);
    assert_eq!(taken("0002"), [told("decision", false), told("context", false)], "told once");
    assert_eq!(taken("0003"), [told("decision", true)]);
    assert_eq!(taken("0004"), [told("decision", true)]);
    assert_eq!(sections_of("0005").len(), 1000, "none is lost");
    for (question, held) in [
        ("What does ADR 2 decide?", "And not two."),
        ("What does ADR 3 decide?", "We keep three."),
        ("What does ADR 4 decide?", "We keep four, whatever comes."),
        ("What does ADR 6 decide?", "eight"),
    ] {
        let asked = json(&plumbline(&at, &["ask", question, "--json"]));
        assert!(asked["answer"].as_str().unwrap().contains(held), "{question}: {}", asked["answer"]);
    }
    let shown = String::from_utf8(plumbline(&at, &["verify-identity"]).stdout).unwrap();
    assert!(shown.contains("Our way: decision (guessed: by its place)"), "{shown}");
}

#[test]
fn evidence_is_found_by_meaning_and_by_words_with_the_built_in_embedder() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs/adr");
    std::fs::create_dir_all(&docs).unwrap();
    for (number, decision) in [
        (1, "Every data set has exactly one owner."),
        (2, "All connections are encrypted with TLS 1.3."),
        (3, "Applications exchange events through one message broker."),
    ] {
        let text =
            format!("# {number}. Decision {number}\n\n## Status\n\nAccepted\n\n## Decision\n\n{decision}\n");
        std::fs::write(docs.join(format!("{number:04}-decision.md")), text).unwrap();
    }
    let at = folder.path().join("workspace");
    let indexed = plumbline(&at, &["index", &docs.to_string_lossy()]);
    assert_eq!(indexed.status.code(), Some(0), "{}", said(&indexed));
    // A machine that is busy with other tests is no reason to leave a lane out.
    let search = |question: &str| {
        let patient = ["--set", "retrieval.lane_deadline_ms=60000"];
        json(&plumbline(&at, &[["search", question].as_slice(), &["-k", "3", "--json"], &patient].concat()))
    };
    let dutch = search("Wie is de eigenaar van een gegevensset?");
    assert_eq!(
        dutch["lanes"]["dense"][0]["document_id"], "adr-0001",
        "a Dutch question finds an English record"
    );
    let words = search("TLS 1.3");
    assert_eq!(words["lanes"]["lexical"][0]["document_id"], "adr-0002");
    assert_eq!(words["whole"][0]["document_id"], "adr-0002");
    assert!(words["whole"][0]["cosine"].is_number(), "each passage has its cosine, whichever lane found it");
}

#[test]
fn mistakes_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let nothing = plumbline(at, &["list", "adr"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(said(&nothing).contains("plumbline index"), "{}", said(&nothing));
    let missing = plumbline(at, &["index", "/no/such/folder", "--no-embeddings"]);
    assert!(said(&missing).contains("does not exist"), "{}", said(&missing));
    assert_eq!(plumbline(at, &["list", "zebra"]).status.code(), Some(2), "a wrong kind is a wrong use");
}

#[test]
fn a_library_is_published_followed_and_named_in_answers() {
    let folder = tempfile::tempdir().unwrap();
    let (publisher, reader) = (folder.path().join("publisher"), folder.path().join("reader"));
    let docs = folder.path().join("records");
    std::fs::create_dir(&docs).unwrap();
    let record = "# 1. Rotate access tokens\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Decision\n\nAccess tokens are valid for 40 minutes.\n";
    std::fs::write(docs.join("0001-rotate-access-tokens.md"), record).unwrap();
    let place = folder.path().join("team");
    let place = place.to_string_lossy();
    let nothing = plumbline(&reader, &["subscribe", &place]);
    assert!(!nothing.status.success() && said(&nothing).contains("cannot be reached"), "{}", said(&nothing));
    json(&plumbline(&publisher, &["index", &docs.to_string_lossy(), "--json"]));
    let published = json(&plumbline(&publisher, &["publish", &place, "--json"]));
    assert_eq!((&published["generation"], &published["documents"]), (&1.into(), &1.into()));
    let followed = json(&plumbline(&reader, &["subscribe", &place, "--json"]));
    assert_eq!((&followed[0]["generation"], &followed[0]["added"]), (&1.into(), &1.into()));
    let again = json(&plumbline(&reader, &["subscribe", "--json"]));
    assert_eq!(again[0]["new"], false, "what is followed is known, and nothing is new");
    let answer = json(&plumbline(&reader, &["ask", "How long are access tokens valid?", "--json"]));
    assert!(answer["answer"].as_str().unwrap().contains("40 minutes"), "{answer}");
    let notices = answer["notices"].as_array().unwrap();
    let named = notices.iter().find(|notice| notice["kind"] == "published").unwrap();
    assert!(named["text"].as_str().unwrap().contains("generation 1"), "{named}");
    let status = json(&plumbline(&reader, &["status", "--json"]));
    assert_eq!(status["team_libraries"][0]["generation"], 1);
    assert!(plumbline(&reader, &["subscribe", &place, "--remove"]).status.success());
    assert_eq!(json(&plumbline(&reader, &["list", "all", "--json"]))["total"], 0);
}

#[cfg(unix)]
#[test]
fn a_later_edition_of_the_embedder_takes_over_when_its_vectors_are_complete() {
    let Some(second) = shared_data::path_or_skip("models/embed-en-nl-2") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [docs, models, at] = ["adr", "models", "workspace"].map(|name| folder.path().join(name));
    for folder in [&docs, &models, &at] {
        std::fs::create_dir_all(folder).unwrap();
    }
    for (number, text) in
        [(1, "Measurements are kept for ten years."), (2, "Alarms go to the duty engineer.")]
    {
        let record =
            format!("# {number}. Record {number}\n\n## Status\n\nAccepted\n\n## Decision\n\n{text}\n");
        std::fs::write(docs.join(format!("000{number}-record.md")), record).unwrap();
    }
    let ours =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/models/embed-en-nl").canonicalize().unwrap();
    std::os::unix::fs::symlink(ours, models.join("embed-en-nl")).unwrap();
    let run = |arguments: &[&str]| {
        let output = command(&at, arguments).env("PLUMBLINE_MODELS", &models).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output)
    };
    run(&["index", &docs.to_string_lossy()]);
    let calibrated = "collections:\n  ADR_Local:\n    single_hit: 0.61\n";
    std::fs::write(at.join("thresholds.yaml"), calibrated).unwrap();

    std::os::unix::fs::symlink(second, models.join("embed-en-nl-2")).unwrap();
    let question = ["ask", "How long are measurements kept?"];
    let told = run(&["doctor"]);
    assert!(told.contains("until the vectors of built-in, edition 2"), "{told}");
    assert!(
        !told.contains("another edition"),
        "the first answers still, with what was calibrated for it: {told}"
    );
    assert!(run(&question).contains("ten years"));

    run(&["index"]);
    let told = run(&["doctor"]);
    assert!(!told.contains("until the vectors of"), "{told}");
    assert!(
        told.contains("calibrated for another edition") && told.contains("plumbline calibrate --write"),
        "{told}"
    );
    assert!(run(&question).contains("ten years"));
    assert_eq!(std::fs::read_to_string(at.join("thresholds.yaml")).unwrap(), calibrated, "nothing is lost");
}
