use plumbline_contract::{
    CommandError, DocumentRow, DocumentView, LibraryFolder, LibraryOverview, LibraryProblem, PassageContext,
    SourceId,
};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// What the library consists of.
    pub async fn library(&self) -> Result<LibraryOverview, CommandError> {
        Err(unfinished())
    }

    /// Asks the user for a folder; nothing where they changed their mind.
    pub async fn pick_folder(&self) -> Result<Option<String>, CommandError> {
        Err(unfinished())
    }

    /// Adds a folder, or the folder of a `library.toml`, and begins to index it.
    pub async fn add_folder(&self, path: String) -> Result<LibraryFolder, CommandError> {
        let _ = path;
        Err(unfinished())
    }

    /// Takes a folder and its documents out of the library; its files stay.
    pub async fn remove_folder(&self, id: String) -> Result<(), CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// Adds the sample library and begins to index it.
    pub async fn open_sample_library(&self) -> Result<LibraryFolder, CommandError> {
        Err(unfinished())
    }

    /// Compares all folders with the index and brings it up to date.
    pub async fn start_indexing(&self) -> Result<(), CommandError> {
        Err(unfinished())
    }

    /// Stops indexing; what is done stays.
    pub async fn stop_indexing(&self) -> Result<(), CommandError> {
        Err(unfinished())
    }

    /// What is wrong or was guessed about files.
    pub async fn problems(&self) -> Result<Vec<LibraryProblem>, CommandError> {
        Err(unfinished())
    }

    /// All documents that the user may see, by type, number and title.
    pub async fn documents(&self) -> Result<Vec<DocumentRow>, CommandError> {
        Err(unfinished())
    }

    /// One document with its passages.
    pub async fn document(&self, id: String) -> Result<DocumentView, CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// One passage between its neighbours.
    pub async fn passage(&self, source_id: SourceId) -> Result<PassageContext, CommandError> {
        let _ = source_id;
        Err(unfinished())
    }

    /// Opens a document's file in the system's own program.
    pub async fn open_document(&self, id: String) -> Result<(), CommandError> {
        let _ = id;
        Err(unfinished())
    }
}
