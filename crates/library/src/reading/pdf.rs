//! PDF: glyphs where they stand on the page, put together to words, lines, paragraphs and headings.

use std::collections::BTreeMap;

use hayro_interpret::InterpreterCache;
use hayro_interpret::hayro_syntax::metadata::Metadata;
use hayro_interpret::hayro_syntax::object::DateTime;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::writer::MarkdownWriter;
use super::{Format, Oddity, ReadDocument, Unreadable};

mod columns;
mod contents;
mod dehyphenation;
mod glyphs;
mod lines;
mod paragraphs;
mod running;
mod table;

/// A page with more glyphs than this is a drawing or an attack.
const MAX_GLYPHS_PER_PAGE: usize = 500_000;

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Unreadable::Encrypted,
        LoadPdfError::Decryption(_) => Unreadable::damaged(Message::UnreadableEncryption),
        LoadPdfError::Invalid => Unreadable::damaged(Message::UnreadableCut),
    })?;
    let mut pages = Vec::new();
    let mut chars = 0;
    let fonts = InterpreterCache::new();
    for page in pdf.pages().iter() {
        let glyphs = glyphs::of_page(&pdf, page, &fonts, MAX_GLYPHS_PER_PAGE);
        chars += glyphs.len();
        if chars > max_chars {
            return Err(super::writer::too_much_text(max_chars));
        }
        pages.push(columns::in_reading_order(lines::of(glyphs)));
    }
    if pages.is_empty() {
        return Err(Unreadable::damaged(Message::UnreadableNoPages));
    }
    if chars == 0 {
        return Err(Unreadable::NoText { pages: pages.len() });
    }
    let warnings = pages_without_text(&pages).into_iter().collect();
    running::drop_repeated(&mut pages);
    let mut writer = MarkdownWriter::new(2 * max_chars);
    paragraphs::write(&pages, &mut writer);
    let (text, blocks) = writer.finish()?;
    if blocks.is_empty() {
        return Err(Unreadable::NoText { pages: pages.len() });
    }
    let properties = properties(pdf.metadata());
    Ok(ReadDocument { format: Format::Pdf, text, front_matter: Vec::new(), blocks, properties, warnings })
}

fn pages_without_text(pages: &[Vec<lines::Line>]) -> Option<Oddity> {
    let empty: Vec<String> =
        (1..).zip(pages).filter(|(_, lines)| lines.is_empty()).map(|(page, _)| page.to_string()).collect();
    let text = || Detail::of(Message::OddPages, [("pages", empty.join(", ").into())]);
    (!empty.is_empty()).then(|| Oddity::new("pages_without_text", text()))
}

fn properties(metadata: &Metadata) -> BTreeMap<String, String> {
    let texts = [
        ("title", &metadata.title),
        ("author", &metadata.author),
        ("subject", &metadata.subject),
        ("keywords", &metadata.keywords),
    ];
    let dates = [("created", &metadata.creation_date), ("modified", &metadata.modification_date)];
    let texts = texts.into_iter().filter_map(|(key, value)| {
        let text = metadata_text(value.as_deref()?);
        (!text.is_empty()).then(|| (key.to_owned(), text))
    });
    let dates = dates.into_iter().filter_map(|(key, value)| Some((key.to_owned(), iso(value.as_ref()?))));
    texts.chain(dates).collect()
}

/// UTF-16 or UTF-8 with a mark, otherwise an encoding close to Latin-1.
fn metadata_text(bytes: &[u8]) -> String {
    let (encoding, mark) = encoding_rs::Encoding::for_bom(bytes).unwrap_or((encoding_rs::WINDOWS_1252, 0));
    encoding
        .decode_without_bom_handling(&bytes[mark..])
        .0
        .trim_matches(|c: char| c.is_control() || c.is_whitespace())
        .to_owned()
}

fn iso(date: &DateTime) -> String {
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        date.year, date.month, date.day, date.hour, date.minute, date.second
    )
}
