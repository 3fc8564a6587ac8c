//! A workspace that publishes its library.

use std::sync::Arc;

use plumbline_telemetry::{Clock, SystemClock, sha256_hex};
use plumbline_workspace::Workspace;
use serde::Serialize;

use crate::following::open;
use crate::publish::OwnVocabulary;
use crate::{Address, Keep, KeyStore, PruneReport, PublishReport, Publishing, TeamError, prune, publish};

/// Where the stores are made that are searched in place, in the workspace.
const STORES: &str = "published";

/// What was published, and what was taken away after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// What was published.
    #[serde(flatten)]
    pub report: PublishReport,
    /// What was taken away, where that was asked for.
    pub pruned: Option<PruneReport>,
}

/// How a library is to be published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What is published is read again, and sent anew where it is damaged.
    pub repair: bool,
    /// So that it can be read in place.
    pub in_place: bool,
}

/// Publishes the newest complete generation of a workspace's library, and takes away what is kept no longer where `keep` says
/// so.
pub async fn publish_library(
    workspace: &Workspace,
    keys: &Arc<KeyStore>,
    address: &Address,
    wanted: Wanted,
    keep: Option<Keep>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Published, TeamError> {
    let key = workspace.embedder().await?.key;
    let export = workspace.library(Some(key)).await?.export().await?;
    let remote = open(keys, address).await?;
    let mut vocabularies: Vec<OwnVocabulary> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for file in workspace.own_vocabulary_files()? {
        let known = names.iter().position(|name| *name == file.vocabulary);
        let vocabulary = known.unwrap_or(names.len());
        if known.is_none() {
            names.push(file.vocabulary);
        }
        vocabularies.push(OwnVocabulary { vocabulary, path: file.path });
    }
    let now = SystemClock.now();
    let Wanted { repair, in_place } = wanted;
    let place = sha256_hex(address.to_string());
    let stores = workspace.folder().join(STORES).join(&place[..16]);
    let how = Publishing { now, repair, in_place, stores: &stores, vocabularies: &vocabularies, progress };
    let report = publish(&remote, &export, &how).await?;
    let pruned = match keep {
        Some(keep) => Some(prune(&remote, keep, now).await?),
        None => None,
    };
    Ok(Published { report, pruned })
}
