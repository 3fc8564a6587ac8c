// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { openWindow } from "../../testing/window";
import { t, useLanguage } from "../../i18n/i18n.svelte";

async function openTab() {
  const window = await openWindow();
  await window.go("Evaluation");
  await window.user.click(await screen.findByRole("tab", { name: "Development set" }));
  return window;
}

describe("a development set", () => {
  it("is chosen, asked and shown with what was right, by form and by language", async () => {
    const { user } = await openTab();
    expect(await screen.findByText(/a folder with a file questions\.jsonl/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Ask the questions" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Choose a folder of questions" }));
    expect(await screen.findByText("/home/you/questions")).toBeInTheDocument();
    expect(screen.getByText(/^2 questions are left out/)).toHaveTextContent(
      "(records/0099-not-here.md and 2 more). Add the folder",
    );
    await user.click(screen.getByRole("button", { name: "Ask the questions" }));
    const figure = async (name: string) =>
      (await screen.findAllByText(name)).find((found) => found.tagName === "DT")?.nextElementSibling;
    expect(await figure("Right in all")).toHaveTextContent("44 of 60");
    expect(await figure("Behaviour")).toHaveTextContent("55 of 60");
    expect(await figure("Documents")).toHaveTextContent("51 of 60");
    expect(await figure("Content")).toHaveTextContent("49 of 60");
    expect(await figure("Median length")).toHaveTextContent("410");
    const rows = (name: string) =>
      within(screen.getByRole("table", { name }))
        .getAllByRole("row")
        .map((row) => [...row.children].map((cell) => cell.textContent).join(" "));
    expect(rows("By form")).toContain("Form 1 40 30 37 35 33 88% 410");
    expect(rows("By form"), "what was never cited has no precision").toContain("Form 12 8 5 6 6 5 – –");
    expect(rows("By language")).toContain("Dutch 24 16 21 19 19 79% 410");
  });

  it("shows of a failing question what was expected and what came, and asks it again", async () => {
    const { user } = await openTab();
    await user.click(await screen.findByRole("button", { name: "Choose a folder of questions" }));
    await user.click(await screen.findByRole("button", { name: "Ask the questions" }));
    const summary = (
      await screen.findByText("Which TLS version do partners need?", { selector: ".question" })
    ).closest("summary")!;
    expect(summary).toHaveTextContent(/Documents\s*Content/);
    expect(summary).not.toHaveTextContent("Behaviour");
    const failure = summary.closest("details")!;
    expect(failure.open).toBe(false);
    await user.click(summary);
    expect(failure.open).toBe(true);
    for (const shown of [
      "A fact of a record",
      "adr/0021-require-tls-1-3.md",
      "TLS 1.3 | TLSv1.3",
      "TLS 1.0",
      "An answer from documents",
      "Connections use TLS 1.2.",
    ]) {
      expect(within(failure).getByText(shown)).toBeVisible();
    }
    const hostile = screen.getByText("<b>The model did not answer.</b>");
    expect(hostile.querySelector("b"), "what came is text").toBeNull();
    await user.click(within(failure).getByRole("button", { name: "Ask this question" }));
    expect(await screen.findByLabelText("Your question")).toBeInTheDocument();
  });

  it("shows how far it is, can be stopped, and then keeps nothing; no other run begins meanwhile", async () => {
    const { backend, user } = await openTab();
    await user.click(await screen.findByRole("button", { name: "Choose a folder of questions" }));
    let resume = () => {};
    // Calls are answered; the run stands still after its first step.
    backend.world.wait = (time) =>
      time === 150 ? new Promise<void>((resolve) => (resume = resolve)) : Promise.resolve();
    await user.click(await screen.findByRole("button", { name: "Ask the questions" }));
    expect(await screen.findByText("0 of 60 asked, 0 not as expected")).toBeInTheDocument();
    await user.click(screen.getByRole("tab", { name: "Golden set" }));
    expect(await screen.findByRole("button", { name: "Run the golden set" })).toBeDisabled();
    await user.click(screen.getByRole("tab", { name: "Development set" }));
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    resume();
    expect(await screen.findByText("Not run yet")).toBeInTheDocument();
    expect(screen.queryByText(/not as expected/)).toBeNull();
  });

  it("that cannot be asked says why, and leaves what was chosen", async () => {
    const { backend, user } = await openTab();
    backend.world.badFolder = "/x/questions.jsonl, line 3: missing field `form`";
    await user.click(await screen.findByRole("button", { name: "Choose a folder of questions" }));
    expect(await screen.findByText(/questions\.jsonl, line 3: missing field/)).toBeInTheDocument();
    expect(screen.getByText("No folder of questions")).toBeInTheDocument();
  });

  it("whose folder is gone says so in place", async () => {
    const { backend, go, user } = await openWindow();
    backend.world.developmentSet = {
      unusable: "/x holds no questions.jsonl. Choose the folder in which it lies.",
    };
    await go("Evaluation");
    await user.click(await screen.findByRole("tab", { name: "Development set" }));
    expect(await screen.findByText(/holds no questions\.jsonl/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Choose a folder of questions" })).toBeEnabled();
  });

  it("is told in Dutch", async () => {
    const { user } = await openTab();
    await user.click(await screen.findByRole("button", { name: "Choose a folder of questions" }));
    await user.click(await screen.findByRole("button", { name: "Ask the questions" }));
    await screen.findByRole("table", { name: "By form" });
    useLanguage("nl");
    const table = await screen.findByRole("table", { name: "Per taal" });
    await waitFor(() => expect(within(table).getByText("Nederlands")).toBeInTheDocument());
    expect(screen.getAllByText(t("mistake.behaviour"))[0]).toHaveTextContent("Gedrag");
  });
});

describe("the golden set", () => {
  it("is shown by the half that may be looked at and the one that is only reported", async () => {
    const { go } = await openWindow();
    await go("Evaluation");
    const table = await screen.findByRole("table", { name: "By half" });
    const row = (name: string) => within(table).getByRole("rowheader", { name }).closest("tr");
    expect(row("May be looked at")).toHaveTextContent("40/43");
    expect(row("Only reported")).toHaveTextContent("43/48");
    expect(row("About no document")).toHaveTextContent("27/27");
  });
});
