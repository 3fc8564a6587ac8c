//! What the crates of others must keep to (`deny.toml` is the list), and that each of ours uses what it asks for.
//!
//! The same as `cargo deny check bans licenses sources` and `cargo machete`, which take longer to compile on a new machine
//! than everything they look at takes to check.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, Package};
use regex::Regex;
use serde::Deserialize;
use spdx::{Expression, ParseMode};

use crate::architecture::{root, rust_files};

/// Every package that any feature on any platform asks for.
fn everything() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .other_options(["--locked".to_owned()])
        .exec()
        .unwrap()
}

fn of_others(metadata: &Metadata) -> impl Iterator<Item = &Package> {
    metadata.packages.iter().filter(|package| package.source.is_some())
}

#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

fn allowed_licenses() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    toml::from_str::<Rules>(&text).unwrap().licenses.allow
}

fn satisfies(license: &str, allowed: &BTreeSet<String>) -> bool {
    // Lax, because older crates write MIT/Apache-2.0.
    let expression = Expression::parse_mode(license, ParseMode::LAX).unwrap();
    expression.evaluate(|requirement| allowed.contains(&requirement.to_string()))
}

#[test]
fn every_dependency_has_a_licence_that_may_be_used() {
    let allowed = allowed_licenses();
    let metadata = everything();
    assert!(of_others(&metadata).count() > 500, "the whole graph is looked at");
    for package in of_others(&metadata) {
        let license = package.license.as_deref().unwrap_or_default();
        assert!(
            satisfies(license, &allowed),
            "{} is under `{license}`: may that be used? Then it belongs into deny.toml",
            package.id
        );
    }
}

#[test]
fn a_licence_is_read_as_an_expression() {
    let allowed = BTreeSet::from(["MIT", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned));
    for fine in ["MIT", "MIT OR GPL-3.0-only", "GPL-2.0/MIT", "Apache-2.0 WITH LLVM-exception"] {
        assert!(satisfies(fine, &allowed), "{fine} can be kept by keeping to the list");
    }
    for forbidden in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "Apache-2.0"] {
        assert!(!satisfies(forbidden, &allowed), "{forbidden} asks for more than the list has");
    }
}

#[test]
fn dependencies_come_from_the_registry_or_this_repository() {
    for package in everything().packages {
        match package.source {
            Some(source) => assert!(source.is_crates_io(), "{} comes from elsewhere", package.id),
            None => assert!(
                package.manifest_path.starts_with(root().to_str().unwrap()),
                "{} lies outside of the repository",
                package.id
            ),
        }
    }
}

#[test]
fn members_say_which_version_they_want() {
    let metadata = everything();
    for package in metadata.workspace_packages() {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            assert_ne!(dependency.req.to_string(), "*", "{} in {}", dependency.name, package.name);
        }
    }
}

#[test]
fn members_use_what_they_depend_on() {
    let metadata = everything();
    for package in metadata.workspace_packages() {
        let folder = package.manifest_path.parent().unwrap();
        let sources = sources(folder.as_std_path());
        let ignored = package.metadata.pointer("/cargo-machete/ignored");
        let ignored: BTreeSet<&str> = ignored
            .and_then(|names| names.as_array())
            .into_iter()
            .flatten()
            .filter_map(|n| n.as_str())
            .collect();
        for dependency in &package.dependencies {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
            let is_used = uses(&name);
            assert!(
                ignored.contains(dependency.name.as_str())
                    || sources.iter().any(|text| is_used.is_match(text)),
                "{} depends on {} and does not use it",
                package.name,
                dependency.name
            );
        }
    }
}

/// The name of a crate where code can name one: before `::`, or whole in a `use`.
fn uses(name: &str) -> Regex {
    Regex::new(&format!(r"\b{name}::|\buse (?:::)?{name}\b|\bextern crate {name}\b")).unwrap()
}

fn sources(folder: &Path) -> Vec<String> {
    let files = rust_files(folder);
    assert!(!files.is_empty(), "there is no code in {}", folder.display());
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn a_crate_is_used_by_its_name_and_not_by_a_longer_one() {
    for used in ["use serde::Serialize;", "use serde;", "    serde::de::Error", "#[derive(serde::Serialize)]"]
    {
        assert!(uses("serde").is_match(used), "{used}");
    }
    for unused in ["use serde_json::Value;", "my_serde::de", "// serde is not used", "serde_json::from_str"] {
        assert!(!uses("serde").is_match(unused), "{unused}");
    }
}
