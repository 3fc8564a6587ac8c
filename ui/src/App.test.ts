// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { openWindow } from "./testing/window";

describe("first run", () => {
  it("explains itself and is useful with the sample library", async () => {
    const { user } = await openWindow({ fresh: true });
    await screen.findByRole("heading", { name: "Answers that hang straight" });
    await user.click(await screen.findByRole("button", { name: "Try the sample library" }));
    await screen.findByRole("heading", { name: "What do you want to know?" });
    await user.click(await screen.findByRole("button", { name: "List all principles" }));
    expect(await screen.findByRole("button", { name: "Loose coupling" })).toBeInTheDocument();
  });
});

describe("asking", () => {
  it("shows a cited answer, its limits, and the passage with marked words", async () => {
    const { ask, user } = await openWindow();
    await ask("Which TLS versions do we allow?");
    expect(screen.getByText("1 sentence withheld")).toBeInTheDocument();
    expect(screen.getByText(/Confidence: medium/)).toBeInTheDocument();
    expect(screen.getByText(/has been superseded by/)).toBeInTheDocument();
    await user.click(screen.getAllByRole("button", { name: /^Source 2: Require TLS/ })[0]!);
    const panel = await screen.findByRole("complementary", { name: "Source" });
    expect(within(panel).getByText(/398 days/, { selector: "mark" })).toBeInTheDocument();
    await within(panel).findByText(/Good, because compliance/);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("complementary", { name: "Source" })).toBeNull();
  });

  it("formats the passage and its neighbours, with the words marked inside the formatting", async () => {
    const { ask, backend, user } = await openWindow();
    const { passages } = backend.world.documents.find(({ row }) => row.id === "adr-0021")!;
    passages[1]!.text = "See [ADR 7](0007.md).\n\n* **Certificates** are valid for *at most 398 days*";
    passages[2]!.text = "| Rule | Limit |\n| --- | --- |\n| Certificates | **398 days** at most |";
    await ask("Which TLS versions do we allow?");
    await user.click(screen.getAllByRole("button", { name: /^Source 2: Require TLS/ })[0]!);
    const panel = await screen.findByRole("complementary", { name: "Source" });
    expect(within(panel).getByText("398 days", { selector: "td strong mark" })).toBeInTheDocument();
    const neighbour = await within(panel).findByText("Certificates", { selector: "li strong" });
    expect(neighbour.querySelector("mark")).toBeNull();
    expect(within(panel).getByText("ADR 7", { selector: "a" })).not.toHaveAttribute("href");
    await user.click(within(panel).getByRole("button", { name: "Whole document" }));
    expect(await screen.findByText("398 days", { selector: "main td strong" })).toBeInTheDocument();
  });

  it("shows a passage of a plain text as it stands", async () => {
    const { ask, backend, user } = await openWindow();
    const document_ = backend.world.documents.find(({ row }) => row.id === "adr-0021")!;
    document_.row.path = "notes/tls.TXT";
    document_.passages[2]!.text = "* Certificates\n    are valid for at most **398 days**";
    await ask("Which TLS versions do we allow?");
    await user.click(screen.getAllByRole("button", { name: /^Source 2: Require TLS/ })[0]!);
    const panel = await screen.findByRole("complementary", { name: "Source" });
    const marked = within(panel).getByText(/398 days/, { selector: "mark" });
    expect(marked.parentElement?.textContent?.trim()).toBe(document_.passages[2]!.text);
  });

  it("offers a picker for an ambiguous term, and choosing answers", async () => {
    const { ask, user } = await openWindow();
    await ask("What is a transformer?");
    expect(
      screen.queryByRole("button", { name: /^Source 1/ }),
      "what can be chosen is named once",
    ).toBeNull();
    await user.click(await screen.findByRole("button", { name: /Grid operations/ }));
    expect(
      await screen.findByText(/A device without moving parts/, { selector: "blockquote" }),
    ).toBeInTheDocument();
  });

  it("offers ways on after a refusal that ask without retyping", async () => {
    const { ask, user } = await openWindow();
    await ask("What is blockchain?");
    expect(screen.getByRole("heading", { name: "Term not found" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: /^Did you mean “congestion”/ }));
    expect(
      await screen.findByText(/asked to carry more than it can/, { selector: "blockquote" }),
    ).toBeInTheDocument();
  });

  it("says with a refusal why, what was searched, what came nearest and how to go on", async () => {
    const { ask, backend, user } = await openWindow();
    const cloud = backend.world.documents.find(({ row }) => row.id === "policy-cloud-use")!;
    cloud.passages[0]!.text = "Workloads run in a **sovereign** [European cloud](cloud.md).";
    await ask("Does the sovereign cloud offer quantum teleportation for lonely penguins?");
    expect(screen.getByRole("heading", { name: "Not enough evidence" })).toBeInTheDocument();
    expect(screen.getByText(/^I searched the library/, { selector: "article p" })).toBeInTheDocument();
    expect(screen.getByText("Workloads run in a sovereign European cloud.")).toBeInTheDocument();
    const waysOn = screen.getByRole("group", { name: "Ways on" });
    expect(within(waysOn).getByRole("button", { name: "List all decision records" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Cloud use — Placement" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Cloud use" })).toBeInTheDocument();
  });

  it("names the owner with a mail link when it is not sure", async () => {
    const { ask } = await openWindow();
    await ask("How long do we keep smart meter data?");
    const card = screen.getByRole("complementary", { name: "Whom to ask" });
    expect(within(card).getByRole("button", { name: "data-governance@example.org" })).toBeInTheDocument();
  });

  it("sorts a list, which is shown once, and opens a document from it", async () => {
    const { ask, user } = await openWindow();
    await ask("List all ADRs");
    expect(screen.getByRole("table")).toBeInTheDocument();
    expect(screen.queryByText(/Require TLS 1.3/, { selector: "article li" })).toBeNull();
    const titles = () =>
      screen
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.textContent);
    const before = titles()[0];
    await user.click(screen.getByRole("button", { name: "Date" }));
    await user.click(screen.getByRole("button", { name: /^Date/ }));
    expect(titles()[0]).not.toBe(before);
    await user.click(screen.getByRole("button", { name: "Use CIM as canonical data model" }));
    expect(
      await screen.findByRole("heading", { level: 1, name: "Use CIM as canonical data model" }),
    ).toBeInTheDocument();
  });

  it("shows what each document of a list by topic says of it, and the table only when asked", async () => {
    const { ask, user } = await openWindow();
    await ask("List all ADRs about TLS");
    const said = screen.getAllByText(/TLS/, { selector: "article li li *, article li li" });
    expect(said.length).toBeGreaterThan(0);
    expect(screen.getByRole("table", { hidden: true })).not.toBeVisible();
    await user.click(screen.getByText(/documents? as a table$/));
    expect(screen.getByRole("table")).toBeVisible();
  });

  it("asks again with an edited question", async () => {
    const { ask, user } = await openWindow();
    await ask("What is blockchain?");
    await user.click(screen.getByRole("button", { name: "Edit the question" }));
    const field = screen.getByRole("textbox", { name: "Edit the question" });
    await user.clear(field);
    await user.type(field, "What is congestion?");
    await user.click(screen.getByRole("button", { name: "Ask again" }));
    expect(await screen.findByRole("heading", { level: 2, name: "What is congestion?" })).toBeInTheDocument();
    expect(screen.queryByRole("heading", { level: 2, name: "What is blockchain?" })).toBeNull();
  });

  it("takes feedback with a comment", async () => {
    const { ask, user, backend } = await openWindow();
    await ask("List all principles");
    await user.click(screen.getByRole("button", { name: "This helped" }));
    await user.type(await screen.findByRole("textbox", { name: /What was good/ }), "complete{Enter}");
    await waitFor(() =>
      expect(backend.world.conversations[0]?.history[0]?.feedback).toEqual({
        verdict: "positive",
        comment: "complete",
      }),
    );
  });

  it("lets nothing of hostile text run, and the answer still shows", async () => {
    const { ask } = await openWindow();
    await ask("hostile 50");
    expect((globalThis as { attacked?: boolean }).attacked).toBeUndefined();
    expect(document.querySelector("main script, main img, main iframe")).toBeNull();
    expect(screen.getByText("Line 50 of a very long answer.", { selector: ".prose p" })).toBeInTheDocument();
  });

  it("shows a failure with a way to try again", async () => {
    const { user } = await openWindow();
    await user.type(await screen.findByLabelText("Your question"), "this fails{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("did not answer within 30 s");
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });
});

describe("check my text", () => {
  it("formats what decides as the sources of an answer are, and the draft's own marks are not shown", async () => {
    const { backend, go, user } = await openWindow();
    const { row, passages } = backend.world.documents[0]!;
    passages[0]!.text = "**Certificates** are valid for *at most 398 days*";
    await go("Check my text");
    await user.type(screen.getByLabelText("Your text"), "- **Certificates** are valid for a year [[1].");
    await user.click(screen.getByRole("button", { name: "Check" }));
    await screen.findByRole("button", { name: /Certificates are valid for a year \[1\]\.$/ });
    const decides = screen.getByRole("region", { name: "What decides" });
    expect(within(decides).getByRole("heading", { name: row.title })).toBeInTheDocument();
    expect(within(decides).getByText("Certificates", { selector: "strong mark" })).toBeInTheDocument();
    expect(within(decides).queryByText("at most 398 days", { selector: "mark" })).toBeNull();
    expect(within(decides).getByText("at most 398 days", { selector: "em" })).toBeInTheDocument();
  });

  it("leads to what comes nearest where no passage decides", async () => {
    const { backend, go, user } = await openWindow();
    const nearest = backend.world.documents[3]!.row;
    await go("Check my text");
    await user.type(screen.getByLabelText("Your text"), "One is so. Two is so. Three is so. Four is so.");
    await user.click(screen.getByRole("button", { name: "Check" }));
    await user.click(await screen.findByRole("button", { name: /Four is so\./ }));
    await user.click(screen.getByRole("button", { name: new RegExp(`^${nearest.title}`) }));
    await screen.findByRole("heading", { level: 1, name: nearest.title });
  });
});

describe("hostile documents and vocabulary", () => {
  it("are shown as text wherever they appear", async () => {
    const { backend, go, user } = await openWindow();
    const evil = '<img src=x onerror="globalThis.attacked=true">\u202e';
    const document_ = backend.world.documents[0]!;
    document_.row.title = evil;
    document_.passages[0]!.text = evil;
    backend.world.emit({ event: "library_changed" });
    await go("Library");
    await user.click(await screen.findByRole("button", { name: /onerror/ }));
    await screen.findByRole("heading", { level: 1, name: /onerror/ });
    expect(document.querySelector("main img")).toBeNull();
    expect((globalThis as { attacked?: boolean }).attacked).toBeUndefined();
    expect(document.body.textContent).not.toContain("\u202e");
  });
});

describe("by keyboard", () => {
  it("opens the palette, finds a document and goes there", async () => {
    const { user } = await openWindow();
    await waitFor(() => expect(screen.getByText(/Ask within/)).toBeInTheDocument());
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "canonical");
    await user.keyboard("{Enter}");
    expect(
      await screen.findByRole("heading", { level: 1, name: /canonical data model/ }),
    ).toBeInTheDocument();
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await screen.findByRole("heading", { name: "What do you want to know?" });
  });

  it("asks from the palette", async () => {
    const { user } = await openWindow();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "What is congestion?{Enter}");
    expect(
      await screen.findByText(/asked to carry more than it can/, { selector: "blockquote" }),
    ).toBeInTheDocument();
  });

  it("lists the shortcuts", async () => {
    const { user } = await openWindow();
    await user.keyboard("{Control>}/{/Control}");
    const list = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(list).getByText("New conversation")).toBeInTheDocument();
  });

  it.each([
    ["2", "Library"],
    ["3", "Decisions"],
    ["6", "Metrics"],
    ["8", "Check my text"],
    ["9", "Settings"],
  ])("goes to a view with Ctrl+%s and puts the focus there", async (key, view) => {
    const { user } = await openWindow();
    await user.keyboard(`{Control>}${key}{/Control}`);
    const heading = await screen.findByRole("heading", { level: 1, name: view });
    await waitFor(() => expect(heading).toHaveFocus());
  });
});

describe("the shell around", () => {
  it("says what is off and until when, and takes it back", async () => {
    const { backend } = await openWindow();
    backend.world.setBanner([{ service: "embeddings", state: "open", retry_in_seconds: 30 }]);
    expect(await screen.findByText(/Embeddings: off/)).toBeInTheDocument();
    expect(screen.getByText(/Next try in (30|29) seconds/)).toBeInTheDocument();
    backend.world.setBanner([]);
    await waitFor(() => expect(screen.queryByText(/Embeddings: off/)).toBeNull());
  });

  it("shows the sign while passages go to another machine", async () => {
    const { backend } = await openWindow();
    backend.world.setState({ remote: { host: "ollama.example.org", encrypted: true, sends_token: true } });
    expect(await screen.findByText(/go to ollama.example.org/)).toBeInTheDocument();
  });

  it("shows how far the engine's start is, and why it failed", async () => {
    const { backend } = await openWindow();
    backend.world.setState({ startup: { phase: "starting", step: "opening the index", done: 1, total: 3 } });
    expect(await screen.findByText("Starting: opening the index")).toBeInTheDocument();
    backend.world.setState({
      startup: { phase: "failed", message: "the index is locked by another program" },
    });
    expect(await screen.findByRole("alert")).toHaveTextContent("locked by another program");
  });

  it("speaks Dutch at once when asked to", async () => {
    const { go, user } = await openWindow();
    await go("Settings");
    await user.selectOptions(await screen.findByLabelText("Language"), "nl");
    expect(await screen.findByRole("heading", { level: 1, name: "Instellingen" })).toBeInTheDocument();
    expect(document.documentElement.lang).toBe("nl");
  });

  it("offers what calibration proposes beside each threshold, one by one and together", async () => {
    const { go, user } = await openWindow();
    await go("Settings");
    const field = await screen.findByLabelText("ADR_Local: Score at which one passage is enough");
    expect(screen.getByRole("button", { name: "Use 0.48" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Use 0.57" }));
    await waitFor(() => expect(field).toHaveValue(0.57));
    expect(screen.queryByRole("button", { name: "Use 0.57" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Use the calibrated values" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Use/ })).toBeNull());
  });

  it("keeps the theme that was chosen", async () => {
    const { go, user, backend } = await openWindow();
    await go("Settings");
    await user.click(await screen.findByLabelText("Dark"));
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
    expect(backend.world.preferences.theme).toBe("dark");
  });
});

describe("the library", () => {
  it("counts as problems only what should be mended, and folds the rest by reason", async () => {
    const { backend, go, user } = await openWindow();
    await go("Library");
    const files = backend.world.documents.length;
    await user.click(await screen.findByRole("tab", { name: "Problems 1" }));
    const missing = screen.getByRole("group", { name: "Not in the library: pages without text" });
    expect(within(missing).getByText("policies/scan-of-1998.pdf")).toBeVisible();
    await user.click(screen.getByRole("tab", { name: "Guesses 1" }));
    expect(screen.getByText("Title guessed", { selector: "summary span" })).toBeVisible();
    expect(screen.queryByText("policies/scan-of-1998.pdf")).toBeNull();
    await user.click(screen.getByRole("tab", { name: `Notes ${files}` }));
    const row = screen.getAllByText("English, by the words of the text.")[0]!;
    expect(row).not.toBeVisible();
    expect(screen.getByText(`${files} files`)).toBeVisible();
    await user.click(screen.getByText("Language taken from the text", { selector: "summary span" }));
    expect(row).toBeVisible();
  });

  it("says of each group that it is empty", async () => {
    const { backend, go, user } = await openWindow();
    backend.world.findings = [];
    backend.world.emit({ event: "library_changed" });
    await go("Library");
    await user.click(await screen.findByRole("tab", { name: "Problems 0" }));
    expect(screen.getByText(/^No problems: /)).toBeInTheDocument();
    await user.click(screen.getByRole("tab", { name: "Guesses 0" }));
    expect(screen.getByText(/^Nothing was guessed/)).toBeInTheDocument();
    await user.click(screen.getByRole("tab", { name: "Notes 0" }));
    expect(screen.getByText("Nothing out of the ordinary.")).toBeInTheDocument();
  });
});

describe("decisions", () => {
  it("show the record that is chosen beside the graph, by keyboard alone, and Enter opens it", async () => {
    const { go, user } = await openWindow();
    await go("Decisions");
    const picture = await screen.findByRole("application", { name: "Graph of decisions" });
    await user.tab();
    while (document.activeElement !== picture) await user.tab();
    await user.keyboard("{Home}");
    const panel = await screen.findByRole("complementary", { name: "Record" });
    expect(within(panel).getByRole("heading", { level: 2 })).toHaveTextContent("Use TLS 1.2");
    expect(within(panel).getByText("superseded by")).toBeVisible();
    expect(await within(panel).findByText(/TLS 1.2 is the minimum/)).toBeVisible();
    await user.keyboard("{ArrowRight}");
    await waitFor(() =>
      expect(within(panel).getByRole("heading", { level: 2 })).toHaveTextContent("Require TLS 1.3"),
    );
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: "Require TLS 1.3 for transport encryption" });
    await user.click(screen.getByRole("button", { name: "Back" }));
    await screen.findByRole("complementary", { name: "Record" });
  });

  it("stand in a table that says the same as the graph", async () => {
    const { go, user } = await openWindow();
    await go("Decisions");
    await user.click(await screen.findByRole("tab", { name: "Table" }));
    const row = screen.getByRole("row", { name: /ADR-0021 Require TLS 1.3/ });
    expect(within(row).getByRole("button", { name: "ADR-0007" }).parentElement).toHaveTextContent(
      "supersedes ADR-0007",
    );
    await user.click(screen.getByRole("button", { name: /^Superseded/ }));
    expect(screen.queryByRole("row", { name: /Use TLS 1.2/ })).toBeNull();
    await user.selectOptions(screen.getByLabelText("Kind"), "Policy");
    expect(screen.getAllByRole("row")).toHaveLength(3);
    await user.selectOptions(screen.getByLabelText("Up to and including the year"), "2019");
    expect(screen.getByText("No record passes these filters.")).toBeVisible();
    await user.click(screen.getAllByRole("button", { name: "Show all" })[0]!);
    expect(screen.getByRole("row", { name: /Use TLS 1.2/ })).toBeVisible();
  });

  it("that oppose each other are shown side by side, and marked", async () => {
    const { go, user } = await openWindow();
    await go("Decisions");
    await user.click(await screen.findByRole("tab", { name: "Contradictions 2" }));
    const pair = screen.getByRole("article", { name: "Two values for the same thing" });
    expect([...pair.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "three years",
      "five years",
    ]);
    await user.click(within(pair).getByRole("button", { name: "Not a contradiction" }));
    await screen.findByRole("tab", { name: "Contradictions 1" });
    await user.click(screen.getByText("1 marked"));
    await user.click(screen.getByRole("button", { name: "Take the mark back" }));
    await screen.findByRole("tab", { name: "Contradictions 2" });
  });

  it("that are held against each other by their words alone say so", async () => {
    const { backend, go, user } = await openWindow();
    backend.world.hasReader = false;
    await go("Decisions");
    await user.click(await screen.findByRole("tab", { name: "Contradictions 2" }));
    expect(screen.getByText(/By their words alone: the reader is off or missing/)).toBeVisible();
  });

  it("that oppose others say so on their own page", async () => {
    const { go, user } = await openWindow();
    await go("Library");
    await user.click(await screen.findByRole("button", { name: "Data retention" }));
    const pair = await screen.findByRole("article", { name: "Two values for the same thing" });
    await user.click(within(pair).getByRole("button", { name: "Known" }));
    await waitFor(() => expect(screen.queryByRole("article")).toBeNull());
  });

  it("name the relations that lead nowhere", async () => {
    const { go, user } = await openWindow();
    await go("Decisions");
    await user.click(await screen.findByRole("tab", { name: "Problems 1" }));
    expect(screen.getByText("Depends on ADR.99.")).toBeVisible();
  });

  it("say what to do where there are none, and why they could not be had", async () => {
    const { backend, go, user } = await openWindow();
    const { graph } = backend.world;
    backend.world.graph = { nodes: [], relations: [], problems: [] };
    await go("Decisions");
    expect(await screen.findByText("No records yet")).toBeVisible();
    await go("Settings");
    Object.defineProperty(backend.world, "graph", {
      configurable: true,
      get: () => {
        throw { code: "port", message: "the index is locked" };
      },
    });
    await go("Decisions");
    expect(await screen.findByRole("alert")).toHaveTextContent("The index is locked");
    Object.defineProperty(backend.world, "graph", { value: graph });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("tab", { name: "Table" })).toBeVisible();
  });
});

describe("the evaluation", () => {
  it("runs the sample's golden set without a file being chosen, and says whose set is in force", async () => {
    const { go, user } = await openWindow();
    await go("Evaluation");
    expect(await screen.findByText("The sample library's golden set")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Run the golden set" }));
    expect(await screen.findByText("112 of 118")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Use the sample's golden set" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Choose your own golden set" }));
    expect(await screen.findByText("Your own golden set")).toBeInTheDocument();
    expect(screen.getByText(/This run asked another golden set/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Use the sample's golden set" }));
    expect(await screen.findByText("The sample library's golden set")).toBeInTheDocument();
  });

  it("says what a golden set is where there is none, and offers two ways to one", async () => {
    const { backend, go, user } = await openWindow();
    await backend.call("remove_folder", { id: "lichtveld" });
    await backend.call("add_folder", { path: "/here/records" });
    backend.world.runs = { running: null, last: null, previous: null };
    await go("Evaluation");
    expect(await screen.findByText(/^A golden set is a file of questions/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Run the golden set" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Choose your own golden set" })).toBeEnabled();
    await user.click(screen.getByRole("button", { name: "Open the sample library" }));
    expect(await screen.findByText("The sample library's golden set")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Run the golden set" })).toBeEnabled();
  });

  it("says why a chosen file cannot be read any more, and the sample's is one press away", async () => {
    const { backend, go, user } = await openWindow();
    backend.world.ownSet = { unreadable: "cannot read /home/you/golden.jsonl: No such file" };
    await go("Evaluation");
    expect(await screen.findByText(/No such file/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Use the sample's golden set" }));
    expect(await screen.findByText("The sample library's golden set")).toBeInTheDocument();
  });
});

describe("conversations", () => {
  it("are deleted with a way back", async () => {
    const { ask, user } = await openWindow();
    await ask("List all principles");
    await user.click(await screen.findByRole("button", { name: "Actions for “List all principles”" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("button", { name: /^List all principles/ })).toBeInTheDocument();
  });
});
