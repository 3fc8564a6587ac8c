//! The little of XML that parts of a package need.

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::reading::Unreadable;

/// Deeper nesting is an attack or a mistake.
const MAX_DEPTH: usize = 2_000;

/// An element without its prefix.
pub(super) struct Element<'a> {
    pub name: &'a str,
    start: &'a BytesStart<'a>,
}

impl Element<'_> {
    /// An attribute's value by its name without a prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.start
            .attributes()
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref() == name.as_bytes())
            .map(|attribute| match attribute.unescape_value() {
                Ok(value) => value.into_owned(),
                Err(_) => String::from_utf8_lossy(&attribute.value).into_owned(),
            })
    }

    /// `w:val`.
    pub fn value(&self) -> Option<String> {
        self.attribute("val")
    }

    /// Whether a switch such as `<w:vanish/>` is on.
    pub fn is_on(&self) -> bool {
        !matches!(self.value().as_deref(), Some("0" | "false" | "off" | "none"))
    }
}

/// What a part is made of, in order.
pub(super) enum Step<'a> {
    Start(Element<'a>),
    Text(&'a str),
    End(&'a str),
}

/// Walks through a part; an empty element starts and ends.
pub(super) fn walk(part: &[u8], step: &mut dyn FnMut(Step<'_>)) -> Result<(), Unreadable> {
    let part = part.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(part);
    let mut reader = Reader::from_reader(part);
    let mut depth = 0_usize;
    loop {
        let event = reader
            .read_event()
            .map_err(|error| Unreadable::damaged(Detail::about(Message::UnreadableXml, error.to_string())))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let deep = MAX_DEPTH.to_string().into();
                    return Err(Unreadable::too_large(Detail::of(Message::UnreadableDeep, [("n", deep)])));
                }
                begin(&start, step);
            }
            Event::Empty(start) => {
                begin(&start, step);
                step(Step::End(&local(start.local_name().as_ref())));
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                step(Step::End(&local(end.local_name().as_ref())));
            }
            Event::Text(text) => match text.unescape() {
                Ok(text) => step(Step::Text(&text)),
                // An entity that nobody declared stands as it is.
                Err(_) => step(Step::Text(&String::from_utf8_lossy(&text))),
            },
            Event::CData(text) => step(Step::Text(&String::from_utf8_lossy(&text))),
            Event::Eof if depth > 0 => return Err(Unreadable::damaged(Message::UnreadableXml)),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Calls for each element of a part that may be broken: what was read until then counts.
pub(super) fn each(part: &[u8], call: &mut dyn FnMut(&Element<'_>)) {
    // A broken part beside the text is no reason to lose the text.
    let _ = walk(part, &mut |step| {
        if let Step::Start(element) = step {
            call(&element);
        }
    });
}

fn begin(start: &BytesStart<'_>, step: &mut dyn FnMut(Step<'_>)) {
    let name = local(start.local_name().as_ref());
    step(Step::Start(Element { name: &name, start }));
}

fn local(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
