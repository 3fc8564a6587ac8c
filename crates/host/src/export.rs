//! A conversation as a file: Markdown with a footnote per source, or all that its answers rest on as JSON.

use std::fmt::Write;

use plumbline_contract::{AskResponse, CheckedText, ConversationSummary, Turn, TurnOutcome};
use plumbline_core::messages::Message;
use plumbline_core::response::StatementVerdict;
use plumbline_telemetry::sha256_hex;
use serde_json::{Value, json};

use crate::history::Source;
use crate::texts::Texts;

/// The form of the evidence pack; it changes when a reader of the old form would misread the new one.
const PACK_FORM: &str = "plumbline-evidence/1";

/// The conversation as Markdown.
pub(crate) fn markdown(summary: &ConversationSummary, turns: &[(Turn, Vec<Source>)], texts: Texts) -> String {
    let mut text = format!("# {}\n", one_line(&summary.title));
    let mut notes = String::new();
    for (number, (turn, _)) in (1..).zip(turns) {
        let _ = write!(text, "\n## {}\n\n*{}*\n\n", one_line(&turn.question), turn.asked_at);
        match &turn.outcome {
            TurnOutcome::Answered { response } => {
                let _ = writeln!(text, "{}", with_notes(response, number));
                remarks(&mut text, response, texts);
                footnotes(&mut notes, response, number);
            }
            TurnOutcome::Stopped { text: shown } => {
                let _ = writeln!(text, "{shown}\n\n*{}*", texts.plain(Message::ExportStopped));
            }
            TurnOutcome::Failed { error } => {
                let _ = writeln!(text, "*{}*", error.message);
            }
            TurnOutcome::Interrupted => {
                let _ = writeln!(text, "*{}*", texts.plain(Message::ExportInterrupted));
            }
        }
    }
    if !notes.is_empty() {
        text.push('\n');
        text.push_str(&notes);
    }
    text
}

/// `[1]` of the third answer becomes `[^3-1]`: notes are numbered anew by every answer.
fn with_notes(response: &AskResponse, number: usize) -> String {
    response.citations.iter().fold(response.answer.clone(), |answer, citation| {
        answer.replace(&format!("[{}]", citation.number), &format!("[^{number}-{}]", citation.number))
    })
}

fn footnotes(notes: &mut String, response: &AskResponse, number: usize) {
    for citation in &response.citations {
        let place = if citation.path.is_empty() { citation.source.as_str() } else { citation.path.as_str() };
        let _ = writeln!(
            notes,
            "[^{number}-{}]: {}, `{}`, {place}: “{}”",
            citation.number,
            one_line(&citation.note()),
            citation.source_id,
            one_line(&citation.snippet)
        );
    }
}

fn remarks(text: &mut String, response: &AskResponse, texts: Texts) {
    let mut remarks: Vec<String> = Vec::new();
    if let (true, Some(statement)) = (response.transparency.show_to_user, &response.transparency.statement) {
        remarks.push(statement.clone());
    }
    remarks.extend(response.notices.iter().map(|notice| notice.text.clone()));
    remarks.extend(response.warnings.iter().cloned());
    remarks.extend(response.withheld.iter().map(|one| {
        format!("{} ({}): {}", texts.plain(Message::ExportWithheld), one.label.as_str(), one.text)
    }));
    if !remarks.is_empty() {
        text.push('\n');
    }
    for remark in remarks {
        let _ = writeln!(text, "> {}  ", one_line(&remark));
    }
}

/// A checked text as Markdown: each statement with its verdict, and a footnote for each passage that decides.
pub(crate) fn checked_markdown(title: &str, checked: &CheckedText, texts: Texts) -> String {
    let mut text = format!("# {}\n\n{}\n\n", one_line(title), checked.summary());
    let mut notes: Vec<(usize, String)> = Vec::new();
    for statement in &checked.statements {
        let verdict = texts.plain(match statement.verdict {
            StatementVerdict::Supported => Message::CheckVerdictSupported,
            StatementVerdict::SupportedElsewhere => Message::CheckVerdictElsewhere,
            StatementVerdict::Contradicted => Message::CheckVerdictContradicted,
            StatementVerdict::NotSupported => Message::CheckVerdictUnsupported,
        });
        let _ = write!(text, "- **{verdict}**: {}", one_line(&statement.text));
        for passage in &statement.passages {
            let citation = &passage.citation;
            let _ = write!(text, "[^{}]", citation.number);
            if !notes.iter().any(|(number, _)| *number == citation.number) {
                let note = format!(
                    "{}, `{}`: “{}”",
                    one_line(&citation.note()),
                    citation.source_id,
                    passage.excerpt()
                );
                notes.push((citation.number, note));
            }
        }
        text.push('\n');
        if let Some(reason) = &statement.reason {
            let _ = writeln!(text, "  {}", one_line(reason));
        }
    }
    let shown = checked.transparency.statement.iter().filter(|_| checked.transparency.show_to_user);
    for remark in shown {
        let _ = writeln!(text, "\n> {}", one_line(remark));
    }
    notes.sort_by_key(|(number, _)| *number);
    for (at, (number, note)) in notes.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}[^{number}]: {note}");
    }
    text
}

/// Questions, passages, hashes, models and feedback.
pub(crate) fn evidence_pack(
    summary: &ConversationSummary,
    turns: &[(Turn, Vec<Source>)],
    exported_at: &str,
) -> String {
    let turns: Vec<Value> = turns.iter().map(|(turn, sources)| evidence(turn, sources)).collect();
    let pack = json!({
        "form": PACK_FORM,
        "program": { "name": "Plumbline", "version": env!("CARGO_PKG_VERSION") },
        "exported_at": exported_at,
        "conversation": { "id": summary.id, "title": summary.title },
        "turns": turns,
    });
    // What was just built of plain values can always be written.
    serde_json::to_string_pretty(&pack).unwrap_or_default()
}

fn evidence(turn: &Turn, sources: &[Source]) -> Value {
    let mut evidence = json!({
        "id": turn.id,
        "asked_at": turn.asked_at,
        "question": turn.question,
        "question_sha256": sha256_hex(&turn.question),
        "choice": turn.choice,
        "collections": turn.collections,
        "feedback": turn.feedback,
    });
    let told = match &turn.outcome {
        TurnOutcome::Answered { response } => {
            let passages: Vec<Value> = response
                .citations
                .iter()
                .map(|citation| {
                    let file = sources.iter().find(|source| source.document == citation.document_id);
                    json!({
                        "number": citation.number,
                        "source_id": citation.source_id,
                        "document_id": citation.document_id,
                        "title": citation.document_name,
                        "section": citation.section,
                        "page": citation.page_number,
                        "path": citation.path,
                        "span": citation.span,
                        "version": citation.version,
                        "status": citation.status,
                        "date": citation.date,
                        "source": citation.source,
                        "relevance": citation.relevance_score,
                        "passage": citation.snippet_full,
                        "passage_sha256": sha256_hex(&citation.snippet_full),
                        "file_sha256": file.map(|source| &source.sha256),
                    })
                })
                .collect();
            json!({
                "outcome": "answered",
                "answer": response.answer,
                "answer_sha256": sha256_hex(&response.answer),
                "action": response.action,
                "refusal_reason": response.refusal_reason,
                "model": response.model_used,
                "grounded": response.grounded,
                "confidence": response.confidence,
                "definition": response.definition,
                "passages": passages,
                "withheld": response.withheld,
                "statements": response.proofs,
                "notices": response.notices,
                "warnings": response.warnings,
                "stages": response.stages,
            })
        }
        TurnOutcome::Stopped { text } => json!({ "outcome": "stopped", "shown": text }),
        TurnOutcome::Failed { error } => json!({ "outcome": "failed", "error": error }),
        TurnOutcome::Interrupted => json!({ "outcome": "interrupted" }),
    };
    if let (Value::Object(evidence), Value::Object(told)) = (&mut evidence, told) {
        evidence.extend(told);
    }
    evidence
}

/// A title as the name of a file.
pub(crate) fn file_stem(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug: String = words.map(str::to_lowercase).collect::<Vec<_>>().join("-").chars().take(48).collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "conversation".to_owned() } else { slug.to_owned() }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_makes_a_name_for_any_file_system() {
        assert_eq!(file_stem("Which TLS versions: 1.2 / 1.3?"), "which-tls-versions-1-2-1-3");
        assert_eq!(file_stem("  ?? "), "conversation");
        assert_eq!(file_stem(&"é".repeat(300)).chars().count(), 48);
    }
}
