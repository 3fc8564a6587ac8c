//! A second S3 server by other hands, since one server's reading of the protocol proves little: moto. Where it is missing, the test is skipped
//! and counted. `pip install "moto[server]"` gets it.

use std::process::{Child, Command, Stdio};

use plumbline_core::ports::Scope;
use plumbline_testkit::skipping::skip;

use crate::server::{BUCKET, ROOT, Server, free_port, program, run, several_publish_at_once, wait_for};
use crate::support::Desk;

/// Where the server's program is, if not on the path.
const PROGRAM: &str = "PLUMBLINE_MOTO_SERVER";

struct OtherServer {
    child: Child,
    port: u16,
}

impl Drop for OtherServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl OtherServer {
    /// A server with a bucket; none where it is not installed.
    fn start() -> Option<Self> {
        let Some(program) = program(PROGRAM, "moto_server") else {
            skip("moto is not installed: the test of a second S3 server needs it");
            return None;
        };
        let port = free_port();
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, port };
        wait_for(port, "moto");
        let bucket = format!("http://127.0.0.1:{port}/{BUCKET}");
        let made = Command::new("curl").args(["--silent", "--fail", "--request", "PUT", &bucket]).output();
        if !made.is_ok_and(|made| made.status.success()) {
            skip("curl is not installed: no bucket can be made at the second S3 server");
            return None;
        }
        Some(server)
    }

    fn keys(&self) -> Vec<(&'static str, String)> {
        Server::keys_at(self.port, ROOT)
    }
}

#[test]
fn a_second_server_keeps_a_library_and_one_of_several_publishers_wins() {
    let Some(server) = OtherServer::start() else { return };
    several_publish_at_once(&server.keys(), 3);
}

#[test]
fn at_a_second_server_only_what_changed_is_sent_and_pulled() {
    let Some(server) = OtherServer::start() else { return };
    let (publisher, reader, keys) = (Desk::new(), Desk::new(), server.keys());
    publisher.write_records(1..=20, "We settle matter");
    for text in ["We settle matter", "We unsettle matter"] {
        publisher.write_records(7..=7, text);
        publisher.index();
        for (role, desk) in [("publish", &publisher), ("subscribe", &reader)] {
            let (done, said) = run(role, desk, &keys);
            assert!(done, "{said}");
        }
        assert!(reader.finds(&format!("{text} 7.")));
    }
    assert_eq!(reader.ids(&Scope::default()).len(), 20);
    assert!(!reader.finds("We settle matter 7."));
    reader.check();
}
