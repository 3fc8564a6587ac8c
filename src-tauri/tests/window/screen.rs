use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

/// A display that nobody looks at, for as long as this lives.
pub struct Screen {
    server: Child,
    pub display: String,
}

impl Screen {
    pub fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb must be installed: `cargo xtask setup` does it");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb found no display number that is free");
        Self { server, display: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

/// A message bus of its own, over which programs of one session find each other.
pub struct Bus {
    daemon: Child,
    pub address: String,
}

impl Bus {
    pub fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon must be installed: `cargo xtask setup` does it");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned() }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        end(&mut self.daemon);
    }
}

/// WebKit's driver, for as long as this lives. The window it opens inherits its environment.
pub struct Driver {
    process: Child,
    pub address: String,
}

impl Driver {
    pub fn start(screen: &Screen, environment: &[(String, String)]) -> Self {
        // Free when asked, and nobody else on this machine picks one at that instant.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("DISPLAY", &screen.display)
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stderr(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver must be installed: `cargo xtask setup` does it");
        Self { process, address: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    // It may have ended by itself.
    let _ = process.kill();
    let _ = process.wait();
}
