//! What the package says of the document.

use std::collections::BTreeMap;

use super::package::Package;
use super::xml::{self, Step};
use crate::reading::Unreadable;

pub(super) fn read(package: &mut Package<'_>) -> Result<BTreeMap<String, String>, Unreadable> {
    let mut properties = BTreeMap::new();
    for name in ["docProps/core.xml", "docProps/app.xml"] {
        if let Some(part) = package.part(name)? {
            texts(&part, &mut properties)?;
        }
    }
    if let Some(part) = package.part("docProps/custom.xml")? {
        custom(&part, &mut properties)?;
    }
    Ok(properties)
}

fn texts(part: &[u8], properties: &mut BTreeMap<String, String>) -> Result<(), Unreadable> {
    let mut key = None;
    xml::walk(part, &mut |step| match step {
        Step::Start(element) => {
            key = match element.name {
                "title" => Some("title"),
                "creator" => Some("author"),
                "created" => Some("created"),
                "modified" => Some("modified"),
                "subject" => Some("subject"),
                "keywords" => Some("keywords"),
                "description" => Some("description"),
                "category" => Some("category"),
                "contentStatus" => Some("status"),
                "version" => Some("version"),
                "language" => Some("language"),
                "lastModifiedBy" => Some("modified_by"),
                "Company" => Some("company"),
                "Manager" => Some("manager"),
                _ => None,
            };
        }
        Step::Text(text) => {
            if let Some(key) = key.filter(|_| !text.trim().is_empty()) {
                properties.entry(key.to_owned()).or_insert_with(|| text.trim().to_owned());
            }
        }
        Step::End(_) => key = None,
    })
}

/// Properties that the author named.
fn custom(part: &[u8], properties: &mut BTreeMap<String, String>) -> Result<(), Unreadable> {
    let mut key: Option<String> = None;
    xml::walk(part, &mut |step| match step {
        Step::Start(element) if element.name == "property" => {
            key = element.attribute("name").map(|name| name.to_lowercase());
        }
        Step::Text(text) => {
            if let Some(key) = key.as_ref().filter(|_| !text.trim().is_empty()) {
                properties.entry(key.clone()).or_insert_with(|| text.trim().to_owned());
            }
        }
        Step::End("property") => key = None,
        _ => {}
    })
}
