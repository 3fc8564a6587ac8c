import type {
  AskResponse,
  Citation,
  ConfidenceLevel,
  Definition,
  DocumentView,
  ErrorReport,
  ListRow,
  Notice,
  Passage,
  QuestionRequest,
  RefusalReason,
  Suggestion,
  Withheld,
} from "../generated/types";
import { hostileAnswer } from "./hostile";
import { blankResponse, citationOf, nearestOf } from "./responses";
import { sampleConcepts } from "./sample-concepts";
import type { World } from "./world";

/** What will be said to a question, and in what order. */
export interface Script {
  /** Whole units, as they stream. */
  units: string[];
  withheld: Withheld[];
  /** Stands instead of the units, where they were taken back. */
  replaced?: string;
  error?: ErrorReport;
  response: AskResponse;
}

/** Answers as the engine would, over the few documents there are. */
export function scriptFor(world: World, requestId: string, request: QuestionRequest): Script {
  const question = request.query.toLowerCase();
  const blank = blankResponse(requestId);
  if (request.choice?.kind === "concept") {
    const { uri } = request.choice;
    const concept = sampleConcepts().find((one) => one.uri === uri);
    if (concept) return definition(blank, concept, concept.preferred_label);
  }
  if (request.choice?.kind === "define") return terminology(blank, request.choice.term);
  if (request.choice?.kind === "document") return extracts(world, blank, request.query, request.choice.id);
  if (request.choice?.kind === "search_documents") return extracts(world, blank, request.query);

  if (/\bfails?\b/.test(question)) return failing(blank);
  if (/hostile/.test(question)) return plainAnswer(blank, hostileAnswer(question));
  if (/^(list|show all|which adrs|toon alle)/.test(question)) return list(world, blank, question);
  const fact = /who approved adr[-. ]?0*(\d+)/.exec(question);
  if (fact) return approvers(world, blank, Number(fact[1]));
  const reference = /\badr[-. ]?0*(\d+)\b/.exec(question);
  if (reference) return byReference(world, blank, request.query, Number(reference[1]));
  const term = /^(?:what is (?:an? )?|define |wat is (?:een )?)([\w -]+?)\??$/.exec(question);
  if (term?.[1]) return terminology(blank, term[1].trim());
  if (/retention|smart meter|how long/.test(question)) return route(world, blank);
  if (/kubernetes/.test(question)) return replaced(world, blank);
  if (/tls/.test(question)) return tls(world, blank);
  return extracts(world, blank, request.query);
}

function find(
  world: World,
  id: string,
): { document: DocumentView; passage: (index: number) => Passage } | null {
  const document = world.documents.find((one) => one.row.id === id);
  return document ? { document, passage: (index) => document.passages[index]! } : null;
}

function scored(response: AskResponse, retrieval: number, coverage: number, world?: World): AskResponse {
  const overall = Math.round((30 * retrieval + 40 * coverage) / 0.7);
  const degraded = (world?.banner.length ?? 0) > 0;
  const adjusted = degraded ? Math.round(overall * 0.8) : overall;
  const level: ConfidenceLevel = adjusted >= 85 ? "high" : adjusted >= 60 ? "medium" : "low";
  response.confidence = {
    overall,
    retrieval_score: retrieval,
    coverage_score: coverage,
    llm_score: null,
    adjusted,
  };
  response.fallback_mode = degraded;
  response.retrieval_quality = {
    confidence_score: adjusted / 100,
    confidence_level: level,
    fallback_active: degraded,
    fallback_reasons: degraded ? ["bm25_only"] : [],
    degraded,
  };
  return response;
}

function tls(world: World, response: AskResponse): Script {
  const source = find(world, "adr-0021");
  if (!source)
    return refuse(response, "no_results", "I found nothing in the library that comes near this question.");
  const old = find(world, "adr-0007");
  const citations: Citation[] = [
    citationOf(1, source.document, source.passage(1)),
    citationOf(2, source.document, source.passage(2)),
  ];
  if (old) citations.push(citationOf(3, old.document, old.passage(0)));
  const units = [
    "**TLS 1.3 is required for all transport encryption**, inside the networks and towards others [1].",
    " TLS 1.2 may be used only under an exception, which is only given to an OT device whose supplier has no firmware with TLS 1.3 [1].",
    " All such exceptions end on 31 December 2027 [1].\n\n",
    "| Version | Decision |\n| --- | --- |\n| TLS 1.3 | Required [1] |\n| TLS 1.2 | Under an exception only, until 31 December 2027 [1] |\n\n",
    "Certificates are valid for at most 398 days [2].",
    " Before, TLS 1.2 was the minimum [3].",
  ];
  const withheld: Withheld[] = [
    { label: "fabricated", text: "Certificates are renewed every 90 days.", detail: "90 days" },
  ];
  const notices: Notice[] = [
    { kind: "superseded", document_id: "adr-0007", text: "ADR-0007 has been superseded by ADR-0021." },
    {
      kind: "stale",
      document_id: "adr-0021",
      text: "ADR-0021 was last updated on 2024-01-23, more than 6 months ago. Check whether it still holds.",
    },
  ];
  Object.assign(scored(response, 0.74, 0.86, world), {
    answer: units.join(""),
    citations,
    withheld,
    notices,
    model_used: "llama3.2",
    context_chunks_used: 3,
    context_tokens_used: 612,
    transparency: {
      statement:
        "1 sentence withheld: the passages do not bear it out. No second model checked this answer; confidence rests on retrieval and coverage alone.",
      show_to_user: true,
    },
    suggestions: [
      {
        label: "Look up TLS in the vocabulary",
        query: "What is TLS?",
        choice: { kind: "define", term: "TLS" },
      },
    ],
  } satisfies Partial<AskResponse>);
  return { units, withheld, response };
}

function replaced(world: World, response: AskResponse): Script {
  const text =
    "I searched the library, but nothing that was drafted as an answer is borne out by the passages, so I do not show it.";
  const script = refuse(response, "unsupported", text);
  script.response.nearest = nearest(world, "cloud workloads");
  return { ...script, units: ["Workloads run on Kubernetes [1]."], replaced: text };
}

function route(world: World, response: AskResponse): Script {
  const source = find(world, "policy-data-retention");
  if (!source)
    return refuse(response, "no_results", "I found nothing in the library that comes near this question.");
  const quote = `> ${source.passage(0).text} [1]`;
  Object.assign(scored(response, 0.52, 0.41, world), {
    action: "ROUTE",
    answer: `I am not sure enough to answer. These are the passages I found, word for word.\n\n${quote}`,
    citations: [citationOf(1, source.document, source.passage(0))],
    route_to: {
      tag: "data",
      owner_user_id: "data-governance",
      owner_name: "Noor Visscher",
      owner_email: "data-governance@example.org",
      reason: "Low confidence: 46 of 100. Noor Visscher answers for “data”.",
      fallback: false,
    },
    warnings: ["The passages do not mention “backup”; the answer may be about something else."],
  } satisfies Partial<AskResponse>);
  return { units: [], withheld: [], response };
}

function definition(response: AskResponse, concept: Definition, term: string): Script {
  const matched = concept.preferred_label === term ? "preferred" : "alternative";
  response.definition = { ...concept, term, matched };
  response.answer = concept.definitions[0]
    ? matched === "preferred"
      ? concept.definitions[0]
      : `“${term}” is not the preferred term; that is “${concept.preferred_label}”. ${concept.definitions[0]}`
    : `The vocabulary holds “${concept.preferred_label}”, but no definition of it. What it does hold is shown below.`;
  return { units: [], withheld: [], response };
}

function terminology(response: AskResponse, term: string): Script {
  const wanted = term.toLowerCase();
  const labels = (concept: Definition) => [concept.preferred_label, ...concept.alternative_labels];
  const found = sampleConcepts().filter((concept) =>
    labels(concept).some((label) => label.toLowerCase() === wanted),
  );
  const only = found[0];
  if (only && found.length === 1) {
    const label = labels(only).find((one) => one.toLowerCase() === wanted) ?? term;
    return definition(response, only, label);
  }
  if (found.length > 1) {
    const question = `“${term}” has several meanings. Which one do you mean?`;
    response.action = "CLARIFY";
    response.answer = question;
    response.clarification = {
      question,
      options: found.map((concept) => ({
        label: `${concept.preferred_label} (${concept.vocabulary})`,
        detail: concept.definitions[0] ?? null,
        query: `What is ${concept.preferred_label}?`,
        choice: { kind: "concept", uri: concept.uri },
      })),
    };
    return { units: [], withheld: [], response };
  }
  const suggestions: Suggestion[] = nearestLabels(wanted).map((label) => ({
    label: `Did you mean “${label}”?`,
    query: `What is ${label}?`,
    choice: { kind: "define", term: label },
  }));
  suggestions.push({
    label: `Search the documents for ${term}`,
    query: `What is ${term}?`,
    choice: { kind: "search_documents" },
  });
  const script = refuse(
    response,
    "terminology_not_found",
    `“${term}” is not defined in the vocabulary, so I cannot give a verified definition. I compared it with 22 labels.`,
  );
  response.suggestions = suggestions;
  return script;
}

function nearestLabels(term: string): string[] {
  const shared = (label: string) =>
    [...new Set(term)].filter((letter) => label.includes(letter)).length / label.length;
  return sampleConcepts()
    .map((concept) => concept.preferred_label)
    .filter((label, index, all) => all.indexOf(label) === index)
    .toSorted((a, b) => shared(b.toLowerCase()) - shared(a.toLowerCase()) || a.localeCompare(b))
    .slice(0, 2);
}

function list(world: World, response: AskResponse, question: string): Script {
  const kind = /principle|principes/.test(question) ? "Principle" : /polic/.test(question) ? "Policy" : "ADR";
  const topic = /\babout (.+?)\??$/.exec(question)?.[1]?.toLowerCase();
  const listed = world.documents.filter(
    ({ row }) => row.kind === kind && row.title.toLowerCase().includes(topic ?? ""),
  );
  const rows: ListRow[] = listed
    .map((document) => document.row)
    .map(({ id, kind: type, number, title, status, date, owner, path }) => ({
      id,
      type,
      number,
      title,
      status,
      date,
      owner,
      path,
    }));
  response.rows = rows;
  // A list by topic shows what each document says of it.
  response.citations = topic
    ? listed.map((document, at) => citationOf(at + 1, document, document.passages[0]!))
    : [];
  const said = response.citations.map((cited) => `\n  - ${cited.snippet} [${cited.number}]`);
  const bullets = rows.map((row, at) => `- ${row.title} (${row.status ?? ""})${said[at] ?? ""}`);
  response.answer = [`${rows.length} documents of this kind:`, ...bullets].join("\n");
  return { units: [], withheld: [], response };
}

function approvers(world: World, response: AskResponse, number: number): Script {
  const document = world.documents.find((one) => one.row.kind === "ADR" && one.row.number === number);
  if (!document) return unknownReference(world, response, number);
  const citation = citationOf(1, document, document.passages[0]!);
  response.citations = [citation];
  response.fact = { document_id: document.row.id, field: "approvers", values: document.approvers };
  response.answer =
    document.approvers.length > 0
      ? `${document.row.reference} was approved by ${document.approvers.join(", ")} [1].`
      : `${document.row.reference} does not say who approved it [1].`;
  return { units: [response.answer], withheld: [], response };
}

function byReference(world: World, response: AskResponse, query: string, number: number): Script {
  const document = world.documents.find((one) => one.row.kind === "ADR" && one.row.number === number);
  return document
    ? extracts(world, response, query, document.row.id)
    : unknownReference(world, response, number);
}

function unknownReference(world: World, response: AskResponse, number: number): Script {
  const reference = `ADR-${String(number).padStart(4, "0")}`;
  const script = refuse(response, "entity_not_found", `There is no ${reference} in the decision records.`);
  response.suggestions = world.documents
    .filter((document) => document.row.kind === "ADR")
    .toSorted((a, b) => Math.abs((a.row.number ?? 0) - number) - Math.abs((b.row.number ?? 0) - number))
    .slice(0, 3)
    .map(({ row }) => ({
      label: `Did you mean ${row.reference} (${row.title})?`,
      query: `What does ${row.reference} say?`,
      choice: { kind: "document", id: row.id },
    }));
  return script;
}

function words(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.replace(/s$/, "")),
  );
}

function ranked(world: World, query: string, only?: string) {
  const wanted = words(query);
  return world.documents
    .filter((document) => only === undefined || document.row.id === only)
    .flatMap((document) => document.passages.map((passage) => ({ document, passage })))
    .map((hit) => {
      const held = words(`${hit.document.row.title} ${hit.passage.text}`);
      return {
        ...hit,
        share: [...wanted].filter((word) => held.has(word)).length / Math.max(1, wanted.size),
      };
    })
    .toSorted((a, b) => b.share - a.share || a.passage.source_id.localeCompare(b.passage.source_id));
}

function nearest(world: World, query: string) {
  return ranked(world, query)
    .slice(0, 3)
    .map(({ document, passage, share }) => nearestOf(document, passage, share));
}

function extracts(world: World, response: AskResponse, query: string, only?: string): Script {
  const hits = ranked(world, query, only)
    .filter((hit) => only !== undefined || hit.share >= 0.34)
    .slice(0, 2);
  if (hits.length === 0) {
    const known = ranked(world, query).some((hit) => hit.share > 0);
    const reason: RefusalReason = known ? "low_confidence" : "off_topic";
    const text = known
      ? "I searched the library, and what comes near is not enough to answer this question reliably. One or two details would help: the system, the record or the period you mean."
      : "This question seems to lie outside the library. None of its content words occurs in any document. Ask about decisions, principles, policies or terms that your library holds.";
    const script = refuse(response, reason, text);
    response.nearest = known ? nearest(world, query) : [];
    response.suggestions = [{ label: "List all decision records", query: "List all ADRs", choice: null }];
    return script;
  }
  const citations = hits.map((hit, index) => citationOf(index + 1, hit.document, hit.passage));
  const units = hits.map((hit, index) => `${firstSentences(hit.passage.text)} [${index + 1}]\n\n`);
  Object.assign(scored(response, 0.66, 0.8, world), {
    answer: units.join("").trim(),
    citations,
    context_chunks_used: citations.length,
    transparency: {
      statement: "This answer consists of sentences copied from the documents; no language model took part.",
      show_to_user: true,
    },
  } satisfies Partial<AskResponse>);
  return { units, withheld: [], response };
}

function firstSentences(text: string): string {
  return text
    .split(/(?<=[.!?])\s+/)
    .slice(0, 2)
    .join(" ");
}

function plainAnswer(response: AskResponse, answer: string): Script {
  response.answer = answer;
  return { units: [answer], withheld: [], response };
}

function failing(response: AskResponse): Script {
  const error: ErrorReport = {
    code: "llm_timeout",
    values: { model: "llama3.2", seconds: "30" },
    message: "the model `llama3.2` did not answer within 30 s",
  };
  return { units: [], withheld: [], response, error };
}

function refuse(response: AskResponse, reason: RefusalReason, text: string): Script {
  Object.assign(response, {
    action: "REFUSE",
    refused: true,
    refusal_reason: reason,
    answer: text,
    grounded: false,
  } satisfies Partial<AskResponse>);
  return { units: [], withheld: [], response };
}
