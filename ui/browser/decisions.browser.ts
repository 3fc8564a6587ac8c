import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executable, go, launch, open } from "./page";

const SIZE = { width: 1440, height: 900 };

async function picture(browser: Browser, query: string) {
  const opened = await open(browser, SIZE, query);
  await go(opened.page, 3);
  await opened.page.waitForSelector("[data-focus=picture] svg path");
  return opened;
}

const elements = (page: Page) =>
  page.evaluate(() => document.querySelectorAll("[data-focus=picture] *").length);

/** How long each frame took, in milliseconds, while the hand did its work. */
async function frames(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const scope = window as unknown as { frames: number[]; watching: boolean };
    scope.frames = [];
    scope.watching = true;
    let last = performance.now();
    const next = (now: number) => {
      scope.frames.push(now - last);
      last = now;
      if (scope.watching) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await work();
  return page.evaluate(() => {
    const scope = window as unknown as { frames: number[]; watching: boolean };
    scope.watching = false;
    return scope.frames;
  });
}

function figure(name: string, taken: number[]): void {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
  console.info(`${name}: ${taken.length} frames, median ${at(0.5)} ms, 95 in 100 within ${at(0.95)} ms`);
}

async function drag(page: Page): Promise<void> {
  await page.mouse.move(800, 600);
  await page.mouse.down();
  for (let step = 0; step < 30; step++) await page.mouse.move(800 - step * 8, 600 - (step % 20) * 6);
  await page.mouse.up();
}

describe.skipIf(!executable)("the graph of decisions in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it("of a thousand records is some hundreds of elements at most, from afar and near by", async () => {
    const { page, errors } = await picture(browser, "records=1000");
    expect(await elements(page)).toBeLessThan(200);
    figure("1,000 records, all in sight, dragged", await frames(page, () => drag(page)));
    await page.mouse.move(700, 500);
    figure(
      "1,000 records, zoomed in",
      await frames(page, async () => {
        for (let step = 0; step < 35; step++) await page.mouse.wheel(0, -40);
      }),
    );
    await page.waitForSelector("[data-focus=picture] text.head");
    expect(await elements(page)).toBeLessThan(3000);
    figure("1,000 records, near by, dragged", await frames(page, () => drag(page)));
    expect(errors).toEqual([]);
    await page.close();
  });

  it("moves a thousand records by changing one attribute", async () => {
    const { page } = await picture(browser, "records=1000");
    const changed = await page.evaluate(async () => {
      const seen: string[] = [];
      const target = document.querySelector("[data-focus=picture]")!;
      const observer = new MutationObserver((records) =>
        seen.push(...records.map((record) => `${record.target.nodeName} ${record.attributeName}`)),
      );
      observer.observe(target, { subtree: true, childList: true, attributes: true });
      const box = target.getBoundingClientRect();
      const point = (type: string, x: number) =>
        target.dispatchEvent(
          new PointerEvent(type, {
            bubbles: true,
            pointerId: 1,
            button: 0,
            clientX: x,
            clientY: box.y + 300,
          }),
        );
      target.setPointerCapture = () => {};
      point("pointerdown", box.x + 300);
      for (let step = 1; step <= 10; step++) {
        point("pointermove", box.x + 300 + step * 6);
        await new Promise((done) => requestAnimationFrame(done));
      }
      point("pointerup", box.x + 360);
      await new Promise((done) => requestAnimationFrame(done));
      return [...new Set(seen)].filter((one) => one.startsWith("g ") || !one.endsWith(" class"));
    });
    expect(changed).toEqual(["g transform"]);
    await page.close();
  });

  it("is laid out anew at once, also for who wants no motion", async () => {
    const { page } = await picture(browser, "records=1000");
    const drawn = () =>
      page.evaluate(() => {
        const path = [...document.querySelectorAll("[data-focus=picture] svg path[fill^=var]")].at(-1)!;
        return { said: path.getAttribute("d"), shown: getComputedStyle(path).getPropertyValue("d") };
      });
    const before = await drawn();
    await page.selectOption("select[aria-label=Arrangement]", "timeline");
    await page.waitForFunction(() => document.querySelectorAll("[data-focus=picture] svg path").length > 0);
    const after = await drawn();
    expect(after.said).not.toBe(before.said);
    expect(after.shown).not.toBe(before.shown);
    await page.close();
  });

  it("follows relations, focuses and opens by keyboard alone", async () => {
    const { page } = await picture(browser, "records=30");
    while (!(await page.evaluate(() => document.activeElement?.matches("[data-focus=picture]")))) {
      await page.keyboard.press("Tab");
    }
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineWidth);
    expect(Number.parseFloat(ring)).toBeGreaterThanOrEqual(2);
    await page.keyboard.press("Home");
    const title = page.locator("aside[aria-label=Record] h2");
    const first = await title.textContent();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
      (text) => document.querySelector("aside[aria-label=Record] h2")?.textContent !== text,
      first,
    );
    await page.keyboard.press("f");
    await page.waitForSelector("text=/^Around /");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:not(:text('Decisions'))");
    await page.close();
  });

  it("holds every label inside its card", async () => {
    const { page } = await picture(browser, "records=30");
    const over = await page.evaluate(() =>
      [...document.querySelectorAll<SVGGElement>("[data-focus=picture] svg g > rect ~ text")].flatMap(
        (text) => {
          const card = text.parentElement!.querySelector("rect")!.getBoundingClientRect();
          const words = text.getBoundingClientRect();
          return words.right > card.right + 1 || words.left < card.left - 1 ? [text.textContent] : [];
        },
      ),
    );
    expect(over).toEqual([]);
    await page.close();
  });
});
