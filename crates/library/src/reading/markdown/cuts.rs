//! What is cut out of an element: comments, tags, template lines and link definitions.

use std::ops::Range;

use super::comments::Uncommented;
use super::outline::{Element, ElementKind};
use super::tags::{self, TaggedHeading};

/// A place that is no content, and what stands there for a reader.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cut {
    pub span: Range<usize>,
    pub between: &'static str,
}

/// The cuts of one element, in order and apart from each other.
pub(super) fn of(text: &str, element: &Element, whole: &Uncommented) -> (Vec<Cut>, Vec<TaggedHeading>) {
    let span = &element.span;
    let mut cuts: Vec<Cut> = within(&whole.comments, span, |comment| &comment.span)
        .iter()
        .map(|comment| Cut { span: comment.span.clone(), between: "" })
        .collect();
    let mut headings = Vec::new();
    if element.kind != ElementKind::Code {
        let block = element.kind == ElementKind::Html;
        let mut done = span.start;
        for html in within(&whole.outline.html, span, |html| html) {
            // What lies in a script is cut with it.
            if html.end <= done {
                continue;
            }
            let tags = tags::find(text, html.start..html.end.min(span.end), span.end, block);
            done = tags.cuts.last().map_or(done, |cut| cut.span.end);
            cuts.extend(tags.cuts);
            headings.extend(tags.headings);
        }
        cuts.extend(
            within(&whole.outline.definitions, span, |found| found)
                .iter()
                .map(|found| Cut { span: found.clone(), between: "" }),
        );
        cuts.extend(template_lines(text, span, &whole.outline.code));
    }
    (merged(cuts, span), headings)
}

/// The ranges that meet a span; they are in order and do not overlap each other.
fn within<'a, T>(all: &'a [T], span: &Range<usize>, range: impl Fn(&T) -> &Range<usize>) -> &'a [T] {
    let first = all.partition_point(|item| range(item).end <= span.start);
    let last = all.partition_point(|item| range(item).start < span.end);
    &all[first..last.max(first)]
}

fn merged(mut cuts: Vec<Cut>, span: &Range<usize>) -> Vec<Cut> {
    cuts.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
    let mut merged: Vec<Cut> = Vec::with_capacity(cuts.len());
    for mut cut in cuts {
        cut.span = cut.span.start.max(span.start)..cut.span.end.min(span.end);
        match merged.last_mut() {
            Some(last) if cut.span.start < last.span.end => last.span.end = last.span.end.max(cut.span.end),
            _ => merged.push(cut),
        }
    }
    merged
}

/// Lines that are nothing but a template's tags, attributes or a place for a table of contents.
fn template_lines(text: &str, span: &Range<usize>, code: &[Range<usize>]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let line_end = text[at..span.end].find('\n').map_or(span.end, |found| at + found + 1);
        let line = &text[at..line_end];
        let content = line.trim_start_matches([' ', '\t', '>', '-', '*', '+']).trim_end();
        let start = line_end - line.trim_start_matches([' ', '\t', '>', '-', '*', '+']).len();
        let mut end = start + content.len();
        let in_code =
            code.get(code.partition_point(|code| code.end <= start)).is_some_and(|code| code.start <= start);
        if !in_code && content.starts_with("{%") && !content.contains("%}") {
            // A tag whose arguments go on over the next lines.
            end = text[start..span.end].find("%}").map_or(start, |found| start + found + 2);
            let rest = text[end..span.end].lines().next().unwrap_or_default();
            if end > start && rest.trim().is_empty() {
                cuts.push(Cut { span: start..end, between: "" });
            }
        } else if !in_code && is_template(content) {
            if content.replace(' ', "") == "{:toc}" {
                // The list above it is only there to be replaced.
                return vec![Cut { span: span.clone(), between: "" }];
            }
            cuts.push(Cut { span: start..end, between: "" });
        }
        at = line_end.max(end);
    }
    cuts
}

/// Whether a line is nothing but what a template engine replaces.
pub(super) fn is_template(line: &str) -> bool {
    const CONTENTS: [&str; 4] = ["[[_TOC_]]", "[TOC]", "[[TOC]]", "[_TOC_]"];
    if CONTENTS.iter().any(|mark| line.eq_ignore_ascii_case(mark)) {
        return true;
    }
    let mut rest = line;
    while !rest.is_empty() {
        let closing = match rest.get(..2) {
            Some("{%") => "%}",
            Some("{{") => "}}",
            Some("{:") => "}",
            _ => return false,
        };
        let Some(end) = rest[2..].find(closing) else { return false };
        rest = rest[2 + end + closing.len()..].trim_start();
    }
    !line.is_empty()
}
