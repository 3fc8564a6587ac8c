//! A SKOSMOS that answers from recorded exchanges, on loopback, with faults that a test adds.
//!
//! HTTP/1.1 is written by hand: half of what it must do (lie about a length, stop half-way, never end) is what a
//! library for servers keeps one from doing.

mod recordings;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

pub use recordings::{Exchange, Recordings};

/// What goes wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It begins only after this time.
    Delay(Duration),
    /// Its body comes a byte at a time, with this time between two.
    SlowBody(Duration),
    /// Nothing is ever sent.
    Hang,
    /// The headers come and then nothing.
    HangAfterHeaders,
    /// The connection ends after this many bytes of the body.
    CutBody(usize),
    /// The length in the headers is wrong by this much; the connection stays open.
    WrongLength(isize),
    /// A web page with status 200, as a proxy or a log-in page sends it.
    Html,
    /// A status of its own with a text that names a host.
    Status(u16),
    /// This body instead of the recorded one.
    Body(Vec<u8>),
    /// A body that begins as JSON does and has no end.
    Endless,
    /// A redirect to this address.
    Redirect(String),
    /// The connection is closed without a word.
    Close,
}

/// What every connection shares.
struct Shared {
    recordings: Mutex<Recordings>,
    faults: Mutex<Vec<(String, Fault)>>,
    requests: Mutex<Vec<String>>,
    unrecorded: Mutex<BTreeSet<String>>,
    connections: AtomicUsize,
}

/// A server that lives as long as this value.
pub struct SkosmosServer {
    address: String,
    shared: Arc<Shared>,
    accepting: AbortHandle,
}

impl SkosmosServer {
    /// Listens on a free port.
    pub async fn start(recordings: Recordings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            recordings: Mutex::new(recordings),
            faults: Mutex::default(),
            requests: Mutex::default(),
            unrecorded: Mutex::default(),
            connections: AtomicUsize::new(0),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared))).abort_handle();
        Self { address, shared, accepting }
    }

    /// `http://127.0.0.1:<port>`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// From now on, answers to requests whose target contains `target` go wrong in this way.
    pub fn misbehave(&self, target: &str, fault: Fault) {
        self.shared.faults.lock().unwrap().push((target.to_owned(), fault));
    }

    /// From now on all is well.
    pub fn behave(&self) {
        self.shared.faults.lock().unwrap().clear();
    }

    /// Other recordings from now on.
    pub fn replay(&self, recordings: Recordings) {
        *self.shared.recordings.lock().unwrap() = recordings;
    }

    /// The targets of the requests so far, in order.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// How many requests so far had a target that contains this.
    pub fn count(&self, target: &str) -> usize {
        self.requests().iter().filter(|request| request.contains(target)).count()
    }

    /// The targets that no recording answers.
    pub fn unrecorded(&self) -> Vec<String> {
        self.shared.unrecorded.lock().unwrap().iter().cloned().collect()
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

impl Drop for SkosmosServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        shared.connections.fetch_add(1, Ordering::SeqCst);
        connections.spawn(converse(stream, Arc::clone(&shared)));
        while connections.try_join_next().is_some() {}
    }
}

/// One connection; it ends when either side closes it.
async fn converse(mut stream: TcpStream, shared: Arc<Shared>) {
    stream.set_nodelay(true).unwrap();
    let mut read = Vec::new();
    while let Some(target) = next_request(&mut stream, &mut read).await {
        shared.requests.lock().unwrap().push(target.clone());
        let exchange = shared.recordings.lock().unwrap().answer(&target);
        let exchange = exchange.unwrap_or_else(|| {
            shared.unrecorded.lock().unwrap().insert(target.clone());
            Exchange::text(501, "text/plain", "not recorded")
        });
        let fault = {
            let faults = shared.faults.lock().unwrap();
            faults.iter().find(|(part, _)| target.contains(part.as_str())).map(|(_, fault)| fault.clone())
        };
        let sent = match fault {
            None => send(&mut stream, &exchange).await,
            Some(fault) => send_wrong(&mut stream, exchange, fault).await,
        };
        if !matches!(sent, Ok(true)) {
            return;
        }
    }
}

/// The target of the next request; `None` at the end of the connection.
async fn next_request(stream: &mut TcpStream, read: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            read.drain(..end + 4);
            return head.split(' ').nth(1).map(str::to_owned);
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => read.extend_from_slice(&chunk[..length]),
        }
    }
}

/// Sends an answer; whether the connection stays open. PHP's own errors come as HTTP/1.0 and close it.
async fn send(stream: &mut TcpStream, exchange: &Exchange) -> std::io::Result<bool> {
    let open = exchange.status < 400;
    let mut message = head(exchange, exchange.body.len());
    message.extend_from_slice(&exchange.body);
    stream.write_all(&message).await?;
    Ok(open)
}

fn head(exchange: &Exchange, length: usize) -> Vec<u8> {
    let (version, connection) = if exchange.status < 400 { ("1.1", "keep-alive") } else { ("1.0", "close") };
    let mut head = format!(
        "HTTP/{version} {} Recorded\r\nContent-Type: {}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n",
        exchange.status, exchange.content_type
    );
    if let Some(location) = &exchange.location {
        head.push_str(&format!("Location: {location}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

async fn send_wrong(stream: &mut TcpStream, mut exchange: Exchange, fault: Fault) -> std::io::Result<bool> {
    match fault {
        Fault::Delay(by) => {
            tokio::time::sleep(by).await;
            return send(stream, &exchange).await;
        }
        Fault::SlowBody(pause) => {
            stream.write_all(&head(&exchange, exchange.body.len())).await?;
            for byte in &exchange.body {
                stream.write_all(&[*byte]).await?;
                tokio::time::sleep(pause).await;
            }
            return Ok(true);
        }
        Fault::Hang => std::future::pending::<()>().await,
        Fault::HangAfterHeaders => {
            stream.write_all(&head(&exchange, exchange.body.len())).await?;
            std::future::pending::<()>().await;
        }
        Fault::CutBody(after) => {
            stream.write_all(&head(&exchange, exchange.body.len())).await?;
            stream.write_all(&exchange.body[..after.min(exchange.body.len())]).await?;
        }
        Fault::WrongLength(by) => {
            let length = exchange.body.len().saturating_add_signed(by);
            let mut message = head(&exchange, length);
            message.extend_from_slice(&exchange.body);
            stream.write_all(&message).await?;
            return Ok(true);
        }
        Fault::Html => {
            let page = "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>";
            return send(stream, &Exchange::text(200, "text/html; charset=utf-8", page)).await;
        }
        Fault::Status(status) => {
            let text = "ERROR: Unable to connect to sparql.internal.example:9091 (Connection refused)";
            return send(stream, &Exchange::text(status, "text/html; charset=UTF-8", text)).await;
        }
        Fault::Body(body) => {
            exchange.body = body;
            return send(stream, &exchange).await;
        }
        Fault::Endless => {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n", exchange.content_type);
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(b"{\"results\":[").await?;
            loop {
                stream.write_all(&[b' '; 65_536]).await?;
            }
        }
        Fault::Redirect(location) => {
            let exchange = Exchange { location: Some(location), ..Exchange::text(302, "text/html", "") };
            return send(stream, &exchange).await;
        }
        Fault::Close => {}
    }
    Ok(false)
}
