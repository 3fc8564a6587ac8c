//! What is reachable, allowed, pulled and complete, and the way out where it is not.

use plumbline_core::text::is_in_known_language;
use plumbline_library::Library;
use plumbline_models::ollama::{AddressFamily, Diagnosis, diagnose};
use serde::Serialize;

use crate::{OpenVocabulary, Workspace, WorkspaceError};

/// So many passages tell a library's language.
const SAMPLED: usize = 40;

/// How a part of the workspace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// As it should be.
    Well,
    /// Not in use, which is nobody's fault.
    Off,
    /// It works, and could work better.
    Remark,
    /// It does not work.
    Broken,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at: `settings`, `library`, `embedder`, `vocabulary`, `ollama`, `reranker`, `token` or `disk`.
    pub part: &'static str,
    /// How it is.
    pub health: Health,
    /// What was found.
    pub text: String,
    /// What to do about it, where there is something to do.
    pub fix: Option<String>,
}

impl Finding {
    fn new(part: &'static str, health: Health, text: impl Into<String>) -> Self {
        Self { part, health, text: text.into(), fix: None }
    }

    fn fix(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckUp {
    /// Part by part.
    pub findings: Vec<Finding>,
    /// All about the Ollama server; absent where its address is no address.
    pub ollama: Option<Diagnosis>,
}

impl CheckUp {
    /// Whether nothing is broken.
    pub fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.health != Health::Broken)
    }
}

impl Workspace {
    /// Looks at every part.
    pub async fn check_up(&self) -> CheckUp {
        let mut findings =
            vec![Finding::new("settings", Health::Well, format!("workspace {}", self.folder().display()))];
        findings.extend(self.look_at_library().await);
        findings.push(self.look_at_vocabulary());
        let (ollama, found) = self.look_at_ollama().await;
        findings.extend(found);
        findings.push(self.look_at_reranker());
        findings.extend(self.look_at_token());
        CheckUp { findings, ollama }
    }

    async fn look_at_library(&self) -> Vec<Finding> {
        let chosen = match self.embedder().await {
            Ok(chosen) => chosen,
            Err(problem) => {
                return vec![
                    Finding::new("embedder", Health::Broken, problem.to_string())
                        .fix("until then, search is by words alone"),
                ];
            }
        };
        let embedder = match &chosen.unreachable {
            None => Finding::new("embedder", Health::Well, chosen.name.clone()),
            Some(problem) => Finding::new("embedder", Health::Broken, format!("{}: {problem}", chosen.name))
                .fix("until it is back, search is by words alone"),
        };
        let mut findings = vec![embedder];
        match Library::open(self.folder(), Some(chosen.key.clone())).await {
            Err(problem) => findings.push(Finding::new("library", Health::Broken, problem.to_string())),
            Ok(None) => findings.push(
                Finding::new("library", Health::Off, "nothing is indexed yet")
                    .fix("run `plumbline index FOLDER`"),
            ),
            Ok(Some(library)) => findings.extend(self.look_into(&library, &chosen.key.fingerprint).await),
        }
        findings
    }

    async fn look_into(&self, library: &Library, fingerprint: &str) -> Vec<Finding> {
        let status = match library.status().await {
            Ok(status) => status,
            Err(problem) => return vec![Finding::new("library", Health::Broken, problem.to_string())],
        };
        let documents: usize = status.documents.values().sum();
        let passages: u64 = status.chunks.values().sum();
        let megabytes = status.bytes.values().sum::<u64>() as f64 / 1e6;
        let counted = format!(
            "{documents} documents, {passages} passages, generation {}, {megabytes:.1} MB",
            status.generation
        );
        let mut findings = vec![match library.check().await {
            Ok(()) => Finding::new("library", Health::Well, counted),
            Err(problem) => Finding::new("library", Health::Broken, problem.to_string())
                .fix("run `plumbline index --rebuild`"),
        }];
        let complete =
            status.embedders.iter().any(|known| known.fingerprint == fingerprint && known.complete);
        if !complete && passages > 0 {
            findings.push(
                Finding::new(
                    "embedder",
                    Health::Remark,
                    "the library has no complete vectors of this embedder, so search is by words alone",
                )
                .fix("run `plumbline index`; the vectors of another embedder are kept"),
            );
        }
        if !status.problems.is_empty() {
            let text = format!("{} files could not be read", status.problems.len());
            findings.push(
                Finding::new("library", Health::Remark, text)
                    .fix("`plumbline status` names each with its reason"),
            );
        }
        findings.extend(self.look_at_language(library).await);
        findings
    }

    /// The built-in embedder knows two languages; vectors of a third say nothing.
    async fn look_at_language(&self, library: &Library) -> Option<Finding> {
        if self.settings().models.embedder.is_some() {
            return None;
        }
        let texts = library.sample(SAMPLED).await.ok()?;
        let told: Vec<bool> = texts.iter().filter_map(|text| is_in_known_language(text)).collect();
        let foreign = told.iter().filter(|known| !**known).count();
        (2 * foreign > told.len()).then(|| {
            Finding::new(
                "embedder",
                Health::Remark,
                "most of the library is neither English nor Dutch, which is all that the built-in embedder knows",
            )
            .fix("pull a model such as bge-m3 with Ollama, set models.embedder to it, and run `plumbline index`")
        })
    }

    fn look_at_vocabulary(&self) -> Finding {
        let part = "vocabulary";
        match self.vocabulary() {
            Ok(OpenVocabulary::Files(_, defects)) => match defects.len() {
                0 => Finding::new(part, Health::Well, "files, all of them readable"),
                number => Finding::new(part, Health::Remark, format!("{number} defects in its files"))
                    .fix("`plumbline vocab check FILES` names them"),
            },
            Ok(OpenVocabulary::Server(_)) => {
                let address = self.settings().vocabulary.skosmos_url.clone().unwrap_or_default();
                Finding::new(part, Health::Well, format!("SKOSMOS at {address}"))
            }
            Err(problem @ WorkspaceError::NoVocabulary) => {
                Finding::new(part, Health::Off, problem.to_string())
            }
            Err(problem) => Finding::new(part, Health::Broken, problem.to_string()),
        }
    }

    async fn look_at_ollama(&self) -> (Option<Diagnosis>, Vec<Finding>) {
        let part = "ollama";
        let client = match self.ollama() {
            Ok(client) => client,
            Err(problem) => return (None, vec![Finding::new(part, Health::Broken, problem.to_string())]),
        };
        let models = &self.settings().models;
        let jobs = [&models.answer, &models.planner, &models.judge, &models.embedder, &models.reranker];
        let needed = jobs.iter().any(|job| job.is_some());
        let diagnosis = diagnose(&client).await;
        let mut findings = Vec::new();
        if diagnosis.reachable {
            let version = diagnosis.version.as_deref().unwrap_or("unknown");
            let family = match diagnosis.family {
                Some(AddressFamily::Ipv4) => " over IPv4",
                Some(AddressFamily::Ipv6) => " over IPv6",
                None => "",
            };
            let count = diagnosis.models.len();
            let text =
                format!("{} answers{family}, version {version}, {count} models pulled", diagnosis.address);
            findings.push(Finding::new(part, Health::Well, text));
        }
        for problem in &diagnosis.problems {
            // Who uses no model is not ill without a server.
            let health = if needed { Health::Broken } else { Health::Off };
            findings.push(Finding::new(part, health, problem.text.clone()).fix(problem.fix.clone()));
        }
        if models.answer.is_none() {
            findings.push(
                Finding::new(
                    part,
                    Health::Off,
                    "no model answers: answers are verbatim sentences of the documents",
                )
                .fix("set models.answer (CHAT_MODEL) to a model of the allowlist to have them written"),
            );
        }
        (Some(diagnosis), findings)
    }

    fn look_at_reranker(&self) -> Finding {
        match self.reranker() {
            Ok(Some(_)) => {
                let name = self.settings().models.reranker.clone().unwrap_or_default();
                Finding::new("reranker", Health::Well, name)
            }
            Ok(None) => Finding::new("reranker", Health::Off, "none; the lanes' own order holds"),
            Err(problem) => Finding::new("reranker", Health::Broken, problem.to_string()),
        }
    }

    /// A keyring matters only to a server elsewhere.
    fn look_at_token(&self) -> Option<Finding> {
        let remote = !["localhost", "127.0.0.1", "[::1]"]
            .iter()
            .any(|here| self.settings().models.ollama_url.contains(here));
        if !remote {
            return None;
        }
        Some(match (self.tokens().token(), self.tokens().problem()) {
            (Some(_), _) => Finding::new("token", Health::Well, "there is one for the server"),
            (None, Some(problem)) => Finding::new("token", Health::Remark, problem.to_string()),
            (None, None) => Finding::new("token", Health::Off, "none is kept for the server")
                .fix("where it wants one, run `plumbline models token`"),
        })
    }
}
