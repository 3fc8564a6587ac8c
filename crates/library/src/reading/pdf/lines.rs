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
}

impl Line {
    pub fn chars(&self) -> usize {
        self.text.chars().count()
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
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    glyphs.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    for glyph in glyphs {
        match rows.last_mut() {
            Some(row) if is_same_row(row, &glyph) => row.push(glyph),
            _ => rows.push(vec![glyph]),
        }
    }
    rows.into_iter().flat_map(pieces).collect()
}

/// Raised and lowered glyphs belong to the row of the larger ones beside them.
fn is_same_row(row: &[Glyph], glyph: &Glyph) -> bool {
    let largest = row.iter().map(|glyph| glyph.size).fold(glyph.size, f64::max);
    row.first().is_some_and(|first| glyph.baseline - first.baseline < 0.4 * largest)
}

fn pieces(mut row: Vec<Glyph>) -> Vec<Line> {
    row.sort_by(|one, other| one.left.total_cmp(&other.left));
    let mut lines: Vec<Line> = Vec::new();
    let mut bold = 0_usize;
    let mut sizes: Vec<(f64, f64)> = Vec::new();
    for glyph in row {
        let blank = glyph.text.trim().is_empty();
        match lines.last_mut() {
            Some(line) if glyph.left - line.right <= WIDE * line.size.max(glyph.size) => {
                let gap = glyph.left - line.right;
                let spaced = line.text.ends_with(char::is_whitespace);
                if blank {
                    // A space that is drawn counts, however narrow; the line ends where letters do.
                    if !spaced {
                        line.text.push(' ');
                    }
                    continue;
                }
                if gap > SPACE * line.size.max(glyph.size) && !spaced {
                    line.text.push(' ');
                }
                line.text.push_str(&glyph.text);
                line.right = line.right.max(glyph.right);
                bold += usize::from(glyph.bold);
                sizes.push((glyph.size, glyph.baseline));
            }
            _ if blank => {}
            _ => {
                settle(lines.last_mut(), &mut sizes, &mut bold);
                bold = usize::from(glyph.bold);
                sizes.push((glyph.size, glyph.baseline));
                lines.push(Line {
                    text: glyph.text,
                    left: glyph.left,
                    right: glyph.right,
                    baseline: glyph.baseline,
                    size: glyph.size,
                    bold: glyph.bold,
                });
            }
        }
    }
    settle(lines.last_mut(), &mut sizes, &mut bold);
    for line in &mut lines {
        line.text = clean(&line.text);
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

/// A line has the size of most of its glyphs and is bold where most are.
fn settle(line: Option<&mut Line>, sizes: &mut Vec<(f64, f64)>, bold: &mut usize) {
    if let Some(line) = line {
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        line.bold = *bold * 2 > sizes.len();
        if let Some((size, baseline)) = sizes.get(sizes.len() / 2) {
            line.size = *size;
            line.baseline = *baseline;
        }
    }
    sizes.clear();
    *bold = 0;
}

/// Ligatures spelled out, soft hyphens kept for the next step, odd white space made plain.
fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ﬀ' => cleaned.push_str("ff"),
            'ﬁ' => cleaned.push_str("fi"),
            'ﬂ' => cleaned.push_str("fl"),
            'ﬃ' => cleaned.push_str("ffi"),
            'ﬄ' => cleaned.push_str("ffl"),
            'ﬅ' | 'ﬆ' => cleaned.push_str("st"),
            c if c.is_whitespace() => cleaned.push(' '),
            '\u{fffd}' | '\u{feff}' => {}
            c if c.is_control() => {}
            c => cleaned.push(c),
        }
    }
    cleaned.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
