use std::path::PathBuf;

use anyhow::Context;
use plumbline_core::request::{AskRequest, Choice};
use plumbline_core::response::{AskResponse, ConceptLink, Definition};
use tokio_util::sync::CancellationToken;

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Looks a term up, through the same engine as any question.
pub fn run(global: &Global, term: &str, files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let settings = wiring::settings(global)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    let response = runtime.block_on(async {
        let (vocabulary, defects) = wiring::vocabulary(global, &settings, files)?;
        for defect in &defects {
            eprintln!("plumbline: {}{}: {}", defect.file, line_of(defect.line), defect.message);
        }
        let engine = wiring::engine(settings, vocabulary);
        let request =
            AskRequest { choice: Some(Choice::Define { term: term.to_owned() }), ..AskRequest::new(term) };
        anyhow::Ok(engine.ask(request, &CancellationToken::new(), &|_| {}).await?)
    })?;
    if global.json {
        println!("{}", serde_json::to_string_pretty(&response)?);
    } else {
        print(&response);
    }
    Ok(if response.refused { Outcome::Refused } else { Outcome::Done })
}

fn line_of(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

fn print(response: &AskResponse) {
    if let Some(reason) = response.refusal_reason {
        println!("{} ({})", response.answer, reason.as_str());
    } else {
        println!("{}", response.answer);
    }
    if let Some(definition) = &response.definition {
        print_card(definition);
    }
    if let Some(clarification) = &response.clarification {
        for (option, number) in clarification.options.iter().zip(1..) {
            let detail = option.detail.as_deref().unwrap_or_default();
            println!("  {number}. {}: {detail}", option.label);
        }
    }
    for suggestion in &response.suggestions {
        println!("  → {}", suggestion.label);
    }
}

fn print_card(definition: &Definition) {
    let labels =
        |links: &[ConceptLink]| links.iter().map(|link| link.label.as_str()).collect::<Vec<_>>().join(", ");
    let rows = [
        ("term", definition.preferred_label.clone()),
        ("also", definition.alternative_labels.join(", ")),
        ("broader", labels(&definition.broader)),
        ("narrower", labels(&definition.narrower)),
        ("related", labels(&definition.related)),
        ("vocabulary", definition.vocabulary.clone()),
        ("uri", definition.uri.clone()),
        ("source", definition.source.clone()),
    ];
    println!();
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        println!("  {name:<11}{value}");
    }
}
