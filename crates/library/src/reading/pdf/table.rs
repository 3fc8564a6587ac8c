//! Pieces on common baselines as rows of a table.

use super::lines::Line;

/// How far a piece may stand from where its column begins.
const ALIGNED: f64 = 6.0;

#[derive(Debug)]
pub(super) struct Table {
    /// Where the columns begin.
    columns: Vec<f64>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(row: &[Line]) -> Self {
        let mut table = Self { columns: Vec::new(), rows: Vec::new() };
        table.add(row);
        table
    }

    /// A row, or more of the last one where nothing stands in the first column.
    pub fn add(&mut self, row: &[Line]) {
        if row.len() > self.columns.len() {
            self.columns = row.iter().map(|line| line.left).collect();
        }
        let goes_on = row.first().is_some_and(|first| self.column(first) > 0) && !self.rows.is_empty();
        if !goes_on {
            self.rows.push(vec![String::new(); self.columns.len()]);
        }
        for line in row {
            self.put(line);
        }
    }

    /// Takes a line that stands alone for more of a cell, if it stands below one.
    pub fn take_wrapped(&mut self, line: &Line, is_close: bool) -> bool {
        let column = self.column(line);
        let aligned = (line.left - self.columns[column]).abs() < ALIGNED;
        // Below the first column, text at a distance is a paragraph after the table.
        let taken = aligned && (column > 0 || is_close);
        if taken {
            self.put(line);
        }
        taken
    }

    fn column(&self, line: &Line) -> usize {
        self.columns.iter().rposition(|left| *left <= line.left + ALIGNED).unwrap_or(0)
    }

    fn put(&mut self, line: &Line) {
        let column = self.column(line);
        let Some(row) = self.rows.last_mut() else { return };
        row.resize(row.len().max(column + 1), String::new());
        if !row[column].is_empty() {
            row[column].push(' ');
        }
        row[column].push_str(&line.text);
    }
}
