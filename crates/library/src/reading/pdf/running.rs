//! Running headers, footers and page numbers: lines at the edge of a page that other pages repeat. Left and right pages may have
//! their own, so less than half of the pages is enough.

use std::collections::BTreeMap;

use super::lines::Line;

/// How many lines from the top and the bottom may repeat.
const EDGE: usize = 3;

pub(super) fn drop_repeated(pages: &mut [Vec<Line>]) {
    if pages.len() < 2 {
        return;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages.iter() {
        let mut keys: Vec<String> = edges(page).into_iter().map(|at| key(&page[at])).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            *seen.entry(key).or_default() += 1;
        }
    }
    let with_text = pages.iter().filter(|page| !page.is_empty()).count();
    let enough = (with_text * 2).div_ceil(5).max(2);
    for page in pages.iter_mut() {
        let dropped: Vec<usize> = edges(page)
            .into_iter()
            .filter(|at| seen.get(&key(&page[*at])).is_some_and(|times| *times >= enough))
            .collect();
        let mut at = 0;
        page.retain(|_| {
            at += 1;
            !dropped.contains(&(at - 1))
        });
    }
}

/// The lines nearest to the top and to the bottom, whatever order they are read in.
fn edges(page: &[Line]) -> Vec<usize> {
    let mut by_height: Vec<usize> = (0..page.len()).collect();
    by_height.sort_by(|one, other| page[*one].baseline.total_cmp(&page[*other].baseline));
    let bottom = by_height.len().saturating_sub(EDGE).max(EDGE.min(by_height.len()));
    let mut edges: Vec<usize> = by_height.iter().take(EDGE).chain(&by_height[bottom..]).copied().collect();
    edges.sort_unstable();
    edges
}

/// Page numbers differ from page to page; the rest of the line and its height do not.
fn key(line: &Line) -> String {
    let mut text = String::new();
    for c in line.text.chars() {
        if !c.is_ascii_digit() {
            text.push(c);
        } else if !text.ends_with('#') {
            text.push('#');
        }
    }
    format!("{text}@{}", (line.baseline / 4.0).round())
}
