use plumbline_contract::{AnswerEvent, AskRequest, AskResponse, CommandError, Feedback};

use crate::Host;
use crate::error::unfinished;

impl Host {
    /// Answers a question and keeps it in its conversation; events stream in batches over `events`. The host fills in the user's tags, tenant and history. `replaces` names the turn that it and all after it make way for.
    pub async fn ask(
        &self,
        conversation_id: String,
        replaces: Option<String>,
        request: AskRequest,
        events: impl Fn(Vec<AnswerEvent>) + Send + Sync + 'static,
    ) -> Result<AskResponse, CommandError> {
        let _ = conversation_id;
        let _ = replaces;
        let _ = request;
        let _ = &events;
        Err(unfinished())
    }

    /// Stops the answer to a question.
    pub async fn stop(&self, request_id: String) -> Result<(), CommandError> {
        let _ = request_id;
        Err(unfinished())
    }

    /// Keeps what the user thinks of an answer; takes it back where absent.
    pub async fn give_feedback(
        &self,
        conversation_id: String,
        turn_id: String,
        feedback: Option<Feedback>,
    ) -> Result<(), CommandError> {
        let _ = conversation_id;
        let _ = turn_id;
        let _ = feedback;
        Err(unfinished())
    }
}
