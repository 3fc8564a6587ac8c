//! Conversations, in the store.

use plumbline_contract::ConversationSummary;
use rusqlite::{OptionalExtension, Row, params};

use super::{History, HistoryError};
use crate::search::excerpt_around;

const SUMMARY: &str =
    "SELECT id, title, updated_at, (SELECT count(*) FROM turn WHERE conversation = conversation.id)
     FROM conversation WHERE NOT deleted";

fn summary(row: &Row<'_>) -> rusqlite::Result<ConversationSummary> {
    Ok(ConversationSummary {
        id: row.get(0)?,
        title: row.get(1)?,
        updated_at: row.get(2)?,
        turns: row.get(3)?,
        excerpt: None,
    })
}

impl History {
    /// Begins a conversation.
    pub fn create(&self, id: &str, now: &str) -> Result<ConversationSummary, HistoryError> {
        self.lock()
            .execute("INSERT INTO conversation (id, title, updated_at) VALUES (?1, '', ?2)", [id, now])?;
        Ok(ConversationSummary {
            id: id.to_owned(),
            title: String::new(),
            updated_at: now.to_owned(),
            turns: 0,
            excerpt: None,
        })
    }

    /// A conversation that was not deleted.
    pub fn conversation(&self, id: &str) -> Result<Option<ConversationSummary>, HistoryError> {
        let sql = format!("{SUMMARY} AND id = ?1");
        Ok(self.lock().query_row(&sql, [id], summary).optional()?)
    }

    /// The conversations in which something was asked, latest first; those that hold the text where one is given.
    pub fn conversations(&self, search: Option<&str>) -> Result<Vec<ConversationSummary>, HistoryError> {
        let sql =
            format!("{SUMMARY} AND id IN (SELECT conversation FROM turn) ORDER BY updated_at DESC, id DESC");
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&sql)?;
        let all = statement.query_map([], summary)?.collect::<Result<Vec<_>, _>>()?;
        let Some(wanted) = search.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(all) };
        let mut texts = connection
            .prepare_cached("SELECT question, answer FROM turn WHERE conversation = ?1 ORDER BY position")?;
        let mut found = Vec::new();
        for one in all {
            let mut excerpt = excerpt_around(&one.title, wanted);
            let mut rows = texts.query([&one.id])?;
            while excerpt.is_none()
                && let Some(row) = rows.next()?
            {
                let (question, answer): (String, String) = (row.get(0)?, row.get(1)?);
                excerpt = excerpt_around(&question, wanted).or_else(|| excerpt_around(&answer, wanted));
            }
            if excerpt.is_some() {
                found.push(ConversationSummary { excerpt, ..one });
            }
        }
        Ok(found)
    }

    /// Renames a conversation; whether there is one.
    pub fn rename(&self, id: &str, title: &str) -> Result<bool, HistoryError> {
        let sql = "UPDATE conversation SET title = ?2 WHERE id = ?1 AND NOT deleted";
        Ok(self.lock().execute(sql, [id, title])? > 0)
    }

    /// Deletes a conversation or takes that back; whether there was one to do it to.
    pub fn set_deleted(&self, id: &str, deleted: bool) -> Result<bool, HistoryError> {
        let sql = "UPDATE conversation SET deleted = ?2 WHERE id = ?1 AND deleted <> ?2";
        Ok(self.lock().execute(sql, params![id, deleted])? > 0)
    }
}
