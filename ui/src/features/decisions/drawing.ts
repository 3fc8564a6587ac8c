import type { RelationKind, Standing } from "../../backend/generated/types";
import { RELATIONS, STANDINGS } from "./graph";
import { CARD, type Card, type Scene } from "./layout";
import type { Box } from "./packing";

/** How far a line leaves a card before it bends. */
const BEND = { least: 24, most: 140 };
const ARROW = { length: 9, half: 4.5 };

/** The line from one card to another, and the arrow at its end. */
export interface Line {
  path: string;
  arrow: string;
}

/** Lines leave and reach cards at their sides, so that they are read along the columns. */
export function line(from: Card, to: Card): Line {
  const right = to.x > from.x + CARD.width / 2;
  const left = to.x < from.x - CARD.width / 2;
  // Cards one above the other are joined around their right sides.
  const start = { x: from.x + (left ? 0 : CARD.width), y: from.y + CARD.height / 2 };
  const end = { x: to.x + (right ? 0 : CARD.width), y: to.y + CARD.height / 2 };
  const leaving = left ? -1 : 1;
  const reaching = right ? -1 : 1;
  const bend = Math.min(BEND.most, Math.max(BEND.least, Math.abs(end.x - start.x) / 2));
  const tip = { x: end.x + reaching * ARROW.length, y: end.y };
  const path =
    `M${r(start.x)} ${r(start.y)}` +
    `C${r(start.x + leaving * bend)} ${r(start.y)} ${r(tip.x + reaching * bend)} ${r(tip.y)} ${r(tip.x)} ${r(tip.y)}`;
  const arrow = `M${r(end.x)} ${r(end.y)}L${r(tip.x)} ${r(tip.y - ARROW.half)}V${r(tip.y + ARROW.half)}Z`;
  return { path, arrow };
}

const r = (value: number) => Math.round(value * 10) / 10;

/** A line of a scene, with what decides how and whether it is drawn. */
interface Traced extends Line, Box {
  relation: RelationKind;
  /** Whether it leads from one frame to another. */
  across: boolean;
}

/** All lines of a scene. */
export function traced(scene: Scene): Traced[] {
  return scene.relations.map((one) => {
    const [from, to] = [scene.at.get(one.from)!, scene.at.get(one.to)!];
    const x = Math.min(from.x, to.x) - BEND.most;
    const y = Math.min(from.y, to.y);
    return {
      ...line(from, to),
      relation: one.relation,
      across: from.frame !== to.frame,
      x,
      y,
      width: Math.max(from.x, to.x) + CARD.width + BEND.most - x,
      height: Math.max(from.y, to.y) + CARD.height - y,
    };
  });
}

/** All lines of a kind in one path: a thousand records are then a handful of elements. */
export interface Lines extends Line {
  relation: RelationKind;
  across: boolean;
}

/** The lines that cross a box, or all of them. */
export function joined(all: Traced[], box: Box | null): Lines[] {
  const seen = box === null ? all : all.filter((one) => meet(one, box));
  return RELATIONS.flatMap((relation) =>
    [false, true].map((across) => {
      const own = seen.filter((one) => one.relation === relation && one.across === across);
      const path = own.map((one) => one.path).join("");
      return { relation, across, path, arrow: own.map((one) => one.arrow).join("") };
    }),
  ).filter((one) => one.path !== "");
}

/** Whether two boxes have anything in common. */
export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;
}

/** All cards of a standing in one path, for when they are too small to be read. */
export function blocks(scene: Scene): { standing: Standing; path: string }[] {
  return STANDINGS.map((standing) => ({
    standing,
    path: scene.cards
      .filter((card) => card.node.standing === standing)
      .map((card) => `M${r(card.x)} ${r(card.y)}h${CARD.width}v${CARD.height}h${-CARD.width}z`)
      .join(""),
  })).filter((one) => one.path !== "");
}

/** The card at a point of the scene. */
export function cardAt(scene: Scene, x: number, y: number): Card | null {
  const hit = (card: Card) =>
    x >= card.x && x <= card.x + CARD.width && y >= card.y && y <= card.y + CARD.height;
  return scene.cards.find(hit) ?? null;
}

export type Direction = "left" | "right" | "up" | "down";

/**
 * Where an arrow key leads: along a relation to the record that lies most in its direction; where none lies
 * there, to the nearest record that does.
 */
export function towards(scene: Scene, from: Card, direction: Direction): Card | null {
  const related = new Set(
    scene.relations.flatMap((one) =>
      one.from === from.node.id ? [one.to] : one.to === from.node.id ? [one.from] : [],
    ),
  );
  const others = scene.cards.filter((card) => card !== from);
  return (
    nearest(
      from,
      others.filter((card) => related.has(card.node.id)),
      direction,
      2,
    ) ?? nearest(from, others, direction, 1)
  );
}

/** The nearest card in a direction, of those that lie no more than `slant` times as far to the side. */
function nearest(from: Card, cards: Card[], direction: Direction, slant: number): Card | null {
  let best: Card | null = null;
  let least = Infinity;
  for (const card of cards) {
    const [dx, dy] = [card.x - from.x, card.y - from.y];
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = direction === "left" || direction === "right" ? Math.abs(dy) : Math.abs(dx);
    if (ahead <= 1 || aside > ahead * slant + CARD.height) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [card, cost];
  }
  return best;
}
