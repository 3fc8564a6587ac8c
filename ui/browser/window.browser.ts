import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, executable, go, launch, open } from "./page";

const SIZES = {
  "900 by 600": { width: 900, height: 600 },
  "1440 by 900": { width: 1440, height: 900 },
  // 900 by 600 at 200 % zoom.
  "450 by 300": { width: 450, height: 300 },
  "3840 by 2160": { width: 3840, height: 2160 },
};

const SCENES: Record<string, (page: Page) => Promise<void>> = {
  "a cited answer with its source": async (page) => {
    await ask(page, "Which TLS versions do we allow?");
    await page.click(".citation");
    await page.waitForSelector("aside mark");
  },
  "a definition": (page) => ask(page, "What is CGMES?"),
  "a picker": (page) => ask(page, "What is a transformer?"),
  "a refusal": (page) => ask(page, "Do we run kubernetes?"),
  "an owner": (page) => ask(page, "How long do we keep smart meter data?"),
  "a list": (page) => ask(page, "List all ADRs"),
  library: (page) => go(page, 2),
  decisions: (page) => go(page, 3),
  "a record in the graph of decisions": async (page) => {
    await go(page, 3);
    await page.focus("[data-focus=picture]");
    await page.keyboard.press("Home");
    await page.waitForSelector("aside[aria-label=Record] .passage");
  },
  "decisions as a table": async (page) => {
    await go(page, 3);
    await page.click("[role=tab] >> text=Table");
  },
  contradictions: async (page) => {
    await go(page, 3);
    await page.click("[role=tab] >> text=Contradictions");
    await page.click("article >> text=Known");
    await page.click("summary");
  },
  "problems of relations": async (page) => {
    await go(page, 3);
    await page.click("[role=tab] >> text=Problems");
  },
  vocabulary: (page) => go(page, 4),
  memory: (page) => go(page, 5),
  metrics: (page) => go(page, 6),
  evaluation: (page) => go(page, 7),
  "a text to check": (page) => go(page, 8),
  "a checked text": async (page) => {
    await go(page, 8);
    await page.fill("main textarea", "One is so. Two is so. Three is so. Four is so.");
    await page.keyboard.press("Control+Enter");
    await page.click("main ol li:nth-child(4) button");
    await page.waitForSelector("main section section p");
  },
  settings: async (page) => {
    await go(page, 9);
    await page.waitForSelector("main select");
  },
};

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  });
}

describe.skipIf(!executable)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  describe.each(["light", "dark"])("%s", (theme) => {
    it.each(Object.keys(SCENES))("%s breaks no rule of WCAG 2.2 AA, colours included", async (scene) => {
      const { page, errors } = await open(browser, SIZES["1440 by 900"], `theme=${theme}`);
      await SCENES[scene]!(page);
      expect(await violations(page)).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    });

    it("the first run, the banner and the remote sign break no rule", async () => {
      for (const query of ["fresh", "degraded&remote"]) {
        const { page } = await open(browser, SIZES["900 by 600"], `${query}&theme=${theme}`);
        expect(await violations(page)).toEqual([]);
        await page.close();
      }
    });
  });

  describe.each(Object.entries(SIZES))("%s", (_, size) => {
    it.each(Object.keys(SCENES))("%s needs no sideways scrolling", async (scene) => {
      const { page } = await open(browser, size, "");
      await SCENES[scene]!(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await page.evaluate(() => window.scrollY), "the window as a whole never scrolls").toBe(0);
      await page.close();
    });
  });

  it("hostile text runs nothing, fetches nothing and breaks no layout", async () => {
    const { page, foreign, errors } = await open(browser, SIZES["900 by 600"], "");
    await ask(page, "hostile 10000");
    expect(await page.evaluate(() => (globalThis as { attacked?: boolean }).attacked)).toBeUndefined();
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(wide).toBe(false);
    await page.close();
  });
});
