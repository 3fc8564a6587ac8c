//! The terms of the vocabulary about something: their labels, each with its definition as citation.

use super::definition::{citation_of, definition_of, from_vocabulary};
use super::services::Services;
use super::step::{Step, respond};
use super::terminology::define;
use super::turn::Turn;
use crate::intent::term_readings;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::Concept;
use crate::response::{Action, AskResponse, Definition};

/// All terms about a topic. Where the vocabulary can tell no more than one, the topic is looked up as a term: its definition comes with
/// what is narrower. What it gives is as [`define`] says.
pub(super) async fn terms_about(
    services: &Services,
    turn: &mut Turn<'_>,
    question: &str,
    topic: &str,
) -> Step<Option<String>> {
    let Some(vocabulary) = services.ports.vocabulary.clone() else { return Step::Continue(None) };
    let limit = numbers().intent.listed_terms;
    let readings = term_readings(topic, turn.language);
    let mut about = readings.iter().map(|reading| vocabulary.concepts_about(reading, turn.language, limit));
    match about.find(|concepts| concepts.len() > 1) {
        Some(concepts) => {
            turn.destination("skosmos");
            respond(listed(turn, topic, concepts))
        }
        None => define(services, turn, question, topic, None).await,
    }
}

fn listed(turn: &mut Turn<'_>, topic: &str, concepts: Vec<Concept>) -> AskResponse {
    let of = |concept| definition_of(topic, concept, turn.language);
    let definitions: Vec<Definition> = concepts.into_iter().map(of).collect();
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
