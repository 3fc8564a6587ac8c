//! What is sent to a model. The wording is in `assets/prompts/*.md`; this fills it in.
//!
//! A model sees passages under bare numbers, minted per question. It never sees an id of ours that it could imitate.

mod clean;
mod reply;
mod template;

#[cfg(test)]
mod tests;

pub use reply::{read_plan, read_rating, read_rewrites};

use clean::{clean, one_line};
use template::Template;

use crate::confidence::without_markers;
use crate::domain::{Chunk, Document, Kind, Language};
use crate::numbers::numbers;
use crate::request::{ChatMessage, Role};

/// What the planner replies when no passage helps.
pub const NO_PASSAGE: &str = "NONE";

static ANSWER: Template = Template::new(include_str!("../../../assets/prompts/answer.md"));
static PLANNER: Template = Template::new(include_str!("../../../assets/prompts/planner.md"));
static REWRITE: Template = Template::new(include_str!("../../../assets/prompts/rewrite.md"));
static JUDGE: Template = Template::new(include_str!("../../../assets/prompts/judge.md"));
static RERANK: Template = Template::new(include_str!("../../../assets/prompts/rerank.md"));
static COMPARE: Template = Template::new(include_str!("../../../assets/prompts/compare.md"));
static OUTSIDE: Template = Template::new(include_str!("../../../assets/prompts/outside.md"));

/// A passage as a model reads it: fenced, under its number, with what the reader of a document would know of it.
pub fn passage_block(alias: usize, chunk: &Chunk) -> String {
    let document = &chunk.document;
    let mut header = format!("[{alias}] {}", title(document));
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            header.push_str(" | ");
            header.push_str(name);
            header.push_str(value);
        }
    };
    add("section: ", &one_line(&chunk.section_path.join(" > ")));
    add("page ", &chunk.page.map_or_else(String::new, |page| page.to_string()));
    add("status: ", &one_line(document.status.as_deref().unwrap_or_default()));
    add("date: ", &document.date.map_or_else(String::new, |date| date.to_string()));
    format!("<passage {alias}>\n{header}\n\n{}\n</passage {alias}>\n", clean(&chunk.text).trim())
}

/// The title with the number as people say it; never in the form of our ids.
fn title(document: &Document) -> String {
    let title = one_line(&document.title);
    match (document.kind, document.number) {
        (Kind::Adr, Some(number)) => format!("ADR {number}: {title}"),
        (Kind::Dar, Some(number)) => format!("ADR {number}D: {title}"),
        (Kind::Principle, Some(number)) => format!("PCP {number}: {title}"),
        _ => title,
    }
}

/// The system prompt of an answer, which the budget never cuts.
pub fn system_prompt_text(language: Language) -> String {
    ANSWER.system(&[("language", name(language))])
}

/// The last message of an answer's prompt without its passages: what the budget counts as the question.
pub fn question_text(note: Option<&str>, question: &str) -> String {
    answer_turn("", note, question)
}

fn answer_turn(passages: &str, note: Option<&str>, question: &str) -> String {
    let note = note.map(clean).filter(|note| !note.trim().is_empty());
    let note = note.map_or_else(String::new, |note| format!("<note>\n{}\n</note>\n\n", note.trim()));
    ANSWER.user(&[("passages", passages), ("note", &note), ("question", &cleaned(question))])
}

/// The prompt of an answer: rules, the conversation so far, then passages, note and question.
///
/// `language` is that of the passages.
pub fn answer_messages(
    passages: &[(usize, &Chunk)],
    note: Option<&str>,
    history: &[ChatMessage],
    question: &str,
    language: Language,
) -> Vec<ChatMessage> {
    let turn = answer_turn(&blocks(passages), note, question);
    conversation(system_prompt_text(language), history, turn)
}

/// The prompt of the planner: which of these passages can answer the question?
pub fn planner_messages(passages: &[(usize, &Chunk)], question: &str) -> Vec<ChatMessage> {
    let values = [("passages", blocks(passages)), ("question", cleaned(question))];
    let turn = PLANNER.user(&values.each_ref().map(|(name, value)| (*name, value.as_str())));
    conversation(PLANNER.system(&[("none", NO_PASSAGE)]), &[], turn)
}

/// The prompt of a rewording of the question, for the search.
pub fn rewrite_messages(question: &str, history: &[ChatMessage], language: Language) -> Vec<ChatMessage> {
    let system =
        REWRITE.system(&[("count", &numbers().prompt.rewrites.to_string()), ("language", name(language))]);
    conversation(system, history, REWRITE.user(&[("question", &cleaned(question))]))
}

/// The prompt of the judge: how well do these passages support the answer?
pub fn judge_messages(question: &str, answer: &str, passages: &[(usize, &Chunk)]) -> Vec<ChatMessage> {
    let passages = blocks(passages);
    let (question, answer) = (cleaned(question), clean::fenced(answer));
    let values = [("passages", passages.as_str()), ("question", &question), ("answer", answer.trim())];
    conversation(JUDGE.system(&[]), &[], JUDGE.user(&values))
}

/// An answer and the passages that it cites, as somebody reads them who does not know where they come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared<'a> {
    /// The answer.
    pub answer: &'a str,
    /// What it cites.
    pub passages: &'a [String],
}

/// The prompt of a blind comparison of two answers.
pub fn compare_messages(question: &str, first: Compared<'_>, second: Compared<'_>) -> Vec<ChatMessage> {
    let passages = |of: Compared<'_>| {
        let numbered = of.passages.iter().zip(1..);
        numbered.map(|(text, number)| format!("[{number}] {}\n", clean(text).trim())).collect::<String>()
    };
    let answers = [clean::fenced(first.answer), clean::fenced(second.answer)];
    let sources = [passages(first), passages(second)];
    let question = cleaned(question);
    let values = [
        ("question", question.as_str()),
        ("first", answers[0].trim()),
        ("first_passages", sources[0].trim_end()),
        ("second", answers[1].trim()),
        ("second_passages", sources[1].trim_end()),
    ];
    conversation(COMPARE.system(&[]), &[], COMPARE.user(&values))
}

/// The prompt of a model that stands in for a cross-encoder: how well does each text answer the question?
pub fn rerank_messages(question: &str, texts: &[&str]) -> Vec<ChatMessage> {
    let passages: String = texts
        .iter()
        .zip(1..)
        .map(|(text, alias)| format!("<passage {alias}>\n{}\n</passage {alias}>\n\n", clean(text).trim()))
        .collect();
    let (question, count) = (cleaned(question), texts.len().to_string());
    let values = [("passages", passages.as_str()), ("question", &question), ("count", &count)];
    conversation(RERANK.system(&[]), &[], RERANK.user(&values))
}

/// The prompt of an answer from general knowledge, where the user allowed one.
pub fn outside_messages(history: &[ChatMessage], question: &str, language: Language) -> Vec<ChatMessage> {
    let system = OUTSIDE.system(&[("language", name(language))]);
    conversation(system, history, OUTSIDE.user(&[("question", &cleaned(question))]))
}

fn conversation(system: String, history: &[ChatMessage], turn: String) -> Vec<ChatMessage> {
    let before = history.iter().filter_map(|message| match message.role {
        Role::User => Some(ChatMessage::user(clean(&message.content))),
        // Numbers of an earlier question's passages would be taken for numbers of this one's.
        Role::Assistant => Some(ChatMessage::assistant(clean(&without_markers(&message.content)))),
        // Only this module writes system prompts.
        Role::System => None,
    });
    std::iter::once(ChatMessage { role: Role::System, content: system })
        .chain(before)
        .chain(std::iter::once(ChatMessage::user(turn)))
        .collect()
}

fn blocks(passages: &[(usize, &Chunk)]) -> String {
    passages.iter().map(|(alias, chunk)| passage_block(*alias, chunk) + "\n").collect()
}

fn cleaned(question: &str) -> String {
    clean(question).trim().to_owned()
}

fn name(language: Language) -> &'static str {
    &language.pack().profile.name
}
