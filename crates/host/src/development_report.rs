//! A finished run of a development set, as the window shows it and as it is kept.

use plumbline_contract::{
    DevelopmentReport, ExpectedAnswer, GivenAnswer, MarkedGroup, Mistake, QuestionFailure,
};
use plumbline_evaluation::questions::{Behaviour, Group, Question, QuestionReport, QuestionsReport};

use crate::numbers::count;

/// So many characters are kept of an answer that is not as expected.
const SHOWN: usize = 4_000;

/// Which run it was.
pub(crate) struct Run {
    pub finished_at: String,
    pub seconds: f64,
    pub path: String,
    pub model: Option<String>,
}

/// A finished run as the window shows it.
pub(crate) fn report_of(report: &QuestionsReport, asked: &[&Question], run: Run) -> DevelopmentReport {
    let failed = report.questions.iter().filter(|one| !one.marks.all());
    let with_question = failed.filter_map(|one| Some((one, asked.iter().find(|asked| asked.id == one.id)?)));
    DevelopmentReport {
        finished_at: run.finished_at,
        seconds: run.seconds,
        path: run.path,
        model: run.model,
        overall: group("overall", &report.overall),
        by_form: report.by_form.iter().map(|(form, one)| group(&form.to_string(), one)).collect(),
        by_language: report.by_language.iter().map(|(language, one)| group(language, one)).collect(),
        failures: with_question.map(|(one, question)| failure(one, question)).collect(),
    }
}

fn group(name: &str, group: &Group) -> MarkedGroup {
    let right = |share: f64| count((share * group.count as f64).round() as usize);
    MarkedGroup {
        name: name.to_owned(),
        questions: count(group.count),
        behaviour: right(group.behaviour),
        documents: right(group.documents),
        content: right(group.content),
        all: right(group.all),
        precision: group.precision,
        median_length: group.median_length.map(count),
    }
}

fn failure(failed: &QuestionReport, question: &Question) -> QuestionFailure {
    let (marks, expected) = (&failed.marks, &question.expected);
    let parts = [
        (Mistake::Behaviour, marks.behaviour),
        (Mistake::Documents, marks.documents),
        (Mistake::Content, marks.content),
    ];
    let groups = expected.must_contain_any.iter().map(|group| group.join(" | "));
    let counted = expected.count.map(|rows| rows.to_string());
    let rows = if expected.rows.is_empty() { &expected.documents } else { &expected.rows };
    QuestionFailure {
        id: failed.id.clone(),
        form: failed.form.into(),
        language: failed.language.clone(),
        history: question.history.iter().map(|turn| turn.content.clone()).collect(),
        question: question.question.clone(),
        mistakes: parts.into_iter().filter(|(_, right)| !right).map(|(part, _)| part).collect(),
        expected: ExpectedAnswer {
            behaviour: expected.behaviour.as_str().to_owned(),
            documents: rows.clone(),
            one_of: expected.any_of.clone(),
            also_fine: expected.also_fine.clone(),
            words: expected.must_contain.iter().cloned().chain(groups).chain(counted).collect(),
            unwanted: expected.must_not_contain.clone(),
            note: expected.note.clone(),
        },
        given: GivenAnswer {
            behaviour: failed.behaviour.map(Behaviour::as_str).map(str::to_owned),
            documents: failed.citations.clone(),
            text: shortened(failed.failure.as_deref().unwrap_or(&failed.text)),
        },
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
