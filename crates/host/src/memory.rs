//! The view of curated memory.

use std::path::{Path, PathBuf};

use plumbline_contract::{
    Broadcast, CommandError, CuratedMemory, MemoryDraft, MemoryEntry, MemoryKind, MemoryPointer,
    MemoryProblem, Retired,
};
use plumbline_core::domain::DocumentId;
use plumbline_core::messages::Message;
use plumbline_library::{EntryDraft, EntryStatus, Library, MemoryKind as Kind, Pointer, memory_folders};

use crate::Host;
use crate::error::{invalid, not_found, of_file, of_library};

impl Host {
    /// The curated memory.
    pub async fn memory(&self) -> Result<CuratedMemory, CommandError> {
        let open = self.open()?;
        let folders = self.memory_folders().await?;
        let Some(library) = open.library() else {
            return Ok(CuratedMemory { folder: None, entries: Vec::new(), problems: Vec::new() });
        };
        let (mut entries, problems) =
            library.memory(&folders).await.map_err(|problem| of_library(&problem, self.texts()))?;
        entries.sort_by(|a, b| a.entry.path.cmp(&b.entry.path));
        let problem = |problem: plumbline_library::EntryProblem| MemoryProblem {
            path: problem.path,
            reason: problem.reason.text(self.texts().language),
        };
        Ok(CuratedMemory {
            folder: folders.first().map(|folder| folder.display().to_string()),
            entries: entries.into_iter().map(|status| self.entry_of(status)).collect(),
            problems: problems.into_iter().map(problem).collect(),
        })
    }

    /// Writes an entry of curated memory, with the hashes of what it points at now.
    pub async fn save_memory_entry(&self, draft: MemoryDraft) -> Result<MemoryEntry, CommandError> {
        let folders = self.memory_folders().await?;
        let Some(first) = folders.first() else { return Err(invalid(self.say(Message::RefusedMemory))) };
        let library = self.open()?.library().cloned();
        let library = library.ok_or_else(|| invalid(self.say(Message::RefusedMemory)))?;
        self.check(&library, &draft).await?;
        let replaced = match &draft.path {
            Some(path) => Some(self.entry_file(path).await?),
            None => None,
        };
        let new = EntryDraft {
            kind: match draft.kind {
                MemoryKind::Pinned => Kind::Pinned,
                MemoryKind::Note => Kind::Note,
            },
            title: draft.title.trim().to_owned(),
            phrasings: filled(draft.phrasings),
            pointers: draft.pointers.into_iter().map(pointer_to).collect(),
            text: draft.text,
        };
        let file = replaced.unwrap_or_else(|| unused(first, &new.file_name()));
        let written = file.clone();
        let text = new.to_markdown();
        self.blocking(move || std::fs::write(&written, text).map_err(|problem| of_file(&written, problem)))
            .await??;
        self.memory_changed(None).await?;
        self.entry_at(&file).await
    }

    /// Takes what a retired entry points at as it is now, and uses the entry again.
    pub async fn renew_memory_entry(&self, path: String) -> Result<MemoryEntry, CommandError> {
        let file = self.entry_file(&path).await?;
        self.memory_changed(Some(&path)).await?;
        self.entry_at(&file).await
    }

    /// Deletes an entry of curated memory.
    pub async fn delete_memory_entry(&self, path: String) -> Result<(), CommandError> {
        let file = self.entry_file(&path).await?;
        self.blocking(move || std::fs::remove_file(&file).map_err(|problem| of_file(&file, problem)))
            .await??;
        self.memory_changed(None).await
    }

    async fn memory_folders(&self) -> Result<Vec<PathBuf>, CommandError> {
        let folder = self.folder()?;
        self.blocking(move || memory_folders(&folder))
            .await?
            .map_err(|problem| of_library(&problem, self.texts()))
    }

    /// Whether everything that the draft points at is there.
    async fn check(&self, library: &Library, draft: &MemoryDraft) -> Result<(), CommandError> {
        if draft.title.trim().is_empty() {
            return Err(invalid(self.say(Message::RefusedTitle)));
        }
        if draft.pointers.is_empty() {
            return Err(invalid(self.say(Message::RefusedPointers)));
        }
        for pointer in &draft.pointers {
            let id = pointer.document_id.as_str();
            let unknown = || invalid(self.texts().say(Message::RefusedPointer, &[("id", id)]));
            let document = DocumentId::new(id).map_err(|_| unknown())?;
            let passages = library
                .passages(&document, &self.scope())
                .await
                .map_err(|problem| of_library(&problem, self.texts()))?;
            if passages.is_empty() {
                return Err(unknown());
            }
            let meant = pointer_to(pointer.clone());
            if let (Some(section), false) =
                (&pointer.section, passages.iter().any(|passage| meant.means(passage)))
            {
                let values = [("id", id), ("section", section.as_str())];
                return Err(invalid(self.texts().say(Message::RefusedSection, &values)));
            }
        }
        Ok(())
    }

    /// The file of an entry that is there.
    async fn entry_file(&self, path: &str) -> Result<PathBuf, CommandError> {
        let known = self.memory().await?;
        let listed = known.entries.iter().any(|entry| entry.path == path)
            || known.problems.iter().any(|problem| problem.path == path);
        let folders = self.memory_folders().await?;
        let file = folders.iter().map(|folder| folder.join(path)).find(|file| listed && file.is_file());
        file.ok_or_else(|| not_found(self.texts().say(Message::MissingEntry, &[("path", path)])))
    }

    async fn entry_at(&self, file: &Path) -> Result<MemoryEntry, CommandError> {
        let folders = self.memory_folders().await?;
        let relative = folders.iter().find_map(|folder| file.strip_prefix(folder).ok());
        let path = relative.unwrap_or(file).to_string_lossy().into_owned();
        let entry = self.memory().await?.entries.into_iter().find(|entry| entry.path == path);
        entry.ok_or_else(|| not_found(self.texts().say(Message::MissingEntry, &[("path", &path)])))
    }

    async fn memory_changed(&self, renewed: Option<&str>) -> Result<(), CommandError> {
        let folders = self.memory_folders().await?;
        if let Some(library) = self.open()?.library() {
            library
                .record_memory(&folders, renewed)
                .await
                .map_err(|problem| of_library(&problem, self.texts()))?;
        }
        self.reopen_engine().await?;
        self.tell(Broadcast::MemoryChanged);
        Ok(())
    }

    fn entry_of(&self, status: EntryStatus) -> MemoryEntry {
        let EntryStatus { entry, retired } = status;
        let retired = retired.map(|by| {
            let message = if by.gone { Message::MemoryGone } else { Message::MemoryChanged };
            let written = by.pointer.to_string();
            Retired {
                reason: self.texts().say(message, &[("pointer", &written)]),
                pointer: pointer_of(by.pointer),
            }
        });
        MemoryEntry {
            path: entry.path,
            kind: match entry.kind {
                Kind::Pinned => MemoryKind::Pinned,
                Kind::Note => MemoryKind::Note,
            },
            // The title is the first of what a question is compared with.
            phrasings: entry.phrasings.into_iter().skip(1).collect(),
            title: entry.title,
            pointers: entry.pointers.into_iter().map(pointer_of).collect(),
            text: entry.text,
            retired,
            library: entry.library,
        }
    }
}

fn pointer_of(pointer: Pointer) -> MemoryPointer {
    MemoryPointer { document_id: pointer.id, section: pointer.section }
}

fn pointer_to(pointer: MemoryPointer) -> Pointer {
    let section = pointer.section.filter(|section| !section.trim().is_empty());
    Pointer { id: pointer.document_id, section }
}

fn filled(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// A name that no file in the folder has yet.
fn unused(folder: &Path, name: &str) -> PathBuf {
    let stem = name.trim_end_matches(".md");
    let numbered = (2..).map(|number| format!("{stem}-{number}.md"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !folder.join(name).exists());
    folder.join(free.unwrap_or_else(|| name.to_owned()))
}
