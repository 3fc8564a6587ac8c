//! HTML: what a reader of the page sees, as Markdown. Only the tokenizer is used, with a stack of our own, so that neither depth nor
//! broken nesting costs more than the length of the page.

use std::cell::RefCell;
use std::collections::BTreeMap;

use encoding_rs::Encoding;
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use super::encoding::{Decoded, decode};
use super::writer::too_much_text;
use super::{Format, ReadDocument, Unreadable};
use page::Page;

mod page;
mod table;

pub(super) fn read(bytes: &[u8], max_chars: usize) -> Result<ReadDocument, Unreadable> {
    let Decoded { text: source, warnings } = decode_page(bytes)?;
    let has_main = has_tag(&source, "<main");
    let sink = Sink { page: RefCell::new(Page::new(max_chars, has_main)) };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(&source));
    // A script or a declared encoding interrupts the tokenizer; it goes on where it stopped.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let page = tokenizer.sink.page.into_inner();
    if page.is_full() {
        return Err(too_much_text(max_chars));
    }
    let properties: BTreeMap<String, String> = page.properties.clone();
    let (text, blocks) = page.finish()?;
    Ok(ReadDocument { format: Format::Html, text, front_matter: Vec::new(), blocks, properties, warnings })
}

/// A page without a byte order mark may name its encoding in its head.
fn decode_page(bytes: &[u8]) -> Result<Decoded, Unreadable> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    let declared = head
        .find("charset=")
        .map(|at| head[at + 8..].trim_start_matches(['"', '\'']))
        .and_then(|rest| rest.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next())
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .filter(|encoding| encoding.is_ascii_compatible());
    match declared {
        Some(encoding) if Encoding::for_bom(bytes).is_none() && std::str::from_utf8(bytes).is_err() => {
            let (text, _) = encoding.decode_without_bom_handling(bytes);
            decode(text.as_bytes(), Format::Html)
        }
        _ => decode(bytes, Format::Html),
    }
}

fn has_tag(source: &str, tag: &str) -> bool {
    source.as_bytes().windows(tag.len()).any(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}

struct Sink {
    page: RefCell<Page>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.page.borrow_mut();
        match token {
            Token::CharacterTokens(text) => page.text(&text),
            Token::TagToken(tag) => {
                let name: &str = &tag.name;
                match tag.kind {
                    TagKind::EndTag => page.end(name),
                    TagKind::StartTag => {
                        page.start(name, is_hidden(&tag), &|wanted| attribute(&tag, wanted));
                        return match name {
                            "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
                                TokenSinkResult::RawData(RawKind::Rawtext)
                            }
                            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                            _ => TokenSinkResult::Continue,
                        };
                    }
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs
        .iter()
        .find(|attribute| &*attribute.name.local == name)
        .map(|attribute| attribute.value.to_string())
}

fn is_hidden(tag: &Tag) -> bool {
    tag.attrs.iter().any(|attribute| {
        let value = attribute.value.to_ascii_lowercase();
        match &*attribute.name.local {
            "hidden" => true,
            "aria-hidden" => value == "true",
            "role" => matches!(value.as_str(), "navigation" | "banner" | "search" | "contentinfo"),
            "style" => {
                let style: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                style.contains("display:none") || style.contains("visibility:hidden")
            }
            _ => false,
        }
    })
}
