//! A model server on loopback, in Ollama's protocol and in OpenAI's: it replays recorded exchanges with their timing, makes up a server with models of its own, or
//! misbehaves as a test says. It remembers what it was asked and knows which connections are open.
//!
//! HTTP/1.1 is written by hand: half of what it must do (lie about a length, stop half-way, never end) is what a
//! library for servers keeps one from doing.

mod acts;
mod openai_world;
mod recordings;
mod world;

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use plumbline_core::ports::ChatRequest;
use plumbline_core::request::{ChatMessage, Role};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

pub use acts::{
    Act, Acts, Framing, chat_end, chat_line, error_line, event, event_error, event_head, event_line,
    event_usage, head, json, lines, page,
};
pub use recordings::{Exchange, Recordings};
pub use world::{World, WorldModel};

/// How a TLS handshake begins, and what a server without TLS makes of it.
const HANDSHAKE: u8 = 0x16;
const NO_TLS: &[u8] = b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTPS request to an HTTP server.\n";

/// However busy the machine is, a connection that is not closed by then is left open.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a client asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path.
    pub path: String,
    /// The headers, with names in lowercase.
    pub headers: Vec<(String, String)>,
    /// The body, where it is JSON.
    pub body: Value,
    /// The connection it came on; the first is 1.
    pub connection: usize,
}

impl ReceivedRequest {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The request that the body of a chat was made from; its time limits stay with the client.
    pub fn chat_request(&self) -> ChatRequest {
        let body = &self.body;
        let role = |name: &str| match name {
            "system" => Role::System,
            "assistant" => Role::Assistant,
            _ => Role::User,
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        // Ollama has its options apart, and other names for them.
        let options = if body["options"].is_object() { &body["options"] } else { body };
        let number =
            |names: &[&str]| names.iter().find_map(|name| options[*name].as_u64()).unwrap_or_default();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        ChatRequest {
            model: text(&body["model"]),
            messages: messages
                .iter()
                .map(|message| ChatMessage {
                    role: role(&text(&message["role"])),
                    content: text(&message["content"]),
                })
                .collect(),
            num_ctx: usize::try_from(number(&["num_ctx"])).unwrap(),
            num_predict: usize::try_from(number(&["num_predict", "max_tokens"])).unwrap(),
            temperature: options["temperature"].as_f64().unwrap_or_default() as f32,
            seed: number(&["seed"]),
            first_token: Duration::MAX,
            between_tokens: Duration::MAX,
        }
    }
}

type Answer = Arc<dyn Fn(&ReceivedRequest) -> Acts + Send + Sync>;

struct Shared {
    world: Mutex<World>,
    rules: Mutex<Vec<(String, Answer)>>,
    asked: Mutex<Vec<ReceivedRequest>>,
    connections: AtomicUsize,
    closed: Mutex<Vec<usize>>,
    open: watch::Sender<usize>,
}

impl Shared {
    fn answer(&self, request: &ReceivedRequest) -> Acts {
        let rules = self.rules.lock().unwrap();
        let rule = rules.iter().find(|(path, _)| *path == request.path).map(|(_, answer)| Arc::clone(answer));
        drop(rules);
        match rule {
            Some(answer) => answer(request),
            None => self.world.lock().unwrap().answer(request),
        }
    }
}

/// A server that lives as long as this value.
pub struct OllamaServer {
    address: String,
    port: u16,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

impl OllamaServer {
    /// A server with two models of its own, on 127.0.0.1.
    pub async fn start() -> Self {
        Self::with(World::default()).await
    }

    /// A server with these models, on 127.0.0.1.
    pub async fn with(world: World) -> Self {
        Self::start_on("127.0.0.1:0", world).await.unwrap()
    }

    /// A server at this address; an error where the machine has none such.
    pub async fn start_on(address: &str, world: World) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let bound = listener.local_addr()?;
        let shared = Arc::new(Shared {
            world: Mutex::new(world),
            rules: Mutex::default(),
            asked: Mutex::default(),
            connections: AtomicUsize::new(0),
            closed: Mutex::default(),
            open: watch::Sender::new(0),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address: format!("http://{bound}"), port: bound.port(), shared, accepting })
    }

    /// Ends the server; when this returns, nobody listens at its address any more.
    pub async fn stop(mut self) {
        self.accepting.abort();
        // Its only result is that it was told to end.
        let _ = (&mut self.accepting).await;
    }

    /// `http://127.0.0.1:<port>`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// From now on, requests for this path are answered so.
    pub fn answer(&self, path: &str, acts: Acts) {
        self.answer_with(path, move |_| acts.clone());
    }

    /// From now on, requests for this path are answered as this function says.
    pub fn answer_with(&self, path: &str, answer: impl Fn(&ReceivedRequest) -> Acts + Send + Sync + 'static) {
        self.shared.rules.lock().unwrap().insert(0, (path.to_owned(), Arc::new(answer)));
    }

    /// From now on, requests for the path of this exchange are answered as they were when it was recorded.
    pub fn replay(&self, exchange: &Exchange, speed: f64) {
        self.answer(&exchange.path, exchange.acts(speed));
    }

    /// From now on all is well.
    pub fn behave(&self) {
        self.shared.rules.lock().unwrap().clear();
    }

    /// Other models from now on.
    pub fn change(&self, world: World) {
        *self.shared.world.lock().unwrap() = world;
    }

    /// Everything that was asked so far, in order.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// What was asked of this path so far.
    pub fn asked_of(&self, path: &str) -> Vec<ReceivedRequest> {
        self.asked().into_iter().filter(|asked| asked.path == path).collect()
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// How many of them are open.
    pub fn open(&self) -> usize {
        *self.shared.open.borrow()
    }

    /// The connections that are closed, in the order in which that happened.
    pub fn closed(&self) -> Vec<usize> {
        self.shared.closed.lock().unwrap().clone()
    }

    /// Waits until every connection is closed; whether that came about.
    pub async fn all_closed(&self) -> bool {
        let mut open = self.shared.open.subscribe();
        tokio::time::timeout(PATIENCE, open.wait_for(|open| *open == 0)).await.is_ok()
    }

    /// Waits until this many requests for the path have come; whether that came about.
    pub async fn was_asked(&self, path: &str, times: usize) -> bool {
        let waiting = async {
            while self.asked_of(path).len() < times {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.is_ok()
    }
}

impl Drop for OllamaServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let number = shared.connections.fetch_add(1, Ordering::SeqCst) + 1;
        shared.open.send_modify(|open| *open += 1);
        connections.spawn(converse(stream, number, Arc::clone(&shared)));
        while connections.try_join_next().is_some() {}
    }
}

/// One connection; it ends when either side closes it.
async fn converse(stream: TcpStream, number: usize, shared: Arc<Shared>) {
    stream.set_nodelay(true).unwrap();
    let mut line = Line { stream, read: Vec::new(), framing: Framing::Chunked };
    while let Some(mut asked) = line.next_request().await {
        asked.connection = number;
        shared.asked.lock().unwrap().push(asked.clone());
        if line.perform(shared.answer(&asked)).await.is_err() {
            break;
        }
    }
    drop(line);
    shared.closed.lock().unwrap().push(number);
    shared.open.send_modify(|open| *open -= 1);
}

struct Line {
    stream: TcpStream,
    /// What has been read and not looked at.
    read: Vec<u8>,
    framing: Framing,
}

impl Line {
    async fn next_request(&mut self) -> Option<ReceivedRequest> {
        let end = loop {
            if let Some(end) = self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            self.more().await.ok()?;
            if self.read.first() == Some(&HANDSHAKE) {
                self.stream.write_all(NO_TLS).await.ok()?;
                return None;
            }
        };
        let head: Vec<u8> = self.read.drain(..end + 4).collect();
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut rows = head.lines();
        let mut first = rows.next().unwrap_or_default().split(' ');
        let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
        let headers: Vec<(String, String)> = rows
            .filter_map(|row| row.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
        while self.read.len() < length {
            self.more().await.ok()?;
        }
        let body: Vec<u8> = self.read.drain(..length).collect();
        Some(ReceivedRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
            connection: 0,
        })
    }

    async fn more(&mut self) -> io::Result<()> {
        let mut chunk = [0; 16_384];
        match self.stream.read(&mut chunk).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            length => {
                self.read.extend_from_slice(&chunk[..length]);
                Ok(())
            }
        }
    }

    /// Does what the acts say; an error where the connection is over.
    async fn perform(&mut self, acts: Acts) -> io::Result<()> {
        for act in acts {
            match act {
                Act::Head { status, kind, framing } => {
                    self.framing = framing;
                    self.stream.write_all(&acts::head_bytes(status, &kind, framing)).await?;
                }
                Act::Body(bytes) => self.write_framed(&bytes).await?,
                Act::Raw(bytes) => self.stream.write_all(&bytes).await?,
                Act::Wait(time) => self.wait(tokio::time::sleep(time)).await?,
                Act::Hang => self.wait(std::future::pending()).await?,
                Act::Endless(bytes) => loop {
                    self.write_framed(&bytes).await?;
                },
                Act::End => match self.framing {
                    Framing::Chunked => self.stream.write_all(b"0\r\n\r\n").await?,
                    Framing::Length(_) => {}
                    Framing::UntilClose => return Err(io::ErrorKind::ConnectionAborted.into()),
                },
                Act::Close => return Err(io::ErrorKind::ConnectionAborted.into()),
            }
        }
        Ok(())
    }

    async fn write_framed(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.framing != Framing::Chunked {
            return self.stream.write_all(bytes).await;
        }
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.stream.write_all(&chunk).await
    }

    /// Waits, and notices when the client goes away meanwhile.
    async fn wait(&mut self, until: impl Future<Output = ()>) -> io::Result<()> {
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => return Ok(()),
                more = self.more() => more?,
            }
        }
    }
}
