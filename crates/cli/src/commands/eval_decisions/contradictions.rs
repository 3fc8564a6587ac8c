use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use plumbline_core::decisions::{Graph, Meaning, Opposition, Told, oppositions, oppositions_in_any_words};
use plumbline_core::domain::Kind;
use plumbline_evaluation::decisions::{Compatible, Finding, Planted, alarms, found, is_unseen};
use plumbline_telemetry::{Clock, SystemClock};
use plumbline_workspace::built_in_meaning;

use super::corpora::{Corpus, corpus_of};
use crate::arguments::Global;
use crate::{Outcome, wiring};

/// The document that holds the compatible statements of a corpus: a statement opposes none of its own document.
const BESIDE: &str = "statements-beside-the-corpus.md";

/// Looks for contradictions in copies with planted ones, beside compatible statements, and in the corpora as they are.
pub fn run(
    global: &Global,
    tables: &Path,
    root: &Path,
    by_words: bool,
    output: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let planted = Planted::read(&tables.join("planted.jsonl"))?;
    let compatible = Compatible::read(&tables.join("compatible.jsonl"))?;
    let files = planted.iter().map(|one| &one.file).chain(compatible.iter().map(|one| &one.file));
    let corpora: BTreeSet<String> = files.map(|file| corpus_of(file)).collect();
    let meaning = if by_words { None } else { built_in_meaning() };
    if meaning.is_none() {
        wiring::remark(global, "by their words alone: there is no reader");
    }
    let meaning = meaning.as_ref().map(|meaning| meaning as &dyn Meaning);
    let today = SystemClock.now().to_zoned(TimeZone::UTC).date();
    let (mut in_copies, mut as_they_are) = (Vec::new(), BTreeMap::new());
    for name in corpora {
        let mut corpus = Corpus::read(root, &name)?;
        as_they_are.insert(name.clone(), (corpus.len(), findings(&name, &corpus, today, meaning)?));
        plant(&name, &mut corpus, &planted, &compatible)?;
        in_copies.extend(findings(&name, &corpus, today, meaning)?);
    }
    let unchanged: Vec<&Finding> = as_they_are.values().flat_map(|(_, found)| found).collect();
    if wiring::wrote_report(global, output, &serde_json::to_string_pretty(&(&unchanged, &in_copies))?)? {
        return Ok(Outcome::Done);
    }
    let half = |unseen: bool| if unseen { "unseen" } else { "seen" };
    for ((unseen, kind), (any, against)) in found(&planted, &in_copies) {
        println!(
            "planted    {:<7} {:<20} {:>2} of {:>2} found, {:>2} opposed to the passage they were written against",
            half(unseen),
            kind.as_str(),
            any.good,
            any.all,
            against.good
        );
    }
    for (unseen, share) in alarms(&compatible, &in_copies) {
        println!("compatible {:<7} {:>3} of {:>3} alarms", half(unseen), share.good, share.all);
    }
    for (name, (documents, found)) in &as_they_are {
        println!("unchanged  {name}: {} findings in {documents} documents", found.len());
    }
    let missed = planted.iter().filter(|one| {
        !is_unseen(&one.file) && !in_copies.iter().any(|finding| finding.opposing(&one.text).is_some())
    });
    for one in missed {
        println!("missed: {} {}", one.id, one.text);
    }
    for one in compatible.iter().filter(|one| !is_unseen(&one.file)) {
        for finding in in_copies.iter().filter(|finding| finding.opposing(&one.statement).is_some()) {
            println!("alarm:  {} ({}) {:?}", one.id, one.why_compatible, finding.sentences);
        }
    }
    Ok(Outcome::Done)
}

/// Adds the planted sentences below their headings, and the compatible ones in a document beside the others.
fn plant(
    name: &str,
    corpus: &mut Corpus,
    planted: &[Planted],
    compatible: &[Compatible],
) -> anyhow::Result<()> {
    for one in planted.iter().filter(|one| corpus_of(&one.file) == name) {
        let path = one.file[name.len()..].trim_start_matches('/');
        let Some(text) = corpus.text(path).map(str::to_owned) else { continue };
        let heading = one.heading.as_deref().unwrap_or_default();
        let is_heading = |line: &str| !heading.is_empty() && line.starts_with('#') && line.contains(heading);
        let mut lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| is_heading(line)).map_or(lines.len(), |at| at + 1);
        let added = format!("\n{}\n", one.text);
        lines.insert(at, &added);
        corpus.put(path, &lines.join("\n"))?;
    }
    let beside = compatible.iter().filter(|one| corpus_of(&one.file) == name);
    let beside: Vec<&str> = beside.map(|one| one.statement.as_str()).collect();
    corpus.put(BESIDE, &format!("# Statements\n\n{}\n", beside.join("\n\n")))
}

/// What opposes each other in a corpus.
pub(super) fn findings(
    name: &str,
    corpus: &Corpus,
    today: Date,
    meaning: Option<&dyn Meaning>,
) -> anyhow::Result<Vec<Finding>> {
    let (identities, reconciled) = corpus.reconciled();
    let graph = Graph::of(reconciled.documents.iter().flat_map(|one| one.relations.clone()));
    let documents = reconciled.documents.iter().zip(identities);
    let told: Vec<Told> = documents
        .filter(|(one, _)| one.listed && one.document.kind != Kind::Dar)
        .map(|(one, identity)| Told {
            document: Arc::new(one.document.clone()),
            sentences: identity.sentences,
        })
        .collect();
    let paths: BTreeMap<&str, &str> =
        told.iter().map(|one| (one.document.id.as_str(), one.document.path.as_str())).collect();
    let path = |id: &str| format!("{name}/{}", paths.get(id).copied().unwrap_or_default());
    let shown = |one: Opposition| Finding {
        kind: one.kind,
        files: (path(one.first.document.as_str()), path(one.second.document.as_str())),
        lines: (one.first.sentence.line, one.second.sentence.line),
        sentences: (one.first.sentence.text, one.second.sentence.text),
        opposes: one.opposes,
    };
    let found = match meaning {
        Some(meaning) => oppositions_in_any_words(&told, &graph, today, meaning)?,
        None => oppositions(&told, &graph, today),
    };
    Ok(found.into_iter().map(shown).collect())
}
