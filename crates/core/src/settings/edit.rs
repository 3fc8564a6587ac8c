//! A settings file with some settings changed.

use std::path::Path;

use toml::{Table, Value};

use super::Settings;
use super::error::{Origin, SettingsError, toml_syntax};
use super::keys::Key;
use super::layers::{Sources, unknown};

impl Settings {
    /// A settings file with these values given and these keys cleared: only what differs from the defaults. An error
    /// where the file would not hold.
    pub fn changed_file(
        path: &Path,
        text: &str,
        given: &[(String, String)],
        cleared: &[&str],
    ) -> Result<String, SettingsError> {
        let origin = Origin::File(path.to_owned());
        let mut table: Table = toml::from_str(text).map_err(|error| toml_syntax(origin, text, &error))?;
        for cleared in cleared {
            let Some(key) = Key::find(cleared) else {
                return Err(unknown(Origin::Flag((*cleared).to_owned()), cleared));
            };
            if let Some(Value::Table(section)) = table.get_mut(key.section) {
                section.remove(key.name);
            }
        }
        let settings = Self::resolve(Sources {
            user_file: Some((path.to_owned(), table.to_string())),
            environment: std::iter::empty(),
            flags: given.to_vec(),
        })?;
        Ok(settings.differences().to_string())
    }
}
