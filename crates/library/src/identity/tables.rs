//! Tables that say what a document is: labels beside values, version histories, decisions of approvers.

use plumbline_core::domain::Standing;

use super::dates;
use super::labels::{Field, any_language};
use super::plain::Line;
use super::words::{folded, is_placeholder};

type Labelled<V> = (Field, String, V);

/// Labels with the value beside them, in two or more columns; empty where the table is none of that kind.
pub(super) fn pairs(table: &[Vec<Line>]) -> Vec<Labelled<Line>> {
    if table.iter().any(|row| row.is_empty() || row.len() % 2 != 0) || is_headed(table) {
        return Vec::new();
    }
    let pairs = table.iter().flat_map(|row| row.chunks_exact(2));
    pairs
        .filter_map(|pair| {
            let field = Field::of(&pair[0].text)?;
            (!is_placeholder(&pair[1].text)).then(|| (field, pair[0].text.clone(), pair[1].clone()))
        })
        .collect()
}

/// Labels with the value below them; empty where the table has more rows than one, which are then no statement of the document's.
pub(super) fn single_row(table: &[Vec<Line>]) -> Vec<Labelled<Line>> {
    let [header, row] = table else { return Vec::new() };
    let cells = header.iter().zip(row).filter(|(_, value)| is_headed(table) && !is_placeholder(&value.text));
    cells
        .filter_map(|(label, value)| Some((Field::of(&label.text)?, label.text.clone(), value.clone())))
        .collect()
}

/// Whether the first row names columns: it holds several labels, and the next row does not begin with one.
fn is_headed(table: &[Vec<Line>]) -> bool {
    let [first, second, ..] = table else { return false };
    let label = |cell: &&Line| Field::of_column(&cell.text).is_some() && !is_status_word(&cell.text);
    first.iter().filter(label).count() >= 2 && second.first().is_none_or(|cell| !label(&cell))
}

/// "Accepted" beside "Status" is its value, though it can also be the label of a day.
fn is_status_word(cell: &str) -> bool {
    let word = folded(cell);
    !word.contains(' ') && Standing::from_status(&word) != Standing::Unknown
}

/// A table with a row per version or per decision.
pub(super) struct History<'t> {
    columns: Vec<Option<Field>>,
    header: &'t [Line],
    rows: Vec<&'t [Line]>,
}

impl<'t> History<'t> {
    /// A table with a column for versions or decisions, and one for days.
    pub(super) fn of(table: &'t [Vec<Line>]) -> Option<Self> {
        let (header, rows) = table.split_first()?;
        let columns: Vec<Option<Field>> = header.iter().map(|cell| Field::of_column(&cell.text)).collect();
        let has = |wanted: &[Field]| columns.iter().flatten().any(|field| wanted.contains(field));
        let dated = columns.iter().flatten().any(|field| field.is_date());
        let fits = dated
            && is_headed(table)
            && has(&[Field::Version, Field::Status, Field::Decision])
            && !has(&[Field::Name]);
        let filled = |row: &&'t Vec<Line>| row.iter().any(|cell| !is_placeholder(&cell.text));
        let rows: Vec<&[Line]> = rows.iter().filter(filled).map(Vec::as_slice).collect();
        (fits && !rows.is_empty()).then_some(Self { columns, header, rows })
    }

    /// What the last row says; where rows are dated, the row of the last day is the last.
    pub(super) fn latest(&self) -> Vec<Labelled<Line>> {
        let day = |row: &[Line]| {
            let dated = self.columns.iter().zip(row).filter(|(field, _)| field.is_some_and(Field::is_date));
            dated.filter_map(|(_, cell)| dates::last_in(&cell.text)).max()
        };
        let last = self.rows.iter().enumerate().max_by_key(|(at, row)| (day(row), *at));
        let Some((_, row)) = last else { return Vec::new() };
        let cells = self.columns.iter().zip(self.header).zip(row.iter());
        cells
            .filter_map(|((field, heading), cell)| {
                let field = match (*field)? {
                    // The day of the newest version is the day of the last change.
                    field if field.is_date() => Field::Updated,
                    // The author of a version does not own the document.
                    field @ (Field::Version | Field::Status) => field,
                    Field::Decision => Field::Decision,
                    _ => return None,
                };
                Some((field, heading.text.clone(), cell.clone()))
            })
            .collect()
    }
}

/// Those in a table of names and decisions whose decision is an approval; `None` for any other table.
pub(super) fn approvers(table: &[Vec<Line>]) -> Option<Vec<String>> {
    let (header, rows) = table.split_first()?;
    let column = |wanted: &dyn Fn(Field) -> bool| {
        header.iter().position(|cell| Field::of_column(&cell.text).is_some_and(wanted))
    };
    let name = column(&|field| field == Field::Name)?;
    let decision = column(&|field| matches!(field, Field::Decision | Field::Status));
    let day = column(&|field| field == Field::Decided);
    let approves = |row: &&Vec<Line>| {
        let cell = |at: usize| row.get(at).map_or("", |cell| cell.text.as_str());
        match (decision, day) {
            (Some(at), _) => is_approval(cell(at)),
            (None, Some(at)) => dates::last_in(cell(at)).is_some(),
            (None, None) => false,
        }
    };
    (decision.is_some() || day.is_some()).then(|| {
        let names = rows.iter().filter(approves).filter_map(|row| row.get(name));
        names.map(|cell| cell.text.clone()).filter(|name| !is_placeholder(name)).collect()
    })
}

/// The names in a table that has a column for them.
pub(super) fn names(table: &[Vec<Line>]) -> Option<Vec<String>> {
    let (header, rows) = table.split_first()?;
    let name = header.iter().position(|cell| Field::of_column(&cell.text) == Some(Field::Name))?;
    let names = rows.iter().filter_map(|row| row.get(name)).map(|cell| cell.text.clone());
    Some(names.filter(|name| !is_placeholder(name)).collect())
}

fn is_approval(decision: &str) -> bool {
    let first = folded(decision);
    let first = first.split([' ', ',', '.', ';']).next().unwrap_or_default();
    matches!(first, "✅" | "✓" | "✔" | "x" | "+1")
        || any_language(|words| words.approvals.approving.iter().any(|approving| approving == first))
        || decision.contains(['✅', '✓', '✔'])
        || Standing::from_status(decision) == Standing::InForce
}

/// Labels and values of a row that lost its cells: "Version 1.1 Date 2026-02-24". The row begins with a label.
pub(super) fn columns_in_text(line: &str) -> Vec<Labelled<String>> {
    let words = placed_words(line);
    // Labels as printed begin with a capital; the longest that fits is meant.
    let label_at = |at: usize| {
        (1..=3).rev().filter(|len| at + len <= words.len()).find_map(|len| {
            let end = words[at + len - 1].0 + words[at + len - 1].1.len();
            let text = &line[words[at].0..end];
            let known = Field::of(text).or_else(|| is_other_label(text).then_some(Field::Type));
            let capital = text.starts_with(char::is_uppercase) && !text.ends_with(',');
            known.filter(|_| capital).map(|field| (field, text, len))
        })
    };
    let mut found: Vec<(Field, String, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match label_at(at) {
            Some((field, text, len)) if at == 0 || !found.is_empty() => {
                let end = words[at + len - 1].0 + words[at + len - 1].1.len();
                found.push((field, text.to_owned(), words[at].0, end));
                at += len;
            }
            _ => at += 1,
        }
    }
    let ends = found.iter().skip(1).map(|next| next.2).chain([line.len()]);
    let values = found.iter().zip(ends).map(|((field, label, _, from), to)| {
        (*field, label.clone(), line[*from..to].trim_matches([' ', ':', '\t']).to_owned())
    });
    values
        .filter(|(field, label, value)| *field != Field::Type && !value.is_empty() && !is_other_label(label))
        .collect()
}

fn placed_words(line: &str) -> Vec<(usize, &str)> {
    let mut from = 0;
    let placed = line.split_whitespace().map(|word| {
        let at = from + line[from..].find(word).unwrap_or_default();
        from = at + word.len();
        (at, word)
    });
    placed.collect()
}

/// Labels whose values are of no use here, but that end the value before them.
fn is_other_label(text: &str) -> bool {
    let label = folded(text);
    any_language(|words| words.labels.other.contains(&label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::plain::{Piece, pieces};

    fn table(markdown: &str) -> Vec<Vec<Line>> {
        let Some(Piece::Table(rows)) = pieces(markdown).into_iter().next() else {
            panic!("no table: {markdown}")
        };
        rows
    }

    #[test]
    fn labels_beside_values_are_told_from_headed_columns() {
        let beside = table("| Status | Accepted |\n|---|---|\n| Date | 2024-01-02 |\n| Colour | red |");
        let found: Vec<_> = pairs(&beside).into_iter().map(|(field, _, value)| (field, value.text)).collect();
        assert_eq!(found, [(Field::Status, "Accepted".into()), (Field::Date, "2024-01-02".into())]);
        let four = table(
            "| Identifier | policy-x | Owner | Jan |\n|---|---|---|---|\n| Version | 1.4 | Date | 2026-03-10 |",
        );
        assert_eq!(pairs(&four).len(), 4, "two labels with their values per row");
        let headed = table("| Deciders | Date |\n|---|---|\n| Ann, Bob | 2024-01-02 |");
        assert!(pairs(&headed).is_empty());
        let found: Vec<_> =
            single_row(&headed).into_iter().map(|(field, _, value)| (field, value.text)).collect();
        assert_eq!(found, [(Field::Deciders, "Ann, Bob".into()), (Field::Date, "2024-01-02".into())]);
    }

    #[test]
    fn the_newest_version_counts_wherever_it_stands() {
        for rows in [
            "| 0.9 | 2023-01-01 | draft |\n| 1.0 | 2024-03-01 | final |\n| | | |",
            "| 1.0 | 2024-03-01 | final |\n| 0.9 | 2023-01-01 | draft |",
        ] {
            let history = table(&format!("| Versie | Datum | Status |\n|---|---|---|\n{rows}"));
            let latest = History::of(&history).unwrap().latest();
            let texts: Vec<_> = latest.iter().map(|(_, _, value)| value.text.as_str()).collect();
            assert_eq!(texts, ["1.0", "2024-03-01", "final"]);
        }
    }

    #[test]
    fn only_those_who_approved_are_approvers() {
        let decisions = table(
            "| Name | Role | Verdict |\n|---|---|---|\n| A | x | approved |\n| B | x | pending |\n| C | x | approved, with condition |\n| D | x | not approved |\n| E | x | abstained |",
        );
        assert_eq!(approvers(&decisions).unwrap(), ["A", "C"]);
        let dutch = table("| Naam | Oordeel |\n|---|---|\n| A | goedgekeurd |\n| B | nog niet |");
        assert_eq!(approvers(&dutch).unwrap(), ["A"]);
        assert!(
            approvers(&table("| Name | Role |\n|---|---|\n| A | x |")).is_none(),
            "a list of roles approves nothing"
        );
    }

    #[test]
    fn a_printed_row_is_cut_at_its_labels() {
        let found = columns_in_text("Version 1.1 Date 2026-02-24");
        let read: Vec<_> = found.iter().map(|(field, _, value)| (*field, value.as_str())).collect();
        assert_eq!(read, [(Field::Version, "1.1"), (Field::Date, "2026-02-24")]);
        let found = columns_in_text("Status in force Review date 2027-02-24");
        assert_eq!((found.len(), found[0].2.as_str()), (1, "in force"));
        assert!(columns_in_text("This policy has a Date").is_empty(), "a sentence is no row");
    }
}
