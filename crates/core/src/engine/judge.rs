//! Short jobs for a model beside the answer: rewordings, the planner, the judge.

use std::time::Duration;

use plumbline_telemetry::audit::AuditGate;
use plumbline_telemetry::names;

use super::reason::{Outcome, Reason};
use super::services::Services;
use super::turn::Turn;
use crate::breaker::BreakerState;
use crate::domain::{Candidate, Chunk};
use crate::gates::Gate;
use crate::intent::Question;
use crate::messages::Message;
use crate::numbers::numbers;
use crate::ports::{ChatRequest, LanguageModel, ModelError, whole_reply};
use crate::prompt::{
    judge_messages, planner_messages, read_plan, read_rating, read_rewrites, rewrite_messages,
};
use crate::request::ChatMessage;
use crate::response::Stage;

/// Rewordings of the question by the planner's model, within the lanes' deadline and never beyond it.
pub(super) async fn reworded(
    services: &Services,
    turn: &mut Turn<'_>,
    history: &[ChatMessage],
    question: &Question,
) -> Vec<String> {
    let (Some(name), Some(model)) =
        (services.settings().models.planner.clone(), services.ports.model.clone())
    else {
        turn.skip(Stage::Rewrites, Message::StageNoModel);
        return Vec::new();
    };
    if model_is_off(services) {
        turn.skip(Stage::Rewrites, Message::StageCircuitOpen);
        return Vec::new();
    }
    let started = turn.begin(Stage::Rewrites);
    let limit = Duration::from_millis(services.settings().retrieval.lane_deadline_ms);
    let messages = rewrite_messages(&question.text, history, question.language);
    let reply = short_job(
        services,
        model.as_ref(),
        "rewrites",
        &name,
        messages,
        numbers().jobs.rewrite_tokens,
        limit,
    )
    .await;
    match reply {
        Ok(reply) => {
            turn.end(started, Outcome::Ok);
            read_rewrites(&reply, &question.text)
        }
        Err(problem) => {
            turn.end(started, Outcome::failed(problem));
            Vec::new()
        }
    }
}

/// The planner: which passages support an answer. `None` where it says that none does; all of them where there
/// is no planner, or it cannot be read.
pub(super) async fn plan(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &str,
    kept: &[Candidate],
) -> Option<Vec<Candidate>> {
    let all = || Some(kept.to_vec());
    let (Some(name), Some(model)) =
        (services.settings().models.planner.clone(), services.ports.model.clone())
    else {
        turn.skip(Stage::Planner, Message::StageNoModel);
        return all();
    };
    let started = turn.begin(Stage::Planner);
    let messages = planner_messages(&numbered(kept), query);
    let aliases: Vec<usize> = (1..=kept.len()).collect();
    match short_job(
        services,
        model.as_ref(),
        "planner",
        &name,
        messages,
        numbers().jobs.reply_tokens,
        job_limit(services),
    )
    .await
    {
        Ok(reply) => {
            let plan = read_plan(&reply, &aliases);
            turn.end(
                started,
                plan.as_ref().map_or_else(|| Outcome::failed(Message::StagePlanUnreadable), |_| Outcome::Ok),
            );
            if let Some(plan) = &plan {
                turn.audit.gates.push(AuditGate {
                    gate: Gate::Planner.as_str().to_owned(),
                    outcome: if plan.is_empty() { "stopped" } else { "passed" }.to_owned(),
                    value: Some(plan.len() as f64),
                    threshold: Some(1.0),
                });
            }
            match plan {
                Some(plan) if plan.is_empty() => None,
                Some(plan) => Some(plan.iter().filter_map(|alias| kept.get(alias - 1)).cloned().collect()),
                None => all(),
            }
        }
        Err(problem) => {
            turn.end(started, Outcome::failed(problem));
            all()
        }
    }
}

/// The judge's rating on an answer, 0 to 100; `None` without a judge.
pub(super) async fn judge(
    services: &Services,
    turn: &mut Turn<'_>,
    query: &str,
    answer: &str,
    cited: &[Candidate],
) -> Option<u8> {
    let (Some(name), Some(model)) = (services.settings().models.judge.clone(), services.ports.model.clone())
    else {
        turn.skip(Stage::Judge, Message::StageNoModel);
        return None;
    };
    if model_is_off(services) {
        turn.skip(Stage::Judge, Message::StageCircuitOpen);
        return None;
    }
    let started = turn.begin(Stage::Judge);
    let messages = judge_messages(query, answer, &numbered(cited));
    let rating = match short_job(
        services,
        model.as_ref(),
        "judge",
        &name,
        messages,
        numbers().jobs.reply_tokens,
        job_limit(services),
    )
    .await
    {
        Ok(reply) => read_rating(&reply).ok_or(Reason::Of(Message::StageRatingUnreadable)),
        Err(problem) => Err(Reason::Model(problem)),
    };
    match rating {
        Ok(rating) => {
            turn.end(started, Outcome::Ok);
            Some(rating)
        }
        Err(reason) => {
            turn.end(started, Outcome::Failed(reason));
            None
        }
    }
}

/// Whether the models' server is being left alone; while it is tried again, the answer is what tries it.
fn model_is_off(services: &Services) -> bool {
    services.breakers.generation.state() == BreakerState::Open
}

fn job_limit(services: &Services) -> Duration {
    Duration::from_secs(services.settings().models.timeout_seconds)
}

/// A job with a deadline in all, whose reply is read whole.
async fn short_job(
    services: &Services,
    model: &dyn LanguageModel,
    job: &'static str,
    name: &str,
    messages: Vec<ChatMessage>,
    num_predict: usize,
    limit: Duration,
) -> Result<String, ModelError> {
    let models = &services.settings().models;
    if !models.allow.contains_key(name) {
        return Err(ModelError::Unavailable(format!("{name} (not on the allowlist)")));
    }
    let context = models.allow.get(name).map_or(numbers().jobs.context, |allowance| allowance.context_window);
    let request = ChatRequest {
        model: name.to_owned(),
        messages,
        num_ctx: context,
        num_predict,
        temperature: 0.0,
        seed: models.seed,
        first_token: limit,
        between_tokens: limit,
    };
    let result = whole_reply(model, request, limit).await;
    services
        .metrics
        .inc(&names::GENERATION_REQUEST_TOTAL, [job, if result.is_ok() { "ok" } else { "failed" }]);
    result
}

fn numbered(candidates: &[Candidate]) -> Vec<(usize, &Chunk)> {
    candidates.iter().zip(1..).map(|(candidate, alias)| (alias, candidate.chunk.as_ref())).collect()
}
