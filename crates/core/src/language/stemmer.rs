//! Stemmers by the name that a pack gives.

use rust_stemmers::{Algorithm, Stemmer};

const KNOWN: [(&str, Algorithm); 18] = [
    ("arabic", Algorithm::Arabic),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    ("english", Algorithm::English),
    ("finnish", Algorithm::Finnish),
    ("french", Algorithm::French),
    ("german", Algorithm::German),
    ("greek", Algorithm::Greek),
    ("hungarian", Algorithm::Hungarian),
    ("italian", Algorithm::Italian),
    ("norwegian", Algorithm::Norwegian),
    ("portuguese", Algorithm::Portuguese),
    ("romanian", Algorithm::Romanian),
    ("russian", Algorithm::Russian),
    ("spanish", Algorithm::Spanish),
    ("swedish", Algorithm::Swedish),
    ("tamil", Algorithm::Tamil),
    ("turkish", Algorithm::Turkish),
];

/// The stemmer of this name, or what is wrong with the name.
pub(super) fn stemmer(name: &str) -> Result<Stemmer, String> {
    let known = KNOWN.iter().find(|(known, _)| *known == name);
    known.map(|(_, algorithm)| Stemmer::create(*algorithm)).ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        format!("no stemmer is called `{name}`; there are {}", names.join(", "))
    })
}
