//! The view of conversations: listed, renamed, deleted, restored and exported.

use std::collections::BTreeMap;

use plumbline_contract::{
    Broadcast, ChangedSource, CommandError, Conversation, ConversationFormat, ConversationSummary, Turn,
    TurnOutcome,
};
use plumbline_core::messages::Message;
use uuid::Uuid;

use crate::Host;
use crate::clock::now;
use crate::error::{invalid, not_found};
use crate::export;
use crate::history::Source;
use crate::locks::lock;

impl Host {
    /// The conversations, latest first; those that hold the text where one is given.
    pub async fn conversations(
        &self,
        search: Option<String>,
    ) -> Result<Vec<ConversationSummary>, CommandError> {
        let history = self.history()?;
        self.blocking(move || Ok(history.conversations(search.as_deref())?)).await?
    }

    /// One conversation.
    pub async fn conversation(&self, id: String) -> Result<Conversation, CommandError> {
        let (summary, turns) = self.kept(id).await?;
        let cited = turns.iter().flat_map(|(_, sources)| sources).map(|source| source.document.as_str());
        let hashes = self.document_hashes(cited).await.ok();
        let told = |(turn, sources): (Turn, Vec<Source>)| Turn {
            // While the library is being opened nothing is known to have changed.
            changed_sources: hashes.as_ref().map(|hashes| changed(sources, hashes)).unwrap_or_default(),
            ..turn
        };
        Ok(Conversation { summary, history: turns.into_iter().map(told).collect() })
    }

    /// Begins a conversation.
    pub async fn create_conversation(&self) -> Result<ConversationSummary, CommandError> {
        Ok(self.history()?.create(&format!("conv-{}", Uuid::new_v4()), &now())?)
    }

    /// Renames a conversation.
    pub async fn rename_conversation(&self, id: String, title: String) -> Result<(), CommandError> {
        if title.trim().is_empty() {
            return Err(invalid(self.say(Message::RefusedTitle)));
        }
        if !self.history()?.rename(&id, title.trim())? {
            return Err(not_found(self.say(Message::MissingConversation)));
        }
        self.tell(Broadcast::ConversationsChanged);
        Ok(())
    }

    /// Deletes a conversation; it can be restored until the program ends.
    pub async fn delete_conversation(&self, id: String) -> Result<(), CommandError> {
        if !self.history()?.set_deleted(&id, true)? {
            return Err(not_found(self.say(Message::MissingConversation)));
        }
        for answer in lock(&self.inner.answers).values().filter(|answer| answer.conversation == id) {
            answer.stop.cancel();
        }
        self.tell(Broadcast::ConversationsChanged);
        Ok(())
    }

    /// Takes a deletion back.
    pub async fn restore_conversation(&self, id: String) -> Result<(), CommandError> {
        if !self.history()?.set_deleted(&id, false)? {
            return Err(not_found(self.say(Message::MissingDeleted)));
        }
        self.tell(Broadcast::ConversationsChanged);
        Ok(())
    }

    /// Asks where to, and writes a conversation there; the path, or nothing where the user changed their mind.
    pub async fn export_conversation(
        &self,
        id: String,
        format: ConversationFormat,
    ) -> Result<Option<String>, CommandError> {
        let (summary, turns) = self.kept(id).await?;
        let (text, ending) = match format {
            ConversationFormat::Markdown => (export::markdown(&summary, &turns, self.texts()), "md"),
            ConversationFormat::EvidencePack => (export::evidence_pack(&summary, &turns, &now()), "json"),
        };
        self.save(&format!("{}.{ending}", export::file_stem(&summary.title)), text).await
    }

    async fn kept(
        &self,
        id: String,
    ) -> Result<(ConversationSummary, Vec<(Turn, Vec<Source>)>), CommandError> {
        let history = self.history()?;
        let running = self.running_turns();
        let kept = self.blocking(move || -> Result<_, CommandError> {
            let Some(summary) = history.conversation(&id)? else { return Ok(None) };
            Ok(Some((summary, history.turns(&id, &running)?)))
        });
        let (summary, mut turns) =
            kept.await??.ok_or_else(|| not_found(self.say(Message::MissingConversation)))?;
        // Errors are read in the language of now, not of when they were kept.
        for (turn, _) in &mut turns {
            if let TurnOutcome::Failed { error } = &mut turn.outcome {
                *error = error.clone().in_language(self.texts().language);
            }
        }
        Ok((summary, turns))
    }
}

/// The cited documents that are not what they were.
fn changed(sources: Vec<Source>, hashes: &BTreeMap<String, String>) -> Vec<ChangedSource> {
    let changed = sources.into_iter().filter_map(|source| {
        let now = hashes.get(&source.document);
        (now != Some(&source.sha256)).then(|| ChangedSource {
            removed: now.is_none(),
            document_id: source.document,
            title: source.title,
        })
    });
    changed.collect()
}
