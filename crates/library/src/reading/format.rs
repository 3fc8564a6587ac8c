use std::fmt;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{Format, Unreadable};

impl Format {
    /// The format that a file's name promises.
    pub fn of(name: &str) -> Option<Self> {
        match extension(name).to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "adoc" | "asciidoc" => Some(Self::AsciiDoc),
            "txt" => Some(Self::Text),
            "html" | "htm" => Some(Self::Html),
            "docx" => Some(Self::Docx),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// Whether content begins as this format must.
    pub(super) fn check(self, bytes: &[u8]) -> Result<(), Unreadable> {
        if bytes.trim_ascii().is_empty() {
            return Err(Unreadable::Empty);
        }
        let found = recognise(bytes);
        let agrees = match self {
            Self::Docx => matches!(found, Content::Zip),
            // The specification lets other bytes stand in front of a PDF's header.
            Self::Pdf => contains(&bytes[..bytes.len().min(1024)], b"%PDF-"),
            Self::Html => matches!(found, Content::HtmlPage | Content::Unknown),
            Self::Markdown | Self::AsciiDoc | Self::Text => matches!(found, Content::Unknown),
        };
        match found {
            _ if agrees => Ok(()),
            Content::EncryptedOffice if self == Self::Docx => Err(Unreadable::Encrypted),
            found => Err(match found.message() {
                Some(message) => Unreadable::wrong_format(self, message),
                // Half a download often lacks its head; there is nothing to say what it is instead.
                None => {
                    Unreadable::damaged(Detail::of(Message::UnreadableStart, [("format", self.detail())]))
                }
            }),
        }
    }

    /// Its name, as it is told in any language.
    pub(super) fn detail(self) -> Detail {
        match self {
            Self::Markdown => "Markdown".into(),
            Self::AsciiDoc => "AsciiDoc".into(),
            Self::Text => Message::UnreadablePlainText.into(),
            Self::Html => "HTML".into(),
            Self::Docx => "DOCX".into(),
            Self::Pdf => "PDF".into(),
        }
    }
}

/// As logs have it: in English.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.detail().fmt(f)
    }
}

pub(super) fn extension(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// What content is by its first bytes.
#[derive(Clone, Copy)]
enum Content {
    Pdf,
    Zip,
    EncryptedOffice,
    OldOffice,
    RichText,
    HtmlPage,
    Image,
    Unknown,
}

impl Content {
    /// What it is called, where it is known.
    const fn message(self) -> Option<Message> {
        Some(match self {
            Self::Pdf => Message::UnreadableIsPdf,
            Self::Zip => Message::UnreadableIsZip,
            Self::EncryptedOffice => Message::UnreadableIsEncrypted,
            Self::OldOffice => Message::UnreadableIsOldOffice,
            Self::RichText => Message::UnreadableIsRichText,
            Self::HtmlPage => Message::UnreadableIsHtml,
            Self::Image => Message::UnreadableIsImage,
            Self::Unknown => return None,
        })
    }
}

fn recognise(bytes: &[u8]) -> Content {
    const COMPOUND_FILE: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    let head = &bytes[..bytes.len().min(1024)];
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if text.starts_with(b"%PDF-") {
        Content::Pdf
    } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        Content::Zip
    } else if head.starts_with(COMPOUND_FILE) {
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        if contains(bytes, &name) { Content::EncryptedOffice } else { Content::OldOffice }
    } else if head.starts_with(b"{\\rtf") {
        Content::RichText
    } else if starts_with_ignoring_case(text, b"<!doctype html") || starts_with_ignoring_case(text, b"<html")
    {
        Content::HtmlPage
    } else if [&b"\x89PNG"[..], b"\xFF\xD8\xFF", b"GIF8", b"II*\0", b"MM\0*"]
        .iter()
        .any(|mark| head.starts_with(mark))
    {
        Content::Image
    } else {
        Content::Unknown
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

fn starts_with_ignoring_case(bytes: &[u8], start: &[u8]) -> bool {
    bytes.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}
