//! Clients that have introduced themselves, and which answer belongs to which request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{ClientJsonRpcMessage, ProgressToken, RequestId, ServerJsonRpcMessage, ServerNotification};
use rmcp::service::serve_server_with_ct;
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::server::Server;

/// So many clients are known at a time; beyond that the one that was quiet for longest is forgotten.
const MOST_SESSIONS: usize = 64;
/// A client that was quiet for so long is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60 * 60);
/// So many messages of one client wait to be read.
const WAITING: usize = 64;

pub(super) struct Sessions {
    server: Server,
    known: Mutex<HashMap<String, Arc<Session>>>,
}

struct Session {
    to_server: mpsc::Sender<ClientJsonRpcMessage>,
    waiting: Arc<Mutex<Vec<Waiting>>>,
    heard: Mutex<Instant>,
    /// Ends what runs for it.
    _ends: DropGuard,
}

/// A request that has no answer yet.
struct Waiting {
    id: RequestId,
    progress: Option<ProgressToken>,
    to_client: mpsc::UnboundedSender<ServerJsonRpcMessage>,
}

/// What comes for one request: progress, then its answer.
pub(super) struct Reply {
    messages: mpsc::UnboundedReceiver<ServerJsonRpcMessage>,
    /// A session that is forgotten meanwhile still answers.
    _session: Arc<Session>,
}

impl Reply {
    pub async fn next(&mut self) -> Option<ServerJsonRpcMessage> {
        self.messages.recv().await
    }
}

impl Sessions {
    pub fn new(server: Server) -> Self {
        Self { server, known: Mutex::default() }
    }

    /// Whether a version of the protocol is spoken.
    pub fn speaks(&self, version: &str) -> bool {
        self.server.supported_protocol_versions().iter().any(|known| known.as_str() == version)
    }

    pub fn knows(&self, id: &str) -> bool {
        lock(&self.known).contains_key(id)
    }

    /// A new session, and its id.
    pub fn begin(&self) -> String {
        let id = uuid::Uuid::new_v4().to_string();
        let session = Arc::new(started(self.server.clone()));
        let mut known = lock(&self.known);
        let now = Instant::now();
        known.retain(|_, session| now.duration_since(*lock(&session.heard)) < FORGOTTEN_AFTER);
        while known.len() >= MOST_SESSIONS {
            let quietest =
                known.iter().min_by_key(|(_, session)| *lock(&session.heard)).map(|(id, _)| id.clone());
            match quietest {
                Some(quietest) => known.remove(&quietest),
                None => break,
            };
        }
        known.insert(id.clone(), session);
        id
    }

    /// Forgets a session; whether there was one.
    pub fn end(&self, id: &str) -> bool {
        lock(&self.known).remove(id).is_some()
    }

    /// Hands a message in to which no answer is expected.
    pub async fn hand_in(&self, id: &str, message: ClientJsonRpcMessage) -> bool {
        match self.session(id) {
            Some(session) => session.to_server.send(message).await.is_ok(),
            None => false,
        }
    }

    /// Hands a request in and gives what comes for it.
    pub async fn ask(
        &self,
        id: &str,
        request: RequestId,
        progress: Option<ProgressToken>,
        message: ClientJsonRpcMessage,
    ) -> Option<Reply> {
        let session = self.session(id)?;
        let (to_client, messages) = mpsc::unbounded_channel();
        lock(&session.waiting).push(Waiting { id: request, progress, to_client });
        session.to_server.send(message).await.ok()?;
        Some(Reply { messages, _session: session })
    }

    fn session(&self, id: &str) -> Option<Arc<Session>> {
        let session = lock(&self.known).get(id).cloned()?;
        *lock(&session.heard) = Instant::now();
        Some(session)
    }
}

fn started(server: Server) -> Session {
    let (to_server, from_client) = mpsc::channel(WAITING);
    let waiting = Arc::new(Mutex::new(Vec::new()));
    let stop = CancellationToken::new();
    let transport = Channel { from_client, waiting: Arc::clone(&waiting) };
    let told = stop.clone();
    tokio::spawn(async move {
        if let Ok(serving) = serve_server_with_ct(server, transport, told).await {
            let _ = serving.waiting().await;
        }
    });
    Session { to_server, waiting, heard: Mutex::new(Instant::now()), _ends: stop.drop_guard() }
}

/// A session as the SDK sees it.
struct Channel {
    from_client: mpsc::Receiver<ClientJsonRpcMessage>,
    waiting: Arc<Mutex<Vec<Waiting>>>,
}

/// Nothing goes wrong on the way to a queue.
#[derive(Debug, thiserror::Error)]
#[error("the client is gone")]
struct Gone;

impl Transport<RoleServer> for Channel {
    type Error = Gone;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Gone>> + Send + 'static {
        hand_out(&mut lock(&self.waiting), item);
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.from_client.recv().await
    }

    async fn close(&mut self) -> Result<(), Gone> {
        lock(&self.waiting).clear();
        Ok(())
    }
}

/// Gives a message to the request that it belongs to; what belongs to none has nobody to go to. The answer is the last.
fn hand_out(waiting: &mut Vec<Waiting>, message: ServerJsonRpcMessage) {
    let answered = match &message {
        ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
        ServerJsonRpcMessage::Error(error) => error.id.clone(),
        _ => None,
    };
    if let Some(id) = answered {
        if let Some(at) = waiting.iter().position(|waiting| waiting.id == id) {
            // Whoever asked may be gone.
            let _ = waiting.swap_remove(at).to_client.send(message);
        }
        return;
    }
    if let ServerJsonRpcMessage::Notification(notification) = &message
        && let ServerNotification::ProgressNotification(progress) = &notification.notification
    {
        let token = &progress.params.progress_token;
        if let Some(waiting) = waiting.iter().find(|waiting| waiting.progress.as_ref() == Some(token)) {
            let _ = waiting.to_client.send(message);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
