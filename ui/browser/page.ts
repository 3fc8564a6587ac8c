import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { inject } from "vitest";

const PLACES = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The browser on this machine, if there is one. */
export const executable = PLACES.find((place) => place !== undefined && existsSync(place));

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu"] });
}

export interface Opened {
  page: Page;
  /** Addresses outside the page's own server that were asked for. */
  foreign: string[];
  errors: string[];
}

/** The window's page in this size, over a stand-in that loses no time. */
export async function open(
  browser: Browser,
  size: { width: number; height: number },
  query: string,
): Promise<Opened> {
  const page = await browser.newPage({ viewport: size, reducedMotion: "reduce" });
  const address = inject("address");
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${address}?pace=0&${query}`);
  await page.waitForSelector("main");
  return { page, foreign, errors };
}

export async function ask(page: Page, question: string): Promise<void> {
  await page.fill("[data-focus=question]", question);
  await page.keyboard.press("Enter");
  await page.waitForSelector("article[aria-busy=false]:last-of-type");
  await page.waitForFunction(() => document.querySelector("article[aria-busy=true]") === null);
}

/** Goes to a view; in a narrow window by way of its menu. */
export async function go(page: Page, number: number): Promise<void> {
  await page.keyboard.press(`Control+${number}`);
  await page.waitForFunction(() => !document.body.textContent?.includes("Loading…"));
}
