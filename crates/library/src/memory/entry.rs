use std::fmt;
use std::path::{Path, PathBuf};

use plumbline_core::detail::Detail;
use plumbline_core::domain::Chunk;
use plumbline_core::messages::Message;
use plumbline_core::text::fold;
use plumbline_telemetry::sha256_hex;
use serde::{Deserialize, Serialize};

/// What an entry does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Names the passages that answer a question.
    Pinned,
    /// Shapes the framing; never cited.
    Note,
}

/// A document, or a section of it, that an entry points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The document's id.
    pub id: String,
    /// A heading in it; all of it where absent.
    pub section: Option<String>,
}

impl Pointer {
    /// Whether a passage is what is pointed at.
    pub fn means(&self, chunk: &Chunk) -> bool {
        let wanted = self.section.as_deref().map(fold);
        chunk.document.id.as_str() == self.id
            && wanted.is_none_or(|wanted| chunk.section_path.iter().any(|heading| fold(heading) == wanted))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.section {
            Some(section) => write!(f, "{}, \"{section}\"", self.id),
            None => f.write_str(&self.id),
        }
    }
}

/// A file of curated memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryEntry {
    /// Relative to its folder.
    pub path: String,
    /// Of the file.
    pub sha256: String,
    /// What it does.
    pub kind: MemoryKind,
    /// The question or the note's title.
    pub title: String,
    /// What a question is compared with; never empty.
    pub phrasings: Vec<String>,
    /// What it points at.
    pub pointers: Vec<Pointer>,
    /// What the curator wrote.
    pub text: String,
    /// The followed library that it comes from, by its address; none for one's own.
    pub library: Option<String>,
}

/// A file of the folder that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryProblem {
    /// Relative to its folder.
    pub path: String,
    /// What is wrong.
    pub reason: Detail,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: MemoryKind,
    title: Option<String>,
    question: Option<String>,
    #[serde(default)]
    phrasings: Vec<String>,
    #[serde(default)]
    triggers: Vec<String>,
    #[serde(default)]
    sources: Vec<Pointer>,
    #[serde(default)]
    references: Vec<String>,
}

/// The entries of these folders, in the order of their names, and the files that are none.
pub fn read_folder(folders: &[PathBuf]) -> (Vec<MemoryEntry>, Vec<EntryProblem>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for folder in folders {
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.file_type().is_file()) {
            if file.path().extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let path = file.path().strip_prefix(folder).unwrap_or(file.path()).to_string_lossy().into_owned();
            match read(file.path(), &path) {
                Ok(entry) => entries.push(entry),
                // A page without front matter explains the folder to people.
                Err(None) => {}
                Err(Some(reason)) => problems.push(EntryProblem { path, reason }),
            }
        }
    }
    (entries, problems)
}

fn read(file: &Path, path: &str) -> Result<MemoryEntry, Option<Detail>> {
    let text = std::fs::read_to_string(file).map_err(|error| Some(error.to_string().into()))?;
    parse(path, &text)
}

fn parse(path: &str, text: &str) -> Result<MemoryEntry, Option<Detail>> {
    let body = text.trim_start_matches('\u{feff}');
    let mut lines = body.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some("---") {
        return Err(None);
    }
    let mut front = String::new();
    let mut closed = false;
    for line in lines.by_ref() {
        closed = line.trim_end() == "---";
        if closed {
            break;
        }
        front.push_str(line);
    }
    if !closed {
        return Err(Some(Message::MemoryUnclosed.into()));
    }
    let note: String = lines.collect();
    let written: Written = serde_saphyr::from_str(&front).map_err(|error| Some(error.to_string().into()))?;
    let title = written.question.or(written.title);
    let mut phrasings: Vec<String> = title.iter().cloned().collect();
    phrasings.extend(written.phrasings);
    phrasings.extend(written.triggers);
    let mut pointers = written.sources;
    pointers.extend(written.references.into_iter().map(|id| Pointer { id, section: None }));
    let Some(title) = title else {
        return Err(Some(Message::MemoryNoTitle.into()));
    };
    if pointers.is_empty() {
        return Err(Some(Message::MemoryNoPointers.into()));
    }
    Ok(MemoryEntry {
        path: path.to_owned(),
        sha256: sha256_hex(text),
        kind: written.kind,
        title,
        phrasings,
        pointers,
        text: note.trim().to_owned(),
        library: None,
    })
}

#[cfg(test)]
mod tests {
    use plumbline_core::domain::Language;
    use plumbline_testkit::dutch::assert_dutch;

    use super::*;

    #[test]
    fn the_sample_librarys_memory_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample/memory");
        let (entries, problems) = read_folder(&[folder]);
        assert_eq!(problems, []);
        let of = |kind| entries.iter().filter(|entry| entry.kind == kind).count();
        assert_eq!((of(MemoryKind::Pinned), of(MemoryKind::Note)), (2, 2));
        let tls = entries.iter().find(|entry| entry.title.contains("TLS version")).unwrap();
        assert_eq!(tls.pointers[0].to_string(), "adr-0021, \"Decision Outcome\"");
        assert_eq!(tls.phrasings.len(), 4, "the question itself is one of them");
    }

    #[test]
    fn a_file_that_is_no_entry_says_why() {
        let reason = |text: &str| parse("x.md", text).unwrap_err();
        assert_eq!(reason("# About this folder\n"), None, "a page for people is no mistake");
        for (text, words) in [
            ("---\nkind: pinned\n", "not closed"),
            ("---\nkind: pinned\nquestion: a\n---\n", "points at nothing"),
            ("---\nkind: pinned\nreferences: [adr-0001]\n---\n", "neither `question` nor `title`"),
        ] {
            let reason = reason(text).unwrap();
            assert!(reason.to_string().contains(words), "{reason}");
            assert_dutch(&reason.text(Language::NL));
        }
        assert!(reason("---\nkind: pined\nquestion: a\n---\n").unwrap().to_string().contains("pined"));
    }
}
