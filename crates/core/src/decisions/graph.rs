//! Relations as a graph: each once, in one direction, with what is circular in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Relation;
use crate::domain::DocumentId;
use crate::kinds::RelationKind;

/// Whether a circle of such relations makes no sense: of two records only one can replace or rest on the other.
/// Whether two records cannot both stand so to each other. Two may well rest on each other, or each work out a part of the other.
fn is_one_way(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Supersedes | RelationKind::Amends | RelationKind::Implements)
}

/// Relations as a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    relations: Vec<Relation>,
}

impl Graph {
    /// Takes what all documents say. Of one pair that two of them tell of, or that one says twice, the first stays; a mere mention
    /// goes where anything else is said of the two.
    pub fn of(said: impl IntoIterator<Item = Relation>) -> Self {
        let mut known: BTreeMap<(DocumentId, DocumentId, RelationKind), Relation> = BTreeMap::new();
        for relation in said {
            let key = (relation.from.clone(), relation.to.clone(), relation.kind);
            // What a record says itself goes before what the other says of it.
            let own = relation.said_in == relation.from;
            match known.get(&key) {
                Some(before) if before.said_in == before.from || !own => {}
                _ => drop(known.insert(key, relation)),
            }
        }
        let typed: BTreeSet<(DocumentId, DocumentId)> = known
            .values()
            .filter(|one| one.kind != RelationKind::Mentions)
            .flat_map(|one| [(one.from.clone(), one.to.clone()), (one.to.clone(), one.from.clone())])
            .collect();
        let stays = |one: &Relation| {
            one.kind != RelationKind::Mentions || !typed.contains(&(one.from.clone(), one.to.clone()))
        };
        Self { relations: known.into_values().filter(stays).collect() }
    }

    /// Every relation, by its two records.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// What a record says of others.
    pub fn from<'g>(&'g self, id: &'g DocumentId) -> impl Iterator<Item = &'g Relation> {
        self.relations.iter().filter(move |one| one.from == *id)
    }

    /// The inverse: what is said of a record.
    pub fn to<'g>(&'g self, id: &'g DocumentId) -> impl Iterator<Item = &'g Relation> {
        self.relations.iter().filter(move |one| one.to == *id)
    }

    /// The relations of one kind that lead back to where they begin.
    pub fn circular(&self) -> Vec<&Relation> {
        let mut onward: HashMap<(RelationKind, &DocumentId), Vec<&DocumentId>> = HashMap::new();
        for one in self.relations.iter().filter(|one| is_one_way(one.kind)) {
            onward.entry((one.kind, &one.from)).or_default().push(&one.to);
        }
        let leads_back = |one: &&Relation| {
            let mut seen: BTreeSet<&DocumentId> = BTreeSet::new();
            let mut open = vec![&one.to];
            while let Some(at) = open.pop() {
                if *at == one.from {
                    return true;
                }
                if seen.insert(at) {
                    open.extend(onward.get(&(one.kind, at)).into_iter().flatten());
                }
            }
            false
        };
        self.relations.iter().filter(|one| is_one_way(one.kind)).filter(leads_back).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(from: &str, kind: RelationKind, to: &str, said_in: &str) -> Relation {
        let id = |text: &str| DocumentId::new(text).unwrap();
        Relation {
            from: id(from),
            to: id(to),
            kind,
            sentence: format!("of {said_in}"),
            said_in: id(said_in),
            line: 1,
        }
    }

    #[test]
    fn what_both_say_is_there_once_in_the_words_of_the_one_that_does_it() {
        let supersedes = RelationKind::Supersedes;
        let graph = Graph::of([relation("b", supersedes, "a", "a"), relation("b", supersedes, "a", "b")]);
        let [only] = graph.relations() else { panic!("one relation: {graph:?}") };
        assert_eq!(only.sentence, "of b");
    }

    #[test]
    fn a_mention_says_nothing_where_more_is_said() {
        let graph = Graph::of([
            relation("a", RelationKind::Mentions, "b", "a"),
            relation("b", RelationKind::DependsOn, "a", "b"),
            relation("a", RelationKind::Mentions, "c", "a"),
        ]);
        let kinds: Vec<RelationKind> = graph.relations().iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [RelationKind::Mentions, RelationKind::DependsOn]);
    }

    #[test]
    fn a_circle_is_found_whatever_its_length_and_what_may_be_mutual_makes_none() {
        let on = RelationKind::Supersedes;
        let graph = Graph::of([
            relation("a", on, "b", "a"),
            relation("b", on, "c", "b"),
            relation("c", on, "a", "c"),
            relation("c", on, "d", "c"),
            relation("d", RelationKind::Mentions, "c", "d"),
            relation("d", RelationKind::DependsOn, "e", "d"),
            relation("e", RelationKind::DependsOn, "d", "e"),
        ]);
        let circular: Vec<&str> = graph.circular().iter().map(|one| one.from.as_str()).collect();
        assert_eq!(circular, ["a", "b", "c"]);
        assert!(graph.circular().iter().all(|one| one.to.as_str() != "d"));
    }
}
