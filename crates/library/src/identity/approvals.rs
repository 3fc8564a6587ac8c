//! What a record of approvals holds: one approval or several, each with its version, decision, day and people.

use std::cmp::Reverse;

use jiff::civil::Date;
use plumbline_core::detail::Detail;
use plumbline_core::domain::Standing;
use plumbline_core::messages::Message;
use serde::{Deserialize, Serialize};

use super::dates;
use super::facts::labelled;
use super::labels::{Field, any_language};
use super::outline::{Outline, Section};
use super::plain::{Line, Piece};
use super::tables;
use super::words::{is_placeholder, key, listed, without_brackets};
use super::{How, no_date};

/// One approval of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The heading that it stands under.
    pub heading: String,
    /// The version that was decided on, as written, without its day.
    pub version: Option<String>,
    /// What was decided, as written.
    pub decision: Option<String>,
    /// The day of the decision, else that of the version.
    pub date: Option<Date>,
    /// Who put it forward.
    pub driver: Option<String>,
    /// Who was asked for approval.
    pub approvers: Vec<String>,
}

impl Approval {
    /// Those who approved: nobody, where it was not accepted.
    pub fn approved_by(&self) -> &[String] {
        let standing = self.decision.as_deref().map_or(Standing::Unknown, Standing::from_status);
        if matches!(standing, Standing::Rejected | Standing::Proposed) { &[] } else { &self.approvers }
    }

    pub(super) fn how(&self) -> How {
        How::Recognised(format!("approval `{}`", self.heading))
    }

    /// What tells it from others of the same record.
    pub(super) fn in_short(&self) -> String {
        let date = self.date.map(|date| date.to_string());
        let parts = [self.version.clone(), date, self.decision.clone()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The approvals of a record of approvals, the newest first, and what was not understood of it.
#[derive(Debug, Default)]
pub(super) struct Approvals {
    pub(super) all: Vec<Approval>,
    pub(super) problems: Vec<Detail>,
}

pub(super) fn read(outline: &Outline) -> Approvals {
    let mut found = Approvals::default();
    let mut heading = "";
    for section in &outline.sections {
        // "### Approvers" stands below the heading of its approval.
        if Field::of(&section.name) != Some(Field::Approvers) {
            heading = &section.heading;
        }
        found.take_section(section, heading);
    }
    for approval in &found.all {
        let heading = || ("heading", Detail::from(approval.heading.as_str()));
        match &approval.decision {
            None => found.problems.push(Detail::of(Message::IndexRejectedNoDecision, [heading()])),
            Some(decision) if Standing::from_status(decision) == Standing::Unknown => {
                let values = [("decision", decision.as_str().into()), heading()];
                found.problems.push(Detail::of(Message::IndexRejectedDecision, values));
            }
            Some(_) => {}
        }
        if approval.approvers.is_empty() {
            found.problems.push(Detail::of(Message::IndexRejectedNobody, [heading()]));
        }
    }
    // A block of the form that nobody has filled in is no approval.
    found.all.retain(|approval| approval.decision.is_some());
    newest_first(&mut found.all);
    found
}

impl Approvals {
    fn take_section(&mut self, section: &Section, heading: &str) {
        let mut about = Field::of(&section.name);
        for piece in &section.pieces {
            match piece {
                Piece::Lines(lines) => {
                    self.take_pairs(lines.iter().filter_map(labelled), heading);
                    // A line of its own above a table says what the table holds.
                    about = lines
                        .iter()
                        .rev()
                        .find(|line| is_caption(line))
                        .map_or(about, |line| Field::of(line.text.trim_end_matches(':')));
                }
                Piece::Table(rows) => {
                    let paired = rows.iter().all(|row| is_pair(row)) || is_form(rows);
                    let labelled = rows.iter().filter(|row| paired && row.len() >= 2);
                    let pairs = labelled.map(|row| (row[0].text.clone(), row[1].clone()));
                    if !self.take_pairs(pairs, heading) && !self.take_rows(rows, heading) {
                        self.take_people(rows, about, heading);
                    }
                }
            }
        }
    }

    /// Takes what stands under labels, if that is an approval: one says at least two things of itself.
    fn take_pairs(&mut self, pairs: impl Iterator<Item = (String, Line)>, heading: &str) -> bool {
        let mut approval = Approval { heading: heading.to_owned(), ..Approval::default() };
        let (mut known, mut day_of_version, mut problem) = (0, None, None);
        for (label, value) in pairs {
            let Some(field) = field_of(&label) else { continue };
            known += 1;
            let text = value.text.as_str();
            if is_placeholder(text) {
                continue;
            }
            match field {
                Field::Version => {
                    approval.version = Some(without_brackets(text));
                    day_of_version = dates::last_in(text);
                }
                Field::Decision | Field::Status => approval.decision = Some(text.to_owned()),
                Field::Driver | Field::Owner => approval.driver = Some(text.to_owned()),
                Field::Approvers => approval.approvers = listed(text),
                _ => match dates::read(text) {
                    dates::DateValue::Day(day) => approval.date = Some(day.date),
                    _ => problem = Some(no_date(text, format!("`{heading}`"))),
                },
            }
        }
        approval.date = approval.date.or(day_of_version);
        if known >= 2 {
            self.all.push(approval);
            self.problems.extend(problem);
        }
        known >= 2
    }

    /// Takes a table with an approval a row, its people in a column of their own.
    fn take_rows(&mut self, table: &[Vec<Line>], heading: &str) -> bool {
        let Some((header, rows)) = table.split_first() else { return false };
        let has = |wanted: Field| header.iter().any(|cell| field_of(&cell.text) == Some(wanted));
        let complete = has(Field::Decision) && has(Field::Approvers);
        let mut begun = false;
        for row in rows.iter().filter(|row| complete && !is_remark(row)) {
            let cells = || header.iter().map(|cell| cell.text.clone()).zip(row.iter().cloned());
            let of = |wanted: &[Field]| {
                let found = cells().find(|(label, value)| {
                    field_of(label).is_some_and(|field| wanted.contains(&field))
                        && !is_placeholder(&value.text)
                });
                found.map(|(_, value)| value.text)
            };
            // Cells that reach over several rows leave empty ones: what such a row adds are people.
            let continues = begun && of(&[Field::Version, Field::Decision, Field::Status]).is_none();
            match (continues, of(&[Field::Approvers]), self.all.last_mut()) {
                (true, Some(people), Some(approval)) => approval.approvers.extend(listed(&people)),
                (true, None, _) => {}
                _ => begun |= self.take_pairs(cells(), heading),
            }
        }
        complete
    }

    fn take_people(&mut self, table: &[Vec<Line>], about: Option<Field>, heading: &str) {
        let named = || tables::names(table).filter(|_| about == Some(Field::Approvers));
        let people = tables::approvers(table).or_else(named);
        match (people, self.all.last_mut()) {
            (Some(people), Some(approval)) => approval.approvers = people,
            (None, _) if about == Some(Field::Approvers) => {
                let heading = [("heading", heading.into())];
                self.problems.push(Detail::of(Message::IndexRejectedNoNames, heading));
            }
            _ => {}
        }
    }
}

/// What a row of an approval is about: "Driver (Decision owner)" is the driver, "Version of principle" the version.
fn field_of(label: &str) -> Option<Field> {
    let wanted = |field: &Field| {
        field.is_date()
            || matches!(
                field,
                Field::Version
                    | Field::Decision
                    | Field::Status
                    | Field::Driver
                    | Field::Owner
                    | Field::Approvers
            )
    };
    let bare = without_brackets(label);
    let words = key(&bare);
    let of_something = any_language(|known| {
        known
            .approvals
            .version_of
            .iter()
            .any(|lead| words.strip_prefix(lead.as_str()).is_some_and(|rest| rest.starts_with(' ')))
    });
    if of_something {
        return Some(Field::Version);
    }
    [label, &bare]
        .into_iter()
        .find_map(|label| Field::of(label).or_else(|| Field::of_column(label)))
        .filter(wanted)
}

/// Whether a row is a label and its value, with nothing behind them.
fn is_pair(row: &[Line]) -> bool {
    row.len() >= 2 && row[2..].iter().all(|cell| cell.text.is_empty())
}

/// Whether a row holds nothing but words in its first cell, as one does that reaches over the whole table.
fn is_remark(row: &[Line]) -> bool {
    let Some((first, others)) = row.split_first() else { return true };
    !first.text.contains(|c: char| c.is_ascii_digit()) && others.iter().all(|cell| cell.text.is_empty())
}

/// Whether a table has labels in its first column, what was decided among them, though remarks stand behind some of the values or
/// cells are missing.
fn is_form(table: &[Vec<Line>]) -> bool {
    let labels = |row: &Vec<Line>| row.first().and_then(|cell| field_of(&cell.text));
    let found: Vec<Field> = table.iter().filter_map(labels).collect();
    found.len() >= 2 && found.contains(&Field::Decision)
}

/// "**Approvers**" or "Approvers:" on a line of its own.
fn is_caption(line: &Line) -> bool {
    let text = line.text.trim_end();
    !text.is_empty() && (line.bold == text.len() || text.ends_with(':'))
}

/// By day where every one has a day, else by version, else by the number in front of the heading; as written where all are alike.
fn newest_first(approvals: &mut [Approval]) {
    let numbers = |text: &str| -> Vec<u32> {
        let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    let dated = approvals.iter().all(|approval| approval.date.is_some());
    approvals.sort_by_cached_key(|approval| {
        let number =
            approval.heading.split(['.', ')', ' ']).next().and_then(|first| first.parse::<u32>().ok());
        let version = approval.version.as_deref().map(numbers);
        Reverse((approval.date.filter(|_| dated), version, number))
    });
}

#[cfg(test)]
mod tests;
