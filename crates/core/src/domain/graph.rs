//! Relations as a graph: each once, in one direction, with what is circular in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{DocumentId, Relation};
use crate::kinds::RelationKind;

/// Whether two records cannot both stand so to each other. Two may well rest on each other, or each work out a part of the other.
fn is_one_way(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Supersedes | RelationKind::Amends | RelationKind::Implements)
}

/// So many words at least make a sentence; what has fewer is an entry of front matter.
const SENTENCE_WORDS: usize = 3;

/// A relation on the way from one record to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached<'g> {
    /// The relation that leads there.
    pub relation: &'g Relation,
    /// The record that it leads to.
    pub record: &'g DocumentId,
    /// How many relations it takes.
    pub steps: usize,
}

/// Relations as a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    relations: Vec<Relation>,
}

impl Graph {
    /// Takes what all documents say. Of one pair that two of them tell of, or that one says twice, a sentence stays before an entry of
    /// front matter and the first before the next; a mere mention goes where anything else is said of the two.
    pub fn of(said: impl IntoIterator<Item = Relation>) -> Self {
        let mut known: BTreeMap<(DocumentId, DocumentId, RelationKind), Relation> = BTreeMap::new();
        for relation in said {
            let key = (relation.from.clone(), relation.to.clone(), relation.kind);
            match known.get(&key) {
                Some(before) if rank(before) <= rank(&relation) => {}
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

    /// The records that such relations lead to from one, against their direction or along it, each once, the nearest first.
    pub fn reached<'g>(
        &'g self,
        from: &'g DocumentId,
        kinds: &[RelationKind],
        inverse: bool,
    ) -> Vec<Reached<'g>> {
        let mut seen: BTreeSet<&DocumentId> = BTreeSet::from([from]);
        let mut found: Vec<Reached<'g>> = Vec::new();
        let mut open = vec![from];
        let mut steps = 0;
        while !open.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for at in open {
                for relation in self.relations.iter().filter(|one| kinds.contains(&one.kind)) {
                    let (near, far) =
                        if inverse { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) };
                    if near == at && seen.insert(far) {
                        found.push(Reached { relation, record: far, steps });
                        next.push(far);
                    }
                }
            }
            open = next;
        }
        found
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

/// Whether what says so is a sentence, and not an entry of front matter.
pub fn is_sentence(text: &str) -> bool {
    text.split_whitespace().count() >= SENTENCE_WORDS
}

/// What is kept of several that say the same: sentences first, and what a record says itself before what the other says of it.
fn rank(relation: &Relation) -> (bool, bool) {
    (!is_sentence(&relation.sentence), relation.said_in != relation.from)
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
