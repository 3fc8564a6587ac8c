import type { DecisionNode } from "../../backend/generated/types";
import { named, t } from "../../i18n/i18n.svelte";
import { plain, shorten } from "../../text/plain";
import { TEXT } from "./appearance";
import { yearOf, type Neighbour } from "./graph";
import { wrapped, type Measure } from "./labels";
import { CARD, type Frame } from "./layout";

const LONGEST_REFERENCE = 40;

/** How people call a record; where it has no number, its title in short. */
export function referenceOf(node: DecisionNode): string {
  return shorten(node.reference, LONGEST_REFERENCE);
}

/** The heading over a frame. */
export function headingOf({ about }: Pick<Frame, "about">): string {
  if ("period" in about) {
    const { period } = about;
    if (period === null) return t("decisions.no_date");
    if (period.by === "year") return String(period.year);
    return t("decisions.quarter", { quarter: period.quarter, year: String(period.year) });
  }
  const { cluster } = about;
  switch (cluster.by) {
    case "concept":
      return cluster.record === undefined
        ? plain(cluster.value)
        : `${plain(cluster.value)}, ${shorten(cluster.record, LONGEST_REFERENCE)}`;
    case "kind":
      return named("collection", cluster.value);
    case "record":
      return t("decisions.around", { record: shorten(cluster.value, LONGEST_REFERENCE) });
    default:
      return named("decisions", cluster.by);
  }
}

/** A relation as seen from one of its two records. */
export function relationName({ relation, inverse }: Neighbour): string {
  return named(inverse ? "relation.inverse" : "relation", relation.relation);
}

/** What is read aloud of a record that is come to. */
export function spoken(
  node: DecisionNode,
  relations: number,
  way: Neighbour | undefined,
  byId: Map<string, DecisionNode>,
): string {
  const parts = [
    node.reference === node.title ? plain(node.title) : `${plain(node.reference)}, ${plain(node.title)}`,
    named("standing", node.standing),
    t("decisions.relations_count", { n: relations }),
  ];
  if (way) parts.unshift(`${relationName(way)} ${plain(byId.get(way.id)!.reference)}`);
  return `${parts.join(". ")}.`;
}

/** What stands on a card, line by line: what it is called, and as much of its title as there is room for. */
export interface Lettering {
  head: string;
  year: string;
  title: string[];
  size: number;
  /** Where a line stands, counted from the head. */
  y: (line: number) => number;
}

export function lettering(node: DecisionNode, wished: number, measure: Measure): Lettering {
  const room = CARD.width - TEXT.left - TEXT.right;
  const lines = (size: number) =>
    Math.min(TEXT.lines, Math.max(1, Math.floor((CARD.height - TEXT.top) / (size * TEXT.leading))));
  // A title says less in one line than in two of smaller letters.
  const tight = node.reference === node.title && lines(wished) === 1;
  const size = tight ? Math.max(TEXT.size, wished * 0.75) : wished;
  const step = size * TEXT.leading;
  const fitting = lines(size);
  const [head, year, title] = words(node, size, fitting, room, measure);
  const top = (CARD.height - (1 + title.length) * step) / 2;
  return { head, year, title, size, y: (line) => top + (line + 0.8) * step };
}

/** Whether a card of this size holds all of its text. */
export function whole(node: DecisionNode, size: number, measure: Measure): boolean {
  const { head, title } = lettering(node, size, measure);
  return (
    (title.length > 0 || node.reference === node.title) && ![head, ...title].some((one) => one.endsWith("…"))
  );
}

function words(
  node: DecisionNode,
  size: number,
  fitting: number,
  room: number,
  measure: Measure,
): [head: string, year: string, title: string[]] {
  const numbered = node.reference !== node.title;
  if (!numbered && fitting < 3) {
    // What has no number is called by its title, for which all the room is needed here.
    const [head = "", ...title] = wrapped(plain(node.title), room, fitting, size, measure, true);
    return [head, "", title];
  }
  // The year gives way where letters are large.
  const year = size < TEXT.size * 1.4 ? String(yearOf(node) ?? "") : "";
  const beside = year === "" ? room : room - measure(year, size) - 8;
  const [head = ""] = wrapped(
    numbered ? referenceOf(node) : named("kind", node.kind),
    beside,
    1,
    size,
    measure,
    true,
  );
  return [head, year, fitting > 1 ? wrapped(plain(node.title), room, fitting - 1, size, measure) : []];
}
