//! Markdown: CommonMark with tables, footnotes and task lists. The text stays as it is; blocks point into it, and what is no
//! content lies in none of them.

use std::collections::BTreeMap;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::encoding::{Decoded, decode};
use super::writer::too_much_text;
use super::{Format, Oddity, ReadDocument, Unreadable, front_matter};

mod comments;
mod cuts;
mod leftovers;
mod outline;
mod pieces;
mod tags;

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let Decoded { text, mut warnings } = decode(bytes, Format::Markdown)?;
    if text.chars().count() > max_chars {
        return Err(too_much_text(max_chars));
    }
    let front_matter = front_matter::read(&text);
    warnings.extend(front_matter.warning);

    let body = &text[front_matter.body..];
    let uncommented = comments::find(body);
    let line_of = |at: usize| text[..front_matter.body + at].matches('\n').count() + 1;
    if let Some(comment) = uncommented.comments.iter().find(|comment| !comment.closed) {
        let line = line_of(comment.span.start).to_string().into();
        warnings.push(Oddity::new("comment_open", Detail::of(Message::OddComment, [("line", line)])));
    }
    let mut blocks = leftovers::drop(pieces::blocks(body, &uncommented), body);
    for block in &mut blocks {
        block.span = block.span.start + front_matter.body..block.span.end + front_matter.body;
    }
    if blocks.is_empty() && !front_matter.values.is_empty() {
        warnings.push(Oddity::new("front_matter_only", Message::OddNoBody));
    }
    Ok(ReadDocument {
        format: Format::Markdown,
        text,
        front_matter: front_matter.values,
        blocks,
        properties: BTreeMap::new(),
        warnings,
    })
}
