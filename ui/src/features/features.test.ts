import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppContext } from "../app/context";
import { FakeBackend } from "../backend/fake/fake";
import type { ThresholdRow } from "../backend/generated/types";
import { currentLanguage, useLanguage } from "../i18n/i18n.svelte";
import { total } from "./metrics/metrics.svelte";
import { isLoopback, sendsInTheClear } from "./settings/settings.svelte";
import { answerWithSources, citationText } from "./source/citation-text";

let backend: FakeBackend;
let app: AppContext;

beforeEach(() => {
  useLanguage("en");
  backend = new FakeBackend({ pace: 0 });
  app = new AppContext(backend);
  app.start();
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
    await app.chat.ask("Which TLS versions do we allow?");
    await app.conversations.load();
    const [conversation] = app.conversations.list.value!;
    expect(conversation?.title).toBe("Which TLS versions do we allow?");
    await app.conversations.searchFor("398 days");
    expect(app.conversations.list.value?.[0]?.excerpt).toContain("398 days");
    await app.conversations.searchFor("nothing like it");
    expect(app.conversations.list.value).toEqual([]);
    await app.conversations.searchFor("");
    await app.conversations.rename(conversation!.id, "TLS");
    expect(app.conversations.list.value?.[0]?.title).toBe("TLS");
    await app.conversations.remove(app.conversations.list.value![0]!);
    expect(app.conversations.list.value).toEqual([]);
    app.messages.shown.at(-1)?.action?.run();
    await settle(() => app.conversations.list.value?.length === 1);
  });

  it("say where an export went", async () => {
    await app.chat.ask("List all principles");
    await app.conversations.export(app.chat.conversationId!, "evidence_pack");
    expect(app.messages.shown.at(-1)?.text).toMatch(/\.json\.$/);
  });
});

describe("the source panel", () => {
  it("knows the sentences that rest on the passage, and shows the neighbours and notices", async () => {
    await app.chat.ask("Which TLS versions do we allow?");
    const { answer } = app.chat.turns[0]!;
    await app.source.open(answer.citations[1]!, answer.text, answer.response!.notices);
    expect(app.source.opened!.support.map((sentence) => sentence.trim())).toEqual([
      "Certificates are valid for at most 398 days  .",
    ]);
    expect(app.source.context.value?.before?.source_id).toBe("adr-0021:1");
    expect(app.source.opened!.notices.map((notice) => notice.kind)).toEqual(["stale"]);
  });

  it("still shows the passage when the document is gone", async () => {
    await app.chat.ask("Which TLS versions do we allow?");
    const { answer } = app.chat.turns[0]!;
    backend.world.documents = [];
    await app.source.open(answer.citations[0]!, answer.text, []);
    expect(app.source.opened?.citation.snippet_full).toContain("TLS 1.3 is required");
    expect(app.source.context.error?.code).toBe("not_found");
  });

  it("copies a citation with all that finds it again, and an answer with footnotes", async () => {
    await app.chat.ask("Which TLS versions do we allow?");
    const { answer } = app.chat.turns[0]!;
    expect(citationText(answer.citations[0]!)).toBe(
      "Require TLS 1.3 for transport encryption, ADR-0021, § Decision Outcome, v1.1, accepted, 2024-01-23 (adr/0021-require-tls-1-3-for-transport-encryption.md)",
    );
    const copied = answerWithSources("Yes [1]. No [7].", answer.citations);
    expect(copied).toContain("Yes [^1]. No [7].");
    expect(copied).toContain("[^3]: Use TLS 1.2");
    const table = "| Tier | Time |\n|---|---|\n| gold | 4 hours [1] |\n| silver | 12 hours [1] |";
    expect(
      answerWithSources(table, answer.citations.slice(0, 1)),
      "rows of one table are copied under one head",
    ).toMatch(
      /^\| Tier \| Time \|\n\|---\|---\|\n\| gold \| 4 hours \[\^1\] \|\n\| silver \| 12 hours \[\^1\] \|\n\n\[\^1\]: /,
    );
  });
});

describe("the library", () => {
  it("filters by collection, status and words", async () => {
    await settle(() => app.library.documents.value !== null);
    app.library.collection = "ADR";
    app.library.standing = "superseded";
    expect(app.library.found.map((row) => row.id)).toEqual(["adr-0007"]);
    app.library.standing = null;
    app.library.text = "canonical CIM";
    expect(app.library.found.map((row) => row.id)).toEqual(["adr-0012"]);
  });

  it("shows progress of an added folder until it is searched, and takes drops", async () => {
    await settle(() => app.library.overview.value !== null);
    const phases: string[] = [];
    backend.listen(() => phases.push(app.library.overview.value?.indexing.phase ?? "none"));
    backend.world.emit({ event: "dropped", paths: ["/here/records"] });
    await settle(() => app.library.overview.value?.generation === 2);
    expect(app.navigation.view).toBe("library");
    expect(phases).toContain("reading");
    expect(phases).toContain("writing");
    expect(app.library.indexing).toBe(false);
    expect(app.library.overview.value?.folders.map((folder) => folder.name)).toContain("records");
  });

  it("stops indexing and says what is left", async () => {
    const slow = new FakeBackend({ pace: 0.05 });
    const other = new AppContext(slow);
    other.start();
    await settle(() => other.library.overview.value !== null);
    await other.library.addAll(["/here/records"]);
    await other.library.stopIndexing();
    await settle(() => other.library.overview.value?.indexing.phase === "stopped");
  });

  it("tells problems, guesses and notes apart, each by its reason", async () => {
    await settle(() => app.library.findings.value !== null && app.library.overview.value !== null);
    const documents = app.library.documents.value!.length;
    expect(app.library.overview.value!.findings).toEqual({ problems: 1, guesses: 1, notes: documents });
    expect(app.library.reasons("problem").map((reason) => reason.code)).toEqual(["no_text"]);
    const [notes, ...others] = app.library.reasons("note");
    expect([notes!.code, notes!.files, others]).toEqual(["language_detected", documents, []]);
  });

  it("asks anew what was found when the settings change, since it is told in the user's language", async () => {
    await settle(() => app.library.findings.value !== null);
    backend.world.findings = [];
    await app.settings.load();
    await app.settings.change("general.language", "nl");
    await settle(() => app.library.findings.value!.length === 0);
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
    await app.library.load();
    const reasons = app.library.reasons("problem");
    expect(reasons.map(({ code, files }) => [code, files])).toEqual([
      ["reference_unresolved", 1],
      ["indexing_failed", 0],
    ]);
    expect(new Set(reasons.flatMap((one) => one.findings.map((row) => row.number))).size).toBe(3);
  });

  it("refuses a folder twice with the reason", async () => {
    await app.library.addAll(["/here/records"]);
    await app.library.addAll(["/here/records"]);
    expect(app.messages.shown.at(-1)).toMatchObject({ failed: true });
  });

  it("tells where a document was cited", async () => {
    await app.chat.ask("Which TLS versions do we allow?");
    await app.document.open("adr-0021");
    expect(app.document.view.value?.cited_in[0]?.question).toBe("Which TLS versions do we allow?");
    await app.document.open("gone");
    expect(app.document.view.error?.code).toBe("not_found");
  });
});

describe("the vocabulary browser", () => {
  it("unfolds the hierarchy and opens a definition", async () => {
    await app.vocabulary.load();
    const [top] = app.vocabulary.top;
    await app.vocabulary.toggle(top!);
    expect(app.vocabulary.below.get(top!.uri)?.length).toBeGreaterThan(0);
    await app.vocabulary.toggle(top!);
    expect(app.vocabulary.unfolded.size).toBe(0);
    await app.vocabulary.open(top!.uri);
    expect(app.vocabulary.concept.value?.preferred_label).toBe("asset management");
  });

  it("finds a term by another label and says which", async () => {
    await app.vocabulary.searchFor("CGMES");
    expect(app.vocabulary.results.value?.[0]).toMatchObject({ matched_label: "CGMES" });
    await app.vocabulary.searchFor(" ");
    expect(app.vocabulary.results.value).toBeNull();
  });
});

describe("curated memory", () => {
  it("pins the sources of an answer to its question, each section once", async () => {
    await app.chat.ask("Which TLS versions do we allow?");
    app.memory.pin("Which TLS versions do we allow?", app.chat.turns[0]!.answer.citations);
    expect(app.memory.draft?.pointers).toEqual([
      { document_id: "adr-0021", section: "Decision Outcome" },
      { document_id: "adr-0007", section: "Decision Outcome" },
    ]);
    expect(await app.memory.save()).toBe(true);
    expect(app.memory.inUse.some((entry) => entry.title === "Which TLS versions do we allow?")).toBe(true);
  });

  it("does not save what lacks a question or a source", async () => {
    app.memory.begin("pinned");
    expect(await app.memory.save()).toBe(false);
    expect(app.memory.flaw).toBe("title");
    app.memory.draft!.title = "Why?";
    expect(app.memory.flaw).toBe("pointers");
    app.memory.begin("note");
    app.memory.draft!.title = "A note";
    expect(app.memory.flaw).toBeNull();
  });

  it("keeps the draft when the host refuses it", async () => {
    app.memory.begin("pinned");
    Object.assign(app.memory.draft!, {
      title: "Why?",
      pointers: [{ document_id: "adr-9999", section: null }],
    });
    expect(await app.memory.save()).toBe(false);
    expect(app.memory.draft).not.toBeNull();
    expect(app.messages.shown.at(-1)?.text).toContain("adr-9999");
  });

  it("shows what is retired and why, and renews it", async () => {
    await app.memory.load();
    expect(app.memory.retired[0]?.retired?.reason).toContain("has changed");
    await app.memory.renew(app.memory.retired[0]!);
    expect(app.memory.retired).toEqual([]);
  });
});

describe("metrics", () => {
  it("move with every question and draw a curve", async () => {
    await app.metrics.refresh();
    await app.chat.ask("What is blockchain?");
    await app.metrics.refresh();
    expect(total(app.metrics.snapshot.value!.requests)).toBe(1);
    expect(app.metrics.snapshot.value!.abstentions).toEqual([{ label: "terminology_not_found", count: 1 }]);
    expect(app.metrics.snapshot.value!.samples.map((sample) => sample.requests)).toEqual([0, 1]);
  });

  it("are fetched only while they are looked at", async () => {
    vi.useFakeTimers();
    const call = vi.spyOn(backend, "call");
    const stop = app.metrics.watch();
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
    await app.evaluation.load();
    expect(app.evaluation.overall?.change).toBeCloseTo(-1 / 118);
    await app.evaluation.start();
    await settle(() => app.evaluation.evaluation.value?.last?.overall.passed === 112);
    expect(app.evaluation.running).toBe(false);
    expect(app.evaluation.overall?.change).toBeCloseTo(2 / 118);
  });

  it("runs the sample's set until another is chosen, and goes back to it", async () => {
    const set = () => app.evaluation.evaluation.value?.golden_set?.origin;
    await app.evaluation.load();
    expect(set()).toBe("sample");
    await app.evaluation.pickGoldenSet();
    expect(set()).toBe("own");
    expect(app.evaluation.ranAnotherSet).toBe(true);
    await app.evaluation.start();
    await settle(() => app.evaluation.evaluation.value?.last?.overall.passed === 112);
    expect(app.evaluation.ranAnotherSet).toBe(false);
    expect(app.evaluation.overall?.change, "runs of other questions are not compared").toBeNull();
    await app.evaluation.useSample();
    expect(set()).toBe("sample");
  });

  it("has a set as soon as the sample library is there, and none when it is gone", async () => {
    const [sample] = (await backend.call("library", {})).folders;
    await app.evaluation.load();
    await app.library.remove(sample!);
    await settle(() => app.evaluation.evaluation.value?.golden_set === null);
    expect(app.evaluation.evaluation.value?.sample_available).toBe(false);
    await app.library.openSample();
    await settle(() => app.evaluation.evaluation.value?.golden_set?.origin === "sample");
  });

  it("says why it cannot run", async () => {
    backend.world.state.sample_library = false;
    await app.evaluation.start();
    expect(app.messages.shown.at(-1)?.text).toContain("golden set");
  });
});

describe("settings", () => {
  it("change the language of the window at once", async () => {
    await app.settings.load();
    await app.settings.change("general.language", "nl");
    expect(currentLanguage()).toBe("nl");
  });

  it("tests the address that was typed last, also while it is still being taken", async () => {
    await app.settings.load();
    const asked: unknown[] = [];
    const call = backend.call.bind(backend);
    backend.call = ((command: never, args: never) => {
      if (command === "doctor") asked.push(args);
      return call(command, args);
    }) as typeof backend.call;
    const taken = app.settings.change("models.ollama_url", "http://127.0.0.1:4711");
    await app.settings.examine(() => app.settings.report.value?.settings.models.ollama_url ?? "");
    await taken;
    expect(asked).toEqual([{ address: "http://127.0.0.1:4711" }]);
  });

  it("asks a server of another kind at its own address, which fetches no models", async () => {
    await app.settings.loadDetails();
    expect(app.settings.models.value?.pulls).toBe(true);
    await app.settings.change("models.server", "openai");
    await app.settings.loadDetails();
    expect(app.settings.models.value?.pulls).toBe(false);
    await app.settings.examine(() => "");
    const server = app.settings.doctor.value?.find((check) => check.name === "Model server");
    expect(server?.finding).toContain("http://localhost:8080/v1");
    expect(app.settings.report.value?.settings.models.ollama_url).toBe("http://localhost:11434");
  });

  it("refuse a wrong value beside its field and keep the old one", async () => {
    await app.settings.load();
    await app.settings.change("models.ollama_url", "not an address");
    expect(app.settings.refused?.key).toBe("models.ollama_url");
    expect(app.settings.report.value?.settings.models.ollama_url).toBe("http://localhost:11434");
  });

  it("lock what comes from outside the settings file", async () => {
    backend.world.settings.origins["models.answer"] = "environment";
    await app.settings.load();
    expect(app.settings.lockedBy("models.answer")).toBe("environment");
    expect(app.settings.lockedBy("models.judge")).toBeNull();
  });

  it("show the sign for a remote server as long as passages go there", async () => {
    await app.settings.changeAll([
      { key: "models.ollama_url", value: "https://ollama.example.org" },
      { key: "models.answer", value: "llama3.2" },
    ]);
    expect(app.window.state?.remote).toMatchObject({ host: "ollama.example.org", encrypted: true });
    await app.settings.change("models.answer", null);
    expect(app.window.state?.remote).toBeNull();
  });

  it("know where a token would be readable", () => {
    expect(sendsInTheClear("http://ollama.example.org:11434")).toBe(true);
    expect(sendsInTheClear("https://ollama.example.org")).toBe(false);
    for (const address of ["http://localhost:11434", "http://127.0.0.1", "http://[::1]:11434"]) {
      expect(isLoopback(address), address).toBe(true);
    }
  });

  it("keep a token without ever showing it", async () => {
    await app.settings.keepToken("secret");
    expect(app.settings.token.value).toEqual({
      place: "session",
      keyring_problem: "no secret service answers",
    });
    await app.settings.forgetToken();
    expect(app.settings.token.value?.place).toBe("none");
  });

  it("take calibrated thresholds, and refuse what lies outside 0 and 1", async () => {
    await app.settings.loadDetails();
    const row = () => app.settings.thresholds.value!.find((one: ThresholdRow) => one.name === "ADR_Local")!;
    await app.settings.useCalibrated(row());
    expect(row().values.single_hit).toBe(0.57);
    await app.settings.changeThreshold("ADR_Local", "single_hit", 2);
    expect(row().values.single_hit).toBe(0.57);
    await app.settings.changeThreshold("ADR_Local", "single_hit", null);
    expect(row().values.single_hit).toBe(row().defaults.single_hit);
  });

  it("download a model with progress and can stop it", async () => {
    const slow = new AppContext(new FakeBackend({ pace: 0.05 }));
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
    await settle(() => app.window.ready);
    backend.world.setBanner([{ service: "embeddings", state: "open", retry_in_seconds: 30 }]);
    expect(app.window.banner[0]?.service).toBe("embeddings");
    await app.chat.ask("Which TLS versions do we allow?");
    expect(app.chat.turns[0]?.answer.response?.fallback_mode).toBe(true);
    backend.world.setBanner([]);
    expect(app.window.banner).toEqual([]);
  });

  it("goes back to where one was", () => {
    app.navigation.go("library");
    app.navigation.openDocument("adr-0021");
    app.navigation.back();
    expect(app.navigation.place).toEqual({ view: "library" });
    app.navigation.back();
    expect(app.navigation.view).toBe("ask");
    app.navigation.back();
    expect(app.navigation.view).toBe("ask");
  });

  it("starts anew when all data are deleted", async () => {
    await settle(() => app.window.ready);
    await app.chat.ask("List all principles");
    await app.settings.deleteAllData();
    expect(app.window.state?.first_run).toBe(true);
    await settle(() => app.conversations.list.value?.length === 0);
  });
});
