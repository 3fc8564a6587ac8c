//! The committed settings, against the numbers of the documents. Expected values are copied from the documents.

use std::path::PathBuf;

use plumbline_core::domain::{Collection, EmbedderFamily, Kind};
use plumbline_core::settings::{CollectionThresholds, CrossLanguage, Owners, Settings, Sources, Thresholds};
use serde_json::{Value, json};

fn file(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn near(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-6,
        _ => a == b,
    }
}

fn assert_holds(settings: &Value, expected: &[(&str, Value)], whose: &str) {
    for (path, value) in expected {
        let found = settings.pointer(&format!("/{}", path.replace('.', "/")));
        assert!(
            found.is_some_and(|found| near(found, value)),
            "{path}: {whose} says {value}, the file {found:?}"
        );
    }
}

fn settings() -> Value {
    let settings = Settings::resolve(Sources::default()).expect("every default resolves");
    serde_json::to_value(settings).unwrap()
}

#[test]
fn every_file_of_the_folder_is_known_here() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["default.toml", "owners.toml", "thresholds.yaml"]);
}

#[test]
fn the_committed_file_is_the_table_of_settings() {
    assert_eq!(
        file("config/default.toml"),
        Settings::documented(),
        "run `cargo xtask generate` and commit the result"
    );
}

#[test]
fn the_committed_thresholds_name_and_explain_every_one_of_the_table() {
    let text = file("config/thresholds.yaml");
    let written: Value = serde_saphyr::from_str(&text).unwrap();
    let plain = |text: &str| text.replace('#', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let comments = plain(&text.lines().filter(|line| line.starts_with('#')).collect::<String>());
    for (name, about) in CollectionThresholds::FIELDS.iter().zip(CollectionThresholds::ABOUT) {
        let line = plain(&format!("{name} {}", about.concat()));
        assert!(comments.contains(&line), "the file's opening lacks `{line}`");
    }
    let names =
        |section: &str| -> Vec<String> { written[section].as_object().unwrap().keys().cloned().collect() };
    let sorted = |fields: &[&str]| {
        let mut fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        fields.sort_unstable();
        fields
    };
    let mut default = names("default");
    default.sort_unstable();
    assert_eq!(default, sorted(CollectionThresholds::FIELDS), "`default` has them all");
    let mut cross_language = names("cross_language");
    cross_language.sort_unstable();
    assert_eq!(cross_language, sorted(CrossLanguage::FIELDS));
}

#[test]
fn the_defaults_are_those_of_rag2() {
    let expected = [
        ("models.ollama_url", json!("http://localhost:11434")),
        ("models.temperature", json!(0.1)),
        ("models.timeout_seconds", json!(30)),
        ("budget.max_context_tokens", json!(3000)),
        ("budget.max_history_tokens", json!(1000)),
        ("budget.max_response_tokens", json!(1024)),
        ("budget.system_prompt_tokens", json!(500)),
        ("retrieval.min_similarity", json!(0.3)),
        ("retrieval.max_chunks_per_doc", json!(3)),
        ("retrieval.total_chunks", json!(5)),
        ("retrieval.overlap_threshold", json!(0.9)),
        ("retrieval.over_fetch", json!(3)),
        ("retrieval.confidence_threshold", json!(60)),
    ];
    let settings = settings();
    assert_holds(&settings, &expected, "RAG2");
    let allowed = json!({
        "llama3.2": { "context_window": 8192, "max_response": 1024 },
        "qwen3:8b": { "context_window": 32768, "max_response": 2048 },
        "deepseek-r1:32b": { "context_window": 65536, "max_response": 4096 },
    });
    assert_eq!(settings["models"]["allow"], allowed, "RAG2's allowlist, whole");
}

#[test]
fn the_defaults_are_those_of_ir3() {
    let expected = [
        ("vocabulary.timeout_ms", json!(300)),
        ("vocabulary.cache_ttl_seconds", json!(600)),
        ("vocabulary.cache_max_size", json!(5000)),
        ("breaker.failure_threshold", json!(5)),
        ("breaker.success_threshold", json!(2)),
        ("breaker.timeout_seconds", json!(30)),
        ("retrieval.fallback_penalty", json!(0.8)),
    ];
    assert_holds(&settings(), &expected, "IR3");
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    let expected = [
        // 2.2 and 2.6: a fresh machine has the embedded vocabulary, no model, and keeps to the library.
        ("models.answer", Value::Null),
        ("models.planner", Value::Null),
        ("models.judge", Value::Null),
        ("vocabulary.skosmos_url", Value::Null),
        ("general.outside_knowledge", json!(false)),
        ("models.prompt_tokens_per_second", json!(20)),
        // 2.4
        ("retrieval.rerank_floor", json!(0.18)),
        ("retrieval.rerank_pool", json!(60)),
        ("retrieval.rerank_keep", json!(16)),
        ("retrieval.kind_boost_rerank", json!(0.15)),
        ("retrieval.kind_boost_fused", json!(1.15)),
        ("curated.pinned_accept", json!(0.85)),
        ("curated.pinned_border", json!(0.70)),
        ("curated.judge_accept", json!(0.50)),
        ("curated.note_accept", json!(0.60)),
        ("curated.reference_score", json!(0.75)),
        ("curated.note_spares", json!(0.70)),
        ("curated.note_references", json!(3)),
        ("retrieval.abstain_at", json!(40)),
        ("limits.stale_after_months", json!(6)),
    ];
    assert_holds(&settings(), &expected, "our own");
}

#[test]
fn the_thresholds_file_holds_ir3s_sections() {
    let written: Value = serde_saphyr::from_str(&file("config/thresholds.yaml")).unwrap();
    for (section, distance, coverage) in [
        ("/collections/ADR_Ollama", 0.45, 0.20),
        ("/collections/Vocabulary_Ollama", 0.35, 0.30),
        ("/collections/Principle_Ollama", 0.50, 0.15),
        ("/collections/Policy_Ollama", 0.50, 0.20),
        ("/default", 0.50, 0.20),
    ] {
        let section_value = written.pointer(section).unwrap_or_else(|| panic!("no section {section}"));
        assert!(near(&section_value["distance_threshold"], &json!(distance)), "{section}");
        assert!(near(&section_value["min_query_coverage"], &json!(coverage)), "{section}");
    }
    let parsed = Thresholds::parse("thresholds.yaml", &file("config/thresholds.yaml")).unwrap();
    assert_eq!(parsed, Thresholds::default(), "the program holds the committed file");
}

#[test]
fn thresholds_resolve_to_the_ladders_of_the_specification() {
    let thresholds = Thresholds::default();
    let coverage = |kind| match kind {
        Kind::Vocabulary => 0.30,
        Kind::Principle => 0.15,
        _ => 0.20,
    };
    let ollama_distance = |kind| match kind {
        Kind::Adr | Kind::Dar => 0.45,
        Kind::Vocabulary => 0.35,
        _ => 0.50,
    };
    for kind in Kind::ALL {
        let of = |family| thresholds.for_collection(&Collection::from(kind), family);
        let numbers = |family| {
            let t = of(family);
            [t.distance_threshold, t.bail_below, t.single_hit, t.several_hits, t.mean]
        };
        let name = kind.as_str();
        // DID's ladder with FIVE's mean where Ollama embeds, and numbers of its own for the built-in model.
        assert_eq!(
            numbers(EmbedderFamily::Ollama),
            [ollama_distance(kind), 0.40, 0.65, 0.55, 0.50],
            "{name}"
        );
        assert_eq!(numbers(EmbedderFamily::Local), [0.70, 0.32, 0.45, 0.38, 0.35], "{name}");
        for family in [EmbedderFamily::Ollama, EmbedderFamily::Local, EmbedderFamily::Lexical] {
            let found = of(family);
            assert!((found.lexical_witness - 0.80).abs() < 1e-9, "{name}");
            assert!(
                (found.min_query_coverage - coverage(kind)).abs() < 1e-9,
                "{name}: IR3's, whoever scores"
            );
        }
        // Without vectors the numbers are our own; they must leave room for a score to be judged at all.
        let [distance, bail, single, several, mean] = numbers(EmbedderFamily::Lexical);
        assert!(1.0 - distance <= bail && bail < mean && mean <= several && several < single, "{name}");
    }
    let across = thresholds.cross_language;
    assert!(0.0 < across.floor && across.floor < across.ceiling && across.ceiling < 1.0);
}

#[test]
fn the_owners_files_parse_and_somebody_answers_for_everything() {
    for path in ["config/owners.toml", "data/sample/owners.toml"] {
        let owners = Owners::parse(path, &file(path)).unwrap_or_else(|error| panic!("{error}"));
        assert!(owners.admin.email.contains('@') && !owners.admin.name.is_empty(), "{path}: RAG2's fallback");
    }
    assert_eq!(Owners::default(), Owners::parse("owners.toml", &file("config/owners.toml")).unwrap());
}
