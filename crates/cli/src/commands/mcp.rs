use std::sync::Arc;

use anyhow::Context;
use plumbline_core::ports::Scope;
use plumbline_mcp::{HttpServer, Server, serve_streams};
use tokio_util::sync::CancellationToken;

use crate::arguments::Global;
use crate::{Outcome, wiring};

/// What clients must show over HTTP.
const TOKEN_VARIABLE: &str = "PLUMBLINE_MCP_TOKEN";

/// Serves the library to other programs until they are done or it is stopped. Standard output is the protocol's alone.
pub fn run(global: &Global, http: Option<u16>) -> anyhow::Result<Outcome> {
    let workspace = Arc::new(wiring::workspace(global)?);
    let _logs = wiring::logs(&workspace);
    let options = wiring::options(global, global.workspace.clone(), &[]);
    let scope = scope(global, options.scope());
    let server = Server::new(options, scope, workspace.settings().general.language);
    let runtime = wiring::runtime()?;
    let stop = wiring::stop_on_interrupt(&runtime);
    runtime.spawn(wiring::follow_team_libraries(workspace, stop.clone()));
    let warming = server.clone();
    runtime.spawn(async move { warming.warm_up().await });
    let served = runtime.block_on(async {
        match http {
            Some(port) => over_http(server.clone(), port, stop).await,
            None => {
                let streams = serve_streams(server.clone(), tokio::io::stdin(), tokio::io::stdout(), stop);
                streams.await.context("the connection failed")
            }
        }
    });
    runtime.block_on(server.keep_counters())?;
    // A read of standard input cannot be called off, and need not be waited for.
    runtime.shutdown_background();
    served.map(|()| Outcome::Done)
}

async fn over_http(server: Server, port: u16, stop: CancellationToken) -> anyhow::Result<()> {
    let given = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.trim().is_empty());
    let token = given.clone().unwrap_or_else(|| uuid::Uuid::new_v4().simple().to_string());
    let listening = HttpServer::bind(server, port, token.trim()).await?;
    eprintln!("plumbline: listening on {}", listening.address());
    if given.is_none() {
        eprintln!("plumbline: clients show `Authorization: Bearer {token}`");
    }
    listening.serve(stop).await;
    Ok(())
}

/// What the user may see: by the flags, else by the environment, as the window has it.
fn scope(global: &Global, of_environment: Scope) -> Scope {
    let user_tags = match global.tags.is_empty() {
        true => of_environment.user_tags,
        false => global.tags.clone(),
    };
    let tenant = global.tenant.clone().unwrap_or(of_environment.tenant);
    Scope { tenant, user_tags, ..Scope::default() }
}
