use plumbline_contract::{CommandError, CuratedMemory, MemoryDraft, MemoryEntry};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// The curated memory.
    pub async fn memory(&self) -> Result<CuratedMemory, CommandError> {
        Err(unfinished())
    }

    /// Writes an entry of curated memory, with the hashes of what it points at now.
    pub async fn save_memory_entry(&self, draft: MemoryDraft) -> Result<MemoryEntry, CommandError> {
        let _ = draft;
        Err(unfinished())
    }

    /// Takes what a retired entry points at as it is now, and uses the entry again.
    pub async fn renew_memory_entry(&self, path: String) -> Result<MemoryEntry, CommandError> {
        let _ = path;
        Err(unfinished())
    }

    /// Deletes an entry of curated memory.
    pub async fn delete_memory_entry(&self, path: String) -> Result<(), CommandError> {
        let _ = path;
        Err(unfinished())
    }
}
