use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use plumbline_core::domain::{Kind, Standing};

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
    /// An access tag that you hold; documents with tags are seen by those who hold one of them
    #[arg(long = "tag", global = true, value_name = "TAG")]
    pub tags: Vec<String>,
    /// Whose documents are meant
    #[arg(long, global = true, value_name = "NAME")]
    pub tenant: Option<String>,
    /// No progress, no remarks
    #[arg(long, global = true)]
    pub quiet: bool,
    /// The language of questions and answers, where their words do not tell
    #[arg(long, global = true, value_name = "en|nl")]
    pub lang: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answers one question from the library, with sources or not at all
    Ask(AskArguments),
    /// A conversation
    Chat(ChatArguments),
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
    /// Adds folders to the library and brings it up to date; without any, what is known already
    Index(IndexArguments),
    /// Publishes the library for a team, at a folder, s3://bucket/path, az://container/path or gs://bucket/path
    Publish(PublishArguments),
    /// Follows a library that a team publishes, or takes in what is new of those that are followed
    Subscribe(SubscribeArguments),
    /// Checks a text sentence by sentence: what the library bears out, where, and what not. Ends with 4 where a statement is
    /// not borne out, or by another document than it names
    Check {
        /// A text, Markdown or DOCX file, or whatever else can be indexed; `-` for standard input
        file: PathBuf,
    },
    /// Statements in force that oppose each other; ends with 5 where one is not marked
    Contradictions,
    /// Drafts a record about a topic: the library's own layout, with what the library says of it as citations and the rest left blank
    Draft {
        /// What it is to be about
        topic: String,
        /// Writes it to this file, which may lie in no folder of the library
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Writes it all the same where the file is there already, or lies in the library
        #[arg(long, requires = "output")]
        force: bool,
    },
    /// Finds passages, by lane, without answering
    Search {
        /// The question or its keywords
        query: String,
        /// How many passages
        #[arg(short = 'k', default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
    },
    /// Lists documents of a kind: adr, dar, principle, policy, document or all
    List {
        /// The kind
        #[arg(value_parser = kind)]
        kind: KindFilter,
        /// Only those that are about a topic: title, tags, headings or text name it
        #[arg(long, value_name = "TOPIC")]
        about: Option<String>,
        /// Only those with this standing: accepted, proposed, superseded, deprecated, rejected
        #[arg(long, value_parser = standing)]
        status: Option<Standing>,
        /// Only those of this owner
        #[arg(long)]
        owner: Option<String>,
        /// Only those of this year
        #[arg(long)]
        year: Option<i16>,
    },
    /// Shows one document: what is known of it, and its passages
    Show {
        /// Its id, or any reference to it: adr-0012, ADR.12, "principle 39", a file name
        id: String,
    },
    /// Shows stores, generations, embedders and files that could not be read
    Status,
    /// Shows what was recognised, guessed and rejected of every document; fails where two share an id
    VerifyIdentity,
    /// Shows what is reachable, allowed, pulled and complete, and the fix for what is not
    Doctor,
    /// Shows the models that are allowed and pulled
    Models {
        #[command(subcommand)]
        what: Option<ModelsCommand>,
    },
    /// Serves the library to other programs over the Model Context Protocol, on standard input and output
    Mcp {
        /// Serves over HTTP on this port of this machine instead; 0 for any free one. Clients show the token of
        /// PLUMBLINE_MCP_TOKEN, or else the one that is printed
        #[arg(long, value_name = "PORT")]
        http: Option<u16>,
    },
    /// What has been counted since the workspace began
    Metrics {
        /// Prints all of it
        #[arg(long, required = true)]
        dump: bool,
        #[arg(long, value_enum, default_value_t = MetricsFormat::Json)]
        format: MetricsFormat,
    },
    /// Compares two reports of `eval golden`; fails on a drop over 5 %
    CheckRegression {
        /// The newer report
        #[arg(long, value_name = "FILE")]
        current: PathBuf,
        /// The earlier one
        #[arg(long, value_name = "FILE")]
        baseline: PathBuf,
    },
    /// Finds the thresholds that suit your library from a golden set, and shows what each value trades
    Calibrate(CalibrateArguments),
    /// Has a model compare the answers of two reports without knowing whose they are
    Judge(JudgeArguments),
    /// Measures
    Eval {
        #[command(subcommand)]
        what: EvalCommand,
    },
}

#[derive(Debug, Args)]
pub struct IndexArguments {
    /// Folders, or `library.toml` files
    pub paths: Vec<PathBuf>,
    /// Folders to take out of the library
    #[arg(long, value_name = "PATH")]
    pub remove: Vec<PathBuf>,
    /// Reads and writes every file anew
    #[arg(long)]
    pub rebuild: bool,
    /// Goes on following the folders until it is stopped
    #[arg(long)]
    pub watch: bool,
    /// Leaves the embedder out: the library is then searched by words alone
    #[arg(long)]
    pub no_embeddings: bool,
}

#[derive(Debug, Args)]
pub struct PublishArguments {
    /// Where
    pub address: String,
    /// Reads again what is published, and sends anew what is damaged
    #[arg(long)]
    pub repair: bool,
    /// So that it can be read in place as well, by `subscribe --in-place`; it goes on so with later generations
    #[arg(long)]
    pub in_place: bool,
    /// Takes away generations that are old, and files that none of the others needs
    #[arg(long)]
    pub prune: bool,
    /// With --prune: so many generations are kept however old they are
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub keep: u16,
    /// With --prune: all that are younger than so many days are kept
    #[arg(long, value_name = "DAYS", default_value_t = 14)]
    pub keep_days: u16,
}

#[derive(Debug, Args)]
pub struct SubscribeArguments {
    /// Where it is published; without, all that are followed
    pub address: Option<String>,
    /// Reads it where it lies: only what documents say of themselves is pulled, for libraries that are larger than a disk
    #[arg(long, requires = "address")]
    pub in_place: bool,
    /// Follows it no more: its documents are taken out
    #[arg(long, requires = "address", conflicts_with_all = ["follow", "in_place"])]
    pub remove: bool,
    /// Goes on until it is stopped: what is new is taken in as often as the settings say
    #[arg(long)]
    pub follow: bool,
}

#[derive(Debug, Args)]
pub struct AskArguments {
    /// The question
    pub question: String,
    /// A model other than the configured one; it must be on the allowlist
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Ask within these collections only, such as ADR or Policy
    #[arg(long, value_name = "COLLECTION", value_delimiter = ',')]
    pub within: Vec<String>,
    /// Prints the whole passages behind the notes
    #[arg(long)]
    pub passages: bool,
    #[command(flatten)]
    pub vocabulary: VocabularyFiles,
}

#[derive(Debug, Args)]
pub struct ChatArguments {
    /// A model other than the configured one; it must be on the allowlist
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    #[command(flatten)]
    pub vocabulary: VocabularyFiles,
}

#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// Has the Ollama server fetch a model
    Pull {
        /// Its name, such as llama3.2
        name: String,
    },
    /// Downloads the model that Plumbline runs by itself (`managed.address`, checked against `managed.sha256`); goes on where it
    /// broke off
    Fetch,
    /// Runs that model with `llama-server` until Ctrl-C; questions go to it as long as it runs
    Serve,
    /// Keeps the server's token, read from standard input, in the system's keyring
    Token {
        /// Forgets it instead
        #[arg(long)]
        forget: bool,
    },
}

/// A golden set and the library that it is about.
#[derive(Debug, Args)]
pub struct SetArguments {
    /// The questions; default: data/evaluation/golden_queries.jsonl
    #[arg(long, value_name = "FILE")]
    pub questions: Option<PathBuf>,
    /// A library to ask instead of the workspace's, indexed for this run
    #[arg(long, value_name = "PATH")]
    pub library: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CalibrateArguments {
    #[command(flatten)]
    pub set: SetArguments,
    /// Where everything that was swept goes as JSON
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Writes what is worth changing to the workspace's thresholds.yaml
    #[arg(long)]
    pub write: bool,
}

#[derive(Debug, Args)]
pub struct JudgeArguments {
    /// A report of `eval golden --output`
    pub first: PathBuf,
    /// Another one
    pub second: PathBuf,
    /// The model that judges; default: `models.judge`
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Where every verdict goes as JSON
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct GoldenArguments {
    #[command(flatten)]
    pub set: SetArguments,
    /// Where the report goes as JSON
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// An earlier report; fails where this one is worse by more than 5 %
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// A model other than the configured one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Asks everything so many times and fails where two answers differ
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub runs: usize,
    /// Only these questions, by id or category
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub only: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub struct QuestionsArguments {
    /// The set: questions.jsonl and libraries.json, with paths relative to the folder above
    #[arg(value_name = "DIR")]
    pub set: PathBuf,
    /// Only questions of this library
    #[arg(long, value_name = "NAME")]
    pub library: Vec<String>,
    /// Only questions of this form
    #[arg(long, value_name = "N")]
    pub form: Vec<u8>,
    /// Only these questions, by id
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Where everything goes as JSON, question by question
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the libraries' workspaces are kept for the next time; default: nowhere
    #[arg(long, value_name = "FOLDER")]
    pub workspaces: Option<PathBuf>,
    /// A model other than the configured one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Prints each question that is not wholly right, with what was expected and what came
    #[arg(long)]
    pub failures: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum MetricsFormat {
    Json,
    Prometheus,
}

#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// What tells an answer from a near miss: weights for it, and how well they carry over to other libraries
    Answerability(AnswerabilityArguments),
    /// The golden set: precision and recall of what is cited, refusals, times, and every failure
    Golden(GoldenArguments),
    /// A development set: questions over real libraries, marked for behaviour, documents and words
    Questions(QuestionsArguments),
    /// Whether it knows when to refuse: questions with and without an answer in the library
    Refusal(RefusalArguments),
    /// Whether truths are kept and lies withheld: sentences about indexed documents in a model's mouth
    Grounding {
        /// The sentences: id, file, language, question, true, lies with text and kind
        #[arg(value_name = "FILE")]
        statements: PathBuf,
        /// Checks every sentence as a user's own text as well, and tells where that says something else
        #[arg(long)]
        check: bool,
        /// Where the report goes, sentence by sentence
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Contradictions: how many of those that were planted are found, and how many alarms are false
    Contradictions {
        /// The folder of planted.jsonl and compatible.jsonl
        #[arg(value_name = "DIR")]
        tables: PathBuf,
        /// The folder that their paths begin in
        #[arg(long, value_name = "DIR")]
        root: PathBuf,
        /// Leaves the reader out: what opposes each other is told by words alone
        #[arg(long)]
        words: bool,
        /// Where the report goes, finding by finding
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Small records of our own: which pairs oppose each other, and what one says of the other
    Pairs {
        /// The folder of opposing-pairs.jsonl, compatible-pairs.jsonl and relation-sentences.jsonl
        #[arg(value_name = "DIR")]
        tables: PathBuf,
        /// Leaves the reader out: what opposes each other is told by words alone
        #[arg(long)]
        words: bool,
    },
    /// Relations between records: precision and recall by type, against a table of what documents say
    Relations(TruthArguments),
    /// Retrieval on a test set in BEIR form: nDCG@10, MRR and recall@100 of each lane and the whole
    Retrieval {
        /// The set: corpus.jsonl, queries.jsonl, qrels/test.tsv
        #[arg(long, value_name = "DIR")]
        beir: PathBuf,
        /// Where the report goes; default: standard output
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Also writes what each lane found, a question a line
        #[arg(long, value_name = "FILE")]
        rankings: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct TruthArguments {
    /// The truth table
    #[arg(value_name = "FILE")]
    pub truth: PathBuf,
    /// The folder that its paths begin in
    #[arg(long, value_name = "DIR")]
    pub root: PathBuf,
    /// Where the report goes
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct AnswerabilityArguments {
    /// Folders of development sets (questions.jsonl, libraries.json)
    #[arg(required = true, value_name = "DIR")]
    pub sets: Vec<PathBuf>,
    /// Only this library; may be given several times
    #[arg(long, value_name = "NAME")]
    pub library: Vec<String>,
    /// Where the libraries are indexed and kept; default: a folder that is removed again
    #[arg(long, value_name = "DIR")]
    pub workspaces: Option<PathBuf>,
    /// Where the report goes, with every measurement
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct RefusalArguments {
    /// Two files of ClapNQ: questions with an answer, and questions without
    #[arg(long, num_args = 2, value_names = ["ANSWERABLE", "UNANSWERABLE"], required = true)]
    pub clapnq: Vec<PathBuf>,
    /// A model of the server's that says whether the passages answer the question
    #[arg(long, value_name = "NAME")]
    pub judge: Option<String>,
    /// How many questions the model is asked, half of each kind
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub judged: usize,
    /// Where the report goes, with the whole curves
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The kinds that a list is of; none means all.
#[derive(Debug, Clone)]
pub struct KindFilter(pub Vec<Kind>);

fn kind(text: &str) -> Result<KindFilter, String> {
    let plain = text.to_ascii_lowercase();
    let plain = plain
        .strip_suffix("ies")
        .map_or_else(|| plain.strip_suffix('s').unwrap_or(&plain).to_owned(), |stem| format!("{stem}y"));
    if plain == "all" {
        return Ok(KindFilter(Vec::new()));
    }
    Kind::ALL
        .into_iter()
        .find(|kind| kind.as_str().eq_ignore_ascii_case(&plain))
        .map(|kind| KindFilter(vec![kind]))
        .ok_or_else(|| {
            format!("`{text}` is no kind; there are adr, dar, principle, policy, document and all")
        })
}

fn standing(text: &str) -> Result<Standing, String> {
    match Standing::from_status(text) {
        Standing::Unknown => Err(format!(
            "`{text}` is no standing; there are accepted, proposed, superseded, deprecated and rejected"
        )),
        standing => Ok(standing),
    }
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
    /// Vocabulary files or folders; without any, the configured SKOSMOS server, else those that the library names
    #[arg(long = "vocabulary", value_name = "FILE", num_args = 1..)]
    pub files: Vec<PathBuf>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form section.key=value"))?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}
