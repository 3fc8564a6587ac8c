use std::io::{BufRead, IsTerminal};

use anyhow::{Context, bail};
use futures::StreamExt;
use plumbline_models::server::{Diagnosis, Kept, PullProgress, Token, diagnose};
use plumbline_workspace::Workspace;

use crate::answer_text::plain;
use crate::arguments::{Global, ModelsCommand};
use crate::commands::own_model::{fetch_model, serve_model};
use crate::{Outcome, wiring};

/// Shows the models that are allowed and served, pulls one, or keeps the server's token.
pub fn run(global: &Global, what: Option<&ModelsCommand>) -> anyhow::Result<Outcome> {
    let workspace = wiring::workspace(global)?;
    match what {
        None => list(global, &workspace)?,
        Some(ModelsCommand::Pull { name }) => wiring::runtime()?.block_on(pull(global, &workspace, name))?,
        Some(ModelsCommand::Fetch) => fetch_model(global, &workspace)?,
        Some(ModelsCommand::Serve) => serve_model(global, &workspace)?,
        Some(ModelsCommand::Token { forget: true }) => {
            workspace.tokens().forget()?;
            println!("The token for {} is forgotten.", workspace.settings().models.address());
        }
        Some(ModelsCommand::Token { forget: false }) => keep_token(&workspace)?,
    }
    Ok(Outcome::Done)
}

fn list(global: &Global, workspace: &Workspace) -> anyhow::Result<()> {
    let client = workspace.model_server()?;
    let found = wiring::runtime()?.block_on(diagnose(&client));
    if global.json {
        let models = &workspace.settings().models;
        let listed = serde_json::json!({
            "server": found.server,
            "product": found.product,
            "address": found.address,
            "reachable": found.reachable,
            "pulled": found.models,
            "allowed": models.allow,
            "jobs": {
                "answer": models.answer,
                "planner": models.planner,
                "judge": models.judge,
                "embedder": models.embedder,
                "reranker": models.reranker,
            },
            "problems": found.problems,
        });
        println!("{}", serde_json::to_string_pretty(&listed)?);
    } else {
        print(workspace, &found);
    }
    Ok(())
}

fn print(workspace: &Workspace, found: &Diagnosis) {
    let models = &workspace.settings().models;
    let jobs = [
        ("answer", &models.answer),
        ("planner", &models.planner),
        ("judge", &models.judge),
        ("embedder", &models.embedder),
        ("reranker", &models.reranker),
    ];
    for (job, model) in jobs {
        println!("{job:<10}{}", model.as_deref().unwrap_or("-"));
    }
    println!("\nAllowed:");
    for (name, allowance) in &models.allow {
        println!(
            "  {name}: {} tokens, {} of them for the reply",
            allowance.context_window, allowance.max_response
        );
    }
    if found.reachable {
        println!("\n{} at {}:", found.product.unwrap_or("A server"), found.address);
    }
    for model in &found.models {
        let context = model.context_length.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
        let can = match (model.chats, model.embeds) {
            (true, _) => "chats",
            (false, true) => "embeds",
            (false, false) => "does neither chat nor embed",
        };
        let allowed = if model.allowed || !model.chats { "" } else { ", not allowed" };
        let size = model.size.map(|bytes| format!(", {:.1} GB", bytes as f64 / 1e9)).unwrap_or_default();
        println!("  {}: {context} tokens, {can}{size}{allowed}", plain(&model.name));
    }
    let language = workspace.settings().general.language;
    for problem in &found.problems {
        println!("\n{}\n  → {}", plain(&problem.text.text(language)), plain(&problem.fix.text(language)));
    }
}

async fn pull(global: &Global, workspace: &Workspace, name: &str) -> anyhow::Result<()> {
    let shown = std::io::stderr().is_terminal() && !global.quiet;
    let mut steps = workspace.model_server()?.pull(name).await?;
    while let Some(step) = steps.next().await {
        let text = match step? {
            PullProgress::Done => {
                if shown {
                    eprint!("\r\x1b[K");
                }
                println!("{name} is pulled.");
                return Ok(());
            }
            PullProgress::Manifest => "asking for its parts".to_owned(),
            PullProgress::Part { total, completed, .. } => match total {
                Some(total) if total > 0 => {
                    format!(
                        "{:.0} % of {:.1} GB",
                        100.0 * completed as f64 / total as f64,
                        total as f64 / 1e9
                    )
                }
                _ => format!("{:.1} GB", completed as f64 / 1e9),
            },
            PullProgress::Verifying => "verifying".to_owned(),
            PullProgress::Working { status } => plain(&status),
        };
        if shown {
            eprint!("\r\x1b[K{name}: {text}");
        }
    }
    bail!("the server stopped before {name} was here; run the command again, it goes on from there")
}

/// The token comes over standard input, so that no shell keeps it in its history.
fn keep_token(workspace: &Workspace) -> anyhow::Result<()> {
    let address = workspace.settings().models.address();
    if std::io::stdin().is_terminal() {
        eprint!("Token for {address} (it is shown while you type): ");
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("cannot read the token")?;
    let Some(token) = Token::new(&line) else { bail!("there is no token on standard input") };
    match workspace.tokens().keep(token) {
        Kept::InKeyring => println!("Kept in the system's keyring for {address}."),
        Kept::ForThisSession(problem) => {
            bail!(problem.detail().text(workspace.settings().general.language))
        }
    }
    Ok(())
}
