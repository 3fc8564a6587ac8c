//! Who answers for which topic tag: `owners.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::{Origin, SettingsError, toml_syntax};
use crate::messages::Message;

const BUILT_IN: &str = include_str!("../../../../config/owners.toml");

/// Somebody who can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Name of the person or team.
    pub name: String,
    /// Where to write.
    pub email: String,
}

/// Who answers for a topic tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owner {
    /// The tag.
    pub tag: String,
    /// The owner's id.
    pub id: String,
    /// The owner's name.
    pub name: String,
    /// Where to write.
    pub email: String,
}

/// Who answers for which tag, and who for all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Owners {
    /// Whom to ask where a tag has no owner.
    pub admin: Contact,
    by_tag: BTreeMap<String, Owner>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    admin: Contact,
    #[serde(default)]
    owner: Vec<Owner>,
}

impl Owners {
    /// Reads an owners file.
    pub fn parse(name: &str, text: &str) -> Result<Self, SettingsError> {
        let origin = Origin::File(PathBuf::from(name));
        let file: File = toml::from_str(text).map_err(|error| toml_syntax(origin.clone(), text, &error))?;
        check_email(&origin, "admin.email", &file.admin.email)?;
        let mut by_tag = BTreeMap::new();
        for owner in file.owner {
            check_email(&origin, &format!("owner `{}`, email", owner.tag), &owner.email)?;
            let tag = folded(&owner.tag);
            let value = format!("\"{}\"", owner.tag);
            let wrong = |allowed: Message| SettingsError::Value {
                origin: origin.clone(),
                key: "owner.tag".to_owned(),
                value: value.as_str().into(),
                allowed: allowed.into(),
            };
            if tag.is_empty() {
                return Err(wrong(Message::SettingAllowedTag));
            }
            if by_tag.insert(tag, owner).is_some() {
                return Err(wrong(Message::SettingAllowedOwnTag));
            }
        }
        Ok(Self { admin: file.admin, by_tag })
    }

    /// Who answers for a tag, if anybody does.
    pub fn owner_of(&self, tag: &str) -> Option<&Owner> {
        self.by_tag.get(&folded(tag))
    }
}

impl Default for Owners {
    /// The built-in file: an admin and no owners; a test holds that it parses.
    fn default() -> Self {
        Self::parse("owners.toml", BUILT_IN).unwrap_or_else(|_| Self {
            admin: Contact {
                name: "Architecture office".to_owned(),
                email: "architecture@example.org".to_owned(),
            },
            by_tag: BTreeMap::new(),
        })
    }
}

fn folded(tag: &str) -> String {
    tag.trim().to_lowercase()
}

fn check_email(origin: &Origin, key: &str, email: &str) -> Result<(), SettingsError> {
    let sound = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
        && !email.contains(char::is_whitespace);
    if sound {
        return Ok(());
    }
    Err(SettingsError::Value {
        origin: origin.clone(),
        key: key.to_owned(),
        value: format!("\"{email}\"").into(),
        allowed: Message::SettingAllowedEmail.into(),
    })
}
