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
 * One question.
 */
export type AskRequest = { 
/**
 * The question, as typed.
 */
query: string, 
/**
 * The user's access tags.
 */
user_tags: Array<string>, 
/**
 * The tenant whose documents are asked; `default` where empty.
 */
tenant_id: string, 
/**
 * The conversation so far, oldest first.
 */
chat_history: Array<ChatMessage>, 
/**
 * A model other than the configured one; it must be on the allowlist.
 */
model: string | null, 
/**
 * At most this many passages go to the model; the configured number where absent.
 */
max_context_chunks: number | null, 
/**
 * Ask within these collections only; all where empty.
 */
collections: Array<Collection>, 
/**
 * What the user picked, where the question comes from a picker or a suggestion.
 */
choice: Choice | null, };

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
 * How a model's context window is shared out.
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
 * One message of the conversation so far.
 */
export type ChatMessage = { 
/**
 * Who said it.
 */
role: Role, 
/**
 * What was said.
 */
content: string, };

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
term: string, } | { "kind": "search_documents" } | { "kind": "document", 
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
 * The judge model's verdict, 0 to 100; absent without one, and then the other two are renormalised.
 */
llm_score: number | null, 
/**
 * 0 to 100 after the penalty: what the action was decided on.
 */
adjusted: number, };

/**
 * When curated memory is taken.
 */
export type CuratedSettings = { 
/**
 * A pinned question as near as this is taken.
 */
pinned_accept: number, 
/**
 * From here a reranker is asked.
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
 * A stable code per kind of error.
 */
export type ErrorCode = "empty_question" | "question_too_long" | "llm_connection" | "llm_timeout" | "model_not_allowed" | "model_unavailable" | "context" | "token_budget_exceeded" | "port" | "stopped" | "settings";

/**
 * An error as it crosses to the window: branch on the code, show the message.
 */
export type ErrorReport = { 
/**
 * What the window branches on.
 */
code: ErrorCode, 
/**
 * What the user reads.
 */
message: string, };

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
 * Language, privacy and what is allowed at all.
 */
export type GeneralSettings = { 
/**
 * Of window and messages.
 */
language: Language, 
/**
 * Whether the text of questions stays out of logs and audit records.
 */
privacy: boolean, 
/**
 * Whether a model may answer from its own knowledge where the library holds nothing.
 */
outside_knowledge: boolean, };

/**
 * What the passages must hold of a sentence.
 */
export type GroundingSettings = { 
/**
 * Share of its content words.
 */
min_content_share: number, };

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
 * Language models and how they are asked.
 */
export type ModelSettings = { 
/**
 * Where Ollama is.
 */
ollama_url: string, 
/**
 * The model that answers; without one, answers are extracts.
 */
answer: string | null, 
/**
 * The model that rewrites questions and checks the outline.
 */
planner: string | null, 
/**
 * The model that rates how well an answer is supported.
 */
judge: string | null, 
/**
 * Ollama's model that turns texts into vectors; without one, the built-in embedder does.
 */
embedder: string | null, 
/**
 * What puts passages in order: a folder with a cross-encoder, or Ollama's model that rates them.
 */
reranker: string | null, 
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
 * The models that may be used.
 */
allow: { [key in string]: ModelAllowance }, };

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
export type NoticeKind = "stale" | "superseded" | "deprecated" | "rejected" | "proposed" | "status_disagreement";

/**
 * Why a question was refused.
 */
export type RefusalReason = "no_results" | "low_confidence" | "terminology_not_found" | "terminology_timeout" | "terminology_error" | "entity_not_found" | "unsupported" | "off_topic";

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
 * The same where a reranker decides the order.
 */
rerank_floor: number, 
/**
 * At most this many passages of one document.
 */
max_chunks_per_doc: number, 
/**
 * At most this many passages in all.
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
 * How far the question's words lift a passage that holds all of them, from the best cosine towards 1.
 */
lexical_weight: number, 
/**
 * A lane that takes longer is left out.
 */
lane_deadline_ms: number, 
/**
 * A reranker that takes longer is left out.
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
 * Who said something.
 */
export type Role = "user" | "assistant" | "system";

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
 * All settings.
 */
export type Settings = { 
/**
 * Language, privacy and what is allowed at all.
 */
general: GeneralSettings, 
/**
 * Language models.
 */
models: ModelSettings, 
/**
 * The context window.
 */
budget: BudgetSettings, 
/**
 * Lanes, filters, confidence.
 */
retrieval: RetrievalSettings, 
/**
 * What passages must hold of a sentence.
 */
grounding: GroundingSettings, 
/**
 * Curated memory.
 */
curated: CuratedSettings, 
/**
 * The vocabulary of record.
 */
vocabulary: VocabularySettings, 
/**
 * Circuit breakers.
 */
breaker: BreakerSettings, 
/**
 * Limits.
 */
limits: LimitSettings, };

/**
 * One chunk of one document: `{document_id}:{chunk_index}`.
 */
export type SourceId = string;

/**
 * A step of the journey.
 */
export type Stage = "intent" | "vocabulary" | "catalogue" | "embedding" | "curated" | "dense" | "lexical" | "address" | "rewrites" | "rerank" | "filters" | "gates" | "planner" | "budget" | "generation" | "grounding" | "judge" | "confidence" | "audit";

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
 * Where SKOSMOS is; without it the library's vocabulary files are used.
 */
skosmos_url: string | null, 
/**
 * The ids of its vocabularies to ask, in order of authority, separated by commas; all of them, slowly, where absent.
 */
skosmos_vocabularies: string | null, };

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
export type WithheldLabel = "fabricated" | "misattributed" | "unsupported";
