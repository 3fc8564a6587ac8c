//! The block of metadata between two lines of `---` at the head of a Markdown file.

use std::collections::BTreeMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle};
use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;

use super::{MetaValue, Oddity};

/// More than this is no metadata but an attack or a mistake.
const MAX_BYTES: usize = 256 * 1024;
const MAX_VALUES: usize = 2_000;
/// The name of what a reader should mend here.
const BROKEN: &str = "front_matter_broken";

/// What stands at the head of a file.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    pub values: Vec<(String, MetaValue)>,
    /// Where the text below it begins.
    pub body: usize,
    pub warning: Option<Oddity>,
}

/// Reads the front matter of a text; a text without any begins at once.
pub(super) fn read(text: &str) -> FrontMatter {
    let Some(found) = locate(text) else { return FrontMatter::default() };
    let yaml = &text[found.yaml.clone()];
    let first_line = text[..found.yaml.start].matches('\n').count();
    if !found.closed {
        let values = salvage(yaml);
        return if values.is_empty() {
            FrontMatter::default()
        } else {
            let warning = Oddity::new(BROKEN, Message::OddFrontMatterOpen);
            FrontMatter { values, body: found.body, warning: Some(warning) }
        };
    }
    match parse(yaml) {
        Ok(Some(values)) => FrontMatter { values, body: found.body, warning: None },
        // Two thematic breaks with a sentence between them are no front matter.
        Ok(None) if yaml.trim().is_empty() => {
            FrontMatter { values: Vec::new(), body: found.body, warning: None }
        }
        Ok(None) => FrontMatter::default(),
        Err(fault) => {
            let values = salvage(yaml);
            if values.is_empty() {
                return FrontMatter::default();
            }
            let line = (first_line + fault.line).to_string().into();
            let told = [("line", line), ("reason", fault.reason)];
            let warning = Oddity::new(BROKEN, Detail::of(Message::OddFrontMatterYaml, told));
            FrontMatter { values, body: found.body, warning: Some(warning) }
        }
    }
}

struct Located {
    yaml: Range<usize>,
    body: usize,
    closed: bool,
}

fn locate(text: &str) -> Option<Located> {
    let mut at = 0;
    let mut yaml_start = None;
    let mut unclosed_end = None;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let content = line.trim_end();
        match yaml_start {
            None if content.is_empty() => {}
            None if content == "---" => yaml_start = Some(end),
            None => return None,
            Some(start) if matches!(content, "---" | "...") => {
                return Some(Located { yaml: start..at, body: end, closed: true });
            }
            // Without an end, metadata goes on while the lines look like it.
            Some(_) if unclosed_end.is_none() && !looks_like_metadata(content) => unclosed_end = Some(at),
            Some(_) => {}
        }
        at = end;
    }
    let start = yaml_start?;
    let end = unclosed_end.unwrap_or(text.len());
    Some(Located { yaml: start..end, body: end, closed: false })
}

fn looks_like_metadata(line: &str) -> bool {
    key_and_value(line).is_some() || line.starts_with([' ', '\t', '#', '-']) && !line.starts_with("# ")
}

struct Fault {
    line: usize,
    reason: Detail,
}

/// A collection that is open while the events go by.
enum Level {
    /// The key that the next value belongs to.
    Mapping { prefix: String, key: Option<String> },
    /// The scalars seen so far.
    Sequence { prefix: String, items: Vec<String> },
}

/// The values of a mapping; `None` where the text is valid but no mapping. Scalars stay as they are written: nothing decides
/// that `1.0` is a number.
fn parse(yaml: &str) -> Result<Option<Vec<(String, MetaValue)>>, Fault> {
    if yaml.len() > MAX_BYTES {
        let size = format!("{} KB", MAX_BYTES / 1024).into();
        return Err(Fault { line: 1, reason: Detail::of(Message::UnreadableBytes, [("size", size)]) });
    }
    let mut values = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    // Only scalars are kept for their aliases, so that aliases of aliases cannot grow.
    let mut anchors: BTreeMap<usize, String> = BTreeMap::new();
    let mut copied = 0;
    for event in Parser::new_from_str(yaml) {
        let (event, span) = event.map_err(|error| Fault {
            line: error.marker().line(),
            reason: error.kind().to_string().into(),
        })?;
        let fault = |reason: Message| Fault { line: span.start.line(), reason: reason.into() };
        if values.len() > MAX_VALUES || levels.len() > 64 {
            return Err(fault(Message::OddYamlValues));
        }
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let plain_null = style == ScalarStyle::Plain && matches!(&*text, "~" | "null");
                let text = if plain_null { String::new() } else { text.trim_end().to_owned() };
                if anchor > 0 {
                    anchors.insert(anchor, text.clone());
                }
                if levels.is_empty() {
                    return Ok(None);
                }
                add(text, &mut levels, &mut values);
            }
            Event::Alias(anchor) => {
                let text = anchors.get(&anchor).cloned().ok_or_else(|| fault(Message::OddYamlAlias))?;
                copied += text.len();
                if copied > MAX_BYTES {
                    return Err(fault(Message::OddYamlAliases));
                }
                add(text, &mut levels, &mut values);
            }
            Event::MappingStart(..) => {
                let prefix = prefix_of_next(&mut levels);
                levels.push(Level::Mapping { prefix, key: None });
            }
            Event::SequenceStart(..) => {
                if levels.is_empty() {
                    return Ok(None);
                }
                let prefix = prefix_of_next(&mut levels);
                levels.push(Level::Sequence { prefix, items: Vec::new() });
            }
            Event::MappingEnd => drop(levels.pop()),
            Event::SequenceEnd => {
                if let Some(Level::Sequence { prefix, items }) = levels.pop() {
                    let of_mappings = values.iter().any(|(key, _): &(String, _)| {
                        key.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.starts_with('.'))
                    });
                    if !items.is_empty() || !of_mappings {
                        values.push((prefix, MetaValue::List(items)));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(Some(values).filter(|values| !values.is_empty()))
}

fn add(text: String, levels: &mut [Level], values: &mut Vec<(String, MetaValue)>) {
    match levels.last_mut() {
        Some(Level::Mapping { prefix, key }) => match key.take() {
            None => *key = Some(text),
            Some(key) => values.push((joined(prefix, &key), MetaValue::Text(text))),
        },
        Some(Level::Sequence { items, .. }) => items.push(text),
        None => {}
    }
}

fn prefix_of_next(levels: &mut [Level]) -> String {
    match levels.last_mut() {
        Some(Level::Mapping { prefix, key }) => joined(prefix, &key.take().unwrap_or_default()),
        Some(Level::Sequence { prefix, .. }) => prefix.clone(),
        None => String::new(),
    }
}

fn joined(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

/// What can be taken from lines that are no YAML together: `key: value`, and list items below a key.
fn salvage(yaml: &str) -> Vec<(String, MetaValue)> {
    let mut values: Vec<(String, MetaValue)> = Vec::new();
    for line in yaml.lines().take(MAX_VALUES) {
        if let Some((key, value)) = key_and_value(line) {
            let list = value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
            let value = match list {
                Some(items) => MetaValue::List(
                    items
                        .split(',')
                        .map(unquoted)
                        .filter(|item| !item.is_empty())
                        .map(str::to_owned)
                        .collect(),
                ),
                None => MetaValue::Text(unquoted(value).to_owned()),
            };
            values.push((key.to_owned(), value));
        } else if let Some(item) = line.trim_start().strip_prefix("- ") {
            match values.last_mut().map(|(_, value)| value) {
                Some(MetaValue::List(items)) => items.push(unquoted(item).to_owned()),
                Some(value) if *value == MetaValue::Text(String::new()) => {
                    *value = MetaValue::List(vec![unquoted(item).to_owned()]);
                }
                _ => {}
            }
        }
    }
    values
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    // `dct:title: …` has a colon in its key; the one before white space ends it.
    let end = line.char_indices().find_map(|(at, c)| {
        let rest = &line[at + c.len_utf8()..];
        (c == ':' && (rest.is_empty() || rest.starts_with([' ', '\t', '\r']))).then_some(at)
    })?;
    let key = &line[..end];
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | ' ' | '/');
    let short = key.chars().count() <= 40 && key.split(' ').count() <= 3;
    (short && key.starts_with(char::is_alphabetic) && key.chars().all(plain))
        .then(|| (key, line[end + 1..].trim()))
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}
