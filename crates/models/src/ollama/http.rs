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
use super::{OllamaError, Token, TokenSource};

/// No whole answer comes near this: vectors are asked for in small batches.
const MAX_BODY: usize = 32 * 1024 * 1024;
/// So much of an error is read.
const MAX_ERROR: usize = 16 * 1024;

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

    pub(super) async fn hold<T>(&self, work: impl Future<Output = T>) -> Result<T, OllamaError> {
        tokio::time::timeout_at(self.at, work).await.map_err(|_| OllamaError::Timeout(self.limit))
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
    ) -> Result<Self, OllamaError> {
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
            // Both families, whatever this machine's list of hosts says: Ollama may listen on either.
            let here =
                [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
            builder = builder.resolve_to_addrs("localhost", &here);
        }
        let client = builder.build().map_err(|problem| OllamaError::Client(problem.to_string()))?;
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
    ) -> Result<Response, OllamaError> {
        let token = self.token.as_ref().and_then(|source| source());
        let mut request = self.client.request(method, self.address.route(route));
        if let Some(token) = &token {
            if !self.address.is_secure() && !self.address.is_loopback() {
                return Err(OllamaError::TokenExposed);
            }
            request = request.header(AUTHORIZATION, token.header().ok_or(OllamaError::TokenUnusable)?);
        }
        if let Some(body) = body {
            let text =
                serde_json::to_vec(body).map_err(|problem| OllamaError::Client(problem.to_string()))?;
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
    ) -> Result<T, OllamaError> {
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
pub(super) fn check_kind(response: &Response) -> Result<(), OllamaError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "text/html" | "application/xhtml+xml" => Err(OllamaError::NotOllama(Message::OllamaWebPage)),
        _ => Ok(()),
    }
}

/// A whole body, read as JSON.
pub(super) async fn read_json<T: DeserializeOwned>(
    connection: &Connection,
    response: Response,
    deadline: Deadline,
) -> Result<T, OllamaError> {
    let bytes = deadline.hold(read(response, MAX_BODY)).await??;
    serde_json::from_slice(&bytes).map_err(|_| match error_of(&bytes) {
        Some(message) => OllamaError::Failed(connection.shown(&message)),
        None => OllamaError::Malformed("it is not what Ollama answers to this"),
    })
}

async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, OllamaError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| broken_off())? {
        if body.len() + chunk.len() > limit {
            return Err(OllamaError::Malformed("it has no end"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

pub(super) fn broken_off() -> OllamaError {
    OllamaError::BrokenOff(Message::OllamaConnectionEnded)
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

fn rejection(status: StatusCode, body: &[u8], model: &str, token: Option<&Token>) -> OllamaError {
    let json = error_of(body);
    let said = json.clone().unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    let said = cleaned(&token.map_or_else(|| said.clone(), |token| token.redact(&said)));
    let is_page = said.trim_start().starts_with('<');
    let status = match status {
        StatusCode::UNAUTHORIZED => return OllamaError::Unauthorised,
        StatusCode::FORBIDDEN => return OllamaError::Forbidden,
        StatusCode::TOO_MANY_REQUESTS => return OllamaError::Busy,
        StatusCode::SERVICE_UNAVAILABLE if json.is_some() => return OllamaError::Busy,
        StatusCode::NOT_FOUND if json.is_some() && !model.is_empty() => {
            return OllamaError::ModelMissing(model.to_owned());
        }
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => {
            return OllamaError::NotOllama(Message::OllamaNoRoute);
        }
        status if status.is_redirection() => return OllamaError::Redirect,
        status => status.as_u16(),
    };
    let message = if is_page { "a web page".to_owned() } else { said };
    let holds = |words: &[&str]| json.is_some() && words.iter().all(|word| message.contains(word));
    if holds(&["exceeds the context length"]) {
        OllamaError::TooLong
    } else if holds(&["does not support"]) {
        let jobs = [("chat", Message::OllamaJobChat), ("embed", Message::OllamaJobEmbed)];
        let job = jobs
            .iter()
            .find(|(word, _)| message.contains(word))
            .map_or(Message::OllamaJobThis, |(_, job)| *job);
        OllamaError::Incapable { model: model.to_owned(), job }
    } else if (400..500).contains(&status)
        // The server's fault by its status, and ours by what it says.
        || holds(&["option", "must be of type"])
        || holds(&["invalid JSON schema"])
        || holds(&["invalid", "format"])
    {
        OllamaError::Rejected { status, message }
    } else {
        OllamaError::Server { status, message }
    }
}

/// Why there was no answer at all.
fn connecting(problem: &reqwest::Error, address: &Address) -> OllamaError {
    if problem.is_dns() {
        return OllamaError::UnknownHost;
    }
    let refused = |cause: &io::Error| cause.kind() == io::ErrorKind::ConnectionRefused;
    if causes(problem).any(|cause| cause.downcast_ref().is_some_and(refused)) {
        return OllamaError::ConnectionRefused;
    }
    let says = |words: &str| causes(problem).any(|cause| cause.to_string().contains(words));
    if problem.is_timeout() {
        OllamaError::Unreachable(Message::OllamaSlowConnection)
    } else if problem.is_connect() && says("tunnel") {
        OllamaError::Unreachable(Message::OllamaProxy)
    } else if problem.is_connect() && address.is_secure() && !says("tcp connect error") {
        // The connection was there, and then the handshake failed.
        OllamaError::Tls
    } else if problem.is_connect() {
        OllamaError::Unreachable(Message::OllamaNoConnection)
    } else if says("invalid HTTP") {
        OllamaError::NotOllama(Message::OllamaNoHttp)
    } else {
        OllamaError::BrokenOff(Message::OllamaNoAnswer)
    }
}

fn causes(problem: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(problem.source(), |cause| (*cause).source())
}
