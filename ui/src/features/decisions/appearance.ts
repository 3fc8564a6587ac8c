import type { RelationKind, Standing } from "../../backend/generated/types";

/** A colour of the theme, by its name in `tokens.css`. */
export type Token =
  | "paper"
  | "surface"
  | "sunken"
  | "line"
  | "line-strong"
  | "ink"
  | "ink-soft"
  | "accent"
  | "warn"
  | "warn-tint"
  | "bad"
  | "bad-tint";

export interface LineLook {
  stroke: Token;
  width: number;
  /** Lines are told apart by their dashes and thickness too, not by colour alone. */
  dash?: string;
}

export const LINE_LOOK: Record<RelationKind, LineLook> = {
  supersedes: { stroke: "ink", width: 2 },
  amends: { stroke: "ink", width: 2, dash: "8 4" },
  refines: { stroke: "accent", width: 1.6, dash: "2 3" },
  depends_on: { stroke: "accent", width: 1.6 },
  implements: { stroke: "warn", width: 1.6, dash: "9 3 2 3" },
  conflicts_with: { stroke: "bad", width: 2.2, dash: "4 3" },
  mentions: { stroke: "line-strong", width: 1 },
};

/** The dashes of a line that is drawn so many times as thick. */
export function dashes({ dash }: { dash?: string }, times: number): string | undefined {
  return dash
    ?.split(" ")
    .map((length) => Math.round(Number(length) * times * 10) / 10)
    .join(" ");
}

export interface CardLook {
  fill: Token;
  stroke: Token;
  ink: Token;
  dash?: string;
  /** Its title is struck through: it does not hold. */
  struck: boolean;
  /** What fills it when it is too small to be read. */
  block: Token;
}

export const CARD_LOOK: Record<Standing, CardLook> = {
  in_force: { fill: "surface", stroke: "accent", ink: "ink", struck: false, block: "accent" },
  proposed: { fill: "warn-tint", stroke: "warn", ink: "ink", dash: "5 3", struck: false, block: "warn-tint" },
  superseded: { fill: "sunken", stroke: "line-strong", ink: "ink-soft", struck: true, block: "sunken" },
  deprecated: {
    fill: "sunken",
    stroke: "line-strong",
    ink: "ink-soft",
    dash: "2 3",
    struck: true,
    block: "sunken",
  },
  rejected: {
    fill: "bad-tint",
    stroke: "bad",
    ink: "ink-soft",
    dash: "5 3",
    struck: true,
    block: "bad-tint",
  },
  unknown: { fill: "surface", stroke: "line-strong", ink: "ink", struck: false, block: "line-strong" },
};

/** A card's text: its size where there is room for all of it, the room around it, and its lines at most. */
export const TEXT = { size: 12, largest: 30, leading: 1.18, left: 14, right: 8, top: 2, lines: 3 };

/** The strip at a card's left side, in the colour of its standing. */
export const STRIP = 5;
