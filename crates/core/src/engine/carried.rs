//! A question that nothing answers by itself may go on about what the conversation is about, without a word that says so.

use super::answers::likeliest;
use super::services::Services;
use super::step::{OrEnd, Step, outcome, respond};
use super::turn::Turn;
use super::{conclude, drafted, route};
use crate::intent::{Intent, IntentKind, classify};
use crate::numbers::numbers;
use crate::ports::Scope;
use crate::request::AskRequest;
use crate::response::{Action, AskResponse};

/// Where the documents do not answer, the record that was spoken of last is asked; what it does not surely tell stays refused.
pub(super) async fn or_carried_on(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    intent: &Intent,
    scope: &Scope,
    response: AskResponse,
) -> Step<AskResponse> {
    let is_open = matches!(intent.kind, IntentKind::Semantic | IntentKind::Unclear { .. });
    let carried = intent.question.carried_on(&request.chat_history);
    let Some(carried) = carried.filter(|_| is_open && response.refused) else {
        return Step::Continue(response);
    };
    let again = of_record(services, turn, request, &classify(carried, true), scope, response.clone()).await;
    let again = outcome(again).or_end()?;
    if again.action == Action::Cite {
        return Step::Continue(again);
    }
    // It may have been shown what is not the answer.
    turn.replace_shown(&response.answer);
    Step::Continue(response)
}

async fn of_record(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    intent: &Intent,
    scope: &Scope,
    refusal: AskResponse,
) -> Step<AskResponse> {
    let records = route(services, turn, request, intent, scope).await?;
    // What a model writes is on the screen before it is known whether the record tells.
    if services.writer(request).is_some() {
        return respond(refusal);
    }
    let question = intent.question.clone();
    let (gated, draft) = drafted(services, turn, request, question, scope, &records).await?;
    let tells = !gated.evidence.told.is_empty() || likeliest(&gated.kept) >= numbers().compose.answers_too;
    if !tells {
        return respond(refusal);
    }
    conclude(services, turn, scope, &gated, draft).await
}
