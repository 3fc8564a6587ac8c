use std::time::Duration;

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::ports::VocabularyError;
use reqwest::{Client, StatusCode, redirect};

use super::address::Address;
use super::wire::Malformed;
use super::{LATEST, SkosmosError};

/// No answer of the contract comes near this; a body beyond it is not read further.
const MAX_BODY: usize = 4 * 1024 * 1024;
/// How many connections are kept warm.
const WARM: usize = 5;
/// Shorter than the keep-alive of most servers would close a connection that is still good; longer finds it closed.
const WARM_FOR: Duration = Duration::from_secs(60);

/// Why a server gave no answer. None of it repeats what the server said: its errors name hosts of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    Unreachable,
    Late,
    Status(u16),
    NotJson,
    TooLong,
    BrokenOff,
    Malformed(Malformed),
    /// What it says in one place and in another does not fit.
    Contradiction,
    /// It has none of the vocabularies.
    NoVocabulary,
}

impl Failure {
    /// The failure as the port tells it.
    pub(super) fn tell(&self, address: &Address, timeout_ms: u64) -> VocabularyError {
        let address = ("address", Detail::from(address.shown().to_string()));
        VocabularyError::Unavailable(match self {
            Self::Late => return VocabularyError::Timeout(timeout_ms),
            Self::Unreachable => Detail::of(Message::SkosmosUnreachable, [address]),
            Self::Status(status) => {
                Detail::of(Message::SkosmosStatus, [address, ("status", status.to_string().into())])
            }
            Self::NotJson => Detail::of(Message::SkosmosNotJson, [address]),
            Self::TooLong => Detail::of(Message::SkosmosTooLong, [address]),
            Self::BrokenOff => Detail::of(Message::SkosmosBrokenOff, [address]),
            Self::Malformed(what) => {
                Detail::of(Message::SkosmosMalformed, [address, ("detail", what.to_string().into())])
            }
            Self::Contradiction => Detail::of(Message::SkosmosContradiction, [address]),
            Self::NoVocabulary => Detail::of(Message::SkosmosNoVocabulary, [address]),
        })
    }
}

impl From<Malformed> for Failure {
    fn from(what: Malformed) -> Self {
        Self::Malformed(what)
    }
}

/// A server and the warm connections to it.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) address: Address,
    client: Client,
}

impl Connection {
    /// Nothing is connected before the first request.
    pub(super) fn new(address: Address) -> Result<Self, SkosmosError> {
        // Where another part of the program was first, its provider is the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .user_agent(concat!("plumbline/", env!("CARGO_PKG_VERSION")))
            // A redirect could lead a look-up, and credentials with it, to a server that nobody chose.
            .redirect(redirect::Policy::none())
            .timeout(LATEST)
            .connect_timeout(LATEST)
            .pool_max_idle_per_host(WARM)
            .pool_idle_timeout(WARM_FOR);
        if address.is_loopback() {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|problem| SkosmosError::Client(problem.to_string()))?;
        Ok(Self { address, client })
    }

    /// A JSON answer; `None` where the server says that there is no such thing.
    pub(super) async fn get(
        &self,
        path: &[&str],
        parameters: &[(&str, &str)],
    ) -> Result<Option<Vec<u8>>, Failure> {
        let url = self.address.request(path, parameters).ok_or(Failure::Unreachable)?;
        let request = self.client.get(url).header("Accept", "application/ld+json, application/json");
        let mut response = request.send().await.map_err(|problem| failure(&problem, Failure::Unreachable))?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(Failure::Status(status.as_u16())),
        }
        if !is_json(&response) {
            return Err(Failure::NotJson);
        }
        let announced =
            response.content_length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
        if announced > MAX_BODY {
            return Err(Failure::TooLong);
        }
        let mut body = Vec::with_capacity(announced);
        while let Some(chunk) =
            response.chunk().await.map_err(|problem| failure(&problem, Failure::BrokenOff))?
        {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(Failure::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Some(body))
    }
}

fn failure(problem: &reqwest::Error, otherwise: Failure) -> Failure {
    if problem.is_timeout() { Failure::Late } else { otherwise }
}

fn is_json(response: &reqwest::Response) -> bool {
    let kind =
        response.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.eq_ignore_ascii_case("application/ld+json")
}
