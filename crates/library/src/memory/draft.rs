use super::entry::{MemoryKind, Pointer};

/// An entry as a curator writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDraft {
    /// What it does.
    pub kind: MemoryKind,
    /// The question or the note's title.
    pub title: String,
    /// Other wordings.
    pub phrasings: Vec<String>,
    /// What it points at.
    pub pointers: Vec<Pointer>,
    /// What the curator wrote.
    pub text: String,
}

impl EntryDraft {
    /// The file that says it.
    pub fn to_markdown(&self) -> String {
        let (kind, title, phrasings) = match self.kind {
            MemoryKind::Pinned => ("pinned", "question", "phrasings"),
            MemoryKind::Note => ("note", "title", "triggers"),
        };
        let mut front = format!("kind: {kind}\n{title}: {}\n", quoted(&self.title));
        if !self.phrasings.is_empty() {
            front.push_str(&format!("{phrasings}:\n"));
        }
        for phrasing in &self.phrasings {
            front.push_str(&format!("  - {}\n", quoted(phrasing)));
        }
        front.push_str("sources:\n");
        for Pointer { id, section } in &self.pointers {
            let section = section.as_ref().map(|section| format!(", section: {}", quoted(section)));
            front.push_str(&format!("  - {{id: {}{}}}\n", quoted(id), section.unwrap_or_default()));
        }
        format!("---\n{front}---\n\n{}\n", self.text.trim())
    }

    /// A name for its file, from its title.
    pub fn file_name(&self) -> String {
        let kind = match self.kind {
            MemoryKind::Pinned => "pinned",
            MemoryKind::Note => "note",
        };
        let words = self.title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let slug: Vec<String> = words.map(str::to_lowercase).take(8).collect();
        format!("{kind}-{}.md", slug.join("-"))
    }
}

/// YAML reads a string of JSON as the same string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::read_folder;
    use super::*;

    #[test]
    fn what_is_written_is_read_back_whatever_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        for kind in [MemoryKind::Pinned, MemoryKind::Note] {
            let draft = EntryDraft {
                kind,
                title: "Which \"TLS\": 1.2 or 1.3? # é".to_owned(),
                phrasings: vec!["- a dash".to_owned(), "two\nlines".to_owned()],
                pointers: vec![
                    Pointer { id: "adr-0021".to_owned(), section: Some("Decision: \"outcome\"".to_owned()) },
                    Pointer { id: "pcp-0015".to_owned(), section: None },
                ],
                text: "Because.\n\n---\n\nAnd so on.".to_owned(),
            };
            std::fs::write(folder.path().join(draft.file_name()), draft.to_markdown()).unwrap();
            let (entries, problems) = read_folder(&[folder.path().to_owned()]);
            assert_eq!(problems, []);
            let entry = entries.into_iter().find(|entry| entry.kind == kind).unwrap();
            assert_eq!(entry.path, draft.file_name());
            assert_eq!((&entry.title, &entry.phrasings[1..]), (&draft.title, draft.phrasings.as_slice()));
            assert_eq!((&entry.pointers, &entry.text), (&draft.pointers, &draft.text));
        }
    }
}
