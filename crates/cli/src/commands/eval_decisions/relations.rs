use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_evaluation::decisions::{Found, RelationTruth, Share, is_unseen, missed, score, wrong};
use plumbline_library::Reconciled;

use super::corpora::{Corpus, corpus_of};
use crate::arguments::Global;
use crate::{Outcome, wiring};

/// Reads the relations of every corpus that the table names, and prints precision and recall by type. What went wrong is shown of
/// the half that may be looked at.
pub fn run(global: &Global, truth: &Path, root: &Path, output: Option<&Path>) -> anyhow::Result<Outcome> {
    let truth = RelationTruth::read(truth)?;
    let corpora: BTreeSet<String> = truth.iter().map(|one| corpus_of(one.said_in())).collect();
    let mut found = Vec::new();
    for name in corpora {
        let corpus = Corpus::read(root, &name)?;
        let (_, reconciled) = corpus.reconciled();
        found.extend(relations_in(&name, &reconciled));
    }
    if wiring::wrote_report(global, output, &serde_json::to_string_pretty(&found)?)? {
        return Ok(Outcome::Done);
    }
    for ((unseen, kind), score) in score(&truth, &found) {
        println!(
            "{:<7} {:<15} precision {}   recall {}",
            if unseen { "unseen" } else { "seen" },
            kind.as_str(),
            shown(score.precision),
            shown(score.recall)
        );
    }
    for (one, instead) in missed(&truth, &found).filter(|(one, _)| !is_unseen(one.said_in())) {
        let instead = instead.map_or("nothing", |found| found.kind.as_str());
        println!("missed: {}:{} read as {instead}", one.said_in(), one.line);
    }
    for one in wrong(&truth, &found).iter().filter(|one| !is_unseen(&one.said_in)) {
        println!("wrong:  {}:{} {} {} {}", one.said_in, one.line, one.kind.as_str(), one.to, one.sentence);
    }
    Ok(Outcome::Done)
}

pub(super) fn shown(share: Share) -> String {
    match share.all {
        0 => "-".to_owned(),
        all => format!("{:>3} of {all:>3} ({:.2})", share.good, share.good as f64 / all as f64),
    }
}

/// What the documents of a corpus say of one another.
pub(super) fn relations_in(corpus: &str, reconciled: &Reconciled) -> Vec<Found> {
    let paths: BTreeMap<&str, &str> = reconciled
        .documents
        .iter()
        .map(|one| (one.document.id.as_str(), one.document.path.as_str()))
        .collect();
    let path = |id: &str| format!("{corpus}/{}", paths.get(id).copied().unwrap_or_default());
    let relations = reconciled.documents.iter().flat_map(|one| &one.relations);
    relations
        .map(|one| Found {
            from: path(one.from.as_str()),
            to: path(one.to.as_str()),
            kind: one.kind,
            said_in: path(one.said_in.as_str()),
            line: one.line,
            sentence: one.sentence.clone(),
        })
        .collect()
}
