//! What differs between two builds' answers, once all that differs between any two runs is taken out.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use similar::TextDiff;

/// Fields that tell how long something took or which run it was.
const OF_THE_RUN: [&str; 4] = ["request_id", "ms", "generation_time_ms", "fetched_at"];
/// Stands for the folder that a build was asked in.
const WORKSPACE: &str = "<workspace>";
/// So many lines of a response are shown around a difference.
const AROUND: usize = 2;

/// What a build answered to one question.
pub struct Answer {
    pub question: String,
    text: String,
}

impl Answer {
    pub fn of(question: &str, mut response: Value, workspace: &Path) -> Self {
        normalise(&mut response, &workspace.to_string_lossy());
        // Text of plain JSON can always be written.
        let text = serde_json::to_string_pretty(&response).unwrap_or_default();
        Self { question: question.to_owned(), text }
    }
}

/// How many questions were asked, and what differs in the answers to which.
pub struct Comparison {
    pub asked: usize,
    pub differing: usize,
    pub differences: Vec<(String, String)>,
}

/// Compares answers by their questions; one that only one of the builds answered differs, too.
pub fn compare(before: &[Answer], after: &[Answer]) -> Comparison {
    let mut answers: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    before.iter().for_each(|one| answers.entry(&one.question).or_default().0 = &one.text);
    after.iter().for_each(|one| answers.entry(&one.question).or_default().1 = &one.text);
    let differences: Vec<(String, String)> = answers
        .iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(question, (before, after))| ((*question).to_owned(), unified(before, after)))
        .collect();
    Comparison { asked: answers.len(), differing: differences.len(), differences }
}

fn unified(before: &str, after: &str) -> String {
    // Whether the last line ends is no news about JSON.
    let (before, after) = (format!("{before}\n"), format!("{after}\n"));
    TextDiff::from_lines(&before, &after).unified_diff().context_radius(AROUND).to_string()
}

fn normalise(value: &mut Value, workspace: &str) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !OF_THE_RUN.contains(&name.as_str()));
            fields.values_mut().for_each(|field| normalise(field, workspace));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| normalise(item, workspace)),
        Value::String(text) if text.contains(workspace) => *text = text.replace(workspace, WORKSPACE),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::{Answer, compare};

    fn answer(question: &str, response: Value, workspace: &str) -> Answer {
        Answer::of(question, response, Path::new(workspace))
    }

    fn response(run: &str, ms: f64, text: &str) -> Value {
        json!({
            "request_id": run, "answer": text, "generation_time_ms": ms,
            "stages": [{ "stage": "intent", "outcome": "ok", "ms": ms }],
        })
    }

    #[test]
    fn runs_times_and_folders_make_no_difference() {
        let before = answer("Q-1", response("req-1", 12.5, "See /tmp/a/old/x."), "/tmp/a/old");
        let after = answer("Q-1", response("req-2", 3.25, "See /tmp/a/new/x."), "/tmp/a/new");
        let compared = compare(&[before], &[after]);
        assert_eq!((compared.asked, compared.differing), (1, 0), "{:?}", compared.differences);
    }

    #[test]
    fn what_differs_is_shown_with_little_around_it() {
        let before = answer("Q-1", response("req-1", 1.0, "TLS 1.2"), "/w");
        let after = answer("Q-1", response("req-1", 1.0, "TLS 1.3"), "/w");
        let compared = compare(&[before], &[after]);
        let [(question, difference)] = compared.differences.as_slice() else { panic!("one differs") };
        assert_eq!(question, "Q-1");
        assert!(difference.contains("-  \"answer\": \"TLS 1.2\""), "{difference}");
        assert!(difference.contains("+  \"answer\": \"TLS 1.3\""), "{difference}");
        assert!(!difference.contains("\"outcome\""), "the stages are far from it: {difference}");
    }

    #[test]
    fn a_field_that_came_or_went_and_an_answer_that_is_missing_differ() {
        let with = |response| [answer("Q-1", response, "/w")];
        assert_eq!(compare(&with(json!({ "a": 1 })), &with(json!({ "a": 1, "b": null }))).differing, 1);
        assert_eq!(compare(&with(json!({ "a": [1, 2] })), &with(json!({ "a": [2, 1] }))).differing, 1);
        assert_eq!(compare(&with(json!({ "a": 1 })), &[]).differing, 1);
    }
}
