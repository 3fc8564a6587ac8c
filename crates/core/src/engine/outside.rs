//! The model's own knowledge, where the library does not answer and the user has allowed it.

use std::time::Duration;

use futures::StreamExt;

use super::blank::blank;
use super::services::Services;
use super::turn::Turn;
use crate::answer::gauntlet::{Gauntlet, Minted, Piece};
use crate::intent::Question;
use crate::messages::{Message, Messages};
use crate::ports::{ChatPiece, ChatRequest, LanguageModel, ModelError};
use crate::prompt::outside_messages;
use crate::request::AskRequest;
use crate::response::{Action, AskResponse, RefusalReason};

/// Where the library does not answer and the user has allowed it: the model's own knowledge, with a fixed
/// disclaimer and no citation. Everywhere else the response stays as it is.
pub(super) async fn or_outside(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    question: &Question,
    response: AskResponse,
) -> AskResponse {
    let outside_library = matches!(
        response.refusal_reason,
        Some(RefusalReason::NoResults | RefusalReason::LowConfidence | RefusalReason::OffTopic)
    );
    let settings = &services.settings();
    // A model that has just failed is not asked a second time.
    let failed = turn.context.fallback_flags().iter().any(|flag| flag == "extractive");
    let name = request.model.clone().or_else(|| settings.models.answer.clone());
    let (Some(name), Some(model)) = (name, services.ports.model.clone()) else { return response };
    let Some(allowance) = settings
        .models
        .allow
        .get(&name)
        .filter(|_| outside_library && settings.general.outside_knowledge && !failed)
    else {
        return response;
    };
    let limit = Duration::from_secs(settings.models.timeout_seconds);
    let chat = ChatRequest {
        model: name.clone(),
        messages: outside_messages(&request.chat_history, &question.text, question.language),
        num_ctx: allowance.context_window,
        num_predict: allowance.max_response,
        temperature: settings.models.temperature,
        seed: settings.models.seed,
        first_token: limit,
        between_tokens: limit,
    };
    // Nothing rests on it, so a failure leaves the refusal as it was.
    let Ok(text) = own_knowledge(model.as_ref(), chat, limit).await else { return response };
    let disclaimer = Messages::of(turn.language).text(Message::OutsideDisclaimer, &[]);
    let mut outside = blank(turn, Action::Outside);
    outside.answer = format!("{disclaimer}\n\n{}", text.trim());
    outside.model_used = Some(name);
    outside.nearest = response.nearest;
    outside.suggestions = response.suggestions;
    turn.show_whole(&outside);
    outside
}

async fn own_knowledge(
    model: &dyn LanguageModel,
    chat: ChatRequest,
    limit: Duration,
) -> Result<String, ModelError> {
    // No alias is minted, so no marker of any shape survives.
    let mut gauntlet = Gauntlet::new(Minted::default());
    let mut pieces: Vec<Piece> = Vec::new();
    let mut stream =
        tokio::time::timeout(limit, model.chat(chat)).await.unwrap_or(Err(ModelError::Timeout(limit)))?;
    loop {
        match tokio::time::timeout(limit, stream.next()).await.map_err(|_| ModelError::Timeout(limit))? {
            Some(Ok(ChatPiece::Text(text))) => pieces.extend(gauntlet.push(text.as_bytes())),
            Some(Ok(ChatPiece::Done(_))) => break,
            Some(Err(problem)) => return Err(problem),
            None => return Err(ModelError::Broken(Message::ModelStreamEnded.into())),
        }
    }
    pieces.extend(gauntlet.finish().0);
    let text: String = pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Cite(_) => String::new(),
        })
        .collect();
    if text.trim().is_empty() { Err(ModelError::Broken(Message::ModelEmptyReply.into())) } else { Ok(text) }
}
