import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppContext } from "../../app/context";
import { FakeBackend } from "../../backend/fake/fake";
import type { Citation } from "../../backend/generated/types";
import { useLanguage } from "../../i18n/i18n.svelte";
import type { Decisions } from "./decisions.svelte";

let backend: FakeBackend;
let app: AppContext;
let decisions: Decisions;

beforeEach(async () => {
  useLanguage("en");
  backend = new FakeBackend({ pace: 0 });
  app = new AppContext(backend);
  app.start();
  decisions = app.decisions;
  await decisions.load();
});

const shown = () => decisions.shown.nodes.map((node) => node.id);

describe("the graph", () => {
  it("is filtered by kind, status, year and concept, and shown whole again", () => {
    const all = shown().length;
    decisions.kind = "Principle";
    expect(shown().every((id) => id.startsWith("pcp"))).toBe(true);
    decisions.kind = null;
    decisions.toggleStanding("superseded");
    expect(shown()).not.toContain("adr-0007");
    decisions.until = 2020;
    expect(shown()).toEqual(["adr-0010", "adr-0012"]);
    decisions.concept = "data";
    expect(shown()).toEqual(["adr-0012"]);
    expect(decisions.filtering).toBe(true);
    decisions.showAll();
    expect(shown()).toHaveLength(all);
    expect(decisions.filtering).toBe(false);
  });

  it("offers only what occurs, with how often", () => {
    expect(decisions.standings).toContainEqual({ value: "superseded", count: 1 });
    expect(decisions.relations.map((one) => one.value)).not.toContain("amends");
    expect(decisions.years[0]).toBe(2019);
    expect(decisions.concepts[0]!.count).toBeGreaterThanOrEqual(decisions.concepts.at(-1)!.count);
  });

  it("shows so many steps around a record, and the rest again", () => {
    decisions.focus("adr-0010");
    expect(shown()).toEqual(["adr-0010", "adr-0012"]);
    decisions.widen(1);
    expect(shown()).toEqual(["adr-0010", "adr-0012", "adr-0018"]);
    decisions.widen(-5);
    expect(decisions.steps).toBe(1);
    decisions.unfocus();
    expect(shown()).toContain("pcp-0020");
  });

  it("goes along relations, says where it has come and what led there", () => {
    decisions.select("adr-0007");
    decisions.move("right");
    expect(decisions.selected?.id).toBe("adr-0021");
    expect(app.messages.spoken.text).toBe(
      "supersedes ADR-0007. ADR-0021, Require TLS 1.3 for transport encryption. In force. 2 relations.",
    );
    decisions.move("left");
    expect(decisions.selected?.id).toBe("adr-0007");
    expect(app.messages.spoken.text).toMatch(/^superseded by ADR-0021\. .* Superseded\./);
  });

  it("begins somewhere, and reaches first and last", () => {
    decisions.move("down");
    expect(decisions.selected).not.toBeNull();
    decisions.moveToEnd(true);
    expect(decisions.selected?.id).toBe(shown().at(-1));
    decisions.moveToEnd(false);
    expect(decisions.selected?.id).toBe(shown()[0]);
  });

  it("shows the text of the chosen record", async () => {
    decisions.select("adr-0021");
    await vi.waitFor(() => expect(decisions.text.value?.row.id).toBe("adr-0021"));
    decisions.select("adr-0007");
    expect(decisions.text.value, "the other's text is gone at once").toBeNull();
  });

  it("brings a record into sight that the filters hide", () => {
    decisions.kind = "Principle";
    decisions.select("adr-0007");
    expect(decisions.selected?.id).toBe("adr-0007");
    expect(shown()).toContain("adr-0007");
  });

  it("forgets a choice that is not shown, and a centre that is gone", async () => {
    decisions.focus("adr-0018");
    backend.world.graph.nodes = backend.world.graph.nodes.filter((node) => node.id !== "adr-0018");
    await decisions.load();
    expect(decisions.selected).toBeNull();
    expect(shown()).toContain("pcp-0020");
  });

  it("follows the library once it has been looked at, and stays as it is where nothing has changed", async () => {
    const before = decisions.graph.value;
    await decisions.load();
    expect(decisions.graph.value).toBe(before);
    backend.world.graph.nodes = backend.world.graph.nodes.slice(0, 3);
    backend.world.emit({ event: "library_changed" });
    await vi.waitFor(() => expect(decisions.shown.nodes).toHaveLength(3));
  });

  it("says where the picture was saved, or why it was not", async () => {
    await decisions.export();
    expect(app.messages.shown.at(-1)?.text).toBe("Saved as /home/you/Documents/plumbline-decisions.svg.");
    vi.spyOn(backend, "call").mockRejectedValueOnce({ code: "file", message: "the disk is full" });
    await decisions.export();
    expect(app.messages.shown.at(-1)).toMatchObject({ text: "the disk is full", failed: true });
  });
});

describe("the picture's frame", () => {
  beforeEach(() => {
    decisions.viewport.resize(800, 500, false);
    decisions.viewport.enter(decisions.scene);
  });

  it("shows everything at first, and again when asked", () => {
    const { viewport, scene } = decisions;
    const fits = () =>
      viewport.x >= 0 &&
      viewport.y >= 0 &&
      viewport.x + scene.width * viewport.scale <= 800.5 &&
      viewport.y + scene.height * viewport.scale <= 500.5;
    expect(fits()).toBe(true);
    viewport.zoom(3);
    viewport.pan(-200, 50);
    expect(fits()).toBe(false);
    viewport.fit();
    expect(fits()).toBe(true);
  });

  it("keeps the point under the pointer where it is", () => {
    const { viewport } = decisions;
    const before = viewport.inScene(300, 200);
    viewport.zoom(1.3, { x: 300, y: 200 });
    const after = viewport.inScene(300, 200);
    expect(after.x).toBeCloseTo(before.x, 5);
    expect(after.y).toBeCloseTo(before.y, 5);
  });

  it("is as it was for whoever comes back, and shows another scene whole", () => {
    const { viewport } = decisions;
    viewport.zoom(2);
    const { scale } = viewport;
    viewport.enter(decisions.scene);
    expect(viewport.scale).toBe(scale);
    decisions.kind = "Principle";
    viewport.enter(decisions.scene);
    expect(viewport.x).toBeGreaterThanOrEqual(0);
    expect(viewport.x + decisions.scene.width * viewport.scale).toBeLessThanOrEqual(800.5);
  });

  it("never loses the scene", () => {
    const { viewport, scene } = decisions;
    viewport.pan(-1e6, -1e6);
    expect(viewport.x + scene.width * viewport.scale).toBeGreaterThan(0);
    expect(viewport.y + scene.height * viewport.scale).toBeGreaterThan(0);
    viewport.pan(1e6, 1e6);
    expect(viewport.x).toBeLessThan(800);
  });

  it("brings a chosen record into sight", () => {
    const { viewport } = decisions;
    viewport.zoom(4);
    viewport.pan(-2000, -2000);
    decisions.select("adr-0007");
    const card = decisions.scene.at.get("adr-0007")!;
    expect(viewport.x + card.x * viewport.scale).toBeGreaterThanOrEqual(0);
    expect(viewport.y + card.y * viewport.scale).toBeGreaterThanOrEqual(0);
  });

  it("stays where it is while a panel opens beside it", () => {
    const { viewport } = decisions;
    const [x, scale, scene] = [viewport.x, viewport.scale, decisions.scene];
    viewport.resize(450, 500, true);
    expect([viewport.x, viewport.scale]).toEqual([x, scale]);
    expect(decisions.scene).toEqual(scene);
  });
});

describe("contradictions", () => {
  it("are marked, and come back when the mark is taken back", async () => {
    const [first] = decisions.open;
    await decisions.mark(first!, "known");
    expect(decisions.open.map((one) => one.id)).not.toContain(first!.id);
    expect(decisions.marked.map((one) => one.mark)).toEqual(["known"]);
    expect(backend.world.contradictions.find((one) => one.id === first!.id)?.mark).toBe("known");
    app.messages.shown.at(-1)?.action?.run();
    await vi.waitFor(() => expect(decisions.marked).toEqual([]));
  });

  it("that are gone are said to be, and leave the list", async () => {
    const [first] = decisions.open;
    backend.world.contradictions = backend.world.contradictions.filter((one) => one.id !== first!.id);
    await decisions.mark(first!, "known");
    expect(app.messages.shown.at(-1)?.text).toMatch(/not there any more/);
    expect(decisions.open.map((one) => one.id)).not.toContain(first!.id);
  });

  it("say how far the first reading is, and nothing once it is done", async () => {
    const slow = new FakeBackend({ pace: 0.1 });
    const { decisions } = new AppContext(slow);
    const loading = decisions.loadContradictions();
    await vi.waitFor(() => expect(decisions.progress?.step).toBe("comparing"), { interval: 1 });
    await vi.waitFor(() => expect(decisions.progress?.step).toBe("reading"), { interval: 1 });
    expect(decisions.open).toEqual([]);
    await loading;
    expect(decisions.progress).toBeNull();
    expect(decisions.open.length).toBeGreaterThan(0);
  });

  it("are known of each record that takes part", () => {
    expect(decisions.contradictionsOf("adr-0018").map((one) => one.id)).toEqual(["retention", "tls"]);
    expect(decisions.contradictionsOf("adr-0010")).toEqual([]);
  });
});

describe("beside an answer", () => {
  const cited = (document: string, text: string) =>
    ({ document_id: document, snippet_full: text }) as Citation;

  it("stands what opposes a passage that the answer cites, and nothing else", () => {
    const one = decisions.open[0]!;
    const passage = `Before it.\n\n* **${one.first.sentence}** And [more](x.md).`;
    expect(decisions.opposing([cited(one.first.document, passage)])).toEqual([one]);
    expect(decisions.opposing([cited(one.first.document, "Something else.")])).toEqual([]);
    expect(decisions.opposing([cited("another", passage)])).toEqual([]);
  });

  it("does not stand any more once it is marked", async () => {
    const one = decisions.open[0]!;
    await decisions.mark(one, "known");
    expect(decisions.opposing([cited(one.first.document, one.first.sentence)])).toEqual([]);
  });
});
