use anyhow::bail;
use plumbline_core::domain::DocumentId;
use plumbline_evaluation::refusal::{
    FOLDS, ModelsWord, Observed, REPEATS, RefusalQuestion, RefusalReport, RefusalSet, SignalReport, observe,
};
use plumbline_library::PlainDocument;

use crate::arguments::{Global, RefusalArguments};
use crate::commands::test_library;
use crate::{Outcome, wiring};

/// Asks questions with and without an answer and tells how well the two are told apart.
pub fn run(global: &Global, arguments: &RefusalArguments) -> anyhow::Result<Outcome> {
    let [answerable, unanswerable] = arguments.clapnq.as_slice() else {
        bail!("name two files: questions with an answer, and questions without")
    };
    let set = RefusalSet::read(answerable, unanswerable)?;
    let workspace = wiring::measured_workspace(global, global.workspace.clone())?;
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    let remark = |text: String| wiring::remark(global, &text);
    let folder = test_library::indexed(&workspace, &runtime, &stop, documents(&set), &remark)?;
    let judge_model =
        arguments.judge.as_ref().map(|model| wiring::judge_model(&workspace, model)).transpose()?;
    let observed: Vec<Observed<'_>> = runtime.block_on(async {
        let engine = test_library::answering_engine(&workspace, &folder).await?;
        let mut observed = Vec::new();
        for (question, place) in in_turn(&set.questions) {
            let word: Option<&dyn ModelsWord> =
                judge_model.as_ref().filter(|_| place < arguments.judged).map(|judge_model| judge_model as _);
            observed.push(observe(&engine, question, word, &stop).await?);
            remark(format!("asked {} of {} questions", observed.len(), set.questions.len()));
        }
        anyhow::Ok(observed)
    })?;
    remark(String::new());
    let report = RefusalReport::of(&observed);
    if !wiring::wrote_report(global, arguments.output.as_deref(), &serde_json::to_string_pretty(&report)?)? {
        print(&report);
    }
    Ok(Outcome::Done)
}

fn documents(set: &RefusalSet) -> Vec<PlainDocument> {
    let named = set.passages.iter().enumerate().filter_map(|(number, (title, text))| {
        let id = DocumentId::new(format!("passage-{number:05}")).ok()?;
        Some(PlainDocument { id, title: title.clone(), text: text.clone(), access_tags: Vec::new() })
    });
    named.collect()
}

/// Both kinds by turns, so that the first questions are half of each.
fn in_turn(questions: &[RefusalQuestion]) -> impl Iterator<Item = (&RefusalQuestion, usize)> {
    let of = |answerable: bool| questions.iter().filter(move |question| question.answerable == answerable);
    let mut placed: Vec<(&RefusalQuestion, usize)> = of(true)
        .enumerate()
        .map(|(at, question)| (question, 2 * at))
        .chain(of(false).enumerate().map(|(at, question)| (question, 2 * at + 1)))
        .collect();
    placed.sort_by_key(|(_, place)| *place);
    placed.into_iter()
}

fn print(report: &RefusalReport) {
    println!(
        "{} questions with an answer and {} without; {FOLDS} folds, {REPEATS} times",
        report.answerable, report.unanswerable
    );
    let header =
        || println!("\n{:<38} {:>6} {:>15} {:>24}", "", "AUC", "balanced error", "false answers at 10 %");
    header();
    for signal in report.signals.iter().chain([&report.built_in]) {
        row(signal);
    }
    if !report.with_model.is_empty() {
        print!("\nOn the questions that the model was asked:");
        header();
        report.with_model.iter().for_each(row);
    }
    let weights: Vec<String> = report.fitted.weights.iter().map(|weight| format!("{weight:.2}")).collect();
    println!("\nweights on all of this set: {} and {:.2}", weights.join(", "), report.fitted.constant);
    let decisions = &report.decisions;
    println!(
        "with the thresholds in force: {:.1} % of the unanswerable answered, {:.1} % of the answerable refused",
        100.0 * decisions.false_answers,
        100.0 * decisions.false_refusals
    );
    println!(
        "a sentence that answers is shown for {:.1} % of the answerable, {:.1} % of those that were answered",
        100.0 * decisions.gold_sentence_shown,
        100.0 * decisions.gold_sentence_shown_where_answered
    );
}

fn row(signal: &SignalReport) {
    println!(
        "{:<38} {:>6.3} {:>13.1} % {:>11.1} % ({:.1} % refused)",
        signal.name,
        signal.area_under_curve,
        100.0 * signal.balanced_error,
        100.0 * signal.false_answers_at_tenth,
        100.0 * signal.false_refusals_at_tenth
    );
}
