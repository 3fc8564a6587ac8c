//! The order in which a page's lines are read: columns one after the other, rows of a table from left to right.

use super::lines::Line;

/// A column's lines are sentences, a table's cells are words.
const PROSE_CHARS: usize = 22;

pub(super) fn in_reading_order(lines: Vec<Line>) -> Vec<Line> {
    let mut ordered = Vec::with_capacity(lines.len());
    for band in bands(lines) {
        match gutter(&band) {
            Some(at) => {
                let (left, right): (Vec<Line>, Vec<Line>) = band.into_iter().partition(|line| line.left < at);
                ordered.extend(rows(left));
                // Three columns are two, and two again.
                ordered.extend(in_reading_order(right));
            }
            None => ordered.extend(rows(band)),
        }
    }
    ordered
}

/// Runs of lines that either all keep clear of a common gutter or do not: a heading over both columns parts what is above it
/// from what is below.
fn bands(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let Some(at) = gutter(&lines) else { return vec![lines] };
    let mut bands: Vec<(bool, Vec<Line>)> = Vec::new();
    for line in lines {
        let crosses = line.left < at && line.right > at;
        match bands.last_mut() {
            Some((crossing, band)) if *crossing == crosses => band.push(line),
            _ => bands.push((crosses, vec![line])),
        }
    }
    bands.into_iter().map(|(_, band)| band).collect()
}

/// Where a page falls apart into two columns of prose.
fn gutter(lines: &[Line]) -> Option<f64> {
    let left = lines.iter().map(|line| line.left).fold(f64::INFINITY, f64::min);
    let right = lines.iter().map(|line| line.right).fold(0.0, f64::max);
    let mut starts: Vec<f64> = lines.iter().map(|line| line.left).collect();
    starts.sort_by(f64::total_cmp);
    starts.dedup_by(|next, start| *next - *start < 3.0);
    starts
        .into_iter()
        .filter(|at| *at > left + (right - left) * 0.2 && *at < left + (right - left) * 0.8)
        .find(|at| {
            let at = at - 2.0;
            let beside: Vec<&Line> = lines.iter().filter(|line| line.left >= at).collect();
            let before: Vec<&Line> = lines.iter().filter(|line| line.right <= at).collect();
            let crossing = lines.len() - beside.len() - before.len();
            let is_prose = |side: &[&Line]| {
                side.len() >= 5
                    && side.iter().map(|line| line.chars()).sum::<usize>() / side.len() >= PROSE_CHARS
            };
            // Beside there may be more columns, so only this one must be filled.
            crossing * 4 <= lines.len() && is_prose(&beside) && is_prose(&before) && is_filled(&before)
        })
        .map(|at| at - 2.0)
}

/// Whether most lines reach close to the column's right edge, as running text does.
fn is_filled(side: &[&Line]) -> bool {
    let left = side.iter().map(|line| line.left).fold(f64::INFINITY, f64::min);
    let right = side.iter().map(|line| line.right).fold(0.0, f64::max);
    let full = side.iter().filter(|line| line.right - left > (right - left) * 0.6).count();
    full * 2 >= side.len()
}

/// From top to bottom, and on one baseline from left to right.
fn rows(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row)
                if row.first().is_some_and(|first| line.baseline - first.baseline < 0.4 * first.size) =>
            {
                row.push(line)
            }
            _ => rows.push(vec![line]),
        }
    }
    rows.into_iter()
        .flat_map(|mut row| {
            row.sort_by(|one, other| one.left.total_cmp(&other.left));
            row
        })
        .collect()
}
