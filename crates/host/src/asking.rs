//! Questions: answered on a task of their own, and kept in their conversation before they are reported done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

use plumbline_contract::{
    AnswerEvent, AskResponse, Broadcast, CommandError, Feedback, FeedbackRating, QuestionRequest, TurnOutcome,
};
use plumbline_core::domain::DocumentId;
use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_core::request::{AskRequest, ChatMessage};
use plumbline_telemetry::names;
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::batches::Batches;
use crate::clock::now;
use crate::error::{internal, not_found, of_library, of_question};
use crate::history::{History, KeptOutcome, NewTurn, Source};
use crate::host::{OpenWorkspace, RunningAnswer};
use crate::locks::lock;

/// So many turns back the conversation is told; the engine keeps what fits.
const TURNS_TOLD: usize = 20;

impl Host {
    /// Answers a question and keeps it in its conversation; events stream in batches over `events`. The host fills in the
    /// user's tags, tenant and history. `replaces` names the turn that it and all after it make way for.
    pub async fn ask(
        &self,
        conversation_id: String,
        replaces: Option<String>,
        request: QuestionRequest,
        events: impl Fn(Vec<AnswerEvent>) + Send + Sync + 'static,
    ) -> Result<AskResponse, CommandError> {
        let open = self.open()?;
        let history = self.history()?;
        if history.conversation(&conversation_id)?.is_none() {
            return Err(not_found(self.say(Message::MissingConversation)));
        }
        let question = Question {
            chat_history: self.told_so_far(&history, &conversation_id, replaces.as_deref())?,
            host: self.clone(),
            open,
            history,
            conversation: conversation_id,
            replaces,
            batches: Batches::new(events),
            stop: self.stop_token().child_token(),
            taken: OnceLock::new(),
            shown: Mutex::default(),
        };
        // On a task of its own: it ends in the history whatever becomes of the one who asked.
        self.inner.tasks.spawn(question.answer(request)).await.map_err(internal)?
    }

    /// Stops the answer to a question.
    pub async fn stop(&self, request_id: String) -> Result<(), CommandError> {
        if let Some(running) = lock(&self.inner.answers).get(&request_id) {
            running.stop.cancel();
        }
        Ok(())
    }

    /// Keeps what the user thinks of an answer; takes it back where absent.
    pub async fn give_feedback(
        &self,
        conversation_id: String,
        turn_id: String,
        feedback: Option<Feedback>,
    ) -> Result<(), CommandError> {
        let open = self.open()?;
        let before = self.history()?.set_feedback(&conversation_id, &turn_id, feedback.as_ref())?;
        let Some(before) = before else { return Err(not_found(self.say(Message::MissingAnswer))) };
        let rating = feedback.map(|feedback| feedback.rating);
        if let Some(rating) = rating
            && before.map(|before| before.rating) != Some(rating)
        {
            let label = match rating {
                FeedbackRating::Positive => names::FEEDBACK_POSITIVE,
                FeedbackRating::Negative => names::FEEDBACK_NEGATIVE,
            };
            open.workspace.metrics().inc(&names::FEEDBACK_TOTAL, [label]);
        }
        Ok(())
    }

    /// The conversation before a question, or before the turn that it replaces.
    fn told_so_far(
        &self,
        history: &History,
        conversation: &str,
        replaces: Option<&str>,
    ) -> Result<Vec<ChatMessage>, CommandError> {
        let turns = history.turns(conversation, &self.running_turns())?;
        let end = match replaces {
            None => turns.len(),
            Some(id) => turns
                .iter()
                .position(|(turn, _)| turn.id == id)
                .ok_or_else(|| not_found(self.say(Message::MissingAnswer)))?,
        };
        let told = turns[..end].iter().skip(end.saturating_sub(TURNS_TOLD));
        let messages = told.filter_map(|(turn, _)| match &turn.outcome {
            TurnOutcome::Answered { response } => {
                Some([ChatMessage::user(&turn.question), ChatMessage::assistant(response.told())])
            }
            _ => None,
        });
        Ok(messages.flatten().collect())
    }

    /// Turns that are being answered.
    pub(crate) fn running_turns(&self) -> Vec<String> {
        lock(&self.inner.answers).keys().cloned().collect()
    }

    /// The hashes of these documents' files, by id; those of the vocabulary have none.
    pub(crate) async fn document_hashes(
        &self,
        ids: impl Iterator<Item = &str> + Send,
    ) -> Result<BTreeMap<String, String>, CommandError> {
        let ids: BTreeSet<DocumentId> = ids.filter_map(|id| DocumentId::new(id).ok()).collect();
        let open = self.open()?;
        let Some(library) = open.library().filter(|_| !ids.is_empty()) else { return Ok(BTreeMap::new()) };
        let hashes = library
            .file_hashes(&ids, &self.scope())
            .await
            .map_err(|problem| of_library(&problem, self.texts()))?;
        Ok(hashes.into_iter().map(|(id, sha256)| (id.to_string(), sha256)).collect())
    }
}

/// A question on its way to its answer.
struct Question {
    host: Host,
    open: Arc<OpenWorkspace>,
    history: Arc<History>,
    conversation: String,
    replaces: Option<String>,
    chat_history: Vec<ChatMessage>,
    batches: Batches<AnswerEvent>,
    stop: CancellationToken,
    /// The id under which it was taken.
    taken: OnceLock<String>,
    /// What the user sees of the answer so far.
    shown: Mutex<String>,
}

impl Question {
    async fn answer(mut self, asked: QuestionRequest) -> Result<AskResponse, CommandError> {
        let scope = self.host.scope();
        let request = AskRequest {
            user_tags: scope.user_tags,
            tenant_id: scope.tenant,
            chat_history: std::mem::take(&mut self.chat_history),
            collections: asked.collections.clone(),
            choice: asked.choice.clone(),
            ..AskRequest::new(&asked.query)
        };
        let sink = |event: AnswerEvent| self.hear(event, &asked);
        let asking = self.open.engine().ask(request, &self.stop, &sink);
        let answered = self.batches.while_doing(asking).await;
        let (outcome, last) = match &answered {
            Ok(response) => (
                TurnOutcome::Answered { response: Box::new(response.clone()) },
                AnswerEvent::Done(Box::new(response.clone())),
            ),
            Err(AskError::Stopped) => {
                (TurnOutcome::Stopped { text: lock(&self.shown).clone() }, AnswerEvent::Stopped)
            }
            Err(problem) => {
                let report = problem.report().in_language(self.host.texts().language);
                (TurnOutcome::Failed { error: report.clone() }, AnswerEvent::Failed(report))
            }
        };
        // On disk first, and only then reported.
        let last = match self.keep(outcome).await {
            Ok(()) => last,
            Err(problem) => self.with_warning(last, &problem),
        };
        if let Some(id) = self.taken.get() {
            lock(&self.host.inner.answers).remove(id);
        }
        self.host.tell(Broadcast::ConversationsChanged);
        let answered = match &last {
            AnswerEvent::Done(response) => Ok((**response).clone()),
            _ => answered.map_err(|problem| of_question(&problem, self.host.texts())),
        };
        self.batches.push(last);
        self.batches.flush();
        answered
    }

    /// Passes events on, but for the last, which waits until the turn is kept.
    fn hear(&self, event: AnswerEvent, asked: &QuestionRequest) {
        match &event {
            AnswerEvent::Accepted { request_id } => self.take(request_id, asked),
            AnswerEvent::Delta { text } => lock(&self.shown).push_str(text),
            AnswerEvent::Replaced { text } => lock(&self.shown).clone_from(text),
            AnswerEvent::Done(_) | AnswerEvent::Stopped | AnswerEvent::Failed(_) => return,
            _ => {}
        }
        self.batches.push(event);
    }

    fn take(&self, id: &str, asked: &QuestionRequest) {
        let running = RunningAnswer { conversation: self.conversation.clone(), stop: self.stop.clone() };
        lock(&self.host.inner.answers).insert(id.to_owned(), running);
        let turn = NewTurn {
            id: id.to_owned(),
            conversation: self.conversation.clone(),
            asked_at: now(),
            question: asked.query.clone(),
            choice: asked.choice.clone(),
            collections: asked.collections.clone(),
        };
        // Where this fails, keeping the answer does too, and that is told.
        if let Err(problem) = self.history.begin_turn(&turn) {
            tracing::error!(target: "host", event = "turn_not_kept", reason = %problem);
        }
        let _ = self.taken.set(id.to_owned());
    }

    async fn keep(&self, outcome: TurnOutcome) -> Result<(), CommandError> {
        let Some(id) = self.taken.get().cloned() else { return Ok(()) };
        let mut sources: Vec<Source> = Vec::new();
        if let TurnOutcome::Answered { response } = &outcome {
            let cited = response.citations.iter().map(|citation| citation.document_id.as_str());
            // Without them the answer is kept all the same; a change of its sources then goes unnoticed.
            let hashes = self.host.document_hashes(cited).await.unwrap_or_default();
            for citation in &response.citations {
                let known = sources.iter().any(|source| source.document == citation.document_id);
                let (Some(sha256), false) = (hashes.get(&citation.document_id), known) else { continue };
                sources.push(Source {
                    document: citation.document_id.clone(),
                    title: citation.document_name.clone(),
                    sha256: sha256.clone(),
                });
            }
        }
        let kept = KeptOutcome { outcome, sources, at: now(), replaces: self.replaces.clone() };
        let history = Arc::clone(&self.history);
        self.host.blocking(move || history.end_turn(&id, &kept)).await??;
        Ok(())
    }

    /// A full disk must not cost the user the answer; they must know that it will be gone.
    fn with_warning(&self, last: AnswerEvent, problem: &CommandError) -> AnswerEvent {
        tracing::error!(target: "host", event = "answer_not_kept", reason = problem.message.as_str());
        match last {
            AnswerEvent::Done(mut response) => {
                let reason = [("reason", problem.message.as_str())];
                response.warnings.push(self.host.texts().say(Message::ExportNotKept, &reason));
                AnswerEvent::Done(response)
            }
            other => other,
        }
    }
}
