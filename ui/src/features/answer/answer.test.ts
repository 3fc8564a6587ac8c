// @vitest-environment jsdom

import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { AnswerEvent, AskResponse, Citation } from "../../backend/generated/types";
import { Answer } from "./answer.svelte";
import Remarks from "./Remarks.svelte";

const citation: Citation = {
  number: 1,
  source_id: "adr-0021:2",
  document_id: "adr-0021",
  document_name: "Require TLS 1.3 for transport encryption",
  doc_type: "ADR",
  chunk_index: 2,
  page_number: "N/A",
  section: "Decision Outcome",
  relevance_score: 0.71,
  snippet: "All connections use TLS 1.3.",
  snippet_full: "All connections use TLS 1.3.",
  span: { start: 120, end: 148 },
  path: "adr/0021.md",
  version: "1.1",
  status: "accepted",
  standing: "in_force",
  date: "2024-01-23",
  source: "library",
};

const response: AskResponse = {
  request_id: "req-1",
  answer: "All connections use TLS 1.3 [1].",
  action: "CITE",
  source: "library",
  refused: false,
  refusal_reason: null,
  citations: [citation],
  definition: null,
  draft: null,
  rows: [],
  fact: null,
  confidence: null,
  retrieval_quality: {
    confidence_score: 0.8,
    confidence_level: "medium",
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
  context_chunks_used: 1,
  context_tokens_used: 0,
  generation_time_ms: 12,
  grounded: true,
};

function answerOf(events: AnswerEvent[]): Answer {
  const answer = new Answer();
  for (const event of events) answer.apply(event);
  return answer;
}

const begun: AnswerEvent[] = [
  { event: "accepted", request_id: "req-1" },
  { event: "stage", stage: "generation", report: null },
  { event: "citation", ...citation },
  { event: "delta", text: "All connections use TLS 1.3 [1]." },
];

describe("an answer on its way", () => {
  it("grows by whole units and knows what is running", () => {
    const answer = answerOf([...begun, { event: "delta", text: " Keys rotate [1]." }]);
    expect(answer.text).toBe("All connections use TLS 1.3 [1]. Keys rotate [1].");
    expect(answer.running).toBe("generation");
    expect(answer.status).toBe("writing");
    expect(answer.citations.map((shown) => shown.source_id)).toEqual(["adr-0021:2"]);
  });

  it("takes back text and citations together when what was shown did not hold", () => {
    const answer = answerOf([...begun, { event: "replaced", text: "I am not sure enough." }]);
    expect(answer.text).toBe("I am not sure enough.");
    expect(answer.citations).toEqual([]);
  });

  it("ends with the response, whatever was streamed before", () => {
    const answer = answerOf([...begun, { event: "done", ...response }]);
    expect(answer.status).toBe("done");
    expect(answer.text).toBe(response.answer);
    expect(answer.running).toBeNull();
    expect(answer.response?.action).toBe("CITE");
  });

  it("keeps what was shown when the user stops it, and ignores what comes late", () => {
    const answer = answerOf([...begun, { event: "stopped" }, { event: "delta", text: " late" }]);
    expect(answer.status).toBe("stopped");
    expect(answer.text).toBe("All connections use TLS 1.3 [1].");
  });

  it("branches on the error's code, not on its text", () => {
    const answer = answerOf([
      { event: "accepted", request_id: "req-2" },
      {
        event: "failed",
        code: "model_not_allowed",
        values: {},
        message: "model `x` is not on the allowlist",
      },
    ]);
    expect(answer.status).toBe("failed");
    expect(answer.error?.code).toBe("model_not_allowed");
  });

  it("tells in four words where it is", () => {
    const answer = new Answer();
    expect(answer.step).toBe("searching");
    answer.apply({ event: "stage", stage: "gates", report: null });
    expect(answer.step).toBe("reading");
    answer.apply({ event: "stage", stage: "gates", report: { stage: "gates", ms: 1, outcome: "ok" } });
    expect(answer.step, "between two stages it stays where it was").toBe("reading");
    answer.apply({ event: "stage", stage: "generation", report: null });
    expect(answer.step).toBe("writing");
    answer.apply({ event: "done", ...response });
    expect(answer.step).toBeNull();
  });

  it("comes back from the history as it ended", () => {
    const turn = {
      id: "req-1",
      asked_at: "2026-06-30T08:00:00Z",
      question: "Which TLS version?",
      choice: null,
      collections: [],
      feedback: null,
      changed_sources: [],
    };
    expect(Answer.kept({ ...turn, outcome: "answered", response }).text).toBe(response.answer);
    expect(Answer.kept({ ...turn, outcome: "stopped", text: "All" })).toMatchObject({
      status: "stopped",
      text: "All",
    });
    expect(Answer.kept({ ...turn, outcome: "interrupted" }).status).toBe("interrupted");
    const error = { code: "llm_timeout" as const, values: {}, message: "too slow" };
    expect(Answer.kept({ ...turn, outcome: "failed", error }).error).toEqual(error);
  });
});

describe("what is remarked of an answer", () => {
  it("is said once, though the statement holds it too", () => {
    const text = "ADR-0003 is only proposed: it has not been decided yet.";
    render(Remarks, {
      response: {
        ...response,
        notices: [{ kind: "proposed", document_id: "adr-0003", text }],
        transparency: { statement: `No language model took part. ${text}`, show_to_user: true },
      },
    });
    expect(screen.getAllByText(/only proposed/)).toHaveLength(1);
    expect(screen.getByText("No language model took part.")).toBeInTheDocument();
  });
});
