//! What a question is about beyond its words: names that few passages of the library speak of, and records of the conversation before it.

use super::services::Services;
use crate::domain::DocumentId;
use crate::error::AskError;
use crate::intent::Question;
use crate::numbers::numbers;
use crate::ports::{Hit, LexicalQuery, Scope, TermStatistic};
use crate::text::Writing;

/// The words that the library writes as names, and in few passages, with those passages. Questions are typed without capitals as often
/// as with them, so the library's own writing decides.
pub(super) async fn names(
    services: &Services,
    question: &Question,
    statistics: &[TermStatistic],
    vector: Option<&[f32]>,
    scope: &Scope,
) -> (Vec<String>, Vec<Hit>) {
    let numbers = &numbers().retrieval;
    let is_rare = |held: u64| (1..=numbers.name_passages as u64).contains(&held);
    let mut rare: Vec<(u64, &String)> =
        statistics.iter().map(|statistic| statistic.document_frequency).zip(&question.words).collect();
    rare.retain(|(held, _)| is_rare(*held));
    rare.sort_by_key(|(held, _)| *held);
    rare.truncate(numbers.most_names);
    let (mut names, mut passages) = (Vec::new(), Vec::new());
    for (_, word) in rare {
        let query = LexicalQuery { text: word.clone(), language: question.language };
        let search = services.ports.index.lexical(&query, vector, scope, numbers.name_passages);
        let Ok(hits) = services.within_deadline("names", search).await else { break };
        // Among texts in another language a word of the question's own looks like a name: it stands in few, and as part of a title.
        // A question too short to tell its language is at home nowhere for sure, and loses more by a false name than by a missed one.
        let is_at_home = |hit: &Hit| hit.chunk.language == question.language;
        if !hits.iter().any(is_at_home) {
            continue;
        }
        let writings = hits.iter().map(|hit| Writing::of(&hit.chunk.text, word, hit.chunk.language));
        if writings.fold(Writing::default(), Writing::and).is_name() {
            names.push(word.clone());
            // One word of the question says nothing of how many of its words a passage holds.
            passages.extend(hits.into_iter().map(|hit| Hit { lexical: None, ..hit }));
        }
    }
    (names, passages)
}

/// The passages of the records that the conversation was about.
pub(super) async fn recalled(
    services: &Services,
    question: &Question,
    vector: Option<&[f32]>,
    scope: &Scope,
) -> Result<Vec<Hit>, AskError> {
    let mut ids: Vec<DocumentId> = Vec::new();
    for reference in &question.recalled {
        if let [document] = services.ports.catalogue.resolve(reference, scope).await?.as_slice() {
            ids.push(document.id.clone());
        }
    }
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let passages = services.ports.index.address(&ids, vector, scope);
    Ok(services.within_deadline("address", passages).await.unwrap_or_default())
}
