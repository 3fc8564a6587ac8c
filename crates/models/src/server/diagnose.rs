use std::net::SocketAddr;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::settings::{ModelSettings, ServerKind};
use serde::Serialize;

use super::{Fault, ModelServer, remedy, same_model};

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
    OtherServer,
    /// Ollama answers there, and is asked in another protocol than its own.
    IsOllama,
    /// It redirects elsewhere.
    Redirect,
    /// The token is missing, wrong, or would be exposed.
    Token,
    /// It does not serve this name, origin or user.
    Forbidden,
    /// It is still loading its model.
    Loading,
    /// It answered with an error.
    ServerError,
    /// It has no model at all.
    NoModels,
    /// It does not have a model of the settings.
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

/// How a server answered when it was asked who it is.
pub(super) struct Greeted {
    pub version: Option<String>,
    pub from: Option<SocketAddr>,
    pub product: Option<&'static str>,
}

/// A model of the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelReport {
    /// Its name with its tag.
    pub name: String,
    /// Bytes of its weights; absent where the server does not say.
    pub size: Option<u64>,
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
    /// What kind of server it should be.
    pub server: ServerKind,
    /// The configured address.
    pub address: String,
    /// Whether such a server answers there.
    pub reachable: bool,
    /// Whose server it is, as far as it can be told.
    pub product: Option<&'static str>,
    /// By which kind of address; absent behind a proxy and where nothing answers.
    pub family: Option<AddressFamily>,
    /// The server's version.
    pub version: Option<String>,
    /// The models that it has.
    pub models: Vec<ModelReport>,
    /// What is wrong; empty where all is well.
    pub problems: Vec<Problem>,
}

impl Diagnosis {
    /// What is known before the server was asked.
    pub fn unasked(settings: &ModelSettings) -> Self {
        Self {
            server: settings.server,
            address: settings.address().to_owned(),
            reachable: false,
            product: None,
            family: None,
            version: None,
            models: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// Looks at everything that can be wrong with a server and its models.
pub async fn diagnose(client: &ModelServer) -> Diagnosis {
    let mut diagnosis =
        Diagnosis { address: client.address().to_owned(), ..Diagnosis::unasked(&client.settings) };
    let greeted = match client.kind() {
        ServerKind::Ollama => client.greet_ollama().await,
        ServerKind::Openai => client.greet_openai().await,
    };
    match greeted {
        Ok(greeted) => {
            diagnosis.reachable = true;
            diagnosis.version = greeted.version;
            diagnosis.product = greeted.product;
            diagnosis.family = greeted
                .from
                .map(|from| if from.is_ipv4() { AddressFamily::Ipv4 } else { AddressFamily::Ipv6 });
        }
        Err(problem) => {
            let other = match problem {
                Fault::OtherServer(_) => speaks_openai(client).await,
                _ => None,
            };
            diagnosis.problems.push(other.unwrap_or_else(|| explain(&problem, client)));
            return diagnosis;
        }
    }
    if client.kind() == ServerKind::Openai && diagnosis.product == Some("Ollama") {
        let address = client.address().trim_end_matches("/v1");
        diagnosis.problems.push(Problem {
            kind: ProblemKind::IsOllama,
            text: Message::OpenaiIsOllama.into(),
            fix: Detail::of(Message::OpenaiFixIsOllama, [("address", address.into())]),
        });
    }
    let models = match client.kind() {
        ServerKind::Ollama => client.report_ollama().await,
        ServerKind::Openai => client.report_openai().await,
    };
    match models {
        Ok(models) => {
            diagnosis.models = models;
            look_at_models(client, &mut diagnosis);
        }
        Err(problem) => diagnosis.problems.push(explain(&problem, client)),
    }
    diagnosis
}

/// What is not Ollama may be a server that speaks the other protocol: then the settings name the wrong kind.
async fn speaks_openai(client: &ModelServer) -> Option<Problem> {
    if client.kind() != ServerKind::Ollama {
        return None;
    }
    let address = format!("{}/v1", client.address());
    let settings = ModelSettings {
        server: ServerKind::Openai,
        openai_url: address.clone(),
        ..client.settings.as_ref().clone()
    };
    // Without the token: it was given for another server than may be there.
    let other = ModelServer::with_deadlines(&settings, None, client.deadlines).ok()?;
    let greeted = other.greet_openai().await.ok().filter(|greeted| greeted.product != Some("Ollama"))?;
    let server = greeted.product.map_or_else(|| Message::OpenaiSomeServer.into(), Detail::from);
    Some(Problem {
        kind: ProblemKind::OtherServer,
        text: Detail::about(client.address(), Detail::of(Message::OpenaiIsOther, [("server", server)])),
        fix: Detail::of(Message::OpenaiFixIsOther, [("address", address.into())]),
    })
}

fn look_at_models(client: &ModelServer, diagnosis: &mut Diagnosis) {
    let settings = &client.settings;
    let jobs = [("answer", &settings.answer), ("planner", &settings.planner), ("judge", &settings.judge)];
    for (job, model) in jobs {
        if let Some(model) = model {
            let problem = configured(client, job, model, &diagnosis.models);
            diagnosis.problems.extend(problem);
        }
    }
    if diagnosis.models.is_empty() {
        let any = settings.answer.as_ref().or(settings.allow.keys().next());
        let (text, fix) = match client.kind() {
            ServerKind::Ollama => (Message::OllamaNoModels, pull(any.map_or("llama3.2", String::as_str))),
            ServerKind::Openai => (Message::OpenaiNoModels, Message::OpenaiFixLoadAny.into()),
        };
        diagnosis.problems.push(Problem { kind: ProblemKind::NoModels, text: text.into(), fix });
    }
}

/// What is wrong with a model that the settings name for a job.
fn configured(client: &ModelServer, job: &str, model: &str, reports: &[ModelReport]) -> Vec<Problem> {
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
        let (text, fix) = match client.kind() {
            ServerKind::Ollama => (Message::OllamaNotPulled, pull(model)),
            ServerKind::Openai => {
                (Message::OpenaiNotListed, Detail::of(Message::OpenaiFixLoad, [("model", model.into())]))
            }
        };
        add(ProblemKind::ModelNotPulled, about(text), fix);
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

fn explain(problem: &Fault, client: &ModelServer) -> Problem {
    let (kind, fix) = remedy::remedy(problem, client.kind(), &client.connection.address);
    Problem { kind, text: Detail::about(client.address(), problem.detail(client.kind())), fix }
}
