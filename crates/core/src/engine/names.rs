//! Which words of a question are names in the library: of systems, products, programmes that few of its passages speak of.

use super::services::Services;
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
        let writings = hits.iter().map(|hit| Writing::of(&hit.chunk.text, word, hit.chunk.language));
        if writings.fold(Writing::default(), Writing::and).is_name() {
            names.push(word.clone());
            // One word of the question says nothing of how many of its words a passage holds.
            passages.extend(hits.into_iter().map(|hit| Hit { lexical: None, ..hit }));
        }
    }
    (names, passages)
}
