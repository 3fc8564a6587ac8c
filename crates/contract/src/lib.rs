//! What crosses to the window: requests, events, responses, error codes and the one table of commands.
//!
//! Where core has a type, that one crosses; the others are plain data, declared here. Arguments go by the names of the
//! table. A command that streams has one argument more, `events`: the channel, whose messages are lists of events.
#![deny(missing_docs)]

mod broadcast;
mod checking;
mod commands;
mod conversation;
mod decisions;
mod development;
mod document;
mod error;
mod evaluation;
mod library;
mod memory;
mod metrics;
mod models;
mod question;
mod settings;
mod state;
mod team;
mod typescript;
mod vocabulary;

pub use broadcast::{BROADCAST, Broadcast};
pub use checking::Draft;
pub use commands::{COMMANDS, Command};
pub use conversation::{
    ChangedSource, Conversation, ConversationFormat, ConversationSummary, Feedback, FeedbackRating, Turn,
    TurnOutcome,
};
pub use decisions::{
    Contradiction, ContradictionProgress, ContradictionStep, Contradictions, DecisionGraph, DecisionNode,
    DecisionRelation, OpposingPassage, RelationProblem, RelationProblemKind,
};
pub use development::{
    Development, DevelopmentReport, DevelopmentSet, ExpectedAnswer, GivenAnswer, MarkedGroup, Mistake,
    QuestionFailure,
};
pub use document::{CitedIn, DocumentLink, DocumentRow, DocumentView, Passage, PassageContext};
pub use error::{CommandError, CommandErrorCode, HostErrorCode};
pub use evaluation::{
    Evaluation, EvaluationFailure, EvaluationProgress, EvaluationReport, GoldenSet, GoldenSetOrigin,
    GroupScore,
};
pub use library::{
    CollectionSize, FindingCounts, FindingGroup, Indexing, IndexingSummary, LibraryFinding, LibraryFolder,
    LibraryOverview,
};
pub use memory::{
    CuratedMemory, MemoryDraft, MemoryEntry, MemoryKind, MemoryPointer, MemoryProblem, Retired,
};
pub use metrics::{
    BreakerStatus, IndexFigures, Latency, LookupTally, MetricsFormat, MetricsSample, MetricsSnapshot,
    StageLatency, Tally, WatchedRates,
};
pub use models::{
    CheckOutcome, DoctorCheck, EmbedderInfo, ModelInfo, ModelList, OwnModel, OwnModelState, PullProgress,
};
pub use plumbline_core::breaker::BannerItem;
pub use plumbline_core::decisions::{ContradictionKind, Mark, RelationKind};
pub use plumbline_core::domain::SourceId;
pub use plumbline_core::error::{ErrorCode, ErrorReport};
pub use plumbline_core::response::{
    AnswerEvent, AskResponse, CheckProgress, CheckedText, Definition, RecordDraft,
};
pub use plumbline_core::settings::Settings;
pub use question::QuestionRequest;
pub use settings::{
    SettingChange, SettingOrigin, SettingsReport, ThresholdChange, ThresholdRow, TokenPlace, TokenStatus,
};
pub use state::{AppState, DataLocations, Preferences, RemoteServer, Startup, Theme};
pub use team::{
    FollowedLibrary, GivenKeys, KeysKept, PublishedLibrary, TeamActivity, TeamOverview, TeamStep,
};
pub use typescript::{GeneratedFile, generated_files};
pub use vocabulary::{ConceptSummary, VocabularyInfo};
