//! One build of the command line, asked over workspaces of its own.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, thread};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

use super::difference::Answer;
use super::sets::{Question, Set};
use crate::workspace::Workspace;

/// All of the environment that a build gets: whatever else is set there could be a setting of its user's.
const PASSED_ON: [&str; 9] =
    ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE"];

/// The folder of the built-in model, which a build that lies elsewhere does not find by itself.
const MODELS: &str = "PLUMBLINE_MODELS";

/// A busy machine must not look like another build: what ran out of time would be left out of an answer.
const PATIENCE: [&str; 3] =
    ["retrieval.lane_deadline_ms=60000", "retrieval.rerank_deadline_ms=60000", "vocabulary.timeout_ms=60000"];

/// The exit code of a refusal, which is an answer too.
const REFUSED: i32 = 3;

/// A build of the command line.
pub struct Program {
    path: PathBuf,
    models: OsString,
}

/// What both builds answer, each in its own workspace and at its own pace.
pub fn side_by_side(old: &Program, new: &Program, set: &Set) -> Result<(Vec<Answer>, Vec<Answer>)> {
    let folder = env::temp_dir().join(format!("plumbline-same-{}-{}", std::process::id(), set.name));
    println!("{}: indexing, then {} questions", set.name, set.questions.len());
    let asked = thread::scope(|scope| {
        let before = scope.spawn(|| old.answers(set, &folder.join("old")));
        let after = new.answers(set, &folder.join("new"));
        let before = before.join().map_err(|_| anyhow!("the thread that asks the old build panicked"))?;
        Ok((before?, after?))
    });
    // Where indexing could not begin there is nothing to remove.
    let _ = fs::remove_dir_all(&folder);
    asked
}

impl Program {
    /// With the checkout's model, unless the environment names another.
    pub fn at(path: PathBuf, workspace: &Workspace) -> Self {
        let models = env::var_os(MODELS).unwrap_or_else(|| workspace.root.join("assets/models").into());
        Self { path, models }
    }

    /// Indexes the set's library and asks all of its questions.
    fn answers(&self, set: &Set, workspace: &Path) -> Result<Vec<Answer>> {
        fs::create_dir_all(workspace)?;
        let mut index = self.command(workspace);
        index.arg("index").args(&set.library);
        let indexed = output(index)?;
        if !indexed.status.success() {
            bail!("{} could not index {}: {}", self.path.display(), set.name, said(&indexed.stderr));
        }
        let answer = |question: &Question| -> Result<Answer> {
            let response = match question.before.is_empty() {
                true => self.ask(set, question, workspace)?,
                false => self.talk(set, question, workspace)?,
            };
            Ok(Answer::of(&question.id, response, workspace))
        };
        set.questions.iter().map(answer).collect()
    }

    /// The whole response.
    fn ask(&self, set: &Set, question: &Question, workspace: &Path) -> Result<Value> {
        let mut command = self.command(workspace);
        command.args(["--json", "ask"]);
        vocabularies(&mut command, set);
        command.args(tags(question)).arg("--").arg(&question.text);
        let asked = output(command)?;
        match asked.status.code() {
            Some(0 | REFUSED) => serde_json::from_slice(&asked.stdout)
                .with_context(|| format!("{} did not print JSON for {}", self.path.display(), question.id)),
            code => Ok(json!({ "failed": said(&asked.stderr), "code": code })),
        }
    }

    /// A question that follows others: only the chat takes a conversation, and it prints text.
    fn talk(&self, set: &Set, question: &Question, workspace: &Path) -> Result<Value> {
        let mut command = self.command(workspace);
        command.arg("chat");
        vocabularies(&mut command, set);
        command.args(tags(question));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // A few lines, which a pipe holds; the end of the input ends the chat.
        if let Some(mut input) = child.stdin.take() {
            for line in question.before.iter().chain([&question.text]) {
                writeln!(input, "{}", line.replace('\n', " "))?;
            }
        }
        let talked = child.wait_with_output()?;
        let lines: Vec<String> = said(&talked.stdout).lines().map(str::to_owned).collect();
        Ok(json!({ "conversation": lines, "failed": said(&talked.stderr), "code": talked.status.code() }))
    }

    fn command(&self, workspace: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command.env_clear();
        for name in PASSED_ON {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env(MODELS, &self.models);
        command.arg("--workspace").arg(workspace).arg("--quiet");
        command.args(PATIENCE.iter().flat_map(|setting| ["--set", setting]));
        command
    }
}

fn vocabularies(command: &mut Command, set: &Set) {
    for file in &set.vocabularies {
        command.arg("--vocabulary").arg(file);
    }
}

fn tags(question: &Question) -> impl Iterator<Item = &str> {
    question.tags.iter().flat_map(|tag| ["--tag", tag.as_str()])
}

fn output(mut command: Command) -> Result<Output> {
    command.stdin(Stdio::null());
    command.output().with_context(|| format!("could not start {}", command.get_program().display()))
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}
