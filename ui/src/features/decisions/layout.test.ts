import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generatedGraph } from "../../backend/fake/decision-seed";
import type { DecisionNode, RelationKind } from "../../backend/generated/types";
import { clusters, communities } from "./clusters";
import { cardAt, line, towards } from "./drawing";
import { around, filtered, type Filters, type Part } from "./graph";
import { estimate, wrapped } from "./labels";
import { columns } from "./layered";
import { CARD, layOut, type Scene, type Wish } from "./layout";
import { lettering, whole } from "./naming";
import { opposing } from "./opposing";
import { pack } from "./packing";
import { asSvg, LIGHT } from "./svg";

const OPEN: Filters = {
  kind: null,
  concept: null,
  from: null,
  until: null,
  hiddenStandings: [],
  hiddenRelations: [],
};
const WISH: Wish = { arrangement: "clusters", grouping: "relations", aspect: 1.75, area: 650_000 };

function node(id: string, more: Partial<DecisionNode> = {}): DecisionNode {
  return {
    id,
    reference: id.toUpperCase(),
    path: `${id}.md`,
    title: `About ${id}`,
    kind: "ADR",
    status: "accepted",
    standing: "in_force",
    date: "2020-01-01",
    concepts: [],
    ...more,
  };
}

/** A graph from lines such as `b supersedes a`. */
function graph(nodes: DecisionNode[], ...said: string[]): Part {
  const relations = said.map((one) => {
    const [from, relation, to] = one.split(" ") as [string, RelationKind, string];
    return { from, to, relation, sentence: one, path: `${from}.md`, line: 1 };
  });
  return { nodes, relations };
}

const abc = graph([node("a"), node("b"), node("c"), node("d")], "b supersedes a", "c depends_on b");
const ids = (part: Part) => part.nodes.map((one) => one.id);

function overlapping(scene: Scene): string[] {
  return scene.cards.flatMap((one, at) =>
    scene.cards
      .slice(at + 1)
      .filter(
        (other) =>
          Math.abs(one.x - other.x) < CARD.width - 0.5 && Math.abs(one.y - other.y) < CARD.height - 0.5,
      )
      .map((other) => `${one.node.id} and ${other.node.id}`),
  );
}

describe("what is shown", () => {
  it("keeps a relation only where both of its records are shown", () => {
    const part = filtered(abc, { ...OPEN, hiddenRelations: ["depends_on"] });
    expect(part.relations.map((one) => one.relation)).toEqual(["supersedes"]);
    const superseded = { ...abc, nodes: [node("a", { standing: "superseded" }), ...abc.nodes.slice(1)] };
    const rest = filtered(superseded, { ...OPEN, hiddenStandings: ["superseded"] });
    expect(ids(rest)).toEqual(["b", "c", "d"]);
    expect(rest.relations.map((one) => one.from)).toEqual(["c"]);
  });

  it("goes by year, and leaves out what has none when a year is asked for", () => {
    const dated = graph([node("a", { date: "2018-05-01" }), node("b", { date: null }), node("c")]);
    expect(ids(filtered(dated, { ...OPEN, from: 2019 }))).toEqual(["c"]);
    expect(ids(filtered(dated, { ...OPEN, until: 2018 }))).toEqual(["a"]);
    expect(ids(filtered(dated, OPEN))).toEqual(["a", "b", "c"]);
  });

  it("reaches so many steps around a record, along relations in either direction", () => {
    expect(ids(around(abc, "b", 1))).toEqual(["a", "b", "c"]);
    expect(ids(around(abc, "a", 1))).toEqual(["a", "b"]);
    expect(ids(around(abc, "a", 2))).toEqual(["a", "b", "c"]);
    expect(ids(around(abc, "d", 6))).toEqual(["d"]);
  });
});

describe("clusters", () => {
  it("hold what is related among itself more than to others", () => {
    const two = graph(
      ["a", "b", "c", "d", "x", "y", "z", "w"].map((id) => node(id)),
      ...["b refines a", "c refines a", "d depends_on b", "d depends_on c"],
      ...["y refines x", "z refines x", "w depends_on y", "w depends_on z"],
      "x mentions a",
    );
    const found = communities(two.nodes, two.relations).map((one) => one.map((member) => member.id).join(""));
    expect(found.toSorted()).toEqual(["abcd", "xyzw"]);
  });

  it("hold every record once, whatever they go by", () => {
    const part = generatedGraph(200);
    for (const grouping of ["relations", "concept", "kind"] as const) {
      const held = clusters(part, grouping).flatMap((cluster) => cluster.nodes.map((one) => one.id));
      expect(held.toSorted()).toEqual(ids(part).toSorted());
    }
  });

  it("are named after the concept that sets them apart", () => {
    const part = graph(
      [
        ...["a", "b", "c", "d"].map((id) => node(id, { concepts: ["everything", "security"] })),
        ...["w", "x", "y", "z"].map((id) => node(id, { concepts: ["everything", "data"] })),
      ],
      ...["b refines a", "c refines b", "d refines c", "x refines w", "y refines x", "z refines y"],
    );
    const names = clusters(part, "relations").map(({ shared }) => ("value" in shared ? shared.value : null));
    expect(names.toSorted()).toEqual(["data", "security"]);
  });
});

describe("columns", () => {
  it("put what rests on another to the right of it", () => {
    expect(columns(["c", "b", "a"], abc.relations)).toEqual([["a"], ["b"], ["c"]]);
  });

  it("come to an end where records supersede each other", () => {
    const circle = graph(
      [node("a"), node("b"), node("c")],
      "a supersedes b",
      "b supersedes c",
      "c supersedes a",
    );
    expect(columns(["a", "b", "c"], circle.relations).flat().toSorted()).toEqual(["a", "b", "c"]);
  });
});

describe("the layout", () => {
  it("packs boxes without overlap into the shape that is asked for", () => {
    const boxes = Array.from({ length: 40 }, (_, at) => ({
      width: 50 + (at % 7) * 30,
      height: 20 + (at % 5) * 25,
    }));
    const packed = pack(boxes, 2, 5);
    boxes.forEach((one, a) =>
      boxes.slice(a + 1).forEach((other, rest) => {
        const [p, q] = [packed.spots[a]!, packed.spots[a + 1 + rest]!];
        const apart =
          p.x + one.width <= q.x ||
          q.x + other.width <= p.x ||
          p.y + one.height <= q.y ||
          q.y + other.height <= p.y;
        expect(apart).toBe(true);
      }),
    );
    expect(packed.width / packed.height).toBeGreaterThan(1.3);
    expect(packed.width / packed.height).toBeLessThan(3);
  });

  it.each([
    ["clusters by relations", {}],
    ["clusters by concept", { grouping: "concept" }],
    ["clusters by kind", { grouping: "kind" }],
    ["timeline", { arrangement: "timeline" }],
  ] as [string, Partial<Wish>][])("%s: a thousand records, each once, none over another", (_, wish) => {
    const scene = layOut(generatedGraph(1000), { ...WISH, ...wish });
    expect(scene.at.size).toBe(1000);
    expect(overlapping(scene)).toEqual([]);
    for (const card of scene.cards) {
      const inside = scene.frames.some(
        (frame) =>
          card.x >= frame.x &&
          card.y >= frame.y &&
          card.x + CARD.width <= frame.x + frame.width &&
          card.y + CARD.height <= frame.y + frame.height,
      );
      expect(inside, `${card.node.id} lies inside a frame`).toBe(true);
    }
  });

  it("is the same for the same records", () => {
    expect(layOut(generatedGraph(120), WISH)).toEqual(layOut(generatedGraph(120), WISH));
  });

  it("keeps time in order on the timeline, with what has no date last", () => {
    const dated = graph([
      node("new", { date: "2024-02-01" }),
      node("none", { date: null }),
      node("old", { date: "2012-09-30" }),
      node("middle", { date: "2019-01-01" }),
    ]);
    const scene = layOut(dated, { ...WISH, arrangement: "timeline", aspect: 3 });
    const order = scene.cards.toSorted((a, b) => a.y - b.y || a.x - b.x).map((card) => card.node.id);
    expect(order).toEqual(["old", "middle", "new", "none"]);
    const years = scene.frames.map(({ about }) => "period" in about && about.period);
    expect(years.at(-1)).toBeNull();
    expect(years[0]).toEqual({ by: "year", year: 2012 });
  });

  it("goes by quarter where all is of two years", () => {
    const dated = graph([node("a", { date: "2024-02-01" }), node("b", { date: "2025-11-01" })]);
    const scene = layOut(dated, { ...WISH, arrangement: "timeline" });
    expect(scene.frames.map(({ about }) => "period" in about && about.period)).toEqual([
      { by: "quarter", year: 2024, quarter: 1 },
      { by: "quarter", year: 2025, quarter: 4 },
    ]);
  });

  it("has nothing to draw of nothing", () => {
    expect(layOut({ nodes: [], relations: [] }, WISH).cards).toEqual([]);
    expect(layOut({ nodes: [], relations: [] }, { ...WISH, arrangement: "timeline" }).cards).toEqual([]);
  });
});

describe("moving by arrow keys", () => {
  const scene = layOut(abc, WISH);
  const at = (id: string) => scene.at.get(id)!;

  it("follows relations to either side", () => {
    expect(towards(scene, at("a"), "right")?.node.id).toBe("b");
    expect(towards(scene, at("b"), "right")?.node.id).toBe("c");
    expect(towards(scene, at("c"), "left")?.node.id).toBe("b");
  });

  it("reaches records without a relation too", () => {
    const below = at("d").y > at("a").y;
    expect(towards(scene, at("a"), below ? "down" : "up")?.node.id).toBe("d");
  });

  it("prefers the related record to a nearer one", () => {
    const far = { ...at("c"), x: at("a").x + 2000, y: at("a").y };
    const near = { ...at("d"), x: at("a").x + 300, y: at("a").y };
    const made: Scene = {
      ...scene,
      cards: [at("a"), far, near],
      relations: graph([], "c refines a").relations,
    };
    expect(towards(made, at("a"), "right")?.node.id).toBe("c");
  });
});

describe("drawing", () => {
  it("finds the card under a point", () => {
    const scene = layOut(abc, WISH);
    const card = scene.at.get("b")!;
    expect(cardAt(scene, card.x + 5, card.y + 5)?.node.id).toBe("b");
    expect(cardAt(scene, -50, -50)).toBeNull();
  });

  it("points the arrow at the record that the relation leads to", () => {
    const from = { node: node("b"), frame: "", x: 500, y: 0 };
    const to = { node: node("a"), frame: "", x: 0, y: 0 };
    expect(line(from, to).arrow).toMatch(new RegExp(`^M${CARD.width} `));
    expect(line(to, from).arrow).toMatch(/^M500 /);
  });

  it("breaks long titles into lines, and says where something is left out", () => {
    const lines = wrapped("a very long title that goes on and on for ever", 60, 2, 10, estimate);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/…$/);
    for (const one of lines) expect(estimate(one, 10)).toBeLessThanOrEqual(60);
    expect(wrapped("Donaudampfschifffahrt", 60, 3, 10, estimate).join("")).toBe("Donaudampfschifffahrt");
    expect(wrapped("short", 60, 2, 10, estimate)).toEqual(["short"]);
    expect(wrapped("", 60, 2, 10, estimate)).toEqual([]);
  });

  it("calls a record without a number by its title, and never breaks a card's bounds", () => {
    const named = node("x", { reference: "Data retention", title: "Data retention" });
    expect(lettering(named, 12, estimate).head).toBe("Decision record");
    expect(lettering(named, 24, estimate).head).toMatch(/^Data/);
    for (const size of [12, 15, 20, 30]) {
      const text = lettering(node("a", { title: "word ".repeat(60) }), size, estimate);
      expect(text.y(text.title.length)).toBeLessThanOrEqual(CARD.height);
      expect(text.y(0) - size * 0.8).toBeGreaterThanOrEqual(-2);
    }
  });
});

describe("a card", () => {
  it("holds a short title whole, and knows when something is left out", () => {
    expect(whole(node("a", { title: "Loose coupling" }), 12, estimate)).toBe(true);
    expect(whole(node("a", { title: "word ".repeat(60) }), 12, estimate)).toBe(false);
    expect(whole(node("a", { title: "Loose coupling" }), 30, estimate), "only its number fits").toBe(false);
  });
});

describe("the picture as a file", () => {
  const evil = node("a", { title: `<script>alert(1)</script> & "so" on`, standing: "superseded" });
  const scene = layOut(graph([evil, node("b")], "b supersedes a"), WISH);

  it("is a document of its own that holds every record and relation, and no code", () => {
    const parsed = asSvg(scene);
    expect(parsed).not.toContain("<script");
    expect(parsed).toContain("&lt;script&gt;");
    expect(parsed).toContain("line-through");
    expect(parsed).toContain("supersedes");
    expect(parsed).not.toMatch(/var\(|url\(|href=/);
  });

  it("has the colours of the light theme", () => {
    const tokens = readFileSync("src/styles/tokens.css", "utf8");
    for (const [name, colour] of Object.entries(LIGHT)) {
      expect(tokens, name).toMatch(new RegExp(`--${name}: light-dark\\(${colour},`));
    }
  });
});

describe("what opposes what", () => {
  it("is marked wherever it stands, across line breaks and in any case", () => {
    const stretches = opposing("Kept for three\nyears, THREE YEARS at most.", "three years");
    expect(stretches.filter((one) => one.opposes).map((one) => one.text)).toEqual([
      "three\nyears",
      "THREE YEARS",
    ]);
    expect(stretches.map((one) => one.text).join("")).toBe("Kept for three\nyears, THREE YEARS at most.");
  });

  it("leaves a sentence whole that does not hold the words", () => {
    expect(opposing("Costs (a+b)* more.", "nothing")).toEqual([
      { text: "Costs (a+b)* more.", opposes: false },
    ]);
    expect(opposing("Costs (a+b)* more.", "(a+b)*").map((one) => one.opposes)).toEqual([false, true, false]);
    expect(opposing("Costs.", " ")).toEqual([{ text: "Costs.", opposes: false }]);
  });
});
