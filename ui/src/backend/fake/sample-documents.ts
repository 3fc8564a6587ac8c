import type { DocumentView, Kind, Language, Passage, Standing } from "../generated/types";

interface Written {
  id: string;
  kind: Kind;
  number?: number;
  title: string;
  status?: string;
  standing?: Standing;
  date: string;
  owner?: string;
  version?: string;
  language?: Language;
  path: string;
  tags?: string[];
  approvers?: string[];
  supersedes?: string;
  superseded_by?: string;
  /** Sections with their text; the text is what passages hold. */
  sections: [heading: string, text: string][];
}

const WRITTEN: Written[] = [
  {
    id: "adr-0007",
    kind: "ADR",
    number: 7,
    title: "Use TLS 1.2 for transport encryption",
    status: "superseded by ADR.21",
    standing: "superseded",
    date: "2019-05-14",
    path: "adr/0007-use-tls-1-2-for-transport-encryption.md",
    tags: ["security"],
    superseded_by: "adr-0021",
    sections: [
      [
        "Decision Outcome",
        "Chosen: TLS 1.2 is the minimum for all transport encryption. Renegotiation and compression are switched off. A review follows at the beginning of 2024.",
      ],
    ],
  },
  {
    id: "adr-0010",
    kind: "ADR",
    number: 10,
    title: "Prioritise the origin of standardisation",
    status: "accepted",
    date: "2020-02-18",
    path: "adr/0010-prioritise-the-origin-of-standardisation.md",
    tags: ["integration"],
    approvers: ["Marit Veenstra", "Fatima el Amrani"],
    sections: [
      [
        "Decision Outcome",
        "When two standards apply, the one of the international body goes first, then the European one, then the national one, and a standard of our own last.",
      ],
    ],
  },
  {
    id: "adr-0012",
    kind: "ADR",
    number: 12,
    title: "Use CIM as canonical data model",
    status: "accepted",
    date: "2020-11-03",
    version: "2.0",
    path: "adr/0012-use-cim-as-canonical-data-model.md",
    tags: ["integration", "data"],
    approvers: ["Marit Veenstra", "Noor Visscher"],
    sections: [
      [
        "Context and Problem Statement",
        "Every interface between applications has had its own model of the grid. Fourteen mappings of the same substation existed in 2020.",
      ],
      [
        "Decision Outcome",
        "Chosen: CIM is the canonical data model for every exchange between applications. A message that cannot be expressed in CIM is extended in our own namespace, never by changing a class of the standard.",
      ],
    ],
  },
  {
    id: "adr-0018",
    kind: "ADR",
    number: 18,
    title: "Use event streaming for application integration",
    status: "accepted",
    date: "2022-09-27",
    path: "adr/0018-use-event-streaming-for-application-integration.md",
    tags: ["integration"],
    sections: [
      [
        "Decision Outcome",
        "Chosen: applications exchange events through one streaming platform. The enterprise service bus is closed for new interfaces and is switched off at the end of 2025.",
      ],
      [
        "Consequences",
        "Good, because a consumer can be added without asking the producer. Bad, because the order of events holds per key only.",
      ],
    ],
  },
  {
    id: "adr-0021",
    kind: "ADR",
    number: 21,
    title: "Require TLS 1.3 for transport encryption",
    status: "accepted",
    date: "2024-01-23",
    version: "1.1",
    path: "adr/0021-require-tls-1-3-for-transport-encryption.md",
    tags: ["security"],
    approvers: ["Marit Veenstra", "Sander Kuipers", "Bram Oosterhuis", "Tomas Lindqvist"],
    supersedes: "adr-0007",
    sections: [
      [
        "Context and Problem Statement",
        "ADR.7 set TLS 1.2 as the minimum and announced a review for the beginning of 2024. RTUs and protection relays have TLS in firmware, with a type approval attached, and a good number will not receive TLS 1.3 before they are replaced.",
      ],
      [
        "Decision Outcome",
        "Chosen: TLS 1.3 is required for all transport encryption, inside our networks and towards others. TLS 1.2 may be used only under an exception, and an exception is only given to an OT device: an RTU, relay, gateway or tap-changer controller whose supplier has no firmware with TLS 1.3. All such exceptions end on 31 December 2027.",
      ],
      [
        "Decision Outcome",
        "Certificates are valid for at most 398 days, for internal and external use alike. Whoever thinks that is short for a substation should automate the renewal. Early data (0-RTT) stays off, as a replayed request is not something we want to reason about in a work-order system.",
      ],
      [
        "Consequences",
        "Good, because compliance can be checked from outside, by offering a lower version. Bad, because Operational Technology must replace or upgrade every excepted device type before 2028.",
      ],
    ],
  },
  {
    id: "adr-0021d",
    kind: "DAR",
    number: 21,
    title: "Approval of “Require TLS 1.3 for transport encryption”",
    status: "approved",
    date: "2024-01-23",
    path: "adr/0021D-require-tls-1-3-for-transport-encryption.md",
    tags: ["security"],
    sections: [
      [
        "Approvals",
        "Marit Veenstra, Sander Kuipers, Bram Oosterhuis and Tomas Lindqvist approved on 23 January 2024.",
      ],
    ],
  },
  {
    id: "adr-0028",
    kind: "ADR",
    number: 28,
    title: "Use a graph database for network topology",
    status: "proposed",
    standing: "proposed",
    date: "2026-03-10",
    path: "adr/0028-use-a-graph-database-for-network-topology.md",
    tags: ["data"],
    sections: [
      [
        "Decision Outcome",
        "Proposed: a graph database holds the topology of the medium-voltage grid, filled from the asset register every night.",
      ],
    ],
  },
  {
    id: "adr-0029",
    kind: "ADR",
    number: 29,
    title: "Use zero trust access for remote maintenance",
    status: "accepted",
    date: "2025-06-17",
    path: "adr/0029-use-zero-trust-access-for-remote-maintenance.md",
    tags: ["security"],
    approvers: ["Sander Kuipers"],
    sections: [
      [
        "Decision Outcome",
        "Chosen: suppliers reach a substation only through a broker that checks person, device and work order for each session. Sessions are recorded and end after 8 hours at the latest.",
      ],
    ],
  },
  {
    id: "pcp-0020",
    kind: "Principle",
    number: 20,
    title: "Loose coupling",
    status: "in force",
    date: "2021-04-06",
    path: "principles/0020-loose-coupling.md",
    tags: ["integration"],
    sections: [
      [
        "Statement",
        "Applications know each other's contracts and nothing else. What changes behind a contract concerns nobody.",
      ],
    ],
  },
  {
    id: "pcp-0021",
    kind: "Principle",
    number: 21,
    title: "Leveringszekerheid gaat voor",
    status: "van kracht",
    date: "2021-04-06",
    language: "nl",
    path: "principles/0021-leveringszekerheid-gaat-voor.md",
    tags: ["grid-operations"],
    sections: [
      [
        "Stelling",
        "Geen enkele wijziging in de informatievoorziening mag de levering van elektriciteit onderbreken. Bij twijfel wint het net.",
      ],
    ],
  },
  {
    id: "pcp-0039",
    kind: "Principle",
    number: 39,
    title: "Encryption is the default",
    status: "in force",
    date: "2024-02-13",
    path: "principles/0039-encryption-is-the-default.md",
    tags: ["security"],
    sections: [
      [
        "Statement",
        "Data is encrypted at rest and in transit unless somebody has shown that it cannot be. The exception is registered, has an owner and has an end date.",
      ],
    ],
  },
  {
    id: "policy-data-retention",
    kind: "Policy",
    title: "Data retention",
    status: "in force",
    date: "2025-01-14",
    version: "3",
    path: "policies/data-retention.md",
    tags: ["data", "metering"],
    sections: [
      [
        "Metering data",
        "Quarter-hourly readings of smart meters are kept for 40 days. Daily totals are kept for 13 months, and yearly totals for 7 years.",
      ],
      ["Deletion", "Deletion is automatic and is reported to the owner of the data every month."],
    ],
  },
  {
    id: "policy-cloud-use",
    kind: "Policy",
    title: "Cloud use",
    status: "in force",
    date: "2025-09-02",
    version: "1.2",
    path: "policies/cloud-use.pdf",
    tags: ["platform"],
    sections: [
      [
        "Placement",
        "Workloads run in a sovereign European cloud by default. Data classified as vital stays in our own data centres.",
      ],
    ],
  },
];

function view(written: Written): DocumentView {
  let at = 0;
  const passages: Passage[] = written.sections.map(([heading, text], index) => {
    const span = { start: at, end: at + text.length };
    at = span.end + 2;
    return {
      source_id: `${written.id}:${index}`,
      section_path: [heading],
      page: written.path.endsWith(".pdf") ? index + 1 : null,
      span,
      text,
    };
  });
  const link = (id: string | undefined) => {
    const other = WRITTEN.find((one) => one.id === id);
    return other ? [{ id: other.id, reference: reference(other), title: other.title }] : [];
  };
  return {
    row: {
      id: written.id,
      reference: reference(written),
      kind: written.kind,
      collection: written.kind === "DAR" ? "ADR" : written.kind,
      number: written.number ?? null,
      title: written.title,
      status: written.status ?? null,
      standing: written.standing ?? "in_force",
      date: written.date,
      owner: written.owner ?? "ESA board",
      language: written.language ?? "en",
      path: written.path,
      passages: passages.length,
    },
    version: written.version ?? null,
    approvers: written.approvers ?? [],
    tags: written.tags ?? [],
    supersedes: link(written.supersedes),
    superseded_by: link(written.superseded_by),
    passages,
    cited_in: [],
  };
}

function reference(written: Written): string {
  const digits = String(written.number ?? "").padStart(4, "0");
  if (written.kind === "ADR") return `ADR-${digits}`;
  if (written.kind === "DAR") return `ADR-${digits}D`;
  return written.kind === "Principle" ? `PCP-${digits}` : written.title;
}

/** Some documents of the sample library, shortened. */
export function sampleDocuments(): DocumentView[] {
  return WRITTEN.map(view);
}
