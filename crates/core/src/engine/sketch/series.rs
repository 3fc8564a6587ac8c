//! The series of records that a new one would belong to: its next free number, and how its files are named.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{Document, DocumentId, Kind, Language, Standing};
use crate::engine::graph::Library;
use crate::numbers::numbers;

/// The decisions of one source, in the order of their numbers.
pub(super) struct Series {
    records: Vec<Arc<Document>>,
}

/// What a new record may be called.
pub(super) struct Suggested {
    pub reference: Option<String>,
    pub file_name: String,
}

impl Series {
    /// The source that most related decisions come from; the largest where there are none.
    pub fn of(library: &Library, related: &[Arc<Document>]) -> Self {
        let decisions = || library.documents.values().filter(|document| document.kind == Kind::Adr);
        let mut sources: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for document in decisions() {
            sources.entry(&document.source).or_default().1 += 1;
        }
        for document in related {
            sources.entry(&document.source).or_default().0 += 1;
        }
        let source =
            sources.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0))).map(|(name, _)| *name);
        let mut records: Vec<Arc<Document>> =
            decisions().filter(|document| Some(document.source.as_str()) == source).cloned().collect();
        records.sort_by(|a, b| (a.number, &a.id).cmp(&(b.number, &b.id)));
        Self { records }
    }

    /// The records that a layout is learned from: those in force, in the language asked for where there are enough of those.
    pub fn examples(&self, language: Language) -> Vec<DocumentId> {
        let in_force: Vec<&Arc<Document>> = self
            .records
            .iter()
            .rev()
            .filter(|record| matches!(record.standing(), Standing::InForce | Standing::Unknown))
            .collect();
        let spoken: Vec<&Arc<Document>> =
            in_force.iter().copied().filter(|record| record.language == language).collect();
        let numbers = &numbers().draft;
        let taken = if spoken.len() >= numbers.layout_records { spoken } else { in_force };
        taken.into_iter().take(numbers.layout_sample).map(|record| record.id.clone()).collect()
    }
}

/// The next free number of a series, written as the last one is, and a file's name of the same form. Gaps stay gaps: a number that is
/// missing may have been used.
pub(super) fn suggested(series: &Series, topic: &str) -> Suggested {
    let last = series.records.iter().rfind(|record| record.number.is_some());
    let Some((last, number)) = last.and_then(|last| Some((last, last.number?))) else {
        return Suggested { reference: None, file_name: format!("{}.md", slug(topic, '-')) };
    };
    let Some(next) = number.checked_add(1) else {
        return Suggested { reference: None, file_name: format!("{}.md", slug(topic, '-')) };
    };
    let code = last.codes.iter().find_map(|code| Some(renumbered(code, number, next)?.0));
    let reference =
        code.unwrap_or_else(|| Document { number: Some(next), ..last.as_ref().clone() }.reference());
    let stem = last.path.rsplit('/').next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let file_name = renumbered(stem, number, next).map_or_else(
        || format!("{next:04}-{}.md", slug(topic, '-')),
        |(numbered, behind)| {
            let between = behind.chars().next().filter(|c| !c.is_alphanumeric()).unwrap_or('-');
            let joined = if behind.contains('_') && !behind.contains('-') { '_' } else { '-' };
            format!("{numbered}{between}{}.md", slug(topic, joined))
        },
    );
    Suggested { reference: Some(reference), file_name }
}

/// A name up to its number, with another number of the same width; and what stands behind it.
fn renumbered(name: &str, number: u32, next: u32) -> Option<(String, &str)> {
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let digits: &str = &name[start..];
    let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    (digits[..length].parse() == Ok(number))
        .then(|| (format!("{}{next:0length$}", &name[..start]), &digits[length..]))
}

/// The longest name of a file that is made of a topic.
const LONGEST: usize = 60;

fn slug(topic: &str, joined: char) -> String {
    let words = topic.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let slug: String = words.join(&joined.to_string()).chars().take(LONGEST).collect();
    slug.trim_end_matches(joined).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_documents::document as adr;

    fn named(path: &str, codes: &[&str], number: u32) -> Series {
        let document = Document {
            path: path.to_owned(),
            codes: codes.iter().map(|code| (*code).to_owned()).collect(),
            ..adr(number, "Last").as_ref().clone()
        };
        Series { records: vec![Arc::new(document)] }
    }

    #[test]
    fn a_new_record_is_called_as_the_last_one_is() {
        for (path, codes, number, reference, file) in [
            ("adr/0021-use-tls.md", &["ADR.21"][..], 21, "ADR.22", "0022-key-rotation.md"),
            ("adr-099_use_tls.md", &[][..], 99, "ADR-0100", "adr-100_key_rotation.md"),
            ("decisions/use-tls.adoc", &[][..], 3, "ADR-0004", "0004-key-rotation.md"),
        ] {
            let suggested = suggested(&named(path, codes, number), "Key rotation");
            assert_eq!(suggested.reference.as_deref(), Some(reference), "after {path}");
            assert_eq!(suggested.file_name, file, "after {path}");
        }
    }

    #[test]
    fn a_library_without_numbers_gets_none_suggested() {
        let suggested = suggested(&Series { records: Vec::new() }, "Key rotation");
        assert_eq!((suggested.reference, suggested.file_name.as_str()), (None, "key-rotation.md"));
    }
}
