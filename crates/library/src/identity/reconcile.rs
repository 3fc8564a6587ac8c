//! All documents together: ids made unique, references resolved, records compared with their approval records.

mod ids;
mod links;
mod said;

use std::cmp::Reverse;

use jiff::civil::Date;
use plumbline_core::decisions::Relation;
use plumbline_core::domain::{Collection, Document, DocumentId, Kind, Standing};
use serde::{Deserialize, Serialize};

use self::links::Finder;
use super::kind::kind_named;
use super::{Identity, RecordRef, Role, WhyUnresolved};

/// Two files that claimed one id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    /// The id that both claimed.
    pub claimed: String,
    /// The source of both.
    pub source: String,
    /// The file that has it.
    pub kept_by: String,
    /// The file that had to give way.
    pub other: String,
    /// The id that it has instead.
    pub given: DocumentId,
}

/// A record and its approval record that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The record.
    pub record: DocumentId,
    /// Its status.
    pub status: String,
    /// Its approval record.
    pub approval_record: DocumentId,
    /// What that says of the status.
    pub approval_status: String,
}

/// A reference to a record that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    /// The document that refers.
    pub document: DocumentId,
    /// What it says of the other: `superseded_by`, `approves`, or the name of a relation.
    pub relation: String,
    /// The other, as written.
    pub written: String,
    /// Why it was not found.
    pub why: WhyUnresolved,
    /// The sentence that says so; empty where it is told elsewhere.
    pub sentence: String,
}

/// A document as the catalogue keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReconciledDocument {
    /// What answers need to know.
    pub document: Document,
    /// Whether lists and searches for records show it; templates and indexes are not shown.
    pub listed: bool,
    /// What part it plays.
    pub role: Role,
    /// Its source's name.
    pub source: String,
    /// Whose document it is.
    pub tenant: String,
    /// Tags of which a reader must hold one.
    pub access_tags: Vec<String>,
    /// The day of its first version.
    pub created: Option<Date>,
    /// The record whose approval this is.
    pub approves: Option<DocumentId>,
    /// What it says of other records.
    pub relations: Vec<Relation>,
}

/// The whole library, reconciled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// In the order of the identities.
    pub documents: Vec<ReconciledDocument>,
    /// Ids that several files claimed.
    pub collisions: Vec<Collision>,
    /// Records whose approval record says otherwise.
    pub disagreements: Vec<Disagreement>,
    /// References that lead nowhere.
    pub unresolved: Vec<Unresolved>,
}

/// Reconciles ids and relations. The order of the identities makes no difference, and adding a document changes others only
/// where it claims the same id, makes its folder one of several that number alike, or is referred to.
pub fn reconcile(identities: &[Identity]) -> Reconciled {
    // The default source first, then by name; within a source by path, a folder's files before those of its subfolders.
    let mut order: Vec<usize> = (0..identities.len()).collect();
    order.sort_by_key(|at| {
        let place = &identities[*at].placement;
        (
            Reverse(place.default_source),
            &place.source,
            place.path.rsplit_once('/').unwrap_or(("", &place.path)),
        )
    });
    let (ids, collisions) = ids::assign(identities, &order);
    let mut reconciled = Reconciled { collisions, ..Reconciled::default() };
    reconciled.documents =
        identities.iter().zip(&ids).map(|(identity, id)| document(identity, id.clone())).collect();
    let finder = Finder::new(identities, &order);
    reconciled.relate(identities, &order, &finder);
    reconciled.compare_approvals(identities, &order, &finder);
    said::relate(&mut reconciled, identities, &order, &finder);
    reconciled
}

fn document(identity: &Identity, id: DocumentId) -> ReconciledDocument {
    let place = &identity.placement;
    let collection = match place.collection.as_deref() {
        // A collection that is named after a kind is that kind's, however it is spelled.
        Some(name) => kind_named(name).map_or_else(|| Collection::new(name), Collection::from),
        // Approvals live with what they approve.
        None => Collection::from(identity.numbered_kind()),
    };
    // A number is one of a kind, and the approval of a principle is no approval of the decision with its number.
    let numbered = identity.kind != Kind::Dar || identity.numbered_kind() == Kind::Adr;
    ReconciledDocument {
        document: Document {
            id,
            kind: identity.kind,
            collection,
            number: identity.number.filter(|_| numbered),
            title: identity.title.clone(),
            status: identity.status.clone(),
            approval_status: None,
            codes: identity.codes.clone(),
            source: place.origin.clone(),
            version: identity.version.clone(),
            date: identity.date,
            owner: identity.owner.clone(),
            deciders: identity.deciders.clone(),
            approvers: identity.approvers.clone(),
            tags: identity.tags.clone(),
            supersedes: Vec::new(),
            superseded_by: Vec::new(),
            language: identity.language,
            path: place.path.clone(),
        },
        listed: !matches!(identity.role, Role::Template | Role::Index),
        role: identity.role,
        source: place.source.clone(),
        tenant: place.tenant.clone(),
        access_tags: identity.access_tags.clone(),
        created: identity.created,
        approves: None,
        relations: Vec::new(),
    }
}

impl Reconciled {
    /// Resolves what records say of each other and completes it: who is superseded, is so on both sides.
    fn relate(&mut self, identities: &[Identity], order: &[usize], finder: &Finder<'_>) {
        // (successor, predecessor)
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for at in order.iter().copied().filter(|at| identities[*at].role == Role::Record) {
            let identity = &identities[at];
            for reference in &identity.supersedes {
                if let Some(other) = self.find(finder, at, reference, "supersedes") {
                    pairs.push((at, other));
                }
            }
            for reference in &identity.superseded_by {
                if let Some(other) = self.find(finder, at, reference, "superseded_by") {
                    pairs.push((other, at));
                    push(&mut self.documents, at, other, |document| &mut document.superseded_by);
                }
            }
        }
        for (successor, predecessor) in pairs {
            push(&mut self.documents, successor, predecessor, |document| &mut document.supersedes);
            // What is only proposed, or was rejected, has replaced nothing yet.
            let standing = self.documents[successor].document.standing();
            if !matches!(standing, Standing::Proposed | Standing::Rejected) {
                push(&mut self.documents, predecessor, successor, |document| &mut document.superseded_by);
            }
        }
        for reconciled in &mut self.documents {
            reconciled.document.supersedes.sort();
            reconciled.document.superseded_by.sort();
        }
    }

    /// Gives records the approvers of their approval records, and says where the two contradict each other.
    fn compare_approvals(&mut self, identities: &[Identity], order: &[usize], finder: &Finder<'_>) {
        for at in order.iter().copied().filter(|at| identities[*at].kind == Kind::Dar) {
            let approval = &identities[at];
            let named = approval.approves.as_ref().and_then(|reference| finder.find(at, reference).ok());
            let named = named.filter(|other| identities[*other].kind == approval.numbered_kind());
            let by_number = finder.record_of(at);
            // What it says it approves may be missing although a record has its number.
            let missing = approval.approves.as_ref().filter(|_| named.is_none());
            if missing.is_some() || (named.is_none() && by_number.is_none()) {
                self.unresolved.push(Unresolved {
                    document: self.documents[at].document.id.clone(),
                    relation: "approves".to_owned(),
                    written: missing.map_or_else(|| record_id(approval), |missing| missing.written.clone()),
                    why: WhyUnresolved::NoRecord,
                    sentence: String::new(),
                });
            }
            let Some(record) = named.or(by_number) else { continue };
            self.documents[at].approves = Some(self.documents[record].document.id.clone());
            let approval_record = self.documents[at].document.id.clone();
            let document = &mut self.documents[record].document;
            take_over(document, approval);
            if let (Some(status), Some(approved)) = (&document.status, &approval.approval_status)
                && contradict(Standing::from_status(status), Standing::from_status(approved))
            {
                self.disagreements.push(Disagreement {
                    record: document.id.clone(),
                    status: status.clone(),
                    approval_record,
                    approval_status: approved.clone(),
                });
                document.approval_status = Some(approved.clone());
            }
        }
    }

    fn find(
        &mut self,
        finder: &Finder<'_>,
        at: usize,
        reference: &RecordRef,
        relation: &str,
    ) -> Option<usize> {
        match finder.find(at, reference) {
            Ok(other) => (other != at).then_some(other),
            Err(why) => {
                self.unresolved.push(Unresolved {
                    document: self.documents[at].document.id.clone(),
                    relation: relation.to_owned(),
                    written: reference.written.clone(),
                    why,
                    sentence: String::new(),
                });
                None
            }
        }
    }
}

/// The id that the record of an approval record would have.
fn record_id(approval: &Identity) -> String {
    let id = approval.base_id.as_str();
    id.strip_suffix("-d").or_else(|| id.strip_suffix('d')).unwrap_or(id).to_owned()
}

/// Gives a record what its approval record says of it, the newest approval first. Its own status stays, so that a contradiction
/// can be told; where it has none, it has that of its approval.
fn take_over(document: &mut Document, approval: &Identity) {
    let ended = matches!(document.standing(), Standing::Superseded | Standing::Deprecated);
    let newest = approval.approvals.first();
    let decided = newest.and_then(|newest| newest.date);
    // What ended a record came after its approval.
    document.date = document.date.filter(|_| ended).or(decided).or(document.date).or(approval.date);
    let version = document.version.take();
    document.version = version.or_else(|| newest.and_then(|newest| newest.version.clone()));
    document.status = document.status.take().or_else(|| approval.approval_status.clone());
    let own = std::mem::take(&mut document.approvers);
    document.approvers = match newest {
        // Who approved an earlier version has not approved this one.
        Some(newest) if approval.approvals.iter().any(|one| !one.approvers.is_empty()) => {
            newest.approved_by().to_vec()
        }
        _ => {
            let more = own.into_iter().filter(|name| !approval.approvers.contains(name));
            approval.approvers.iter().cloned().chain(more).collect()
        }
    };
}

/// An approval comes before the record's end, so it does not contradict it.
fn contradict(record: Standing, approval: Standing) -> bool {
    let ended = matches!(record, Standing::Superseded | Standing::Deprecated);
    record != approval && !ended && record != Standing::Unknown && approval != Standing::Unknown
}

fn push(
    documents: &mut [ReconciledDocument],
    at: usize,
    other: usize,
    list: impl Fn(&mut Document) -> &mut Vec<DocumentId>,
) {
    let id = documents[other].document.id.clone();
    let list = list(&mut documents[at].document);
    if !list.contains(&id) {
        list.push(id);
    }
}

#[cfg(test)]
mod tests;
