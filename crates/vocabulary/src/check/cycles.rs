use std::collections::HashMap;

use crate::skos::SkosConcept;

/// The groups of concepts each of which is broader than itself, in the order of the files. Tarjan's algorithm, with a
/// stack of its own: a chain of broader concepts may be longer than the thread's.
pub(super) fn cycles(concepts: &[SkosConcept]) -> Vec<Vec<String>> {
    let place: HashMap<&str, usize> =
        concepts.iter().enumerate().map(|(at, concept)| (concept.uri.as_str(), at)).collect();
    let broader: Vec<Vec<usize>> = concepts
        .iter()
        .map(|concept| concept.broader.iter().filter_map(|uri| place.get(uri.as_str()).copied()).collect())
        .collect();
    let mut found: Vec<Vec<usize>> = components(&broader)
        .into_iter()
        .filter(|group| {
            group.len() > 1 || group.iter().any(|at| broader.get(*at).is_some_and(|up| up.contains(at)))
        })
        .collect();
    found.iter_mut().for_each(|group| group.sort_unstable());
    found.sort_unstable();
    let uri = |at: usize| concepts.get(at).map(|concept| concept.uri.clone());
    found.into_iter().map(|group| group.into_iter().filter_map(uri).collect()).collect()
}

#[derive(Clone, Copy, Default)]
struct Visit {
    /// When it was first met, from 1; 0 is not yet.
    met: usize,
    /// The earliest that is reachable from it.
    low: usize,
    open: bool,
}

fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut visits = vec![Visit::default(); edges.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut groups = Vec::new();
    let mut time = 0;
    for root in 0..edges.len() {
        if visits[root].met > 0 {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                time += 1;
                visits[node] = Visit { met: time, low: time, open: true };
                open.push(node);
            }
            if let Some(target) = edges[node].get(next).copied() {
                path.push((node, next + 1));
                if visits[target].met == 0 {
                    path.push((target, 0));
                } else if visits[target].open {
                    visits[node].low = visits[node].low.min(visits[target].met);
                }
                continue;
            }
            if let Some((parent, _)) = path.last() {
                visits[*parent].low = visits[*parent].low.min(visits[node].low);
            }
            if visits[node].low == visits[node].met {
                let at = open.iter().rposition(|known| *known == node).unwrap_or(0);
                let group = open.split_off(at);
                group.iter().for_each(|member| visits[*member].open = false);
                groups.push(group);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_long_chains_are_none() {
        let concept = |at: usize, broader: &[usize]| SkosConcept {
            uri: format!("u:{at}"),
            broader: broader.iter().map(|up| format!("u:{up}")).collect(),
            ..SkosConcept::default()
        };
        let mut concepts = vec![
            concept(0, &[1]),
            concept(1, &[2, 3]),
            concept(2, &[0]),
            concept(3, &[]),
            concept(4, &[4]),
            concept(5, &[3, 0]),
        ];
        concepts.extend((6..200_000).map(|at| concept(at, &[at + 1])));
        assert_eq!(cycles(&concepts), [vec!["u:0", "u:1", "u:2"], vec!["u:4"]]);
    }
}
