use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use plumbline_core::engine::Engine;
use plumbline_evaluation::golden::{GoldenFile, GoldenSet};
use plumbline_evaluation::quality::{AskedQuestion, Meta, QualityReport, Regression, Step, ask_all, compare};
use plumbline_library::Indexer;
use plumbline_telemetry::SystemClock;
use plumbline_workspace::Workspace;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Global, GoldenArguments, SetArguments};
use crate::commands::check_regression;
use crate::{Outcome, wiring};

/// The golden set, below a checkout.
const SET: &str = "data/evaluation/golden_queries.jsonl";

/// Asks the golden set and writes how well it was answered.
pub fn run(global: &Global, arguments: &GoldenArguments) -> anyhow::Result<Outcome> {
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let mut file = golden_file(arguments.set.questions.as_deref())?;
    if let Some(ids) = &arguments.only {
        file.set.queries.retain(|query| {
            ids.contains(&query.id) || ids.iter().any(|name| name == query.category.as_str())
        });
    }
    let (workspace, _kept) = opened(global, &arguments.set, &runtime, &stop)?;
    let (engine, embedder) = runtime.block_on(async {
        let opened = workspace.engine().await?;
        anyhow::Ok((opened.engine, opened.embedder.context("there is no embedder")?))
    })?;
    let asked = ask(global, arguments.model.as_deref(), &runtime, &engine, &file.set, &stop)?;
    let fingerprint = embedder.key.fingerprint.clone();
    let meta = Meta::of(&file, &engine, fingerprint, arguments.model.clone(), &SystemClock);
    let report = QualityReport::of(&asked, meta, embedder.key.family.as_str());
    for _ in 1..arguments.runs {
        let again = ask(global, arguments.model.as_deref(), &runtime, &engine, &file.set, &stop)?;
        if let Some(differs) = first_difference(&asked, &again) {
            bail!("{differs} was not answered the same way twice");
        }
    }
    let json = serde_json::to_string_pretty(&report)?;
    if let Some(output) = &arguments.output {
        std::fs::write(output, &json).with_context(|| format!("cannot write {}", output.display()))?;
    }
    let compared = match &arguments.baseline {
        Some(baseline) => Some(compare(&check_regression::read(baseline)?, &report)),
        None => None,
    };
    if global.json {
        println!("{json}");
    } else {
        print(&report, compared.as_ref());
    }
    if compared.is_some_and(|compared| !compared.holds()) {
        bail!("worse than the baseline by more than is tolerated");
    }
    Ok(Outcome::Done)
}

/// The named set, or the project's own.
pub fn golden_file(named: Option<&Path>) -> anyhow::Result<GoldenFile> {
    Ok(GoldenFile::read(&set_file(named)?)?)
}

fn set_file(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(SET);
    let known = [named.map(Path::to_owned), Some(PathBuf::from(SET)), Some(built_from)];
    let mut known = known.into_iter().flatten();
    match named {
        Some(named) => Ok(named.to_owned()),
        None => known.find(|file| file.is_file()).context("name the set's file with --questions FILE"),
    }
}

/// The workspace that is asked: the user's, or one made for a library that the flags name, gone with the folder.
pub fn opened(
    global: &Global,
    arguments: &SetArguments,
    runtime: &Runtime,
    stop: &CancellationToken,
) -> anyhow::Result<(Workspace, Option<TempDir>)> {
    let Some(library) = &arguments.library else {
        return Ok((wiring::measured_workspace(global, global.workspace.clone())?, None));
    };
    let folder = tempfile::tempdir().context("cannot make a folder for the library")?;
    let workspace = wiring::measured_workspace(global, Some(folder.path().to_owned()))?;
    let options = runtime.block_on(workspace.index_options(true))?;
    let mut indexer = Indexer::open(folder.path(), options, runtime.handle().clone())?;
    indexer.add(std::slice::from_ref(library))?;
    indexer.run(stop, &|_| {})?;
    Ok((workspace, Some(folder)))
}

/// Asks every question of the set.
pub fn ask<'s>(
    global: &Global,
    model: Option<&str>,
    runtime: &Runtime,
    engine: &Engine,
    set: &'s GoldenSet,
    stop: &CancellationToken,
) -> anyhow::Result<Vec<AskedQuestion<'s>>> {
    let total = set.queries.len();
    let mut done = 0;
    let told = |step: Step<'_, '_>| {
        done += usize::from(matches!(step, Step::Asked(_)));
        wiring::remark(global, &format!("asked {done} of {total}"));
    };
    let asked = runtime.block_on(ask_all(engine, set, model, &SystemClock, stop, told));
    wiring::remark(global, "");
    if asked.len() < total {
        bail!("stopped after {} of {total} questions", asked.len());
    }
    Ok(asked)
}

/// The first question that was decided, worded or sourced otherwise the second time.
fn first_difference(first: &[AskedQuestion<'_>], second: &[AskedQuestion<'_>]) -> Option<String> {
    let decided = |asked: &AskedQuestion<'_>| {
        asked.answer.as_ref().ok().map(|response| {
            (response.action, response.refusal_reason, response.answer.clone(), response.citations.clone())
        })
    };
    first.iter().zip(second).find(|(a, b)| decided(a) != decided(b)).map(|(a, _)| a.query.id.clone())
}

fn print(report: &QualityReport, compared: Option<&Regression>) {
    let (meta, metrics) = (&report.meta, &report.metrics);
    println!(
        "{} questions (set {}), {} as expected; answers {}",
        meta.total_queries,
        meta.golden_set_version,
        meta.pass_count,
        meta.model.as_deref().map_or_else(|| "are extracts".to_owned(), |model| format!("by {model}"))
    );
    println!("\n{:<22} {:>9} {:>7} {:>7} {:>6}", "", "precision", "recall", "f1", "n");
    let rows = std::iter::once(("overall", &metrics.overall))
        .chain(metrics.by_collection.iter().map(|(name, score)| (name.as_str(), score)))
        .chain(metrics.by_language.iter().map(|(name, score)| (name.as_str(), score)));
    for (name, score) in rows {
        println!(
            "{name:<22} {:>9.3} {:>7.3} {:>7.3} {:>6}",
            score.precision, score.recall, score.f1, score.count
        );
    }
    println!("\n{:<24} {:>6} {:>7} {:>9} {:>7}", "half by document", "n", "passed", "precision", "recall");
    for (half, score) in &metrics.by_half {
        println!(
            "{:<24} {:>6} {:>7} {:>9.3} {:>7.3}",
            half.as_str(),
            score.count,
            score.passed,
            score.precision,
            score.recall
        );
    }
    println!("\n{:<24} {:>6} {:>7} {:>8}", "", "n", "passed", "refused");
    for (category, counted) in &metrics.by_category {
        println!(
            "{:<24} {:>6} {:>7} {:>8}",
            category.as_str(),
            counted.count,
            counted.passed,
            counted.refused
        );
    }
    let abstention = &metrics.abstention;
    println!(
        "\nrefused {:.1} %; wrongly refused {:.1} % of the answerable, wrongly answered {:.1} % of the others",
        100.0 * abstention.total_rate,
        100.0 * abstention.false_refusals,
        100.0 * abstention.false_answers
    );
    for (path, latency) in &metrics.latency_by_path {
        println!(
            "{:<12} {:>4} questions: {:.0} ms (p50), {:.0} (p95), {:.0} (p99)",
            format!("{path:?}").to_lowercase(),
            latency.count,
            latency.p50_ms,
            latency.p95_ms,
            latency.p99_ms
        );
    }
    for row in &metrics.success {
        println!("{} {}: {:.3} ({})", if row.holds { "✓" } else { "✗" }, row.name, row.value, row.target);
    }
    if let Some(model) = &metrics.model {
        println!(
            "model: answered {:.1} % of the answerable ({:.1} % of the answers in its own words), {:.1} % shown as passages with their owner; {:.1} % of its sentences withheld; {:.1} % of {} questions refused",
            100.0 * model.answer_rate,
            100.0 * model.written_share,
            100.0 * model.routed_rate,
            100.0 * model.withheld_share,
            100.0 * model.refusal_share,
            model.questions,
        );
        let found = |what: &[String]| match what {
            [] => "0".to_owned(),
            what => format!("{} ({})", what.len(), what.join(", ")),
        };
        println!(
            "model: {} citations that lead nowhere, {} unsupported numbers, ids or quotations",
            found(&model.unresolved_citations),
            found(&model.unsupported_tokens),
        );
    }
    if !report.failures.is_empty() {
        println!("\nNot as expected:");
    }
    for failure in &report.failures {
        let reason = serde_json::to_value(failure.reason).unwrap_or_default();
        println!("  {} {}: {}", failure.id, reason.as_str().unwrap_or_default(), failure.query);
    }
    if let Some(compared) = compared {
        check_regression::print(compared);
    }
}
