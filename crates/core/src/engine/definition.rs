//! Definitions as the user gets them: the vocabulary's own text, and fixed sentences around it.

use super::blank::blank;
use super::turn::Turn;
use crate::domain::{Kind, Language, SourceId, Standing, TextSpan};
use crate::messages::{Message, Messages};
use crate::ports::Concept;
use crate::request::Choice;
use crate::response::{
    Action, AnswerSource, AskResponse, Citation, ConceptLink, Definition, LabelMatch, Suggestion,
};
use crate::text::words;

/// A concept that a term met, and the schemes that define it in the same words.
pub(super) struct Meaning {
    /// The term as it was found.
    pub term: String,
    pub concept: Concept,
    /// Empty where one scheme alone defines it.
    pub schemes: Vec<String>,
}

/// The definition of a term.
pub(super) fn defined(turn: &mut Turn<'_>, meaning: Meaning) -> AskResponse {
    let definition = definition_of(&meaning.term, meaning.concept, turn.language);
    let messages = Messages::of(turn.language);
    let mut response = from_vocabulary(turn, Action::Cite);
    response.answer = definition_text(&definition, 1, turn.language);
    if !meaning.schemes.is_empty() {
        let schemes = messages.all_of(&meaning.schemes);
        let remark = messages.text(Message::DefinitionSchemes, &[("schemes", &schemes)]);
        response.answer = format!("{}\n\n{remark}", response.answer);
    }
    response.citations = citation_of(&definition, 1).into_iter().collect();
    if definition.definitions.is_empty() {
        response.suggestions = vec![search_documents(&definition.preferred_label, turn.language)];
    }
    for replacement in &definition.replaced_by {
        response.suggestions.push(look_up_suggestion(replacement, turn.language));
    }
    response.definition = Some(definition);
    turn.show_whole(&response);
    response
}

/// The definitions of two terms, one after the other, each with its citation.
pub(super) fn compared(turn: &mut Turn<'_>, meanings: [Meaning; 2]) -> AskResponse {
    let definitions = meanings.map(|meaning| definition_of(&meaning.term, meaning.concept, turn.language));
    let mut response = from_vocabulary(turn, Action::Cite);
    let paragraphs = definitions.iter().zip(1..).map(|(definition, number)| {
        let text = definition_text(definition, number, turn.language);
        format!("**{}**: {text}", definition.preferred_label)
    });
    response.answer = paragraphs.collect::<Vec<_>>().join("\n\n");
    response.citations = definitions
        .iter()
        .zip(1..)
        .filter_map(|(definition, number)| citation_of(definition, number))
        .collect();
    response.definition = definitions.into_iter().next();
    turn.show_whole(&response);
    response
}

/// An empty response that the vocabulary is going to fill.
pub(super) fn from_vocabulary(turn: &Turn<'_>, action: Action) -> AskResponse {
    AskResponse { source: AnswerSource::Vocabulary, grounded: true, ..blank(turn, action) }
}

/// What the vocabulary says about a concept that a term met.
pub fn definition_of(term: &str, concept: Concept, asked_in: Language) -> Definition {
    let language = concept.definitions.first().and_then(|definition| definition.language.clone());
    let language_fallback =
        language.as_deref().is_some_and(|code| Language::from_code(code) != Some(asked_in));
    Definition {
        term: term.to_owned(),
        matched: concept.matched,
        preferred_label: concept.preferred_label,
        alternative_labels: concept.alternative_labels,
        definitions: concept.definitions.into_iter().map(|definition| definition.text).collect(),
        notes: concept.notes,
        language,
        language_fallback,
        broader: concept.broader,
        narrower: concept.narrower,
        related: concept.related,
        deprecated: concept.deprecated,
        replaced_by: concept.replaced_by,
        vocabulary: concept.vocabulary,
        uri: concept.uri,
        concept_id: concept.concept_id,
        fetched_at: concept.fetched_at,
        source: concept.source,
    }
}

/// The definition as it stands in the vocabulary; around it only fixed sentences.
fn definition_text(definition: &Definition, number: usize, language: Language) -> String {
    let messages = Messages::of(language);
    let label = definition.preferred_label.as_str();
    let mut lines: Vec<String> = Vec::new();
    if definition.definitions.is_empty() {
        lines.push(format!("{} [{number}]", messages.text(Message::DefinitionNone, &[("label", label)])));
        lines.extend(notes_of(definition, |_| true));
    } else {
        lines.push(format!("{} [{number}]", definition.definitions.join("\n\n")));
    }
    if definition.matched != LabelMatch::Preferred {
        lines.push(
            messages.text(Message::DefinitionNonPreferred, &[("term", &definition.term), ("label", label)]),
        );
        // What another name or an abbreviation stands for, a note says.
        if !definition.definitions.is_empty() {
            lines.extend(notes_of(definition, |text| speaks_of(text, &definition.term)));
        }
    }
    if definition.deprecated {
        lines.push(match definition.replaced_by.first() {
            Some(by) => {
                messages.text(Message::DefinitionDeprecatedReplaced, &[("label", label), ("by", &by.label)])
            }
            None => messages.text(Message::DefinitionDeprecated, &[("label", label)]),
        });
    }
    if definition.language_fallback {
        let code = definition.language.as_deref().unwrap_or_default();
        lines.push(messages.text(Message::DefinitionLanguage, &[("language", code)]));
    }
    lines.join("\n\n")
}

/// Notes under their own name, never as a definition.
fn notes_of(definition: &Definition, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let notes = definition.notes.iter().filter(|note| wanted(&note.text));
    notes.map(|note| format!("{}: {}", note.kind, note.text)).collect()
}

/// Whether a text holds a term as whole words.
fn speaks_of(text: &str, term: &str) -> bool {
    let folded = |text: &str| words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>();
    let (text, term) = (folded(text), folded(term));
    !term.is_empty() && text.windows(term.len()).any(|part| part == term)
}

pub(super) fn citation_of(definition: &Definition, number: usize) -> Option<Citation> {
    // A slug may hold letters that no id of ours may.
    let id = definition.concept_id.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "-");
    let source_id: SourceId = format!("{id}:0").parse().ok()?;
    let text = if definition.definitions.is_empty() {
        notes_of(definition, |_| true)
    } else {
        definition.definitions.clone()
    };
    let text = text.join("\n\n");
    Some(Citation {
        number,
        document_id: definition.concept_id.clone(),
        document_name: definition.preferred_label.clone(),
        doc_type: Kind::Vocabulary,
        chunk_index: 0,
        page_number: "N/A".to_owned(),
        section: definition.vocabulary.clone(),
        relevance_score: 1.0,
        snippet: crate::response::snippet(&text),
        span: TextSpan { start: 0, end: text.chars().count() },
        snippet_full: text,
        path: definition.uri.clone(),
        version: None,
        status: definition.deprecated.then(|| "deprecated".to_owned()),
        standing: if definition.deprecated { Standing::Deprecated } else { Standing::InForce },
        date: None,
        source: definition.source.clone(),
        source_id,
    })
}

pub(super) fn search_documents(term: &str, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestSearchDocuments, &[("term", term)]),
        query: term.to_owned(),
        choice: Some(Choice::SearchDocuments),
    }
}

/// The vocabulary as a button.
pub(super) fn offer(term: &str, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestLookUp, &[("term", term)]),
        query: term.to_owned(),
        choice: Some(Choice::Define { term: term.to_owned() }),
    }
}

fn look_up_suggestion(concept: &ConceptLink, language: Language) -> Suggestion {
    Suggestion {
        label: Messages::of(language).text(Message::SuggestLookUp, &[("term", &concept.label)]),
        query: concept.label.clone(),
        choice: Some(Choice::Concept { uri: concept.uri.clone() }),
    }
}
