import type { Evaluation, EvaluationReport, GoldenSet, GroupScore } from "../generated/types";

export const SAMPLE_SET: GoldenSet = {
  origin: "sample",
  path: "/usr/share/plumbline/evaluation/golden_queries.jsonl",
  version: "1.4",
  sha256: "9f2c…",
  questions: 118,
};

/** The runs that are known, apart from which set is in force. */
export type Runs = Pick<Evaluation, "running" | "last" | "previous">;

function group(
  name: string,
  questions: number,
  passed: number,
  precision: number | null,
  recall: number | null,
): GroupScore {
  const f1 = precision !== null && recall !== null ? (2 * precision * recall) / (precision + recall) : null;
  return { name, questions, passed, precision, recall, f1 };
}

/** A run in which this many questions passed. */
export function evaluationReport(
  finishedAt: string,
  passed: number,
  sha256 = SAMPLE_SET.sha256,
): EvaluationReport {
  return {
    finished_at: finishedAt,
    seconds: 74,
    golden_set_sha256: sha256,
    model: null,
    overall: group("overall", 118, passed, 0.91, 0.93),
    by_collection: [
      group("ADR", 46, passed - 68, 0.92, 0.94),
      group("Principle", 24, 23, 0.9, 0.95),
      group("Policy", 18, 17, 0.89, 0.9),
      group("Vocabulary", 30, 28, 1, 0.97),
    ],
    by_category: [
      group("terminology_hit", 20, 20, 1, 1),
      group("terminology_miss", 10, 9, null, null),
      group("adr_retrieval", 30, passed - 82, 0.92, 0.94),
      group("fact_lookup", 12, 12, 1, 1),
      group("follow_up", 8, 6, 0.8, 0.83),
    ],
    by_half: [
      group("fitted", 43, passed - 70, 0.92, 0.94),
      group("reported", 48, 43, 0.9, 0.92),
      group("no_document", 27, 27, null, null),
    ],
    abstentions: [
      { label: "terminology_not_found", count: 10 },
      { label: "off_topic", count: 6 },
      { label: "low_confidence", count: 4 },
    ],
    latency_p50: 38,
    latency_p95: 112,
    latency_p99: 240,
    failures: [
      {
        id: "GS-047",
        query: "Which exceptions to TLS 1.3 exist and until when?",
        category: "adr_retrieval",
        expected: "cites adr-0021",
        got: "cites adr-0007",
        regression: true,
      },
      {
        id: "GS-101",
        query: "And what are its consequences?",
        category: "follow_up",
        expected: "cites adr-0018",
        got: "refused: low_confidence",
        regression: false,
      },
    ],
    mended: ["GS-062"],
  };
}

export function seededRuns(): Runs {
  return {
    running: null,
    last: evaluationReport("2026-06-29T15:20:00Z", 110),
    previous: evaluationReport("2026-06-21T09:05:00Z", 111),
  };
}
