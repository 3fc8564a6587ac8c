//! The status that a document gives itself, out of one line or of many.

use jiff::civil::Date;
use plumbline_core::domain::Standing;

use super::How;
use super::clue::Clue;
use super::dates;
use super::facts::{Facts, is_of_the_record, labelled};
use super::labels::{Field, any_language};
use super::outline::Outline;
use super::plain::Line;
use super::words::{folded, is_placeholder};
use crate::reading::{MetaValue, ReadDocument};

/// The status as written, on one line.
pub(super) fn choose(facts: &Facts, outline: &Outline) -> Option<(String, How)> {
    for fact in facts.about(Field::Status) {
        if let Some(status) = current(&fact.values) {
            return Some((status, How::Recognised(fact.whence())));
        }
    }
    note_at_the_head(outline).map(|status| (status, How::Guessed(Clue::NoteAtHead)))
}

/// A word for a status under a key that means something else, with the key: `isVersionOf: proposed`.
pub(super) fn guess(document: &ReadDocument) -> Option<(String, String)> {
    document.front_matter.iter().find_map(|(key, value)| {
        let MetaValue::Text(text) = value else { return None };
        let other = is_of_the_record(key) && Field::of(key).is_none();
        let bare = text.split_whitespace().count() <= LONGEST_GUESS && begins_with_status(text);
        (other && bare).then(|| (one_line(text), key.clone()))
    })
}

/// A value of more words says something else: "ready for acceptance" is as long as a bare status gets.
const LONGEST_GUESS: usize = 3;

/// Of several lines the one that holds now: by day where all are dated, else by how far a record's life has got.
fn current(lines: &[Line]) -> Option<String> {
    let boxes = lines.iter().any(|line| line.ticked.is_some());
    let lines: Vec<&Line> = lines.iter().filter(|line| !boxes || line.ticked == Some(true)).collect();
    let first = lines
        .iter()
        .find(|line| begins_with_status(&line.text))
        .or_else(|| lines.iter().find(|line| !is_relation(&line.text) && !is_placeholder(&line.text)))?;
    let is_stage = |line: &&Line| begins_with_status(&line.text) && !is_sentence(line);
    let stages: Vec<&Line> = lines.iter().copied().filter(is_stage).collect();
    let days: Vec<Option<Date>> = stages.iter().map(|line| dates::last_in(&line.text)).collect();
    if stages.len() > 1 && days.iter().all(Option::is_some) {
        let newest = stages.iter().zip(&days).enumerate().max_by_key(|(at, (_, day))| (**day, *at));
        return newest.map(|(_, (line, _))| one_line(&line.text));
    }
    let mut chosen: &Line = first;
    for line in stages {
        let (held, next) = (standing(&chosen.text), standing(&line.text));
        if next != held && stage(next) >= stage(held) {
            // "Accepted" and, below it, "Superseded by 16": both are true, and the second is why it no longer holds.
            if held == Standing::InForce && stage(next) == 2 {
                return Some(format!("{}; {}", one_line(&chosen.text), lower_first(&one_line(&line.text))));
            }
            chosen = line;
        }
    }
    Some(one_line(&chosen.text))
}

fn standing(text: &str) -> Standing {
    Standing::from_status(text)
}

/// How far a record's life has got.
fn stage(standing: Standing) -> u8 {
    match standing {
        Standing::Unknown | Standing::Proposed => 0,
        Standing::InForce | Standing::Rejected => 1,
        Standing::Superseded | Standing::Deprecated => 2,
    }
}

/// Whether a line is a status and not a sentence that mentions one.
fn begins_with_status(text: &str) -> bool {
    let text = folded(text);
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    if standing(first) != Standing::Unknown {
        return true;
    }
    let start = std::iter::once(first).chain(words.take(2)).collect::<Vec<_>>().join(" ");
    let leads = any_language(|words| words.status.leads.iter().any(|lead| lead == first));
    leads && standing(&start) != Standing::Unknown
}

/// A remark on the status, and none itself: "Adopted by most teams, but not yet by all of them."
fn is_sentence(line: &Line) -> bool {
    line.text.ends_with('.') && line.links.is_empty() && line.text.split_whitespace().count() > 6
}

/// "Supersedes 3", "Amends 5": what a record does to others is not its status.
fn is_relation(text: &str) -> bool {
    let text = folded(text);
    let first = text.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    any_language(|words| words.status.relations.iter().any(|relation| relation == first))
}

/// A record that ended often says so in a note above the text.
fn note_at_the_head(outline: &Outline) -> Option<String> {
    let mut lines = outline.head().iter().flat_map(|section| section.lines()).take(5);
    let ended = |line: &&Line| {
        let text = folded(&line.text);
        let first =
            text.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
        stage(standing(first)) == 2 && labelled(line).is_none()
    };
    lines.find(ended).map(|line| {
        // Only the word and what follows it up to the end of the sentence.
        let sentence = line.text.split(". ").next().unwrap_or(&line.text);
        one_line(sentence.trim_end_matches('.'))
    })
}

fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches(['*', '_', '"', '\'', '`', ' ']).trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// A status is a few words; what is longer is a story and is cut.
const LONGEST: usize = 160;

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::plain::lines;

    fn read(section: &str) -> Option<String> {
        current(&lines(section))
    }

    #[test]
    fn the_status_that_holds_now_is_taken() {
        for (section, status) in [
            ("Accepted (lazy consensus) & implemented", "Accepted (lazy consensus) & implemented"),
            ("Accepted (lazy consensus).\n\nImplemented.", "Accepted (lazy consensus)."),
            ("Accepted (lazy consensus)\n\nNot implemented yet.", "Accepted (lazy consensus)"),
            ("Proposed\n\nAccepted", "Accepted"),
            ("* Accepted\n* Proposed", "Accepted"),
            ("* Accepted 2020-05-01\n* Proposed 2021-01-01", "Proposed 2021-01-01"),
            ("Accepted\n\nSuperceded by [16. Queue](0016-queue.md)", "Accepted; superceded by 16. Queue"),
            ("Superseded by [ADR 5](5.md)\n\nAccepted", "Superseded by ADR 5"),
            ("Supercedes [3. Queue](3.md)\n\nAccepted", "Accepted"),
            ("- [ ] Proposed\n- [x] Accepted\n- [ ] Deprecated", "Accepted"),
            ("~~Proposed~~ **Accepted** <!-- or rejected -->", "Accepted"),
            ("⌛️ Superseded [0019](0019-go.md)", "⌛️ Superseded 0019"),
            ("Accepted\n\nThis replaced the draft that we had rejected.", "Accepted"),
            (
                "Rejected (leads to races)\n\nAdopted it would be if some tests were there.",
                "Rejected (leads to races)",
            ),
            ("on hold", "on hold"),
        ] {
            assert_eq!(read(section).as_deref(), Some(status), "of `{section}`");
        }
        assert_eq!(read("<!-- Accepted -->"), None, "a comment says nothing");
        assert_eq!(read(""), None);
    }
}
