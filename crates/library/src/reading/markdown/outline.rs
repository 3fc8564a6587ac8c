//! What the Markdown parser says of a text: its top-level elements, and where code and HTML lie in it.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Stands for what was taken out before the text was parsed; decoding leaves no such character in a text.
pub(super) const MASK: char = '\u{1}';

#[derive(Debug, Default)]
pub(super) struct Outline {
    pub elements: Vec<Element>,
    /// Code spans and code blocks.
    pub code: Vec<Range<usize>>,
    /// HTML blocks and inline tags.
    pub html: Vec<Range<usize>>,
    /// Definitions of link targets.
    pub definitions: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct Element {
    pub kind: ElementKind,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ElementKind {
    Heading { level: u8, text: String },
    Paragraph,
    List,
    Table,
    Code,
    Quote,
    Html,
}

impl Outline {
    pub fn of(text: &str) -> Self {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_STRIKETHROUGH;
        let events = Parser::new_ext(text, options).into_offset_iter();
        let mut definitions: Vec<_> =
            events.reference_definitions().iter().map(|(_, found)| found.span.clone()).collect();
        definitions.sort_by_key(|span| span.start);
        let mut outline = Self { definitions, ..Self::default() };
        let mut depth = 0_usize;
        let mut heading: Option<String> = None;
        for (event, span) in events {
            if let (Some(text), true) = (&mut heading, depth > 0) {
                match &event {
                    Event::Text(part) | Event::Code(part) => text.push_str(part),
                    Event::SoftBreak | Event::HardBreak => text.push(' '),
                    _ => {}
                }
            }
            match event {
                Event::Start(tag) => {
                    match tag {
                        Tag::CodeBlock(_) => outline.code.push(span.clone()),
                        Tag::HtmlBlock => outline.html.push(span.clone()),
                        _ => {}
                    }
                    if depth == 0 {
                        heading = matches!(tag, Tag::Heading { .. }).then(String::new);
                        outline.elements.extend(kind(&tag).map(|kind| Element { kind, span }));
                    }
                    depth += 1;
                }
                Event::End(end) => {
                    depth = depth.saturating_sub(1);
                    if let (0, TagEnd::Heading(_), Some(text), Some(element)) =
                        (depth, end, heading.take_if(|_| depth == 0), outline.elements.last_mut())
                        && let ElementKind::Heading { text: plain, .. } = &mut element.kind
                    {
                        *plain = without_attributes(&text);
                    }
                }
                Event::Code(_) => outline.code.push(span),
                Event::InlineHtml(_) => outline.html.push(span),
                _ => {}
            }
        }
        outline
    }
}

fn kind(tag: &Tag<'_>) -> Option<ElementKind> {
    Some(match tag {
        Tag::Paragraph | Tag::FootnoteDefinition(_) => ElementKind::Paragraph,
        Tag::Heading { level, .. } => ElementKind::Heading { level: *level as u8, text: String::new() },
        Tag::BlockQuote(_) => ElementKind::Quote,
        Tag::CodeBlock(_) => ElementKind::Code,
        Tag::HtmlBlock => ElementKind::Html,
        Tag::List(_) => ElementKind::List,
        Tag::Table(_) => ElementKind::Table,
        _ => return None,
    })
}

/// A heading without the mask and without kramdown's `{#anchor .class}`; other braces are text.
fn without_attributes(heading: &str) -> String {
    let text: String = heading.chars().filter(|c| *c != MASK).collect();
    let text = text.trim();
    let bare = text
        .strip_suffix('}')
        .and_then(|rest| rest.rsplit_once('{'))
        .filter(|(_, inner)| inner.trim_start_matches([':', ' ']).starts_with(['#', '.']))
        .map_or(text, |(before, _)| before);
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}
