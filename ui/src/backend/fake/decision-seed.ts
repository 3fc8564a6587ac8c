import type {
  Contradiction,
  DecisionGraph,
  DecisionNode,
  DecisionRelation,
  DocumentView,
  Kind,
  OpposingPassage,
  RelationKind,
  Standing,
} from "../generated/types";

const SAMPLE_RELATIONS: [from: string, relation: RelationKind, to: string, sentence: string][] = [
  ["adr-0021", "supersedes", "adr-0007", "Supersedes ADR.7."],
  ["adr-0012", "refines", "adr-0010", "CIM is an IEC standard, so ADR.10 puts it first."],
  ["adr-0018", "depends_on", "adr-0012", "Events carry CIM as ADR.12 has it."],
  ["adr-0021", "mentions", "adr-0018", "The streaming platform of ADR.18 speaks TLS 1.3 already."],
];

/** What the sample's documents say of one another. */
export function sampleGraph(documents: DocumentView[]): DecisionGraph {
  const records = documents.filter(({ row }) => row.kind !== "DAR" && row.kind !== "Document");
  const paths = new Map(records.map(({ row }) => [row.id, row.path]));
  return {
    nodes: records.map(({ row, tags }) => ({
      id: row.id,
      reference: row.reference,
      path: row.path,
      title: row.title,
      kind: row.kind,
      status: row.status,
      standing: row.standing,
      date: row.date,
      concepts: tags,
    })),
    relations: SAMPLE_RELATIONS.filter(([from, , to]) => paths.has(from) && paths.has(to)).map(
      ([from, relation, to, sentence]) => ({
        from,
        to,
        relation,
        sentence,
        path: paths.get(from)!,
        line: 12,
      }),
    ),
    problems: [
      {
        kind: "broken",
        from: "adr-0018",
        to: "ADR.99",
        relation: "depends_on",
        sentence: "Depends on ADR.99.",
      },
    ],
  };
}

export function sampleContradictions(): Contradiction[] {
  const passage = (
    document: string,
    reference: string,
    title: string,
    path: string,
    heading: string,
    sentence: string,
    line: number,
  ): OpposingPassage => ({ document, reference, title, path, heading, sentence, line });
  return [
    {
      id: "retention",
      kind: "different_value",
      first: passage(
        "policy-data-retention",
        "Data retention",
        "Data retention",
        "policies/data-retention.md",
        "Measurements",
        "Quarter-hour values of smart meters are kept for three years after the day of measurement.",
        14,
      ),
      second: passage(
        "adr-0018",
        "ADR-0018",
        "Use event streaming for application integration",
        "adr/0018-use-event-streaming-for-application-integration.md",
        "Consequences",
        "Topics with quarter-hour values of smart meters keep them for five years.",
        41,
      ),
      opposes: ["three years", "five years"],
      mark: null,
    },
    {
      id: "tls",
      kind: "rests_on_superseded",
      first: passage(
        "adr-0018",
        "ADR-0018",
        "Use event streaming for application integration",
        "adr/0018-use-event-streaming-for-application-integration.md",
        "Decision Outcome",
        "Clients connect to the platform as ADR.7 prescribes.",
        33,
      ),
      second: passage(
        "adr-0007",
        "ADR-0007",
        "Use TLS 1.2 for transport encryption",
        "adr/0007-use-tls-1-2-for-transport-encryption.md",
        "",
        "Status: superseded by ADR.21",
        3,
      ),
      opposes: ["ADR.7", "superseded"],
      mark: null,
    },
  ];
}

const SUBJECTS: [concept: string, things: string[]][] = [
  [
    "security",
    ["TLS 1.3", "mutual TLS", "zero trust access", "hardware security modules", "secret rotation"],
  ],
  ["integration", ["event streaming", "an API gateway", "REST with OpenAPI", "an integration broker"]],
  ["data", ["CIM as canonical model", "a data catalogue", "column encryption", "a feature store"]],
  ["hosting", ["a sovereign cloud", "two data centres", "container images", "immutable servers"]],
  ["grid automation", ["IEC 61850", "process bus", "state estimation", "voltage regulation"]],
  ["metering", ["quarter-hour values", "the central access server", "DSMR P4", "meter firmware"]],
  ["identity", ["OpenID Connect", "role-based access", "attribute refinement", "break-glass accounts"]],
  ["observability", ["OpenTelemetry", "structured logs", "service level objectives", "trace sampling"]],
];
const VERBS = ["Use", "Require", "Prefer", "Introduce", "Standardise on", "Limit", "Retire"];
const PURPOSES = [
  "for application integration",
  "between internal services",
  "in substations",
  "for external partners",
  "as the default, unless a supplier shows in writing that its equipment cannot support it before the next replacement cycle",
  "in the control room",
  "",
];

/** So many records that nobody wrote, always the same ones: subjects of a few dozen records that lean on each other. */
export function generatedGraph(count: number): DecisionGraph {
  let seed = 7;
  const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const pick = <T>(list: T[]): T => list[Math.floor(chance() * list.length)]!;

  const perSubject = Math.max(4, Math.round(Math.sqrt(count) * 1.2));
  const nodes: DecisionNode[] = [];
  const relations: DecisionRelation[] = [];
  const relate = (from: DecisionNode, relation: RelationKind, to: DecisionNode) => {
    if (relations.some((one) => one.from === from.id && one.to === to.id)) return;
    const sentence = `${from.reference} ${relation.replaceAll("_", " ")} ${to.reference}.`;
    relations.push({ from: from.id, to: to.id, relation, sentence, path: from.path, line: 9 });
  };

  for (let number = 1; number <= count; number++) {
    const subject = Math.floor((number - 1) / perSubject);
    const [concept, things] = SUBJECTS[subject % SUBJECTS.length]!;
    const kind: Kind = number % 11 === 0 ? "Principle" : number % 17 === 0 ? "Policy" : "ADR";
    const title = `${pick(VERBS)} ${pick(things)} ${pick(PURPOSES)}`.trim();
    const digits = String(number).padStart(4, "0");
    const reference = kind === "ADR" ? `ADR-${digits}` : kind === "Principle" ? `PCP-${digits}` : title;
    const share = chance();
    const standing: Standing =
      share < 0.08 ? "proposed" : share < 0.12 ? "rejected" : share < 0.15 ? "unknown" : "in_force";
    const year = 2013 + Math.floor(((number - 1) / count) * 13);
    const month = String(1 + Math.floor(chance() * 12)).padStart(2, "0");
    nodes.push({
      id: `record-${digits}`,
      reference,
      path: `records/${digits}.md`,
      title,
      kind,
      status: standing === "unknown" ? null : standing.replace("_", " "),
      standing,
      date: standing === "unknown" ? null : `${year}-${month}-15`,
      concepts: chance() < 0.85 ? (chance() < 0.25 ? [concept, pick(SUBJECTS)[0]] : [concept]) : [],
    });
  }
  nodes.forEach((node, at) => {
    const own = nodes.slice(Math.floor(at / perSubject) * perSubject, at);
    if (own.length === 0 || chance() < 0.18) return;
    const earlier = pick(own);
    const share = chance();
    if (share < 0.22 && earlier.standing === "in_force") {
      relate(node, "supersedes", earlier);
      earlier.standing = "superseded";
      earlier.status = `superseded by ${node.reference}`;
    } else if (share < 0.32) relate(node, "amends", earlier);
    else if (share < 0.45) relate(node, "refines", earlier);
    else relate(node, "depends_on", earlier);
    const principle = own.find((one) => one.kind === "Principle");
    if (principle && chance() < 0.3) relate(node, "implements", principle);
    if (chance() < 0.03) relate(node, "conflicts_with", pick(own));
    if (chance() < 0.35) relate(node, "mentions", pick(nodes.slice(0, at)));
  });
  return { nodes, relations, problems: [] };
}

/** The texts of records that nobody wrote. */
export function generatedDocuments(graph: DecisionGraph): DocumentView[] {
  return graph.nodes.map(({ concepts, ...node }) => ({
    row: { ...node, collection: node.kind, number: null, owner: null, language: "en", passages: 1 },
    version: null,
    approvers: [],
    tags: concepts,
    supersedes: [],
    superseded_by: [],
    passages: [
      {
        source_id: `${node.id}:0`,
        section_path: ["Decision Outcome"],
        page: null,
        span: { start: 0, end: node.title.length },
        text: `Chosen: ${node.title}.`,
      },
    ],
    cited_in: [],
  }));
}
