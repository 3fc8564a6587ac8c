use std::net::SocketAddr;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use reqwest::Method;
use serde::Serialize;

use super::http::{Deadline, check_kind, read_json};
use super::wire::Version;
use super::{ModelCard, OllamaClient, OllamaError, PulledModel, same_model};

/// How an address was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressFamily {
    /// Such as 127.0.0.1.
    Ipv4,
    /// Such as ::1.
    Ipv6,
}

/// What is wrong, for a window that has its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// Nothing listens there.
    ConnectionRefused,
    /// The host's name leads nowhere.
    UnknownHost,
    /// No secure connection came about.
    Tls,
    /// No answer in time.
    Timeout,
    /// The connection failed otherwise.
    Unreachable,
    /// Something else answers there.
    NotOllama,
    /// It redirects elsewhere.
    Redirect,
    /// The token is missing, wrong, or would be exposed.
    Token,
    /// It does not serve this name or origin.
    Forbidden,
    /// It answered with an error.
    ServerError,
    /// No model is pulled at all.
    NoModels,
    /// A model of the settings is not pulled.
    ModelNotPulled,
    /// A model of the settings is not on the allowlist.
    ModelNotAllowed,
    /// A model of the settings cannot chat.
    ModelCannotChat,
    /// The allowlist gives a model more context than it has.
    ContextTooLarge,
}

/// Something that is wrong, and the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What kind of problem.
    pub kind: ProblemKind,
    /// What is wrong.
    pub text: Detail,
    /// What to do.
    pub fix: Detail,
}

/// A pulled model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelReport {
    /// Its name with its tag.
    pub name: String,
    /// Bytes on disk.
    pub size: u64,
    /// Tokens of prompt and reply together; absent where the server does not say.
    pub context_length: Option<usize>,
    /// The context it is loaded with; absent where it is not loaded.
    pub loaded_context: Option<usize>,
    /// Whether it writes text.
    pub chats: bool,
    /// Whether it embeds.
    pub embeds: bool,
    /// Whether it is on the allowlist.
    pub allowed: bool,
}

/// All that can be said of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The configured address.
    pub address: String,
    /// Whether Ollama answers there.
    pub reachable: bool,
    /// By which kind of address; absent behind a proxy and where nothing answers.
    pub family: Option<AddressFamily>,
    /// The server's version.
    pub version: Option<String>,
    /// The models that are pulled.
    pub models: Vec<ModelReport>,
    /// What is wrong; empty where all is well.
    pub problems: Vec<Problem>,
}

/// Looks at everything that can be wrong with a server and its models.
pub async fn diagnose(client: &OllamaClient) -> Diagnosis {
    let mut diagnosis = Diagnosis {
        address: client.address().to_owned(),
        reachable: false,
        family: None,
        version: None,
        models: Vec::new(),
        problems: Vec::new(),
    };
    match greet(client).await {
        Ok((version, from)) => {
            diagnosis.reachable = true;
            diagnosis.version = Some(version);
            diagnosis.family =
                from.map(|from| if from.is_ipv4() { AddressFamily::Ipv4 } else { AddressFamily::Ipv6 });
        }
        Err(problem) => {
            diagnosis.problems.push(explain(&problem, client));
            return diagnosis;
        }
    }
    match client.pulled().await {
        Ok(pulled) => look_at_models(client, &pulled, &mut diagnosis).await,
        Err(problem) => diagnosis.problems.push(explain(&problem, client)),
    }
    diagnosis
}

async fn greet(client: &OllamaClient) -> Result<(String, Option<SocketAddr>), OllamaError> {
    let deadline = Deadline::after(client.deadlines.lookup);
    let none: Option<&()> = None;
    let response = client.connection.send(Method::GET, "/api/version", none, "", deadline).await?;
    let from = response.remote_addr();
    check_kind(&response)?;
    let answer: Version =
        read_json(&client.connection, response, deadline).await.map_err(|problem| match problem {
            OllamaError::Malformed(_) => OllamaError::NotOllama(Message::OllamaNoVersion),
            other => other,
        })?;
    Ok((client.connection.shown(&answer.version), from))
}

async fn look_at_models(client: &OllamaClient, pulled: &[PulledModel], diagnosis: &mut Diagnosis) {
    let loaded = client.loaded().await.unwrap_or_default();
    for model in pulled {
        // A model that cannot be looked at is still pulled.
        let card = client.show(&model.name).await.unwrap_or_default();
        let loaded = loaded.iter().find(|loaded| same_model(&loaded.name, &model.name));
        diagnosis.models.push(ModelReport {
            name: model.name.clone(),
            size: model.size,
            context_length: card.context(),
            loaded_context: loaded.and_then(|loaded| loaded.context_length),
            chats: card != ModelCard::default() && card.chats(),
            embeds: card.embeds(),
            allowed: client.allowance(&model.name).is_some(),
        });
    }
    let settings = &client.settings;
    let jobs = [("answer", &settings.answer), ("planner", &settings.planner), ("judge", &settings.judge)];
    for (job, model) in jobs {
        if let Some(model) = model {
            let problem = configured(client, job, model, &diagnosis.models);
            diagnosis.problems.extend(problem);
        }
    }
    if pulled.is_empty() {
        diagnosis.problems.push(Problem {
            kind: ProblemKind::NoModels,
            text: Message::OllamaNoModels.into(),
            fix: pull(
                settings.answer.as_ref().or(settings.allow.keys().next()).map_or("llama3.2", String::as_str),
            ),
        });
    }
}

/// What is wrong with a model that the settings name for a job.
fn configured(client: &OllamaClient, job: &str, model: &str, reports: &[ModelReport]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |kind, text, fix| problems.push(Problem { kind, text, fix });
    let about = |message| Detail::of(message, [("model", model.into()), ("job", job.into())]);
    let allowance = client.settings.allow.get(model);
    if allowance.is_none() {
        add(
            ProblemKind::ModelNotAllowed,
            about(Message::OllamaNotAllowed),
            Detail::of(Message::OllamaFixAllow, [("model", model.into())]),
        );
    }
    let Some(report) = reports.iter().find(|report| same_model(&report.name, model)) else {
        add(ProblemKind::ModelNotPulled, about(Message::OllamaNotPulled), pull(model));
        return problems;
    };
    if !report.chats {
        add(
            ProblemKind::ModelCannotChat,
            about(Message::OllamaCannotChat),
            Detail::of(Message::OllamaFixChat, [("job", job.into())]),
        );
    }
    if let (Some(allowance), Some(context)) = (allowance, report.context_length)
        && allowance.context_window > context
    {
        let tokens = |tokens: usize| Detail::from(tokens.to_string());
        add(
            ProblemKind::ContextTooLarge,
            Detail::of(
                Message::OllamaContextTooLarge,
                [
                    ("model", model.into()),
                    ("given", tokens(allowance.context_window)),
                    ("context", tokens(context)),
                ],
            ),
            Detail::of(Message::OllamaFixContext, [("context", tokens(context))]),
        );
    }
    problems
}

fn pull(model: &str) -> Detail {
    Detail::run(format!("ollama pull {model}"))
}

fn explain(problem: &OllamaError, client: &OllamaClient) -> Problem {
    let or_correct = |message| Detail::of(message, [("correct", Message::OllamaFixAddress.into())]);
    let (kind, fix) = match problem {
        OllamaError::ConnectionRefused if client.connection.address.is_loopback() => {
            (ProblemKind::ConnectionRefused, or_correct(Message::OllamaFixStart))
        }
        OllamaError::ConnectionRefused => {
            (ProblemKind::ConnectionRefused, or_correct(Message::OllamaFixStartThere))
        }
        OllamaError::UnknownHost | OllamaError::Address { .. } => {
            (ProblemKind::UnknownHost, or_correct(Message::OllamaFixHost))
        }
        OllamaError::Tls => (ProblemKind::Tls, or_correct(Message::OllamaFixTls)),
        OllamaError::Timeout(_) => (ProblemKind::Timeout, or_correct(Message::OllamaFixTimeout)),
        OllamaError::NotOllama(_) => (ProblemKind::NotOllama, or_correct(Message::OllamaFixPort)),
        OllamaError::Redirect => (ProblemKind::Redirect, Message::OllamaFixRedirect.into()),
        OllamaError::Unauthorised | OllamaError::TokenUnusable => {
            (ProblemKind::Token, Message::OllamaFixToken.into())
        }
        OllamaError::TokenExposed => (ProblemKind::Token, Message::OllamaFixHttps.into()),
        OllamaError::Forbidden => (ProblemKind::Forbidden, Message::OllamaFixOrigin.into()),
        OllamaError::Unreachable(_) | OllamaError::Client(_) => {
            (ProblemKind::Unreachable, or_correct(Message::OllamaFixNetwork))
        }
        _ => (ProblemKind::ServerError, Message::OllamaFixLog.into()),
    };
    Problem { kind, text: Detail::about(client.address(), problem.detail()), fix }
}
