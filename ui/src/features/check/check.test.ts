import { describe, expect, it } from "vitest";
import { AppContext } from "../../app/context";
import { FakeBackend } from "../../backend/fake/fake";

function open(pace = 0) {
  const backend = new FakeBackend({ pace });
  const app = new AppContext(backend);
  return { app, backend, check: app.check };
}

describe("a text of the user's own", () => {
  it("gets a verdict for every sentence, with the passage that decides", async () => {
    const { check } = open();
    check.text = "One is so. Two is so. Three is so. Four is so.";
    await check.check();
    expect(check.statements.map((statement) => statement.verdict)).toEqual([
      "supported",
      "supported_elsewhere",
      "contradicted",
      "not_supported",
    ]);
    expect(check.shown?.passages).toHaveLength(1);
    check.move(3);
    expect(check.shown?.passages, "no passage says it").toHaveLength(0);
    check.move(1);
    expect(check.chosen, "the list ends").toBe(3);
  });

  it("is read from a file that is dropped, and from one that is picked", async () => {
    const { app, backend, check } = open();
    const stop = app.start();
    app.navigation.go("check");
    backend.world.emit({ event: "dropped", paths: ["/home/you/plan.docx"] });
    await expect.poll(() => check.result?.statements.length).toBe(2);
    expect(check.name).toBe("plan.docx");
    expect(app.navigation.view, "what is dropped here is no folder for the library").toBe("check");
    await check.pick();
    expect(check.name).toBe("draft.docx");
    stop();
  });

  it("says why a file cannot be read, and keeps what was there", async () => {
    const { check } = open();
    check.text = "One is so.";
    await check.read("/home/you/picture.png");
    expect(check.error?.message).toContain("picture.png");
    expect(check.text).toBe("One is so.");
    await check.check();
    expect(check.error).toBeNull();
  });

  it("can be stopped, and what has its verdict stays to be read", async () => {
    const { check } = open(0.05);
    check.text = "One is so. ".repeat(200);
    const checked = check.check();
    await expect.poll(() => check.statements.length).toBeGreaterThan(0);
    await check.stop();
    await checked;
    expect(check.running).toBe(false);
    expect(check.result).toBeNull();
    expect(check.error).toBeNull();
  });
});
