import { named, t } from "../../i18n/i18n.svelte";
import { plain } from "../../text/plain";
import { CARD_LOOK, LINE_LOOK, STRIP, TEXT, type Token } from "./appearance";
import { line } from "./drawing";
import { RELATIONS, STANDINGS } from "./graph";
import { estimate, wrapped } from "./labels";
import { CARD, type Card, type Frame, type Scene } from "./layout";
import { headingOf, lettering } from "./naming";

/** The light theme's colours: a picture that is saved is put into documents and printed. */
export const LIGHT: Record<Token, string> = {
  paper: "#fbfaf7",
  surface: "#ffffff",
  sunken: "#f2f0ea",
  line: "#dedad0",
  "line-strong": "#8a867c",
  ink: "#1d1f22",
  "ink-soft": "#55575c",
  accent: "#0c635a",
  warn: "#7c5200",
  "warn-tint": "#fbf1da",
  bad: "#a3291f",
  "bad-tint": "#fbeae7",
};

const MARGIN = 24;
const KEY = { row: 24, swatch: 34, column: 190 };

/** The scene as a file of its own, with a key of what its lines and cards mean. */
export function asSvg(scene: Scene): string {
  const key = keyOf(scene);
  const width = Math.ceil(Math.max(scene.width, key.width) + 2 * MARGIN);
  const height = Math.ceil(scene.height + key.height + 3 * MARGIN);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif">`,
    `<title>${escaped(t("decisions.picture"))}</title>`,
    `<desc>${escaped(t("decisions.shown", { n: scene.cards.length, relations: scene.relations.length }))}</desc>`,
    `<rect width="${width}" height="${height}" fill="${LIGHT.paper}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})">`,
    ...scene.frames.map(frameOf),
    ...scene.relations.map((one) => {
      const drawn = line(scene.at.get(one.from)!, scene.at.get(one.to)!);
      return `<g>${stroke(drawn.path, one.relation)}<path d="${drawn.arrow}" fill="${LIGHT[LINE_LOOK[one.relation].stroke]}"/></g>`;
    }),
    ...scene.cards.map(cardOf),
    "</g>",
    `<g transform="translate(${MARGIN} ${Math.ceil(scene.height) + 2 * MARGIN})">${key.text}</g>`,
    "</svg>",
    "",
  ].join("\n");
}

function stroke(path: string, relation: (typeof RELATIONS)[number]): string {
  const look = LINE_LOOK[relation];
  const dash = look.dash ? ` stroke-dasharray="${look.dash}"` : "";
  return `<path d="${path}" fill="none" stroke="${LIGHT[look.stroke]}" stroke-width="${look.width}"${dash}/>`;
}

function box(
  standing: (typeof STANDINGS)[number],
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  const look = CARD_LOOK[standing];
  const dash = look.dash ? ` stroke-dasharray="${look.dash}"` : "";
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${LIGHT[look.fill]}" stroke="${LIGHT[look.stroke]}" stroke-width="1.5"${dash}/>`;
}

function text(words: string, x: number, y: number, size: number, colour: Token, more = ""): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${LIGHT[colour]}"${more}>${escaped(words)}</text>`;
}

function frameOf(frame: Frame): string {
  const size = Math.round(frame.heading * 0.55);
  const heading = `${headingOf(frame)} · ${frame.count}`;
  const [shown = ""] = wrapped(heading, frame.width - 2 * TEXT.left, 1, size, estimate, true);
  return (
    `<g><rect x="${frame.x}" y="${frame.y}" width="${frame.width}" height="${frame.height}" rx="10" fill="${LIGHT.surface}" stroke="${LIGHT.line}"/>` +
    `${text(shown, frame.x + TEXT.left, frame.y + frame.heading * 0.75, size, "ink-soft", ' font-weight="600"')}</g>`
  );
}

function cardOf({ node, x, y }: Card): string {
  const look = CARD_LOOK[node.standing];
  const { head, year, title, y: at } = lettering(node, TEXT.size, estimate);
  const struck = look.struck ? ' text-decoration="line-through"' : "";
  const lines = title.map((words, row) =>
    text(words, x + TEXT.left, y + at(row + 1), TEXT.size, look.ink, struck),
  );
  const right = ' text-anchor="end"';
  return [
    `<g><title>${escaped(`${plain(node.title)} (${named("standing", node.standing)})`)}</title>`,
    box(node.standing, x, y, CARD.width, CARD.height),
    `<rect x="${x}" y="${y + 6}" width="${STRIP}" height="${CARD.height - 12}" fill="${LIGHT[look.stroke]}"/>`,
    text(head, x + TEXT.left, y + at(0), TEXT.size, look.ink, ' font-weight="600"'),
    text(year, x + CARD.width - TEXT.right, y + at(0), TEXT.size, "ink-soft", right),
    ...lines,
    "</g>",
  ].join("");
}

/** What the looks mean, of those that occur. */
function keyOf(scene: Scene): { text: string; width: number; height: number } {
  const standings = STANDINGS.filter((one) => scene.cards.some((card) => card.node.standing === one));
  const relations = RELATIONS.filter((one) => scene.relations.some((other) => other.relation === one));
  const row = (at: number, swatch: string, words: string, y: number) =>
    `<g transform="translate(${at * KEY.column} ${y})">${swatch}${text(words, KEY.swatch + 8, 14, 12, "ink")}</g>`;
  const cards = standings.map((one, at) =>
    row(at, box(one, 0, 2, KEY.swatch, 14), named("standing", one), 0),
  );
  const strokes = relations.map((one, at) =>
    row(at, stroke(`M0 9H${KEY.swatch}`, one), named("relation", one), KEY.row),
  );
  return {
    text: [...cards, ...strokes].join(""),
    width: Math.max(standings.length, relations.length) * KEY.column,
    height: relations.length > 0 ? 2 * KEY.row : KEY.row,
  };
}

function escaped(words: string): string {
  return words
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
