use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const START: Duration = Duration::from_secs(120);

/// How a server is started at an address.
pub type Program = Box<dyn Fn(&str) -> Command + Send + Sync>;

/// A real server that lives as long as this value.
pub struct LiveServer {
    address: String,
    program: Option<Program>,
    child: Child,
}

/// One that was stopped and can be started at the same address.
pub struct StoppedServer {
    address: String,
    program: Program,
}

impl LiveServer {
    /// Starts Ollama; `None` where `cargo xtask live` has not said which program and models to use.
    pub async fn start() -> Option<Self> {
        let ollama = PathBuf::from(std::env::var_os("PLUMBLINE_LIVE_OLLAMA")?);
        let store = std::env::var_os("PLUMBLINE_LIVE_STORE")?;
        let program = move |address: &str| {
            let mut command = Command::new(&ollama);
            command.arg("serve").env("OLLAMA_HOST", address).env("OLLAMA_MODELS", &store);
            command.env("OLLAMA_NO_CLOUD", "1");
            command
        };
        Some(Self::running(Box::new(program)).await)
    }

    /// Starts a server anywhere on this machine.
    pub async fn running(program: Program) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(format!("127.0.0.1:{port}"), program).await
    }

    async fn start_at(address: String, program: Program) -> Self {
        let child = program(&address).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = async {
            while TcpStream::connect(&address).is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(START, started).await.expect("the server starts");
        Self { address, program: Some(program), child }
    }

    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    pub async fn stop(mut self) -> StoppedServer {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        StoppedServer { address: self.address.clone(), program: self.program.take().unwrap() }
    }
}

impl StoppedServer {
    pub async fn start_again(self) -> LiveServer {
        LiveServer::start_at(self.address, self.program).await
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        // It may have been stopped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
