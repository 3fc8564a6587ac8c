use std::path::PathBuf;

use clap::Parser;
use plumbline_host::WorkspaceOptions;

/// Ask your decision records, principles, policies and vocabulary.
#[derive(Debug, Parser)]
#[command(name = "plumbline-desktop", version)]
pub struct Arguments {
    /// Where indexes, history and settings live; by default the platform's data folder
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// A settings file elsewhere than in the workspace
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Arguments {
    pub fn workspace_options(self) -> WorkspaceOptions {
        WorkspaceOptions {
            folder: self.workspace,
            settings_file: self.config,
            environment: std::env::vars().collect(),
            ..WorkspaceOptions::default()
        }
    }
}
