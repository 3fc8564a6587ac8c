use std::net::SocketAddr;

use plumbline_core::messages::Message;
use reqwest::Method;
use serde::{Deserialize, Serialize};

use super::http::{Deadline, check_kind, read_json};
use super::wire::Version;
use super::{ModelCard, OllamaClient, OllamaError, PulledModel, same_model};

/// How an address was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressFamily {
    /// Such as 127.0.0.1.
    Ipv4,
    /// Such as ::1.
    Ipv6,
}

/// What is wrong, for a window that has its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What kind of problem.
    pub kind: ProblemKind,
    /// What is wrong.
    pub text: String,
    /// What to do.
    pub fix: String,
}

/// A pulled model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
            text: "no model is pulled".to_owned(),
            fix: format!(
                "run `ollama pull {}`",
                settings.answer.as_ref().or(settings.allow.keys().next()).map_or("llama3.2", String::as_str)
            ),
        });
    }
}

/// What is wrong with a model that the settings name for a job.
fn configured(client: &OllamaClient, job: &str, model: &str, reports: &[ModelReport]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |kind, text: String, fix: String| problems.push(Problem { kind, text, fix });
    let allowance = client.settings.allow.get(model);
    if allowance.is_none() {
        add(
            ProblemKind::ModelNotAllowed,
            format!("`{model}` (models.{job}) is not on the allowlist"),
            format!("add \"{model}\" under `models.allow`, or choose one that is there"),
        );
    }
    let Some(report) = reports.iter().find(|report| same_model(&report.name, model)) else {
        add(
            ProblemKind::ModelNotPulled,
            format!("`{model}` (models.{job}) is not pulled"),
            format!("run `ollama pull {model}`"),
        );
        return problems;
    };
    if !report.chats {
        add(
            ProblemKind::ModelCannotChat,
            format!("`{model}` (models.{job}) cannot chat"),
            format!("name a model that can under `models.{job}`"),
        );
    }
    if let (Some(allowance), Some(context)) = (allowance, report.context_length)
        && allowance.context_window > context
    {
        add(
            ProblemKind::ContextTooLarge,
            format!(
                "`models.allow` gives `{model}` {} tokens and it has {context}",
                allowance.context_window
            ),
            format!("set its context_window to {context}; until then {context} are used"),
        );
    }
    problems
}

fn explain(problem: &OllamaError, client: &OllamaClient) -> Problem {
    let correct = "correct `models.ollama_url` (OLLAMA_BASE_URL)";
    let (kind, fix) = match problem {
        OllamaError::ConnectionRefused if client.connection.address.is_loopback() => {
            (ProblemKind::ConnectionRefused, format!("start it with `ollama serve`, or {correct}"))
        }
        OllamaError::ConnectionRefused => (
            ProblemKind::ConnectionRefused,
            format!(
                "start it there with OLLAMA_HOST=0.0.0.0 `ollama serve`, so that others reach it, or {correct}"
            ),
        ),
        OllamaError::UnknownHost | OllamaError::Address { .. } => (
            ProblemKind::UnknownHost,
            format!("{correct}: the name may be misspelt, or known in another network only"),
        ),
        OllamaError::Tls => {
            (ProblemKind::Tls, format!("install the server's certificate on this machine, or {correct}"))
        }
        OllamaError::Timeout(_) => {
            (ProblemKind::Timeout, format!("see whether the machine is on and not overloaded, or {correct}"))
        }
        OllamaError::NotOllama(_) => (ProblemKind::NotOllama, format!("{correct}; Ollama's port is 11434")),
        OllamaError::Redirect => {
            (ProblemKind::Redirect, "set `models.ollama_url` to the address that it redirects to".to_owned())
        }
        OllamaError::Unauthorised | OllamaError::TokenUnusable => {
            (ProblemKind::Token, "enter Ollama's token in the settings".to_owned())
        }
        OllamaError::TokenExposed => {
            (ProblemKind::Token, "use an https:// address, or remove the token".to_owned())
        }
        OllamaError::Forbidden => (
            ProblemKind::Forbidden,
            "allow this host name in the server's OLLAMA_HOST and OLLAMA_ORIGINS".to_owned(),
        ),
        OllamaError::Unreachable(_) | OllamaError::Client(_) => {
            (ProblemKind::Unreachable, format!("check network and proxy, or {correct}"))
        }
        _ => (ProblemKind::ServerError, "see the server's log, or start it anew".to_owned()),
    };
    Problem { kind, text: format!("{}: {problem}", client.address()), fix }
}
