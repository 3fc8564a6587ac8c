//! Who owns, decided and approved a document, and the tags that it carries.

use plumbline_core::domain::Kind;

use super::approvals::Approval;
use super::facts::{Facts, is_administrative};
use super::labels::{Field, any_language};
use super::outline::Outline;
use super::placement::{Placement, add};
use super::tables;
use super::words::listed;
use super::{How, Notes};

/// The people and tags of a document.
#[derive(Debug, Default)]
pub(super) struct People {
    pub(super) owner: Option<String>,
    pub(super) deciders: Vec<String>,
    pub(super) approvers: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) access_tags: Vec<String>,
}

pub(super) fn read(
    kind: Kind,
    approvals: &[Approval],
    facts: &Facts,
    outline: &Outline,
    placement: &Placement,
    notes: &mut Notes,
) -> People {
    let names = |field: Field| {
        facts.first(field).map(|fact| {
            let names: Vec<String> = fact.values.iter().flat_map(|line| listed(&line.text)).collect();
            (names, fact.whence())
        })
    };
    let newest = approvals.first();
    let mut people = People::default();
    if let Some((newest, driver)) = newest.and_then(|newest| Some((newest, newest.driver.as_ref()?))) {
        notes.provenance("owner", driver, newest.how());
        people.owner = Some(driver.clone());
    } else if let Some(fact) = facts.first(Field::Owner).or_else(|| facts.first(Field::Driver)) {
        let owners: Vec<&str> = fact.values.iter().map(|line| line.text.as_str()).collect();
        notes.provenance("owner", &owners.join(", "), How::Recognised(fact.whence()));
        people.owner = Some(owners.join(", "));
    } else if let Some(owner) = &placement.owner {
        notes.provenance("owner", owner, How::Recognised("library.toml".to_owned()));
        people.owner = Some(owner.clone());
    }
    if let Some((deciders, whence)) = names(Field::Deciders) {
        notes.provenance("deciders", &deciders.join(", "), How::Recognised(whence));
        people.deciders = deciders;
    }
    let asked = newest.map(|newest| (newest.approvers.clone(), format!("approval `{}`", newest.heading)));
    let tabled =
        || approvers_in_tables(kind, outline).map(|approvers| (approvers, "table of verdicts".to_owned()));
    // Who approved an earlier version has not approved the newest.
    let told = approvals.iter().any(|approval| !approval.approvers.is_empty());
    let asked = asked.filter(|_| told).or_else(tabled);
    if let Some((approvers, whence)) = asked.or_else(|| names(Field::Approvers)) {
        notes.provenance("approvers", &approvers.join(", "), How::Recognised(whence));
        people.approvers = approvers;
    }
    if let Some((tags, _)) = names(Field::Tags) {
        people.tags = tags;
    }
    add(&mut people.tags, &placement.tags);
    if let Some((tags, _)) = names(Field::AccessTags) {
        people.access_tags = tags;
    }
    add(&mut people.access_tags, &placement.access_tags);
    people
}

/// The decisions on the last version: a table per version is possible, and the last one counts.
fn approvers_in_tables(kind: Kind, outline: &Outline) -> Option<Vec<String>> {
    let mut found = None;
    for section in &outline.sections {
        let approving = any_language(|words| {
            words.approvals.headings.iter().any(|part| section.name.contains(part.as_str()))
        });
        let expected = kind == Kind::Dar || is_administrative(&section.name) || approving;
        for table in section.tables().filter(|_| expected) {
            let named =
                || tables::names(table).filter(|_| Field::of(&section.name) == Some(Field::Approvers));
            found = tables::approvers(table).or_else(named).or(found);
        }
    }
    found
}

/// A version or another short value: what follows in the same cell is dropped.
pub(super) fn short(text: &str) -> String {
    if text.chars().count() <= 20 {
        text.to_owned()
    } else {
        text.split_whitespace().next().unwrap_or_default().to_owned()
    }
}
