//! An S3 server: versitygw over a folder of this machine.

use std::process::Command;

use crate::place::Named;
use crate::server::{Server, free_port};

const PROGRAM: &str = "PLUMBLINE_VERSITYGW";
const KEYS: (&str, &str) = ("publisher", "publishers-secret");

fn start() -> Option<Server> {
    Server::start(PROGRAM, |program, port, folder| {
        for name in ["data/records", "accounts"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let mut command = Command::new(program);
        command.args(["--port", &format!("127.0.0.1:{port}"), "--quiet", "--iam-dir"]);
        command.arg(folder.join("accounts")).arg("posix").arg(folder.join("data"));
        command.env("ROOT_ACCESS_KEY", KEYS.0).env("ROOT_SECRET_KEY", KEYS.1);
        command
    })
}

fn named(bucket: &str, port: u16) -> Named {
    Named::new(
        &format!("s3://{bucket}"),
        &[
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", &format!("http://127.0.0.1:{port}")),
            ("AWS_EC2_METADATA_DISABLED", "true"),
        ],
    )
}

fn with_environment(named: Named) -> Named {
    named.with("AWS_ACCESS_KEY_ID", KEYS.0).with("AWS_SECRET_ACCESS_KEY", KEYS.1)
}

#[test]
fn versitygw_behaves_as_any_store() {
    let Some(server) = start() else { return };
    with_environment(named("records", server.port)).behaves();
}

#[test]
fn versitygw_takes_keys_that_are_handed_over_and_refuses_others() {
    let Some(server) = start() else { return };
    let records = named("records", server.port);
    records.clone().with_keys(KEYS).passes("behaviour::what_is");
    for wrong in [(KEYS.0, "somebodys-secret"), ("somebody", KEYS.1)] {
        records.clone().with_keys(wrong).passes("refusals::wrong_keys");
    }
    records.passes("refusals::wrong_keys");
    named("elsewhere", server.port).with_keys(KEYS).passes("refusals::a_bucket_that_is_not_there");
}

#[test]
fn an_s3_server_that_is_away_is_not_reached() {
    named("records", free_port()).with_keys(KEYS).passes("refusals::who_does_not_answer");
}
