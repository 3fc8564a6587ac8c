//! Whom to ask when an answer is not sure enough.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Language;
use crate::messages::{Message, Messages};
use crate::response::RouteTarget;
use crate::settings::Owners;

/// The tag of a question that goes to the admin.
const ADMIN_TAG: &str = "system";

/// The owner of the most common tag of these documents, the first by alphabet where several are as common; the admin
/// where it has none.
pub fn route_target(
    tags_per_document: &[&[String]],
    owners: &Owners,
    overall: u8,
    language: Language,
) -> RouteTarget {
    let messages = Messages::of(language);
    let overall = overall.to_string();
    let tag = most_common(tags_per_document);
    if let Some((tag, owner)) = tag.as_deref().and_then(|tag| Some((tag, owners.owner_of(tag)?))) {
        let values = [("overall", overall.as_str()), ("tag", tag), ("name", &owner.name)];
        return RouteTarget {
            tag: tag.to_owned(),
            owner_user_id: Some(owner.id.clone()),
            owner_name: Some(owner.name.clone()),
            owner_email: Some(owner.email.clone()),
            reason: messages.text(Message::RouteOwner, &values),
            fallback: false,
        };
    }
    let admin = &owners.admin;
    let message = if tag.is_some() { Message::RouteNoOwner } else { Message::RouteNoTags };
    let values =
        [("overall", overall.as_str()), ("tag", tag.as_deref().unwrap_or_default()), ("name", &admin.name)];
    RouteTarget {
        tag: ADMIN_TAG.to_owned(),
        owner_user_id: None,
        owner_name: Some(admin.name.clone()),
        owner_email: Some(admin.email.clone()),
        reason: messages.text(message, &values),
        fallback: true,
    }
}

fn most_common(tags_per_document: &[&[String]]) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for tags in tags_per_document {
        let distinct: BTreeSet<String> =
            tags.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect();
        for tag in distinct {
            *counts.entry(tag).or_default() += 1;
        }
    }
    // Reversed, since of equal counts the last one wins.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(tag, _)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNERS: &str = r#"
        [admin]
        name = "ESA board"
        email = "esa@example.org"

        [[owner]]
        tag = "security"
        id = "security-architecture"
        name = "Sander Kuipers"
        email = "security@example.org"
    "#;

    fn target(tags: &[&[&str]], language: Language) -> RouteTarget {
        let owners = Owners::parse("owners.toml", OWNERS).unwrap();
        let tags: Vec<Vec<String>> =
            tags.iter().map(|tags| tags.iter().map(|tag| (*tag).to_owned()).collect()).collect();
        let tags: Vec<&[String]> = tags.iter().map(Vec::as_slice).collect();
        route_target(&tags, &owners, 45, language)
    }

    #[test]
    fn test_get_route_target_with_owner() {
        let found =
            target(&[&["data", "Security"], &["security"], &["data", "data"], &["security"]], Language::EN);
        assert_eq!(found.tag, "security", "three documents against two, however often one of them says it");
        assert_eq!(found.owner_user_id.as_deref(), Some("security-architecture"));
        assert_eq!(found.owner_name.as_deref(), Some("Sander Kuipers"));
        assert_eq!(found.owner_email.as_deref(), Some("security@example.org"));
        assert!(!found.fallback);
        assert_eq!(found.reason, "Low confidence: 45 of 100. Sander Kuipers answers for “security”.");
    }

    #[test]
    fn test_get_route_target_fallback() {
        let found = target(&[&["privacy"]], Language::EN);
        assert!(found.fallback && found.owner_user_id.is_none() && found.tag == "system");
        assert_eq!(found.owner_email.as_deref(), Some("esa@example.org"));
        assert!(
            found.reason.contains("“privacy”"),
            "it says for which tag nobody is listed: {}",
            found.reason
        );

        let found = target(&[&[], &[" "]], Language::NL);
        assert!(found.fallback && found.reason.contains("geen onderwerp"), "{}", found.reason);
    }

    #[test]
    fn equally_common_tags_are_decided_by_alphabet() {
        assert_eq!(target(&[&["security", "zoning"]], Language::EN).tag, "security");
        assert!(target(&[&["security", "data"]], Language::EN).reason.contains("“data”"));
    }
}
