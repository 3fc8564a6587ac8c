//! Parts of a passage that a reader takes in at a time.

use std::ops::Range;

use super::units;
use crate::numbers::numbers;

/// The part of a text around a place in it.
pub fn window_around(text: &str, at: usize) -> Range<usize> {
    let longest = numbers().reader.window_chars;
    let before = (longest as f64 * numbers().reader.before_share) as usize;
    let start = at.saturating_sub(before).min(text.len().saturating_sub(longest));
    let start = text.ceil_char_boundary(start);
    // A window begins with a whole word.
    let start = if start == 0 { 0 } else { text[start..].find(' ').map_or(start, |gap| start + gap + 1) };
    start..text.floor_char_boundary(text.len().min(start + longest))
}

/// A text in windows of whole sentences, each of which begins half-way through the one before.
pub fn windows(text: &str) -> Vec<Range<usize>> {
    let longest = numbers().reader.window_chars;
    let ranges: Vec<Range<usize>> = units(text).into_iter().map(|unit| unit.range).collect();
    let mut windows = Vec::new();
    let mut first = 0;
    while first < ranges.len() {
        let start = ranges[first].start;
        let fitting = ranges[first..].iter().take_while(|range| range.end - start <= longest).count().max(1);
        let last = first + fitting - 1;
        // One sentence longer than a window is cut.
        windows.push(start..text.floor_char_boundary(ranges[last].end.min(start + longest)));
        if last + 1 >= ranges.len() {
            break;
        }
        first += (fitting / 2).max(1);
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_hold_all_of_a_text_and_overlap() {
        let sentence = "The gateway checks every message before it is stored. ";
        let text = sentence.repeat(60);
        let windows = windows(&text);
        assert!(windows.len() > 2);
        assert_eq!(windows[0].start, 0);
        assert!(windows.windows(2).all(|pair| pair[1].start < pair[0].end), "no gap: {windows:?}");
        assert!(windows.iter().all(|window| window.len() <= numbers().reader.window_chars));
        assert!(text[windows.last().unwrap().clone()].ends_with("stored."));
    }

    #[test]
    fn a_short_text_is_one_window() {
        let text = "Only this.";
        assert_eq!(windows(text).first(), Some(&(0..10)));
        assert_eq!((windows(text).len(), window_around(text, 5)), (1, 0..10));
    }

    #[test]
    fn a_window_holds_the_place_that_it_is_around() {
        let text = "één woord méér ".repeat(200);
        for at in [0, 900, 1500, text.len() - 16] {
            let window = window_around(&text, text.floor_char_boundary(at));
            assert!(
                window.contains(&at) && window.len() <= numbers().reader.window_chars,
                "{at}: {window:?}"
            );
        }
    }
}
