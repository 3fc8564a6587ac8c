//! Glyphs to lines: what stands on one baseline without a wide gap.

use super::glyphs::Glyph;

/// A piece of a line; a table's row or a line over two columns is several.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub text: String,
    pub left: f64,
    pub right: f64,
    pub baseline: f64,
    pub size: f64,
    pub bold: bool,
    /// Where each word begins: on the page, and in the text.
    pub words: Vec<(f64, usize)>,
}

impl Line {
    pub fn chars(&self) -> usize {
        self.text.chars().count()
    }

    /// Takes away what begins with a word.
    pub fn split_off(&mut self, word: usize) -> Self {
        let (left, at) = self.words[word];
        let words = self.words.split_off(word).into_iter().map(|(left, start)| (left, start - at)).collect();
        let rest = Self { text: self.text.split_off(at), left, words, ..*self };
        self.text.truncate(self.text.trim_end().len());
        self.right = self.right.min(left);
        rest
    }
}

/// Gaps as shares of the font size.
const SPACE: f64 = 0.17;
const WIDE: f64 = 1.6;

pub(super) fn of(mut glyphs: Vec<Glyph>) -> Vec<Line> {
    // Shadows and fake bold draw a glyph twice at nearly the same place.
    glyphs.dedup_by(|next, glyph| {
        next.text == glyph.text
            && (next.left - glyph.left).abs() < 0.1 * glyph.size
            && (next.baseline - glyph.baseline).abs() < 0.1 * glyph.size
    });
    glyphs.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    let (mut top, mut largest) = (0.0, 0.0);
    for glyph in glyphs {
        // Raised and lowered glyphs belong to the row of the larger ones beside them.
        let is_same = glyph.baseline - top < 0.4 * glyph.size.max(largest);
        match rows.last_mut() {
            Some(row) if is_same => {
                largest = glyph.size.max(largest);
                row.push(glyph);
            }
            _ => {
                (top, largest) = (glyph.baseline, glyph.size);
                rows.push(vec![glyph]);
            }
        }
    }
    rows.into_iter().flat_map(pieces).collect()
}

fn pieces(mut row: Vec<Glyph>) -> Vec<Line> {
    row.sort_by(|one, other| one.left.total_cmp(&other.left));
    let mut lines: Vec<Line> = Vec::new();
    let mut gathered: Vec<Glyph> = Vec::new();
    let mut right = f64::NEG_INFINITY;
    for glyph in row {
        let wide = WIDE * gathered.last().map_or(glyph.size, |last| last.size.max(glyph.size));
        let is_blank = glyph.text.trim().is_empty();
        if !is_blank && glyph.left - right > wide {
            lines.extend(line(&gathered));
            gathered.clear();
        }
        // A line ends where its letters do, whatever white space is drawn behind them.
        if !is_blank {
            right = right.max(glyph.right);
        }
        gathered.push(glyph);
    }
    lines.extend(line(&gathered));
    lines
}

fn line(glyphs: &[Glyph]) -> Option<Line> {
    let mut text = String::new();
    let mut words = Vec::new();
    let mut right = f64::NEG_INFINITY;
    let mut sizes = Vec::new();
    let mut bold = 0;
    for glyph in glyphs {
        let plain = plain(&glyph.text);
        if plain.trim().is_empty() {
            // A space that is drawn counts, however narrow.
            if !plain.is_empty() && !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            continue;
        }
        let gap = glyph.left - right;
        if gap > SPACE * glyph.size && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        if text.is_empty() || text.ends_with(' ') {
            words.push((glyph.left, text.len()));
        }
        text.push_str(&plain);
        right = right.max(glyph.right);
        sizes.push((glyph.size, glyph.baseline));
        bold += usize::from(glyph.bold);
    }
    text.truncate(text.trim_end().len());
    // A line has the size of most of its glyphs and is bold where most are.
    sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (size, baseline) = *sizes.get(sizes.len() / 2)?;
    let left = words.first().map(|(left, _)| *left)?;
    Some(Line { text, left, right, baseline, size, bold: bold * 2 > sizes.len(), words })
}

/// Ligatures spelled out and odd white space made plain; soft hyphens are kept for the next step.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬃ' => plain.push_str("ffi"),
            'ﬄ' => plain.push_str("ffl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            c if c.is_whitespace() => plain.push(' '),
            '\u{fffd}' | '\u{feff}' => {}
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}
