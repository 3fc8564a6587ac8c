//! One line of the log.

use std::io;

use jiff::Timestamp;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::ser::Formatter;
use tracing::Level;

use super::fields::{FALLBACK_FLAGS, Fields};

/// The components that the logs know by name.
const COMPONENTS: [&str; 6] = ["router", "skosmos", "embeddings", "library", "llm", "gates"];

const OWN_KEYS: [&str; 3] = ["timestamp", "level", "component"];

pub(super) struct Line<'a> {
    timestamp: Timestamp,
    level: Level,
    component: &'a str,
    event: Value,
    request_id: Value,
    route: Value,
    fallback_flags: Value,
    others: Fields,
}

impl<'a> Line<'a> {
    pub(super) fn new(timestamp: Timestamp, event: &tracing::Event<'a>, mut fields: Fields) -> Self {
        let metadata = event.metadata();
        let name = fields.take("event").or_else(|| fields.take("message"));
        Self {
            timestamp,
            level: *metadata.level(),
            component: component(metadata.target()),
            event: name.unwrap_or_else(|| metadata.name().into()),
            request_id: fields.take("request_id").unwrap_or_default(),
            route: fields.take("route").unwrap_or_default(),
            fallback_flags: fields.take(FALLBACK_FLAGS).unwrap_or_else(|| Value::Array(Vec::new())),
            others: fields,
        }
    }

    /// The whole line with its line feed.
    pub(super) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(256);
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, EscapeControls);
        self.serialize(&mut serializer)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("request_id", &self.request_id)?;
        map.serialize_entry("timestamp", &format_args!("{:.3}", self.timestamp))?;
        map.serialize_entry("level", self.level.as_str())?;
        map.serialize_entry("component", self.component)?;
        map.serialize_entry("event", &self.event)?;
        map.serialize_entry("route", &self.route)?;
        map.serialize_entry(FALLBACK_FLAGS, &self.fallback_flags)?;
        for (name, value) in self.others.iter() {
            // A key must not occur twice, and a field must not get lost.
            if OWN_KEYS.contains(name) {
                map.serialize_entry(&format_args!("field_{name}"), value)?;
            } else {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

/// A target that is a module of ours becomes its component; any other is one as it stands.
fn component(target: &str) -> &str {
    let Some(path) = target.strip_prefix("plumbline_") else { return target };
    let known = path.rsplit("::").find(|module| COMPONENTS.contains(module));
    known.unwrap_or_else(|| match path.split("::").next() {
        Some("core") => "router",
        Some("vocabulary") => "skosmos",
        Some("models") => "llm",
        other => other.unwrap_or(path),
    })
}

/// JSON only demands escapes below U+0020. The other control characters and the line separators would still let
/// a question drive a terminal or split a line.
struct EscapeControls;

impl Formatter for EscapeControls {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut plain = 0;
        for (at, character) in fragment.char_indices() {
            if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
                writer.write_all(&fragment.as_bytes()[plain..at])?;
                write!(writer, "\\u{:04x}", u32::from(character))?;
                plain = at + character.len_utf8();
            }
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::component;

    #[test]
    fn a_target_becomes_its_component() {
        for (target, expected) in [
            ("skosmos", "skosmos"),
            ("watcher", "watcher"),
            ("plumbline_core::journey", "router"),
            ("plumbline_core::gates::coverage", "gates"),
            ("plumbline_models::embeddings", "embeddings"),
            ("plumbline_models", "llm"),
            ("plumbline_library::parse", "library"),
            ("plumbline_cli", "cli"),
            ("lance::dataset", "lance::dataset"),
        ] {
            assert_eq!(component(target), expected, "{target}");
        }
    }
}
