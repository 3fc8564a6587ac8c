//! The protocol over HTTP ("Streamable HTTP"), on this machine only.
//!
//! A small server of our own: that of the SDK would have LanceDB compiled anew (see the manifest), and what is needed of HTTP for
//! one address that takes JSON is little. Nobody gets in without the token, and no page of a browser at all.

mod guard;
mod request;
mod response;
mod session;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, ServerJsonRpcMessage};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::error::McpError;
use crate::server::Server;
use guard::Guard;
use request::{Method, Request, read};
use response::{Response, Status};
use session::{Reply, Sessions};

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";
/// So many clients at a time; further ones wait.
const MOST_CONNECTIONS: usize = 64;
/// A request must have arrived by then.
const ARRIVAL: Duration = Duration::from_secs(30);
/// A stream on which nothing comes says so often that nothing in between takes it for dead.
const STILL_THERE: Duration = Duration::from_secs(15);
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// A server that listens.
pub struct HttpServer {
    listener: TcpListener,
    door: Arc<Door>,
}

struct Door {
    sessions: Sessions,
    guard: Guard,
}

impl HttpServer {
    /// Listens on this port of this machine, or on any free one where it is 0. `token` is what clients must show.
    pub async fn bind(server: Server, port: u16, token: &str) -> Result<Self, McpError> {
        let failed = |source| McpError::Listen { port, source };
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(failed)?;
        let guard = Guard::new(token);
        Ok(Self { listener, door: Arc::new(Door { sessions: Sessions::new(server), guard }) })
    }

    /// Where it is reached.
    pub fn address(&self) -> String {
        let port = self.listener.local_addr().map(|address| address.port()).unwrap_or_default();
        format!("http://127.0.0.1:{port}{PATH}")
    }

    /// Serves until `stop` is cancelled.
    pub async fn serve(self, stop: CancellationToken) {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let stream = tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(_) => continue,
                },
            };
            let (door, stop) = (Arc::clone(&self.door), stop.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = talk(&door, stream) => {}
                }
                drop(place);
            });
        }
    }
}

/// One connection: request after request.
async fn talk(door: &Door, mut stream: TcpStream) {
    let mut ahead = Vec::new();
    loop {
        let request = match tokio::time::timeout(ARRIVAL, read(&mut stream, &mut ahead)).await {
            Ok(Ok(Some(request))) => request,
            Ok(Ok(None)) | Err(_) => return,
            Ok(Err(status)) => {
                let _ = Response::of(status).closing().write(&mut stream).await;
                return;
            }
        };
        let stays = match door.answer(request).await {
            Answer::Whole(response) => response.write(&mut stream).await.is_ok(),
            Answer::Stream(reply, session) => {
                // A stream ends with its connection, so it needs no lengths.
                let _ = stream_out(&mut stream, reply, &session).await;
                false
            }
        };
        if !stays {
            return;
        }
    }
}

enum Answer {
    Whole(Response),
    /// Messages as they come, in the session of this id.
    Stream(Reply, String),
}

impl From<Status> for Answer {
    fn from(status: Status) -> Self {
        Self::Whole(Response::of(status))
    }
}

impl Door {
    async fn answer(&self, request: Request) -> Answer {
        if let Err(status) = self.guard.lets_in(&request) {
            return status.into();
        }
        if request.path != PATH {
            return Status::NotFound.into();
        }
        match request.method {
            Method::Post => self.take(request).await,
            Method::Delete => match request.header(SESSION) {
                Some(id) if self.sessions.end(id) => Status::NoContent.into(),
                _ => Status::NotFound.into(),
            },
            // Nothing comes unasked, so there is nothing to listen to.
            Method::Other => Status::MethodNotAllowed.into(),
        }
    }

    async fn take(&self, request: Request) -> Answer {
        let accepts = request.header("accept").unwrap_or("*/*");
        let takes = |kind: &str| accepts.contains(kind) || accepts.contains("*/*");
        if !takes("application/json") || !takes("text/event-stream") {
            return Status::NotAcceptable.into();
        }
        if !request.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            return Status::UnsupportedMediaType.into();
        }
        if request.header(VERSION).is_some_and(|version| !self.sessions.speaks(version)) {
            return told(
                Status::BadRequest,
                ErrorData::invalid_request("unsupported protocol version", None),
            );
        }
        let message: ClientJsonRpcMessage = match serde_json::from_slice(&request.body) {
            Ok(message) => message,
            Err(problem) if problem.is_data() => {
                return told(Status::BadRequest, ErrorData::invalid_request("this is no message", None));
            }
            Err(_) => return told(Status::BadRequest, ErrorData::parse_error("this is no JSON", None)),
        };
        let introduces = matches!(
            &message,
            ClientJsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::InitializeRequest(_))
        );
        let id = match request.header(SESSION) {
            Some(id) if self.sessions.knows(id) => id.to_owned(),
            Some(_) => return Status::NotFound.into(),
            None if introduces => self.sessions.begin(),
            None => {
                return told(Status::BadRequest, ErrorData::invalid_request("begin with `initialize`", None));
            }
        };
        let ClientJsonRpcMessage::Request(asked) = &message else {
            return match self.sessions.hand_in(&id, message).await {
                true => Status::Accepted.into(),
                false => Status::NotFound.into(),
            };
        };
        let progress = asked.request.get_meta().get_progress_token();
        let streams = progress.is_some();
        let Some(mut reply) = self.sessions.ask(&id, asked.id.clone(), progress, message).await else {
            return Status::NotFound.into();
        };
        if streams {
            return Answer::Stream(reply, id);
        }
        match reply.next().await {
            Some(last) => Answer::Whole(Response::json(Status::Ok, &last).with(SESSION, &id)),
            None => Status::NotFound.into(),
        }
    }
}

fn told(status: Status, error: ErrorData) -> Answer {
    Answer::Whole(Response::json(status, &ServerJsonRpcMessage::error(error, None)))
}

/// Messages as server-sent events, until the answer is among them.
async fn stream_out(stream: &mut TcpStream, mut reply: Reply, session: &str) -> std::io::Result<()> {
    Response::event_stream().with(SESSION, session).write(stream).await?;
    loop {
        match tokio::time::timeout(STILL_THERE, reply.next()).await {
            Ok(Some(message)) => response::event(stream, &message).await?,
            Ok(None) => return Ok(()),
            Err(_) => response::still_there(stream).await?,
        }
    }
}
