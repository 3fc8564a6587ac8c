//! Raw HTML inside Markdown: tags are markup, the text between them is content.

use std::ops::Range;

use super::cuts::Cut;

/// Longer tags are no tags; looking further would cost time on texts full of open ones.
const MAX_TAG: usize = 20_000;

/// What a tag does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Inline,
    Line,
    Cell,
    Item,
    Raised,
    /// Its text is no content either.
    Dropped,
    Heading(u8),
}

/// A heading that is written with tags.
#[derive(Debug)]
pub(super) struct TaggedHeading {
    pub level: u8,
    pub span: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Tags {
    pub cuts: Vec<Cut>,
    pub headings: Vec<TaggedHeading>,
}

/// The markup in a piece of HTML. `end` is where a script that is never closed ends.
pub(super) fn find(text: &str, html: Range<usize>, end: usize, block: bool) -> Tags {
    let mut tags = Tags::default();
    let mut open_heading: Option<(u8, usize)> = None;
    let mut at = html.start;
    while let Some(start) = text[at..html.end].find('<').map(|found| at + found) {
        at = start + 1;
        let Some(tag) = Tag::at(&text[start..end.max(html.end)]) else { continue };
        let Some(effect) = tag.effect() else { continue };
        let mut cut_end = start + tag.length;
        let between = match effect {
            Effect::Dropped if tag.closing => "",
            Effect::Dropped => {
                let close = format!("</{}", tag.name.to_ascii_lowercase());
                cut_end = closing_tag(&text[cut_end..end], &close).map_or(end, |length| cut_end + length);
                if block { "\n" } else { "" }
            }
            Effect::Inline => "",
            Effect::Raised if tag.closing => "",
            Effect::Raised => "^",
            Effect::Item if tag.closing => "\n",
            Effect::Item if block => "\n- ",
            Effect::Cell if tag.closing => "",
            Effect::Cell => " | ",
            Effect::Line | Effect::Item | Effect::Heading(_) if block => "\n",
            Effect::Line | Effect::Item | Effect::Heading(_) => " ",
        };
        if let (Effect::Heading(level), true) = (effect, block) {
            if !tag.closing {
                open_heading = Some((level, cut_end));
            } else if let Some((level, begin)) = open_heading.take() {
                tags.headings.push(TaggedHeading { level, span: begin..start });
            }
        }
        tags.cuts.push(Cut { span: start..cut_end, between });
        at = cut_end;
        if at >= html.end {
            break;
        }
    }
    tags
}

/// How far it is to behind the closing tag.
fn closing_tag(text: &str, close: &str) -> Option<usize> {
    let at = text
        .as_bytes()
        .windows(close.len())
        .position(|window| window.eq_ignore_ascii_case(close.as_bytes()))?;
    Some(text[at..].find('>').map_or(text.len(), |end| at + end + 1))
}

struct Tag<'a> {
    name: &'a str,
    closing: bool,
    length: usize,
}

impl<'a> Tag<'a> {
    fn at(text: &'a str) -> Option<Self> {
        if let Some(length) = text.strip_prefix("<?").and_then(|rest| rest.find("?>")) {
            return Some(Self { name: "", closing: false, length: length + 4 });
        }
        if text.starts_with("<!") {
            return text.find('>').map(|end| Self { name: "", closing: false, length: end + 1 });
        }
        let closing = text.starts_with("</");
        let begin = if closing { 2 } else { 1 };
        let name = &text[begin..];
        let name = &name[..name.bytes().take_while(u8::is_ascii_alphanumeric).count()];
        let rest = &text[begin + name.len()..];
        if name.is_empty() || !rest.starts_with([' ', '\t', '\r', '\n', '/', '>']) {
            return None;
        }
        let mut quote = None;
        for (at, byte) in rest.bytes().take(MAX_TAG).enumerate() {
            match (quote, byte) {
                (None, b'>') => return Some(Self { name, closing, length: begin + name.len() + at + 1 }),
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
        }
        None
    }

    /// `None` for what is no element of HTML: people write `<your name>` and mean the words.
    fn effect(&self) -> Option<Effect> {
        Some(match self.name.to_ascii_lowercase().as_str() {
            "" | "a" | "abbr" | "acronym" | "audio" | "b" | "base" | "bdi" | "bdo" | "big" | "button"
            | "cite" | "code" | "colgroup" | "col" | "data" | "del" | "dfn" | "em" | "embed" | "font"
            | "i" | "iframe" | "img" | "input" | "ins" | "kbd" | "label" | "link" | "map" | "area"
            | "mark" | "meta" | "meter" | "noscript" | "object" | "output" | "param" | "picture"
            | "progress" | "q" | "rp" | "rt" | "ruby" | "s" | "samp" | "select" | "small" | "source"
            | "span" | "strike" | "strong" | "sub" | "textarea" | "time" | "track" | "tt" | "u" | "var"
            | "video" | "wbr" => Effect::Inline,
            "address" | "article" | "aside" | "blockquote" | "body" | "br" | "caption" | "center" | "dd"
            | "details" | "dialog" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure"
            | "footer" | "form" | "head" | "header" | "hgroup" | "hr" | "html" | "legend" | "main"
            | "menu" | "nav" | "ol" | "optgroup" | "option" | "p" | "pre" | "section" | "summary"
            | "table" | "tbody" | "tfoot" | "thead" | "tr" | "ul" => Effect::Line,
            "td" | "th" => Effect::Cell,
            "li" => Effect::Item,
            "sup" => Effect::Raised,
            "script" | "style" | "template" | "svg" | "canvas" | "math" | "title" => Effect::Dropped,
            name => match name.strip_prefix('h').and_then(|level| level.parse().ok()) {
                Some(level @ 1..=6) => Effect::Heading(level),
                _ => return None,
            },
        })
    }
}
