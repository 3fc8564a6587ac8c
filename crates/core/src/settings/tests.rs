//! Tests of settings: layers, keys, rules and what is written back.

use std::path::PathBuf;

use super::keys::{Key, Rule};
use super::table::KEYS;
use super::*;
use crate::domain::{Collection, EmbedderFamily, Kind, Language};

fn from_file(text: &str) -> Result<Settings, SettingsError> {
    let user_file = Some((PathBuf::from("/home/a/settings.toml"), text.to_owned()));
    Settings::resolve(Sources { user_file, ..Sources::default() })
}

fn from_environment(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Settings::resolve(Sources { user_file: None, environment, flags: Vec::new() })
}

fn from_flags(flags: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let flags = flags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Settings::resolve(Sources { flags, ..Sources::default() })
}

fn at<'a>(json: &'a serde_json::Value, key: &Key) -> &'a serde_json::Value {
    &json[key.section][key.name]
}

/// A value other than the default that the rule allows.
fn sample(rule: &Rule) -> String {
    match rule {
        Rule::Bool => "true".to_owned(),
        Rule::Language => Language::NL.code().to_owned(),
        Rule::Address | Rule::OptionalAddress => "https://models.example.org".to_owned(),
        Rule::OptionalText => "phi4".to_owned(),
        // The first is the default.
        Rule::OneOf(words) => words.last().unwrap().to_string(),
        Rule::Whole(least, _) => (least + 61).min(90).to_string(),
        Rule::Number(least, most) => ((least + most) / 2.0 + 0.225).to_string(),
        Rule::Models => "{ phi4 = { context_window = 16384, max_response = 512 } }".to_owned(),
    }
}

#[test]
fn the_documented_file_is_the_default() {
    let default = Settings::resolve(Sources::default()).expect("every default resolves");
    assert_eq!(default, Settings::default());
    let documented = from_file(&Settings::documented()).expect("every default passes its own rule");
    assert_eq!(documented, Settings::default(), "a user who copies the whole file changes nothing");
}

#[test]
fn every_setting_is_explained_and_has_a_value_or_an_example() {
    let defaults = Settings::default().to_table();
    let mut short: Vec<&str> = KEYS.iter().filter_map(|key| key.short_variable).collect();
    for key in KEYS {
        let about = key.about.join(" ");
        assert!(about.trim().len() > 5 && about.ends_with('.'), "{}: `{about}`", key.path());
        let absent = defaults.get(key.section).and_then(|section| section.get(key.name)).is_none();
        assert_eq!(key.example.is_some(), absent, "{}: an example is for what is absent", key.path());
        if let Some(example) = key.example {
            assert!(key.rule.accept(&Value::from(example)).is_ok(), "{}: `{example}`", key.path());
        }
    }
    short.sort_unstable();
    short.dedup();
    assert_eq!(
        short.len(),
        14,
        "the seed's variables and that of OpenAI's protocol, each meaning one setting"
    );
}

#[test]
fn every_setting_can_be_given_by_variable_and_by_flag() {
    for key in KEYS {
        let value = sample(&key.rule);
        let mut flags = vec![(key.path(), value.clone())];
        let mut variables = vec![(key.variable(), value.clone())];
        // Some are sound only beside a neighbour that is raised with them.
        for (name, neighbour, raised) in [
            ("abstain_at", "retrieval.confidence_threshold", "99"),
            ("rerank_keep", "retrieval.rerank_pool", "99"),
            ("note_accept", "curated.note_spares", "0.9"),
        ] {
            if key.name == name {
                flags.push((neighbour.to_owned(), raised.to_owned()));
                variables.push((Key::find(neighbour).unwrap().variable(), raised.to_owned()));
            }
        }
        let by_flag = Settings::resolve(Sources { flags, ..Sources::default() })
            .unwrap_or_else(|error| panic!("--set {}={value}: {error}", key.path()));
        let by_variable =
            Settings::resolve(Sources { user_file: None, environment: variables, flags: Vec::new() })
                .unwrap_or_else(|error| panic!("{}={value}: {error}", key.variable()));
        assert_eq!(by_flag, by_variable, "{}", key.path());
        let json = |settings: &Settings| serde_json::to_value(settings).unwrap();
        assert_ne!(
            at(&json(&by_flag), key),
            at(&json(&Settings::default()), key),
            "{} must reach the settings",
            key.path()
        );
    }
    let count: usize = serde_json::to_value(Settings::default())
        .unwrap()
        .as_object()
        .unwrap()
        .values()
        .map(|section| section.as_object().unwrap().len())
        .sum();
    assert_eq!(count, KEYS.len(), "a setting that no variable and no flag can reach");
}

#[test]
fn the_seeds_variables_are_read() {
    let settings = from_environment(&[
        ("OLLAMA_BASE_URL", "http://10.0.0.5:11434/"),
        ("CHAT_MODEL", "qwen3:8b"),
        ("RAG_TEMPERATURE", "0.2"),
        ("RAG_TIMEOUT_SECONDS", "45"),
        ("RAG_MAX_CONTEXT_TOKENS", "2000"),
        ("RAG_MAX_HISTORY_TOKENS", "500"),
        ("RAG_MAX_RESPONSE_TOKENS", "700"),
        ("RAG_SYSTEM_PROMPT_TOKENS", "400"),
        ("RAG_MIN_SIMILARITY_SCORE", "0.35"),
        ("RAG_MAX_CHUNKS_PER_DOC", "2"),
        ("RAG_TOTAL_CONTEXT_CHUNKS", "7"),
        ("RAG_CHUNK_OVERLAP_THRESHOLD", "0.8"),
        ("RAG_CONFIDENCE_THRESHOLD", "70"),
        ("PATH", "/usr/bin"),
        ("RAG_OF_ANOTHER_PROGRAM", "x"),
        ("PLUMBLINE_WORKSPACE", "/data"),
    ])
    .unwrap();
    assert_eq!(
        settings.models.ollama_url, "http://10.0.0.5:11434",
        "a slash at the end makes no other address"
    );
    assert_eq!(settings.models.answer.as_deref(), Some("qwen3:8b"));
    assert_eq!((settings.models.temperature, settings.models.timeout_seconds), (0.2, 45));
    let budget = BudgetSettings {
        max_context_tokens: 2000,
        max_history_tokens: 500,
        max_response_tokens: 700,
        system_prompt_tokens: 400,
    };
    assert_eq!(settings.budget, budget);
    let retrieval = settings.retrieval;
    assert_eq!(
        (retrieval.min_similarity, retrieval.max_chunks_per_doc, retrieval.total_chunks),
        (0.35, 2, 7)
    );
    assert_eq!((retrieval.overlap_threshold, retrieval.confidence_threshold), (0.8, 70));
}

#[test]
fn the_later_layer_wins() {
    let sources = || Sources {
        user_file: Some((
            PathBuf::from("s.toml"),
            "[retrieval]\ntotal_chunks = 6\nrerank_keep = 10\n[general]\nlanguage = \"nl\"".into(),
        )),
        environment: vec![
            ("RAG_TOTAL_CONTEXT_CHUNKS".to_owned(), "7".to_owned()),
            ("PLUMBLINE_RETRIEVAL_RERANK_KEEP".to_owned(), "20".to_owned()),
            ("PLUMBLINE_GENERAL_LANGUAGE".to_owned(), " ".to_owned()),
        ],
        flags: vec![("retrieval.total_chunks".to_owned(), "8".to_owned())],
    };
    let (settings, origins) = Settings::resolve_with_origins(sources()).unwrap();
    assert_eq!((settings.retrieval.total_chunks, settings.retrieval.rerank_keep), (8, 20));
    assert_eq!(settings.general.language, Language::NL, "an empty variable says nothing");
    assert_eq!(origins["retrieval.total_chunks"], Origin::Flag("retrieval.total_chunks".to_owned()));
    assert_eq!(
        origins["retrieval.rerank_keep"],
        Origin::Variable("PLUMBLINE_RETRIEVAL_RERANK_KEEP".to_owned())
    );
    assert_eq!(origins["general.language"], Origin::File("s.toml".into()));
    assert_eq!(origins["breaker.timeout_seconds"], Origin::Default);
}

#[test]
fn a_wrong_value_names_place_key_value_and_what_is_allowed() {
    for (result, message) in [
        (
            from_file("[retrieval]\nmin_similarity = 1.5"),
            "/home/a/settings.toml: `retrieval.min_similarity` is 1.5, and must be a number from 0 to 1",
        ),
        (
            from_file("[retrieval]\ntotal_chunks = \"five\""),
            "/home/a/settings.toml: `retrieval.total_chunks` is \"five\", and must be a whole number from 1 to 100",
        ),
        (
            from_environment(&[("RAG_CONFIDENCE_THRESHOLD", "60%")]),
            "the environment variable RAG_CONFIDENCE_THRESHOLD: `retrieval.confidence_threshold` is \"60%\", and must be \
             a whole number from 0 to 100",
        ),
        (
            from_flags(&[("general.language", "fr")]),
            "the flag general.language: `general.language` is \"fr\", and must be \"en\" or \"nl\"",
        ),
        (
            from_file("[retrieval]\nmin_similarity = nan"),
            "/home/a/settings.toml: `retrieval.min_similarity` is nan, and must be a number from 0 to 1",
        ),
        (
            from_flags(&[("retrieval.abstain_at", "61")]),
            "the flag retrieval.abstain_at: `retrieval.abstain_at` is 61, and must be at most \
             retrieval.confidence_threshold, which is 60",
        ),
        (
            from_flags(&[("curated.pinned_accept", "0.6")]),
            "the flag curated.pinned_accept: `curated.pinned_accept` is 0.6, and must be at least \
             curated.pinned_border, which is 0.7",
        ),
    ] {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
}

#[test]
fn a_password_in_an_address_is_refused_and_not_repeated() {
    let error = from_environment(&[("OLLAMA_BASE_URL", "https://me:hunter2@host")]).unwrap_err().to_string();
    assert!(!error.contains("hunter2") && error.contains("no user name or password"), "{error}");
    for wrong in ["localhost:11434", "http://", "ftp://host", "http://a b", "http://:1"] {
        assert!(from_environment(&[("OLLAMA_BASE_URL", wrong)]).is_err(), "`{wrong}` is no address");
    }
}

#[test]
fn an_unknown_key_names_the_nearest_known_one() {
    for (result, nearest) in [
        (from_file("[retrieval]\nmin_similarty = 0.4"), "retrieval.min_similarity"),
        (from_file("[retreival]\nmin_similarity = 0.4"), "retrieval"),
        (from_file("total_chunks = 4"), "retrieval.total_chunks"),
        (from_file("[budget]\ntotal_chunks = 4"), "retrieval.total_chunks"),
        (from_flags(&[("breaker.timeout", "4")]), "breaker.timeout_seconds"),
        (from_environment(&[("PLUMBLINE_RETRIEVAL_TOTAL_CHUNK", "4")]), "PLUMBLINE_RETRIEVAL_TOTAL_CHUNKS"),
        (from_environment(&[("PLUMBLINE_LIMIT_QUESTION_CHARS", "4")]), "PLUMBLINE_LIMITS_QUESTION_CHARS"),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.ends_with(&format!("did you mean `{nearest}`?")), "{error}");
    }
}

#[test]
fn a_file_written_by_notepad_is_read() {
    let settings = from_file("\u{feff}[general]\r\nlanguage = \"nl\"\r\n").unwrap();
    assert_eq!(settings.general.language, Language::NL);
}

#[test]
fn broken_toml_names_file_and_line() {
    let error = from_file("[general]\nprivacy = true\nlanguage = nl\n").unwrap_err();
    assert!(error.to_string().starts_with("/home/a/settings.toml, line 3: "), "{error}");
}

#[test]
fn models_are_added_to_the_list_and_taken_off_it() {
    let settings = from_file(
        "[models]\nanswer = \"phi4\"\n[models.allow]\nphi4 = { context_window = 16384, max_response = 512 }\n\"llama3.2\" = false",
    )
    .unwrap();
    let models: Vec<_> = settings.models.allow.keys().map(String::as_str).collect();
    assert_eq!(models, ["deepseek-r1:32b", "phi4", "qwen3:8b"]);
    let error = from_file("[models.allow]\nphi4 = { context_window = 512, max_response = 512 }").unwrap_err();
    assert!(error.to_string().contains("max_response < context_window"), "{error}");
}

#[test]
fn only_differences_are_written_and_they_read_back() {
    assert!(Settings::default().differences().is_empty());
    let settings = from_file(
        "[models]\nanswer = \"phi4\"\ntemperature = 0.3\nseed = 42\n[models.allow]\nphi4 = { context_window = 16384, max_response = 512 }\n\
         \"llama3.2\" = false\n[retrieval]\nmin_similarity = 0.33\n[vocabulary]\nskosmos_url = \"https://v.example.org\"",
    )
    .unwrap();
    let written = toml::to_string(&settings.differences()).unwrap();
    assert!(written.contains("min_similarity = 0.33\n"), "as the user wrote it: {written}");
    assert!(!written.contains("seed"), "what equals the default is left out: {written}");
    assert_eq!(from_file(&written).unwrap(), settings);
}

#[test]
fn equal_settings_have_equal_hashes() {
    let hash = Settings::default().config_hash();
    assert_eq!(hash, Settings::resolve(Sources::default()).unwrap().config_hash());
    assert_ne!(hash, from_flags(&[("retrieval.lexical_weight", "0.7")]).unwrap().config_hash());
}

fn adr() -> Collection {
    Collection::from(Kind::Adr)
}

#[test]
fn thresholds_belong_to_collection_and_scorer() {
    let thresholds = Thresholds::parse("thresholds.yaml", "").expect("the built-in file parses");
    assert_eq!(thresholds, Thresholds::default());
    let ollama = thresholds.for_collection(&adr(), EmbedderFamily::Ollama);
    let seeds = CollectionThresholds {
        distance_threshold: 0.45,
        min_query_coverage: 0.20,
        bail_below: 0.40,
        single_hit: 0.65,
        several_hits: 0.55,
        mean: 0.50,
        lexical_witness: 0.80,
        answerability: 0.0,
        margin: 1.0,
    };
    assert_eq!(*ollama, seeds);
    let vocabulary = thresholds.for_collection(&Kind::Vocabulary.into(), EmbedderFamily::Ollama);
    assert_eq!((vocabulary.distance_threshold, vocabulary.min_query_coverage), (0.35, 0.30));
    let principle = thresholds.for_collection(&Kind::Principle.into(), EmbedderFamily::Ollama);
    assert_eq!((principle.distance_threshold, principle.min_query_coverage), (0.50, 0.15));
    let policy = thresholds.for_collection(&Kind::Policy.into(), EmbedderFamily::Ollama);
    assert_eq!((policy.distance_threshold, policy.min_query_coverage), (0.50, 0.20));

    let local = thresholds.for_collection(&Kind::Principle.into(), EmbedderFamily::Local);
    assert_eq!((local.distance_threshold, local.bail_below, local.single_hit), (0.70, 0.32, 0.45));
    assert_eq!((local.several_hits, local.mean, local.min_query_coverage), (0.38, 0.35, 0.15));
    let lexical = thresholds.for_collection(&Collection::new("Minutes"), EmbedderFamily::Lexical);
    assert_eq!((lexical.distance_threshold, lexical.bail_below, lexical.single_hit), (0.85, 0.15, 0.35));
}

#[test]
fn the_seeds_thresholds_file_is_read_as_it_stands() {
    let seed = "collections:\n  ADR_Ollama:\n    distance_threshold: 0.44\n    min_query_coverage: 0.25\n\
                # Global fallback\ndefault:\n  distance_threshold: 0.51\n  min_query_coverage: 0.21\n";
    let thresholds = Thresholds::parse("mine.yaml", seed).unwrap();
    let own = thresholds.for_collection(&adr(), EmbedderFamily::Ollama);
    assert_eq!((own.distance_threshold, own.min_query_coverage, own.single_hit), (0.44, 0.25, 0.65));
    let other = thresholds.for_collection(&Collection::new("Minutes"), EmbedderFamily::Ollama);
    assert_eq!((other.distance_threshold, other.min_query_coverage), (0.51, 0.21));
    let local = thresholds.for_collection(&adr(), EmbedderFamily::Local);
    assert_eq!(local.distance_threshold, 0.70, "one scorer's fallback says nothing about another's scores");
}

#[test]
fn wrong_thresholds_name_file_key_value_and_what_is_allowed() {
    for (text, message) in [
        (
            "collections:\n  ADR_Ollama:\n    distance_threshold: 45\n",
            "mine.yaml: `collections.ADR_Ollama.distance_threshold` is 45, and must be a number from 0 to 1",
        ),
        (
            "collections:\n  ADR_Ollama:\n    distance_treshold: 0.45\n",
            "mine.yaml: there is no setting `collections.ADR_Ollama.distance_treshold`; did you mean `distance_threshold`?",
        ),
        (
            "collections:\n  ADR:\n    mean: 0.45\n",
            "mine.yaml: `collections` is a section `ADR`, and must be sections whose names end in _Ollama, _Local or _Lexical",
        ),
        ("defaults:\n  mean: 0.4\n", "mine.yaml: there is no setting `defaults`; did you mean `default`?"),
        (
            "collections:\n  ADR_Ollama:\n    single_hit: 0.5\n",
            "mine.yaml: `collections.ADR_Ollama.several_hits` is 0.55, and must be at most single_hit, which is 0.5 there",
        ),
        (
            "cross_language:\n  floor: 0.7\n",
            "mine.yaml: `cross_language.floor` is 0.7, and must be under ceiling, which is 0.65",
        ),
    ] {
        assert_eq!(Thresholds::parse("mine.yaml", text).unwrap_err().to_string(), message);
    }
    let broken = Thresholds::parse("mine.yaml", "collections:\n  ADR_Ollama: [1\n").unwrap_err().to_string();
    assert!(broken.starts_with("mine.yaml, line "), "{broken}");
    let twice =
        Thresholds::parse("mine.yaml", "default:\n  mean: 0.4\n  mean: 0.5\n").unwrap_err().to_string();
    assert!(twice.starts_with("mine.yaml, line 3: "), "a key given twice is a mistake: {twice}");
}

#[test]
fn coverage_over_languages_is_linear_between_floor_and_ceiling() {
    let range = CrossLanguage { floor: 0.25, ceiling: 0.75, margin: 0.5 };
    assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(|cosine| range.coverage(cosine)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(range.coverage(f32::NAN), 0.0);
    assert_eq!(
        [-0.1, 0.0, 0.25, 0.5, 1.0].map(|margin| range.coverage_of_margin(margin)),
        [0.0, 0.0, 0.5, 1.0, 1.0]
    );
}

#[test]
fn owners_are_found_by_tag_and_mistakes_are_named() {
    let sample = include_str!("../../../../data/sample/owners.toml");
    let owners = Owners::parse("owners.toml", sample).expect("the sample library's owners parse");
    assert_eq!(owners.owner_of("Security").map(|owner| owner.id.as_str()), Some("security-architecture"));
    assert_eq!(owners.owner_of("privacy"), None);
    assert!(Owners::default().admin.email.ends_with("@example.org"));

    let admin = "[admin]\nname = \"A\"\nemail = \"a@example.org\"\n";
    let owner = "[[owner]]\ntag = \"t\"\nid = \"i\"\nname = \"N\"\nemail = \"n@example.org\"\n";
    for (text, message) in [
        (
            "[admin]\nname = \"A\"\nemail = \"nobody\"".to_owned(),
            "o.toml: `admin.email` is \"nobody\", and must be an e-mail address",
        ),
        (
            format!("{admin}{owner}{owner}"),
            "o.toml: `owner.tag` is \"t\", and must be a tag that no other owner has",
        ),
        (format!("{admin}emial = 1"), "o.toml, line 4: unknown field `emial`, expected `name` or `email`"),
    ] {
        assert_eq!(Owners::parse("o.toml", &text).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_threshold_is_read_under_the_name_that_it_had_before_and_written_under_the_new_one() {
    let old = "collections:\n  ADR_Local:\n    lead: 0.2\ncross_language:\n  lead: 0.3\n";
    let read = Thresholds::parse("thresholds.yaml", old).unwrap();
    assert_eq!(read.value("ADR_Local", "margin"), Some(0.2));
    assert!((read.cross_language.margin - 0.3).abs() < 1e-6);
    let change = [("ADR_Local".to_owned(), "mean".to_owned(), Some(0.5))];
    let written = Thresholds::changed_file(MeantFor::ANY, "thresholds.yaml", old, &change).unwrap();
    assert!(written.contains("margin: 0.2") && !written.contains("lead"), "{written}");
}

#[test]
fn what_was_calibrated_for_another_edition_is_kept_and_not_applied() {
    let (first, second) =
        (MeantFor { fingerprint: "one", unmarked: true }, MeantFor { fingerprint: "two", unmarked: false });
    let file = "collections:\n  ADR_Local:\n    mean: 0.5\n  ADR_Ollama:\n    mean: 0.45\n";
    let mean = |embedder, text: &str, section| {
        Thresholds::parse_for(embedder, "thresholds.yaml", text).unwrap().value(section, "mean")
    };
    let built_in = Thresholds::default().value("ADR_Local", "mean");
    assert_eq!(mean(first, file, "ADR_Local"), Some(0.5), "a file from before editions is the first one's");
    assert_eq!(mean(second, file, "ADR_Local"), built_in);
    assert!(
        (mean(second, file, "ADR_Ollama").unwrap() - 0.45).abs() < 1e-6,
        "a server's scores are nobody's edition"
    );
    assert!(Thresholds::sets_aside(second, "thresholds.yaml", file).unwrap());
    assert!(!Thresholds::sets_aside(first, "thresholds.yaml", file).unwrap());

    let change = [("ADR_Local".to_owned(), "mean".to_owned(), Some(0.25))];
    let both = Thresholds::changed_file(second, "thresholds.yaml", file, &change).unwrap();
    assert_eq!(mean(second, &both, "ADR_Local"), Some(0.25), "{both}");
    assert_eq!(mean(first, &both, "ADR_Local"), Some(0.5), "{both}");
    let too_much = [("ADR_Local".to_owned(), "bail_below".to_owned(), Some(0.9))];
    assert!(Thresholds::changed_file(second, "thresholds.yaml", file, &too_much).is_err());
}
