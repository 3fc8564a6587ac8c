//! A server of somebody else's, for as long as a test takes.

#[cfg(feature = "clouds")]
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plumbline_testkit::skipping::skip;
use tempfile::TempDir;

pub struct Server {
    child: Child,
    pub port: u16,
    /// What it writes goes with it.
    _folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts a server that a variable names, on a port and over a folder of its own; none where it is not installed.
    pub fn start(variable: &str, command: impl FnOnce(&Path, u16, &Path) -> Command) -> Option<Self> {
        let program = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file());
        let Some(program) = program else {
            skip(&format!("{variable} names no program: the tests of this server need it"));
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let mut command = command(&program, port, folder.path());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut server = Self { child, port, _folder: folder };
        for _ in 0..2400 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(server);
            }
            let ended = server.child.try_wait().unwrap();
            assert_eq!(ended, None, "{} ended before it answered", program.display());
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{} does not answer", program.display());
    }

    /// A request that the product never makes: buckets are the administrator's.
    #[cfg(feature = "clouds")]
    pub fn administer(&self, method: &str, path: &str, body: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 20"), "{method} {path}: {said}");
    }
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
