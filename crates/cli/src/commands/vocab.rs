use std::path::PathBuf;

use anyhow::bail;
use plumbline_vocabulary::check::{VocabularyReport, check};
use plumbline_vocabulary::source::vocabulary_files;

use crate::arguments::{Global, VocabCommand};
use crate::{Outcome, wiring};

/// Shows what vocabularies hold, or what is wrong with them.
pub fn run(global: &Global, what: &VocabCommand) -> anyhow::Result<Outcome> {
    let (VocabCommand::List { files } | VocabCommand::Check { files }) = what;
    let report = report(files)?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(Outcome::Done);
    }
    print_schemes(&report);
    if matches!(what, VocabCommand::Check { .. }) {
        print_defects(&report);
    }
    Ok(Outcome::Done)
}

fn report(entries: &[PathBuf]) -> anyhow::Result<VocabularyReport> {
    if let Some(missing) = entries.iter().find(|entry| !entry.exists()) {
        bail!("{} does not exist", missing.display());
    }
    let (files, defects) = vocabulary_files(entries);
    let mut report = check(&files);
    report.defects.extend(defects);
    Ok(report)
}

fn print_schemes(report: &VocabularyReport) {
    for scheme in &report.schemes {
        let title = scheme
            .titles
            .values()
            .next()
            .map_or_else(|| scheme.uri.clone().unwrap_or_else(|| "no scheme".to_owned()), Clone::clone);
        let version =
            scheme.version.as_deref().map_or_else(String::new, |version| format!(", version {version}"));
        println!("{title}{version}: {} concepts", scheme.concepts);
        let by_language = |counts: &std::collections::BTreeMap<String, usize>| {
            counts
                .iter()
                .map(|(language, count)| format!("{language} {count}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        println!(
            "  preferred labels {}; definitions {}",
            by_language(&scheme.preferred),
            by_language(&scheme.defined)
        );
    }
    println!(
        "{} in {}, {} deprecated",
        wiring::counted(report.concepts, "concept", "concepts"),
        wiring::counted(report.files.len(), "file", "files"),
        report.deprecated
    );
}

fn print_defects(report: &VocabularyReport) {
    let section = |title: &str, rows: Vec<String>| {
        if !rows.is_empty() {
            println!("\n{title} ({})", rows.len());
            rows.iter().for_each(|row| println!("  {row}"));
        }
    };
    section(
        "Could not be read",
        report
            .defects
            .iter()
            .map(|d| {
                let line = d.line.map_or_else(String::new, |line| format!(", line {line}"));
                format!("{}{line}: {}", d.file, d.message)
            })
            .collect(),
    );
    section("Without a definition", report.missing_definitions.clone());
    section(
        "Defined in some languages only",
        report
            .partly_defined
            .iter()
            .map(|concept| format!("{} lacks {}", concept.uri, concept.missing.join(", ")))
            .collect(),
    );
    section(
        "Labels of several concepts",
        report
            .collisions
            .iter()
            .map(|collision| {
                let uris: Vec<&str> = collision.concepts.iter().map(|claim| claim.uri.as_str()).collect();
                let asks = if collision.ambiguous { " (ambiguous)" } else { "" };
                format!("“{}”{asks}: {}", collision.label, uris.join(", "))
            })
            .collect(),
    );
    section("Broader than themselves", report.cycles.iter().map(|cycle| cycle.join(" → ")).collect());
    section(
        "Links that lead nowhere",
        report.dangling.iter().map(|d| format!("{} {} {}", d.from, d.link, d.to)).collect(),
    );
    section("Deprecated without a replacement", report.deprecated_without_replacement.clone());
    section("In no scheme", report.without_scheme.clone());
    section("Without a preferred label", report.without_preferred_label.clone());
    section("With a label, but no concept", report.untyped.clone());
}
