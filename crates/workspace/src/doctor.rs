//! What is reachable, allowed, pulled and complete, and the way out where it is not.

use plumbline_core::detail::Detail;
use plumbline_core::messages::Message;
use plumbline_core::settings::ServerKind;
use plumbline_core::text::is_in_known_language;
use plumbline_library::Library;
use plumbline_models::managed::ManagedError;
use plumbline_models::server::{AddressFamily, Diagnosis, ProblemKind, diagnose};
use serde::Serialize;

use crate::engine::meanwhile;
use crate::{OpenVocabulary, OwnModel, Workspace, WorkspaceEmbedder, WorkspaceError};

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
    /// What was looked at: `settings`, `library`, `embedder`, `vocabulary`, `server`, `reranker`, `reader`, `token` or `disk`.
    pub part: &'static str,
    /// How it is.
    pub health: Health,
    /// What was found.
    pub text: Detail,
    /// What to do about it, where there is something to do.
    pub fix: Option<Detail>,
}

impl Finding {
    fn new(part: &'static str, health: Health, text: impl Into<Detail>) -> Self {
        Self { part, health, text: text.into(), fix: None }
    }

    fn fix(self, fix: impl Into<Detail>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckUp {
    /// Part by part.
    pub findings: Vec<Finding>,
    /// All about the model server; absent where its address is no address.
    pub server: Option<Diagnosis>,
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
        let folder = [("folder", self.folder().display().to_string().into())];
        let mut findings =
            vec![Finding::new("settings", Health::Well, Detail::of(Message::DoctorWorkspace, folder))];
        findings.extend(self.look_at_library().await);
        findings.push(self.look_at_vocabulary());
        let (server, found) = self.look_at_server().await;
        findings.extend(found);
        findings.push(self.look_at_reranker());
        findings.push(self.look_at_reader());
        findings.extend(self.look_at_token());
        CheckUp { findings, server }
    }

    async fn look_at_library(&self) -> Vec<Finding> {
        let chosen = match self.embedder().await {
            Ok(chosen) => chosen,
            Err(problem) => {
                return vec![
                    Finding::new("embedder", Health::Broken, problem.detail())
                        .fix(Message::DoctorWordsUntilThen),
                ];
            }
        };
        let embedder = match &chosen.unreachable {
            None => Finding::new("embedder", Health::Well, chosen.name.clone()),
            Some(problem) => {
                let away = Detail::about(chosen.name.clone(), problem.clone());
                Finding::new("embedder", Health::Broken, away).fix(Message::DoctorWordsUntilBack)
            }
        };
        let mut findings = vec![embedder];
        match self.searched_by(chosen.clone()).await {
            Err(problem) => findings.push(Finding::new("library", Health::Broken, problem.detail())),
            Ok((None, _)) => findings.push(
                Finding::new("library", Health::Off, Message::DoctorNothingIndexed)
                    .fix(Message::DoctorFixNothing),
            ),
            Ok((Some(library), answering)) => {
                findings.extend(self.look_into(&library, &chosen, &answering).await);
            }
        }
        findings
    }

    async fn look_into(
        &self,
        library: &Library,
        chosen: &WorkspaceEmbedder,
        answering: &WorkspaceEmbedder,
    ) -> Vec<Finding> {
        let status = match library.status().await {
            Ok(status) => status,
            Err(problem) => return vec![Finding::new("library", Health::Broken, problem.detail())],
        };
        let documents: usize = status.documents.values().sum();
        let passages: u64 = status.chunks.values().sum();
        // Whole ones: a part would need the comma of one language and the point of another.
        let megabytes = status.bytes.values().sum::<u64>().div_ceil(1_000_000);
        let counted = Detail::of(
            Message::DoctorHolds,
            [
                ("documents", documents.to_string().into()),
                ("passages", passages.to_string().into()),
                ("generation", status.generation.to_string().into()),
                ("megabytes", megabytes.to_string().into()),
            ],
        );
        let mut findings = vec![match library.check().await {
            Ok(()) => Finding::new("library", Health::Well, counted),
            Err(problem) => Finding::new("library", Health::Broken, problem.detail())
                .fix(Detail::run("plumbline index --rebuild")),
        }];
        let fingerprint = &answering.key.fingerprint;
        let complete =
            status.embedders.iter().any(|known| known.fingerprint == *fingerprint && known.complete);
        if chosen.key != answering.key {
            findings.push(Finding::new("embedder", Health::Remark, meanwhile(chosen, answering)));
        } else if !complete && passages > 0 {
            findings.push(
                Finding::new("embedder", Health::Remark, Message::DoctorNoVectors)
                    .fix(Message::DoctorFixVectors),
            );
        }
        findings.extend(self.set_aside(answering).map(|text| {
            Finding::new("embedder", Health::Remark, text).fix(Detail::run("plumbline calibrate --write"))
        }));
        if !status.problems.is_empty() {
            let text = counted_as(Message::DoctorUnread, status.problems.len());
            findings.push(Finding::new("library", Health::Remark, text).fix(Message::DoctorFixUnread));
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
            Finding::new("embedder", Health::Remark, Message::DoctorForeign).fix(Message::DoctorFixForeign)
        })
    }

    fn look_at_vocabulary(&self) -> Finding {
        let part = "vocabulary";
        match self.vocabulary() {
            Ok(OpenVocabulary::Files(_, defects)) => match defects.len() {
                0 => Finding::new(part, Health::Well, Message::DoctorFiles),
                number => Finding::new(part, Health::Remark, counted_as(Message::DoctorDefects, number))
                    .fix(Message::DoctorFixDefects),
            },
            Ok(OpenVocabulary::Server(_)) => {
                let address = self.settings().vocabulary.skosmos_url.clone().unwrap_or_default();
                let skosmos = Detail::of(Message::DoctorSkosmos, [("address", address.into())]);
                Finding::new(part, Health::Well, skosmos)
            }
            Err(problem @ WorkspaceError::NoVocabulary) => Finding::new(part, Health::Off, problem.detail()),
            Err(problem) => Finding::new(part, Health::Broken, problem.detail()),
        }
    }

    async fn look_at_server(&self) -> (Option<Diagnosis>, Vec<Finding>) {
        let part = "server";
        let client = match self.model_server() {
            Ok(client) => client,
            Err(WorkspaceError::ModelNotRunning) => {
                let stopped = Finding::new(part, Health::Broken, ManagedError::NotRunning.detail());
                return (None, vec![stopped.fix(Message::ManagedFixStart)]);
            }
            Err(problem) => return (None, vec![Finding::new(part, Health::Broken, problem.detail())]),
        };
        let models = &self.settings().models;
        let jobs = [&models.answer, &models.planner, &models.judge, &models.embedder, &models.reranker];
        let needed = jobs.iter().any(|job| job.is_some());
        let diagnosis = diagnose(&client).await;
        let mut findings = Vec::new();
        if let OwnModel::Running(own) = self.own_model() {
            let told = [("model", own.model.as_str().into()), ("address", own.address.as_str().into())];
            findings.push(Finding::new(part, Health::Well, Detail::of(Message::ManagedRunning, told)));
        }
        if diagnosis.reachable {
            findings.push(Finding::new(part, Health::Well, answers(&diagnosis)));
        }
        for problem in &diagnosis.problems {
            // Who uses no model is not ill without a server.
            let health = match problem.kind {
                _ if !needed => Health::Off,
                ProblemKind::IsOllama => Health::Remark,
                _ => Health::Broken,
            };
            findings.push(Finding::new(part, health, problem.text.clone()).fix(problem.fix.clone()));
        }
        if models.answer.is_none() {
            findings
                .push(Finding::new(part, Health::Off, Message::DoctorNoModel).fix(Message::DoctorFixModel));
        }
        (Some(diagnosis), findings)
    }

    fn look_at_reranker(&self) -> Finding {
        match self.reranker() {
            Ok(Some(_)) => {
                let name = self.settings().models.reranker.clone().unwrap_or_default();
                Finding::new("reranker", Health::Well, name)
            }
            Ok(None) => Finding::new("reranker", Health::Off, Message::DoctorNoReranker),
            Err(problem) => Finding::new("reranker", Health::Broken, problem.detail()),
        }
    }

    fn look_at_reader(&self) -> Finding {
        match self.reader() {
            Ok(Some(_)) => {
                let name = self.settings().models.reader.clone();
                let name = name.map_or_else(|| Message::DoctorReaderBuiltIn.into(), Detail::from);
                Finding::new("reader", Health::Well, name)
            }
            Ok(None) => Finding::new("reader", Health::Off, Message::DoctorNoReader),
            Err(problem) => Finding::new("reader", Health::Broken, problem.detail()),
        }
    }

    /// A keyring matters only to a server elsewhere.
    fn look_at_token(&self) -> Option<Finding> {
        let remote = !["localhost", "127.0.0.1", "[::1]"]
            .iter()
            .any(|here| self.settings().models.address().contains(here));
        if !remote {
            return None;
        }
        Some(match (self.tokens().token(), self.tokens().problem()) {
            (Some(_), _) => Finding::new("token", Health::Well, Message::DoctorTokenKept),
            (None, Some(problem)) => Finding::new("token", Health::Remark, problem.detail()),
            (None, None) => {
                Finding::new("token", Health::Off, Message::DoctorNoToken).fix(Message::DoctorFixToken)
            }
        })
    }
}

fn counted_as(message: Message, number: usize) -> Detail {
    Detail::of(message, [("n", number.to_string().into())])
}

/// That a server answers, and what it has.
fn answers(diagnosis: &Diagnosis) -> Detail {
    let server = diagnosis.product.map_or_else(|| Message::OpenaiSomeServer.into(), Detail::from);
    let mut values = vec![
        ("server", server),
        ("address", Detail::from(diagnosis.address.as_str())),
        ("version", diagnosis.version.as_deref().unwrap_or("?").into()),
        ("n", diagnosis.models.len().to_string().into()),
    ];
    if diagnosis.server == ServerKind::Openai {
        return Detail::with(Message::OpenaiServes, values);
    }
    let Some(family) = diagnosis.family else { return Detail::with(Message::DoctorAnswers, values) };
    let family = match family {
        AddressFamily::Ipv4 => "IPv4",
        AddressFamily::Ipv6 => "IPv6",
    };
    values.push(("family", family.into()));
    Detail::with(Message::DoctorAnswersOver, values)
}
