import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type {
  Broadcast,
  Citation,
  CuratedMemory,
  MemoryDraft,
  MemoryEntry,
  MemoryKind,
  MemoryPointer,
} from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

/** What a team has pinned and noted. */
export class Memory {
  readonly memory = new Loaded<CuratedMemory>();
  draft = $state<MemoryDraft | null>(null);
  saving = $state(false);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await this.memory.load(() => this.backend.call("memory", {}));
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "memory_changed" && this.memory.value) void this.load();
  }

  get retired(): MemoryEntry[] {
    return (this.memory.value?.entries ?? []).filter((entry) => entry.retired !== null);
  }

  get inUse(): MemoryEntry[] {
    return (this.memory.value?.entries ?? []).filter((entry) => entry.retired === null);
  }

  begin(kind: MemoryKind): void {
    this.draft = { path: null, kind, title: "", phrasings: [], pointers: [], text: "" };
  }

  edit(entry: MemoryEntry): void {
    const { path, kind, title, phrasings, pointers, text } = entry;
    this.draft = { path, kind, title, phrasings: [...phrasings], pointers: [...pointers], text };
  }

  /** Drafts an entry that answers the question from the sources cited. */
  pin(question: string, citations: Citation[]): void {
    const pointers = new Map<string, MemoryPointer>();
    for (const citation of citations.filter((cited) => cited.source === "library")) {
      const section = citation.section === "N/A" ? null : citation.section;
      pointers.set(`${citation.document_id} ${section}`, { document_id: citation.document_id, section });
    }
    this.draft = {
      path: null,
      kind: "pinned",
      title: question,
      phrasings: [],
      pointers: [...pointers.values()],
      text: "",
    };
  }

  /** What keeps the draft from being saved, if anything does. */
  get flaw(): "title" | "pointers" | null {
    if (!this.draft) return null;
    if (this.draft.title.trim() === "") return "title";
    if (this.draft.kind === "pinned" && this.draft.pointers.length === 0) return "pointers";
    return null;
  }

  async save(): Promise<boolean> {
    const draft = this.draft;
    if (!draft || this.flaw) return false;
    this.saving = true;
    const saved = await this.attempt(async () => {
      await this.backend.call("save_memory_entry", { draft: $state.snapshot(draft) });
      this.draft = null;
      this.messages.say(t("memory.saved"));
    });
    this.saving = false;
    return saved;
  }

  discard(): void {
    this.draft = null;
  }

  async renew(entry: MemoryEntry): Promise<void> {
    await this.attempt(() => this.backend.call("renew_memory_entry", { path: entry.path }));
  }

  async remove(entry: MemoryEntry): Promise<void> {
    await this.attempt(() => this.backend.call("delete_memory_entry", { path: entry.path }));
  }

  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      await this.load();
      return true;
    } catch (thrown) {
      this.messages.fail(thrown);
      return false;
    }
  }
}
