//! The golden set over the sample library, without any model, held against the committed baseline.

use std::path::{Path, PathBuf};

use plumbline_core::engine::Engine;
use plumbline_evaluation::golden::{GoldenSet, blob_hash};
use plumbline_evaluation::quality::{AskedQuestion, Meta, QualityReport, ask_all, compare};
use plumbline_library::Indexer;
use plumbline_telemetry::{Clock, SystemClock};
use plumbline_workspace::{Workspace, WorkspaceOptions};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const FAMILY: &str = "Local";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn set_text() -> String {
    std::fs::read_to_string(root().join("data/evaluation/golden_queries.jsonl")).unwrap()
}

fn baseline() -> QualityReport {
    let text = std::fs::read_to_string(root().join("data/evaluation/baseline.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The sample library, indexed into a folder.
async fn indexed(folder: &Path) {
    let workspace = opened(folder);
    let mut options = workspace.index_options(true).await.unwrap();
    options.reader.worker = None;
    let (at, runtime) = (folder.to_owned(), tokio::runtime::Handle::current());
    tokio::task::spawn_blocking(move || {
        let mut indexer = Indexer::open(&at, options, runtime).unwrap();
        indexer.add(&[root().join("data/sample/library.toml")]).unwrap();
        indexer.run(&CancellationToken::new(), &|_| {}).unwrap();
    })
    .await
    .unwrap();
}

/// The workspace in a folder, with none of this machine's settings.
fn opened(folder: &Path) -> Workspace {
    Workspace::open(WorkspaceOptions { folder: Some(folder.to_owned()), ..WorkspaceOptions::default() })
        .unwrap()
}

async fn asked<'s>(engine: &Engine, set: &'s GoldenSet) -> Vec<AskedQuestion<'s>> {
    ask_all(engine, set, None, &SystemClock, &CancellationToken::new(), |_| {}).await
}

fn report(engine: &Engine, asked: &[AskedQuestion<'_>]) -> QualityReport {
    let meta = Meta {
        timestamp: SystemClock.now().to_string(),
        config_hash: engine.config_hash(),
        golden_set_hash: blob_hash(&set_text()),
        golden_set_version: String::new(),
        embedder: String::new(),
        model: None,
        total_queries: 0,
        pass_count: 0,
        fail_count: 0,
    };
    QualityReport::of(asked, meta, FAMILY)
}

/// What was decided, without how long it took.
fn decisions(asked: &[AskedQuestion<'_>]) -> Vec<String> {
    asked
        .iter()
        .map(|asked| match &asked.answer {
            Ok(response) => {
                let sources: Vec<String> =
                    response.citations.iter().map(|citation| citation.source_id.to_string()).collect();
                format!(
                    "{} {:?} {:?} {sources:?} {}",
                    asked.query.id, response.action, response.refusal_reason, response.answer
                )
            }
            Err(problem) => format!("{} {problem}", asked.query.id),
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn thresh_01_the_golden_set_is_answered_as_well_as_the_baseline_says() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    indexed(folder.path()).await;
    let set = GoldenSet::parse(&set_text()).unwrap();
    let engine = opened(folder.path()).engine().await.unwrap().engine;
    let first = asked(&engine, &set).await;
    let report = report(&engine, &first);
    let compared = compare(&baseline(), &report);
    for change in compared.changes.iter().filter(|change| change.before != change.after) {
        println!("{}: {:?} → {:?}", change.what, change.before, change.after);
    }
    let failing: Vec<&str> = report.failures.iter().map(|failure| failure.id.as_str()).collect();
    assert!(compared.holds(), "worse than the baseline: {:?}; failing: {failing:?}", compared.changes);
    assert_eq!(compared.remark, None, "the baseline is of this set");
    for row in report.metrics.success.iter().filter(|row| !row.name.contains(" ms")) {
        assert!(row.holds, "{}: {} ({})", row.name, row.value, row.target);
    }

    // The same library, indexed anew, decides the same.
    let again: TempDir = tempfile::tempdir().unwrap();
    indexed(again.path()).await;
    let some = GoldenSet { queries: set.queries.iter().step_by(5).cloned().collect() };
    let anew = opened(again.path()).engine().await.unwrap().engine;
    let (before, after) = (decisions(&asked(&engine, &some).await), decisions(&asked(&anew, &some).await));
    assert_eq!(before, after);
    let of_first: Vec<String> = decisions(&first).into_iter().step_by(5).collect();
    assert_eq!(of_first, before, "asking again decides the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn thresh_02_a_changed_threshold_gives_a_report_of_before_and_after() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    indexed(folder.path()).await;
    let set = GoldenSet::parse(&set_text()).unwrap();
    let set = GoldenSet { queries: set.queries.into_iter().skip(42).take(20).collect() };
    let engine = opened(folder.path()).engine().await.unwrap().engine;
    let before = report(&engine, &asked(&engine, &set).await);
    // Nothing is ever likely enough.
    let strict = "default_Local:\n  answerability: 1.0\n";
    std::fs::write(folder.path().join("thresholds.yaml"), strict).unwrap();
    let engine = opened(folder.path()).engine().await.unwrap().engine;
    let after = report(&engine, &asked(&engine, &set).await);
    assert_ne!(before.meta.config_hash, after.meta.config_hash, "the report says that the settings differ");
    let compared = compare(&before, &after);
    let recall = compared.changes.iter().find(|change| change.what == "recall, overall").unwrap();
    assert!(recall.after < recall.before, "{recall:?}");
    assert!(!compared.holds() && !compared.newly_failing.is_empty(), "{compared:?}");
}

#[test]
fn thresh_03_a_drop_of_more_than_five_hundredths_fails() {
    let sound = baseline();
    assert!(compare(&sound, &sound).holds());
    let worse = |change: &dyn Fn(&mut QualityReport)| {
        let mut report = sound.clone();
        change(&mut report);
        !compare(&sound, &report).holds()
    };
    assert!(worse(&|report| report.metrics.overall.precision -= 0.051));
    assert!(worse(&|report| report.metrics.overall.recall -= 0.051));
    assert!(worse(&|report| report.metrics.abstention.total_rate += 0.051));
    let collection = sound.metrics.by_collection.keys().next().unwrap().clone();
    assert!(worse(&|report| report.metrics.by_collection.get_mut(&collection).unwrap().recall -= 0.051));
    assert!(
        worse(&|report| report.metrics.by_collection.retain(|name, _| *name != collection)),
        "a figure that is gone may hide anything"
    );
    assert!(!worse(&|report| report.metrics.overall.precision -= 0.049));
    assert!(!worse(&|report| report.metrics.overall.precision += 0.2));
}
