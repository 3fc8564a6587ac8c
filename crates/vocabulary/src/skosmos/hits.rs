use std::collections::HashMap;

use plumbline_core::domain::Language;
use plumbline_core::response::LabelMatch;

use super::wire::{Matched, Row};
use crate::matching::{LabelHit, SuggestedLabel};

/// The rows of a search as labels that may have met the term.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) hits: Vec<LabelHit>,
    /// The vocabulary of each concept: the one with most authority, where it is in several.
    pub(super) vocabulary_of: HashMap<String, String>,
}

impl Rows {
    /// Rows of other vocabularies than those in the settings do not count.
    pub(super) fn new(rows: Vec<Row>, vocabularies: &[String], language: Language) -> Self {
        let authority = |row: &Row| match vocabularies {
            [] => Some(0),
            several => several.iter().position(|id| *id == row.vocabulary),
        };
        let mut ranked: Vec<(usize, Row)> =
            rows.into_iter().filter_map(|row| Some((authority(&row)?, row))).collect();
        ranked.sort_by_key(|(authority, _)| *authority);
        let mut found = Self { hits: Vec::new(), vocabulary_of: HashMap::new() };
        for (authority, row) in ranked {
            let hit = |label: &str, tier: LabelMatch, tag: Option<&str>| LabelHit {
                uri: row.uri.clone(),
                vocabulary: authority,
                label: label.to_owned(),
                language: tag.map(str::to_owned),
                tier,
                deprecated: false,
            };
            // The row's language is that of the label that was matched; the label shown is in the one asked for.
            let shown = if row.matched.is_some() { Some(language.code()) } else { row.language.as_deref() };
            found.hits.extend(row.preferred.as_deref().map(|label| hit(label, LabelMatch::Preferred, shown)));
            found.hits.extend(row.matched.as_ref().map(|matched| {
                let (label, tier) = labelled(matched);
                hit(label, tier, row.language.as_deref())
            }));
            found.hits.extend(row.notations.iter().map(|notation| hit(notation, LabelMatch::Notation, None)));
            found.vocabulary_of.entry(row.uri).or_insert(row.vocabulary);
        }
        found
    }
}

/// Labels to suggest: what was matched leads to it, but a hidden label is never shown.
pub(super) fn suggestions(rows: &[Row], language: Language) -> Vec<SuggestedLabel> {
    let mut labels = Vec::new();
    for row in rows {
        let mut suggest = |key: &str, shown: &str, tag: Option<&str>| {
            labels.push(SuggestedLabel {
                key: key.to_owned(),
                shown: shown.to_owned(),
                language: tag.map(str::to_owned),
            });
        };
        let tag = row.language.as_deref();
        match (&row.matched, &row.preferred) {
            (None, Some(label)) => suggest(label, label, tag),
            (Some(Matched::Hidden(hidden)), Some(label)) => suggest(hidden, label, Some(language.code())),
            (Some(Matched::Preferred(matched) | Matched::Alternative(matched)), _) => {
                suggest(matched, matched, tag)
            }
            (Some(Matched::Hidden(_)) | None, None) => {}
        }
    }
    labels
}

/// The term with its apostrophes the other way, as the label may be written: a server does not fold them.
pub(super) fn other_apostrophes(term: &str) -> Option<String> {
    const CURLY: [char; 4] = ['\u{2018}', '\u{2019}', '\u{201B}', '\u{02BC}'];
    if term.contains(CURLY) {
        return Some(term.replace(CURLY, "'"));
    }
    term.contains('\'').then(|| term.replace('\'', "\u{2019}"))
}

fn labelled(matched: &Matched) -> (&str, LabelMatch) {
    match matched {
        Matched::Preferred(label) => (label, LabelMatch::Preferred),
        Matched::Alternative(label) => (label, LabelMatch::Alternative),
        Matched::Hidden(label) => (label, LabelMatch::Hidden),
    }
}
