//! The terminology commands as a user types them, over the sample vocabulary and files of our own.
// Clippy exempts test functions, but not the functions they share.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use plumbline_testkit::skosmos_server::{Recordings, SkosmosServer};
use serde_json::Value;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample")
}

/// Runs `plumbline` in a folder, with a workspace of its own and none of the caller's settings.
fn plumbline(folder: &Path, arguments: &[&str]) -> Output {
    plumbline_with(folder, &[], arguments)
}

fn plumbline_with(folder: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    let workspace = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_plumbline"))
        .args(arguments)
        .arg("--workspace")
        .arg(workspace.path())
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_term_of_the_librarys_own_vocabulary_is_defined_word_for_word() {
    let output = plumbline(&sample(), &["define", "CIMXML", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let response = json(&output);
    let definition = response["definition"]["definitions"][0].as_str().unwrap();
    let file = std::fs::read_to_string(sample().join("vocabulary/cim.ttl")).unwrap();
    assert!(file.contains(definition), "the definition stands in the file: {definition}");
    assert_eq!(response["citations"][0]["document_id"], "vocab-cimxml");
    assert_eq!(response["action"], "CITE");
}

#[test]
fn a_dutch_definition_is_given_to_who_asks_for_one() {
    let english = plumbline(&sample(), &["define", "transformer", "--json"]);
    let dutch = plumbline(&sample(), &["define", "transformator", "--lang", "nl", "--json"]);
    assert_eq!(json(&dutch)["definition"]["language"], "nl");
    assert_eq!(
        json(&dutch)["definition"]["uri"],
        json(&english)["definition"]["uri"],
        "one concept, two languages"
    );
}

#[test]
fn an_unknown_term_is_refused_with_its_reason_and_the_nearest_labels() {
    let output = plumbline(&sample(), &["define", "voltage regulatin"]);
    assert_eq!(output.status.code(), Some(3), "refused");
    let text = text(&output);
    assert!(text.contains("terminology_not_found") && text.contains("“voltage regulation”"), "{text}");
}

#[test]
fn an_ambiguous_term_asks_back_with_every_meaning() {
    let response = json(&plumbline(&sample(), &["define", "CIM", "--json"]));
    assert_eq!(response["action"], "CLARIFY");
    assert_eq!(response["clarification"]["options"].as_array().unwrap().len(), 3);
}

#[test]
fn a_broken_file_is_reported_with_its_line_and_the_rest_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("terms.ttl");
    let turtle = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n\
                  <http://example.org/a> a skos:Concept ; skos:prefLabel \"alpha\"@en ; skos:definition \"The first.\"@en .\n\
                  <http://example.org/b> a skos:Concept ; skos:prefLabel nonsense here .\n\
                  <http://example.org/c> a skos:Concept ; skos:prefLabel \"gamma\"@en ; skos:definition \"The third.\"@en .\n";
    std::fs::write(&file, turtle).unwrap();
    let output = plumbline(folder.path(), &["define", "gamma", "--vocabulary", "terms.ttl"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("The third."));
    let problems = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(problems.contains("terms.ttl, line 3"), "{problems}");
}

#[test]
fn without_any_vocabulary_the_error_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = plumbline(folder.path(), &["define", "CIM"]);
    assert_eq!(output.status.code(), Some(1));
    let problem = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(problem.contains("--vocabulary") && problem.contains("library.toml"), "{problem}");
    let missing = plumbline(folder.path(), &["define", "CIM", "--vocabulary", "nowhere.ttl"]);
    assert!(String::from_utf8(missing.stderr.clone()).unwrap().contains("nowhere.ttl does not exist"));
    assert_eq!(plumbline(folder.path(), &["define"]).status.code(), Some(2), "wrong usage");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_asked_by_the_settings() {
    let server = SkosmosServer::start(Recordings::default()).await;
    let address = ("PLUMBLINE_VOCABULARY_SKOSMOS_URL", server.address());
    plumbline_with(&sample(), &[address], &["define", "CIMXML"]);
    assert!(!server.requests().is_empty(), "the server goes before the library's files");
    assert_eq!(server.count("energy"), 0);
    let ids = ("PLUMBLINE_VOCABULARY_SKOSMOS_VOCABULARIES", "energy, assets");
    plumbline_with(&sample(), &[address, ids], &["define", "CIMXML"]);
    assert!(server.count("energy") > 0, "only these are asked: {:?}", server.requests());
}

#[test]
fn vocab_check_counts_what_the_samples_readme_lists() {
    let response = json(&plumbline(&sample(), &["vocab", "check", "vocabulary", "--json"]));
    assert_eq!(response["concepts"], 178);
    assert_eq!(response["missing_definitions"].as_array().unwrap().len(), 6);
    assert_eq!(response["partly_defined"].as_array().unwrap().len(), 8);
    assert_eq!(response["cycles"].as_array().unwrap().len(), 0);
    assert_eq!(response["defects"].as_array().unwrap().len(), 0);
    let listed = text(&plumbline(&sample(), &["vocab", "list", "vocabulary"]));
    assert!(listed.contains("178 concepts in 4 files"), "{listed}");
}
