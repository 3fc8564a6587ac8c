import type {
  DecisionGraph,
  DecisionNode,
  DecisionRelation,
  Kind,
  RelationKind,
  Standing,
} from "../../backend/generated/types";

/** Every kind of relation, the strongest first. */
export const RELATIONS: RelationKind[] = [
  "supersedes",
  "amends",
  "refines",
  "depends_on",
  "implements",
  "conflicts_with",
  "mentions",
];

export const STANDINGS: Standing[] = [
  "in_force",
  "proposed",
  "superseded",
  "deprecated",
  "rejected",
  "unknown",
];

/** Records and the relations between them. */
export type Part = Pick<DecisionGraph, "nodes" | "relations">;

/** What may be seen; whatever is null or empty hides nothing. */
export interface Filters {
  kind: Kind | null;
  concept: string | null;
  from: number | null;
  until: number | null;
  hiddenStandings: Standing[];
  hiddenRelations: RelationKind[];
}

/** One record as seen from another. */
export interface Neighbour {
  id: string;
  relation: DecisionRelation;
  /** Whether the relation leads from the other to this one. */
  inverse: boolean;
}

export function yearOf(node: DecisionNode): number | null {
  const year = Number.parseInt(node.date ?? "", 10);
  return Number.isNaN(year) ? null : year;
}

/** The part that passes the filters: a relation stays where both of its records do. */
export function filtered(graph: Part, filters: Filters): Part {
  const nodes = graph.nodes.filter((node) => passes(node, filters));
  const kept = new Set(nodes.map((node) => node.id));
  const relations = graph.relations.filter(
    ({ from, to, relation }) =>
      from !== to && kept.has(from) && kept.has(to) && !filters.hiddenRelations.includes(relation),
  );
  return { nodes, relations };
}

function passes(node: DecisionNode, filters: Filters): boolean {
  if (filters.kind && node.kind !== filters.kind) return false;
  if (filters.concept && !node.concepts.includes(filters.concept)) return false;
  if (filters.hiddenStandings.includes(node.standing)) return false;
  if (filters.from === null && filters.until === null) return true;
  const year = yearOf(node);
  return year !== null && year >= (filters.from ?? -Infinity) && year <= (filters.until ?? Infinity);
}

/** Who is related to whom, in the order of the relations. */
export function neighbours(part: Part): Map<string, Neighbour[]> {
  const found = new Map<string, Neighbour[]>(part.nodes.map((node) => [node.id, []]));
  for (const relation of part.relations) {
    found.get(relation.from)?.push({ id: relation.to, relation, inverse: false });
    found.get(relation.to)?.push({ id: relation.from, relation, inverse: true });
  }
  return found;
}

/** The part within so many relations of one record, in either direction. */
export function around(part: Part, center: string, steps: number): Part {
  const beside = neighbours(part);
  const reached = new Set([center]);
  let edge = [center];
  for (let step = 0; step < steps; step++) {
    edge = edge.flatMap((id) => (beside.get(id) ?? []).map((other) => other.id));
    edge = [...new Set(edge)].filter((id) => !reached.has(id));
    edge.forEach((id) => reached.add(id));
  }
  return {
    nodes: part.nodes.filter((node) => reached.has(node.id)),
    relations: part.relations.filter(({ from, to }) => reached.has(from) && reached.has(to)),
  };
}

/** How often each value occurs, the most frequent first. */
export function tally<T extends string>(values: T[]): { value: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
