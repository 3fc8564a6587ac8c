use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::AskedOfSet;
use super::given::Given;
use super::question::Behaviour;
use super::score::{Marks, score, share};

/// Forms whose answers are long by right: accounts of a record, accounts in a shape that was asked for, lists.
const LONG_FORMS: [u8; 3] = [6, 7, 9];

/// What `eval questions` writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionsReport {
    /// All questions.
    pub overall: Group,
    /// By form.
    pub by_form: BTreeMap<u8, Group>,
    /// By library.
    pub by_library: BTreeMap<String, Group>,
    /// By the question's language.
    pub by_language: BTreeMap<String, Group>,
    /// By what is right to do.
    pub by_behaviour: BTreeMap<Behaviour, Group>,
    /// The questions whose rows the set names.
    pub lists: Lists,
    /// How long answers are.
    pub lengths: Lengths,
    /// Each question with what came of it.
    pub questions: Vec<QuestionReport>,
}

/// Shares of a group of questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// How many there are.
    pub count: usize,
    /// The share with the right behaviour.
    pub behaviour: f64,
    /// The share with the right documents.
    pub documents: f64,
    /// The share with the right words.
    pub content: f64,
    /// The share with all three.
    pub all: f64,
    /// The mean share of the expected documents that are cited.
    pub recall: Option<f64>,
    /// The mean share of what is cited that belongs there.
    pub precision: Option<f64>,
    /// The median length of answers, in characters.
    pub median_length: Option<usize>,
}

/// How complete and how clean lists are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Lists {
    /// How many there are.
    pub count: usize,
    /// The mean share of the rows that are there.
    pub recall: Option<f64>,
    /// The mean share of what is there that belongs.
    pub precision: Option<f64>,
}

/// Median lengths of answers, in characters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// Of the forms whose answers are long by right, each by itself.
    pub long_forms: BTreeMap<u8, Option<usize>>,
    /// Of all others.
    pub others: Option<usize>,
}

/// One question with what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionReport {
    /// Its id in the set.
    pub id: String,
    /// Its form.
    pub form: u8,
    /// Its language.
    pub language: String,
    /// Its library.
    pub library: String,
    /// What is right about the answer.
    pub marks: Marks,
    /// What is right to do.
    pub expected: Behaviour,
    /// What was done; absent where there was no response.
    pub behaviour: Option<Behaviour>,
    /// What was cited or listed.
    pub citations: Vec<String>,
    /// What the user reads.
    pub text: String,
    /// How many characters the answer has.
    pub length: usize,
    /// How long it took.
    pub ms: f64,
    /// Why there was no response.
    pub failure: Option<String>,
    /// Whether the list's rows are named in the set.
    pub rows_expected: bool,
}

impl QuestionReport {
    /// Marks one answer; `path_in_set` gives a document's path as the set writes it.
    pub fn of(asked: &AskedOfSet<'_>, path_in_set: impl Fn(&str) -> String) -> Self {
        let question = asked.question;
        let (given, failure) = match &asked.answer {
            Ok(response) => (Given::of(response, path_in_set), None),
            Err(problem) => (Given::default(), Some(problem.to_string())),
        };
        Self {
            id: question.id.clone(),
            form: question.form,
            language: question.language.clone(),
            library: question.library.clone(),
            marks: score(&question.expected, &given),
            expected: question.expected.behaviour,
            behaviour: given.behaviour,
            citations: given.citations,
            text: given.text,
            length: given.length,
            ms: asked.time.as_secs_f64() * 1000.0,
            failure,
            rows_expected: !question.expected.rows.is_empty(),
        }
    }
}

impl QuestionsReport {
    /// Sums up all that was asked.
    pub fn of(questions: Vec<QuestionReport>) -> Self {
        let all: Vec<&QuestionReport> = questions.iter().collect();
        let lists: Vec<&QuestionReport> = all.iter().copied().filter(|one| one.rows_expected).collect();
        Self {
            overall: Group::of(&all),
            by_form: grouped(&all, |one| one.form),
            by_library: grouped(&all, |one| one.library.clone()),
            by_language: grouped(&all, |one| one.language.clone()),
            by_behaviour: grouped(&all, |one| one.expected),
            lists: Lists {
                count: lists.len(),
                recall: mean(lists.iter().filter_map(|one| one.marks.recall)),
                precision: mean(lists.iter().filter_map(|one| one.marks.precision)),
            },
            lengths: Lengths {
                long_forms: LONG_FORMS
                    .map(|form| (form, median_length(all.iter().copied().filter(|one| one.form == form))))
                    .into(),
                others: median_length(all.iter().copied().filter(|one| !LONG_FORMS.contains(&one.form))),
            },
            questions,
        }
    }
}

impl Group {
    fn of(questions: &[&QuestionReport]) -> Self {
        let marked = |right: fn(&Marks) -> bool| {
            share(questions.iter().map(|one| right(&one.marks))).unwrap_or_default()
        };
        Self {
            count: questions.len(),
            behaviour: marked(|marks| marks.behaviour),
            documents: marked(|marks| marks.documents),
            content: marked(|marks| marks.content),
            all: marked(Marks::all),
            recall: mean(questions.iter().filter_map(|one| one.marks.recall)),
            precision: mean(questions.iter().filter_map(|one| one.marks.precision)),
            median_length: median_length(questions.iter().copied()),
        }
    }
}

fn grouped<K: Ord>(questions: &[&QuestionReport], key: impl Fn(&QuestionReport) -> K) -> BTreeMap<K, Group> {
    let mut groups: BTreeMap<K, Vec<&QuestionReport>> = BTreeMap::new();
    for question in questions {
        groups.entry(key(question)).or_default().push(question);
    }
    groups.into_iter().map(|(key, members)| (key, Group::of(&members))).collect()
}

/// Of what was answered: a refusal is short whatever the answer would have been.
fn median_length<'q>(questions: impl Iterator<Item = &'q QuestionReport>) -> Option<usize> {
    let answered = questions.filter(|one| one.behaviour.is_some_and(Behaviour::answers));
    let mut lengths: Vec<usize> = answered.map(|one| one.length).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(form: u8, library: &str, right: bool, behaviour: Behaviour, length: usize) -> QuestionReport {
        QuestionReport {
            id: format!("{library}-{form}-{length}"),
            form,
            language: "en".to_owned(),
            library: library.to_owned(),
            marks: Marks {
                behaviour: true,
                documents: right,
                content: true,
                recall: Some(if right { 1.0 } else { 0.5 }),
                precision: right.then_some(1.0),
            },
            expected: Behaviour::List,
            behaviour: Some(behaviour),
            citations: Vec::new(),
            text: String::new(),
            length,
            ms: 1.0,
            failure: None,
            rows_expected: form == 9,
        }
    }

    #[test]
    fn shares_are_told_by_group_and_long_forms_apart() {
        let report = QuestionsReport::of(vec![
            one(1, "tea", true, Behaviour::Answer, 100),
            one(1, "tea", false, Behaviour::Refuse, 9),
            one(9, "cups", true, Behaviour::List, 4000),
            one(9, "tea", false, Behaviour::List, 6000),
        ]);
        assert_eq!((report.overall.count, report.overall.behaviour, report.overall.all), (4, 1.0, 0.5));
        assert_eq!(report.overall.recall, Some(0.75));
        assert_eq!(report.overall.precision, Some(1.0), "what cites nothing has none");
        assert_eq!((report.by_library["tea"].count, report.by_library["cups"].all), (3, 1.0));
        assert_eq!(report.by_form[&1].median_length, Some(100), "a refusal is no answer");
        assert_eq!((report.lengths.others, report.lengths.long_forms[&9]), (Some(100), Some(6000)));
        assert_eq!(report.lengths.long_forms[&6], None);
        assert_eq!((report.lists.count, report.lists.recall), (2, Some(0.75)));
    }
}
