/// What a page says of a cell is held to this.
const MOST_COLUMNS: usize = 64;
const MOST_ROWS: usize = 1_000;
/// A row that is wider than this by what was left empty is no table that anybody reads, and every other row would be made as wide.
const WIDEST: usize = 256;
/// So many empty cells are made for one page at most: two words of a page can ask for millions.
pub(super) const MOST_EMPTY: usize = 100_000;

/// A table that is open. A cell that reaches over several columns or rows leaves empty ones behind, so that each stands under its
/// head. `spare` is how many of them may still be made for the page.
#[derive(Default)]
pub(super) struct Table {
    pub rows: Vec<Vec<String>>,
    pub cell: Option<String>,
    /// Columns and rows of the cell that is open.
    reach: (usize, usize),
    /// By column: how many rows to come are taken by a cell above.
    taken: Vec<usize>,
    /// Cells of the row that is open, and of the longest row, as the page has them.
    cells: usize,
    most_cells: usize,
}

impl Table {
    pub fn begin_row(&mut self, spare: &mut usize) {
        self.end_row(spare);
        self.rows.push(Vec::new());
    }

    pub fn begin_cell(&mut self, columns: Option<usize>, rows: Option<usize>) {
        self.reach = (columns.unwrap_or(1).clamp(1, MOST_COLUMNS), rows.unwrap_or(1).clamp(1, MOST_ROWS));
        self.cell = Some(String::new());
    }

    pub fn end_cell(&mut self, spare: &mut usize) {
        let Some(cell) = self.cell.take() else { return };
        if self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        let Some(row) = self.rows.last_mut() else { return };
        while let Some(left) = self.taken.get_mut(row.len()).filter(|left| **left > 0 && *spare > 0) {
            *left -= 1;
            *spare -= 1;
            row.push(String::new());
        }
        let (columns, rows) = self.reach;
        let more = (columns - 1).min(*spare).min(WIDEST.saturating_sub(row.len()));
        *spare -= more;
        let first = row.len();
        row.push(cell);
        row.extend(std::iter::repeat_n(String::new(), more));
        if rows > 1 || self.taken.len() > first {
            self.taken.resize(self.taken.len().max(row.len()), 0);
            self.taken[first..row.len()].fill(rows - 1);
        }
        self.cells += 1;
        self.most_cells = self.most_cells.max(self.cells);
    }

    /// Whether it has one column, and is there for its looks.
    pub fn is_layout(&self) -> bool {
        self.most_cells <= 1
    }

    /// What is taken behind the last cell of a row counts for that row too.
    fn end_row(&mut self, spare: &mut usize) {
        self.cells = 0;
        let Some(row) = self.rows.last_mut() else { return };
        let Some(last) = self.taken.iter().rposition(|left| *left > 0) else { return };
        let missing = (last + 1).saturating_sub(row.len()).min(*spare);
        *spare -= missing;
        for left in self.taken.iter_mut().skip(row.len()).take(missing) {
            *left = left.saturating_sub(1);
            row.push(String::new());
        }
    }
}
