//! Azure Blob Storage, as Microsoft's emulator has it: azurite.

use std::process::Command;

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use sha2::{Digest, Sha256};

use crate::place::Named;
use crate::server::{Server, free_port};

const PROGRAM: &str = "PLUMBLINE_AZURITE";
/// The emulator's only account, which everybody knows.
const KEYS: (&str, &str) = (
    "devstoreaccount1",
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
);

fn start() -> Option<Server> {
    let server = Server::start(PROGRAM, |program, port, folder| {
        let mut command = Command::new(program);
        command.args(["--inMemoryPersistence", "--silent", "--blobPort", &port.to_string()]);
        command.current_dir(folder);
        command
    })?;
    server.administer(
        "PUT",
        &format!("/{}/records?restype=container&{}", KEYS.0, shared_access("rwdlac")),
        "",
    );
    Some(server)
}

fn named(container: &str, port: u16) -> Named {
    let endpoint = format!("http://127.0.0.1:{port}/{}", KEYS.0);
    Named::new(&format!("az://{container}"), &[("AZURE_STORAGE_ENDPOINT", &endpoint)])
}

/// A token for what these letters allow, as an administrator hands it out.
fn shared_access(allowed: &str) -> String {
    let (version, services, resources) = ("2018-11-09", "b", "sco");
    let (until, protocols) = ("2099-01-01T00:00:00Z", "https,http");
    let account = KEYS.0;
    let signed =
        format!("{account}\n{allowed}\n{services}\n{resources}\n\n{until}\n\n{protocols}\n{version}\n");
    let signature = BASE64.encode(hmac(&BASE64.decode(KEYS.1).unwrap(), signed.as_bytes()));
    let signature = signature.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    format!(
        "sv={version}&ss={services}&srt={resources}&sp={allowed}&se={until}&spr={protocols}&sig={signature}"
    )
}

/// RFC 2104 with SHA-256, for keys of at most a block.
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(byte, of_key)| *byte ^= of_key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().to_vec()
}

#[test]
fn azurite_behaves_as_any_store() {
    let Some(server) = start() else { return };
    let environment = named("records", server.port).with("AZURE_STORAGE_ACCOUNT_NAME", KEYS.0);
    environment.with("AZURE_STORAGE_ACCOUNT_KEY", KEYS.1).behaves();
}

#[test]
fn azurite_takes_a_shared_access_token_for_what_it_allows() {
    let Some(server) = start() else { return };
    let with = |token: &str| named("records", server.port).with("AZURE_STORAGE_SAS_TOKEN", token);
    with(&shared_access("rwdlac")).behaves();
    with(&shared_access("rl")).passes("refusals::keys_that_only_read");
    with(&shared_access("rwdlac").replace("sp=rwdlac", "sp=rwdlacup")).passes("refusals::wrong_keys");
}

#[test]
fn azurite_takes_keys_that_are_handed_over_and_refuses_others() {
    let Some(server) = start() else { return };
    let records = named("records", server.port);
    records.clone().with_keys(KEYS).passes("behaviour::what_is");
    records.clone().with_keys((KEYS.0, &BASE64.encode("somebody's"))).passes("refusals::wrong_keys");
    named("elsewhere", server.port).with_keys(KEYS).passes("refusals::a_bucket_that_is_not_there");
}

#[test]
fn an_azure_server_that_is_away_is_not_reached() {
    named("records", free_port()).with_keys(KEYS).passes("refusals::who_does_not_answer");
}
