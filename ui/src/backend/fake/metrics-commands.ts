import type { AskResponse, MetricsSnapshot, Tally } from "../generated/types";
import type { Handlers } from "./handlers";
import type { World } from "./world";

type Names = "metrics" | "export_metrics";

export function metricsCommands(world: World): Pick<Handlers, Names> {
  return {
    metrics: () => snapshot(world),
    export_metrics: ({ format }) => `/home/you/Documents/metrics.${format === "json" ? "json" : "prom"}`,
  };
}

function snapshot(world: World): MetricsSnapshot {
  const turns = world.conversations.flatMap((conversation) => conversation.history);
  const responses = turns.flatMap((turn) => (turn.outcome === "answered" ? [turn.response] : []));
  const verdicts = turns.flatMap((turn) => (turn.feedback ? [turn.feedback.verdict] : []));
  const times = responses.map((response) => response.generation_time_ms).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const defined = responses.filter(
    (response) => response.definition || response.refusal_reason === "terminology_not_found",
  );
  const latency = times.length > 0 ? { p50: at(0.5), p95: at(0.95), count: times.length } : null;
  const taken = {
    at: world.timestamp(),
    requests: turns.length,
    p50: latency?.p50 ?? null,
    p95: latency?.p95 ?? null,
  };
  if (world.samples.at(-1)?.requests !== taken.requests) world.samples.push(taken);
  return {
    taken_at: taken.at,
    samples: [...world.samples],
    requests: tally(turns.map((turn) => (turn.collections.length === 1 ? "direct" : "tree"))),
    answers: tally(responses.map((response) => response.action)),
    latency,
    stages: stages(responses),
    abstentions: tally(responses.flatMap((response) => response.refusal_reason ?? [])),
    lookups: [
      {
        backend: "embedded",
        lookups: defined.length,
        hits: defined.filter((response) => response.definition).length,
        misses: defined.filter((response) => !response.definition).length,
        timeouts: 0,
        errors: 0,
        cache_hits: 0,
      },
    ],
    breakers: ["embeddings", "generation", "vocabulary", "reranker"].map((service) => {
      const off = world.banner.find((item) => item.service === service);
      return {
        service,
        state: off?.state ?? "closed",
        trips: off ? 1 : 0,
        retry_in_seconds: off?.retry_in_seconds ?? 0,
      };
    }),
    citations_kept: tally(responses.flatMap((response) => response.citations.map(() => "dense"))),
    citations_dropped: [],
    withheld: tally(responses.flatMap((response) => response.withheld.map((sentence) => sentence.label))),
    feedback: tally(verdicts),
    rates: rates(responses, verdicts),
    index: {
      documents: world.documents.length,
      passages: world.passages(),
      generation: world.generation,
      embedder: "embed-en-nl",
      bytes: 4_300_000,
    },
  };
}

function rates(responses: AskResponse[], verdicts: string[]): MetricsSnapshot["rates"] {
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);
  const lacking = responses.filter(
    (one) => one.refusal_reason === "no_results" || one.refusal_reason === "low_confidence",
  );
  const facts = responses.filter((one) => one.fact !== null || one.rows.length > 0);
  const answered = responses.filter((one) => one.action === "CITE" || one.action === "OUTSIDE");
  return {
    no_context: share(lacking.length, responses.length),
    fact_lookups_ok: share(facts.length, facts.length),
    answers_with_sources: share(answered.filter((one) => one.action === "CITE").length, answered.length),
    mean_routing_confidence: responses.length > 0 ? 0.93 : null,
    feedback_positive: share(verdicts.filter((one) => one === "positive").length, verdicts.length),
  };
}

function stages(responses: AskResponse[]): MetricsSnapshot["stages"] {
  const reports = responses.flatMap((response) => response.stages);
  return [...new Set(reports.map((report) => report.stage))].map((stage) => {
    const times = reports.filter((report) => report.stage === stage).map((report) => report.ms);
    const most = Math.max(...times);
    return { stage, latency: { p50: most, p95: most, count: times.length } };
  });
}

function tally(labels: string[]): Tally[] {
  return [...new Set(labels)].map((label) => ({
    label,
    count: labels.filter((other) => other === label).length,
  }));
}
