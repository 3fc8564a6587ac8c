//! A response with nothing in it yet.

use super::turn::Turn;
use crate::response::{Action, AnswerSource, AskResponse, RetrievalQuality, TransparencyStatement};

/// A response with nothing in it yet.
pub(super) fn blank(turn: &Turn<'_>, action: Action) -> AskResponse {
    AskResponse {
        request_id: turn.context.request_id().to_owned(),
        answer: String::new(),
        action,
        source: AnswerSource::default(),
        refused: false,
        refusal_reason: None,
        citations: Vec::new(),
        definition: None,
        rows: Vec::new(),
        draft: None,
        fact: None,
        confidence: None,
        retrieval_quality: RetrievalQuality::with_penalty(1.0, &turn.context.fallback_flags(), turn.penalty),
        fallback_mode: false,
        transparency: TransparencyStatement { statement: None, show_to_user: false },
        warnings: Vec::new(),
        notices: Vec::new(),
        withheld: Vec::new(),
        proofs: Vec::new(),
        suggestions: Vec::new(),
        nearest: Vec::new(),
        clarification: None,
        route_to: None,
        stages: Vec::new(),
        model_used: None,
        context_chunks_used: 0,
        context_tokens_used: 0,
        generation_time_ms: 0.0,
        grounded: false,
    }
}
