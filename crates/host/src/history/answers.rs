//! Questions and what became of them, in the store.

use plumbline_contract::{CitedIn, Feedback, Turn, TurnOutcome};
use plumbline_core::domain::Collection;
use plumbline_core::request::Choice;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{History, HistoryError};

/// A question as it is taken.
pub(crate) struct NewTurn {
    pub id: String,
    pub conversation: String,
    pub asked_at: String,
    pub question: String,
    pub choice: Option<Choice>,
    pub collections: Vec<Collection>,
}

/// What became of it, and when.
pub(crate) struct KeptOutcome {
    pub outcome: TurnOutcome,
    /// The documents that were cited.
    pub sources: Vec<Source>,
    pub at: String,
    /// The turn that makes way for this one, with all after it.
    pub replaces: Option<String>,
}

/// A document as it was when it was cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Source {
    pub document: String,
    pub title: String,
    pub sha256: String,
}

/// What was chosen along with a question, as it is stored.
#[derive(Serialize, Deserialize)]
struct QuestionOptions {
    choice: Option<Choice>,
    collections: Vec<Collection>,
}

impl History {
    /// Takes a question: should the program end before it is answered, it is not forgotten.
    pub fn begin_turn(&self, turn: &NewTurn) -> Result<(), HistoryError> {
        let options = QuestionOptions { choice: turn.choice.clone(), collections: turn.collections.clone() };
        self.lock().execute(
            "INSERT INTO turn (id, conversation, position, asked_at, question, answer, asked)
             SELECT ?1, ?2, coalesce(max(position), 0) + 1, ?3, ?4, '', ?5 FROM turn WHERE conversation = ?2",
            params![
                turn.id,
                turn.conversation,
                turn.asked_at,
                turn.question,
                serde_json::to_string(&options)?
            ],
        )?;
        Ok(())
    }

    /// Keeps what became of a question. When this returns, it is on disk.
    pub fn end_turn(&self, id: &str, kept: &KeptOutcome) -> Result<(), HistoryError> {
        let mut connection = self.lock();
        let change = connection.transaction()?;
        let place: Option<(String, String)> = change
            .query_row("SELECT conversation, question FROM turn WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        // A conversation that was deleted for good meanwhile keeps nothing.
        let Some((conversation, question)) = place else { return Ok(()) };
        if let Some(replaced) = &kept.replaces {
            change.execute(
                "DELETE FROM turn WHERE conversation = ?1 AND id <> ?2
                 AND position >= (SELECT position FROM turn WHERE id = ?3 AND conversation = ?1)",
                [&conversation, id, replaced],
            )?;
        }
        let answer = match &kept.outcome {
            TurnOutcome::Answered { response } => response.answer.as_str(),
            TurnOutcome::Stopped { text } => text,
            TurnOutcome::Failed { .. } | TurnOutcome::Interrupted => "",
        };
        change.execute(
            "UPDATE turn SET outcome = ?2, answer = ?3 WHERE id = ?1",
            [id, &serde_json::to_string(&kept.outcome)?, answer],
        )?;
        for source in &kept.sources {
            change.execute(
                "INSERT OR REPLACE INTO source VALUES (?1, ?2, ?3, ?4)",
                [id, &source.document, &source.title, &source.sha256],
            )?;
        }
        change.execute(
            "UPDATE conversation SET updated_at = ?2, title = CASE title WHEN '' THEN ?3 ELSE title END
             WHERE id = ?1",
            [&conversation, &kept.at, question.trim()],
        )?;
        Ok(change.commit()?)
    }

    /// The turns of a conversation, oldest first, with what was cited in each. Those in `running` are left out: they are
    /// still being answered.
    pub fn turns(
        &self,
        conversation: &str,
        running: &[String],
    ) -> Result<Vec<(Turn, Vec<Source>)>, HistoryError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT id, asked_at, question, asked, outcome, feedback FROM turn WHERE conversation = ?1
             ORDER BY position",
        )?;
        let rows = statement.query_map([conversation], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
                row.get::<_, Option<String>>(4)?,
                row.get::<_, Option<String>>(5)?,
            ))
        })?;
        let mut turns = Vec::new();
        for row in rows {
            let (id, asked_at, question, options, outcome, feedback) = row?;
            if running.contains(&id) {
                continue;
            }
            let options: QuestionOptions = serde_json::from_str(&options)?;
            let outcome = outcome.map(|outcome| serde_json::from_str(&outcome)).transpose()?;
            let sources = sources_of(&connection, &id)?;
            let turn = Turn {
                id,
                asked_at,
                question,
                choice: options.choice,
                collections: options.collections,
                outcome: outcome.unwrap_or(TurnOutcome::Interrupted),
                feedback: feedback.map(|feedback| serde_json::from_str(&feedback)).transpose()?,
                changed_sources: Vec::new(),
            };
            turns.push((turn, sources));
        }
        Ok(turns)
    }

    /// Keeps a rating or takes it back; what it was before, or nothing where there is no such answer.
    pub fn set_feedback(
        &self,
        conversation: &str,
        turn: &str,
        feedback: Option<&Feedback>,
    ) -> Result<Option<Option<Feedback>>, HistoryError> {
        let connection = self.lock();
        let before: Option<Option<String>> = connection
            .query_row(
                "SELECT feedback FROM turn WHERE id = ?1 AND conversation = ?2 AND outcome IS NOT NULL",
                [turn, conversation],
                |row| row.get(0),
            )
            .optional()?;
        let Some(before) = before else { return Ok(None) };
        let feedback = feedback.map(serde_json::to_string).transpose()?;
        connection.execute("UPDATE turn SET feedback = ?2 WHERE id = ?1", params![turn, feedback])?;
        Ok(Some(before.map(|before| serde_json::from_str(&before)).transpose()?))
    }

    /// Where a document was cited, latest first.
    pub fn cited_in(&self, document: &str) -> Result<Vec<CitedIn>, HistoryError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT turn.conversation, turn.id, turn.question, turn.asked_at FROM source
             JOIN turn ON turn.id = source.turn JOIN conversation ON conversation.id = turn.conversation
             WHERE source.document = ?1 AND NOT conversation.deleted ORDER BY turn.asked_at DESC",
        )?;
        let rows = statement.query_map([document], |row| {
            Ok(CitedIn {
                conversation_id: row.get(0)?,
                turn_id: row.get(1)?,
                question: row.get(2)?,
                asked_at: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn sources_of(connection: &Connection, turn: &str) -> Result<Vec<Source>, HistoryError> {
    let mut statement = connection
        .prepare_cached("SELECT document, title, sha256 FROM source WHERE turn = ?1 ORDER BY document")?;
    let rows = statement.query_map([turn], |row| {
        Ok(Source { document: row.get(0)?, title: row.get(1)?, sha256: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
