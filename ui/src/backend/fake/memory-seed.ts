import type { CuratedMemory } from "../generated/types";

export function seededMemory(): CuratedMemory {
  return {
    folder: "memory",
    entries: [
      {
        path: "s3://records/team/note-security-landscape.md",
        kind: "note",
        title: "The security landscape in one page",
        phrasings: ["security landscape", "how do we secure systems"],
        pointers: [
          { document_id: "adr-0021", section: null },
          { document_id: "adr-0029", section: null },
          { document_id: "pcp-0039", section: null },
        ],
        text: "Transport and storage are encrypted by default; remote maintenance goes through the broker.",
        retired: null,
        library: "s3://records/team",
      },
      {
        path: "pinned-smart-meter-retention.md",
        kind: "pinned",
        title: "How long do we keep smart meter readings?",
        phrasings: ["retention of metering data"],
        pointers: [{ document_id: "policy-data-retention", section: "Metering data" }],
        text: "",
        retired: null,
        library: null,
      },
      {
        path: "pinned-tls-version.md",
        kind: "pinned",
        title: "Which TLS version do we require?",
        phrasings: ["minimum TLS version"],
        pointers: [{ document_id: "adr-0007", section: "Decision Outcome" }],
        text: "",
        retired: {
          pointer: { document_id: "adr-0007", section: "Decision Outcome" },
          reason: "ADR-0007, “Decision Outcome” has changed since this was pinned on 12 March 2023.",
        },
        library: null,
      },
    ],
    problems: [],
  };
}
