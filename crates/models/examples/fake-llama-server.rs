//! A stand-in for llama.cpp's server and for the guard over it, which also misbehaves on demand: the weights say how.
// A stand-in that cannot stand in had better say so at once.
#![allow(clippy::expect_used)]

use std::time::Duration;

use plumbline_models::managed::{GUARD_ARGUMENT, serve_guard};
use plumbline_testkit::ollama_server::{OllamaServer, World, WorldModel};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|argument| argument == GUARD_ARGUMENT) {
        serve_guard();
    }
    let given = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).cloned().unwrap_or_default()
    };
    let weights = given("--model");
    let has_key = std::env::var("LLAMA_API_KEY").is_ok_and(|key| key.len() >= 32);
    assert!(has_key, "nobody else may use the server");
    std::fs::write(format!("{weights}.process"), std::process::id().to_string()).expect("beside the weights");
    match std::fs::read_to_string(&weights).expect("weights").trim() {
        "broken" => {
            eprintln!("llama_model_load: error loading model: invalid magic");
            std::process::exit(1);
        }
        "greedy" => grow(),
        _ => serve(&given("--host"), &given("--port"), &given("--alias"), &given("--ctx-size")),
    }
}

/// Takes memory, and uses it, until it is ended.
fn grow() {
    let mut taken = Vec::new();
    loop {
        taken.push(vec![1_u8; 4 << 20]);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn serve(host: &str, port: &str, alias: &str, context: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let model = WorldModel::chat(alias, context.parse().expect("a number"));
        let world = World::default().models([model]).of_llama_cpp();
        let Ok(_server) = OllamaServer::start_on(&format!("{host}:{port}"), world).await else {
            eprintln!("couldn't bind HTTP server socket, hostname: {host}, port: {port}");
            std::process::exit(1);
        };
        std::future::pending::<()>().await;
    });
}
