//! The fields of a span or event as JSON values.

use std::error::Error;
use std::fmt::{self, Write};

use serde_json::Value;
use tracing::field::{Field, Visit};

/// Longer texts are cut here.
pub(super) const MAX_CHARACTERS: usize = 2_000;

pub(super) const FALLBACK_FLAGS: &str = "fallback_flags";

/// Passages, secrets and what a model reads or writes stay out of the logs, whatever the settings.
const NEVER_WRITTEN: [&str; 5] = ["passage", "token", "authorization", "prompt", "answer"];

/// Fields in the order of their first appearance.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    pub(super) fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Adds `other`'s fields, which win.
    pub(super) fn extend(&mut self, other: &Fields) {
        for (name, value) in &other.0 {
            self.set(name, value.clone());
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let position = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.remove(position).1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(&'static str, Value)> {
        self.0.iter()
    }

    fn record(&mut self, field: &Field, value: impl FnOnce() -> Value) {
        let name = field.name().trim_start_matches("r#");
        let last_part = name.rsplit('.').next().unwrap_or(name);
        if NEVER_WRITTEN.iter().any(|never| last_part.eq_ignore_ascii_case(never)) {
            return;
        }
        let value = value();
        self.set(name, if name == FALLBACK_FLAGS { as_flags(value) } else { value });
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.record(field, || value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.record(field, || value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record(field, || value.into());
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.record(field, || i64::try_from(value).map_or_else(|_| value.to_string().into(), Value::from));
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.record(field, || u64::try_from(value).map_or_else(|_| value.to_string().into(), Value::from));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.record(field, || value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        // The flags are JSON until they are parsed, and cutting would break them.
        self.record(field, || if field.name() == FALLBACK_FLAGS { value.into() } else { cut(value).into() });
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.record(field, || shown(format_args!("{value}")));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record(field, || shown(format_args!("{value:?}")));
    }
}

/// The flags arrive as JSON text, because a span's field cannot hold a list.
fn as_flags(value: Value) -> Value {
    let text = match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    match serde_json::from_str::<Vec<String>>(&text) {
        Ok(flags) => flags.iter().map(|flag| cut(flag)).collect::<Vec<_>>().into(),
        Err(_) => vec![cut(&text)].into(),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn shown(value: fmt::Arguments<'_>) -> Value {
    let mut text = Limited { text: String::new(), left: MAX_CHARACTERS };
    match text.write_fmt(value) {
        Ok(()) => text.text.into(),
        Err(_) => format!("{}…", text.text).into(),
    }
}

/// Stops the formatting of a large value at the limit, instead of cutting its text afterwards.
struct Limited {
    text: String,
    left: usize,
}

impl Write for Limited {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for character in part.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
    }
}
