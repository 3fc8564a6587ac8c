//! The dependency rules of the house, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn members(metadata: &Metadata) -> BTreeMap<String, &Package> {
    metadata.packages.iter().map(|package| (package.name.to_string(), package)).collect()
}

fn dependencies(package: &Package, development: bool) -> BTreeSet<String> {
    let wanted = |kind: DependencyKind| match kind {
        DependencyKind::Development => development,
        _ => !development,
    };
    package.dependencies.iter().filter(|d| wanted(d.kind)).map(|d| d.name.clone()).collect()
}

const TELEMETRY: &str = "plumbline-telemetry";
const CORE: &str = "plumbline-core";
const BERT: &str = "plumbline-bert";
const WORKSPACE: &str = "plumbline-workspace";
const HOST: &str = "plumbline-host";
const STORAGE: &str = "plumbline-storage";
const TEAM: &str = "plumbline-team";
const MCP: &str = "plumbline-mcp";
const LIBRARIES: [&str; 5] = [
    "plumbline-library",
    "plumbline-vocabulary",
    "plumbline-models",
    "plumbline-evaluation",
    "plumbline-contract",
];

/// Which members a member may build on.
fn allowed(member: &str) -> BTreeSet<&'static str> {
    let mut allowed = BTreeSet::new();
    match member {
        TELEMETRY | BERT | STORAGE | "xtask" => {}
        CORE => {
            allowed.insert(TELEMETRY);
        }
        "plumbline-library"
        | "plumbline-vocabulary"
        | "plumbline-evaluation"
        | "plumbline-contract"
        | "plumbline-testkit" => allowed.extend([CORE, TELEMETRY]),
        "plumbline-models" => allowed.extend([CORE, TELEMETRY, BERT]),
        WORKSPACE => {
            allowed.extend([CORE, TELEMETRY, "plumbline-library", "plumbline-vocabulary", "plumbline-models"])
        }
        TEAM => {
            allowed.extend([CORE, TELEMETRY, STORAGE, WORKSPACE, "plumbline-library", "plumbline-models"])
        }
        MCP => allowed.extend([CORE, WORKSPACE, "plumbline-library"]),
        "plumbline-cli" => {
            allowed.extend([CORE, TELEMETRY, WORKSPACE, MCP, TEAM].into_iter().chain(LIBRARIES))
        }
        HOST => allowed.extend([CORE, TELEMETRY, WORKSPACE, TEAM].into_iter().chain(LIBRARIES)),
        "plumbline-desktop" => {
            allowed.extend([CORE, TELEMETRY, WORKSPACE, TEAM, HOST].into_iter().chain(LIBRARIES))
        }
        "plumbline-tests" => {}
        unknown => {
            panic!("`{unknown}` is a member that the rules do not know: add it to the graph here")
        }
    }
    allowed
}

#[test]
fn members_build_only_on_what_the_graph_allows() {
    let metadata = metadata();
    let members = members(&metadata);
    for (name, package) in &members {
        let inside: BTreeSet<String> = dependencies(package, false)
            .into_iter()
            .filter(|dependency| members.contains_key(dependency))
            .collect();
        let allowed = allowed(name);
        for dependency in inside {
            assert!(allowed.contains(dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn nothing_depends_on_the_binaries_and_only_tests_on_the_testkit() {
    for package in &metadata().packages {
        let normal = dependencies(package, false);
        for binary in ["plumbline-cli", "plumbline-desktop", "plumbline-testkit", "xtask"] {
            assert!(!normal.contains(binary), "{} must not depend on {binary}", package.name);
        }
    }
}

#[test]
fn types_of_the_outside_stay_behind_their_crate() {
    let rules: [(&str, &[&str]); 11] = [
        ("lancedb", &["plumbline-library"]),
        ("lance", &["plumbline-library"]),
        ("object_store", &["plumbline-library"]),
        ("arrow", &["plumbline-library"]),
        ("tantivy", &["plumbline-library"]),
        ("reqwest", &["plumbline-models", "plumbline-vocabulary"]),
        ("keyring", &["plumbline-models"]),
        ("opendal", &[STORAGE]),
        ("rmcp", &[MCP]),
        ("tauri", &["plumbline-desktop"]),
        ("prometheus", &[TELEMETRY]),
    ];
    for package in &metadata().packages {
        for dependency in dependencies(package, false) {
            for (prefix, homes) in rules {
                let is_one = dependency == prefix || dependency.starts_with(&format!("{prefix}-"));
                assert!(
                    !is_one || homes.contains(&package.name.as_str()),
                    "{dependency} belongs behind {homes:?}, not in {}",
                    package.name
                );
            }
        }
    }
}

#[test]
fn packages_are_named_after_their_folders_and_keep_the_house_lints() {
    for package in &metadata().packages {
        let folder = package.manifest_path.parent().unwrap();
        let expected = match folder.file_name().unwrap() {
            "src-tauri" => "plumbline-desktop".to_owned(),
            "xtask" => "xtask".to_owned(),
            name => format!("plumbline-{name}"),
        };
        assert_eq!(package.name.as_str(), expected, "in {folder}");
        let manifest = std::fs::read_to_string(&package.manifest_path).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{} must take the workspace's lints",
            package.name
        );
    }
}

#[test]
fn core_reads_neither_clock_nor_chance_nor_the_world() {
    let forbidden = [
        "SystemTime::now",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
        "rand::",
        "std::env::var",
        "std::fs::",
        "std::net::",
    ];
    for file in rust_files(&root().join("crates/core/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for call in forbidden {
            assert!(!text.contains(call), "{} uses {call}: take it through a port", file.display());
        }
    }
}

#[test]
fn files_stay_small_enough_to_read() {
    for folder in ["crates", "xtask/src", "src-tauri/src", "tests"] {
        for file in rust_files(&root().join(folder)) {
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= 600, "{} has {lines} lines: is it one room, or several?", file.display());
        }
    }
}

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
