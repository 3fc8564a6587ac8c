//! Pieces on common baselines as rows of a table.

use super::lines::Line;

/// How far a piece may stand from where its column begins.
const ALIGNED: f64 = 6.0;
/// A word that begins this close to a column begins the column.
const EXACT: f64 = 1.0;

#[derive(Debug)]
pub(super) struct Table {
    /// Where the columns begin.
    columns: Vec<f64>,
    pub rows: Vec<Vec<String>>,
    baseline: f64,
    /// How far the second row is below the first.
    distance: Option<f64>,
}

impl Table {
    pub fn new(row: &[Line]) -> Self {
        let mut table = Self { columns: Vec::new(), rows: Vec::new(), baseline: 0.0, distance: None };
        table.add(row);
        table
    }

    /// A row, or more of the last one: where nothing stands in the first column, or much closer than rows are.
    pub fn add(&mut self, row: &[Line]) {
        let Some(first) = row.first() else { return };
        let row = if row.len() < self.columns.len() { self.parted(row) } else { row.to_vec() };
        if row.len() > self.columns.len() {
            self.columns = row.iter().map(|line| line.left).collect();
        }
        let distance = first.baseline - self.baseline;
        let is_close =
            self.distance.is_some_and(|usual| distance < 0.8 * usual && distance < 1.35 * first.size);
        let goes_on = !self.rows.is_empty() && (self.column(first) > 0 || is_close);
        if !goes_on {
            if self.rows.len() == 1 {
                self.distance = Some(distance);
            }
            self.rows.push(vec![String::new(); self.columns.len()]);
        }
        self.baseline = first.baseline;
        for line in &row {
            self.put(line);
        }
    }

    /// Takes a line that stands alone for more of a cell, if it stands below one.
    pub fn take_wrapped(&mut self, line: &Line, is_close: bool) -> bool {
        let column = self.column(line);
        let aligned = self.columns.get(column).is_some_and(|left| (line.left - left).abs() < ALIGNED);
        // Below the first column, text at a distance is a paragraph after the table.
        let taken = aligned && (column > 0 || is_close);
        if taken {
            self.baseline = line.baseline;
            self.put(line);
        }
        taken
    }

    /// Cells so close to each other that they look like words of one, cut where columns begin.
    fn parted(&self, row: &[Line]) -> Vec<Line> {
        let mut parted: Vec<Line> = row.to_vec();
        let mut at = 0;
        while let Some(line) = parted.get_mut(at) {
            let begins = |left: f64| self.columns.iter().any(|column| (column - left).abs() < EXACT);
            let word = line.words.iter().skip(1).position(|(left, _)| begins(*left));
            if let Some(word) = word {
                let rest = line.split_off(word + 1);
                parted.insert(at + 1, rest);
            }
            at += 1;
        }
        parted
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
