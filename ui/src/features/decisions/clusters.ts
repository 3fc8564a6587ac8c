import type { DecisionNode, DecisionRelation, RelationKind } from "../../backend/generated/types";
import { neighbours, tally, type Part } from "./graph";

/** What records are put together by. */
export type Grouping = "relations" | "concept" | "kind";

/** What the records of a cluster share: a concept, a kind, relations around one of them, or only that they lack it. */
export type Shared =
  | { by: "concept"; value: string; record?: string }
  | { by: "kind" | "record"; value: string }
  | { by: "small_groups" | "no_relations" | "no_concept" };

/** Records that are drawn together. */
export interface Cluster {
  /** What they share. */
  shared: Shared;
  nodes: DecisionNode[];
}

/** How much a relation holds two records together. */
const STRENGTH: Record<RelationKind, number> = {
  supersedes: 3,
  amends: 3,
  refines: 2,
  depends_on: 2,
  implements: 2,
  conflicts_with: 2,
  mentions: 0.5,
};

/** Communities of so many records or fewer get no frame of their own where others share their concept. */
const SMALL = 3;

/** A concept names a community where this share of its records is about it. */
const LEADING = 0.4;

/** Every record in one cluster, the largest first; the same records always give the same clusters. */
export function clusters(part: Part, grouping: Grouping): Cluster[] {
  const made = { relations: byRelations, concept: byConcept, kind: byKind }[grouping](part);
  // What has nothing in common comes last, whatever its size.
  return made.toSorted((a, b) => Number(isLoose(a)) - Number(isLoose(b)) || b.nodes.length - a.nodes.length);
}

/** Whether its records are together only because they belong nowhere else. */
export function isLoose({ shared }: Cluster): boolean {
  return shared.by === "no_relations" || shared.by === "no_concept";
}

function byKind(part: Part): Cluster[] {
  return grouped(part.nodes, (node) => ({ by: "kind", value: node.kind }));
}

/** By the one of a record's concepts that most others have too: one that it has alone groups nothing. */
function byConcept(part: Part): Cluster[] {
  const ranks = new Map(
    tally(part.nodes.flatMap((node) => node.concepts)).map(({ value }, rank) => [value, rank]),
  );
  return grouped(part.nodes, ({ concepts }) => {
    const [concept] = concepts.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
    return concept === undefined ? { by: "no_concept" } : { by: "concept", value: concept };
  });
}

function grouped(nodes: DecisionNode[], shared: (node: DecisionNode) => Shared): Cluster[] {
  const found = new Map<string, Cluster>();
  for (const node of nodes) {
    const by = shared(node);
    const key = JSON.stringify(by);
    const cluster = found.get(key) ?? { shared: by, nodes: [] };
    cluster.nodes.push(node);
    found.set(key, cluster);
  }
  return [...found.values()];
}

function byRelations(part: Part): Cluster[] {
  const beside = neighbours(part);
  const related = part.nodes.filter((node) => beside.get(node.id)!.length > 0);
  const alone = part.nodes.filter((node) => beside.get(node.id)!.length === 0);
  const found: Cluster[] = [];
  const small = new Map<string, Cluster>();
  for (const nodes of communities(related, part.relations)) {
    const concept = nameOf(nodes, part.nodes);
    if (nodes.length <= SMALL) {
      const shared: Shared = concept === null ? { by: "small_groups" } : { by: "concept", value: concept };
      const key = concept ?? "";
      const together = small.get(key) ?? { shared, nodes: [] };
      together.nodes.push(...nodes);
      small.set(key, together);
    } else if (concept === null) {
      found.push({ shared: { by: "record", value: hub(nodes, beside) }, nodes });
    } else {
      const taken = found.some(({ shared }) => shared.by === "concept" && shared.value === concept);
      const record = taken ? { record: hub(nodes, beside) } : {};
      found.push({ shared: { by: "concept", value: concept, ...record }, nodes });
    }
  }
  found.push(...small.values());
  if (alone.length > 0) found.push({ shared: { by: "no_relations" }, nodes: alone });
  return found;
}

/** The concept that a community is about more than the others are, if there is one. */
function nameOf(nodes: DecisionNode[], all: DecisionNode[]): string | null {
  const everywhere = new Map(
    tally(all.flatMap((node) => node.concepts)).map(({ value, count }) => [value, count / all.length]),
  );
  const weighed = tally(nodes.flatMap((node) => node.concepts))
    .map(({ value, count }) => ({ value, share: count / nodes.length }))
    .filter(({ share }) => share >= LEADING)
    .map(({ value, share }) => ({ value, weight: share * Math.log(1 + share / everywhere.get(value)!) }));
  return weighed.toSorted((a, b) => b.weight - a.weight || a.value.localeCompare(b.value))[0]?.value ?? null;
}

function hub(nodes: DecisionNode[], beside: ReturnType<typeof neighbours>): string {
  const degree = (node: DecisionNode) => beside.get(node.id)!.length;
  return nodes.toSorted((a, b) => degree(b) - degree(a))[0]!.reference;
}

/**
 * Records that are related among themselves more than to others, by the Louvain method: each joins the
 * neighbours where modularity grows most, then what has joined counts as one and the same is done again.
 */
export function communities(nodes: DecisionNode[], relations: DecisionRelation[]): DecisionNode[][] {
  const index = new Map(nodes.map((node, at) => [node.id, at]));
  let links = new Map<string, [number, number, number]>();
  for (const { from, to, relation } of relations) {
    const [a, b] = [index.get(from), index.get(to)];
    if (a !== undefined && b !== undefined) add(links, a, b, STRENGTH[relation]);
  }
  let members = nodes.map((_, at) => [at]);
  for (;;) {
    const joined = join(members.length, [...links.values()]);
    const names = [...new Set(joined)];
    if (names.length === members.length) break;
    const merged: number[][] = names.map(() => []);
    joined.forEach((name, at) => merged[names.indexOf(name)]!.push(...members[at]!));
    const between = new Map<string, [number, number, number]>();
    for (const [a, b, weight] of links.values()) {
      add(between, names.indexOf(joined[a]!), names.indexOf(joined[b]!), weight);
    }
    members = merged;
    links = between;
  }
  return members.map((community) => community.toSorted((a, b) => a - b).map((at) => nodes[at]!));
}

function add(links: Map<string, [number, number, number]>, a: number, b: number, weight: number): void {
  const [low, high] = a < b ? [a, b] : [b, a];
  const key = `${low} ${high}`;
  links.set(key, [low, high, (links.get(key)?.[2] ?? 0) + weight]);
}

/** One level of the method: the community of each, after nobody gains by moving. */
function join(count: number, links: [number, number, number][]): number[] {
  const beside: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  const degree = new Array<number>(count).fill(0);
  let total = 0;
  for (const [a, b, weight] of links) {
    degree[a]! += weight;
    degree[b]! += weight;
    total += weight;
    if (a === b) continue;
    beside[a]!.set(b, (beside[a]!.get(b) ?? 0) + weight);
    beside[b]!.set(a, (beside[b]!.get(a) ?? 0) + weight);
  }
  const community = Array.from({ length: count }, (_, at) => at);
  const weights = [...degree];
  for (let moved = true, rounds = 0; moved && rounds < 50; rounds++) {
    moved = false;
    for (let at = 0; at < count; at++) {
      const own = community[at]!;
      const towards = new Map<number, number>();
      for (const [other, weight] of beside[at]!) {
        const name = community[other]!;
        towards.set(name, (towards.get(name) ?? 0) + weight);
      }
      weights[own]! -= degree[at]!;
      const gain = (name: number) => (towards.get(name) ?? 0) - (weights[name]! * degree[at]!) / (2 * total);
      let best = own;
      for (const name of towards.keys()) if (gain(name) > gain(best) + 1e-9) best = name;
      weights[best]! += degree[at]!;
      if (best !== own) {
        community[at] = best;
        moved = true;
      }
    }
  }
  return community;
}
