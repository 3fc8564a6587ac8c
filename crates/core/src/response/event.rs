use serde::{Deserialize, Serialize};

use super::{AskResponse, Citation, Stage, StageReport, Withheld};
use crate::error::ErrorReport;

/// What happens between the question and its response, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum AnswerEvent {
    /// The question was taken.
    Accepted {
        /// The id under which it is logged and can be stopped.
        request_id: String,
    },
    /// A stage began or ended.
    Stage {
        /// The stage.
        stage: Stage,
        /// How it went; absent while it runs.
        report: Option<StageReport>,
    },
    /// A whole sentence, list item or table row that passed every check.
    Delta {
        /// Its text, with its citations as `[1]`.
        text: String,
    },
    /// A passage was cited for the first time.
    Citation(Box<Citation>),
    /// A sentence was withheld.
    Withheld(Withheld),
    /// What was shown so far is taken back; this stands instead.
    Replaced {
        /// The text that stands now.
        text: String,
    },
    /// The user stopped the answer.
    Stopped,
    /// The response.
    Done(Box<AskResponse>),
    /// There is no response.
    Failed(ErrorReport),
}
