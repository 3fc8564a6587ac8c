//! The table of settings as the file that a user may copy: `config/default.toml`.

use toml::Value;

use super::Settings;
use super::keys::{Key, Rule};
use super::table::{KEYS, SECTIONS};

const PREFACE: &str = "\
# Every setting with its default. A settings file of your own holds only what differs from this one.
#
# A setting is looked for, the later winning, in this file, in your settings file, in the environment
# (PLUMBLINE_<SECTION>_<KEY>, such as PLUMBLINE_RETRIEVAL_TOTAL_CHUNKS; shorter names stand beside some keys)
# and in the flags of the command line (--set retrieval.total_chunks=8).
#
# Written by `cargo xtask generate` from the table in crates/core/src/settings/table.rs.
";

impl Settings {
    /// Every setting with its default, what it does and what is allowed in it, as a settings file.
    pub fn documented() -> String {
        let defaults = Self::default().to_table();
        let mut text = PREFACE.to_owned();
        for (section, about) in SECTIONS {
            text.push('\n');
            push_comment(&mut text, about);
            text.push_str(&format!("[{section}]\n"));
            for key in KEYS.iter().filter(|key| key.section == *section) {
                push_key(&mut text, key, defaults.get(*section).and_then(|values| values.get(key.name)));
            }
        }
        text
    }
}

fn push_key(text: &mut String, key: &Key, default: Option<&Value>) {
    let variable = key.short_variable.map_or_else(String::new, |name| format!("; {name}"));
    let allowed = format!("{}{variable}", key.rule.allowed());
    if let (Rule::Models, Some(Value::Table(models))) = (&key.rule, default) {
        text.push('\n');
        push_comment(text, key.about);
        text.push_str(&format!("[{}]\n", key.path()));
        for (model, allowance) in models {
            text.push_str(&format!("{} = {allowance}\n", Value::from(model.as_str())));
        }
        return;
    }
    push_comment(text, key.about);
    let example = key.example.map(Value::from);
    match (default, example) {
        (Some(value), _) => text.push_str(&format!("{} = {value}  # {allowed}\n", key.name)),
        (None, Some(value)) => text.push_str(&format!("# {} = {value}  # {allowed}\n", key.name)),
        (None, None) => text.push_str(&format!("# {} =  # {allowed}\n", key.name)),
    }
}

fn push_comment(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(&format!("#{line}\n"));
    }
}
