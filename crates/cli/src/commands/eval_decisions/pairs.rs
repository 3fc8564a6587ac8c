use std::collections::BTreeSet;
use std::path::Path;

use jiff::civil::{Date, date};
use plumbline_core::decisions::{ContradictionKind, Meaning};
use plumbline_evaluation::decisions::{Finding, Found, Pair, read_of_pairs, told};
use plumbline_workspace::built_in_meaning;

use super::contradictions::findings;
use super::corpora::Corpus;
use super::relations::{relations_in, shown};
use crate::arguments::Global;
use crate::{Outcome, wiring};

/// The day on which the records are read: exceptions in them have ended by then.
const TODAY: Date = date(2026, 1, 15);

/// What statements oppose to each other, whatever else is said of their records.
const STATED: [ContradictionKind; 3] = [
    ContradictionKind::MustAndMustNot,
    ContradictionKind::DifferentValue,
    ContradictionKind::DifferentChoice,
];

/// Reads small records, and prints what was told of each half; what went wrong is shown of the half that may be looked at.
pub fn run(global: &Global, tables: &Path, by_words: bool) -> anyhow::Result<Outcome> {
    let mut pairs = Pair::read(&tables.join("opposing-pairs.jsonl"))?;
    pairs.extend(Pair::read(&tables.join("compatible-pairs.jsonl"))?);
    let sentences = Pair::read(&tables.join("relation-sentences.jsonl"))?;
    let meaning = if by_words { None } else { built_in_meaning() };
    if meaning.is_none() {
        wiring::remark(global, "by their words alone: there is no reader");
    }
    let findings = opposing(&pairs, meaning.as_ref().map(|meaning| meaning as &dyn Meaning))?;
    let names: BTreeSet<&str> = findings.iter().map(|(pair, _)| pair.id.as_str()).collect();
    let half = |unseen: bool| if unseen { "held out" } else { "seen" };
    for ((unseen, kind), share) in told(&pairs, &names) {
        let kind = kind.map_or("compatible", |kind| kind.as_str());
        println!(
            "{:<9} {kind:<20} {:>2} of {:>2} told to oppose each other",
            half(unseen),
            share.good,
            share.all
        );
    }
    let read =
        sentences.iter().map(|pair| Ok((pair, relations(pair)?))).collect::<anyhow::Result<Vec<_>>>()?;
    for ((unseen, kind), score) in read_of_pairs(&read) {
        let (precision, recall) = (shown(score.precision), shown(score.recall));
        println!("{:<9} {:<20} precision {precision}   recall {recall}", half(unseen), kind.as_str());
    }
    for pair in pairs.iter().filter(|pair| !pair.is_unseen()) {
        let texts: Vec<&str> =
            pair.documents.iter().filter_map(|one| one.text.trim_end().rsplit("\n\n").next()).collect();
        let found = findings.iter().find(|(of, _)| of.id == pair.id);
        match (pair.kind, found) {
            (Some(_), None) => println!("missed: {} {texts:?}", pair.id),
            (None, Some((_, finding))) => println!("alarm:  {} {texts:?} by {:?}", pair.id, finding.opposes),
            _ => {}
        }
    }
    for (pair, found) in read.iter().filter(|(pair, _)| !pair.is_unseen()) {
        let kinds: Vec<&str> = found.iter().map(|one| one.kind.as_str()).collect();
        let wanted = pair.relation.map_or("nothing", |kind| kind.as_str());
        if kinds != [wanted] {
            println!(
                "read:   {} as {kinds:?}, is {wanted}: {:?}",
                pair.id,
                found.first().map(|one| &one.sentence)
            );
        }
    }
    Ok(Outcome::Done)
}

/// The pairs whose records were told to oppose each other. Each is read by itself, for what it says of its own records, and among
/// all others, which tell how common its words are.
fn opposing<'p>(
    pairs: &'p [Pair],
    meaning: Option<&dyn Meaning>,
) -> anyhow::Result<Vec<(&'p Pair, Finding)>> {
    let mut all = Corpus::empty(Path::new(""), "");
    let mut found = Vec::new();
    for pair in pairs {
        let corpus = corpus(pair)?;
        let of_records = |finding: &Finding| !STATED.contains(&finding.kind);
        found.extend(findings(&pair.id, &corpus, TODAY, None)?.into_iter().filter(of_records));
        for one in &pair.documents {
            all.put(&format!("{}/{}", pair.id, one.path), &one.text)?;
        }
    }
    let within = |finding: Finding| {
        let bare = |file: &str| file.trim_start_matches('/').to_owned();
        Finding { files: (bare(&finding.files.0), bare(&finding.files.1)), ..finding }
    };
    found.extend(findings("", &all, TODAY, meaning)?.into_iter().map(within));
    let of = |finding: Finding| {
        let pair = pairs.iter().find(|pair| pair.is_of((&finding.files.0, &finding.files.1)))?;
        Some((pair, finding))
    };
    Ok(found.into_iter().filter_map(of).collect())
}

fn relations(pair: &Pair) -> anyhow::Result<Vec<Found>> {
    let (_, reconciled) = corpus(pair)?.reconciled();
    Ok(relations_in(&pair.id, &reconciled))
}

fn corpus(pair: &Pair) -> anyhow::Result<Corpus> {
    let mut corpus = Corpus::empty(Path::new(&pair.id), &pair.id);
    for one in &pair.documents {
        corpus.put(&one.path, &one.text)?;
    }
    Ok(corpus)
}
