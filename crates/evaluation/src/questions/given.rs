use plumbline_core::response::{Action, AnswerSource, AskResponse};

use super::question::Behaviour;

/// What the assistant gave, in the terms of the set. All empty where there was no response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// What was done with the question.
    pub behaviour: Option<Behaviour>,
    /// Paths of documents and URIs of concepts, each once.
    pub citations: Vec<String>,
    /// What the user reads.
    pub text: String,
    /// How many characters the answer has.
    pub length: usize,
}

impl Given {
    /// Reads a response; `path_in_set` gives a document's path as the set writes it.
    pub fn of(response: &AskResponse, path_in_set: impl Fn(&str) -> String) -> Self {
        let cited = response.citations.iter().map(|citation| &citation.path);
        let listed = response.rows.iter().map(|row| &row.path);
        let mut citations: Vec<String> = Vec::new();
        for path in cited.chain(listed).map(|path| path_in_set(path)) {
            if !citations.contains(&path) {
                citations.push(path);
            }
        }
        Self {
            behaviour: Some(behaviour(response)),
            citations,
            text: text(response),
            length: response.answer.chars().count(),
        }
    }
}

/// Passages of which the answer is unsure, shown with their owner, are no answer.
fn behaviour(response: &AskResponse) -> Behaviour {
    if response.source == AnswerSource::Plumbline {
        return Behaviour::AboutItself;
    }
    match response.action {
        Action::Refuse | Action::Route => Behaviour::Refuse,
        Action::Clarify => Behaviour::Clarify,
        Action::Cite | Action::Outside if response.definition.is_some() => Behaviour::Define,
        Action::Cite | Action::Outside if response.fact.is_some() => Behaviour::Fact,
        Action::Cite | Action::Outside if !response.rows.is_empty() => Behaviour::List,
        Action::Cite | Action::Outside => Behaviour::Answer,
    }
}

/// All that the user reads as an answer: its words, the rows of a list, a definition, what can be chosen.
fn text(response: &AskResponse) -> String {
    let mut lines = vec![response.answer.clone()];
    for row in &response.rows {
        let known = [Some(row.id.as_str()), Some(row.title.as_str()), row.status.as_deref()];
        lines.push(known.into_iter().flatten().collect::<Vec<_>>().join(" "));
    }
    if let Some(definition) = &response.definition {
        lines.push(definition.preferred_label.clone());
        lines.extend(definition.definitions.iter().cloned());
    }
    if let Some(asked_back) = &response.clarification {
        lines.push(asked_back.question.clone());
        lines.extend(asked_back.options.iter().map(|option| option.label.clone()));
    }
    lines.join("\n")
}
