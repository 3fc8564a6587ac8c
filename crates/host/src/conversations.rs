use plumbline_contract::{CommandError, Conversation, ConversationFormat, ConversationSummary};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// The conversations, latest first; those that hold the text where one is given.
    pub async fn conversations(
        &self,
        search: Option<String>,
    ) -> Result<Vec<ConversationSummary>, CommandError> {
        let _ = search;
        Err(unfinished())
    }

    /// One conversation.
    pub async fn conversation(&self, id: String) -> Result<Conversation, CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// Begins a conversation.
    pub async fn create_conversation(&self) -> Result<ConversationSummary, CommandError> {
        Err(unfinished())
    }

    /// Renames a conversation.
    pub async fn rename_conversation(&self, id: String, title: String) -> Result<(), CommandError> {
        let _ = id;
        let _ = title;
        Err(unfinished())
    }

    /// Deletes a conversation; it can be restored until the program ends.
    pub async fn delete_conversation(&self, id: String) -> Result<(), CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// Takes a deletion back.
    pub async fn restore_conversation(&self, id: String) -> Result<(), CommandError> {
        let _ = id;
        Err(unfinished())
    }

    /// Asks where to, and writes a conversation there; the path, or nothing where the user changed their mind.
    pub async fn export_conversation(
        &self,
        id: String,
        format: ConversationFormat,
    ) -> Result<Option<String>, CommandError> {
        let _ = id;
        let _ = format;
        Err(unfinished())
    }
}
