// Generated from crates/contract by `cargo xtask generate`. Do not edit.

import type { AnswerEvent, AppState, AskResponse, BannerItem, CheckProgress, CheckedText, ConceptSummary, ContradictionProgress, Contradictions, Conversation, ConversationFormat, ConversationSummary, CuratedMemory, DataLocations, DecisionGraph, Definition, Development, DevelopmentSet, DoctorCheck, DocumentRow, DocumentView, Draft, EmbedderInfo, Evaluation, Feedback, FollowedLibrary, GivenKeys, GoldenSet, KeysKept, LibraryFinding, LibraryFolder, LibraryOverview, Mark, MemoryDraft, MemoryEntry, MetricsFormat, MetricsSnapshot, ModelList, OwnModel, PassageContext, Preferences, PublishedLibrary, PullProgress, QuestionRequest, RecordDraft, SettingChange, SettingsReport, SourceId, ThresholdChange, ThresholdRow, TokenStatus, VocabularyInfo } from "./types";

export interface Commands {
  /** What the whole window depends on. */
  app_state: { arguments: {}; event: never; result: AppState };
  /** What is off at the moment, and until when. */
  banner: { arguments: {}; event: never; result: Array<BannerItem> };
  /** How the window looks. */
  preferences: { arguments: {}; event: never; result: Preferences };
  /** Changes how the window looks. */
  change_preferences: { arguments: { preferences: Preferences }; event: never; result: null };
  /** Opens an http, https or mailto address in the system's own program; refuses any other. */
  open_link: { arguments: { address: string }; event: never; result: null };
  /** Answers a question and keeps it in its conversation; events stream in batches over `events`. The host fills in the user's tags, tenant and history. `replaces` names the turn that it and all after it make way for. */
  ask: { arguments: { conversation_id: string; replaces: string | null; request: QuestionRequest }; event: AnswerEvent; result: AskResponse };
  /** Stops the answer to a question. */
  stop: { arguments: { request_id: string }; event: never; result: null };
  /** Keeps what the user thinks of an answer; takes it back where absent. */
  give_feedback: { arguments: { conversation_id: string; turn_id: string; feedback: Feedback | null }; event: never; result: null };
  /** The conversations, latest first; those that hold the text where one is given. */
  conversations: { arguments: { search: string | null }; event: never; result: Array<ConversationSummary> };
  /** One conversation. */
  conversation: { arguments: { id: string }; event: never; result: Conversation };
  /** Begins a conversation. */
  create_conversation: { arguments: {}; event: never; result: ConversationSummary };
  /** Renames a conversation. */
  rename_conversation: { arguments: { id: string; title: string }; event: never; result: null };
  /** Deletes a conversation; it can be restored until the program ends. */
  delete_conversation: { arguments: { id: string }; event: never; result: null };
  /** Takes a deletion back. */
  restore_conversation: { arguments: { id: string }; event: never; result: null };
  /** Asks where to, and writes a conversation there; the path, or nothing where the user changed their mind. */
  export_conversation: { arguments: { id: string; format: ConversationFormat }; event: never; result: string | null };
  /** Checks a text of the user's own, statement by statement; each streams over `events` with its verdict. A check that goes on is stopped. */
  check_text: { arguments: { text: string }; event: CheckProgress; result: CheckedText };
  /** Stops the check. */
  stop_check: { arguments: {}; event: never; result: null };
  /** Asks the user for a file to check, and reads it; nothing where they changed their mind. */
  pick_draft: { arguments: {}; event: never; result: Draft | null };
  /** Reads a file to check. */
  read_draft: { arguments: { path: string }; event: never; result: Draft };
  /** Asks where to, and writes the last check there as Markdown; the path, or nothing where the user changed their mind. */
  export_check: { arguments: { name: string | null }; event: never; result: string | null };
  /** What the library consists of. */
  library: { arguments: {}; event: never; result: LibraryOverview };
  /** Asks the user for a folder; nothing where they changed their mind. */
  pick_folder: { arguments: {}; event: never; result: string | null };
  /** Adds a folder, or the folder of a `library.toml`, and begins to index it. */
  add_folder: { arguments: { path: string }; event: never; result: LibraryFolder };
  /** Takes a folder and its documents out of the library; its files stay. */
  remove_folder: { arguments: { id: string }; event: never; result: null };
  /** Adds the sample library and begins to index it. */
  open_sample_library: { arguments: {}; event: never; result: LibraryFolder };
  /** Compares all folders with the index and brings it up to date. */
  start_indexing: { arguments: {}; event: never; result: null };
  /** Stops indexing; what is done stays. */
  stop_indexing: { arguments: {}; event: never; result: null };
  /** What is wrong with files, was guessed of them, or is worth knowing. */
  findings: { arguments: {}; event: never; result: Array<LibraryFinding> };
  /** All documents that the user may see, by type, number and title. */
  documents: { arguments: {}; event: never; result: Array<DocumentRow> };
  /** One document with its passages. */
  document: { arguments: { id: string }; event: never; result: DocumentView };
  /** One passage between its neighbours. */
  passage: { arguments: { source_id: SourceId }; event: never; result: PassageContext };
  /** Opens a document's file in the system's own program. */
  open_document: { arguments: { id: string }; event: never; result: null };
  /** Follows the library that is published at an address, and takes in what it holds, or `in_place` only what it takes to read it there; how far it is comes as a broadcast. */
  follow_library: { arguments: { address: string; in_place: boolean }; event: never; result: FollowedLibrary };
  /** Looks for newer generations of all libraries that are followed. */
  look_for_generations: { arguments: {}; event: never; result: null };
  /** Follows a library no more: its documents are taken out, and the keys to it are forgotten. */
  unfollow_library: { arguments: { address: string }; event: never; result: null };
  /** Publishes the library at an address; how far it is comes as a broadcast. `prune` takes away what is kept no longer, `in_place` lets it be read there as well. */
  publish_library: { arguments: { address: string; prune: boolean; in_place: boolean }; event: never; result: PublishedLibrary };
  /** Stops following or publishing; what was in force stays. */
  stop_team: { arguments: {}; event: never; result: null };
  /** Keeps keys for an address in the system's keyring. */
  keep_store_keys: { arguments: { address: string; keys: GivenKeys }; event: never; result: KeysKept };
  /** The records and what they say of one another, with what is wrong with that. */
  decision_graph: { arguments: {}; event: never; result: DecisionGraph };
  /** What opposes what in the library. What is new is read first, and how far that is streams over `events`. */
  contradictions: { arguments: {}; event: ContradictionProgress; result: Contradictions };
  /** Keeps what the user says of a contradiction, until one of its passages changes; takes it back where absent. */
  mark_contradiction: { arguments: { id: string; mark: Mark | null }; event: never; result: null };
  /** Asks where to, and writes a draft of a record there; the path, or nothing where the user changed their mind. A folder of the library is refused. */
  save_record_draft: { arguments: { draft: RecordDraft }; event: never; result: string | null };
  /** Asks where to, and writes a picture of the records there; the path, or nothing where the user changed their mind. */
  export_decision_graph: { arguments: { svg: string }; event: never; result: string | null };
  /** The vocabularies of record. */
  vocabularies: { arguments: {}; event: never; result: Array<VocabularyInfo> };
  /** Concepts whose labels hold the text, best first; of one vocabulary where one is given. */
  search_concepts: { arguments: { text: string; vocabulary: string | null }; event: never; result: Array<ConceptSummary> };
  /** The concepts at the top of a vocabulary. */
  top_concepts: { arguments: { vocabulary: string }; event: never; result: Array<ConceptSummary> };
  /** The concepts directly below one. */
  narrower_concepts: { arguments: { uri: string }; event: never; result: Array<ConceptSummary> };
  /** What the vocabulary says about a concept. */
  concept: { arguments: { uri: string }; event: never; result: Definition };
  /** The curated memory. */
  memory: { arguments: {}; event: never; result: CuratedMemory };
  /** Writes an entry of curated memory, with the hashes of what it points at now. */
  save_memory_entry: { arguments: { draft: MemoryDraft }; event: never; result: MemoryEntry };
  /** Takes what a retired entry points at as it is now, and uses the entry again. */
  renew_memory_entry: { arguments: { path: string }; event: never; result: MemoryEntry };
  /** Deletes an entry of curated memory. */
  delete_memory_entry: { arguments: { path: string }; event: never; result: null };
  /** All metrics at this moment. */
  metrics: { arguments: {}; event: never; result: MetricsSnapshot };
  /** Asks where to, and writes the metrics there; the path, or nothing where the user changed their mind. */
  export_metrics: { arguments: { format: MetricsFormat }; event: never; result: string | null };
  /** The golden set, a run that is going on, and the last two. */
  evaluation: { arguments: {}; event: never; result: Evaluation };
  /** Asks the user for a golden set of their own; nothing where they changed their mind. */
  pick_golden_set: { arguments: {}; event: never; result: GoldenSet | null };
  /** Goes back from a file of the user's own to the sample library's golden set. */
  use_sample_golden_set: { arguments: {}; event: never; result: null };
  /** Runs the golden set; how far it is comes as a broadcast. */
  start_evaluation: { arguments: {}; event: never; result: null };
  /** Stops the run of either set; nothing is kept of it. */
  stop_evaluation: { arguments: {}; event: never; result: null };
  /** The development set, a run of it that is going on, and the last one. */
  development: { arguments: {}; event: never; result: Development };
  /** Asks the user for a folder of questions; nothing where they changed their mind. */
  pick_development_set: { arguments: {}; event: never; result: DevelopmentSet | null };
  /** Asks the questions of the development set; how far it is comes as a broadcast. */
  start_development: { arguments: {}; event: never; result: null };
  /** The settings in force. */
  settings: { arguments: {}; event: never; result: SettingsReport };
  /** Writes settings, all or none of them. */
  change_settings: { arguments: { changes: Array<SettingChange> }; event: never; result: SettingsReport };
  /** The thresholds by collection and scorer. */
  thresholds: { arguments: {}; event: never; result: Array<ThresholdRow> };
  /** Writes thresholds, all or none of them. */
  change_thresholds: { arguments: { changes: Array<ThresholdChange> }; event: never; result: Array<ThresholdRow> };
  /** Looks at every service, with another address of the model server where one is given. */
  doctor: { arguments: { address: string | null }; event: never; result: Array<DoctorCheck> };
  /** The models that are allowed or served. */
  models: { arguments: {}; event: never; result: ModelList };
  /** Has Ollama download a model. */
  pull_model: { arguments: { name: string }; event: PullProgress; result: null };
  /** Stops a download. */
  stop_pull: { arguments: { name: string }; event: never; result: null };
  /** Plumbline's own model: what there is of it, and whether it runs. */
  own_model: { arguments: {}; event: never; result: OwnModel };
  /** Downloads Plumbline's own model, or what is missing of it. */
  fetch_own_model: { arguments: {}; event: PullProgress; result: OwnModel };
  /** Stops that download; what has arrived stays. */
  stop_fetch_own_model: { arguments: {}; event: never; result: null };
  /** Starts Plumbline's own model, and comes back when it answers. */
  start_own_model: { arguments: {}; event: never; result: OwnModel };
  /** Stops Plumbline's own model. */
  stop_own_model: { arguments: {}; event: never; result: OwnModel };
  /** The models that can embed, and what switching costs. */
  embedders: { arguments: {}; event: never; result: Array<EmbedderInfo> };
  /** Embeds with another model; how far it is comes as a broadcast. */
  switch_embedder: { arguments: { id: string }; event: never; result: null };
  /** Where the token for a remote model server is kept. */
  token: { arguments: {}; event: never; result: TokenStatus };
  /** Keeps a token. */
  set_token: { arguments: { token: string }; event: never; result: TokenStatus };
  /** Forgets the token. */
  clear_token: { arguments: {}; event: never; result: TokenStatus };
  /** Where the program keeps what it knows. */
  data_locations: { arguments: {}; event: never; result: DataLocations };
  /** Deletes conversations, feedback, metrics, logs, settings and the index; documents stay. */
  delete_all_data: { arguments: {}; event: never; result: null };
}

export const COMMANDS = [
  "app_state",
  "banner",
  "preferences",
  "change_preferences",
  "open_link",
  "ask",
  "stop",
  "give_feedback",
  "conversations",
  "conversation",
  "create_conversation",
  "rename_conversation",
  "delete_conversation",
  "restore_conversation",
  "export_conversation",
  "check_text",
  "stop_check",
  "pick_draft",
  "read_draft",
  "export_check",
  "library",
  "pick_folder",
  "add_folder",
  "remove_folder",
  "open_sample_library",
  "start_indexing",
  "stop_indexing",
  "findings",
  "documents",
  "document",
  "passage",
  "open_document",
  "follow_library",
  "look_for_generations",
  "unfollow_library",
  "publish_library",
  "stop_team",
  "keep_store_keys",
  "decision_graph",
  "contradictions",
  "mark_contradiction",
  "save_record_draft",
  "export_decision_graph",
  "vocabularies",
  "search_concepts",
  "top_concepts",
  "narrower_concepts",
  "concept",
  "memory",
  "save_memory_entry",
  "renew_memory_entry",
  "delete_memory_entry",
  "metrics",
  "export_metrics",
  "evaluation",
  "pick_golden_set",
  "use_sample_golden_set",
  "start_evaluation",
  "stop_evaluation",
  "development",
  "pick_development_set",
  "start_development",
  "settings",
  "change_settings",
  "thresholds",
  "change_thresholds",
  "doctor",
  "models",
  "pull_model",
  "stop_pull",
  "own_model",
  "fetch_own_model",
  "stop_fetch_own_model",
  "start_own_model",
  "stop_own_model",
  "embedders",
  "switch_embedder",
  "token",
  "set_token",
  "clear_token",
  "data_locations",
  "delete_all_data",
] as const;

/** The name under which broadcasts reach the window. */
export const BROADCAST = "plumbline";
