//! A checked text for people to read.

use std::fmt::Write;

use super::{CheckedStatement, CheckedText, DecidingPassage, StatementVerdict};
use crate::messages::{Message, Messages};
use crate::text::units;

impl DecidingPassage {
    /// The sentence of the passage that shares most with the statement, its shared words between `**`.
    pub fn excerpt(&self) -> String {
        let passage: Vec<char> = self.citation.snippet_full.chars().collect();
        let shared = |start: usize, end: usize| -> usize {
            let overlap =
                self.marked.iter().map(|mark| mark.end.min(end).saturating_sub(mark.start.max(start)));
            overlap.sum()
        };
        let in_chars = |bytes: usize| self.citation.snippet_full[..bytes].chars().count();
        let sentences = units(&self.citation.snippet_full).into_iter();
        let places = sentences.map(|unit| (in_chars(unit.range.start), in_chars(unit.range.end)));
        // Of sentences that share as much, the first.
        let best = places.rev().max_by_key(|(start, end)| shared(*start, *end));
        let (start, end) = best.unwrap_or((0, passage.len()));
        let mut excerpt = String::new();
        for (at, c) in passage.iter().enumerate().take(end).skip(start) {
            let opens = self.marked.iter().any(|mark| mark.start.max(start) == at && mark.end > at);
            let closes = self.marked.iter().any(|mark| mark.end.min(end) == at + 1 && mark.start <= at);
            excerpt.push_str(if opens { "**" } else { "" });
            match c {
                // The passage's own emphasis would be taken for ours.
                '*' => {}
                c if c.is_whitespace() => excerpt.push(' '),
                c => excerpt.push(*c),
            }
            excerpt.push_str(if closes { "**" } else { "" });
        }
        excerpt
    }
}

impl CheckedText {
    /// The verdicts one after the other, the passages that decide as numbered notes, and what should be known of them.
    pub fn readable(&self) -> String {
        let messages = Messages::of(self.language);
        let mut text = String::new();
        let mut noted: Vec<&DecidingPassage> = Vec::new();
        for statement in &self.statements {
            text.push_str(&told(statement, messages));
            for passage in &statement.passages {
                if !noted.iter().any(|known| known.citation.number == passage.citation.number) {
                    noted.push(passage);
                }
            }
        }
        noted.sort_by_key(|passage| passage.citation.number);
        for (at, passage) in noted.iter().enumerate() {
            let gap = if at == 0 && !text.is_empty() { "\n" } else { "" };
            let citation = &passage.citation;
            let _ =
                writeln!(text, "{gap}[{}] {}\n    {}", citation.number, citation.note(), passage.excerpt());
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}", self.summary());
        for remark in self.transparency.statement.iter().filter(|_| self.transparency.show_to_user) {
            let _ = writeln!(text, "{remark}");
        }
        text
    }

    /// How many statements got which verdict, in one sentence.
    pub fn summary(&self) -> String {
        let counts = &self.counts;
        let values = [
            ("n", self.statements.len()),
            ("supported", counts.supported),
            ("elsewhere", counts.supported_elsewhere),
            ("contradicted", counts.contradicted),
            ("unsupported", counts.not_supported),
        ];
        let values = values.map(|(name, count)| (name, count.to_string()));
        let values: Vec<(&str, &str)> = values.iter().map(|(name, count)| (*name, count.as_str())).collect();
        Messages::of(self.language).text(Message::CheckSummary, &values)
    }
}

fn told(statement: &CheckedStatement, messages: &Messages) -> String {
    let verdict = messages.text(message_of(statement.verdict), &[]);
    let said = statement.text.trim_start_matches(['-', '*', '+', '•', '>', ' ']);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let notes: String =
        statement.passages.iter().map(|passage| format!("[{}]", passage.citation.number)).collect();
    let gap = if notes.is_empty() { "" } else { " " };
    let mut text = format!("{verdict}: {said}{gap}{notes}\n");
    if let Some(reason) = &statement.reason {
        let nearest =
            statement.nearest.as_ref().map(|near| format!(" ({} › {})", near.document_name, near.section));
        let _ = writeln!(text, "    {reason}{}", nearest.unwrap_or_default());
    }
    text
}

/// A verdict in words.
const fn message_of(verdict: StatementVerdict) -> Message {
    match verdict {
        StatementVerdict::Supported => Message::CheckVerdictSupported,
        StatementVerdict::SupportedElsewhere => Message::CheckVerdictElsewhere,
        StatementVerdict::Contradicted => Message::CheckVerdictContradicted,
        StatementVerdict::NotSupported => Message::CheckVerdictUnsupported,
    }
}
