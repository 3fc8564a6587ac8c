//! What records say of one another, resolved: each pair once in a document, by the strongest of its sentences.

use std::collections::BTreeMap;

use plumbline_core::decisions::{Relation, RelationKind, is_sentence};
use plumbline_core::domain::Kind;

use super::links::Finder;
use super::{Reconciled, Unresolved};
use crate::identity::{Identity, SaidRelation};
use crate::reading::Format;

/// Gives every document what it says of others. A name that leads nowhere is told, unless it may well be of something else.
pub(super) fn relate(
    reconciled: &mut Reconciled,
    identities: &[Identity],
    order: &[usize],
    finder: &Finder<'_>,
) {
    for at in order.iter().copied() {
        let mut strongest: BTreeMap<(usize, bool), &SaidRelation> = BTreeMap::new();
        for said in &identities[at].relations {
            match finder.find(at, &said.record) {
                Ok(other) if other == at => {}
                Ok(other) if identities[other].kind == Kind::Dar => {}
                Ok(other) => {
                    let known = strongest.entry((other, said.by_other)).or_insert(said);
                    if rank(said) < rank(known) {
                        *known = said;
                    }
                }
                Err(why) => {
                    let document = reconciled.documents[at].document.id.clone();
                    let written = said.record.written.clone();
                    let known = |one: &Unresolved| one.document == document && one.written == written;
                    if is_of_the_library(said) && !reconciled.unresolved.iter().any(known) {
                        let relation = said.kind.as_str().to_owned();
                        let sentence = said.sentence.clone();
                        reconciled.unresolved.push(Unresolved { document, relation, written, why, sentence });
                    }
                }
            }
        }
        let typed = |other: usize, found: &BTreeMap<(usize, bool), &SaidRelation>| {
            let stronger = |by_other| {
                found.get(&(other, by_other)).is_some_and(|said| said.kind != RelationKind::Mentions)
            };
            stronger(false) || stronger(true)
        };
        let own = reconciled.documents[at].document.id.clone();
        let mut relations = Vec::new();
        for ((other, by_other), said) in &strongest {
            if said.kind == RelationKind::Mentions && typed(*other, &strongest) {
                continue;
            }
            let target = &reconciled.documents[*other].document;
            // What carries out a decision rests on it: only a rule is carried out.
            let kind = match said.kind {
                RelationKind::Implements if !by_other && target.kind == Kind::Adr => RelationKind::DependsOn,
                kind => kind,
            };
            let (from, to) = if *by_other { (&target.id, &own) } else { (&own, &target.id) };
            relations.push(Relation {
                from: from.clone(),
                to: to.clone(),
                kind,
                sentence: said.sentence.clone(),
                said_in: own.clone(),
                line: said.line,
            });
        }
        reconciled.documents[at].relations = relations;
    }
}

/// The strongest kind first; of several of a kind, sentences before entries of front matter.
fn rank(said: &SaidRelation) -> (usize, bool) {
    let kind = RelationKind::ALL.iter().position(|one| *one == said.kind).unwrap_or(usize::MAX);
    (kind, !is_sentence(&said.sentence))
}

/// Whether a name can only be meant for a document of this library: a record by its number, or a file beside this one. A relation
/// of records says so too, but a link to the web may lead to others'.
fn is_of_the_library(said: &SaidRelation) -> bool {
    let record = &said.record;
    let file =
        record.path.as_deref().is_some_and(|path| record.address.is_none() && Format::of(path).is_some());
    let numbered = record.kind.is_some() && record.number.is_some() && record.address.is_none();
    file || numbered
}
