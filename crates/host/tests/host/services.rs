use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use plumbline_contract::{
    Broadcast, CheckOutcome, Evaluation, GoldenSetOrigin, Indexing, MetricsFormat, PullProgress,
    SettingChange,
};
use plumbline_testkit::dutch::assert_dutch;
use plumbline_testkit::folders::copy;
use plumbline_testkit::ollama_server::{Act, OllamaServer, head, lines};
use serde_json::json;

use crate::test_host::{TestHost, records, sample_workspace};

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_looks_at_everything_and_at_another_address_when_asked() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let checks = test_host.host.doctor(None).await.unwrap();
    let of = |name: &str| checks.iter().find(|check| check.name == name).unwrap();
    assert_eq!((of("Library").outcome, of("Embedder").outcome), (CheckOutcome::Ok, CheckOutcome::Ok));
    assert_eq!(of("Model server").outcome, CheckOutcome::Skipped, "nobody needs it");
    assert_eq!(of("Vocabulary").outcome, CheckOutcome::Ok);
    let server = OllamaServer::start().await;
    let checks = test_host.host.doctor(Some(server.address().to_owned())).await.unwrap();
    assert!(checks.iter().any(|check| check.name == "Model server" && check.outcome == CheckOutcome::Ok));
    assert!(test_host.host.doctor(Some("nonsense".to_owned())).await.is_err());

    let dutch = SettingChange { key: "general.language".to_owned(), value: Some("nl".to_owned()) };
    test_host.host.change_settings(vec![dutch]).await.unwrap();
    for address in [None, Some(server.address().to_owned())] {
        for check in test_host.host.doctor(address).await.unwrap() {
            assert_dutch(&check.finding);
            check.fix.iter().for_each(|fix| assert_dutch(fix));
        }
    }
    for embedder in test_host.host.embedders().await.unwrap() {
        assert_dutch(&embedder.name);
        embedder.unavailable.iter().for_each(|why| assert_dutch(why));
    }
    let nonsense = test_host.host.doctor(Some("nonsense".to_owned())).await.unwrap_err();
    assert_dutch(&nonsense.message);
    let gone = test_host.host.add_folder("/no/such/folder".to_owned()).await.unwrap_err();
    assert!(gone.message.contains("bestaat niet: geef een map"), "{}", gone.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_and_pulled_with_progress_and_only_allowed_ones() {
    let workspace = tempfile::tempdir().unwrap();
    let server = OllamaServer::start().await;
    let test_host = TestHost::open_with(workspace.path(), &[("OLLAMA_BASE_URL", server.address())]).await;
    let list = test_host.host.models().await.unwrap();
    assert!(list.reachable);
    let told: Vec<(&str, bool, bool)> =
        list.models.iter().map(|model| (model.name.as_str(), model.allowed, model.pulled)).collect();
    assert!(
        told.contains(&("llama3.2", true, true)) && told.contains(&("qwen3:8b", true, false)),
        "{told:?}"
    );
    server.answer(
        "/api/pull",
        lines(&[
            json!({"status": "pulling manifest"}),
            json!({"status": "pulling abc", "digest": "sha256:abc", "total": 100, "completed": 40}),
            json!({"status": "pulling abc", "digest": "sha256:abc", "total": 100, "completed": 100}),
            json!({"status": "success"}),
        ]),
    );
    let shares: Arc<Mutex<Vec<PullProgress>>> = Arc::default();
    let hearing = Arc::clone(&shares);
    let sink = move |batch: Vec<PullProgress>| hearing.lock().unwrap().extend(batch);
    test_host.host.pull_model("qwen3:8b".to_owned(), sink).await.unwrap();
    assert_eq!(shares.lock().unwrap().iter().filter_map(|one| one.done).collect::<Vec<_>>(), [40, 100]);
    let problem = test_host.host.pull_model("evil".to_owned(), |_| {}).await.unwrap_err();
    assert_eq!(serde_json::to_value(problem).unwrap()["code"], "model_not_allowed");

    server.answer("/api/pull", vec![head(), Act::Hang]);
    let host = test_host.host.clone();
    let pulling = tokio::spawn(async move { host.pull_model("qwen3:8b".to_owned(), |_| {}).await });
    assert!(server.was_asked("/api/pull", 2).await);
    let busy = test_host.host.pull_model("qwen3:8b".to_owned(), |_| {}).await.unwrap_err();
    assert_eq!(serde_json::to_value(busy).unwrap()["code"], "busy");
    test_host.host.stop_pull("qwen3:8b".to_owned()).await.unwrap();
    let problem = pulling.await.unwrap().unwrap_err();
    assert_eq!(serde_json::to_value(problem).unwrap()["code"], "stopped");
    assert!(server.all_closed().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn switching_the_embedder_says_what_it_costs_and_keeps_the_old_vectors() {
    let workspace = sample_workspace().await;
    let server = OllamaServer::start().await;
    let test_host = TestHost::open_with(workspace.path(), &[("OLLAMA_BASE_URL", server.address())]).await;
    test_host.indexed(0).await;
    let list = test_host.host.embedders().await.unwrap();
    assert_eq!((list[0].id.as_str(), list[0].current, list[0].passages_to_embed), ("local", true, 0));
    let other = list.iter().find(|one| one.id == "all-minilm").unwrap();
    assert!(other.passages_to_embed > 200 && other.seconds.is_some() && other.unavailable.is_none());
    let missing = list.iter().find(|one| one.id == "bge-m3").unwrap();
    assert!(missing.unavailable.as_ref().unwrap().contains("ollama pull bge-m3"));
    assert!(test_host.host.switch_embedder("bge-m3".to_owned()).await.is_err());
    assert!(test_host.host.switch_embedder("none".to_owned()).await.is_err());

    let from = test_host.heard().len();
    test_host.host.switch_embedder("all-minilm".to_owned()).await.unwrap();
    let written =
        |told: &Broadcast| matches!(told, Broadcast::Indexing { indexing: Indexing::Writing { .. } });
    test_host.hear(from, written).await;
    test_host.indexed(from).await;
    let list = test_host.host.embedders().await.unwrap();
    let costs: Vec<(&str, bool, u32)> =
        list.iter().map(|one| (one.id.as_str(), one.current, one.passages_to_embed)).collect();
    assert!(costs.contains(&("all-minilm", true, 0)), "{costs:?}");
    assert!(costs.contains(&("local", false, 0)), "going back costs nothing: {costs:?}");
    let from = test_host.heard().len();
    test_host.host.switch_embedder("local".to_owned()).await.unwrap();
    test_host.indexed(from).await;
    assert!(test_host.host.embedders().await.unwrap()[0].current);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_vocabulary_can_be_leafed_through() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let vocabularies = test_host.host.vocabularies().await.unwrap();
    assert!(
        vocabularies.len() >= 2 && vocabularies.iter().all(|one| one.concepts.unwrap() > 0),
        "{vocabularies:#?}"
    );
    let found = test_host.host.search_concepts("transformer".to_owned(), None).await.unwrap();
    assert!(found.len() >= 2, "{found:#?}");
    let one = found[0].clone();
    let definition = test_host.host.concept(one.uri.clone()).await.unwrap();
    assert_eq!(definition.preferred_label, one.label);
    let inside = test_host
        .host
        .search_concepts("transformer".to_owned(), Some(vocabularies[0].id.clone()))
        .await
        .unwrap();
    assert!(inside.iter().all(|one| one.vocabulary == vocabularies[0].title));
    let mut below = 0;
    for vocabulary in &vocabularies {
        for top in test_host.host.top_concepts(vocabulary.id.clone()).await.unwrap() {
            let narrower = test_host.host.narrower_concepts(top.uri).await.unwrap();
            assert_eq!(narrower.len(), top.narrower as usize);
            below += narrower.len();
        }
    }
    assert!(below > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_shown_and_exported_in_both_forms() {
    let workspace = sample_workspace().await;
    let saved = tempfile::tempdir().unwrap();
    let test_host = TestHost::open(workspace.path()).await;
    *test_host.user.save_in.lock().unwrap() = Some(saved.path().to_owned());
    let (_, answer, _) = test_host.ask("Which broker do we use for event streaming?").await;
    answer.unwrap();
    let (_, answer, _) = test_host.ask("How do I bake sourdough bread?").await;
    assert!(answer.unwrap().refused);
    let metrics = test_host.host.metrics().await.unwrap();
    assert_eq!(metrics.breakers.len(), 4);
    assert!(metrics.latency.is_some_and(|latency| latency.count == 2));
    assert!(
        !metrics.stages.is_empty() && !metrics.citations_kept.is_empty() && !metrics.abstentions.is_empty()
    );
    let drawn: Vec<f64> = metrics.samples.iter().map(|sample| sample.requests).collect();
    assert_eq!(drawn, [2.0]);
    let path = test_host.host.export_metrics(MetricsFormat::Prometheus).await.unwrap().unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains("rag_request_total"));
    let path = test_host.host.export_metrics(MetricsFormat::Json).await.unwrap().unwrap();
    serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(path).unwrap()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_golden_set_is_run_in_the_background_and_compared_with_the_run_before() {
    let workspace = sample_workspace().await;
    let test_host = TestHost::open(workspace.path()).await;
    let known = test_host.host.evaluation().await.unwrap().golden_set.expect("the sample library has one");
    assert!(known.questions >= 100 && known.origin == GoldenSetOrigin::Sample && !known.version.is_empty());
    let text = std::fs::read_to_string(&known.path).unwrap();
    let set = tempfile::tempdir().unwrap();
    let file = set.path().join("own.jsonl");
    let some: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(6).collect();
    std::fs::write(&file, some.join("\n")).unwrap();
    *test_host.user.file.lock().unwrap() = Some(file.clone());
    let picked = test_host.host.pick_golden_set().await.unwrap().unwrap();
    assert_eq!((picked.questions, picked.origin), (6, GoldenSetOrigin::Own));
    let finished = |told: &Broadcast| matches!(told, Broadcast::Evaluation { evaluation } if evaluation.running.is_none());
    let asked_before: f64 =
        test_host.host.metrics().await.unwrap().requests.iter().map(|one| one.count).sum();
    test_host.host.start_evaluation().await.unwrap();
    let busy = test_host.host.start_evaluation().await.unwrap_err();
    assert_eq!(serde_json::to_value(busy).unwrap()["code"], "busy");
    let from = test_host.hear(0, finished).await;
    let Evaluation { last, previous, .. } = test_host.host.evaluation().await.unwrap();
    let last = last.unwrap();
    assert_eq!((last.overall.questions, previous), (6, None));
    assert_eq!(last.overall.passed as usize + last.failures.len(), 6);
    let asked: f64 = test_host.host.metrics().await.unwrap().requests.iter().map(|one| one.count).sum();
    assert!((asked - asked_before).abs() < 0.5, "what is asked to measure is not what users asked");

    test_host
        .host
        .change_settings(vec![SettingChange {
            key: "retrieval.abstain_at".to_owned(),
            value: Some("60".to_owned()),
        }])
        .await
        .unwrap();
    test_host.host.start_evaluation().await.unwrap();
    test_host.hear(from, finished).await;
    assert!(test_host.host.evaluation().await.unwrap().previous.is_some());
    test_host.host.start_evaluation().await.unwrap();
    test_host.host.stop_evaluation().await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    test_host.host.shutdown().await;
    let again = TestHost::open(workspace.path()).await;
    assert!(again.host.evaluation().await.unwrap().last.is_some(), "reports survive");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_golden_set_of_ones_own_gives_way_to_the_samples_again() {
    let workspace = sample_workspace().await;
    let set = tempfile::tempdir().unwrap();
    let file = set.path().join("own.jsonl");
    let test_host = TestHost::open(workspace.path()).await;
    let sample = test_host.host.evaluation().await.unwrap().golden_set.unwrap();
    let text = std::fs::read_to_string(&sample.path).unwrap();
    std::fs::write(&file, text.lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    *test_host.user.file.lock().unwrap() = Some(file.clone());
    test_host.host.pick_golden_set().await.unwrap();
    let now = test_host.host.evaluation().await.unwrap();
    assert!(now.golden_set.is_some_and(|set| set.origin == GoldenSetOrigin::Own) && now.sample_available);

    std::fs::remove_file(&file).unwrap();
    let now = test_host.host.evaluation().await.unwrap();
    assert_eq!(now.golden_set, None);
    let why = now.unreadable.expect("a file that is gone is told before anybody runs it");
    assert!(why.contains("own.jsonl") && now.sample_available, "{why}");
    test_host.host.use_sample_golden_set().await.unwrap();
    let now = test_host.host.evaluation().await.unwrap();
    assert_eq!((now.golden_set, now.unreadable), (Some(sample), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_sample_library_there_is_no_golden_set_until_one_is_chosen() {
    let (workspace, folder) = (tempfile::tempdir().unwrap(), records());
    let test_host = TestHost::open(workspace.path()).await;
    test_host.host.add_folder(folder.path().display().to_string()).await.unwrap();
    test_host.indexed(0).await;
    let now = test_host.host.evaluation().await.unwrap();
    assert_eq!((now.golden_set, now.unreadable, now.sample_available), (None, None, false));
    for refused in [test_host.host.start_evaluation().await, test_host.host.use_sample_golden_set().await] {
        assert!(refused.unwrap_err().message.contains("Choose a golden set"));
    }
}

/// The package puts files elsewhere than the source tree has them, so they are laid out here as it does.
#[tokio::test(flavor = "multi_thread")]
async fn the_package_brings_the_samples_golden_set() {
    let shell = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src-tauri");
    let settings = std::fs::read_to_string(shell.join("tauri.conf.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let (workspace, installed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (from, to) in settings["bundle"]["resources"].as_object().unwrap() {
        let (from, to) = (shell.join(from), installed.path().join(to.as_str().unwrap()));
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        match from.is_dir() {
            true => copy(&from, &to),
            false => drop(std::fs::copy(&from, &to).unwrap()),
        }
    }
    let test_host = TestHost::with_sample(workspace.path(), installed.path().join("sample"), &[]);
    test_host.host.start().await;
    test_host.host.open_sample_library().await.unwrap();
    let set = test_host.host.evaluation().await.unwrap().golden_set.expect("it is in the package");
    assert!(set.questions >= 100 && !set.version.is_empty(), "{set:?}");
    test_host.host.shutdown().await;
}
