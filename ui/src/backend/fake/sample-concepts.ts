import type { Definition, VocabularyInfo } from "../generated/types";

const BASE = "https://vocabulary.example.org/lichtveld/";

export const VOCABULARIES: VocabularyInfo[] = [
  {
    id: `${BASE}assets`,
    title: "Asset management",
    description:
      "Assets, their maintenance, and the assessment of their condition and risk. Kept by Asset Management.",
    source: "assets.ttl",
    version: "1.8",
    concepts: 4,
    defects: [],
  },
  {
    id: `${BASE}cim`,
    title: "CIM and its standards",
    description:
      "The Common Information Model, the standards it is laid down in, and the exchange of grid models.",
    source: "cim.ttl",
    version: "2.3",
    concepts: 3,
    defects: ["“power transformer” has no definition in Dutch"],
  },
  {
    id: `${BASE}grid`,
    title: "Grid operations",
    description: "The network itself and its operation: components, automation, voltage and stability.",
    source: "grid.ttl",
    version: "3.1",
    concepts: 4,
    defects: [],
  },
];

interface Written {
  slug: string;
  scheme: "assets" | "cim" | "grid";
  label: string;
  alternative?: string[];
  definition?: string;
  note?: string;
  broader?: string;
  related?: string[];
  deprecated?: boolean;
}

const WRITTEN: Written[] = [
  {
    slug: "asset-management",
    scheme: "assets",
    label: "asset management",
    definition:
      "Deciding, over the whole life of the network, what is built, maintained and replaced, so that cost, risk and performance stay in the balance the organisation has chosen.",
  },
  {
    slug: "asset-register",
    scheme: "assets",
    label: "asset register",
    alternative: ["asset registry"],
    definition:
      "The authoritative record of every asset with its identity, type, location, year of construction and status.",
    broader: "asset-management",
  },
  {
    slug: "digital-twin",
    scheme: "assets",
    label: "digital twin",
    note: "Used for the model of the medium-voltage grid only; say which model you mean.",
    broader: "asset-management",
  },
  {
    slug: "klic-notification",
    scheme: "assets",
    label: "KLIC notification",
    broader: "asset-management",
    deprecated: true,
    definition: "The notice of digging work that was sent before 2019.",
  },
  {
    slug: "information-standard",
    scheme: "cim",
    label: "information standard",
    definition:
      "A published agreement on the meaning, structure or transport of data that is maintained by a body other than the parties using it.",
  },
  {
    slug: "cgmes",
    scheme: "cim",
    label: "Common Grid Model Exchange Standard",
    alternative: ["CGMES"],
    definition:
      "A standard that bundles a set of CIM profiles with rules for file headers, dependencies and validation.",
    broader: "information-standard",
  },
  {
    slug: "power-transformer",
    scheme: "cim",
    label: "transformer",
    alternative: ["PowerTransformer"],
    definition: "The CIM class whose instances describe one transformer with its windings and tap changers.",
    broader: "information-standard",
  },
  {
    slug: "electricity-grid",
    scheme: "grid",
    label: "electricity grid",
    definition:
      "All lines, cables and stations that carry electricity from where it is made to where it is used.",
  },
  {
    slug: "transformer",
    scheme: "grid",
    label: "transformer",
    definition:
      "A device without moving parts in which windings around a shared magnetic core pass alternating-current power from one circuit to another.",
    broader: "electricity-grid",
  },
  {
    slug: "voltage-regulation",
    scheme: "grid",
    label: "voltage regulation",
    definition:
      "Keeping the voltage in a part of the network near its set value and inside the voltage band.",
    broader: "electricity-grid",
    related: ["congestion"],
  },
  {
    slug: "congestion",
    scheme: "grid",
    label: "congestion",
    alternative: ["grid congestion"],
    definition: "The state in which a part of the network is asked to carry more than it can carry safely.",
    broader: "electricity-grid",
    related: ["voltage-regulation"],
  },
];

function uriOf(slug: string): string {
  const written = WRITTEN.find((one) => one.slug === slug);
  return `${BASE}${written?.scheme ?? ""}/${slug}`;
}

function linkTo(slug: string) {
  return { label: WRITTEN.find((one) => one.slug === slug)?.label ?? slug, uri: uriOf(slug) };
}

/** Some concepts of the sample vocabularies. */
export function sampleConcepts(): Definition[] {
  return WRITTEN.map((written) => ({
    term: written.label,
    matched: "preferred",
    preferred_label: written.label,
    alternative_labels: written.alternative ?? [],
    definitions: written.definition ? [written.definition] : [],
    notes: written.note ? [{ kind: "scopeNote", text: written.note, language: "en" }] : [],
    language: "en",
    language_fallback: false,
    broader: written.broader ? [linkTo(written.broader)] : [],
    narrower: WRITTEN.filter((one) => one.broader === written.slug).map((one) => linkTo(one.slug)),
    related: (written.related ?? []).map(linkTo),
    deprecated: written.deprecated ?? false,
    replaced_by: [],
    vocabulary: VOCABULARIES.find((one) => one.id.endsWith(`/${written.scheme}`))?.title ?? "",
    uri: uriOf(written.slug),
    concept_id: `vocab-${written.slug}`,
    fetched_at: "2026-06-30T08:00:00Z",
    source: `${written.scheme}.ttl`,
  }));
}
