// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/svelte";
import axe from "axe-core";
import { expect, it } from "vitest";
import { openWindow } from "./testing/window";

/** What breaks a rule of WCAG 2.2 A or AA; colours are checked in a real browser, since jsdom paints nothing. */
async function violations(): Promise<string[]> {
  const { violations } = await axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: { "color-contrast": { enabled: false } },
  });
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`));
}

it.each([
  "Library",
  "Decisions",
  "Vocabulary",
  "Curated memory",
  "Metrics",
  "Evaluation",
  "Check my text",
  "Settings",
])("%s breaks no rule", async (view) => {
  const { go } = await openWindow();
  await go(view);
  await waitFor(() => expect(screen.queryByText("Loading…")).toBeNull());
  expect(await violations()).toEqual([]);
});

it("a checked text breaks no rule", async () => {
  const { go, user } = await openWindow();
  await go("Check my text");
  await user.type(screen.getByLabelText("Your text"), "One is so. Two is so. Three is so. Four is so.");
  await user.click(screen.getByRole("button", { name: "Check" }));
  for (const statement of await screen.findAllByRole("button", { name: /is so\./ })) {
    await user.click(statement);
    expect(await violations()).toEqual([]);
  }
});

it("a development set that was asked breaks no rule", async () => {
  const { go, user } = await openWindow();
  await go("Evaluation");
  await user.click(await screen.findByRole("tab", { name: "Development set" }));
  expect(await violations()).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Choose a folder of questions" }));
  await user.click(await screen.findByRole("button", { name: "Ask the questions" }));
  await user.click(await screen.findByText("Which TLS version do partners need?", { selector: ".question" }));
  expect(await violations()).toEqual([]);
});

it.each(["Problems", "Guesses", "Notes"])("the library's %s break no rule", async (group) => {
  const { go, user } = await openWindow();
  await go("Library");
  await user.click(await screen.findByRole("tab", { name: new RegExp(`^${group}`) }));
  expect(await violations()).toEqual([]);
});

it.each(["Table", "Contradictions", "Problems"])("the decisions' %s break no rule", async (tab) => {
  const { go, user } = await openWindow();
  await go("Decisions");
  await user.click(await screen.findByRole("tab", { name: new RegExp(`^${tab}`) }));
  expect(await violations()).toEqual([]);
});

it.each([
  ["a cited answer", "Which TLS versions do we allow?"],
  ["a definition", "What is CGMES?"],
  ["a picker", "What is a transformer?"],
  ["a refusal", "Do we run kubernetes?"],
  ["a list", "List all ADRs"],
  ["an owner", "How long do we keep smart meter data?"],
])("%s breaks no rule", async (_, question) => {
  const { ask } = await openWindow();
  await ask(question);
  expect(await violations()).toEqual([]);
});

it("the source panel and a dialog break no rule", async () => {
  const { ask, user } = await openWindow();
  await ask("Which TLS versions do we allow?");
  await user.click(screen.getAllByRole("button", { name: /^Source 1: / })[0]!);
  await screen.findByRole("complementary", { name: "Source" });
  expect(await violations()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Pin these sources to the question" }));
  await screen.findByRole("dialog");
  expect(await violations()).toEqual([]);
});

it("the first run breaks no rule", async () => {
  await openWindow({ fresh: true });
  await screen.findByRole("heading", { name: "Answers that hang straight" });
  expect(await violations()).toEqual([]);
});

it("the palette breaks no rule", async () => {
  const { user } = await openWindow();
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  expect(await violations()).toEqual([]);
});
