//! A response as text for a terminal.

use plumbline_core::response::{AskResponse, Citation, ConceptLink, Definition};
use plumbline_core::text::is_invisible;

/// What can be chosen by its number, in the order in which it is shown.
pub struct Choosable {
    pub label: String,
    pub detail: Option<String>,
    pub query: String,
    pub choice: Option<plumbline_core::request::Choice>,
}

/// The options of a question asked back, then the ways on.
pub fn choosable(response: &AskResponse) -> Vec<Choosable> {
    let options = response.clarification.iter().flat_map(|asked| &asked.options).map(|option| Choosable {
        label: option.label.clone(),
        detail: option.detail.clone(),
        query: option.query.clone(),
        choice: Some(option.choice.clone()),
    });
    let ways = response.suggestions.iter().map(|way| Choosable {
        label: way.label.clone(),
        detail: None,
        query: way.query.clone(),
        choice: way.choice.clone(),
    });
    options.chain(ways).collect()
}

/// All of a response.
pub fn whole(response: &AskResponse) -> String {
    let mut text = String::new();
    line(&mut text, &response.answer);
    text.push_str(&around(response));
    text
}

/// All of a response but what was written already while it came.
pub fn around(response: &AskResponse) -> String {
    let mut text = response.definition.as_ref().map(card).unwrap_or_default();
    if !response.citations.is_empty() || !response.nearest.is_empty() {
        text.push('\n');
    }
    for citation in &response.citations {
        line(&mut text, &note(citation));
    }
    for passage in &response.nearest {
        let snippet = passage.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
        line(&mut text, &format!("  near: {} › {}: {snippet}", passage.document_name, passage.section));
    }
    remarks(&mut text, response);
    let choosable = choosable(response);
    if !choosable.is_empty() {
        text.push('\n');
    }
    for (number, choosable) in (1..).zip(&choosable) {
        let detail = choosable.detail.as_deref().map_or_else(String::new, |detail| format!(": {detail}"));
        line(&mut text, &format!("  {number}. {}{detail}", choosable.label));
    }
    text
}

fn remarks(text: &mut String, response: &AskResponse) {
    let mut said = Vec::new();
    if let Some(reason) = response.refusal_reason {
        said.push(format!("refused: {}", reason.as_str()));
    }
    if let Some(confidence) = &response.confidence {
        let judge =
            confidence.llm_score.map_or_else(|| "no judge".to_owned(), |score| format!("judge {score}"));
        said.push(format!(
            "confidence {} of 100 (passages {:.2}, coverage {:.2}, {judge})",
            confidence.adjusted, confidence.retrieval_score, confidence.coverage_score
        ));
    }
    if let Some(model) = &response.model_used {
        said.push(format!("written by {model}, checked sentence by sentence"));
    }
    if !response.withheld.is_empty() {
        said.push(format!("{} sentences withheld", response.withheld.len()));
    }
    let statement = response.transparency.statement.as_ref().filter(|_| response.transparency.show_to_user);
    said.extend(statement.cloned());
    // What the statement says already is said once.
    let is_said = |text: &str| statement.is_some_and(|statement| statement.contains(text));
    let notices = response.notices.iter().filter(|notice| !is_said(&notice.text));
    said.extend(notices.map(|notice| notice.text.clone()));
    said.extend(response.warnings.iter().cloned());
    if let Some(owner) = &response.route_to {
        let name = owner.owner_name.as_deref().unwrap_or_default();
        let address = owner.owner_email.as_deref().unwrap_or_default();
        said.push(format!("ask {name} <{address}>: {}", owner.reason));
    }
    if !said.is_empty() {
        text.push('\n');
    }
    for remark in said {
        line(text, &format!("  · {remark}"));
    }
}

/// A citation as a numbered note.
pub fn note(citation: &Citation) -> String {
    format!("[{}] {}", citation.number, citation.note())
}

/// The whole passage of a citation.
pub fn passage(citation: &Citation) -> String {
    let mut text = String::new();
    line(&mut text, &note(citation));
    line(&mut text, &format!("{}, {}", citation.source_id, citation.path));
    text.push('\n');
    for written in citation.snippet_full.lines() {
        line(&mut text, &format!("  │ {written}"));
    }
    text
}

/// What the vocabulary says around a definition.
fn card(definition: &Definition) -> String {
    let labels =
        |links: &[ConceptLink]| links.iter().map(|link| link.label.as_str()).collect::<Vec<_>>().join(", ");
    let known = [
        ("term", definition.preferred_label.clone()),
        ("also", definition.alternative_labels.join(", ")),
        ("broader", labels(&definition.broader)),
        ("narrower", labels(&definition.narrower)),
        ("related", labels(&definition.related)),
        ("vocabulary", definition.vocabulary.clone()),
        ("uri", definition.uri.clone()),
        ("source", definition.source.clone()),
    ];
    let mut text = "\n".to_owned();
    for (name, value) in known.iter().filter(|(_, value)| !value.is_empty()) {
        line(&mut text, &format!("  {name:<11}{value}"));
    }
    text
}

fn line(text: &mut String, written: &str) {
    text.push_str(&plain(written));
    text.push('\n');
}

/// Text without what a terminal would obey: documents and models may hold control sequences.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || is_invisible(*c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_given_nothing_to_obey() {
        let hostile = "see \u{1b}]0;title\u{7}\u{1b}[2J\u{202e}gnp.exe\r\u{9b}31m";
        assert_eq!(plain(hostile), "see ]0;title[2Jgnp.exe31m");
        assert_eq!(plain("two\nlines\tand é"), "two\nlines\tand é");
    }
}
