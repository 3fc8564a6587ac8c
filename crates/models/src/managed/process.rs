//! The server from our side: started, watched, stopped.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plumbline_core::ports::LanguageModel;
use plumbline_core::settings::{ModelSettings, ServerKind};
use tokio::sync::watch;
use tokio::time::Instant;

use super::guard::{GUARD_ARGUMENT, GuardCommand, Order, Told};
use super::state::{RunningModel, lock_path, state_path, write};
use super::{ManagedError, Plan};
use crate::server::{ModelServer, Token};

/// A model must answer by then: weights of some gigabytes on a slow disk take their time.
const START: Duration = Duration::from_secs(300);
const ASK_EVERY: Duration = Duration::from_millis(150);
/// Ports that are tried before it is given up.
const TRIES: usize = 4;

/// How the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It loads its model.
    Starting,
    /// It answers.
    Running(RunningModel),
    /// It has ended; why, where nobody stopped it.
    Ended(Option<ManagedError>),
}

/// A server that we run. It ends when this is dropped.
pub struct ManagedServer {
    status: watch::Sender<Status>,
    /// The guard ends the server when this closes.
    input: Mutex<Option<ChildStdin>>,
}

impl ManagedServer {
    /// Starts the server and waits until it answers. Where a port is taken, another is tried.
    pub async fn start(plan: &Plan, guard: &GuardCommand, workspace: &Path) -> Result<Self, ManagedError> {
        let mut preferred = Some(plan.port);
        for attempt in 1..=TRIES {
            let port =
                free_port(preferred.take()).map_err(|problem| ManagedError::file(&plan.program, &problem))?;
            match Self::start_at(plan, guard, workspace, port).await {
                // Somebody may have taken the port since we looked.
                Err(ManagedError::Ended { .. }) if attempt < TRIES && !is_free(port) => {}
                started => return started,
            }
        }
        Err(ManagedError::NotRunning)
    }

    async fn start_at(
        plan: &Plan,
        guard: &GuardCommand,
        workspace: &Path,
        port: u16,
    ) -> Result<Self, ManagedError> {
        let key = uuid::Uuid::new_v4().simple().to_string();
        let order = Order {
            program: plan.program.clone(),
            arguments: arguments(plan, port),
            key: key.clone(),
            memory: plan.memory,
            lock: lock_path(workspace),
            state: state_path(workspace),
        };
        let server =
            Self::guarded(&order, guard).map_err(|problem| ManagedError::file(&guard.program, &problem))?;
        let address = format!("http://127.0.0.1:{port}/v1");
        server.answering(plan, workspace, address, key).await?;
        Ok(server)
    }

    fn guarded(order: &Order, guard: &GuardCommand) -> std::io::Result<Self> {
        let mut command = Command::new(&guard.program);
        command.arg(GUARD_ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut input = child.stdin.take();
        let output = child.stdout.take();
        if let Some(input) = &mut input {
            writeln!(input, "{}", serde_json::to_string(order)?)?;
        }
        let status = watch::Sender::new(Status::Starting);
        let (told, limit) = (status.clone(), order.memory >> 20);
        std::thread::spawn(move || {
            let mut last = None;
            for line in
                output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok)
            {
                last = serde_json::from_str(&line).ok().and_then(|event| ending(event, limit)).or(last);
            }
            let _ = child.wait();
            told.send_replace(Status::Ended(last));
        });
        Ok(Self { status, input: Mutex::new(input) })
    }

    /// Waits until the model can be asked. Only our own server knows the key, so nobody else on the port is taken for it.
    async fn answering(
        &self,
        plan: &Plan,
        workspace: &Path,
        address: String,
        key: String,
    ) -> Result<(), ManagedError> {
        let settings = ModelSettings {
            server: ServerKind::Openai,
            openai_url: address.clone(),
            ..ModelSettings::default()
        };
        let token = Token::new(&key);
        let client = ModelServer::new(&settings, Some(std::sync::Arc::new(move || token.clone())))
            .map_err(|problem| ManagedError::Download { address: address.clone(), why: problem.detail() })?;
        let mut status = self.status.subscribe();
        let patience = Instant::now() + START;
        loop {
            if client.inspect(&plan.model).await.is_ok() {
                break;
            }
            let waited =
                tokio::time::timeout(ASK_EVERY, status.wait_for(|now| matches!(now, Status::Ended(_))));
            if let Ok(Ok(ended)) = waited.await {
                let Status::Ended(why) = &*ended else { continue };
                return Err(why.clone().unwrap_or(ManagedError::NotRunning));
            }
            if Instant::now() > patience {
                return Err(ManagedError::NoStart { seconds: START.as_secs(), words: String::new() });
            }
        }
        let running = RunningModel { address, key, model: plan.model.clone() };
        write(workspace, &running)?;
        let is_there = |now: &mut Status| {
            let starting = matches!(now, Status::Starting);
            if starting {
                *now = Status::Running(running.clone());
            }
            starting
        };
        match self.status.send_if_modified(is_there) {
            true => Ok(()),
            false => Err(ManagedError::NotRunning),
        }
    }

    /// How it is now, and how it becomes.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.subscribe()
    }

    /// Ends the server and waits until it is gone.
    pub async fn stop(&self) {
        self.input.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The sender is ours, so this ends with the server.
        let _ = self.status.subscribe().wait_for(|now| matches!(now, Status::Ended(_))).await;
    }
}

fn ending(told: Told, limit: u64) -> Option<ManagedError> {
    match told {
        Told::Started { .. } => None,
        Told::Taken => Some(ManagedError::Taken),
        Told::NotStarted { why } => Some(ManagedError::Ended { status: why, words: String::new() }),
        Told::Memory => Some(ManagedError::Memory { limit }),
        Told::Ended { status, words } => Some(ManagedError::Ended { status, words }),
    }
}

fn arguments(plan: &Plan, port: u16) -> Vec<String> {
    let (file, context, port) = (plan.file.display().to_string(), plan.context.to_string(), port.to_string());
    let given = [
        ("--model", file.as_str()),
        ("--alias", &plan.model),
        ("--host", "127.0.0.1"),
        ("--port", &port),
        ("--ctx-size", &context),
        // One question at a time has the whole window.
        ("--parallel", "1"),
    ];
    given.into_iter().flat_map(|(name, value)| [name.to_owned(), value.to_owned()]).collect()
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn free_port(preferred: Option<u16>) -> std::io::Result<u16> {
    match preferred.filter(|port| is_free(*port)) {
        Some(port) => Ok(port),
        None => Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port()),
    }
}
