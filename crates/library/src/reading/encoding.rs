//! Bytes to text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{Format, Oddity, Unreadable};

/// Text and what was odd about its encoding.
pub(super) struct Decoded {
    pub text: String,
    pub warnings: Vec<Oddity>,
}

/// Decodes UTF-8 and UTF-16, and takes everything else for Windows-1252.
pub(super) fn decode(bytes: &[u8], format: Format) -> Result<Decoded, Unreadable> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let bytes = &bytes[mark..];
    let decoded = if encoding != UTF_8 {
        let (text, broken) = encoding.decode_without_bom_handling(bytes);
        let replaced = || Detail::of(Message::OddCharacters, [("encoding", encoding.name().into())]);
        let warning = broken.then(|| Oddity::new("characters_replaced", replaced()));
        Decoded { text: text.into_owned(), warnings: warning.into_iter().collect() }
    } else if let Some(encoding) = unmarked_utf16(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        Decoded {
            text: text.into_owned(),
            warnings: vec![Oddity::new("encoding_guessed", Message::OddUtf16)],
        }
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        Decoded { text: text.to_owned(), warnings: Vec::new() }
    } else {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        let doubt = Oddity::new("encoding_guessed", Message::OddWindows);
        Decoded { text: text.into_owned(), warnings: vec![doubt] }
    };
    without_control_characters(decoded, format)
}

/// Every second byte of English or Dutch text in UTF-16 is zero.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(4096)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = head.len() / 2;
    if half < 4 {
        None
    } else if odd * 10 > half * 7 && even * 10 < half {
        Some(UTF_16LE)
    } else if even * 10 > half * 7 && odd * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// A few control characters are an accident; many are no text.
fn without_control_characters(decoded: Decoded, format: Format) -> Result<Decoded, Unreadable> {
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{85}');
    let odd = decoded.text.chars().filter(|c| is_odd(*c)).count();
    if odd == 0 {
        return Ok(decoded);
    }
    if odd * 20 > decoded.text.chars().count() {
        return Err(Unreadable::wrong_format(format, Message::UnreadableIsBinary));
    }
    let note = Detail::of(Message::OddControl, [("n", odd.to_string().into())]);
    let mut warnings = decoded.warnings;
    warnings.push(Oddity::new("control_characters", note));
    let text =
        decoded.text.chars().map(|c| if is_odd(c) { char::REPLACEMENT_CHARACTER } else { c }).collect();
    Ok(Decoded { text, warnings })
}
