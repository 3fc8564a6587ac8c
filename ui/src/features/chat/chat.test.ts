import { beforeEach, describe, expect, it } from "vitest";
import { Messages } from "../../app/messages.svelte";
import { FakeBackend } from "../../backend/fake/fake";
import { Chat } from "./chat.svelte";

let backend: FakeBackend;
let messages: Messages;
let chat: Chat;

beforeEach(() => {
  backend = new FakeBackend({ pace: 0 });
  messages = new Messages();
  chat = new Chat(backend, messages, () => Date.UTC(2026, 5, 30));
});

describe("the open conversation", () => {
  it("makes a conversation with the first question and keeps to it", async () => {
    await chat.ask("Which TLS versions do we allow?");
    const first = chat.conversationId;
    await chat.ask("List all principles");
    expect(chat.conversationId).toBe(first);
    expect(chat.turns.map((turn) => turn.answer.status)).toEqual(["done", "done"]);
  });

  it("sends what was typed once, and nothing that is blank", async () => {
    chat.draft = "   ";
    await chat.send();
    expect(chat.turns).toHaveLength(0);
    chat.draft = "List all principles";
    await chat.send();
    expect(chat.draft).toBe("");
    expect(chat.turns).toHaveLength(1);
  });

  it("takes one question at a time", async () => {
    const first = chat.ask("Which TLS versions do we allow?");
    await chat.ask("List all principles");
    expect(chat.turns).toHaveLength(1);
    await first;
  });

  it("asks within the collections chosen at the time", async () => {
    chat.toggleCollection("ADR");
    await chat.ask("Which TLS versions do we allow?");
    chat.toggleCollection("ADR");
    expect(chat.turns[0]?.collections).toEqual(["ADR"]);
    expect(chat.collections).toEqual([]);
  });

  it("asks again in place of the answer and all after it", async () => {
    await chat.ask("List all principles");
    await chat.ask("Which TLS versions do we allow?");
    await chat.askEdited(chat.turns[0]!, "List all policies");
    expect(chat.turns.map((turn) => turn.question)).toEqual(["List all policies"]);
    const kept = await backend.call("conversation", { id: chat.conversationId! });
    expect(kept.history).toHaveLength(1);
  });

  it("shows a failure with its code and can try again", async () => {
    await chat.ask("this fails");
    const turn = chat.turns[0]!;
    expect(turn.answer.status).toBe("failed");
    expect(turn.answer.error?.code).toBe("llm_timeout");
    await chat.retry(turn);
    expect(chat.turns).toHaveLength(1);
  });

  it("stops a running answer and keeps what was shown", async () => {
    const slow = new Chat(new FakeBackend({ pace: 0.05 }), messages, Date.now);
    const asked = slow.ask("Which TLS versions do we allow?");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await slow.stop();
    await asked;
    expect(slow.turns[0]?.answer.status).toBe("stopped");
    expect(slow.running).toBeNull();
  });

  it("opens a kept conversation at the turn that was asked for", async () => {
    await chat.ask("Which TLS versions do we allow?");
    const id = chat.conversationId!;
    const turn = chat.turns[0]!.id!;
    chat.startNew();
    await chat.open(id, turn);
    expect(chat.turns[0]?.answer.citations).toHaveLength(3);
    expect(chat.target).toBe(turn);
  });

  it("says so when a conversation is gone", async () => {
    await chat.open("gone");
    expect(chat.error?.code).toBe("not_found");
  });

  it("keeps feedback, and takes it back when it could not be kept", async () => {
    await chat.ask("List all principles");
    const turn = chat.turns[0]!;
    await chat.giveFeedback(turn, { verdict: "positive", comment: null });
    expect(turn.feedback?.verdict).toBe("positive");
    backend.world.conversations = [];
    await chat.giveFeedback(turn, { verdict: "negative", comment: null });
    expect(turn.feedback?.verdict).toBe("positive");
    expect(messages.shown.at(-1)?.failed).toBe(true);
  });

  it("opens five thousand questions by showing the latest", async () => {
    await chat.ask("List all principles");
    const kept = backend.world.conversations[0]!;
    const turn = kept.history[0]!;
    kept.history = Array.from({ length: 5000 }, (_, index) => ({ ...turn, id: `turn-${index}` }));
    chat.startNew();
    await chat.open(kept.id);
    expect(chat.turns).toHaveLength(5000);
    expect(chat.shown.length).toBeLessThan(50);
    expect(chat.shown.at(-1)?.key).toBe("turn-4999");
    await chat.open(kept.id, "turn-4900");
    expect(
      chat.shown.some((one) => one.key === "turn-4900"),
      "the turn that was asked for is shown",
    ).toBe(true);
  });
});

describe("a draft of a record", () => {
  it("is saved where the user says, and says where that is", async () => {
    await chat.saveDraft({ topic: "keys", reference: "ADR-0033", file_name: "0033-keys.md", text: "# Keys" });
    expect(messages.shown.at(-1)?.text).toContain("0033-keys.md");
  });
});
