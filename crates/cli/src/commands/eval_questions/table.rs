use plumbline_evaluation::questions::{Behaviour, Group, Question, QuestionReport, QuestionsReport};

use crate::answer_text::plain;

/// So many characters are shown of an answer that is not as expected.
const SHOWN: usize = 300;

/// Shares by form, library, language and behaviour.
pub fn print(report: &QuestionsReport) {
    println!(
        "{:<22} {:>4} {:>9} {:>9} {:>7} {:>5} {:>6} {:>9} {:>6}",
        "", "n", "behaviour", "documents", "content", "all", "recall", "precision", "length"
    );
    row("all", &report.overall);
    println!();
    report.by_form.iter().for_each(|(form, group)| row(&format!("form {form}"), group));
    println!();
    report.by_library.iter().for_each(|(name, group)| row(name, group));
    println!();
    report.by_language.iter().for_each(|(language, group)| row(language, group));
    println!();
    report.by_behaviour.iter().for_each(|(behaviour, group)| row(behaviour.as_str(), group));
    let lists = &report.lists;
    println!(
        "\n{} lists: recall {}, precision {}",
        lists.count,
        percent(lists.recall),
        percent(lists.precision)
    );
    let long = report.lengths.long_forms.iter();
    let long: Vec<String> = long.map(|(form, length)| format!("form {form} {}", number(*length))).collect();
    println!(
        "median length of answers, in characters: {}, others {}",
        long.join(", "),
        number(report.lengths.others)
    );
}

fn row(name: &str, group: &Group) {
    println!(
        "{name:<22} {:>4} {:>9} {:>9} {:>7} {:>5} {:>6} {:>9} {:>6}",
        group.count,
        percent(Some(group.behaviour)),
        percent(Some(group.documents)),
        percent(Some(group.content)),
        percent(Some(group.all)),
        percent(group.recall),
        percent(group.precision),
        number(group.median_length)
    );
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

fn number(value: Option<usize>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Each question that is not wholly right, with what was expected and what came.
pub fn print_failures(report: &QuestionsReport, asked: &[&Question]) {
    for failed in report.questions.iter().filter(|one| !one.marks.all()) {
        if let Some(question) = asked.iter().find(|question| question.id == failed.id) {
            print_failure(failed, question);
        }
    }
}

fn print_failure(failed: &QuestionReport, question: &Question) {
    let (marks, expected) = (&failed.marks, &question.expected);
    let wrong = [("behaviour", marks.behaviour), ("documents", marks.documents), ("content", marks.content)];
    let wrong: Vec<&str> = wrong.into_iter().filter(|(_, right)| !right).map(|(name, _)| name).collect();
    println!("\n{} (form {}), wrong: {}", failed.id, failed.form, wrong.join(", "));
    for turn in &question.history {
        println!("  {}: {}", turn.role.as_str(), shortened(&turn.content));
    }
    println!("  question: {}", plain(&question.question));
    println!("  expected: {}", expected.behaviour.as_str());
    let groups = expected.must_contain_any.iter().map(|group| group.join(" | "));
    let words: Vec<String> = expected.must_contain.iter().cloned().chain(groups).collect();
    let rows = if expected.rows.is_empty() { &expected.documents } else { &expected.rows };
    for (name, values) in [
        ("documents", rows),
        ("one of", &expected.any_of),
        ("also fine", &expected.also_fine),
        ("words", &words),
        ("not", &expected.must_not_contain),
    ] {
        values.iter().for_each(|value| println!("    {name}: {}", plain(value)));
    }
    println!("  came: {}", failed.behaviour.map_or("nothing", Behaviour::as_str));
    failed.citations.iter().for_each(|citation| println!("    cited: {}", plain(citation)));
    println!("    text: {}", shortened(failed.failure.as_deref().unwrap_or(&failed.text)));
}

fn shortened(text: &str) -> String {
    let line = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
