use std::collections::BTreeSet;

use plumbline_core::error::AskError;
use plumbline_core::response::{Action, AskResponse, RefusalReason, Stage, StageOutcome};
use serde::{Deserialize, Serialize};

use crate::golden::{Expected, GoldenQuery, Reason};

/// What is wrong with an answer; the first that applies, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// There was no response at all.
    Failed,
    /// It was answered where refusing is right.
    FalseAnswer,
    /// It was refused where an answer exists.
    FalseRefusal,
    /// It was refused, as it should be, for a wrong reason.
    WrongReason,
    /// It was not asked back where that is right, or was where it is not.
    Clarification,
    /// Its rows are not the expected ones, in their order.
    WrongRows,
    /// It does not name the values of the field.
    WrongFact,
    /// It does not cite a document that it must.
    MissingDocument,
    /// Most of what it cites has nothing to do with the question.
    WrongDocuments,
    /// It cites the document, but not the words that answer the question.
    MissingWords,
}

/// Which way a question went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// The vocabulary of record.
    Terminology,
    /// Lists and facts.
    Catalogue,
    /// Search, and an answer of extracts.
    Extracts,
    /// Search, and a model.
    Model,
}

/// An answer held against what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What is wrong; nothing where it is right.
    pub fault: Option<Fault>,
    /// The share of the cited documents that belong there; absent where nothing was cited and nothing should be.
    pub precision: Option<f64>,
    /// The share of the expected documents that are cited; absent where none is expected.
    pub recall: Option<f64>,
    /// The documents that were cited, or listed.
    pub cited: BTreeSet<String>,
    /// The way it went.
    pub path: Path,
}

/// Judges one answer.
pub fn judge(query: &GoldenQuery, answer: &Result<AskResponse, AskError>) -> Verdict {
    let expected = &query.expected;
    let Ok(response) = answer else {
        let recall = (!expected.abstain).then_some(0.0);
        let cited = BTreeSet::new();
        return Verdict { fault: Some(Fault::Failed), precision: None, recall, cited, path: Path::Extracts };
    };
    let cited: BTreeSet<String> = response
        .citations
        .iter()
        .map(|citation| citation.document_id.clone())
        .chain(response.rows.iter().map(|row| row.id.clone()))
        .collect();
    let (precision, recall) = scores(expected, response, &cited);
    Verdict {
        fault: fault(query, response, precision, recall),
        precision,
        recall,
        cited,
        path: path(response),
    }
}

/// Precision is of what was cited: nothing where it was refused. Recall is of what is expected: nothing where refusing or
/// asking back is right. An answer that should not be there has no right source.
fn scores(
    expected: &Expected,
    response: &AskResponse,
    cited: &BTreeSet<String>,
) -> (Option<f64>, Option<f64>) {
    let answered = matches!(response.action, Action::Cite | Action::Route);
    if expected.abstain || expected.clarify {
        let wrong = answered && !cited.is_empty();
        return (wrong.then_some(0.0), None);
    }
    let right: BTreeSet<&str> = expected.all_ids().collect();
    let recall = recall(expected, cited, answered);
    if !answered || cited.is_empty() || right.is_empty() {
        return (None, recall);
    }
    let good = cited.iter().filter(|id| right.contains(id.as_str())).count();
    (Some(good as f64 / cited.len() as f64), recall)
}

fn recall(expected: &Expected, cited: &BTreeSet<String>, answered: bool) -> Option<f64> {
    let each = expected.doc_ids.iter().chain(&expected.rows).map(|id| cited.contains(id));
    let groups = expected.doc_ids_any.iter().map(|group| group.iter().any(|id| cited.contains(id)));
    let met: Vec<bool> = each.chain(groups).map(|met| met && answered).collect();
    (!met.is_empty()).then(|| met.iter().filter(|met| **met).count() as f64 / met.len() as f64)
}

fn fault(
    query: &GoldenQuery,
    response: &AskResponse,
    precision: Option<f64>,
    recall: Option<f64>,
) -> Option<Fault> {
    let expected = &query.expected;
    let clarified = response.action == Action::Clarify;
    if expected.clarify || clarified {
        return (expected.clarify != clarified).then_some(Fault::Clarification);
    }
    if expected.abstain != response.refused {
        return Some(if expected.abstain { Fault::FalseAnswer } else { Fault::FalseRefusal });
    }
    if expected.abstain {
        let right = |reason: Reason| Some(reason_of(reason)) == response.refusal_reason;
        let any = expected.right_reasons().next().is_none();
        return (!any && !expected.right_reasons().any(right)).then_some(Fault::WrongReason);
    }
    let rows: Vec<&str> = response.rows.iter().map(|row| row.id.as_str()).collect();
    if !expected.rows.is_empty() && rows != expected.rows {
        return Some(Fault::WrongRows);
    }
    if let Some(fact) = &expected.fact
        && !fact.values.iter().all(|value| names(&response.answer, value))
    {
        return Some(Fault::WrongFact);
    }
    if recall.is_some_and(|recall| recall < 1.0) {
        return Some(Fault::MissingDocument);
    }
    if precision.is_some_and(|precision| precision < 0.5) {
        return Some(Fault::WrongDocuments);
    }
    (!rests_on_the_words(expected, response)).then_some(Fault::MissingWords)
}

/// Whether the passages that are cited hold the words that a right answer rests on.
fn rests_on_the_words(expected: &Expected, response: &AskResponse) -> bool {
    let held = |text: &str| {
        let words = one_space(text);
        let definitions = response.definition.iter().flat_map(|definition| &definition.definitions);
        let passages = response.citations.iter().map(|citation| &citation.snippet_full);
        definitions.chain(passages).any(|passage| one_space(passage).contains(&words))
    };
    expected
        .quote
        .iter()
        .map(String::as_str)
        .chain(expected.quotes.iter().map(|quote| quote.text.as_str()))
        .all(held)
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn names(answer: &str, value: &str) -> bool {
    let plain = |text: &str| one_space(text).to_lowercase();
    plain(answer).contains(&plain(value))
}

fn path(response: &AskResponse) -> Path {
    let ran = |stage: Stage| {
        let was_run = |outcome: &StageOutcome| !matches!(outcome, StageOutcome::Skipped(_));
        response.stages.iter().any(|report| report.stage == stage && was_run(&report.outcome))
    };
    if ran(Stage::Vocabulary) {
        Path::Terminology
    } else if ran(Stage::Catalogue) {
        Path::Catalogue
    } else if ran(Stage::Generation) && response.model_used.is_some() {
        Path::Model
    } else {
        Path::Extracts
    }
}

fn reason_of(reason: Reason) -> RefusalReason {
    match reason {
        Reason::NoResults => RefusalReason::NoResults,
        Reason::LowConfidence => RefusalReason::LowConfidence,
        Reason::TerminologyNotFound => RefusalReason::TerminologyNotFound,
        Reason::TerminologyTimeout => RefusalReason::TerminologyTimeout,
        Reason::TerminologyError => RefusalReason::TerminologyError,
        Reason::EntityNotFound => RefusalReason::EntityNotFound,
        Reason::Unsupported => RefusalReason::Unsupported,
        Reason::OffTopic => RefusalReason::OffTopic,
    }
}
