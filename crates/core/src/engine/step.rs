//! What a stage of the journey gives: the next value, or the end of the question.

use std::ops::ControlFlow;

use crate::error::AskError;
use crate::response::AskResponse;

/// A stage goes on with a value, or ends the question: with a response, or because nothing can answer.
pub(super) type Step<T> = ControlFlow<Result<AskResponse, AskError>, T>;

/// Ends the question with this response.
pub(super) const fn respond<T>(response: AskResponse) -> Step<T> {
    ControlFlow::Break(Ok(response))
}

/// A failure ends the question.
pub(super) trait OrEnd<T> {
    /// Goes on with the value, or ends the question with the failure.
    fn or_end(self) -> Step<T>;
}

impl<T, E: Into<AskError>> OrEnd<T> for Result<T, E> {
    fn or_end(self) -> Step<T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(problem) => ControlFlow::Break(Err(problem.into())),
        }
    }
}

/// How a question ended, whichever stage ended it.
pub(super) fn outcome(step: Step<AskResponse>) -> Result<AskResponse, AskError> {
    match step {
        ControlFlow::Continue(response) => Ok(response),
        ControlFlow::Break(outcome) => outcome,
    }
}
