import { beforeEach, describe, expect, it, vi } from "vitest";
import { Desk } from "../app/desk";
import { FakeBackend } from "../backend/fake/fake";
import type { ThresholdRow } from "../backend/generated/types";
import { currentLanguage, useLanguage } from "../i18n/i18n.svelte";
import { total } from "./metrics/metrics.svelte";
import { isLoopback, sendsInTheClear } from "./settings/settings.svelte";
import { answerWithSources, citationText } from "./source/citation-text";

let backend: FakeBackend;
let desk: Desk;

beforeEach(() => {
  useLanguage("en");
  backend = new FakeBackend({ pace: 0 });
  desk = new Desk(backend);
  desk.start();
});

/** Until what was set in motion has come to rest. */
async function settle(check: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!check()) throw new Error("not yet");
    },
    { timeout: 10_000 },
  );
}

describe("conversations", () => {
  it("are listed as they are asked, found by their words, renamed, deleted and restored", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    await desk.conversations.load();
    const [conversation] = desk.conversations.list.value!;
    expect(conversation?.title).toBe("Which TLS versions do we allow?");
    await desk.conversations.searchFor("398 days");
    expect(desk.conversations.list.value?.[0]?.excerpt).toContain("398 days");
    await desk.conversations.searchFor("nothing like it");
    expect(desk.conversations.list.value).toEqual([]);
    await desk.conversations.searchFor("");
    await desk.conversations.rename(conversation!.id, "TLS");
    expect(desk.conversations.list.value?.[0]?.title).toBe("TLS");
    await desk.conversations.remove(desk.conversations.list.value![0]!);
    expect(desk.conversations.list.value).toEqual([]);
    desk.messages.shown.at(-1)?.action?.run();
    await settle(() => desk.conversations.list.value?.length === 1);
  });

  it("say where an export went", async () => {
    await desk.chat.ask("List all principles");
    await desk.conversations.export(desk.chat.conversationId!, "evidence_pack");
    expect(desk.messages.shown.at(-1)?.text).toMatch(/\.json\.$/);
  });
});

describe("the source panel", () => {
  it("knows the sentences that rest on the passage, and shows the neighbours and notices", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    const { answer } = desk.chat.turns[0]!;
    await desk.source.open(answer.citations[1]!, answer.text, answer.response!.notices);
    expect(desk.source.opened!.support.map((sentence) => sentence.trim())).toEqual([
      "Certificates are valid for at most 398 days  .",
    ]);
    expect(desk.source.context.value?.before?.source_id).toBe("adr-0021:1");
    expect(desk.source.opened!.notices.map((notice) => notice.kind)).toEqual(["stale"]);
  });

  it("still shows the passage when the document is gone", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    const { answer } = desk.chat.turns[0]!;
    backend.world.documents = [];
    await desk.source.open(answer.citations[0]!, answer.text, []);
    expect(desk.source.opened?.citation.snippet_full).toContain("TLS 1.3 is required");
    expect(desk.source.context.error?.code).toBe("not_found");
  });

  it("copies a citation with all that finds it again, and an answer with footnotes", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    const { answer } = desk.chat.turns[0]!;
    expect(citationText(answer.citations[0]!)).toBe(
      "Require TLS 1.3 for transport encryption, ADR-0021, § Decision Outcome, v1.1, accepted, 2024-01-23 (adr/0021-require-tls-1-3-for-transport-encryption.md)",
    );
    const copied = answerWithSources("Yes [1]. No [7].", answer.citations);
    expect(copied).toContain("Yes [^1]. No [7].");
    expect(copied).toContain("[^3]: Use TLS 1.2");
  });
});

describe("the library", () => {
  it("filters by collection, status and words", async () => {
    await settle(() => desk.library.documents.value !== null);
    desk.library.collection = "ADR";
    desk.library.standing = "superseded";
    expect(desk.library.found.map((row) => row.id)).toEqual(["adr-0007"]);
    desk.library.standing = null;
    desk.library.text = "canonical CIM";
    expect(desk.library.found.map((row) => row.id)).toEqual(["adr-0012"]);
  });

  it("shows progress of an added folder until it is searched, and takes drops", async () => {
    await settle(() => desk.library.overview.value !== null);
    const phases: string[] = [];
    backend.listen(() => phases.push(desk.library.overview.value?.indexing.phase ?? "none"));
    backend.world.emit({ event: "dropped", paths: ["/here/records"] });
    await settle(() => desk.library.overview.value?.generation === 2);
    expect(desk.navigation.view).toBe("library");
    expect(phases).toContain("reading");
    expect(phases).toContain("writing");
    expect(desk.library.indexing).toBe(false);
    expect(desk.library.overview.value?.folders.map((folder) => folder.name)).toContain("records");
  });

  it("stops indexing and says what is left", async () => {
    const slow = new FakeBackend({ pace: 0.05 });
    const other = new Desk(slow);
    other.start();
    await settle(() => other.library.overview.value !== null);
    await other.library.addAll(["/here/records"]);
    await other.library.stopIndexing();
    await settle(() => other.library.overview.value?.indexing.phase === "stopped");
  });

  it("tells problems, guesses and notes apart, each by its reason", async () => {
    await settle(() => desk.library.findings.value !== null && desk.library.overview.value !== null);
    const documents = desk.library.documents.value!.length;
    expect(desk.library.overview.value!.findings).toEqual({ problems: 1, guesses: 1, notes: documents });
    expect(desk.library.reasons("problem").map((reason) => reason.code)).toEqual(["no_text"]);
    const [notes, ...others] = desk.library.reasons("note");
    expect([notes!.code, notes!.files, others]).toEqual(["language_detected", documents, []]);
  });

  it("asks anew what was found when the settings change, since it is told in the user's language", async () => {
    await settle(() => desk.library.findings.value !== null);
    backend.world.findings = [];
    await desk.settings.load();
    await desk.settings.change("general.language", "nl");
    await settle(() => desk.library.findings.value!.length === 0);
  });

  it("counts a file once for a reason, however often that holds, and the frequent reason first", async () => {
    const finding = {
      group: "problem",
      folder: "records",
      path: "adr/1.md",
      reason: "it leads nowhere",
    } as const;
    backend.world.findings = [
      { ...finding, path: "", code: "indexing_failed" },
      { ...finding, code: "reference_unresolved" },
      { ...finding, code: "reference_unresolved" },
    ];
    await desk.library.load();
    const reasons = desk.library.reasons("problem");
    expect(reasons.map(({ code, files }) => [code, files])).toEqual([
      ["reference_unresolved", 1],
      ["indexing_failed", 0],
    ]);
    expect(new Set(reasons.flatMap((one) => one.findings.map((row) => row.number))).size).toBe(3);
  });

  it("refuses a folder twice with the reason", async () => {
    await desk.library.addAll(["/here/records"]);
    await desk.library.addAll(["/here/records"]);
    expect(desk.messages.shown.at(-1)).toMatchObject({ failed: true });
  });

  it("tells where a document was cited", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    await desk.document.open("adr-0021");
    expect(desk.document.view.value?.cited_in[0]?.question).toBe("Which TLS versions do we allow?");
    await desk.document.open("gone");
    expect(desk.document.view.error?.code).toBe("not_found");
  });
});

describe("the vocabulary browser", () => {
  it("unfolds the hierarchy and opens a definition", async () => {
    await desk.vocabulary.load();
    const [top] = desk.vocabulary.top;
    await desk.vocabulary.toggle(top!);
    expect(desk.vocabulary.below.get(top!.uri)?.length).toBeGreaterThan(0);
    await desk.vocabulary.toggle(top!);
    expect(desk.vocabulary.unfolded.size).toBe(0);
    await desk.vocabulary.open(top!.uri);
    expect(desk.vocabulary.concept.value?.preferred_label).toBe("asset management");
  });

  it("finds a term by another label and says which", async () => {
    await desk.vocabulary.searchFor("CGMES");
    expect(desk.vocabulary.results.value?.[0]).toMatchObject({ matched_label: "CGMES" });
    await desk.vocabulary.searchFor(" ");
    expect(desk.vocabulary.results.value).toBeNull();
  });
});

describe("curated memory", () => {
  it("pins the sources of an answer to its question, each section once", async () => {
    await desk.chat.ask("Which TLS versions do we allow?");
    desk.memory.pin("Which TLS versions do we allow?", desk.chat.turns[0]!.answer.citations);
    expect(desk.memory.draft?.pointers).toEqual([
      { document_id: "adr-0021", section: "Decision Outcome" },
      { document_id: "adr-0007", section: "Decision Outcome" },
    ]);
    expect(await desk.memory.save()).toBe(true);
    expect(desk.memory.inUse.some((entry) => entry.title === "Which TLS versions do we allow?")).toBe(true);
  });

  it("does not save what lacks a question or a source", async () => {
    desk.memory.begin("pinned");
    expect(await desk.memory.save()).toBe(false);
    expect(desk.memory.flaw).toBe("title");
    desk.memory.draft!.title = "Why?";
    expect(desk.memory.flaw).toBe("pointers");
    desk.memory.begin("note");
    desk.memory.draft!.title = "A note";
    expect(desk.memory.flaw).toBeNull();
  });

  it("keeps the draft when the host refuses it", async () => {
    desk.memory.begin("pinned");
    Object.assign(desk.memory.draft!, {
      title: "Why?",
      pointers: [{ document_id: "adr-9999", section: null }],
    });
    expect(await desk.memory.save()).toBe(false);
    expect(desk.memory.draft).not.toBeNull();
    expect(desk.messages.shown.at(-1)?.text).toContain("adr-9999");
  });

  it("shows what is retired and why, and renews it", async () => {
    await desk.memory.load();
    expect(desk.memory.retired[0]?.retired?.reason).toContain("has changed");
    await desk.memory.renew(desk.memory.retired[0]!);
    expect(desk.memory.retired).toEqual([]);
  });
});

describe("metrics", () => {
  it("move with every question and draw a curve", async () => {
    await desk.metrics.refresh();
    await desk.chat.ask("What is blockchain?");
    await desk.metrics.refresh();
    expect(total(desk.metrics.snapshot.value!.requests)).toBe(1);
    expect(desk.metrics.snapshot.value!.abstentions).toEqual([{ label: "terminology_not_found", count: 1 }]);
    expect(desk.metrics.samples.map((sample) => sample.requests)).toEqual([0, 1]);
  });

  it("are fetched only while they are looked at", async () => {
    vi.useFakeTimers();
    const call = vi.spyOn(backend, "call");
    const stop = desk.metrics.watch();
    await vi.advanceTimersByTimeAsync(4100);
    const while_watched = call.mock.calls.length;
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(call.mock.calls.length).toBe(while_watched);
    vi.useRealTimers();
  });
});

describe("the evaluation", () => {
  it("compares a run with the one before", async () => {
    await desk.evaluation.load();
    expect(desk.evaluation.overall?.change).toBeCloseTo(-1 / 118);
    await desk.evaluation.start();
    await settle(() => desk.evaluation.evaluation.value?.last?.overall.passed === 112);
    expect(desk.evaluation.running).toBe(false);
    expect(desk.evaluation.overall?.change).toBeCloseTo(2 / 118);
  });

  it("runs the sample's set until another is chosen, and goes back to it", async () => {
    const set = () => desk.evaluation.evaluation.value?.golden_set?.origin;
    await desk.evaluation.load();
    expect(set()).toBe("sample");
    await desk.evaluation.pickGoldenSet();
    expect(set()).toBe("own");
    expect(desk.evaluation.ranAnotherSet).toBe(true);
    await desk.evaluation.start();
    await settle(() => desk.evaluation.evaluation.value?.last?.overall.passed === 112);
    expect(desk.evaluation.ranAnotherSet).toBe(false);
    expect(desk.evaluation.overall?.change, "runs of other questions are not compared").toBeNull();
    await desk.evaluation.useSample();
    expect(set()).toBe("sample");
  });

  it("has a set as soon as the sample library is there, and none when it is gone", async () => {
    const [sample] = (await backend.call("library", {})).folders;
    await desk.evaluation.load();
    await desk.library.remove(sample!);
    await settle(() => desk.evaluation.evaluation.value?.golden_set === null);
    expect(desk.evaluation.evaluation.value?.sample_available).toBe(false);
    await desk.library.openSample();
    await settle(() => desk.evaluation.evaluation.value?.golden_set?.origin === "sample");
  });

  it("says why it cannot run", async () => {
    backend.world.state.sample_library = false;
    await desk.evaluation.start();
    expect(desk.messages.shown.at(-1)?.text).toContain("golden set");
  });
});

describe("settings", () => {
  it("change the language of the window at once", async () => {
    await desk.settings.load();
    await desk.settings.change("general.language", "nl");
    expect(currentLanguage()).toBe("nl");
  });

  it("refuse a wrong value beside its field and keep the old one", async () => {
    await desk.settings.load();
    await desk.settings.change("models.ollama_url", "not an address");
    expect(desk.settings.refused?.key).toBe("models.ollama_url");
    expect(desk.settings.report.value?.settings.models.ollama_url).toBe("http://localhost:11434");
  });

  it("lock what comes from outside the settings file", async () => {
    backend.world.settings.origins["models.answer"] = "environment";
    await desk.settings.load();
    expect(desk.settings.lockedBy("models.answer")).toBe("environment");
    expect(desk.settings.lockedBy("models.judge")).toBeNull();
  });

  it("show the sign for a remote server as long as passages go there", async () => {
    await desk.settings.changeAll([
      { key: "models.ollama_url", value: "https://ollama.example.org" },
      { key: "models.answer", value: "llama3.2" },
    ]);
    expect(desk.window.state?.remote).toMatchObject({ host: "ollama.example.org", encrypted: true });
    await desk.settings.change("models.answer", null);
    expect(desk.window.state?.remote).toBeNull();
  });

  it("know where a token would be readable", () => {
    expect(sendsInTheClear("http://ollama.example.org:11434")).toBe(true);
    expect(sendsInTheClear("https://ollama.example.org")).toBe(false);
    for (const address of ["http://localhost:11434", "http://127.0.0.1", "http://[::1]:11434"]) {
      expect(isLoopback(address), address).toBe(true);
    }
  });

  it("keep a token without ever showing it", async () => {
    await desk.settings.keepToken("secret");
    expect(desk.settings.token.value).toEqual({
      place: "session",
      keyring_problem: "no secret service answers",
    });
    await desk.settings.forgetToken();
    expect(desk.settings.token.value?.place).toBe("none");
  });

  it("take calibrated thresholds, and refuse what lies outside 0 and 1", async () => {
    await desk.settings.loadDetails();
    const row = () => desk.settings.thresholds.value!.find((one: ThresholdRow) => one.name === "ADR_Local")!;
    await desk.settings.useCalibrated(row());
    expect(row().values.single_hit).toBe(0.57);
    await desk.settings.changeThreshold("ADR_Local", "single_hit", 2);
    expect(row().values.single_hit).toBe(0.57);
    await desk.settings.changeThreshold("ADR_Local", "single_hit", null);
    expect(row().values.single_hit).toBe(row().defaults.single_hit);
  });

  it("download a model with progress and can stop it", async () => {
    const slow = new Desk(new FakeBackend({ pace: 0.05 }));
    const pulled = slow.settings.pull("qwen3:8b");
    await settle(() => slow.settings.pulling?.progress != null);
    await slow.settings.stopPull();
    await pulled;
    expect(slow.settings.pulling).toBeNull();
    expect(slow.messages.shown, "stopping is no error").toEqual([]);
  });
});

describe("the window", () => {
  it("shows the banner while something is off, and it goes by itself", async () => {
    await settle(() => desk.window.ready);
    backend.world.setBanner([{ service: "embeddings", state: "open", retry_in_seconds: 30 }]);
    expect(desk.window.banner[0]?.service).toBe("embeddings");
    await desk.chat.ask("Which TLS versions do we allow?");
    expect(desk.chat.turns[0]?.answer.response?.fallback_mode).toBe(true);
    backend.world.setBanner([]);
    expect(desk.window.banner).toEqual([]);
  });

  it("goes back to where one was", () => {
    desk.navigation.go("library");
    desk.navigation.openDocument("adr-0021");
    desk.navigation.back();
    expect(desk.navigation.place).toEqual({ view: "library" });
    desk.navigation.back();
    expect(desk.navigation.view).toBe("ask");
    desk.navigation.back();
    expect(desk.navigation.view).toBe("ask");
  });

  it("starts anew when all data are deleted", async () => {
    await settle(() => desk.window.ready);
    await desk.chat.ask("List all principles");
    await desk.settings.deleteAllData();
    expect(desk.window.state?.first_run).toBe(true);
    await settle(() => desk.conversations.list.value?.length === 0);
  });
});
