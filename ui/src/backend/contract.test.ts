// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "./backend";
import { FakeBackend } from "./fake/fake";
import { COMMANDS } from "./generated/commands";
import type { AnswerEvent, Broadcast, Choice, QuestionRequest } from "./generated/types";
import { backendOverMockedShell } from "./mocked-shell";

const BACKENDS = {
  "the stand-in": () => {
    const shell = new FakeBackend({ pace: 0 });
    return { backend: shell as Backend, shell, close: () => {} };
  },
  "the shell over mocked IPC": backendOverMockedShell,
};

function request(query: string, choice: Choice | null = null): QuestionRequest {
  return { query, collections: [], choice };
}

describe.each(Object.entries(BACKENDS))("%s keeps the contract", (_, open) => {
  let backend: Backend;
  let shell: FakeBackend;
  let close: () => void;

  beforeEach(() => ({ backend, shell, close } = open()));
  afterEach(() => close());

  async function ask(query: string, choice: Choice | null = null) {
    const { id } = await backend.call("create_conversation", {});
    const events: AnswerEvent[] = [];
    const asked = backend.stream(
      "ask",
      { conversation_id: id, replaces: null, request: request(query, choice) },
      (event) => events.push(event),
    );
    return { id, events, response: await asked };
  }

  it("streams an answer from accepted to done, and what streamed is what stands", async () => {
    const { events, response } = await ask("Which TLS versions do we allow?");
    expect(events[0]?.event).toBe("accepted");
    expect(events.at(-1)?.event).toBe("done");
    const text = events.map((event) => (event.event === "delta" ? event.text : "")).join("");
    expect(text, "the units make up the answer").toBe(response.answer);
    const cited = events.filter((event) => event.event === "citation").map((event) => event.number);
    expect(cited, "a source is announced once, before its number is read").toEqual([1, 2, 3]);
    expect(events.some((event) => event.event === "withheld")).toBe(true);
  });

  it("reports every stage twice: when it begins and how it went", async () => {
    const { events } = await ask("Which TLS versions do we allow?");
    const stages = events.filter((event) => event.event === "stage");
    const begun = stages.filter((event) => event.report === null).map((event) => event.stage);
    const ended = stages.filter((event) => event.report !== null).map((event) => event.stage);
    expect(ended).toEqual(begun);
  });

  it("takes back what did not hold before it is done", async () => {
    const { events, response } = await ask("Do we run kubernetes?");
    const kinds = events.map((event) => event.event);
    expect(kinds.indexOf("replaced")).toBeGreaterThan(kinds.indexOf("delta"));
    expect(response.refusal_reason).toBe("unsupported");
    expect(response.citations).toEqual([]);
  });

  it("answers a picker's choice without retyping", async () => {
    const asked = await ask("What is a transformer?");
    expect(asked.response.action).toBe("CLARIFY");
    const option = asked.response.clarification?.options[1];
    expect(option).toBeDefined();
    const chosen = await ask(option!.query, option!.choice);
    expect(chosen.response.definition?.uri).toBe("https://vocabulary.example.org/lichtveld/grid/transformer");
  });

  it("refuses with a reason and ways on", async () => {
    const { response } = await ask("What is blockchain?");
    expect(response.refused).toBe(true);
    expect(response.refusal_reason).toBe("terminology_not_found");
    expect(response.suggestions.at(-1)?.choice).toEqual({ kind: "search_documents" });
  });

  it("keeps what was asked, and replaces a turn that was asked anew", async () => {
    const { id, response } = await ask("List all principles");
    const kept = await backend.call("conversation", { id });
    expect(kept.history.map((turn) => turn.question)).toEqual(["List all principles"]);
    const parameters = {
      conversation_id: id,
      replaces: response.request_id,
      request: request("List all policies"),
    };
    await backend.stream("ask", parameters, () => {});
    const replaced = await backend.call("conversation", { id });
    expect(replaced.history.map((turn) => turn.question)).toEqual(["List all policies"]);
  });

  it("rejects with a code when a command fails", async () => {
    await expect(backend.call("conversation", { id: "none" })).rejects.toMatchObject({ code: "not_found" });
    await expect(backend.call("open_link", { address: "javascript:alert(1)" })).rejects.toMatchObject({
      code: "invalid_input",
    });
    const change = { key: "vocabulary.timeout_ms", value: "soon" };
    await expect(backend.call("change_settings", { changes: [change] })).rejects.toMatchObject({
      code: "settings",
    });
  });

  it("stops an answer half-way: a last event, a rejection, and the kept text", async () => {
    const { id } = await backend.call("create_conversation", {});
    const kinds: string[] = [];
    const parameters = { conversation_id: id, replaces: null, request: request("Which TLS versions?") };
    const asked = backend.stream("ask", parameters, (event) => {
      kinds.push(event.event);
      if (event.event === "accepted") void backend.call("stop", { request_id: event.request_id });
    });
    await expect(asked).rejects.toMatchObject({ code: "stopped" });
    expect(kinds.at(-1)).toBe("stopped");
    const kept = await backend.call("conversation", { id });
    expect(kept.history[0]?.outcome).toBe("stopped");
  });

  it("broadcasts indexing until the new generation is searched", async () => {
    const heard: Broadcast[] = [];
    const changed = new Promise<void>((resolve) => {
      backend.listen((broadcast) => {
        heard.push(broadcast);
        if (broadcast.event === "library_changed") resolve();
      });
    });
    // Listening begins a moment later over IPC.
    await backend.call("app_state", {});
    await backend.call("add_folder", { path: "/somewhere/architecture" });
    await changed;
    const phases = heard.flatMap((broadcast) =>
      broadcast.event === "indexing" ? [broadcast.indexing.phase] : [],
    );
    expect(new Set(phases)).toEqual(new Set(["reading", "writing", "idle"]));
  });

  it("falls silent for whoever stops listening", async () => {
    let heard = 0;
    const stop = backend.listen(() => heard++);
    await backend.call("app_state", {});
    stop();
    await backend.call("app_state", {});
    shell.world.setBanner([{ service: "embeddings", state: "open", retry_in_seconds: 30 }]);
    expect(heard).toBe(0);
  });

  it("downloads a model with progress, and only an allowed one", async () => {
    const shares: number[] = [];
    await backend.stream("pull_model", { name: "qwen3:8b" }, (progress) => shares.push(progress.done ?? 0));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect((await backend.call("models", {})).models.find((model) => model.name === "qwen3:8b")?.pulled).toBe(
      true,
    );
    await expect(backend.stream("pull_model", { name: "x" }, () => {})).rejects.toMatchObject({
      code: "model_not_allowed",
    });
  });

  it("gives a passage its neighbours", async () => {
    const context = await backend.call("passage", { source_id: "adr-0021:1" });
    expect(context.before?.source_id).toBe("adr-0021:0");
    expect(context.after?.source_id).toBe("adr-0021:2");
  });
});

it("the table of commands has no doubles", () => {
  expect(new Set(COMMANDS).size).toBe(COMMANDS.length);
});
