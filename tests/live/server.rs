use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const START: Duration = Duration::from_secs(60);

/// A real Ollama that lives as long as this value.
pub struct LiveServer {
    address: String,
    child: Child,
}

/// One that was stopped and can be started at the same address.
pub struct StoppedServer {
    address: String,
}

impl LiveServer {
    /// Starts it; `None` where `cargo xtask live` has not said which program and models to use.
    pub async fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(format!("127.0.0.1:{port}")).await
    }

    async fn start_at(address: String) -> Option<Self> {
        let program = PathBuf::from(std::env::var_os("PLUMBLINE_LIVE_OLLAMA")?);
        let store = std::env::var_os("PLUMBLINE_LIVE_STORE")?;
        let child = Command::new(program)
            .arg("serve")
            .env("OLLAMA_HOST", &address)
            .env("OLLAMA_MODELS", store)
            .env("OLLAMA_NO_CLOUD", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = async {
            while TcpStream::connect(&address).is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(START, started).await.expect("Ollama starts");
        Some(Self { address, child })
    }

    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    pub async fn stop(mut self) -> StoppedServer {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        StoppedServer { address: self.address.clone() }
    }
}

impl StoppedServer {
    pub async fn start_again(self) -> LiveServer {
        LiveServer::start_at(self.address).await.unwrap()
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        // It may have been stopped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
