use ts_rs::{Config, TS};

use crate::{
    AnswerEvent, AppState, AskResponse, BannerItem, Broadcast, CheckProgress, CheckedText, CommandError,
    ConceptSummary, ContradictionProgress, Contradictions, Conversation, ConversationFormat,
    ConversationSummary, CuratedMemory, DataLocations, DecisionGraph, Definition, Development,
    DevelopmentSet, DoctorCheck, DocumentRow, DocumentView, Draft, EmbedderInfo, ErrorReport, Evaluation,
    Feedback, FollowedLibrary, GivenKeys, GoldenSet, KeysKept, LibraryFinding, LibraryFolder,
    LibraryOverview, Mark, MemoryDraft, MemoryEntry, MetricsFormat, MetricsSnapshot, ModelList, OwnModel,
    PassageContext, Preferences, PublishedLibrary, PullProgress, QuestionRequest, RecordDraft, SettingChange,
    SettingsReport, SourceId, ThresholdChange, ThresholdRow, TokenStatus, VocabularyInfo,
};

/// A command that the window can give. The shell's list of handlers equals this table, and a test holds it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub purpose: &'static str,
}

/// What the contract itself makes of the table: the names, and TypeScript.
macro_rules! declare {
    ($( $purpose:literal $name:ident ( $($argument:ident : $type:ty),* ) $(streams $event:ty)? => $result:ty; )*) => {
        /// Every command.
        pub const COMMANDS: &[Command] = &[$(Command { name: stringify!($name), purpose: $purpose }),*];

        /// The table in TypeScript.
        pub(crate) fn interface(config: &Config) -> String {
            let mut lines = String::from("export interface Commands {\n");
            $(
                let arguments: Vec<String> =
                    vec![$(format!("{}: {}", stringify!($argument), <$type as TS>::name(config))),*];
                let arguments =
                    if arguments.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", arguments.join("; ")) };
                #[allow(unused_mut, unused_assignments)]
                let mut event = "never".to_owned();
                $( event = <$event as TS>::name(config); )?
                lines.push_str(&format!(
                    "  /** {} */\n  {}: {{ arguments: {arguments}; event: {event}; result: {} }};\n",
                    $purpose, stringify!($name), <$result as TS>::name(config)
                ));
            )*
            lines.push_str("}\n");
            lines
        }

        /// Hands every type that crosses to a visitor.
        pub(crate) fn visit(visitor: &mut impl ts_rs::TypeVisitor) {
            visitor.visit::<ErrorReport>();
            visitor.visit::<CommandError>();
            visitor.visit::<Broadcast>();
            $( $( visitor.visit::<$type>(); )* $( visitor.visit::<$event>(); )? visitor.visit::<$result>(); )*
        }
    };
}

/// Hands the table of commands to a macro, so that there is one table for the shell's handlers and for TypeScript.
/// The types of its arguments and results must be in scope there.
// One command to a line, however long: the table is read as a table.
#[rustfmt::skip]
#[macro_export]
macro_rules! with_commands {
    ($handed_to:ident) => {
        $handed_to! {
            "What the whole window depends on." app_state() => AppState;
            "What is off at the moment, and until when." banner() => Vec<BannerItem>;
            "How the window looks." preferences() => Preferences;
            "Changes how the window looks." change_preferences(preferences: Preferences) => ();
            "Opens an http, https or mailto address in the system's own program; refuses any other." open_link(address: String) => ();

            "Answers a question and keeps it in its conversation; events stream in batches over `events`. The host fills in the user's tags, tenant and history. `replaces` names the turn that it and all after it make way for." ask(conversation_id: String, replaces: Option<String>, request: QuestionRequest) streams AnswerEvent => AskResponse;
            "Stops the answer to a question." stop(request_id: String) => ();
            "Keeps what the user thinks of an answer; takes it back where absent." give_feedback(conversation_id: String, turn_id: String, feedback: Option<Feedback>) => ();

            "The conversations, latest first; those that hold the text where one is given." conversations(search: Option<String>) => Vec<ConversationSummary>;
            "One conversation." conversation(id: String) => Conversation;
            "Begins a conversation." create_conversation() => ConversationSummary;
            "Renames a conversation." rename_conversation(id: String, title: String) => ();
            "Deletes a conversation; it can be restored until the program ends." delete_conversation(id: String) => ();
            "Takes a deletion back." restore_conversation(id: String) => ();
            "Asks where to, and writes a conversation there; the path, or nothing where the user changed their mind." export_conversation(id: String, format: ConversationFormat) => Option<String>;

            "Checks a text of the user's own, statement by statement; each streams over `events` with its verdict. A check that goes on is stopped." check_text(text: String) streams CheckProgress => CheckedText;
            "Stops the check." stop_check() => ();
            "Asks the user for a file to check, and reads it; nothing where they changed their mind." pick_draft() => Option<Draft>;
            "Reads a file to check." read_draft(path: String) => Draft;
            "Asks where to, and writes the last check there as Markdown; the path, or nothing where the user changed their mind." export_check(name: Option<String>) => Option<String>;

            "What the library consists of." library() => LibraryOverview;
            "Asks the user for a folder; nothing where they changed their mind." pick_folder() => Option<String>;
            "Adds a folder, or the folder of a `library.toml`, and begins to index it." add_folder(path: String) => LibraryFolder;
            "Takes a folder and its documents out of the library; its files stay." remove_folder(id: String) => ();
            "Adds the sample library and begins to index it." open_sample_library() => LibraryFolder;
            "Compares all folders with the index and brings it up to date." start_indexing() => ();
            "Stops indexing; what is done stays." stop_indexing() => ();
            "What is wrong with files, was guessed of them, or is worth knowing." findings() => Vec<LibraryFinding>;
            "All documents that the user may see, by type, number and title." documents() => Vec<DocumentRow>;
            "One document with its passages." document(id: String) => DocumentView;
            "One passage between its neighbours." passage(source_id: SourceId) => PassageContext;
            "Opens a document's file in the system's own program." open_document(id: String) => ();

            "Follows the library that is published at an address, and takes in what it holds, or `in_place` only what it takes to read it there; how far it is comes as a broadcast." follow_library(address: String, in_place: bool) => FollowedLibrary;
            "Looks for newer generations of all libraries that are followed." look_for_generations() => ();
            "Follows a library no more: its documents are taken out, and the keys to it are forgotten." unfollow_library(address: String) => ();
            "Publishes the library at an address; how far it is comes as a broadcast. `prune` takes away what is kept no longer, `in_place` lets it be read there as well." publish_library(address: String, prune: bool, in_place: bool) => PublishedLibrary;
            "Stops following or publishing; what was in force stays." stop_team() => ();
            "Keeps keys for an address in the system's keyring." keep_store_keys(address: String, keys: GivenKeys) => KeysKept;

            "The records and what they say of one another, with what is wrong with that." decision_graph() => DecisionGraph;
            "What opposes what in the library. What is new is read first, and how far that is streams over `events`." contradictions() streams ContradictionProgress => Contradictions;
            "Keeps what the user says of a contradiction, until one of its passages changes; takes it back where absent." mark_contradiction(id: String, mark: Option<Mark>) => ();
            "Asks where to, and writes a draft of a record there; the path, or nothing where the user changed their mind. A folder of the library is refused." save_record_draft(draft: RecordDraft) => Option<String>;
            "Asks where to, and writes a picture of the records there; the path, or nothing where the user changed their mind." export_decision_graph(svg: String) => Option<String>;

            "The vocabularies of record." vocabularies() => Vec<VocabularyInfo>;
            "Concepts whose labels hold the text, best first; of one vocabulary where one is given." search_concepts(text: String, vocabulary: Option<String>) => Vec<ConceptSummary>;
            "The concepts at the top of a vocabulary." top_concepts(vocabulary: String) => Vec<ConceptSummary>;
            "The concepts directly below one." narrower_concepts(uri: String) => Vec<ConceptSummary>;
            "What the vocabulary says about a concept." concept(uri: String) => Definition;

            "The curated memory." memory() => CuratedMemory;
            "Writes an entry of curated memory, with the hashes of what it points at now." save_memory_entry(draft: MemoryDraft) => MemoryEntry;
            "Takes what a retired entry points at as it is now, and uses the entry again." renew_memory_entry(path: String) => MemoryEntry;
            "Deletes an entry of curated memory." delete_memory_entry(path: String) => ();

            "All metrics at this moment." metrics() => MetricsSnapshot;
            "Asks where to, and writes the metrics there; the path, or nothing where the user changed their mind." export_metrics(format: MetricsFormat) => Option<String>;

            "The golden set, a run that is going on, and the last two." evaluation() => Evaluation;
            "Asks the user for a golden set of their own; nothing where they changed their mind." pick_golden_set() => Option<GoldenSet>;
            "Goes back from a file of the user's own to the sample library's golden set." use_sample_golden_set() => ();
            "Runs the golden set; how far it is comes as a broadcast." start_evaluation() => ();
            "Stops the run of either set; nothing is kept of it." stop_evaluation() => ();
            "The development set, a run of it that is going on, and the last one." development() => Development;
            "Asks the user for a folder of questions; nothing where they changed their mind." pick_development_set() => Option<DevelopmentSet>;
            "Asks the questions of the development set; how far it is comes as a broadcast." start_development() => ();

            "The settings in force." settings() => SettingsReport;
            "Writes settings, all or none of them." change_settings(changes: Vec<SettingChange>) => SettingsReport;
            "The thresholds by collection and scorer." thresholds() => Vec<ThresholdRow>;
            "Writes thresholds, all or none of them." change_thresholds(changes: Vec<ThresholdChange>) => Vec<ThresholdRow>;
            "Looks at every service, with another address of the model server where one is given." doctor(address: Option<String>) => Vec<DoctorCheck>;
            "The models that are allowed or served." models() => ModelList;
            "Has Ollama download a model." pull_model(name: String) streams PullProgress => ();
            "Stops a download." stop_pull(name: String) => ();
            "Plumbline's own model: what there is of it, and whether it runs." own_model() => OwnModel;
            "Downloads Plumbline's own model, or what is missing of it." fetch_own_model() streams PullProgress => OwnModel;
            "Stops that download; what has arrived stays." stop_fetch_own_model() => ();
            "Starts Plumbline's own model, and comes back when it answers." start_own_model() => OwnModel;
            "Stops Plumbline's own model." stop_own_model() => OwnModel;
            "The models that can embed, and what switching costs." embedders() => Vec<EmbedderInfo>;
            "Embeds with another model; how far it is comes as a broadcast." switch_embedder(id: String) => ();
            "Where the token for a remote model server is kept." token() => TokenStatus;
            "Keeps a token." set_token(token: String) => TokenStatus;
            "Forgets the token." clear_token() => TokenStatus;
            "Where the program keeps what it knows." data_locations() => DataLocations;
            "Deletes conversations, feedback, metrics, logs, settings and the index; documents stay." delete_all_data() => ();
        }
    };
}

with_commands!(declare);
