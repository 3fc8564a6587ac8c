//! What there is to know about the library's files: what should be mended, what was guessed, and what is worth knowing.

use std::collections::BTreeSet;
use std::path::Path;

use plumbline_contract::{CommandError, FindingCounts, FindingGroup, LibraryFinding};
use plumbline_core::decisions::RelationKind;
use plumbline_core::domain::{DocumentId, Kind, Language};
use plumbline_core::messages::Message;
use plumbline_library::{How, IdentityReport, LibraryOrigin, LibraryStatus, Provenance};

use crate::Host;
use crate::error::of_library;
use crate::numbers::count;
use crate::texts::Texts;

/// Files of these kinds hold text that the library could have, were they saved in another format.
const WRITTEN: [&str; 12] =
    ["doc", "docm", "epub", "odp", "odt", "org", "pages", "ppt", "pptx", "rst", "rtf", "tex"];

impl Host {
    /// What is wrong with files, was guessed of them, or is worth knowing.
    pub async fn findings(&self) -> Result<Vec<LibraryFinding>, CommandError> {
        let texts = self.texts();
        let mut findings = Vec::new();
        if let Some(reason) = self.inner.indexing.failure() {
            let reason = texts.say(Message::IndexFailed, &[("reason", &reason)]);
            findings.push(finding("", "", "indexing_failed", reason));
        }
        let open = self.open()?;
        let Some(library) = open.library() else { return Ok(findings) };
        let origins = self.origins().await?;
        let LibraryStatus { problems, warnings, .. } =
            library.status().await.map_err(|problem| of_library(&problem, self.texts()))?;
        let IdentityReport { documents, collisions, disagreements, unresolved } =
            library.identities().await.map_err(|problem| of_library(&problem, self.texts()))?;
        // What the user may not see does not exist, with all that is known of it.
        let visible: BTreeSet<String> =
            self.browsed().await?.iter().map(|one| one.record.document.id.to_string()).collect();
        let hidden: BTreeSet<(&str, &str)> = documents
            .iter()
            .filter(|document| document.listed && !visible.contains(&document.id))
            .map(|document| (document.source.as_str(), document.path.as_str()))
            .collect();
        let mut add = |source: &str, path: &str, code: &str, reason: String| {
            if !hidden.contains(&(source, path)) {
                findings.push(finding(folder_name(&origins, source), path, code, reason));
            }
        };

        for file in problems {
            let code = file.problem.code.as_str();
            let code = if code == "unknown_format" && !is_written(&file.path) { "no_document" } else { code };
            add(&file.source, &file.path, code, file.problem.text(texts.language));
        }
        for warning in warnings {
            add(&warning.source, &warning.path, &warning.code, warning.text.text(texts.language));
        }
        let place = |id: &DocumentId| {
            let known = documents.iter().find(|document| document.id == id.as_str());
            known.map_or(("", ""), |document| (document.source.as_str(), document.path.as_str()))
        };
        for one in &collisions {
            let values = [("id", one.claimed.as_str()), ("given", one.given.as_str())];
            add(&one.source, &one.other, "id_taken", texts.say(Message::IndexCollision, &values));
        }
        for one in &disagreements {
            let (source, path) = place(&one.record);
            let values = [("status", one.status.as_str()), ("approval", one.approval_status.as_str())];
            add(source, path, "status_disagreement", texts.say(Message::IndexDisagreement, &values));
        }
        for one in &unresolved {
            let (source, path) = place(&one.document);
            let why = texts.plain(one.why.message());
            let values = [("written", one.written.as_str()), ("why", why.as_str())];
            // What is only mentioned may lie outside the library.
            let mention = one.relation == RelationKind::Mentions.as_str();
            let code = if mention { "mention_unresolved" } else { "reference_unresolved" };
            add(source, path, code, texts.say(Message::IndexUnresolved, &values));
        }
        let decisions = library.decisions(&self.scope()).await;
        let decisions = decisions.map_err(|problem| of_library(&problem, self.texts()))?;
        for one in decisions.graph.circular() {
            let (source, path) = place(&one.said_in);
            let values = [("other", one.to.as_str()), ("sentence", one.sentence.as_str())];
            add(source, path, "relation_circular", texts.say(Message::IndexCircular, &values));
        }
        for document in documents.iter().filter(|document| document.listed) {
            for rejected in &document.rejected {
                add(&document.source, &document.path, "value_rejected", rejected.text(texts.language));
            }
            for (code, reason) in document.provenance.iter().filter_map(|provenance| guess(provenance, texts))
            {
                add(&document.source, &document.path, &code, reason);
            }
            let is_record = [Kind::Adr, Kind::Principle].iter().any(|kind| kind.as_str() == document.kind);
            if let Some(lead) = document.sections.iter().find(|section| section.guessed && is_record) {
                let heading = lead.heading.as_deref().unwrap_or("…");
                let reason = texts.say(Message::IndexDecisionGuessed, &[("heading", heading)]);
                add(&document.source, &document.path, "decision_guessed", reason);
            }
        }
        Ok(findings)
    }
}

/// How many findings there are of each group.
pub(crate) fn counts(findings: &[LibraryFinding]) -> FindingCounts {
    let of = |group| count(findings.iter().filter(|finding| finding.group == group).count());
    FindingCounts {
        problems: of(FindingGroup::Problem),
        guesses: of(FindingGroup::Guess),
        notes: of(FindingGroup::Note),
    }
}

fn finding(folder: &str, path: &str, code: &str, reason: String) -> LibraryFinding {
    LibraryFinding {
        group: group_of(code),
        folder: folder.to_owned(),
        path: path.to_owned(),
        code: code.to_owned(),
        reason,
    }
}

/// What each reason asks of the user. One that nobody has thought of is a problem, so that it is not overlooked.
fn group_of(code: &str) -> FindingGroup {
    match code {
        // Text nearly always shows its language, and few files state it.
        "language_detected"
        // Pictures, programs and the like.
        | "no_document"
        | "mention_unresolved"
        | "front_matter_only"
        // Covers and drawings have no text either.
        | "pages_without_text"
        | "properties_unreadable"
        | "control_characters"
        | "odd_content" => FindingGroup::Note,
        guessed if guessed.ends_with("_guessed") => FindingGroup::Guess,
        _ => FindingGroup::Problem,
    }
}

/// A value that was inferred, with what it was inferred from.
fn guess(provenance: &Provenance, texts: Texts) -> Option<(String, String)> {
    let How::Guessed(clue) = &provenance.how else { return None };
    if provenance.field == "language" {
        let language = Language::from_code(&provenance.value).unwrap_or_default().name_in(texts.language);
        let reason = texts.say(Message::IndexLanguage, &[("language", language)]);
        return Some(("language_detected".to_owned(), reason));
    }
    let why = texts.plain(clue.message());
    let why = provenance.key.as_ref().map_or(why.clone(), |key| format!("{why}: {key}"));
    let reason = texts.say(Message::IndexGuessed, &[("value", &provenance.value), ("why", &why)]);
    Some((format!("{}_guessed", provenance.field), reason))
}

fn is_written(path: &str) -> bool {
    let extension = Path::new(path).extension().map(|one| one.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|one| WRITTEN.contains(&one.as_str()))
}

fn folder_name<'o>(origins: &'o [LibraryOrigin], source: &'o str) -> &'o str {
    let of = |origin: &&LibraryOrigin| origin.sources.iter().any(|known| known.name == source);
    origins.iter().find(of).map_or(source, |origin| origin.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_should_be_mended_is_a_problem() {
        for code in [
            "indexing_failed",
            "encrypted",
            "damaged",
            "unknown_format",
            "front_matter_broken",
            "comment_open",
            "characters_replaced",
            "id_taken",
            "status_disagreement",
            "reference_unresolved",
            "relation_circular",
            "value_rejected",
            "what_comes_next_year",
        ] {
            assert_eq!(group_of(code), FindingGroup::Problem, "{code}");
        }
        for code in ["kind_guessed", "title_guessed", "date_guessed", "status_guessed", "encoding_guessed"] {
            assert_eq!(group_of(code), FindingGroup::Guess, "{code}");
        }
        for code in ["language_detected", "no_document", "pages_without_text", "odd_content"] {
            assert_eq!(group_of(code), FindingGroup::Note, "{code}");
        }
    }

    #[test]
    fn a_document_in_a_format_that_is_not_read_differs_from_a_picture() {
        assert!(is_written("policies/Old policy.ODT") && is_written("notes.rst"));
        assert!(!is_written("adr/overview.png") && !is_written("LICENSE") && !is_written("src/main.rs"));
    }
}
