//! Tables of contents: lines that end in the number of a page.

use super::lines::Line;

/// Fewer such lines on a page are a table of something else.
const ENOUGH: usize = 6;

/// Which rows of a page belong to a table of contents.
pub(super) fn rows(rows: &[&[Line]]) -> Vec<bool> {
    let mut is_contents: Vec<bool> = rows.iter().map(|row| has_leader(row)).collect();
    let numbered: Vec<(usize, u32)> =
        rows.iter().enumerate().filter_map(|(at, row)| Some((at, last_number(row)?))).collect();
    let rises = numbered.is_sorted_by_key(|(_, number)| *number);
    if rises && numbered.len() >= ENOUGH && numbered.len() * 2 > rows.len() {
        for (at, _) in numbered {
            is_contents[at] = true;
        }
    }
    is_contents
}

/// Dots that lead to a number.
fn has_leader(row: &[Line]) -> bool {
    let text: String = row.iter().flat_map(|line| line.text.chars()).filter(|c| !c.is_whitespace()).collect();
    let bare = text.trim_end_matches(|c: char| c.is_ascii_digit());
    bare.len() < text.len() && ["....", "……", "____"].iter().any(|leader| bare.ends_with(leader))
}

/// The number behind a text; years and amounts are longer than the numbers of pages.
fn last_number(row: &[Line]) -> Option<u32> {
    let last = row.last()?.text.split_whitespace().next_back()?;
    let has_text = row.iter().any(|line| line.text.contains(char::is_alphabetic));
    last.parse().ok().filter(|_| has_text && last.len() <= 3)
}
