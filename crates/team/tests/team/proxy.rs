//! What stands between a program and a server: slowness, and errors in the server's name.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub struct Proxy {
    pub port: u16,
    failed: Arc<AtomicUsize>,
}

impl Proxy {
    /// Hands connections on to a port, each a while later; every n-th is answered with an error instead. It lives as long as the
    /// test's process.
    pub fn start(upstream: u16, wait: Duration, every: usize, error: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let failed = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&failed);
        std::thread::spawn(move || {
            for (at, connection) in listener.incoming().enumerate() {
                let Ok(client) = connection else { continue };
                let fails = (at + 1).is_multiple_of(every);
                counted.fetch_add(usize::from(fails), Ordering::Relaxed);
                std::thread::spawn(move || {
                    std::thread::sleep(wait);
                    if fails { refuse(client, error) } else { hand_on(client, upstream) }
                });
            }
        });
        Self { port, failed }
    }

    /// Hands on what reads, one request a connection; whatever writes is told that there is no room.
    pub fn full(upstream: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let failed = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&failed);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let counted = Arc::clone(&counted);
                std::thread::spawn(move || one_request(client, upstream, &counted));
            }
        });
        Self { port, failed }
    }

    pub fn failed(&self) -> usize {
        self.failed.load(Ordering::Relaxed)
    }
}

fn refuse(mut client: TcpStream, error: &str) {
    let mut head = [0; 16 << 10];
    let _ = client.read(&mut head);
    let _ = write!(client, "HTTP/1.1 {error}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

fn one_request(mut client: TcpStream, upstream: u16, counted: &AtomicUsize) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match client.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    if head.starts_with(b"PUT ") {
        counted.fetch_add(1, Ordering::Relaxed);
        return refuse(client, "507 Insufficient Storage");
    }
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", upstream)) else { return };
    head.truncate(head.len() - 2);
    let _ = server.write_all(&head).and_then(|()| server.write_all(b"Connection: close\r\n\r\n"));
    let _ = std::io::copy(&mut server, &mut client);
    let _ = client.shutdown(std::net::Shutdown::Both);
}

fn hand_on(client: TcpStream, upstream: u16) {
    let Ok(server) = TcpStream::connect(("127.0.0.1", upstream)) else { return };
    let (Ok(mut from_client), Ok(mut to_server)) = (client.try_clone(), server.try_clone()) else { return };
    let forth = std::thread::spawn(move || {
        let _ = std::io::copy(&mut from_client, &mut to_server);
        let _ = to_server.shutdown(std::net::Shutdown::Write);
    });
    let (mut from_server, mut to_client) = (server, client);
    let _ = std::io::copy(&mut from_server, &mut to_client);
    let _ = to_client.shutdown(std::net::Shutdown::Both);
    let _ = forth.join();
}
