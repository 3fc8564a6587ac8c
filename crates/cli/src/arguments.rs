use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Answers questions over architecture documents, with sources or not at all.
#[derive(Debug, Parser)]
#[command(name = "plumbline", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
pub struct Global {
    /// Where caches and indexes live; default: the platform's data folder
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// A settings file of your own
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// One setting, as `section.key=value`
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// One JSON document on standard output, and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// The language of questions and answers, where their words do not tell
    #[arg(long, global = true, value_name = "en|nl")]
    pub lang: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Looks a term up in the vocabulary of record
    Define {
        /// The term
        term: String,
        #[command(flatten)]
        vocabulary: VocabularyFiles,
    },
    /// Shows vocabularies and their defects
    Vocab {
        #[command(subcommand)]
        what: VocabCommand,
    },
}

#[derive(Debug, Subcommand)]
pub enum VocabCommand {
    /// Schemes, versions and counts
    List {
        /// Files or folders
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Missing definitions, collisions, cycles and what could not be read
    Check {
        /// Files or folders
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Where terms are looked up.
#[derive(Debug, Args)]
pub struct VocabularyFiles {
    /// Vocabulary files or folders; without any, those of `library.toml` here, else the configured SKOSMOS server
    #[arg(long = "vocabulary", value_name = "FILE", num_args = 1..)]
    pub files: Vec<PathBuf>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form section.key=value"))?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}
