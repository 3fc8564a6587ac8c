//! What the assistant says of itself and its library. No passage and no model take part.

mod privacy;

use super::blank::blank;
use super::refuse::what_there_is;
use super::services::Services;
use super::turn::Turn;
use crate::domain::{About, DocumentFilter, Kind};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::ports::{Scope, Vocabulary};
use crate::request::AskRequest;
use crate::response::{Action, AnswerSource, AskResponse};

/// The kinds of document that a library is made of, in the order of lists.
const KINDS: [Kind; 5] = [Kind::Adr, Kind::Dar, Kind::Principle, Kind::Policy, Kind::Document];

/// What is asked about the assistant, each in a paragraph of its own.
pub(super) async fn about(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    what: &[About],
    scope: &Scope,
) -> Result<AskResponse, AskError> {
    turn.destination("plumbline");
    let mut paragraphs = Vec::new();
    for topic in what {
        paragraphs.push(told(services, turn, request, *topic, scope).await?);
    }
    let mut response = blank(turn, Action::Cite);
    response.source = AnswerSource::Plumbline;
    response.answer = paragraphs.join("\n\n");
    // Whoever says thanks is not looking for the next question.
    if what != [About::Thanks] {
        let collections = services.ports.catalogue.collections(scope).await?;
        let held: Vec<String> = collections.iter().map(|held| held.as_str().to_owned()).collect();
        response.suggestions = what_there_is(&held, turn.language);
    }
    turn.show(response.answer.clone());
    Ok(response)
}

async fn told(
    services: &Services,
    turn: &Turn<'_>,
    request: &AskRequest,
    topic: About,
    scope: &Scope,
) -> Result<String, AskError> {
    let messages = Messages::of(turn.language);
    let say = |message| messages.text(message, &[]);
    let vocabulary = services.ports.vocabulary.as_deref();
    Ok(match topic {
        About::Greeting => format!("{} {}", say(Message::AboutGreeting), say(Message::AboutAbilities)),
        About::Thanks => say(Message::AboutThanks),
        About::Identity => {
            format!("{} {}", say(Message::AboutIdentity), library(services, turn, scope).await?)
        }
        About::Abilities if vocabulary.is_some() => {
            format!("{} {}", say(Message::AboutAbilities), say(Message::AboutAbilitiesTerms))
        }
        About::Abilities => say(Message::AboutAbilities),
        About::Trust => say(Message::AboutTrust),
        About::Library => library(services, turn, scope).await?,
        About::Vocabulary => terms(turn, vocabulary),
        About::Model => match services.writer(request) {
            Some((model, _)) => {
                let address = services.settings().models.address();
                messages.text(Message::AboutModel, &[("model", &model), ("address", address)])
            }
            None => say(Message::AboutNoModel),
        },
        About::Privacy => privacy::privacy(services, turn.language),
        About::Version => messages.text(Message::AboutVersion, &[("version", env!("CARGO_PKG_VERSION"))]),
        About::Unfinished => say(Message::AboutUnfinished),
    })
}

/// How many documents of each kind the user may see.
async fn library(services: &Services, turn: &Turn<'_>, scope: &Scope) -> Result<String, AskError> {
    let messages = Messages::of(turn.language);
    let mut held = Vec::new();
    for kind in KINDS {
        let filter = DocumentFilter { kinds: vec![kind], ..DocumentFilter::default() };
        let count = services.ports.catalogue.list(&filter, scope).await?.len();
        if count > 0 {
            held.push(messages.text(Message::of_kind(kind), &[("n", &count.to_string())]));
        }
    }
    Ok(match held.as_slice() {
        [] => messages.text(Message::LibraryEmpty, &[]),
        held => messages.text(Message::AboutLibrary, &[("what", &messages.all_of(held))]),
    })
}

/// What the vocabulary tells of itself.
fn terms(turn: &Turn<'_>, vocabulary: Option<&dyn Vocabulary>) -> String {
    let messages = Messages::of(turn.language);
    let Some(vocabulary) = vocabulary else { return messages.text(Message::AboutNoVocabulary, &[]) };
    let holdings = vocabulary.holdings(turn.language);
    let held = match holdings.concepts {
        Some(count) => {
            let what = messages.text(Message::of_kind(Kind::Vocabulary), &[("n", &count.to_string())]);
            messages.text(Message::AboutVocabulary, &[("what", &what)])
        }
        None => messages.text(Message::AboutVocabularyServer, &[]),
    };
    if holdings.schemes.is_empty() {
        return held;
    }
    let schemes = messages.all_of(&holdings.schemes);
    format!("{held} {}", messages.text(Message::AboutSchemes, &[("schemes", &schemes)]))
}
