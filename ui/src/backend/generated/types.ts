// Generated from crates/contract by `cargo xtask generate`. Do not edit.

/**
 * What the assistant did with the question.
 */
export type Action = "CITE" | "ROUTE" | "REFUSE" | "CLARIFY" | "OUTSIDE";

/**
 * What happens between the question and its response, in this order.
 */
export type AnswerEvent = { "event": "accepted", 
/**
 * The id under which it is logged and can be stopped.
 */
request_id: string, } | { "event": "stage", 
/**
 * The stage.
 */
stage: Stage, 
/**
 * How it went; absent while it runs.
 */
report: StageReport | null, } | { "event": "delta", 
/**
 * Its text, with its citations as `[1]`.
 */
text: string, } | { "event": "citation" } & Citation | { "event": "withheld" } & Withheld | { "event": "replaced", 
/**
 * The text that stands now.
 */
text: string, } | { "event": "stopped" } | { "event": "done" } & AskResponse | { "event": "failed" } & ErrorReport;

/**
 * Where an answer comes from.
 */
export type AnswerSource = "library" | "vocabulary" | "plumbline";

/**
 * What the whole window depends on.
 */
export type AppState = { 
/**
 * The program's version.
 */
version: string, 
/**
 * How far the engine's start is.
 */
startup: Startup, 
/**
 * Whether no folder has ever been added: the window then explains itself.
 */
first_run: boolean, 
/**
 * Whether the sample library is part of the library.
 */
sample_library: boolean, 
/**
 * The server that passages go to, where that is another machine.
 */
remote: RemoteServer | null, 
/**
 * Whether a language model writes answers; without one they are extracts.
 */
answers_with_model: boolean, };

/**
 * The whole answer to one question.
 */
export type AskResponse = { 
/**
 * The request this answers.
 */
request_id: string, 
/**
 * The answer as Markdown; citations stand in it as `[1]`, `[2]`.
 */
answer: string, 
/**
 * What was done.
 */
action: Action, 
/**
 * Where the answer comes from; responses that were kept before this was told came from the library.
 */
source: AnswerSource, 
/**
 * Whether the question was refused.
 */
refused: boolean, 
/**
 * Why, where it was.
 */
refusal_reason: RefusalReason | null, 
/**
 * The passages that the answer rests on, numbered from 1 as in the answer.
 */
citations: Array<Citation>, 
/**
 * The definition, for a question of terminology.
 */
definition: Definition | null, 
/**
 * The rows, for a list.
 */
rows: Array<ListRow>, 
/**
 * The record that was drafted, as a file.
 */
draft: RecordDraft | null, 
/**
 * The field that was asked for, for a fact.
 */
fact: FactAnswer | null, 
/**
 * How sure the answer is, with its parts; absent where nothing was scored.
 */
confidence: ConfidenceScore | null, 
/**
 * How well retrieval worked.
 */
retrieval_quality: RetrievalQuality, 
/**
 * Whether any fallback was active.
 */
fallback_mode: boolean, 
/**
 * What the user should know about how this came to be.
 */
transparency: TransparencyStatement, 
/**
 * What may be missing.
 */
warnings: Array<string>, 
/**
 * Age and standing of what is cited.
 */
notices: Array<Notice>, 
/**
 * Sentences that were withheld.
 */
withheld: Array<Withheld>, 
/**
 * How each statement of a model was judged; responses that were kept before this was told have none.
 */
proofs: Array<StatementProof>, 
/**
 * Ways on that one click takes.
 */
suggestions: Array<Suggestion>, 
/**
 * Passages shown with a refusal, never cited.
 */
nearest: Array<NearestPassage>, 
/**
 * The question asked back.
 */
clarification: Clarification | null, 
/**
 * Whom to ask instead.
 */
route_to: RouteTarget | null, 
/**
 * What each stage did.
 */
stages: Array<StageReport>, 
/**
 * The model that wrote the answer; absent where code composed it.
 */
model_used: string | null, 
/**
 * How many passages were used.
 */
context_chunks_used: number, 
/**
 * How many tokens they took.
 */
context_tokens_used: number, 
/**
 * How long it took.
 */
generation_time_ms: number, 
/**
 * Whether the answer rests on retrieved passages or the vocabulary.
 */
grounded: boolean, };

/**
 * A service that is off or being tried, as the window's banner names it.
 */
export type BannerItem = { 
/**
 * The service.
 */
service: string, 
/**
 * Whether it is asked.
 */
state: BreakerState, 
/**
 * Whole seconds until it is tried again; zero where the next question tries it.
 */
retry_in_seconds: number, };

/**
 * When a service is left alone.
 */
export type BreakerSettings = { 
/**
 * Consecutive failures before it is.
 */
failure_threshold: number, 
/**
 * Successes before it is used as usual again.
 */
success_threshold: number, 
/**
 * How long it is left alone.
 */
timeout_seconds: number, };

/**
 * Whether a service is asked.
 */
export type BreakerState = "closed" | "half_open" | "open";

/**
 * A circuit breaker.
 */
export type BreakerStatus = { 
/**
 * The service.
 */
service: string, 
/**
 * Whether it is asked.
 */
state: BreakerState, 
/**
 * How often it opened.
 */
trips: number, 
/**
 * Whole seconds until it is tried again.
 */
retry_in_seconds: number, };

/**
 * What the host tells the window without being asked.
 */
export type Broadcast = { "event": "state", 
/**
 * As it is now.
 */
state: AppState, } | { "event": "banner", 
/**
 * As it is now; empty when all is well.
 */
items: Array<BannerItem>, } | { "event": "indexing", 
/**
 * How far it is.
 */
indexing: Indexing, } | { "event": "library_changed" } | { "event": "team_activity", 
/**
 * How far it is; absent when nothing goes on any more.
 */
activity: TeamActivity | null, } | { "event": "memory_changed" } | { "event": "conversations_changed" } | { "event": "evaluation", 
/**
 * As it is now.
 */
evaluation: Evaluation, } | { "event": "development", 
/**
 * As it is now.
 */
development: Development, } | { "event": "settings", 
/**
 * As they are now.
 */
settings: SettingsReport, } | { "event": "own_model", 
/**
 * As it is now.
 */
own_model: OwnModel, } | { "event": "dropped", 
/**
 * Their paths.
 */
paths: Array<string>, };

/**
 * How a model's context window is shared out, in tokens.
 */
export type BudgetSettings = { 
/**
 * Passages.
 */
max_context_tokens: number, 
/**
 * The conversation so far.
 */
max_history_tokens: number, 
/**
 * The answer.
 */
max_response_tokens: number, 
/**
 * Kept free for the system prompt at the least.
 */
system_prompt_tokens: number, };

/**
 * A cited document that is no longer what it was when it was cited.
 */
export type ChangedSource = { 
/**
 * The document.
 */
document_id: string, 
/**
 * Its title at the time.
 */
title: string, 
/**
 * Whether it is gone altogether.
 */
removed: boolean, };

/**
 * How a check came out.
 */
export type CheckOutcome = "ok" | "warning" | "failed" | "skipped";

/**
 * How far a check is, told after every statement.
 */
export type CheckProgress = { 
/**
 * So many statements have their verdict.
 */
done: number, 
/**
 * So many there are.
 */
total: number, 
/**
 * The one that just got its own.
 */
latest: CheckedStatement, };

/**
 * A statement, checked.
 */
export type CheckedStatement = { 
/**
 * The statement as it stands in the text.
 */
text: string, 
/**
 * Where it stands, in characters.
 */
span: TextSpan, 
/**
 * What the library says to it.
 */
verdict: StatementVerdict, 
/**
 * Why it is not supported, where it is not.
 */
label: WithheldLabel | null, 
/**
 * The same in the user's language.
 */
reason: string | null, 
/**
 * What in it could not be found, where one thing can be named.
 */
detail: string | null, 
/**
 * The documents that it names.
 */
named: Array<NamedDocument>, 
/**
 * The passages that bear it out, or the one that says otherwise.
 */
passages: Array<DecidingPassage>, 
/**
 * The passage that comes nearest, where none decides.
 */
nearest: NearestPassage | null, };

/**
 * A text, checked statement by statement.
 */
export type CheckedText = { 
/**
 * The request that this answers.
 */
request_id: string, 
/**
 * The language of the text, and of the reasons.
 */
language: Language, 
/**
 * Its statements, in order.
 */
statements: Array<CheckedStatement>, 
/**
 * How many got which verdict.
 */
counts: VerdictCounts, 
/**
 * Headings, questions, code and what else states nothing: so many were passed over.
 */
passed_over: number, 
/**
 * Age and standing of the documents that decide.
 */
notices: Array<Notice>, 
/**
 * Whether any fallback was active.
 */
fallback_mode: boolean, 
/**
 * What the user should know about how this came to be.
 */
transparency: TransparencyStatement, 
/**
 * How long it took.
 */
time_ms: number, };

/**
 * What the user picked instead of typing.
 */
export type Choice = { "kind": "concept", 
/**
 * The concept's URI.
 */
uri: string, } | { "kind": "define", 
/**
 * The term.
 */
term: string, } | { "kind": "draft", 
/**
 * The topic.
 */
topic: string, } | { "kind": "search_documents" } | { "kind": "document", 
/**
 * The document's id.
 */
id: string, };

/**
 * A passage that the answer rests on.
 */
export type Citation = { 
/**
 * The number in the answer, from 1.
 */
number: number, 
/**
 * `{document_id}:{chunk_index}`.
 */
source_id: SourceId, 
/**
 * The document.
 */
document_id: string, 
/**
 * Its title.
 */
document_name: string, 
/**
 * What it is.
 */
doc_type: Kind, 
/**
 * The chunk's position in it.
 */
chunk_index: number, 
/**
 * The page, or `N/A`.
 */
page_number: string, 
/**
 * The section, or `N/A`.
 */
section: string, 
/**
 * Its score from retrieval, 0 to 1.
 */
relevance_score: number, 
/**
 * The first 200 characters, with an ellipsis where more follows.
 */
snippet: string, 
/**
 * The whole passage.
 */
snippet_full: string, 
/**
 * Where it lies in the source file, in characters.
 */
span: TextSpan, 
/**
 * The document's path, relative to its source.
 */
path: string, 
/**
 * The document's version.
 */
version: string | null, 
/**
 * The document's status, as written.
 */
status: string | null, 
/**
 * Whether it is in force.
 */
standing: Standing, 
/**
 * The document's last update.
 */
date: string | null, 
/**
 * Where the citation comes from: the library, or the vocabulary by its name.
 */
source: string, };

/**
 * An answer that cited a document.
 */
export type CitedIn = { 
/**
 * The conversation.
 */
conversation_id: string, 
/**
 * The question's id.
 */
turn_id: string, 
/**
 * The question.
 */
question: string, 
/**
 * When it was asked, ISO 8601.
 */
asked_at: string, };

/**
 * The question asked back, with its options.
 */
export type Clarification = { 
/**
 * What is asked.
 */
question: string, 
/**
 * What can be chosen; empty where the user is asked for details in words.
 */
options: Array<ClarificationOption>, };

/**
 * One way to understand the question.
 */
export type ClarificationOption = { 
/**
 * What it says.
 */
label: string, 
/**
 * A line below it: the vocabulary, or the first line of the definition.
 */
detail: string | null, 
/**
 * The question that choosing it asks.
 */
query: string, 
/**
 * The choice that goes with it.
 */
choice: Choice, };

/**
 * A collection by its base name, such as `ADR`; thresholds and tables add the embedder's family to it.
 */
export type Collection = string;

/**
 * How much a collection holds.
 */
export type CollectionSize = { 
/**
 * The collection.
 */
collection: Collection, 
/**
 * Its documents.
 */
documents: number, 
/**
 * Its passages.
 */
passages: number, };

/**
 * When what was found in a collection is good enough. Scores are cosines, or BM25 divided by its bound.
 */
export type CollectionThresholds = { 
/**
 * A candidate further away than this (1 - score) goes.
 */
distance_threshold: number, 
/**
 * Share of the question's content words that the kept passages must hold.
 */
min_query_coverage: number, 
/**
 * Best score under this: refuse at once.
 */
bail_below: number, 
/**
 * One passage as good as this is enough.
 */
single_hit: number, 
/**
 * Two or more passages are enough, the best of them as good as this.
 */
several_hits: number, 
/**
 * Three or more passages are enough, as good as this on average.
 */
mean: number, 
/**
 * A passage that by itself holds this share of the question's words (by idf) passes every gate.
 */
lexical_witness: number, 
/**
 * How likely it must be that the library holds an answer (how near the best passages are, how far their
 * document stands out, how many of the question's words they hold). With the built-in model, for which
 * it was fitted, this alone decides and the thresholds above only cut; 0 leaves it to them.
 */
answerability: number, 
/**
 * A document that stands out by this much from the mean of the next five is enough; 1 never is.
 */
margin: number, };

/**
 * How a command fails: branch on the code, show the message.
 */
export type CommandError = { 
/**
 * What the window branches on.
 */
code: CommandErrorCode, 
/**
 * What the user reads: what failed and what to do.
 */
message: string, };

/**
 * What the window branches on: the engine's codes and the host's.
 */
export type CommandErrorCode = ErrorCode | HostErrorCode;

/**
 * Another concept, by label and URI.
 */
export type ConceptLink = { 
/**
 * Its preferred label.
 */
label: string, 
/**
 * Its URI.
 */
uri: string, };

/**
 * A note of a concept under its own name; never a definition.
 */
export type ConceptNote = { 
/**
 * What kind of note, such as `scopeNote`.
 */
kind: string, 
/**
 * Its text, verbatim.
 */
text: string, 
/**
 * Its language.
 */
language: string | null, };

/**
 * A concept in a list or in the hierarchy.
 */
export type ConceptSummary = { 
/**
 * Its URI.
 */
uri: string, 
/**
 * Its preferred label.
 */
label: string, 
/**
 * The label that the search met, where that is another.
 */
matched_label: string | null, 
/**
 * Its vocabulary's title.
 */
vocabulary: string, 
/**
 * The first line of its definition.
 */
definition: string | null, 
/**
 * Whether it is deprecated.
 */
deprecated: boolean, 
/**
 * How many narrower concepts it has.
 */
narrower: number, };

/**
 * A confidence as a band, which is what the window shows.
 */
export type ConfidenceLevel = "low" | "medium" | "high";

/**
 * Hybrid confidence with its parts.
 */
export type ConfidenceScore = { 
/**
 * 0 to 100, before any penalty for a fallback.
 */
overall: number, 
/**
 * Mean cosine of the used chunks, 0 to 1.
 */
retrieval_score: number, 
/**
 * How much of the answer (or, in extracts, of the question) the passages cover, 0 to 1.
 */
coverage_score: number, 
/**
 * The judge model's rating, 0 to 100; absent without one, and then the other two are renormalised.
 */
llm_score: number | null, 
/**
 * 0 to 100 after the penalty: what the action was decided on.
 */
adjusted: number, };

/**
 * Two statements in force that oppose each other. Shown side by side, never as a judgement.
 */
export type Contradiction = { 
/**
 * Its id: the same as long as both passages say the same.
 */
id: string, 
/**
 * In what way they oppose each other.
 */
kind: ContradictionKind, 
/**
 * One passage.
 */
first: OpposingPassage, 
/**
 * The other.
 */
second: OpposingPassage, 
/**
 * The words of the first that oppose those of the second.
 */
opposes: [string, string], 
/**
 * What the user said of it.
 */
mark: Mark | null, };

/**
 * In what way two statements in force oppose each other.
 */
export type ContradictionKind = "must_and_must_not" | "different_value" | "different_choice" | "rests_on_superseded" | "status_disagrees" | "exception_past_date";

/**
 * How far the reading of what is new is, on the way to what opposes what.
 */
export type ContradictionProgress = { 
/**
 * What is being done.
 */
step: ContradictionStep, 
/**
 * Statements or pairs of statements that are done.
 */
done: number, 
/**
 * Of how many.
 */
total: number, };

/**
 * What is done to tell what opposes what.
 */
export type ContradictionStep = "comparing" | "reading";

/**
 * What opposes what in the library.
 */
export type Contradictions = { 
/**
 * Statements in force that oppose each other; those that were marked too.
 */
found: Array<Contradiction>, 
/**
 * Whether they were held against each other by their words alone, since there is no reader to tell what they mean.
 */
by_words_alone: boolean, };

/**
 * A conversation, whole.
 */
export type Conversation = { 
/**
 * Its questions, oldest first.
 */
history: Array<Turn>, 
/**
 * Its id.
 */
id: string, 
/**
 * Its title: the first question until the user renames it; empty while nothing was asked.
 */
title: string, 
/**
 * When it was last added to, ISO 8601.
 */
updated_at: string, 
/**
 * How many questions were asked.
 */
turns: number, 
/**
 * Where the search met it, with the words around; absent without a search.
 */
excerpt: string | null, };

/**
 * How a conversation is exported.
 */
export type ConversationFormat = "markdown" | "evidence_pack";

/**
 * A conversation in the list.
 */
export type ConversationSummary = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its title: the first question until the user renames it; empty while nothing was asked.
 */
title: string, 
/**
 * When it was last added to, ISO 8601.
 */
updated_at: string, 
/**
 * How many questions were asked.
 */
turns: number, 
/**
 * Where the search met it, with the words around; absent without a search.
 */
excerpt: string | null, };

/**
 * The curated memory.
 */
export type CuratedMemory = { 
/**
 * Where new entries are written; absent where the library has no folder for them.
 */
folder: string | null, 
/**
 * Its entries, by file name.
 */
entries: Array<MemoryEntry>, 
/**
 * Files that are no entries.
 */
problems: Array<MemoryProblem>, };

/**
 * When curated memory is taken.
 */
export type CuratedSettings = { 
/**
 * A pinned question as near as this is taken.
 */
pinned_accept: number, 
/**
 * From here a reranker is asked; without one it is not taken.
 */
pinned_border: number, 
/**
 * What the reranker must give then.
 */
judge_accept: number, 
/**
 * A background note as near as this shapes the framing.
 */
note_accept: number, 
/**
 * From here a note with enough references spares the search of the library.
 */
note_spares: number, 
/**
 * How many are enough.
 */
note_references: number, 
/**
 * The score at which a note's references enter.
 */
reference_score: number, };

/**
 * Where the program keeps what it knows.
 */
export type DataLocations = { 
/**
 * Indexes, history and settings.
 */
workspace: string, 
/**
 * Logs and audit records.
 */
logs: string, 
/**
 * The settings file.
 */
settings_file: string, 
/**
 * Bytes that they take together.
 */
bytes: number, };

/**
 * A passage that decides on a statement.
 */
export type DecidingPassage = { 
/**
 * The passage. Its number is the same wherever it decides in one text.
 */
citation: Citation, 
/**
 * The words that it shares with the statement, in characters of the whole passage.
 */
marked: Array<TextSpan>, };

/**
 * The records of the library and what they say of one another.
 */
export type DecisionGraph = { 
/**
 * Decisions, principles and policies, and whatever else takes part in a relation; in the order of lists.
 */
nodes: Array<DecisionNode>, 
/**
 * What they say of one another, each once and in one direction.
 */
relations: Array<DecisionRelation>, 
/**
 * Relations that lead nowhere or in a circle.
 */
problems: Array<RelationProblem>, };

/**
 * A record in the graph.
 */
export type DecisionNode = { 
/**
 * Its id, as in `documents`.
 */
id: string, 
/**
 * As people write it, such as `ADR-0012`; its title where it has no number.
 */
reference: string, 
/**
 * Where it lies, relative to its folder.
 */
path: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What it is.
 */
kind: Kind, 
/**
 * Its status, as written.
 */
status: string | null, 
/**
 * Whether it is in force.
 */
standing: Standing, 
/**
 * The day of its last update by its own account, ISO 8601.
 */
date: string | null, 
/**
 * What it is about: concepts of the vocabulary that its title or tags name, by their labels, then its tags.
 */
concepts: Array<string>, };

/**
 * What one record says of another.
 */
export type DecisionRelation = { 
/**
 * The id of the first.
 */
from: string, 
/**
 * The id of the second.
 */
to: string, 
/**
 * In the direction from the first to the second.
 */
relation: RelationKind, 
/**
 * The sentence, line or entry that says so, as written.
 */
sentence: string, 
/**
 * The file that says so, relative to its folder: that of the first, or of the second ("superseded by").
 */
path: string, 
/**
 * The line of that file on which it begins, from 1.
 */
line: number, };

/**
 * What the vocabulary of record says about a term. Copied by code, byte for byte.
 */
export type Definition = { 
/**
 * The term that was asked for.
 */
term: string, 
/**
 * Which label it met.
 */
matched: LabelMatch, 
/**
 * The preferred label.
 */
preferred_label: string, 
/**
 * Alternative labels.
 */
alternative_labels: Array<string>, 
/**
 * The definitions, verbatim; empty where the concept has none.
 */
definitions: Array<string>, 
/**
 * Scope notes, comments and examples under their own name.
 */
notes: Array<ConceptNote>, 
/**
 * The language of the definition.
 */
language: string | null, 
/**
 * Whether that language is another than the one asked for.
 */
language_fallback: boolean, 
/**
 * Broader terms.
 */
broader: Array<ConceptLink>, 
/**
 * Narrower terms.
 */
narrower: Array<ConceptLink>, 
/**
 * Related terms.
 */
related: Array<ConceptLink>, 
/**
 * Whether the concept is deprecated.
 */
deprecated: boolean, 
/**
 * What replaces it.
 */
replaced_by: Array<ConceptLink>, 
/**
 * The vocabulary's title.
 */
vocabulary: string, 
/**
 * The concept's URI.
 */
uri: string, 
/**
 * `vocab-<slug>`.
 */
concept_id: string, 
/**
 * When it was fetched or loaded.
 */
fetched_at: string, 
/**
 * `SKOSMOS`, or the file's name.
 */
source: string, };

/**
 * The state of development sets in the evaluation view.
 */
export type Development = { 
/**
 * The set that is asked; absent where none was chosen or it cannot be asked.
 */
set: DevelopmentSet | null, 
/**
 * Why the chosen folder cannot be asked, and what to do; absent where it can.
 */
unusable: string | null, 
/**
 * How far the run is; absent where none is going on.
 */
running: EvaluationProgress | null, 
/**
 * The last finished run.
 */
last: DevelopmentReport | null, };

/**
 * A finished run of a development set.
 */
export type DevelopmentReport = { 
/**
 * When it ended, ISO 8601.
 */
finished_at: string, 
/**
 * How long it took.
 */
seconds: number, 
/**
 * The folder whose questions were asked.
 */
path: string, 
/**
 * The model that answered; absent for extracts.
 */
model: string | null, 
/**
 * All questions.
 */
overall: MarkedGroup, 
/**
 * By form.
 */
by_form: Array<MarkedGroup>, 
/**
 * By the language that they are asked in.
 */
by_language: Array<MarkedGroup>, 
/**
 * Those that were not answered wholly as expected.
 */
failures: Array<QuestionFailure>, };

/**
 * A folder of questions, as far as they can be asked of the open library.
 */
export type DevelopmentSet = { 
/**
 * The folder.
 */
path: string, 
/**
 * How many questions are asked.
 */
questions: number, 
/**
 * How many are left out, since the library does not hold what they name.
 */
left_out: number, 
/**
 * The first documents that it does not hold.
 */
unknown: Array<string>, 
/**
 * How many there are.
 */
unknown_count: number, };

/**
 * One thing that the doctor looked at.
 */
export type DoctorCheck = { 
/**
 * What was looked at, in the user's language.
 */
name: string, 
/**
 * How it came out.
 */
outcome: CheckOutcome, 
/**
 * What was found; of a failure, its cause.
 */
finding: string, 
/**
 * What mends it, as a command or a sentence.
 */
fix: string | null, };

/**
 * Another document, by id and title.
 */
export type DocumentLink = { 
/**
 * Its id.
 */
id: string, 
/**
 * As people write it.
 */
reference: string, 
/**
 * Its title.
 */
title: string, };

/**
 * A document in the library's list.
 */
export type DocumentRow = { 
/**
 * Its id.
 */
id: string, 
/**
 * As people write it, such as `ADR-0012`; its title where it has no number.
 */
reference: string, 
/**
 * What it is.
 */
kind: Kind, 
/**
 * The collection it is searched in.
 */
collection: Collection, 
/**
 * Its number among its kind.
 */
number: number | null, 
/**
 * Its title.
 */
title: string, 
/**
 * Its status, as written.
 */
status: string | null, 
/**
 * Whether it is in force.
 */
standing: Standing, 
/**
 * The day of its last update by its own account.
 */
date: string | null, 
/**
 * Its owner.
 */
owner: string | null, 
/**
 * Its language.
 */
language: Language, 
/**
 * Where it lies, relative to its folder.
 */
path: string, 
/**
 * How many passages it has.
 */
passages: number, };

/**
 * A document, whole.
 */
export type DocumentView = { 
/**
 * As in the list.
 */
row: DocumentRow, 
/**
 * Its version, as written.
 */
version: string | null, 
/**
 * Who approved it.
 */
approvers: Array<string>, 
/**
 * Topic tags.
 */
tags: Array<string>, 
/**
 * The records that it replaces.
 */
supersedes: Array<DocumentLink>, 
/**
 * The records that replace it.
 */
superseded_by: Array<DocumentLink>, 
/**
 * Its passages, in order.
 */
passages: Array<Passage>, 
/**
 * Where it was cited, latest first.
 */
cited_in: Array<CitedIn>, };

/**
 * A text of the user's own, read from a file.
 */
export type Draft = { 
/**
 * The file's name.
 */
name: string, 
/**
 * What it says, without headings' marks and other form.
 */
text: string, };

/**
 * Whose scores these are. A cosine means something else for each model, so thresholds belong to a family.
 */
export type EmbedderFamily = "Local" | "Ollama" | "Lexical";

/**
 * A model that embeds, and what switching to it costs.
 */
export type EmbedderInfo = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Whose scores it gives.
 */
family: EmbedderFamily, 
/**
 * Whether it is in use.
 */
current: boolean, 
/**
 * Whether it can be used; what is missing where it cannot.
 */
unavailable: string | null, 
/**
 * Passages that have no vector of it yet.
 */
passages_to_embed: number, 
/**
 * Seconds that those would take; absent until that can be told.
 */
seconds: number | null, };

/**
 * A stable code per kind of error.
 */
export type ErrorCode = "empty_question" | "question_too_long" | "text_too_long" | "llm_connection" | "llm_refused" | "llm_broken" | "llm_timeout" | "model_not_allowed" | "model_unavailable" | "context" | "token_budget_exceeded" | "port" | "stopped" | "settings";

/**
 * An error as it crosses to the window: branch on the code, show the message.
 */
export type ErrorReport = { 
/**
 * What the window branches on.
 */
code: ErrorCode, 
/**
 * What the message was made of, by name: addresses, models, limits.
 */
values: { [key in string]: string }, 
/**
 * What the user reads.
 */
message: string, };

/**
 * The evaluation view's state.
 */
export type Evaluation = { 
/**
 * The questions that are run; absent where none were chosen and the library does not hold the sample.
 */
golden_set: GoldenSet | null, 
/**
 * Why the chosen file cannot be read; absent where it can.
 */
unreadable: string | null, 
/**
 * Whether the sample library's questions can be run.
 */
sample_available: boolean, 
/**
 * How far the run is; absent where none is going on.
 */
running: EvaluationProgress | null, 
/**
 * The last finished run.
 */
last: EvaluationReport | null, 
/**
 * The run before it, to compare with.
 */
previous: EvaluationReport | null, };

/**
 * A question that was not answered as expected.
 */
export type EvaluationFailure = { 
/**
 * Its id in the golden set.
 */
id: string, 
/**
 * The question.
 */
query: string, 
/**
 * Its category.
 */
category: string, 
/**
 * What was expected, in words.
 */
expected: string, 
/**
 * What came, in words.
 */
got: string, 
/**
 * Whether it passed in the run before.
 */
regression: boolean, };

/**
 * How far a run is.
 */
export type EvaluationProgress = { 
/**
 * Questions asked.
 */
done: number, 
/**
 * Questions in all.
 */
total: number, 
/**
 * Of those asked, how many failed.
 */
failed: number, 
/**
 * The question being asked.
 */
current: string, };

/**
 * A finished run.
 */
export type EvaluationReport = { 
/**
 * When it ended, ISO 8601.
 */
finished_at: string, 
/**
 * How long it took.
 */
seconds: number, 
/**
 * The hash of the golden set that was run.
 */
golden_set_sha256: string, 
/**
 * The model that answered; absent for extracts.
 */
model: string | null, 
/**
 * Over all questions.
 */
overall: GroupScore, 
/**
 * By collection.
 */
by_collection: Array<GroupScore>, 
/**
 * By category.
 */
by_category: Array<GroupScore>, 
/**
 * By half: `fitted`, which may be looked at, `reported`, which is only reported, and `no_document` for questions
 * that belong to neither; runs of earlier versions do not tell.
 */
by_half: Array<GroupScore>, 
/**
 * Refusals, by reason.
 */
abstentions: Array<Tally>, 
/**
 * Half of the answers took no longer, in milliseconds.
 */
latency_p50: number, 
/**
 * 95 % took no longer.
 */
latency_p95: number, 
/**
 * 99 % took no longer.
 */
latency_p99: number, 
/**
 * Questions that were not answered as expected.
 */
failures: Array<EvaluationFailure>, 
/**
 * Ids of questions that failed in the run before and pass now.
 */
mended: Array<string>, };

/**
 * What a right answer holds.
 */
export type ExpectedAnswer = { 
/**
 * `answer`, `fact`, `define`, `list`, `clarify`, `refuse` or `about_itself`.
 */
behaviour: string, 
/**
 * Documents that it must cite or list.
 */
documents: Array<string>, 
/**
 * Documents of which it must cite one.
 */
one_of: Array<string>, 
/**
 * Documents that it may cite as well.
 */
also_fine: Array<string>, 
/**
 * Words that it must have; where one of several is enough they stand in one line.
 */
words: Array<string>, 
/**
 * Words that it must not have.
 */
unwanted: Array<string>, 
/**
 * What whoever wrote the question remarks.
 */
note: string, };

/**
 * One field of one record, read from the catalogue.
 */
export type FactAnswer = { 
/**
 * The record.
 */
document_id: string, 
/**
 * The field, such as `status` or `approvers`.
 */
field: string, 
/**
 * Its values; empty where the record does not give it.
 */
values: Array<string>, };

/**
 * A rating with its reason.
 */
export type Feedback = { 
/**
 * The rating.
 */
verdict: FeedbackRating, 
/**
 * The reason, in the user's words.
 */
comment: string | null, };

/**
 * What a user thinks of an answer.
 */
export type FeedbackRating = "positive" | "negative";

/**
 * How many findings there are of each group.
 */
export type FindingCounts = { 
/**
 * What should be mended.
 */
problems: number, 
/**
 * What was inferred.
 */
guesses: number, 
/**
 * What is worth knowing.
 */
notes: number, };

/**
 * What a finding asks of the user.
 */
export type FindingGroup = "problem" | "guess" | "note";

/**
 * A library that somebody publishes and that is followed here.
 */
export type FollowedLibrary = { 
/**
 * Where it is published.
 */
address: string, 
/**
 * The published generation that is in force.
 */
generation: number, 
/**
 * When that was published, ISO 8601.
 */
published_at: string, 
/**
 * How many of its documents the user may see.
 */
documents: number, 
/**
 * Whether it is read where it lies, and not pulled.
 */
in_place: boolean, 
/**
 * When it was last looked for a newer one, ISO 8601.
 */
looked_at: string | null, 
/**
 * Why that brought none, where something was in the way.
 */
problem: string | null, };

/**
 * Language, privacy and what is allowed at all.
 */
export type GeneralSettings = { 
/**
 * Of window and messages; answers are in the documents' language.
 */
language: Language, 
/**
 * Whether the text of questions stays out of logs and audit records.
 */
privacy: boolean, 
/**
 * Whether a model may answer from its own knowledge, marked as such, where the library holds nothing.
 */
outside_knowledge: boolean, };

/**
 * What came.
 */
export type GivenAnswer = { 
/**
 * What was done; absent where there was no response.
 */
behaviour: string | null, 
/**
 * What was cited or listed.
 */
documents: Array<string>, 
/**
 * What the user reads, or why there was no response.
 */
text: string, };

/**
 * Keys to a store, on their way to the system's keyring.
 */
export type GivenKeys = { 
/**
 * The access key's id, or the storage account's name; empty where the secret is a service account's file.
 */
id: string, 
/**
 * The secret.
 */
secret: string, };

/**
 * The questions that are run.
 */
export type GoldenSet = { 
/**
 * Whose they are.
 */
origin: GoldenSetOrigin, 
/**
 * The file.
 */
path: string, 
/**
 * Its version; empty where it has none.
 */
version: string, 
/**
 * Its hash.
 */
sha256: string, 
/**
 * How many questions it holds.
 */
questions: number, };

/**
 * Whose questions are run.
 */
export type GoldenSetOrigin = "sample" | "own";

/**
 * What the passages must hold of a sentence.
 */
export type GroundingSettings = { 
/**
 * Share of its content words that its cited passages must hold; as much of it, up to 0.6, must stand close together.
 */
min_content_share: number, };

/**
 * How well a group of questions was answered.
 */
export type GroupScore = { 
/**
 * The collection or category; `overall` for all.
 */
name: string, 
/**
 * Questions.
 */
questions: number, 
/**
 * Of these, answered as expected.
 */
passed: number, 
/**
 * Cited documents that were expected, of all cited; absent where nothing is to be cited.
 */
precision: number | null, 
/**
 * Expected documents that were cited.
 */
recall: number | null, 
/**
 * Both in one.
 */
f1: number | null, };

/**
 * Why a command other than a question failed.
 */
export type HostErrorCode = "starting" | "not_found" | "busy" | "invalid_input" | "file" | "keyring" | "unreachable" | "internal";

/**
 * What is searched.
 */
export type IndexFigures = { 
/**
 * Documents.
 */
documents: number, 
/**
 * Passages.
 */
passages: number, 
/**
 * The generation that is searched.
 */
generation: number, 
/**
 * The model that embeds.
 */
embedder: string, 
/**
 * Bytes on disk.
 */
bytes: number, };

/**
 * How far an indexing run is.
 */
export type Indexing = { "phase": "idle" } | { "phase": "reading", 
/**
 * Files read.
 */
done: number, 
/**
 * Files to read.
 */
total: number, } | { "phase": "writing", 
/**
 * Files written.
 */
files: number, 
/**
 * Files to write.
 */
total_files: number, 
/**
 * Passages written.
 */
passages: number, 
/**
 * Passages to write.
 */
total_passages: number, 
/**
 * Passages a second, lately.
 */
rate: number, 
/**
 * Seconds that are left; absent until that can be told.
 */
seconds_left: number | null, } | { "phase": "stopped", 
/**
 * Files that are left.
 */
files_left: number, };

/**
 * The last indexing run.
 */
export type IndexingSummary = { 
/**
 * When it ended, ISO 8601.
 */
finished_at: string, 
/**
 * Files that were new.
 */
added: number, 
/**
 * Files that had changed.
 */
changed: number, 
/**
 * Files that were gone.
 */
removed: number, 
/**
 * Passages that were embedded.
 */
embedded: number, 
/**
 * Passages whose vector could be used again.
 */
reused: number, 
/**
 * How long it took.
 */
seconds: number, };

/**
 * What became of keys that were given.
 */
export type KeysKept = "not_given" | "in_keyring" | "for_this_session";

/**
 * What a document is.
 */
export type Kind = "ADR" | "DAR" | "Principle" | "Policy" | "Vocabulary" | "Document";

/**
 * Which label of the concept the question used.
 */
export type LabelMatch = "preferred" | "alternative" | "hidden" | "notation";

/**
 * A language that questions and documents are analysed in.
 */
export type Language = "en" | "nl";

/**
 * How long something took, in milliseconds.
 */
export type Latency = { 
/**
 * Half took no longer.
 */
p50: number, 
/**
 * 95 % took no longer.
 */
p95: number, 
/**
 * How many were measured.
 */
count: number, };

/**
 * Something about a file that the user may want to know.
 */
export type LibraryFinding = { 
/**
 * What it asks of the user.
 */
group: FindingGroup, 
/**
 * The folder it belongs to, by name.
 */
folder: string, 
/**
 * The file, relative to the folder; empty where it is about no single file.
 */
path: string, 
/**
 * A stable name of the reason.
 */
code: string, 
/**
 * What was found, and what to do.
 */
reason: string, };

/**
 * A folder of documents.
 */
export type LibraryFolder = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it lies.
 */
path: string, 
/**
 * Documents in it.
 */
documents: number, 
/**
 * Whether it is there; the documents of one that is not are kept.
 */
present: boolean, 
/**
 * Whether changes in it are followed.
 */
watched: boolean, 
/**
 * Whether it is the sample library.
 */
sample: boolean, 
/**
 * When it was last compared with the index, ISO 8601.
 */
checked_at: string | null, };

/**
 * What the library consists of.
 */
export type LibraryOverview = { 
/**
 * Its folders.
 */
folders: Array<LibraryFolder>, 
/**
 * Its collections, in the order of lists.
 */
collections: Array<CollectionSize>, 
/**
 * The generation that is searched.
 */
generation: number, 
/**
 * Libraries that are published, as this one follows and makes them.
 */
team: TeamOverview, 
/**
 * How far indexing is.
 */
indexing: Indexing, 
/**
 * The last run.
 */
last_run: IndexingSummary | null, 
/**
 * How much there is to know about its files.
 */
findings: FindingCounts, };

/**
 * What is too long and too old.
 */
export type LimitSettings = { 
/**
 * A longer question is not read.
 */
question_chars: number, 
/**
 * A document without an update for longer carries a notice.
 */
stale_after_months: number, };

/**
 * One document in a list.
 */
export type ListRow = { 
/**
 * The document's id.
 */
id: string, 
/**
 * What it is.
 */
type: Kind, 
/**
 * Its number.
 */
number: number | null, 
/**
 * Its title.
 */
title: string, 
/**
 * Its status, as written.
 */
status: string | null, 
/**
 * Its date.
 */
date: string | null, 
/**
 * Its owner.
 */
owner: string | null, 
/**
 * Where it lies.
 */
path: string, };

/**
 * Look-ups in one vocabulary backend.
 */
export type LookupTally = { 
/**
 * `skosmos` or `embedded`.
 */
backend: string, 
/**
 * Look-ups.
 */
lookups: number, 
/**
 * That found the term.
 */
hits: number, 
/**
 * That did not.
 */
misses: number, 
/**
 * That took too long.
 */
timeouts: number, 
/**
 * That failed.
 */
errors: number, 
/**
 * Answered from the cache, beside the look-ups.
 */
cache_hits: number, };

/**
 * A small model that Plumbline runs by itself, with the `llama-server` program of llama.cpp.
 */
export type ManagedSettings = { 
/**
 * Whether it is used in place of the server above. Nothing is downloaded and nothing runs before this is asked for.
 */
enabled: boolean, 
/**
 * Where `llama-server` is; absent: wherever the system finds programs.
 */
program: string | null, 
/**
 * From where the model is downloaded when that is asked for: a GGUF file.
 */
address: string | null, 
/**
 * The SHA-256 of that file, 64 hexadecimal digits. What is something else is thrown away.
 */
sha256: string | null, 
/**
 * A GGUF file that is here already, in place of a download.
 */
file: string | null, 
/**
 * Memory that it may take; where it takes more it is ended.
 */
memory_mb: number, 
/**
 * Tokens of prompt and reply together.
 */
context: number, 
/**
 * The port of this machine that is tried first; where it is taken, another one is.
 */
port: number, };

/**
 * What a user said of a contradiction. It holds until one of the two passages changes.
 */
export type Mark = "not_a_contradiction" | "known";

/**
 * How well a group of questions was answered, in questions.
 */
export type MarkedGroup = { 
/**
 * The form's number, the language, or `overall`.
 */
name: string, 
/**
 * How many there are.
 */
questions: number, 
/**
 * Answered, refused or asked back as they should be.
 */
behaviour: number, 
/**
 * With the right documents.
 */
documents: number, 
/**
 * With the right words.
 */
content: number, 
/**
 * With all three.
 */
all: number, 
/**
 * The mean share of what is cited that belongs there; absent where nothing is cited.
 */
precision: number | null, 
/**
 * The median length of the answers in characters; absent where nothing was answered.
 */
median_length: number | null, };

/**
 * An entry as the user writes it.
 */
export type MemoryDraft = { 
/**
 * The file of the entry that it replaces; a new one is made where absent.
 */
path: string | null, 
/**
 * What it does.
 */
kind: MemoryKind, 
/**
 * The question, or the note's title.
 */
title: string, 
/**
 * Other wordings.
 */
phrasings: Array<string>, 
/**
 * What it points at.
 */
pointers: Array<MemoryPointer>, 
/**
 * What the curator writes.
 */
text: string, };

/**
 * An entry of curated memory.
 */
export type MemoryEntry = { 
/**
 * Its file, relative to the memory's folder; what it is known by.
 */
path: string, 
/**
 * What it does.
 */
kind: MemoryKind, 
/**
 * The question, or the note's title.
 */
title: string, 
/**
 * What a question is compared with.
 */
phrasings: Array<string>, 
/**
 * What it points at.
 */
pointers: Array<MemoryPointer>, 
/**
 * What the curator wrote.
 */
text: string, 
/**
 * Why it is no longer used; absent while it is.
 */
retired: Retired | null, 
/**
 * The team library that it comes from, where it is not one's own; then it cannot be changed here.
 */
library: string | null, };

/**
 * What an entry of curated memory does.
 */
export type MemoryKind = "pinned" | "note";

/**
 * A document, or a section of it, that an entry points at.
 */
export type MemoryPointer = { 
/**
 * The document's id.
 */
document_id: string, 
/**
 * A heading in it; all of it where absent.
 */
section: string | null, };

/**
 * A file of the folder that is no entry.
 */
export type MemoryProblem = { 
/**
 * Relative to the folder.
 */
path: string, 
/**
 * What is wrong.
 */
reason: string, };

/**
 * How metrics are exported.
 */
export type MetricsFormat = "json" | "prometheus";

/**
 * A point of the metrics panel's curves.
 */
export type MetricsSample = { 
/**
 * When it was taken, ISO 8601.
 */
at: string, 
/**
 * Questions asked by then.
 */
requests: number, 
/**
 * From question to response, the median in milliseconds.
 */
p50: number | null, 
/**
 * The same, of which 95 in a hundred stay below.
 */
p95: number | null, };

/**
 * All that the metrics panel shows, since the workspace began.
 */
export type MetricsSnapshot = { 
/**
 * When it was taken, ISO 8601.
 */
taken_at: string, 
/**
 * Questions asked, by route.
 */
requests: Array<Tally>, 
/**
 * Responses given, by action.
 */
answers: Array<Tally>, 
/**
 * From question to response; absent where none was measured.
 */
latency: Latency | null, 
/**
 * By stage.
 */
stages: Array<StageLatency>, 
/**
 * Questions refused, by reason.
 */
abstentions: Array<Tally>, 
/**
 * Look-ups in the vocabulary.
 */
lookups: Array<LookupTally>, 
/**
 * Circuit breakers.
 */
breakers: Array<BreakerStatus>, 
/**
 * Citations shown, by lane.
 */
citations_kept: Array<Tally>, 
/**
 * Citation markers dropped, by reason.
 */
citations_dropped: Array<Tally>, 
/**
 * Sentences withheld, by label.
 */
withheld: Array<Tally>, 
/**
 * Ratings of users.
 */
feedback: Array<Tally>, 
/**
 * The rates to watch.
 */
rates: WatchedRates, 
/**
 * What is searched.
 */
index: IndexFigures, 
/**
 * The curves of requests and waiting times, the oldest point first, this one included.
 */
samples: Array<MetricsSample>, };

/**
 * What an answer can be wrong in.
 */
export type Mistake = "behaviour" | "documents" | "content";

/**
 * How much of a model may be used.
 */
export type ModelAllowance = { 
/**
 * Tokens of prompt and reply together.
 */
context_window: number, 
/**
 * Tokens of the reply at most.
 */
max_response: number, };

/**
 * A language model.
 */
export type ModelInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is on the allowlist.
 */
allowed: boolean, 
/**
 * Whether the server has it.
 */
pulled: boolean, 
/**
 * Bytes on the server's disk.
 */
bytes: number | null, 
/**
 * Tokens of its context window, by the server's account.
 */
context_window: number | null, };

/**
 * The models, and whether they can be asked.
 */
export type ModelList = { 
/**
 * Whether the server answered.
 */
reachable: boolean, 
/**
 * Whether the server fetches models when it is told to.
 */
pulls: boolean, 
/**
 * Allowed or served models, by name.
 */
models: Array<ModelInfo>, };

/**
 * Language models and how they are asked.
 */
export type ModelSettings = { 
/**
 * What serves the models: "ollama", or "openai" for any server that speaks OpenAI's protocol (llama.cpp's, LM Studio, vLLM, a
 * gateway of the organisation).
 */
server: ServerKind, 
/**
 * Where Ollama is.
 */
ollama_url: string, 
/**
 * Where the server is that speaks OpenAI's protocol, as its own clients are told: with `/v1` where it has that.
 */
openai_url: string, 
/**
 * The model that answers; absent: answers are composed of verbatim sentences, no model takes part.
 */
answer: string | null, 
/**
 * The model that rewrites questions and checks the outline; absent: neither happens.
 */
planner: string | null, 
/**
 * The model that rates how well an answer is supported; absent: the other two signals decide.
 */
judge: string | null, 
/**
 * The server's model that turns texts into vectors, for libraries in other languages; absent: the built-in one, English and
 * Dutch.
 */
embedder: string | null, 
/**
 * What puts passages in order: a folder with a BERT-style cross-encoder (model.safetensors, tokenizer.json, config.json),
 * or the server's model as a judge; absent: the lanes' own order.
 */
reranker: string | null, 
/**
 * What tells whether a passage answers and whether a statement follows from it: a folder with a cross-encoder of four
 * outputs; "off": cosines and words decide alone; absent: the built-in one, English and Dutch.
 */
reader: string | null, 
/**
 * Low, so that answers repeat.
 */
temperature: number, 
/**
 * Fixed, so that answers repeat.
 */
seed: number, 
/**
 * Between two tokens, and in all for planner and judge.
 */
timeout_seconds: number, 
/**
 * How fast a model is taken to read its prompt until that has been measured.
 */
prompt_tokens_per_second: number, 
/**
 * The models that may be used, and how much of each. A file of yours adds to this list; `"name" = false` takes one off.
 */
allow: { [key in string]: ModelAllowance }, };

/**
 * A document that a statement names.
 */
export type NamedDocument = { 
/**
 * As the statement names it.
 */
written: string, 
/**
 * The documents that it can mean: none where there is no such document.
 */
document_ids: Array<string>, };

/**
 * A passage shown beside a refusal: near, but not evidence.
 */
export type NearestPassage = { 
/**
 * `{document_id}:{chunk_index}`.
 */
source_id: SourceId, 
/**
 * The document's title.
 */
document_name: string, 
/**
 * The section, or `N/A`.
 */
section: string, 
/**
 * Its score from retrieval.
 */
relevance_score: number, 
/**
 * Its first 200 characters.
 */
snippet: string, };

/**
 * A remark on the age or standing of a cited document.
 */
export type Notice = { 
/**
 * What it is about.
 */
kind: NoticeKind, 
/**
 * The document.
 */
document_id: string, 
/**
 * The remark, in the user's language.
 */
text: string, };

/**
 * What kind of notice stands beside an answer.
 */
export type NoticeKind = "stale" | "superseded" | "deprecated" | "rejected" | "proposed" | "status_disagreement" | "published";

/**
 * One of two passages that oppose each other.
 */
export type OpposingPassage = { 
/**
 * The id of its document.
 */
document: string, 
/**
 * The document as people write it.
 */
reference: string, 
/**
 * The document's title.
 */
title: string, 
/**
 * Where the document lies, relative to its folder.
 */
path: string, 
/**
 * The heading above it; empty where there is none.
 */
heading: string, 
/**
 * The sentence, as written.
 */
sentence: string, 
/**
 * The line on which it begins, from 1.
 */
line: number, };

/**
 * The model that Plumbline runs by itself.
 */
export type OwnModel = { 
/**
 * Where `llama-server` was found.
 */
program: string | null, 
/**
 * What the model is called, where one is chosen.
 */
model: string | null, 
/**
 * Whether it is known from where it comes and what it must be, and it is not here yet.
 */
downloadable: boolean, 
/**
 * Whether it can be started.
 */
ready: boolean, 
/**
 * Whether it runs.
 */
state: OwnModelState, 
/**
 * Where it answers.
 */
address: string | null, 
/**
 * What is missing, or why it ended.
 */
problem: string | null, };

/**
 * Whether Plumbline's own model runs.
 */
export type OwnModelState = "stopped" | "starting" | "running";

/**
 * A passage of a document.
 */
export type Passage = { 
/**
 * `{document_id}:{chunk_index}`.
 */
source_id: SourceId, 
/**
 * Its headings, outermost first.
 */
section_path: Array<string>, 
/**
 * Its page.
 */
page: number | null, 
/**
 * Where it lies in the source file, in characters.
 */
span: TextSpan, 
/**
 * Its text.
 */
text: string, };

/**
 * A passage between its neighbours.
 */
export type PassageContext = { 
/**
 * The document it stands in.
 */
document: DocumentRow, 
/**
 * The passage before it.
 */
before: Passage | null, 
/**
 * The passage.
 */
passage: Passage, 
/**
 * The passage after it.
 */
after: Passage | null, };

/**
 * How the window looks; kept apart from the engine's settings.
 */
export type Preferences = { 
/**
 * Light or dark.
 */
theme: Theme, 
/**
 * Whether the list of conversations is folded away.
 */
sidebar_folded: boolean, };

/**
 * What decided on a statement of a model.
 */
export type ProofBasis = "words" | "reader" | "rest_of_document";

/**
 * What was last published from here.
 */
export type PublishedLibrary = { 
/**
 * Where.
 */
address: string, 
/**
 * The generation that is in force there.
 */
generation: number, 
/**
 * Whether it was made then; where nothing had changed, none was.
 */
new: boolean, 
/**
 * When, ISO 8601.
 */
published_at: string, 
/**
 * Its documents.
 */
documents: number, 
/**
 * What it is cut into by who may see what.
 */
shelves: number, 
/**
 * Documents that were new or had changed.
 */
added: number, 
/**
 * Documents that were gone or had changed.
 */
removed: number, 
/**
 * Entries of curated memory.
 */
entries: number, 
/**
 * Entries that are not published, because nobody may read all that they point at.
 */
entries_left_out: number, 
/**
 * Files of vocabularies.
 */
vocabularies: number, 
/**
 * Bytes that were sent.
 */
bytes_sent: number, };

/**
 * How far a download is.
 */
export type PullProgress = { 
/**
 * What the server is doing.
 */
status: string, 
/**
 * Bytes that are there.
 */
done: number | null, 
/**
 * Bytes in all.
 */
total: number | null, };

/**
 * A question that was not answered wholly as expected.
 */
export type QuestionFailure = { 
/**
 * Its id in the set.
 */
id: string, 
/**
 * The number of its form.
 */
form: number, 
/**
 * Its language.
 */
language: string, 
/**
 * The conversation before it, turn by turn.
 */
history: Array<string>, 
/**
 * The question.
 */
question: string, 
/**
 * What is wrong with the answer.
 */
mistakes: Array<Mistake>, 
/**
 * What was expected.
 */
expected: ExpectedAnswer, 
/**
 * What came.
 */
given: GivenAnswer, };

/**
 * What the window may say of a question. Whose documents are meant, what the user may see and what was said before is the
 * host's to fill in.
 */
export type QuestionRequest = { 
/**
 * The question, as typed.
 */
query: string, 
/**
 * Ask within these collections only; all where empty.
 */
collections: Array<Collection>, 
/**
 * What the user picked, where the question comes from a picker or a suggestion.
 */
choice: Choice | null, };

/**
 * A record that is yet to be written, as far as the library fills it in. It is never put into the library by itself.
 */
export type RecordDraft = { 
/**
 * What it is about.
 */
topic: string, 
/**
 * The number that it may get, as the library writes its numbers; a suggestion.
 */
reference: string | null, 
/**
 * A name for its file, as the library names its files.
 */
file_name: string, 
/**
 * All of it as Markdown, with a footnote for each passage.
 */
text: string, };

/**
 * Why a question was refused.
 */
export type RefusalReason = "no_results" | "low_confidence" | "terminology_not_found" | "terminology_timeout" | "terminology_error" | "entity_not_found" | "unsupported" | "off_topic";

/**
 * What a record says of another. Read from the first to the second: the first supersedes the second.
 */
export type RelationKind = "supersedes" | "amends" | "depends_on" | "refines" | "conflicts_with" | "implements" | "mentions";

/**
 * A relation that leads nowhere or in a circle.
 */
export type RelationProblem = { 
/**
 * What is wrong.
 */
kind: RelationProblemKind, 
/**
 * The id of the record that says so.
 */
from: string, 
/**
 * Of a broken one the other record as written, else its id.
 */
to: string, 
/**
 * What is said.
 */
relation: RelationKind, 
/**
 * The sentence that says so.
 */
sentence: string, };

/**
 * What is wrong with a relation.
 */
export type RelationProblemKind = "broken" | "circular";

/**
 * The server that passages go to, where that is another machine.
 */
export type RemoteServer = { 
/**
 * Host and port.
 */
host: string, 
/**
 * Whether the connection is encrypted.
 */
encrypted: boolean, 
/**
 * Whether a token is sent along; never over an unencrypted connection.
 */
sends_token: boolean, };

/**
 * Why an entry is no longer used.
 */
export type Retired = { 
/**
 * What it points at and what has changed or gone.
 */
pointer: MemoryPointer, 
/**
 * Why, in the user's language.
 */
reason: string, };

/**
 * How well retrieval worked.
 */
export type RetrievalQuality = { 
/**
 * 0 to 1, after the penalty.
 */
confidence_score: number, 
/**
 * The band it falls in.
 */
confidence_level: ConfidenceLevel, 
/**
 * Whether a fallback is active.
 */
fallback_active: boolean, 
/**
 * Which ones.
 */
fallback_reasons: Array<string>, 
/**
 * Whether confidence was reduced for it.
 */
degraded: boolean, };

/**
 * Lanes, fusion, filters, and what confidence decides.
 */
export type RetrievalSettings = { 
/**
 * Passages under it are noise.
 */
min_similarity: number, 
/**
 * The same where a reranker decides the order: it rescues passages that cosine ranks low.
 */
rerank_floor: number, 
/**
 * At most this many passages of one document.
 */
max_chunks_per_doc: number, 
/**
 * At most this many passages in all that an answer may rest on.
 */
total_chunks: number, 
/**
 * Times as many candidates are fetched as are used.
 */
over_fetch: number, 
/**
 * Passages more alike than this are duplicates.
 */
overlap_threshold: number, 
/**
 * Candidates that a reranker reads.
 */
rerank_pool: number, 
/**
 * Candidates that it keeps.
 */
rerank_keep: number, 
/**
 * Added to the reranker's score of a kind that the question names.
 */
kind_boost_rerank: number, 
/**
 * The factor for such a kind where there is no reranker.
 */
kind_boost_fused: number, 
/**
 * How far the question's words lift a passage that holds all of them: this part of the way from the best cosine to 1;
 * half the question, a quarter of that. 0: the cosine alone decides.
 */
lexical_weight: number, 
/**
 * A lane that takes longer is left out, and the answer says so.
 */
lane_deadline_ms: number, 
/**
 * The same for a reranker, and for reading passages sentence by sentence.
 */
rerank_deadline_ms: number, 
/**
 * Under it the evidence and its owner are shown instead of an answer.
 */
confidence_threshold: number, 
/**
 * At or under it the question is refused.
 */
abstain_at: number, 
/**
 * The factor on confidence while something is degraded.
 */
fallback_penalty: number, };

/**
 * Whom to ask, and why.
 */
export type RouteTarget = { 
/**
 * The topic, or `system` where the admin is asked.
 */
tag: string, 
/**
 * The owner's id.
 */
owner_user_id: string | null, 
/**
 * The owner's name, or the admin's.
 */
owner_name: string | null, 
/**
 * The owner's address, or the admin's.
 */
owner_email: string | null, 
/**
 * Why, in the user's language.
 */
reason: string, 
/**
 * Whether nobody owns the topic and the admin is asked instead.
 */
fallback: boolean, };

/**
 * What serves the models.
 */
export type ServerKind = "ollama" | "openai";

/**
 * A setting to write into the settings file.
 */
export type SettingChange = { 
/**
 * `section.key`.
 */
key: string, 
/**
 * Its value as one would write it; back to the default where absent.
 */
value: string | null, };

/**
 * Where a setting was given.
 */
export type SettingOrigin = "file" | "environment" | "flag";

/**
 * All settings.
 */
export type Settings = { 
/**
 * Language, privacy and what is allowed at all.
 */
general: GeneralSettings, 
/**
 * Language models and how they are asked.
 */
models: ModelSettings, 
/**
 * A small model that Plumbline runs by itself, with the `llama-server` program of llama.cpp.
 */
managed: ManagedSettings, 
/**
 * How a model's context window is shared out, in tokens.
 */
budget: BudgetSettings, 
/**
 * Lanes, fusion, filters, and what confidence decides.
 */
retrieval: RetrievalSettings, 
/**
 * What the passages must hold of a sentence.
 */
grounding: GroundingSettings, 
/**
 * When curated memory is taken.
 */
curated: CuratedSettings, 
/**
 * The vocabulary of record.
 */
vocabulary: VocabularySettings, 
/**
 * Libraries that a team publishes.
 */
team: TeamSettings, 
/**
 * When a service is left alone.
 */
breaker: BreakerSettings, 
/**
 * What is too long and too old.
 */
limits: LimitSettings, };

/**
 * The settings in force.
 */
export type SettingsReport = { 
/**
 * Their values.
 */
settings: Settings, 
/**
 * What they would be if nothing were given.
 */
defaults: Settings, 
/**
 * Where each `section.key` that is not a default was given.
 */
origins: { [key in string]: SettingOrigin }, };

/**
 * One chunk of one document: `{document_id}:{chunk_index}`.
 */
export type SourceId = string;

/**
 * A step of the journey.
 */
export type Stage = "intent" | "vocabulary" | "catalogue" | "embedding" | "curated" | "dense" | "lexical" | "address" | "rewrites" | "rerank" | "filters" | "gates" | "planner" | "budget" | "generation" | "grounding" | "judge" | "confidence" | "audit";

/**
 * The latency of one stage.
 */
export type StageLatency = { 
/**
 * The stage.
 */
stage: string, 
/**
 * How long it took.
 */
latency: Latency, };

/**
 * What one stage did.
 */
export type StageReport = { 
/**
 * The stage.
 */
stage: Stage, 
/**
 * How long it took, in milliseconds.
 */
ms: number, } & ({ "outcome": "ok" } | { "outcome": "skipped", "reason": string } | { "outcome": "failed", "reason": string });

/**
 * Whether a record is in force.
 */
export type Standing = "in_force" | "proposed" | "superseded" | "deprecated" | "rejected" | "unknown";

/**
 * How far the engine's start is.
 */
export type Startup = { "phase": "starting", 
/**
 * What is being done, in the user's language.
 */
step: string, 
/**
 * Steps done.
 */
done: number, 
/**
 * Steps in all.
 */
total: number, } | { "phase": "ready" } | { "phase": "failed", 
/**
 * Why, and what to do.
 */
message: string, };

/**
 * How a statement of a model was judged.
 */
export type StatementProof = { 
/**
 * The statement, without citations; what is withheld stands with its label among those that were.
 */
text: string | null, 
/**
 * Whether it is part of the answer.
 */
kept: boolean, 
/**
 * What decided.
 */
basis: ProofBasis, 
/**
 * The passage that the reader is surest of, by its source id.
 */
passage: string | null, 
/**
 * How sure the reader is that it follows from that passage, 0 to 1.
 */
follows: number | null, 
/**
 * How sure the reader is that one of the passages says otherwise, 0 to 1.
 */
contradicted: number | null, };

/**
 * What the library says to a statement.
 */
export type StatementVerdict = "supported" | "supported_elsewhere" | "contradicted" | "not_supported";

/**
 * A way on that one click takes.
 */
export type Suggestion = { 
/**
 * What the button says.
 */
label: string, 
/**
 * The question that it asks.
 */
query: string, 
/**
 * The choice that goes with the question.
 */
choice: Choice | null, };

/**
 * How often something happened, by its label.
 */
export type Tally = { 
/**
 * The label.
 */
label: string, 
/**
 * How often.
 */
count: number, };

/**
 * What goes on between this library and a published one.
 */
export type TeamActivity = { 
/**
 * Where that is.
 */
address: string, 
/**
 * How far it is.
 */
step: TeamStep, };

/**
 * Published libraries, as this one follows and makes them.
 */
export type TeamOverview = { 
/**
 * Those that are followed.
 */
followed: Array<FollowedLibrary>, 
/**
 * What was last published from here.
 */
published: PublishedLibrary | null, 
/**
 * What goes on at the moment.
 */
activity: TeamActivity | null, };

/**
 * Libraries that a team publishes.
 */
export type TeamSettings = { 
/**
 * How often it is looked for a newer generation of those that are followed, in seconds. 0: only when it is asked for.
 */
follow_seconds: number, };

/**
 * How far following or publishing is.
 */
export type TeamStep = { "phase": "looking" } | { "phase": "pulling", 
/**
 * So many have.
 */
done: number, 
/**
 * So many will.
 */
total: number, } | { "phase": "taking_in" } | { "phase": "publishing", 
/**
 * So many are there.
 */
done: number, 
/**
 * So many will be.
 */
total: number, };

/**
 * Where a text lies in its source file, in characters.
 */
export type TextSpan = { 
/**
 * First character.
 */
start: number, 
/**
 * One past the last character.
 */
end: number, };

/**
 * Light or dark.
 */
export type Theme = "system" | "light" | "dark";

/**
 * A threshold to write.
 */
export type ThresholdChange = { 
/**
 * The collection and scorer.
 */
name: string, 
/**
 * The threshold, such as `single_hit`.
 */
field: string, 
/**
 * Its value; back to the built-in one where absent.
 */
value: number | null, };

/**
 * The thresholds of one collection and scorer.
 */
export type ThresholdRow = { 
/**
 * The collection and scorer, such as `ADR_Local`.
 */
name: string, 
/**
 * In force.
 */
values: CollectionThresholds, 
/**
 * Built in.
 */
defaults: CollectionThresholds, 
/**
 * What calibration on the golden set proposes; absent where it has not run.
 */
calibrated: CollectionThresholds | null, 
/**
 * Whether the library uses them now.
 */
in_use: boolean, };

/**
 * Where the token for a remote model server is kept.
 */
export type TokenPlace = "none" | "keyring" | "session";

/**
 * What is known of the token; never the token itself.
 */
export type TokenStatus = { 
/**
 * Where it is kept.
 */
place: TokenPlace, 
/**
 * Why there is no keyring, where that is so.
 */
keyring_problem: string | null, };

/**
 * What the user is told about the answer's quality.
 */
export type TransparencyStatement = { 
/**
 * The statement.
 */
statement: string | null, 
/**
 * Whether to show it.
 */
show_to_user: boolean, };

/**
 * One question of a conversation, and what became of it.
 */
export type Turn = { 
/**
 * Its id; the request's id.
 */
id: string, 
/**
 * When it was asked, ISO 8601.
 */
asked_at: string, 
/**
 * The question, as typed.
 */
question: string, 
/**
 * What the user picked with it.
 */
choice: Choice | null, 
/**
 * The collections asked within; all where empty.
 */
collections: Array<Collection>, 
/**
 * What the user thinks of it.
 */
feedback: Feedback | null, 
/**
 * Cited documents that have changed since.
 */
changed_sources: Array<ChangedSource>, } & ({ "outcome": "answered", 
/**
 * The response.
 */
response: AskResponse, } | { "outcome": "stopped", 
/**
 * What had been shown.
 */
text: string, } | { "outcome": "failed", 
/**
 * Why.
 */
error: ErrorReport, } | { "outcome": "interrupted" });

/**
 * How many statements got which verdict.
 */
export type VerdictCounts = { 
/**
 * Borne out.
 */
supported: number, 
/**
 * Borne out by another document than they name.
 */
supported_elsewhere: number, 
/**
 * Contradicted.
 */
contradicted: number, 
/**
 * Not borne out.
 */
not_supported: number, };

/**
 * A vocabulary of record.
 */
export type VocabularyInfo = { 
/**
 * Its id: the scheme's URI, or SKOSMOS's name for it.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What it is about, by its own account.
 */
description: string | null, 
/**
 * `SKOSMOS`, or the file's name.
 */
source: string, 
/**
 * Its version, as written.
 */
version: string | null, 
/**
 * How many concepts it has; absent where the server does not tell.
 */
concepts: number | null, 
/**
 * What is wrong with it, a line each.
 */
defects: Array<string>, };

/**
 * The vocabulary of record.
 */
export type VocabularySettings = { 
/**
 * For a look-up in all.
 */
timeout_ms: number, 
/**
 * How long a look-up is remembered.
 */
cache_ttl_seconds: number, 
/**
 * How many are.
 */
cache_max_size: number, 
/**
 * Where SKOSMOS is; absent: the vocabulary files of the library are used.
 */
skosmos_url: string | null, 
/**
 * The ids of its vocabularies to ask, in order of authority, separated by commas; absent: all that the server has, which is
 * slow.
 */
skosmos_vocabularies: string | null, };

/**
 * The rates to watch, 0 to 1; absent where nothing has been counted yet.
 */
export type WatchedRates = { 
/**
 * Questions refused for lack of context, of all questions.
 */
no_context: number | null, 
/**
 * Fact look-ups that found their fact.
 */
fact_lookups_ok: number | null, 
/**
 * Answers with citations, of all answers.
 */
answers_with_sources: number | null, 
/**
 * Mean confidence of the chosen intent.
 */
mean_routing_confidence: number | null, 
/**
 * Positive ratings, of all ratings.
 */
feedback_positive: number | null, };

/**
 * A sentence that the model wrote and the user does not get to see as an answer.
 */
export type Withheld = { 
/**
 * Why.
 */
label: WithheldLabel, 
/**
 * The sentence, for whoever wants to look into it.
 */
text: string, 
/**
 * What in it could not be found, where one thing can be named.
 */
detail: string | null, };

/**
 * Why a sentence was withheld.
 */
export type WithheldLabel = "fabricated" | "misattributed" | "contradicted" | "unsupported";
