//! Modules that use each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Graph, Module, shown};

/// Modules of which each uses every other, by way of the others or at once.
pub struct Cycle {
    pub members: BTreeSet<Module>,
    /// The shortest way from the first of them back to itself.
    way: Vec<Module>,
}

impl Cycle {
    pub fn shown(&self) -> String {
        let way: Vec<String> = self.way.iter().map(shown).collect();
        let members: Vec<String> = self.members.iter().map(shown).collect();
        format!("{} (of {{{}}})", way.join(" -> "), members.join(", "))
    }
}

/// The largest such groups; graphs are small, so everything that can be reached is looked at from everywhere.
pub fn of(graph: &Graph) -> Vec<Cycle> {
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        graph.keys().map(|module| (module, reachable(graph, module))).collect();
    let reaches = |from: &Module, to: &Module| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut seen: BTreeSet<Module> = BTreeSet::new();
    let mut cycles = Vec::new();
    for module in graph.keys().filter(|module| reaches(module, module)) {
        if seen.contains(module) {
            continue;
        }
        let mutual = graph.keys().filter(|other| reaches(module, other) && reaches(other, module));
        let members: BTreeSet<Module> = mutual.cloned().collect();
        seen.extend(members.iter().cloned());
        cycles.push(Cycle { way: way_back(graph, module), members });
    }
    cycles
}

fn reachable(graph: &Graph, from: &Module) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
}

fn way_back(graph: &Graph, start: &Module) -> Vec<Module> {
    let mut ways = VecDeque::from([vec![start.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let next = way.last().and_then(|module| graph.get(module)).into_iter().flatten();
        for module in next {
            let longer = [way.as_slice(), std::slice::from_ref(module)].concat();
            if module == start {
                return longer;
            }
            if seen.insert(module.clone()) {
                ways.push_back(longer);
            }
        }
    }
    vec![start.clone()]
}

#[cfg(test)]
mod tests {
    use super::super::Graph;
    use super::of;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(vec![(*from).to_owned()]).or_default().insert(vec![(*to).to_owned()]);
        }
        graph
    }

    #[test]
    fn a_cycle_is_named_by_its_shortest_way_and_all_its_members() {
        let cycles = of(&graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("b", "a"), ("c", "d"), ("e", "a")]));
        let shown: Vec<String> = cycles.iter().map(super::Cycle::shown).collect();
        assert_eq!(shown, ["a -> b -> a (of {a, b, c})"]);
    }

    #[test]
    fn groups_that_do_not_reach_back_are_cycles_of_their_own() {
        let edges = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")];
        assert_eq!(of(&graph(&edges)).len(), 2);
        assert!(of(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    }
}
