use std::error::Error;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use plumbline_core::messages::Message;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, Method, Response, StatusCode, redirect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

use super::address::Address;
use super::error::cleaned;
use super::{Fault, Token, TokenSource};

/// No whole answer comes near this: vectors are asked for in small batches.
const MAX_BODY: usize = 32 * 1024 * 1024;
/// So much of an error is read.
const MAX_ERROR: usize = 16 * 1024;

/// What servers say of a text that is longer than the model reads: Ollama; llama.cpp for chats and for vectors; OpenAI and vLLM.
const TOO_LONG: [&str; 5] = [
    "exceeds the context length",
    "exceed_context_size_error",
    "too large to process",
    "context_length_exceeded",
    "maximum context length",
];

const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// A point in time and the limit that led to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    pub(super) fn after(limit: Duration) -> Self {
        // A limit that no clock can hold is as good as one that nobody lives to see.
        let now = Instant::now();
        Self { at: now.checked_add(limit).unwrap_or(now + NEVER), limit }
    }

    pub(super) async fn hold<T>(&self, work: impl Future<Output = T>) -> Result<T, Fault> {
        tokio::time::timeout_at(self.at, work).await.map_err(|_| Fault::Timeout(self.limit))
    }
}

/// A server. Every request has a connection of its own: bytes that a server sends too many, or too late, can never be
/// taken for the answer to the next request.
pub(super) struct Connection {
    pub(super) address: Address,
    client: Client,
    token: Option<TokenSource>,
}

impl Connection {
    /// Nothing is connected before the first request.
    pub(super) fn new(
        address: Address,
        connect: Duration,
        token: Option<TokenSource>,
    ) -> Result<Self, Fault> {
        // Where another part of the program was first, its provider is the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .user_agent(concat!("plumbline/", env!("CARGO_PKG_VERSION")))
            // A redirect could lead questions, and a token with them, to a server that nobody chose.
            .redirect(redirect::Policy::none())
            .connect_timeout(connect)
            .pool_max_idle_per_host(0);
        if address.is_loopback() {
            builder = builder.no_proxy();
            if !address.is_secure() {
                // Certificates that are never looked at need not be read from the system, which takes its time.
                builder = builder.tls_certs_only([]);
            }
        }
        if address.host() == "localhost" {
            // Both families, whatever this machine's list of hosts says: the server may listen on either.
            let here =
                [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
            builder = builder.resolve_to_addrs("localhost", &here);
        }
        let client = builder.build().map_err(|problem| Fault::Client(problem.to_string()))?;
        Ok(Self { address, client, token })
    }

    /// Sends a request; the answer has a status of success and its body is still to be read.
    pub(super) async fn send(
        &self,
        method: Method,
        route: &str,
        body: Option<&impl Serialize>,
        model: &str,
        deadline: Deadline,
    ) -> Result<Response, Fault> {
        let token = self.token.as_ref().and_then(|source| source());
        let mut request = self.client.request(method, self.address.route(route));
        if let Some(token) = &token {
            if !self.address.is_secure() && !self.address.is_loopback() {
                return Err(Fault::TokenExposed);
            }
            request = request.header(AUTHORIZATION, token.header().ok_or(Fault::TokenUnusable)?);
        }
        if let Some(body) = body {
            let text = serde_json::to_vec(body).map_err(|problem| Fault::Client(problem.to_string()))?;
            request = request.header(CONTENT_TYPE, "application/json").body(text);
        }
        let response =
            deadline.hold(request.send()).await?.map_err(|problem| connecting(&problem, &self.address))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        // A server that fails and does not say why has failed all the same.
        let said =
            deadline.hold(read(response, MAX_ERROR)).await.ok().and_then(Result::ok).unwrap_or_default();
        Err(rejection(status, &said, model, token.as_ref()))
    }

    /// The whole answer to a request, read as JSON.
    pub(super) async fn json<T: DeserializeOwned>(
        &self,
        method: Method,
        route: &str,
        body: Option<&impl Serialize>,
        model: &str,
        limit: Duration,
    ) -> Result<T, Fault> {
        let deadline = Deadline::after(limit);
        let response = self.send(method, route, body, model, deadline).await?;
        check_kind(&response)?;
        read_json(self, response, deadline).await
    }

    /// What the server said, without a token that it may have repeated.
    pub(super) fn shown(&self, message: &str) -> String {
        let token = self.token.as_ref().and_then(|source| source());
        cleaned(&token.map_or_else(|| message.to_owned(), |token| token.redact(message)))
    }
}

/// A web page with status 200 comes from a proxy, a log-in or another server.
pub(super) fn check_kind(response: &Response) -> Result<(), Fault> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "text/html" | "application/xhtml+xml" => Err(Fault::OtherServer(Message::OllamaWebPage)),
        _ => Ok(()),
    }
}

/// A whole body, read as JSON.
pub(super) async fn read_json<T: DeserializeOwned>(
    connection: &Connection,
    response: Response,
    deadline: Deadline,
) -> Result<T, Fault> {
    let bytes = deadline.hold(read(response, MAX_BODY)).await??;
    serde_json::from_slice(&bytes).map_err(|_| match error_of(&bytes) {
        Some(message) => Fault::Failed(connection.shown(&message)),
        None => Fault::Malformed("it is not what such a server answers to this"),
    })
}

async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| broken_off())? {
        if body.len() + chunk.len() > limit {
            return Err(Fault::Malformed("it has no end"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

pub(super) fn broken_off() -> Fault {
    Fault::BrokenOff(Message::OllamaConnectionEnded)
}

/// The error that a JSON answer reports.
fn error_of(body: &[u8]) -> Option<String> {
    let Value::Object(mut answer) = serde_json::from_slice(body).ok()? else { return None };
    answer.remove("error").filter(|error| !error.is_null()).as_ref().map(error_text)
}

/// The text of an error, in any of the shapes that servers and proxies give it.
pub(super) fn error_text(error: &Value) -> String {
    let text = error.as_str().or_else(|| error["message"].as_str());
    text.map_or_else(|| error.to_string(), str::to_owned)
}

fn rejection(status: StatusCode, body: &[u8], model: &str, token: Option<&Token>) -> Fault {
    let json = error_of(body);
    let is_about = |words: &[&str]| {
        let text = json.as_ref().map(|_| String::from_utf8_lossy(body).to_lowercase()).unwrap_or_default();
        words.iter().any(|word| text.contains(word))
    };
    let said = json.clone().unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    let said = cleaned(&token.map_or_else(|| said.clone(), |token| token.redact(&said)));
    let is_page = said.trim_start().starts_with('<');
    let status = match status {
        StatusCode::UNAUTHORIZED => return Fault::Unauthorised,
        StatusCode::FORBIDDEN => return Fault::Forbidden,
        StatusCode::TOO_MANY_REQUESTS => return Fault::Busy,
        StatusCode::SERVICE_UNAVAILABLE if is_about(&["loading model"]) => return Fault::Loading,
        StatusCode::SERVICE_UNAVAILABLE if json.is_some() => return Fault::Busy,
        // A server that does not know the route answers so as well, and says nothing of a model.
        StatusCode::NOT_FOUND if !model.is_empty() && is_about(&["model"]) => {
            return Fault::ModelMissing(model.to_owned());
        }
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => {
            return Fault::OtherServer(Message::OllamaNoRoute);
        }
        status if status.is_redirection() => return Fault::Redirect,
        status => status.as_u16(),
    };
    let message = if is_page { "a web page".to_owned() } else { said };
    let holds = |words: &[&str]| json.is_some() && words.iter().all(|word| message.contains(word));
    if is_about(&TOO_LONG) {
        Fault::TooLong
    } else if holds(&["does not support"]) {
        let jobs = [("chat", Message::OllamaJobChat), ("embed", Message::OllamaJobEmbed)];
        let job = jobs
            .iter()
            .find(|(word, _)| message.contains(word))
            .map_or(Message::OllamaJobThis, |(_, job)| *job);
        Fault::Incapable { model: model.to_owned(), job }
    } else if (400..500).contains(&status)
        // The server's fault by its status, and ours by what it says.
        || holds(&["option", "must be of type"])
        || holds(&["invalid JSON schema"])
        || holds(&["invalid", "format"])
    {
        Fault::Rejected { status, message }
    } else {
        Fault::Server { status, message }
    }
}

/// Why there was no answer at all.
fn connecting(problem: &reqwest::Error, address: &Address) -> Fault {
    if problem.is_dns() {
        return Fault::UnknownHost;
    }
    let refused = |cause: &io::Error| cause.kind() == io::ErrorKind::ConnectionRefused;
    if causes(problem).any(|cause| cause.downcast_ref().is_some_and(refused)) {
        return Fault::ConnectionRefused;
    }
    let says = |words: &str| causes(problem).any(|cause| cause.to_string().contains(words));
    if problem.is_timeout() {
        Fault::Unreachable(Message::OllamaSlowConnection)
    } else if problem.is_connect() && says("tunnel") {
        Fault::Unreachable(Message::OllamaProxy)
    } else if problem.is_connect() && address.is_secure() && !says("tcp connect error") {
        // The connection was there, and then the handshake failed.
        Fault::Tls
    } else if problem.is_connect() {
        Fault::Unreachable(Message::OllamaNoConnection)
    } else if says("invalid HTTP") {
        Fault::OtherServer(Message::OllamaNoHttp)
    } else {
        Fault::BrokenOff(Message::OllamaNoAnswer)
    }
}

fn causes(problem: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(problem.source(), |cause| (*cause).source())
}
