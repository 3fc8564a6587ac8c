//! Comments, found as their authors mean them: from `<!--` outside code to the next `-->`, wherever that is. CommonMark knows only
//! those that end in the same block, so the others are masked and the text is parsed again.

use std::ops::Range;

use super::outline::{MASK, Outline};

/// How often masking may uncover further comments before all of them go, even in what looks like code.
const MAX_ROUNDS: usize = 6;

#[derive(Debug)]
pub(super) struct Comment {
    pub span: Range<usize>,
    pub closed: bool,
}

#[derive(Debug)]
pub(super) struct Uncommented {
    pub comments: Vec<Comment>,
    pub outline: Outline,
}

pub(super) fn find(text: &str) -> Uncommented {
    let mut outline = Outline::of(text);
    if !text.contains("<!--") && !text.contains("{%") {
        return Uncommented { comments: Vec::new(), outline };
    }
    let mut masked = text.to_owned();
    let mut comments = Vec::new();
    for round in 0.. {
        let (found, foreign): (Vec<_>, Vec<_>) = if round < MAX_ROUNDS {
            scan(&masked, &outline).into_iter().partition(|comment| is_native(comment, &outline))
        } else {
            (Vec::new(), scan(&masked, &Outline::default()))
        };
        if foreign.is_empty() {
            comments.extend(found);
            break;
        }
        masked = mask(&masked, &foreign);
        comments.extend(foreign);
        outline = Outline::of(&masked);
    }
    comments.sort_by_key(|comment| comment.span.start);
    Uncommented { comments, outline }
}

fn is_native(comment: &Comment, outline: &Outline) -> bool {
    let at = outline.html.partition_point(|html| html.start <= comment.span.start);
    at.checked_sub(1).is_some_and(|at| comment.span.end <= outline.html[at].end)
}

fn mask(text: &str, comments: &[Comment]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for comment in comments {
        masked.push_str(&text[at..comment.span.start]);
        // Byte for byte, so that every other place stays where it is.
        masked.extend(text[comment.span.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { MASK }));
        at = comment.span.end;
    }
    masked.push_str(&text[at..]);
    masked
}

fn scan(text: &str, outline: &Outline) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, opening, kind)) = next_opening(text, at) {
        at = opening;
        let code = outline.code.partition_point(|code| code.start <= start);
        if let Some(code) = code.checked_sub(1).map(|code| &outline.code[code])
            && start < code.end
        {
            continue;
        }
        let (end, closed) = match kind.closing(text, start, opening) {
            Some(end) => (end, true),
            None => (end_of_element(text, start, outline), false),
        };
        found.push(Comment { span: start..end, closed });
        at = end;
    }
    found
}

#[derive(Clone, Copy)]
enum Kind {
    Html,
    Liquid,
}

impl Kind {
    fn closing(self, text: &str, start: usize, opening: usize) -> Option<usize> {
        match self {
            // `<!-->` is a whole comment.
            Self::Html => text[start + 2..].find("-->").map(|at| start + 2 + at + 3),
            Self::Liquid => {
                let rest = &text[opening..];
                rest.match_indices("{%").find_map(|(at, _)| {
                    liquid_tag(&rest[at..])
                        .filter(|(name, _)| *name == "endcomment")
                        .map(|(_, length)| opening + at + length)
                })
            }
        }
    }
}

/// The next place that opens a comment: where it starts, and where its inside does.
fn next_opening(text: &str, from: usize) -> Option<(usize, usize, Kind)> {
    let rest = &text[from..];
    let html = rest
        .match_indices("<!--")
        .map(|(at, _)| from + at)
        .find(|at| text[..*at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0)
        .map(|at| (at, at + 4, Kind::Html));
    let liquid =
        rest[..html.map_or(rest.len(), |(at, ..)| at - from)].match_indices("{%").find_map(|(at, _)| {
            let (name, length) = liquid_tag(&rest[at..])?;
            (name == "comment").then_some((from + at, from + at + length, Kind::Liquid))
        });
    liquid.or(html)
}

/// The name of the Liquid tag that the text begins with, and the tag's length.
fn liquid_tag(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix("{%")?;
    let end = inside
        .bytes()
        .take(40)
        .position(|byte| byte == b'%')
        .filter(|end| inside[*end..].starts_with("%}"))?;
    let name = inside[..end].trim_matches(|c: char| c == '-' || c.is_whitespace());
    Some((name, 2 + end + 2))
}

fn end_of_element(text: &str, at: usize, outline: &Outline) -> usize {
    let next = outline.elements.partition_point(|element| element.span.start <= at);
    next.checked_sub(1)
        .map(|element| outline.elements[element].span.end)
        .filter(|end| *end > at)
        .unwrap_or(text.len())
}
