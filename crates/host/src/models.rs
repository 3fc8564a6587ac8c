//! The views of models, embedders, the token and the services.

use std::time::{Duration, Instant};

use futures::StreamExt;
use plumbline_contract::{
    CheckOutcome, CommandError, DoctorCheck, EmbedderInfo, HostErrorCode, ModelInfo, ModelList, PullProgress,
    TokenPlace, TokenStatus,
};
use plumbline_core::domain::EmbedderFamily;
use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_core::ports::Embedder;
use plumbline_core::settings::ServerKind;
use plumbline_library::{Library, LibraryStatus};
use plumbline_models::server::{
    Diagnosis, Problem, ProblemKind, PullProgress as Pulling, ServerEmbedder, Token, diagnose, same_model,
};
use plumbline_workspace::doctor::{Finding, Health};
use plumbline_workspace::{Workspace, WorkspaceOptions, change_settings};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::batches::Batches;
use crate::error::{failed, invalid, not_found, of_library, of_question, of_server, of_workspace};
use crate::locks::lock;
use crate::numbers::count;
use crate::texts::Texts;

/// The built-in embedder's id.
const BUILT_IN: &str = "local";
/// Embedders of Ollama's that are worth naming before they are pulled.
const KNOWN_EMBEDDERS: [&str; 2] = ["bge-m3", "nomic-embed-text"];
/// So many passages are embedded to see how fast a model is…
const TRIED: usize = 4;
/// … and it is given up after so long.
const TRY_FOR: Duration = Duration::from_secs(5);

impl Host {
    /// Looks at every service, with another address of the model server where one is given.
    pub async fn doctor(&self, address: Option<String>) -> Result<Vec<DoctorCheck>, CommandError> {
        let open = self.open()?;
        let checked = match address {
            None => open.workspace.check_up().await,
            Some(address) => {
                let mut options: WorkspaceOptions = self.inner.options.workspace.clone();
                let kind = open.workspace.settings().models.server;
                options.flags.push((kind.address_key().to_owned(), address));
                let other = open.workspace.reopened(options);
                other.map_err(|problem| of_workspace(&problem, self.texts()))?.check_up().await
            }
        };
        Ok(checked.findings.into_iter().map(|finding| self.check_of(finding)).collect())
    }

    fn check_of(&self, finding: Finding) -> DoctorCheck {
        let language = self.texts().language;
        let name = match finding.part {
            "settings" => Message::DoctorSettings,
            "library" => Message::DoctorLibrary,
            "embedder" => Message::DoctorEmbedder,
            "vocabulary" => Message::DoctorVocabulary,
            "reranker" => Message::DoctorReranker,
            "reader" => Message::DoctorReader,
            "token" => Message::DoctorToken,
            _ => Message::DoctorOllama,
        };
        DoctorCheck {
            name: self.say(name),
            outcome: match finding.health {
                Health::Well => CheckOutcome::Ok,
                Health::Off => CheckOutcome::Skipped,
                Health::Remark => CheckOutcome::Warning,
                Health::Broken => CheckOutcome::Failed,
            },
            finding: finding.text.text(language),
            fix: finding.fix.map(|fix| fix.text(language)),
        }
    }

    /// The models that are allowed or served.
    pub async fn models(&self) -> Result<ModelList, CommandError> {
        let open = self.open()?;
        let allow = &open.workspace.settings().models.allow;
        let found = self.diagnosis(&open.workspace).await;
        let mut models: Vec<ModelInfo> = found
            .models
            .iter()
            .filter(|model| model.chats)
            .map(|model| ModelInfo {
                name: model.name.clone(),
                allowed: model.allowed,
                pulled: true,
                bytes: model.size,
                context_window: model.context_length.and_then(|tokens| u64::try_from(tokens).ok()),
            })
            .collect();
        for (name, allowance) in allow {
            match models.iter_mut().find(|model| same_model(&model.name, name)) {
                // The settings' spelling is the one that the settings understand.
                Some(pulled) => pulled.name.clone_from(name),
                None => models.push(ModelInfo {
                    name: name.clone(),
                    allowed: true,
                    pulled: false,
                    bytes: None,
                    context_window: u64::try_from(allowance.context_window).ok(),
                }),
            }
        }
        models.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(ModelList { reachable: found.reachable, pulls: found.server == ServerKind::Ollama, models })
    }

    /// Has Ollama download a model.
    pub async fn pull_model(
        &self,
        name: String,
        events: impl Fn(Vec<PullProgress>) + Send + Sync + 'static,
    ) -> Result<(), CommandError> {
        let open = self.open()?;
        let allowed = &open.workspace.settings().models.allow;
        let embeds = KNOWN_EMBEDDERS.iter().any(|known| same_model(known, &name));
        if !embeds && !allowed.keys().any(|known| same_model(known, &name)) {
            let allowed = allowed.keys().cloned().collect();
            return Err(of_question(&AskError::ModelNotAllowed { model: name, allowed }, self.texts()));
        }
        let client = open.workspace.model_server().map_err(|problem| of_workspace(&problem, self.texts()))?;
        let stop = self.stop_token().child_token();
        if !self.begin_pull(&name, &stop) {
            let message = self.texts().say(Message::BusyPull, &[("model", &name)]);
            return Err(failed(HostErrorCode::Busy, message));
        }
        let batches = Batches::new(events);
        let pulling = async {
            let mut steps = client.pull(&name).await.map_err(|problem| of_server(&problem, self.texts()))?;
            while let Some(step) = steps.next().await {
                match step.map_err(|problem| of_server(&problem, self.texts()))? {
                    Pulling::Done => return Ok(()),
                    step => batches.push(progress_of(step, self.texts())),
                }
            }
            Err(failed(HostErrorCode::Unreachable, self.say(Message::OllamaPullEnded)))
        };
        let result = tokio::select! {
            () = stop.cancelled() => Err(of_question(&AskError::Stopped, self.texts())),
            result = batches.while_doing(pulling) => result,
        };
        batches.flush();
        lock(&self.inner.pulls).remove(&name);
        result
    }

    fn begin_pull(&self, name: &str, stop: &CancellationToken) -> bool {
        let mut pulls = lock(&self.inner.pulls);
        let new = !pulls.contains_key(name);
        if new {
            pulls.insert(name.to_owned(), stop.clone());
        }
        new
    }

    /// Stops a download.
    pub async fn stop_pull(&self, name: String) -> Result<(), CommandError> {
        if let Some(stop) = lock(&self.inner.pulls).get(&name) {
            stop.cancel();
        }
        Ok(())
    }

    /// The models that can embed, and what switching costs.
    pub async fn embedders(&self) -> Result<Vec<EmbedderInfo>, CommandError> {
        let open = self.open()?;
        let language = self.texts().language;
        let current = open.workspace.settings().models.embedder.clone();
        let status = match open.library() {
            Some(library) => {
                Some(library.status().await.map_err(|problem| of_library(&problem, self.texts()))?)
            }
            None => None,
        };
        let built_in = open.workspace.built_in_embedder();
        let lacking = built_in.as_ref().map_or(0, |one| lacking(status.as_ref(), &one.key.fingerprint));
        let mut infos = vec![EmbedderInfo {
            id: BUILT_IN.to_owned(),
            name: built_in.as_ref().map_or_else(|_| BUILT_IN.to_owned(), |one| one.name.text(language)),
            family: EmbedderFamily::Local,
            current: current.is_none(),
            passages_to_embed: lacking,
            seconds: match (&built_in, open.library()) {
                (Ok(one), Some(library)) => time_for(library, one.embedder.as_ref(), lacking).await,
                _ => None,
            },
            unavailable: built_in.err().map(|problem| problem.detail().text(language)),
        }];
        let found = self.diagnosis(&open.workspace).await;
        let pulled = found.models.iter().filter(|model| model.embeds).map(|model| model.name.as_str());
        let mut names: Vec<String> = pulled.map(|name| name.trim_end_matches(":latest").to_owned()).collect();
        // Only Ollama can fetch what is not there yet.
        let known = KNOWN_EMBEDDERS.into_iter().filter(|_| found.server == ServerKind::Ollama);
        let others = known.map(str::to_owned).chain(current.clone());
        for other in others {
            if !names.iter().any(|name| same_model(name, &other)) {
                names.push(other);
            }
        }
        for name in names {
            infos.push(self.server_embedder(&open, &found, status.as_ref(), name).await);
        }
        Ok(infos)
    }

    async fn server_embedder(
        &self,
        open: &crate::host::OpenWorkspace,
        found: &Diagnosis,
        status: Option<&LibraryStatus>,
        name: String,
    ) -> EmbedderInfo {
        let settings = &open.workspace.settings().models;
        let language = self.texts().language;
        let pulled = found.models.iter().any(|model| same_model(&model.name, &name));
        let whose = match found.server {
            ServerKind::Ollama => "Ollama",
            ServerKind::Openai => found.product.unwrap_or(&found.address),
        };
        let mut info = EmbedderInfo {
            name: format!("{name} ({whose})"),
            family: EmbedderFamily::Ollama,
            current: settings.embedder.as_deref().is_some_and(|current| same_model(current, &name)),
            unavailable: match (found.reachable, pulled) {
                (_, true) => None,
                (true, false) => {
                    let lacks = match found.server {
                        ServerKind::Ollama => Message::DoctorPulled,
                        ServerKind::Openai => Message::OpenaiEmbedderNotListed,
                    };
                    Some(self.texts().say(lacks, &[("model", &name)]))
                }
                (false, false) => found.problems.first().map(|problem| problem.text.text(language)),
            },
            passages_to_embed: passages(status),
            seconds: None,
            id: name.clone(),
        };
        let (true, Ok(client)) = (pulled, open.workspace.model_server()) else { return info };
        let embedder = ServerEmbedder::new(client, &name);
        match embedder.fingerprint().await {
            Ok(fingerprint) => info.passages_to_embed = lacking(status, &fingerprint),
            Err(problem) => info.unavailable = Some(problem.detail().text(language)),
        }
        if let (None, Some(library)) = (&info.unavailable, open.library()) {
            info.seconds = time_for(library, &embedder, info.passages_to_embed).await;
        }
        info
    }

    /// Embeds with another model; how far it is comes as a broadcast.
    pub async fn switch_embedder(&self, id: String) -> Result<(), CommandError> {
        let model = (id != BUILT_IN).then_some(id.clone());
        if model.is_some() {
            let known = self.embedders().await?;
            let Some(chosen) = known.into_iter().find(|one| one.id == id) else {
                return Err(not_found(self.texts().say(Message::MissingEmbedder, &[("id", &id)])));
            };
            if let Some(problem) = chosen.unavailable {
                return Err(failed(HostErrorCode::Unreachable, problem));
            }
        }
        let options = self.inner.options.workspace.clone();
        let changes = [("models.embedder".to_owned(), model)];
        let written = self.blocking(move || change_settings(&options, &changes)).await?;
        written.map_err(|problem| of_workspace(&problem, self.texts()))?;
        // Until the new vectors are complete, the old ones are searched.
        self.reopen_settings(true).await?;
        self.inner.indexing.want();
        Ok(())
    }

    /// Where the token for a remote model server is kept.
    pub async fn token(&self) -> Result<TokenStatus, CommandError> {
        let tokens = self.open()?.workspace.tokens().clone();
        let language = self.texts().language;
        self.blocking(move || TokenStatus {
            place: match (tokens.token(), tokens.is_for_this_session()) {
                (None, _) => TokenPlace::None,
                (Some(_), true) => TokenPlace::Session,
                (Some(_), false) => TokenPlace::Keyring,
            },
            keyring_problem: tokens.problem().map(|problem| problem.detail().text(language)),
        })
        .await
    }

    /// Keeps a token.
    pub async fn set_token(&self, token: String) -> Result<TokenStatus, CommandError> {
        let tokens = self.open()?.workspace.tokens().clone();
        let token = Token::new(&token).ok_or_else(|| invalid(self.say(Message::RefusedToken)))?;
        self.blocking(move || tokens.keep(token)).await?;
        self.refresh_state().await?;
        self.token().await
    }

    /// Forgets the token.
    pub async fn clear_token(&self) -> Result<TokenStatus, CommandError> {
        let tokens = self.open()?.workspace.tokens().clone();
        // A keyring that cannot be reached holds no token of ours that could be sent.
        let forgotten = self.blocking(move || tokens.forget()).await?;
        if let Err(problem) = forgotten {
            tracing::warn!(target: "host", event = "keyring_unusable", reason = %problem);
        }
        self.refresh_state().await?;
        self.token().await
    }

    async fn diagnosis(&self, workspace: &Workspace) -> Diagnosis {
        match workspace.model_server() {
            Ok(client) => diagnose(&client).await,
            Err(problem) => Diagnosis {
                problems: vec![Problem {
                    kind: ProblemKind::Unreachable,
                    text: problem.detail(),
                    fix: Message::OllamaFixAddress.into(),
                }],
                ..Diagnosis::unasked(&workspace.settings().models)
            },
        }
    }
}

fn progress_of(step: Pulling, texts: Texts) -> PullProgress {
    let told = |status: String| PullProgress { status, done: None, total: None };
    match step {
        Pulling::Manifest => told(texts.plain(Message::OllamaPullingManifest)),
        Pulling::Part { total, completed, .. } => {
            PullProgress { done: Some(completed), total, ..told(texts.plain(Message::OllamaPulling)) }
        }
        Pulling::Verifying => told(texts.plain(Message::OllamaVerifying)),
        Pulling::Working { status } => told(status),
        // The command itself ends then.
        Pulling::Done => told(String::new()),
    }
}

fn passages(status: Option<&LibraryStatus>) -> u32 {
    let passages = status.map_or(0, |status| status.chunks.values().sum::<u64>());
    u32::try_from(passages).unwrap_or(u32::MAX)
}

/// The passages that have no vector of an embedder; as far as is known, all of them until its tables are complete.
fn lacking(status: Option<&LibraryStatus>, fingerprint: &str) -> u32 {
    let known = status.into_iter().flat_map(|status| &status.embedders);
    let complete = known.into_iter().any(|known| known.fingerprint == fingerprint && known.complete);
    if complete { 0 } else { passages(status) }
}

/// How long an embedder takes for so many passages, by a few of them.
async fn time_for(library: &Library, embedder: &dyn Embedder, passages: u32) -> Option<u64> {
    if passages == 0 {
        return Some(0);
    }
    let sample = library.sample(TRIED).await.ok().filter(|sample| !sample.is_empty())?;
    let began = Instant::now();
    tokio::time::timeout(TRY_FOR, embedder.embed(&sample)).await.ok()?.ok()?;
    let each = began.elapsed().as_secs_f64() / f64::from(count(sample.len()));
    Some((each * f64::from(passages)).ceil() as u64)
}
