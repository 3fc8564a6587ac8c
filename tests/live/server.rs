use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const START: Duration = Duration::from_secs(120);

/// How a server is started at an address, and the path that it answers with 200 once it is ready.
pub struct Program {
    pub command: Box<dyn Fn(&str) -> Command + Send + Sync>,
    pub ready: &'static str,
}

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
        let command = move |address: &str| {
            let mut command = Command::new(&ollama);
            command.arg("serve").env("OLLAMA_HOST", address).env("OLLAMA_MODELS", &store);
            command.env("OLLAMA_NO_CLOUD", "1");
            command
        };
        Some(Self::running(Program { command: Box::new(command), ready: "/" }).await)
    }

    /// Starts a server anywhere on this machine.
    pub async fn running(program: Program) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(format!("127.0.0.1:{port}"), program).await
    }

    async fn start_at(address: String, program: Program) -> Self {
        let mut command = (program.command)(&address);
        // A group of its own, so that what it starts ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = async {
            while !answers(&address, program.ready) {
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
        self.end();
        StoppedServer { address: self.address.clone(), program: self.program.take().unwrap() }
    }
}

/// Whether the server is ready: some listen before their model is there.
fn answers(address: &str, path: &str) -> bool {
    let asked = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(START))?;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
        let mut head = [0; 12];
        stream.read_exact(&mut head)?;
        Ok(String::from_utf8_lossy(&head).into_owned())
    };
    asked().is_ok_and(|head| head.ends_with(" 200"))
}

impl StoppedServer {
    pub async fn start_again(self) -> LiveServer {
        LiveServer::start_at(self.address, self.program).await
    }
}

impl LiveServer {
    /// Ends it without a warning, with all that it started, unless it has ended already.
    fn end(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(unix)]
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.child.id())]).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        self.end();
    }
}
