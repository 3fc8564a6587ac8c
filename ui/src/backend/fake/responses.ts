import type {
  AskResponse,
  Citation,
  DocumentView,
  NearestPassage,
  Passage,
  Stage,
  StageReport,
} from "../generated/types";

export function report(stage: Stage, ms: number): StageReport {
  return { stage, ms, outcome: "ok" };
}

/** A response in which nothing is set yet. */
export function blankResponse(requestId: string): AskResponse {
  return {
    request_id: requestId,
    answer: "",
    action: "CITE",
    source: "library",
    refused: false,
    refusal_reason: null,
    citations: [],
    definition: null,
    rows: [],
    draft: null,
    fact: null,
    confidence: null,
    retrieval_quality: {
      confidence_score: 0.9,
      confidence_level: "high",
      fallback_active: false,
      fallback_reasons: [],
      degraded: false,
    },
    fallback_mode: false,
    transparency: { statement: null, show_to_user: false },
    warnings: [],
    notices: [],
    withheld: [],
    proofs: [],
    suggestions: [],
    nearest: [],
    clarification: null,
    route_to: null,
    stages: [],
    model_used: null,
    context_chunks_used: 0,
    context_tokens_used: 0,
    generation_time_ms: 0,
    grounded: true,
  };
}

export function nearestOf(document: DocumentView, passage: Passage, score: number): NearestPassage {
  return {
    source_id: passage.source_id,
    document_name: document.row.title,
    section: passage.section_path.at(-1) ?? "N/A",
    relevance_score: score,
    snippet: passage.text.slice(0, 200),
  };
}

export function citationOf(number: number, document: DocumentView, passage: Passage): Citation {
  const { row } = document;
  return {
    number,
    source_id: passage.source_id,
    document_id: row.id,
    document_name: row.title,
    doc_type: row.kind,
    chunk_index: Number(passage.source_id.split(":")[1]),
    page_number: passage.page === null ? "N/A" : String(passage.page),
    section: passage.section_path.at(-1) ?? "N/A",
    relevance_score: 0.71,
    snippet: passage.text.length > 200 ? `${passage.text.slice(0, 200)}...` : passage.text,
    snippet_full: passage.text,
    span: passage.span,
    path: row.path,
    version: document.version,
    status: row.status,
    standing: row.standing,
    date: row.date,
    source: "library",
  };
}
