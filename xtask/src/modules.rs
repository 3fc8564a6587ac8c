//! `cargo xtask modules`: which module of a crate uses which. The test holds the graph free of cycles.
//!
//! An edge is a path, in a `use` or in the middle of code, from one module to another that is neither above nor below it. What a
//! module's children use, it uses too: two neighbours whose children use each other are a cycle. Tests are left out.

mod cycles;
mod paths;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result};

use crate::workspace::Workspace;
use paths::used_by;
use source::tokens;

/// The crates whose modules are held to it, by the folder of their sources.
const CRATES: [(&str, &str); 3] =
    [("core", "crates/core/src"), ("host", "crates/host/src"), ("xtask", "xtask/src")];

/// A module by the names that lead to it from its crate's root, which itself has none.
type Module = Vec<String>;

/// Who uses whom.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

pub fn modules(workspace: &Workspace) -> Result<ExitCode> {
    for (name, folder) in CRATES {
        let graph = graph(&workspace.root.join(folder))?;
        let edges = || graph.iter().flat_map(|(from, used)| used.iter().map(move |to| (from, to)));
        println!("{name}");
        for (from, to) in edges() {
            println!("  {} -> {}", shown(from), shown(to));
        }
        for cycle in cycles::of(&between_neighbours(&graph)) {
            println!("  cycle: {}", cycle.shown());
            let inside = |(from, to): &(&Module, &Module)| {
                let (from, to) = neighbours(from, to);
                cycle.members.contains(from) && cycle.members.contains(to)
            };
            for (from, to) in edges().filter(inside) {
                println!("    {} -> {}", shown(from), shown(to));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn graph(folder: &Path) -> Result<Graph> {
    let files = files(folder).with_context(|| format!("could not read {}", folder.display()))?;
    let mut sources = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).with_context(|| format!("could not read {}", file.display()))?;
        sources.insert(module_of(file.strip_prefix(folder)?), tokens(&text));
    }
    let known: BTreeSet<Module> = sources.keys().cloned().collect();
    let edges = |(module, tokens): (&Module, &Vec<String>)| {
        let mut used = used_by(module, tokens, &known);
        used.retain(|other| !other.starts_with(module) && !module.starts_with(other));
        (module.clone(), used)
    };
    Ok(sources.iter().map(edges).filter(|(_, used)| !used.is_empty()).collect())
}

/// The graph of each module's children, of which one uses another where anything in it does.
fn between_neighbours(graph: &Graph) -> Graph {
    let mut between = Graph::new();
    for (from, used) in graph {
        for to in used {
            let (from, to) = neighbours(from, to);
            between.entry(from.to_vec()).or_default().insert(to.to_vec());
        }
    }
    between
}

/// The modules above two, or they themselves, that have the same parent.
fn neighbours<'m>(from: &'m [String], to: &'m [String]) -> (&'m [String], &'m [String]) {
    let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
    (&from[..=shared], &to[..=shared])
}

/// Every source file but those of tests, which are modules of their own beside what they test.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if stem == "tests" || stem.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

fn module_of(file: &Path) -> Module {
    let file = file.with_extension("");
    let names = file.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "lib" && name != "main").collect()
}

fn shown(module: &Module) -> String {
    if module.is_empty() { "crate".to_owned() } else { module.join("::") }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{CRATES, Graph, Module, between_neighbours, cycles, graph, module_of};

    #[test]
    fn no_module_uses_one_that_uses_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for (name, folder) in CRATES {
            let cycles = cycles::of(&between_neighbours(&graph(&root.join(folder)).unwrap()));
            let named: Vec<String> = cycles.iter().map(|cycle| cycle.shown()).collect();
            assert!(named.is_empty(), "modules of {name} use each other: {}", named.join("; "));
        }
    }

    #[test]
    fn neighbours_whose_children_use_each_other_are_a_cycle() {
        let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
        let edges = [("a::x", "b"), ("b::y", "a::z"), ("a::x", "a::z")];
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(module(from)).or_default().insert(module(to));
        }
        let cycles = cycles::of(&between_neighbours(&graph));
        assert_eq!(cycles.iter().map(cycles::Cycle::shown).collect::<Vec<_>>(), ["a -> b -> a (of {a, b})"]);
    }

    #[test]
    fn a_file_is_the_module_that_its_path_says() {
        let module = |file: &str| -> Module { module_of(Path::new(file)) };
        assert_eq!(module("lib.rs"), Module::new());
        assert_eq!(module("answer.rs"), ["answer"]);
        assert_eq!(module("answer/stream.rs"), ["answer", "stream"]);
    }
}
