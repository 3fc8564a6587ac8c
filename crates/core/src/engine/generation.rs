//! A model's words: budget, prompt, and the reply through gauntlet and grounding.

use std::time::Duration;

use futures::StreamExt;
use plumbline_telemetry::audit::AuditGeneration;
use plumbline_telemetry::{names, sha256_hex};
use tracing::{info, warn};

use super::further::Further;
use super::gate::Gated;
use super::instructions::Instructions;
use super::judge::plan;
use super::reason::{Outcome, Reason};
use super::services::Services;
use super::statements::{Support, checked};
use super::step::{OrEnd, Step};
use super::turn::Turn;
use crate::answer::gauntlet::Minted;
use crate::answer::grounding::{CitedPassages, GroundingRules};
use crate::answer::{AnswerStream, ReplyOutcome, Shown};
use crate::breaker::Permit;
use crate::budget::{BudgetChunk, TokenLimits, allocate};
use crate::domain::{Candidate, Chunk, DocumentId};
use crate::error::AskError;
use crate::messages::{Message, Messages};
use crate::numbers::numbers;
use crate::ports::{ChatPiece, ChatRequest, LanguageModel, ModelError, ModelInfo, ModelReply, Scope};
use crate::prompt::{answer_messages, passage_block, question_text, system_prompt_text};
use crate::request::{AskRequest, ChatMessage};
use crate::response::{AnswerEvent, Citation, Stage};

/// What came of asking a model.
pub(super) enum Generated {
    /// None is configured: extracts are the answer, and nothing is amiss.
    NoModel,
    /// The planner found nothing that supports an answer.
    NoThesis,
    /// The configured one failed, and why.
    Failed(Reason),
    /// It wrote something.
    Reply(Box<Reply>),
}

/// A model's reply, checked.
pub(super) struct Reply {
    pub outcome: ReplyOutcome,
    /// The passages in the order of their aliases.
    pub passages: Vec<Candidate>,
    /// Those out of the rest of their documents that bear out what none of them does; their aliases follow.
    pub further: Vec<Candidate>,
    pub model: String,
    pub context_tokens: usize,
    /// What the user should know about how it was made.
    pub remarks: Vec<String>,
}

/// Budget, prompt, and the model's words through gauntlet and grounding.
pub(super) async fn generate(
    services: &Services,
    turn: &mut Turn<'_>,
    request: &AskRequest,
    scope: &Scope,
    gated: &Gated,
) -> Step<Generated> {
    let Some((name, model)) = services.writer(request) else {
        for stage in [Stage::Planner, Stage::Budget, Stage::Generation] {
            turn.skip(stage, Message::StageNoModelConfigured);
        }
        return Step::Continue(Generated::NoModel);
    };
    let allowance = services.check_allowed(&name).or_end()?;
    let permit = match services.breakers.generation.permit() {
        Ok(permit) => permit,
        Err(_) => {
            turn.fall_back("circuit_open");
            turn.skip(Stage::Generation, Message::StageCircuitOpen);
            return Step::Continue(Generated::Failed(Message::StageCircuitOpen.into()));
        }
    };
    let limit = Duration::from_secs(services.settings().models.timeout_seconds);
    let inspected = tokio::time::timeout(limit, model.inspect(&name)).await;
    let info = match inspected.unwrap_or(Err(ModelError::Timeout(limit))) {
        Ok(info) => info,
        Err(problem) => {
            report_failure(permit, &problem);
            // Who asks for a model by name is told that it is not there; who did not is answered without it.
            if request.model.is_some() {
                return Step::Break(Err(AskError::of_model(problem, &name)));
            }
            let started = turn.begin(Stage::Generation);
            turn.end(started, Outcome::failed(problem.clone()));
            return Step::Continue(generation_failed(services, turn, problem));
        }
    };
    let Some(passages) = plan(services, turn, &gated.evidence.question.text, &gated.kept).await else {
        turn.skip(Stage::Generation, Message::StageNoSupport);
        return Step::Continue(Generated::NoThesis);
    };
    let limits = TokenLimits::new(&services.settings().budget, allowance, Some(info));
    let prepared = prepare(services, turn, &name, limits, request, gated, passages).or_end()?;
    let started = turn.begin(Stage::Generation);
    let result = stream_reply(services, turn, model.as_ref(), prepared, info, gated, scope).await;
    match result {
        Ok(reply) => {
            permit.success();
            services.metrics.inc(&names::GENERATION_REQUEST_TOTAL, ["answer", "ok"]);
            turn.end(started, Outcome::Ok);
            Step::Continue(Generated::Reply(Box::new(reply)))
        }
        Err(problem) => {
            report_failure(permit, &problem);
            turn.end(started, Outcome::failed(problem.clone()));
            turn.replace_shown("");
            Step::Continue(generation_failed(services, turn, problem))
        }
    }
}

fn generation_failed(services: &Services, turn: &Turn<'_>, problem: ModelError) -> Generated {
    let outcome = match &problem {
        ModelError::Timeout(_) => "timeout",
        ModelError::Unavailable(_) => "unavailable",
        ModelError::Connection { .. } => "connection",
        ModelError::Refused { .. } => "refused",
        ModelError::Broken(_) => "broken",
    };
    services.metrics.inc(&names::GENERATION_REQUEST_TOTAL, ["answer", outcome]);
    warn!(target: "llm", event = "generation_failed", reason = outcome, request = turn.context.request_id());
    Generated::Failed(problem.into())
}

#[allow(clippy::too_many_arguments)]
fn prepare(
    services: &Services,
    turn: &mut Turn<'_>,
    model: &str,
    limits: TokenLimits,
    request: &AskRequest,
    gated: &Gated,
    passages: Vec<Candidate>,
) -> Result<Prepared, AskError> {
    let started = turn.begin(Stage::Budget);
    let blocks: Vec<String> =
        passages.iter().zip(1..).map(|(candidate, alias)| passage_block(alias, &candidate.chunk)).collect();
    let chunks: Vec<BudgetChunk<'_>> = blocks
        .iter()
        .zip(&passages)
        .map(|(text, candidate)| BudgetChunk { text, score: candidate.score() })
        .collect();
    let question = &gated.evidence.question;
    let language = passages.first().map_or(question.language, |candidate| candidate.chunk.language);
    let note = gated.evidence.note.as_deref();
    let allocation = allocate(
        services.ports.counter.as_ref(),
        model,
        &limits,
        &system_prompt_text(language),
        &question_text(note, &question.text),
        &request.chat_history,
        &chunks,
    )?;
    let messages = Messages::of(turn.language);
    let mut remarks = Vec::new();
    let left_out = passages.len() - allocation.kept.len();
    if left_out > 0 {
        remarks.push(messages.text(Message::TransparencyPassagesCut, &[("n", &left_out.to_string())]));
    }
    let forgotten = request.chat_history.len().saturating_sub(allocation.history.len());
    if forgotten > 0 {
        remarks.push(messages.text(Message::TransparencyHistoryCut, &[("n", &forgotten.to_string())]));
    }
    let kept: Vec<Candidate> = allocation.kept.iter().filter_map(|at| passages.get(*at)).cloned().collect();
    let numbered: Vec<(usize, &Chunk)> =
        kept.iter().zip(1..).map(|(candidate, alias)| (alias, candidate.chunk.as_ref())).collect();
    let prompt = answer_messages(&numbered, note, &allocation.history, &question.text, language);
    turn.end(started, Outcome::Ok);
    Ok(Prepared {
        model: model.to_owned(),
        prompt,
        passages: kept,
        limits,
        estimated: allocation.sent_tokens,
        context_tokens: allocation.context_tokens,
        remarks,
    })
}

#[allow(clippy::too_many_arguments)]
async fn stream_reply(
    services: &Services,
    turn: &mut Turn<'_>,
    model: &dyn LanguageModel,
    prepared: Prepared,
    info: ModelInfo,
    gated: &Gated,
    scope: &Scope,
) -> Result<Reply, ModelError> {
    let chat = chat_request(services, &prepared, info);
    let prompt_sha256 =
        sha256_hex(prepared.prompt.iter().map(|message| message.content.as_str()).collect::<String>());
    let (first, between, window) = (chat.first_token, chat.between_tokens, chat.num_ctx);
    let chunks: Vec<&Chunk> = prepared.passages.iter().map(|candidate| candidate.chunk.as_ref()).collect();
    let rules = GroundingRules::asking_for(services.settings().grounding.min_content_share);
    let named = prepared.passages.iter().filter(|candidate| candidate.forced);
    let named: Vec<DocumentId> = named.map(|candidate| candidate.chunk.document.id.clone()).collect();
    let cited_passages = CitedPassages::new(&chunks, rules).naming(named.iter().cloned());
    let sources: Vec<_> = chunks.iter().map(|chunk| chunk.source_id.clone()).collect();
    let mut answer = AnswerStream::new(Minted::new(&sources), &cited_passages, &gated.evidence.question);
    let further = Further::new(&prepared.passages, gated.evidence.vector.as_deref(), scope, rules, named);
    let instructions = Instructions::of(&prepared.prompt, turn.language);
    let mut support = Support {
        instructions: &instructions,
        passages: &cited_passages,
        chunks: &chunks,
        further,
        proofs: Vec::new(),
    };
    let mut stream =
        tokio::time::timeout(first, model.chat(chat)).await.unwrap_or(Err(ModelError::Timeout(first)))?;
    let mut numbers = 0;
    let mut raw = String::new();
    let mut limit = first;
    let counted = loop {
        let piece =
            tokio::time::timeout(limit, stream.next()).await.map_err(|_| ModelError::Timeout(limit))?;
        match piece {
            None => return Err(ModelError::Broken(Message::ModelStreamEnded.into())),
            Some(Err(problem)) => return Err(problem),
            Some(Ok(ChatPiece::Done(counted))) => break counted,
            Some(Ok(ChatPiece::Text(text))) => {
                limit = between;
                raw.push_str(&text);
                let written = answer.take(text.as_bytes());
                let shown = checked(services, turn, &mut answer, &mut support, written).await;
                show(turn, instructions.kept_back(shown), &prepared.passages, &support.further, &mut numbers);
            }
        }
    };
    drop(stream);
    let written = answer.end();
    let shown = checked(services, turn, &mut answer, &mut support, written).await;
    let mut outcome = answer.outcome();
    show(turn, instructions.kept_back(shown), &prepared.passages, &support.further, &mut numbers);
    outcome.withheld.iter_mut().for_each(|withheld| instructions.keep_back(withheld));
    outcome.remarks.retain(|remark| !instructions.are_repeated_by(remark));
    let mut remarks = prepared.remarks;
    compare_counts(services, turn, &prepared.model, prepared.estimated, window, counted, &mut remarks);
    turn.audit.generation = Some(AuditGeneration {
        job: "answer".to_owned(),
        model: prepared.model.clone(),
        prompt_sha256,
        reply_sha256: sha256_hex(&raw),
        prompt_tokens: counted.prompt_tokens.map(|tokens| tokens as u64),
        completion_tokens: counted.completion_tokens.map(|tokens| tokens as u64),
    });
    turn.proofs = support.proofs;
    let further = support.further.into_cited();
    info!(target: "llm", event = "reply_checked", kept = outcome.kept, withheld = outcome.withheld.len(), passages = gated.kept.len());
    Ok(Reply {
        outcome,
        passages: prepared.passages,
        further,
        model: prepared.model,
        context_tokens: prepared.context_tokens,
        remarks,
    })
}

fn chat_request(services: &Services, prepared: &Prepared, info: ModelInfo) -> ChatRequest {
    let models = &services.settings().models;
    let between = Duration::from_secs(models.timeout_seconds);
    // Reading the prompt takes its time before the first token can come.
    let reading =
        services.reading_rates.time_for(&prepared.model, prepared.estimated, models.prompt_tokens_per_second);
    ChatRequest {
        model: prepared.model.clone(),
        messages: prepared.prompt.clone(),
        num_ctx: prepared.limits.context_window.min(info.context_window),
        num_predict: prepared.limits.max_response,
        temperature: models.temperature,
        seed: models.seed,
        first_token: between + reading,
        between_tokens: between,
    }
}

/// A server that cut the prompt in silence is found out; an honest count teaches the estimate.
fn compare_counts(
    services: &Services,
    turn: &Turn<'_>,
    model: &str,
    estimated: usize,
    window: usize,
    counted: ModelReply,
    remarks: &mut Vec<String>,
) {
    let messages = Messages::of(turn.language);
    if counted.cut {
        remarks.push(messages.text(Message::WarningCut, &[]));
    }
    let Some(read) = counted.prompt_tokens else { return };
    // A prompt that fills the whole window was cut to it: the budget had kept room for the reply.
    if (read as f64) < numbers().generation.truncation_share * estimated as f64 || read >= window {
        turn.fall_back("prompt_truncated");
        warn!(target: "llm", event = "prompt_truncated", counted = read, estimated);
        let values = [("counted", read.to_string()), ("sent", estimated.max(read).to_string())];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        remarks.push(messages.text(Message::TransparencyTruncated, &values));
    } else {
        services.ports.counter.learn(model, estimated, read);
        services.reading_rates.learn(model, read, counted.prompt_time);
    }
}

/// A model that is not pulled, or a request that is refused, is no failure of the server that says so.
fn report_failure(permit: Permit, problem: &ModelError) {
    if !matches!(problem, ModelError::Unavailable(_) | ModelError::Refused { .. }) {
        permit.failure();
    }
}

/// A prompt that fits, with the passages it holds.
struct Prepared {
    model: String,
    prompt: Vec<ChatMessage>,
    passages: Vec<Candidate>,
    limits: TokenLimits,
    estimated: usize,
    context_tokens: usize,
    remarks: Vec<String>,
}

fn show(
    turn: &mut Turn<'_>,
    shown: Vec<Shown>,
    passages: &[Candidate],
    further: &Further<'_>,
    numbers: &mut usize,
) {
    for unit in shown {
        match unit {
            Shown::Text { text, newly_cited } => {
                for alias in newly_cited {
                    *numbers += 1;
                    if let Some(candidate) = passages.get(alias - 1).or_else(|| further.get(alias)) {
                        let citation = Citation::of_chunk(*numbers, &candidate.chunk, candidate.score());
                        turn.emit(AnswerEvent::Citation(Box::new(citation)));
                    }
                }
                turn.show(text);
            }
            Shown::Withheld(withheld) => turn.emit(AnswerEvent::Withheld(withheld)),
        }
    }
}
