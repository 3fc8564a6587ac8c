import type { DecisionNode, DecisionRelation } from "../../backend/generated/types";
import { clusters, isLoose, type Cluster, type Grouping, type Shared } from "./clusters";
import { yearOf, type Part } from "./graph";
import { columns } from "./layered";
import { pack, type Packed, type Size, type Spot } from "./packing";

/** A record's card. */
export const CARD = { width: 190, height: 62 };
const BESIDE = 44;
const BELOW = 14;
/** Between two columns of the same rank. */
const CLOSE = 16;
const PADDING = 14;
const BETWEEN_PARTS = 26;
const BETWEEN_FRAMES = 20;
/** Width to height of what lies inside a frame. */
const INSIDE = 1.5;

/** The height of a frame's heading as it is to be seen, and its bounds as it is drawn. */
const HEADING = { seen: 24, least: 26, most: 140 };

export type Arrangement = "clusters" | "timeline";

export interface Card extends Spot {
  node: DecisionNode;
  /** The key of the frame that it lies in. */
  frame: string;
}

/** A stretch of the timeline. */
export type Period = { by: "year"; year: number } | { by: "quarter"; year: number; quarter: number } | null;

export interface Frame extends Spot, Size {
  key: string;
  about: { cluster: Shared } | { period: Period };
  count: number;
  /** How much of its height its heading takes. */
  heading: number;
}

/** Where everything lies. */
export interface Scene extends Size {
  cards: Card[];
  at: Map<string, Card>;
  frames: Frame[];
  relations: DecisionRelation[];
}

export interface Wish {
  arrangement: Arrangement;
  grouping: Grouping;
  /** Width to height of where it is shown. */
  aspect: number;
  /** How much room it has there, in square pixels. */
  area: number;
}

/** The same records and the same wish always give the same scene. */
export function layOut(part: Part, wish: Wish): Scene {
  const heading = headingFor(part.nodes.length, wish.area);
  const { blocks, spots, width, height } =
    wish.arrangement === "timeline"
      ? inLines(periods(part.nodes), wish.aspect, heading)
      : inClusters(clusters(part, wish.grouping), part.relations, wish.aspect, heading);
  const placed = blocks.map((block, at) => ({ ...block, spot: spots[at]! }));
  const cards = placed.flatMap(({ spot, cards: inside }) => inside.map((card) => moved(card, spot)));
  return {
    cards,
    at: new Map(cards.map((card) => [card.node.id, card])),
    frames: placed.map((block) => ({
      ...block.frame,
      ...block.spot,
      width: block.width,
      height: block.height,
    })),
    relations: part.relations,
    width,
    height,
  };
}

const moved = <C extends Spot>(card: C, by: Spot): C => ({ ...card, x: card.x + by.x, y: card.y + by.y });

interface Placed extends Packed {
  blocks: Block[];
}

/** Shapes that are tried for the clusters without what lies below them, and for that, as factors of the whole's. */
const TRIED = { clusters: [1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 3, 4.5, 7], loose: [1, 1.5, 2.2, 3.5, 6] };

/** The clusters side by side, and below them what belongs to none. */
function inClusters(
  found: Cluster[],
  relations: DecisionRelation[],
  aspect: number,
  heading: number,
): Placed {
  const joined = found
    .filter((cluster) => !isLoose(cluster))
    .map((one, at) => clusterBlock(one, `cluster ${at}`, relations, INSIDE, heading));
  const loose = found.find(isLoose);
  if (!loose) return { ...pack(joined, aspect, BETWEEN_FRAMES), blocks: joined };
  const area = loose.nodes.length * (CARD.width + CLOSE) * (CARD.height + BELOW);
  let best: Placed | null = null;
  let size = Infinity;
  for (const factor of joined.length === 0 ? [1] : TRIED.clusters) {
    const above = pack(joined, aspect * factor, BETWEEN_FRAMES);
    // As wide as what lies above it, or wider where that is little.
    const asWide = Math.max(INSIDE, (above.width - 2 * PADDING) ** 2 / area);
    for (const shape of [asWide, ...TRIED.loose.map((one) => one * aspect)]) {
      const block = clusterBlock(loose, "loose", relations, shape, heading);
      const y = joined.length === 0 ? 0 : above.height + BETWEEN_FRAMES;
      const width = Math.max(above.width, block.width);
      const needed = Math.max(width / aspect, y + block.height);
      if (needed >= size - 1e-6) continue;
      size = needed;
      best = {
        blocks: [...joined, block],
        spots: [...above.spots, { x: 0, y }],
        width,
        height: y + block.height,
      };
    }
  }
  return best!;
}

/** Headings are to be read when all is in sight, so the more there is, the larger they are drawn. */
function headingFor(count: number, seen: number): number {
  const area = count * (CARD.width + BESIDE) * (CARD.height + BELOW) * 1.5;
  return Math.min(HEADING.most, Math.max(HEADING.least, HEADING.seen * Math.sqrt(area / seen)));
}

interface Block extends Size {
  frame: Pick<Frame, "key" | "about" | "count" | "heading">;
  cards: Card[];
}

function framed(key: string, about: Frame["about"], inside: Content, heading: number): Block {
  return {
    frame: { key, about, count: inside.cards.length, heading },
    width: inside.width + 2 * PADDING,
    height: inside.height + heading + PADDING + PADDING / 2,
    cards: inside.cards.map((card) => ({
      ...card,
      frame: key,
      x: card.x + PADDING,
      y: card.y + heading + PADDING / 2,
    })),
  };
}

function clusterBlock(
  cluster: Cluster,
  key: string,
  relations: DecisionRelation[],
  aspect: number,
  heading: number,
): Block {
  const parts = components(cluster.nodes, relations);
  const alone = parts.filter((part) => part.nodes.length === 1).flatMap((part) => part.nodes);
  const blocks = parts.filter((part) => part.nodes.length > 1).map(ranked);
  if (alone.length > 0) blocks.push(grid(alone, aspect));
  const packed = pack(blocks, aspect, BETWEEN_PARTS);
  const cards = blocks.flatMap((block, at) => block.cards.map((card) => moved(card, packed.spots[at]!)));
  return framed(key, { cluster: cluster.shared }, { ...packed, cards }, heading);
}

/** The records that hang together within a cluster. */
function components(nodes: DecisionNode[], relations: DecisionRelation[]): Part[] {
  const parent = new Map(nodes.map((node) => [node.id, node.id]));
  const root = (id: string): string => {
    let at = id;
    while (parent.get(at) !== at) at = parent.get(at)!;
    parent.set(id, at);
    return at;
  };
  const inside = relations.filter(({ from, to }) => parent.has(from) && parent.has(to));
  for (const { from, to } of inside) parent.set(root(from), root(to));
  const found = new Map<string, Part>();
  for (const node of nodes) {
    const key = root(node.id);
    const part = found.get(key) ?? { nodes: [], relations: [] };
    part.nodes.push(node);
    found.set(key, part);
  }
  for (const relation of inside) found.get(root(relation.from))!.relations.push(relation);
  return [...found.values()];
}

/** Cards before they have a frame. */
type Content = Size & { cards: Loose[] };
type Loose = Omit<Card, "frame">;

/** A component in columns, each centred, a long one broken into several. */
function ranked({ nodes, relations }: Part): Content {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const most = Math.max(5, Math.ceil(Math.sqrt(nodes.length * 2.4)));
  const cards: Loose[] = [];
  let x = 0;
  const ranks = columns([...byId.keys()], relations).map((rank) => broken(rank, most));
  const tallest = Math.max(...ranks.flat().map((column) => stacked(column.length)));
  ranks.forEach((rank) => {
    for (const column of rank) {
      const top = (tallest - stacked(column.length)) / 2;
      column.forEach((id, row) => {
        cards.push({ node: byId.get(id)!, x, y: top + row * (CARD.height + BELOW) });
      });
      x += CARD.width + CLOSE;
    }
    x += BESIDE - CLOSE;
  });
  return { cards, width: x - BESIDE, height: tallest };
}

const stacked = (count: number) => count * (CARD.height + BELOW) - BELOW;

function broken<T>(list: T[], most: number): T[][] {
  const pieces = Math.ceil(list.length / most);
  const length = Math.ceil(list.length / pieces);
  return Array.from({ length: pieces }, (_, at) => list.slice(at * length, (at + 1) * length));
}

/** Records without a relation among themselves, row by row. */
function grid(nodes: DecisionNode[], aspect: number): Content {
  const square = (nodes.length * aspect * (CARD.height + BELOW)) / (CARD.width + CLOSE);
  const across = Math.max(1, Math.floor(Math.sqrt(square) + 1e-6));
  const cards = nodes.map((node, at) => ({
    node,
    x: (at % across) * (CARD.width + CLOSE),
    y: Math.floor(at / across) * (CARD.height + BELOW),
  }));
  return {
    cards,
    width: Math.min(across, nodes.length) * (CARD.width + CLOSE) - CLOSE,
    height: stacked(Math.ceil(nodes.length / across)),
  };
}

interface Dated {
  period: Period;
  nodes: DecisionNode[];
}

/** The records year by year, or by quarter where there are but two years; those without a date last. */
function periods(nodes: DecisionNode[]): Dated[] {
  const years = new Set(nodes.map(yearOf).filter((year) => year !== null));
  const found = new Map<string, Dated>();
  for (const node of nodes.toSorted((a, b) => (a.date ?? "9999").localeCompare(b.date ?? "9999"))) {
    const period = periodOf(node, years.size > 2);
    const key = JSON.stringify(period);
    const one = found.get(key) ?? { period, nodes: [] };
    one.nodes.push(node);
    found.set(key, one);
  }
  return [...found.values()];
}

function periodOf(node: DecisionNode, byYear: boolean): Period {
  const year = yearOf(node);
  if (year === null) return null;
  const month = Number.parseInt(node.date!.slice(5, 7), 10);
  if (byYear || Number.isNaN(month)) return { by: "year", year };
  return { by: "quarter", year, quarter: Math.ceil(month / 3) };
}

/** So many lines are tried. */
const MOST_LINES = 8;

/** The periods from left to right, in as many lines as make them largest. */
function inLines(dated: Dated[], aspect: number, heading: number): Placed {
  const total = dated.reduce((sum, one) => sum + one.nodes.length, 0);
  const most = Math.min(4 * Math.sqrt(total), Math.max(0, ...dated.map((one) => one.nodes.length)));
  let best: Placed = { blocks: [], spots: [], width: 0, height: 0 };
  let size = Infinity;
  for (let rows = 1; rows <= most; rows++) {
    const blocks = dated.map((one) => periodBlock(one, rows, heading));
    const whole = blocks.reduce((sum, block) => sum + block.width + CLOSE, 0);
    for (let lines = 1; lines <= Math.min(MOST_LINES, blocks.length); lines++) {
      const placed = broughtIntoLines(blocks, (whole / lines) * 1.04);
      const needed = Math.max(placed.width / aspect, placed.height);
      if (needed < size - 1e-6) [best, size] = [placed, needed];
    }
  }
  return best;
}

function periodBlock({ period, nodes }: Dated, rows: number, heading: number): Block {
  const split = broken(nodes, rows);
  const cards = split.flatMap((column, at) =>
    column.map((node, row) => ({ node, x: at * (CARD.width + CLOSE), y: row * (CARD.height + BELOW) })),
  );
  const size = { width: split.length * (CARD.width + CLOSE) - CLOSE, height: stacked(split[0]!.length) };
  return framed(`period ${JSON.stringify(period)}`, { period }, { ...size, cards }, heading);
}

function broughtIntoLines(blocks: Block[], width: number): Placed {
  const lines: Block[][] = [];
  let used = Infinity;
  for (const block of blocks) {
    if (used + block.width > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)!.push(block);
    used += block.width + CLOSE;
  }
  const placed: Placed = { blocks: [], spots: [], width: 0, height: 0 };
  for (const line of lines) {
    const height = Math.max(...line.map((block) => block.height));
    const y = placed.height === 0 ? 0 : placed.height + CLOSE;
    let x = 0;
    for (const block of line) {
      placed.blocks.push({ ...block, height });
      placed.spots.push({ x, y });
      x += block.width + CLOSE;
    }
    placed.width = Math.max(placed.width, x - CLOSE);
    placed.height = y + height;
  }
  return placed;
}
