//! Google Cloud Storage, as an emulator has it: fake-gcs-server. It asks nobody for keys, and makes the
//! bucket that is written to.

use std::process::Command;

use crate::place::Named;
use crate::server::{Server, free_port};

const PROGRAM: &str = "PLUMBLINE_FAKE_GCS";

fn start() -> Option<Server> {
    let server = Server::start(PROGRAM, |program, port, _| {
        let mut command = Command::new(program);
        let (host, port) = (format!("127.0.0.1:{port}"), port.to_string());
        command.args(["-scheme", "http", "-backend", "memory", "-host", "127.0.0.1", "-port", &port]);
        command.args(["-public-host", &host, "-external-url", &format!("http://{host}")]);
        command
    })?;
    server.administer("POST", "/storage/v1/b?project=plumbline", r#"{"name":"records"}"#);
    Some(server)
}

fn named(bucket: &str, host: &str) -> Named {
    Named::new(&format!("gs://{bucket}"), &[("STORAGE_EMULATOR_HOST", host)])
}

#[test]
fn fake_gcs_server_behaves_as_any_store() {
    let Some(server) = start() else { return };
    named("records", &format!("127.0.0.1:{}", server.port)).behaves();
}

#[test]
fn fake_gcs_server_is_named_with_or_without_http_and_says_that_a_bucket_is_not_there() {
    let Some(server) = start() else { return };
    let host = format!("http://127.0.0.1:{}/", server.port);
    named("records", &host).passes("behaviour::what_is");
    named("elsewhere", &host).passes("refusals::a_bucket_that_is_not_there_is_not_listed");
}

#[test]
fn a_google_server_that_is_away_is_not_reached() {
    let host = format!("127.0.0.1:{}", free_port());
    named("records", &host).with_keys(("", "a secret")).passes("refusals::who_does_not_answer");
}

/// Google itself is not asked: what is no key signs nothing.
#[test]
fn what_is_no_key_of_google_gives_no_access() {
    let account = r#"{"type":"service_account","client_email":"a@example.org","private_key":"none"}"#;
    for secret in ["no file of a service account", account] {
        Named::new("gs://records", &[]).with_keys(("", secret)).passes("refusals::wrong_keys");
    }
}
