//! The terms of the vocabulary about something: their labels, each with its definition as citation.

use super::definition::{Meaning, citation_of, defined, definition_of, from_vocabulary};
use super::reason::Outcome;
use super::services::Services;
use super::step::{Step, respond};
use super::terminology::not_verified;
use super::turn::Turn;
use crate::intent::term_readings;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::VocabularyError;
use crate::response::{Action, AskResponse, Definition, Stage};

/// All terms about a topic, or the definition of the only one. It goes on to the documents where there is no vocabulary or none of its terms is about it.
pub(super) async fn terms_about(services: &Services, turn: &mut Turn<'_>, topic: &str) -> Step<()> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(()) };
    let started = turn.begin(Stage::Vocabulary);
    let limit = numbers().intent.listed_terms;
    for reading in term_readings(topic, turn.language) {
        let asked = vocabulary.concepts_about(&reading, turn.language, limit);
        let within = services.settings().vocabulary.timeout_ms;
        let found = tokio::time::timeout(std::time::Duration::from_millis(within), asked)
            .await
            .unwrap_or(Err(VocabularyError::Timeout(within)));
        match found {
            Ok(mut concepts) if concepts.len() == 1 => {
                turn.end(started, Outcome::Ok);
                turn.destination("skosmos");
                let concept = concepts.remove(0);
                return respond(defined(
                    turn,
                    Meaning { term: concept.preferred_label.clone(), concept, schemes: Vec::new() },
                ));
            }
            Ok(concepts) if concepts.is_empty() => {}
            Ok(concepts) => {
                turn.end(started, Outcome::Ok);
                turn.destination("skosmos");
                let of = |concept| definition_of(&reading, concept, turn.language);
                let definitions: Vec<Definition> = concepts.into_iter().map(of).collect();
                return respond(listed(turn, topic, &definitions));
            }
            Err(problem) => {
                turn.end(started, Outcome::failed(problem.clone()));
                return respond(not_verified(services, turn, topic, &problem));
            }
        }
    }
    turn.end(started, Outcome::Ok);
    Step::Continue(())
}

fn listed(turn: &mut Turn<'_>, topic: &str, definitions: &[Definition]) -> AskResponse {
    let mut response = from_vocabulary(turn, Action::Cite);
    let count = definitions.len().to_string();
    let heading = Messages::of(turn.language).text(Message::ListTerms, &[("n", &count), ("topic", topic)]);
    let rows =
        definitions.iter().zip(1..).map(|(term, number)| format!("- {} [{number}]", term.preferred_label));
    response.answer = std::iter::once(heading).chain(rows).collect::<Vec<_>>().join("\n");
    response.citations =
        definitions.iter().zip(1..).filter_map(|(term, number)| citation_of(term, number)).collect();
    turn.show_whole(&response);
    response
}
