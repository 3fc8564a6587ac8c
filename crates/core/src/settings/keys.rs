//! What a setting is: its name, what is allowed in it, and how it is read.

use toml::Value;

use crate::detail::Detail;
use crate::language::Language;
use crate::messages::Message;

/// A setting, as the table declares it.
pub(super) struct Key {
    pub section: &'static str,
    pub name: &'static str,
    pub rule: Rule,
    /// What it does, in lines.
    pub about: &'static [&'static str],
    /// The seed's environment variable.
    pub short_variable: Option<&'static str>,
    /// A value, where the default is that there is none.
    pub example: Option<&'static str>,
}

pub(super) enum Rule {
    Bool,
    /// A language that has a pack.
    Language,
    Address,
    OptionalAddress,
    OptionalText,
    /// One of these words.
    OneOf(&'static [&'static str]),
    Whole(i64, i64),
    Number(f64, f64),
    /// The table of allowed models.
    Models,
}

pub(super) const SHARE: Rule = Rule::Number(0.0, 1.0);
pub(super) const PERCENT: Rule = Rule::Whole(0, 100);
pub(super) const TOKENS: Rule = Rule::Whole(16, 1_048_576);

/// A table of models as a settings file has it.
const MODELS: &str = "{ \"llama3.2\" = { context_window = 8192, max_response = 1024 } }";

impl Key {
    /// `section.name`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// `PLUMBLINE_SECTION_NAME`.
    pub fn variable(&self) -> String {
        format!("PLUMBLINE_{}_{}", self.section, self.name).to_uppercase()
    }
}

impl Rule {
    /// What is allowed, as the end of "must be …".
    pub fn allowed(&self) -> Detail {
        let shown = |number: &i64| Detail::from(number.to_string());
        match self {
            Self::Bool => one_of(["true", "false"].map(Detail::from)),
            Self::Language => {
                one_of(Language::all().map(|language| Detail::from(format!("\"{}\"", language.code()))))
            }
            Self::OneOf(words) => one_of(words.iter().map(|word| Detail::from(format!("\"{word}\"")))),
            Self::Address | Self::OptionalAddress => Message::SettingAllowedAddress.into(),
            Self::OptionalText => Message::SettingAllowedText.into(),
            Self::Whole(least, i64::MAX) => {
                Detail::of(Message::SettingAllowedWholeFrom, [("least", shown(least))])
            }
            Self::Whole(least, most) => {
                Detail::of(Message::SettingAllowedWhole, [("least", shown(least)), ("most", shown(most))])
            }
            Self::Number(least, most) => number(*least, *most),
            Self::Models => Detail::of(Message::SettingAllowedModels, [("example", MODELS.into())]),
        }
    }

    /// The value as it is kept, or nothing where it clears an optional setting.
    pub fn accept(&self, value: &Value) -> Result<Option<Value>, ()> {
        match (self, value) {
            (Self::Bool, Value::Boolean(_)) => Ok(Some(value.clone())),
            (Self::Language, Value::String(text)) if Language::all().any(|known| known.code() == text) => {
                Ok(Some(value.clone()))
            }
            (Self::OneOf(words), Value::String(text)) if words.contains(&text.as_str()) => {
                Ok(Some(value.clone()))
            }
            (Self::OptionalText | Self::OptionalAddress, Value::String(text)) if text.trim().is_empty() => {
                Ok(None)
            }
            (Self::OptionalText, Value::String(text)) => Ok(Some(Value::String(text.trim().to_owned()))),
            (Self::Address | Self::OptionalAddress, Value::String(text)) => address(text).map(Some).ok_or(()),
            (Self::Whole(least, most), Value::Integer(number)) if (least..=most).contains(&number) => {
                Ok(Some(value.clone()))
            }
            (Self::Number(least, most), Value::Float(number)) if (least..=most).contains(&number) => {
                Ok(Some(value.clone()))
            }
            (Self::Number(..), Value::Integer(number)) => self.accept(&Value::Float(*number as f64)),
            (Self::Models, Value::Table(models)) if models.iter().all(|(_, entry)| is_allowance(entry)) => {
                Ok(Some(value.clone()))
            }
            _ => Err(()),
        }
    }

    /// Reads what a variable or a flag says.
    pub fn read(&self, text: &str) -> Value {
        let text = text.trim();
        let read = match self {
            Self::Bool => match text.to_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(Value::Boolean(true)),
                "false" | "0" | "no" | "off" => Some(Value::Boolean(false)),
                _ => None,
            },
            Self::Whole(..) => text.parse().ok().map(Value::Integer),
            Self::Number(..) => text.parse().ok().map(Value::Float),
            Self::Models => toml::from_str::<toml::Table>(&format!("models = {text}"))
                .ok()
                .and_then(|mut table| table.remove("models")),
            Self::Language | Self::OneOf(_) | Self::Address | Self::OptionalAddress | Self::OptionalText => {
                None
            }
        };
        read.unwrap_or_else(|| Value::String(text.to_owned()))
    }

    /// The value as an error may show it: a password stays out of messages and logs.
    pub fn shown(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Address | Self::OptionalAddress, Value::String(text)) => match text.rsplit_once('@') {
                Some((_, host)) => format!("\"…@{host}\""),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }
}

/// A number within a range, as the end of "must be …".
pub(super) fn number(least: f64, most: f64) -> Detail {
    let values = [("least", least.to_string().into()), ("most", most.to_string().into())];
    Detail::of(Message::SettingAllowedNumber, values)
}

/// "a or b".
fn one_of(choices: impl IntoIterator<Item = Detail>) -> Detail {
    let either =
        |one: Detail, other: Detail| Detail::of(Message::SettingAllowedOr, [("one", one), ("other", other)]);
    choices.into_iter().reduce(either).unwrap_or_else(|| String::new().into())
}

fn address(text: &str) -> Option<Value> {
    let text = text.trim().trim_end_matches('/');
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
    let host = rest.split('/').next().unwrap_or_default();
    let sound =
        !host.is_empty() && !host.starts_with(':') && !rest.contains(['@', '?', '#', '"', '<', '>', '\\']);
    (sound && !rest.contains(char::is_whitespace)).then(|| Value::String(text.to_owned()))
}

fn is_allowance(entry: &Value) -> bool {
    let Value::Table(entry) = entry else {
        return entry.as_bool() == Some(false);
    };
    let size = |name| entry.get(name).and_then(Value::as_integer).unwrap_or(-1);
    let (window, response) = (size("context_window"), size("max_response"));
    entry.len() == 2 && (16..window).contains(&response) && window <= 16_777_216
}
