//! The token budget: what goes to a model, and what is left out first when it does not all fit.

mod counter;

#[cfg(test)]
mod tests;

pub use counter::EstimatingCounter;

use crate::error::AskError;
use crate::numbers::numbers;
use crate::ports::{ModelInfo, TokenCounter};
use crate::request::{ChatMessage, Role};
use crate::settings::{BudgetSettings, ModelAllowance};

/// How a model's context window is shared out, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLimits {
    /// Prompt and reply together.
    pub context_window: usize,
    /// Kept free for the reply.
    pub max_response: usize,
    /// The conversation so far, at most.
    pub max_history: usize,
    /// Passages, at most.
    pub max_context: usize,
    /// Kept free for the system prompt, at the least.
    pub system_prompt: usize,
}

impl TokenLimits {
    /// The limits of a model: the smallest of what the settings, the allowlist and the server give.
    pub fn new(budget: &BudgetSettings, allowed: ModelAllowance, server: Option<ModelInfo>) -> Self {
        let window = server.map_or(usize::MAX, |info| info.context_window);
        let response = server.map_or(usize::MAX, |info| info.max_response);
        Self {
            context_window: allowed.context_window.min(window),
            max_response: budget.max_response_tokens.min(allowed.max_response).min(response),
            max_history: budget.max_history_tokens,
            max_context: budget.max_context_tokens,
            system_prompt: budget.system_prompt_tokens,
        }
    }
}

/// A passage that asks for room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BudgetChunk<'a> {
    /// The passage as the model will read it, with fence and header.
    pub text: &'a str,
    /// How good it is; the worst go first.
    pub score: f32,
}

/// What goes to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The end of the conversation, oldest first.
    pub history: Vec<ChatMessage>,
    /// Which passages go, as positions in the given order.
    pub kept: Vec<usize>,
    /// Tokens of the history.
    pub history_tokens: usize,
    /// Tokens of the passages.
    pub context_tokens: usize,
    /// Tokens of the whole prompt, with what is kept free for the system prompt.
    pub prompt_tokens: usize,
    /// Tokens that will really be sent, which is what a server's count is compared with.
    pub sent_tokens: usize,
}

/// Shares out a model's context window.
///
/// System prompt and question are never cut and the reply's share is kept free. Of what is left, the history gets a
/// part at most, its oldest messages going first; passages get the rest, the lowest-scored going first.
pub fn allocate(
    counter: &dyn TokenCounter,
    model: &str,
    limits: &TokenLimits,
    system_prompt: &str,
    question: &str,
    history: &[ChatMessage],
    chunks: &[BudgetChunk<'_>],
) -> Result<Allocation, AskError> {
    let count = |text: &str| counter.count(model, text);
    let system_sent = count(system_prompt) + numbers().budget.message_overhead;
    let system_tokens = system_sent.max(limits.system_prompt);
    let question_tokens = count(question) + numbers().budget.message_overhead;
    let fixed = system_tokens.saturating_add(question_tokens).saturating_add(limits.max_response);
    let exceeded = |needed: usize| AskError::TokenBudgetExceeded {
        model: model.to_owned(),
        needed,
        available: limits.context_window,
    };
    let available = limits.context_window.checked_sub(fixed).ok_or_else(|| exceeded(fixed))?;

    let (history, history_tokens) =
        fit_history(&count, history, (available / numbers().budget.history_part).min(limits.max_history));
    let room = (available - history_tokens).min(limits.max_context);
    let sizes: Vec<usize> = chunks.iter().map(|chunk| count(chunk.text)).collect();
    let (kept, context_tokens) = fit_chunks(chunks, &sizes, room);
    if kept.is_empty() && !chunks.is_empty() {
        let smallest = sizes.into_iter().min().unwrap_or(0);
        return Err(exceeded(fixed + history_tokens + smallest));
    }
    let prompt_tokens = system_tokens + question_tokens + history_tokens + context_tokens;
    let sent_tokens = prompt_tokens - system_tokens + system_sent;
    Ok(Allocation { history, kept, history_tokens, context_tokens, prompt_tokens, sent_tokens })
}

/// The newest messages that fit. The user's last message is kept whatever comes after it, cut at its front if it
/// alone is too long: it is what a follow-up refers to.
fn fit_history(
    count: &impl Fn(&str) -> usize,
    history: &[ChatMessage],
    room: usize,
) -> (Vec<ChatMessage>, usize) {
    let last_user = history.iter().rposition(|message| message.role == Role::User);
    let mut kept: Vec<(usize, ChatMessage)> = Vec::new();
    let mut used = 0;
    if let Some(position) = last_user
        && let Some((message, tokens)) = fit_message(count, &history[position], room)
    {
        kept.push((position, message));
        used = tokens;
    }
    for (position, message) in history.iter().enumerate().rev().filter(|(at, _)| Some(*at) != last_user) {
        let tokens = count(&message.content) + numbers().budget.message_overhead;
        if used + tokens > room {
            break;
        }
        used += tokens;
        kept.push((position, message.clone()));
    }
    kept.sort_by_key(|(position, _)| *position);
    (kept.into_iter().map(|(_, message)| message).collect(), used)
}

fn fit_message(
    count: &impl Fn(&str) -> usize,
    message: &ChatMessage,
    room: usize,
) -> Option<(ChatMessage, usize)> {
    let mut content = message.content.clone();
    let mut rest = message.content.as_str();
    loop {
        let tokens = count(&content) + numbers().budget.message_overhead;
        if tokens <= room {
            return Some((ChatMessage { role: message.role, content }, tokens));
        }
        let chars = rest.chars().count();
        let (cut, _) = rest.char_indices().nth(chars.div_ceil(numbers().budget.cut_part))?;
        rest = &rest[cut..];
        content = format!("…{rest}");
    }
}

/// The best passages that fit together, in the given order.
fn fit_chunks(chunks: &[BudgetChunk<'_>], sizes: &[usize], room: usize) -> (Vec<usize>, usize) {
    // A passage that could not even go alone must not push out the ones that could.
    let mut kept: Vec<usize> = (0..chunks.len()).filter(|at| sizes[*at] <= room).collect();
    let mut total: usize = kept.iter().map(|at| sizes[*at]).sum();
    while total > room {
        let worst = kept.iter().copied().enumerate().min_by(|(_, a), (_, b)| {
            rank(chunks[*a].score).total_cmp(&rank(chunks[*b].score)).then_with(|| b.cmp(a))
        });
        let Some((place, at)) = worst else { break };
        total -= sizes[at];
        kept.remove(place);
    }
    (kept, total)
}

/// A score that is no number is the worst there is.
fn rank(score: f32) -> f32 {
    if score.is_nan() { f32::NEG_INFINITY } else { score }
}
