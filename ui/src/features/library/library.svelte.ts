import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type {
  Broadcast,
  DocumentRow,
  FindingGroup,
  LibraryFinding,
  LibraryFolder,
  LibraryOverview,
  Standing,
} from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

/** A file may have two findings that read the same, so each has a number. */
export type NumberedFinding = LibraryFinding & { number: number };

/** What was found for one reason. */
export interface Reason {
  code: string;
  findings: NumberedFinding[];
  /** How many files it is about. */
  files: number;
}

/** Folders, indexing, findings and documents. */
export class Library {
  readonly overview = new Loaded<LibraryOverview>();
  readonly documents = new Loaded<DocumentRow[]>();
  readonly findings = new Loaded<LibraryFinding[]>();
  collection = $state<string | null>(null);
  standing = $state<Standing | null>(null);
  text = $state("");
  adding = $state(false);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await Promise.all([
      this.overview.load(() => this.backend.call("library", {})),
      this.documents.load(() => this.backend.call("documents", {})),
      this.loadFindings(),
    ]);
  }

  private async loadFindings(): Promise<void> {
    await this.findings.load(() => this.backend.call("findings", {}));
  }

  hear(broadcast: Broadcast): void {
    switch (broadcast.event) {
      case "indexing":
        if (this.overview.value) {
          this.overview.set({ ...this.overview.value, indexing: broadcast.indexing });
        }
        break;
      case "library_changed":
        void this.load();
        break;
      case "settings":
        // What was found is told in the user's language.
        void this.loadFindings();
        break;
      case "dropped":
        void this.addAll(broadcast.paths);
        break;
    }
  }

  get indexing(): boolean {
    const phase = this.overview.value?.indexing.phase;
    return phase === "reading" || phase === "writing";
  }

  /** The collections that hold anything. */
  get collections(): string[] {
    return (this.overview.value?.collections ?? []).map((size) => size.collection);
  }

  /** The documents that pass the filters. */
  get found(): DocumentRow[] {
    const words = this.text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    return (this.documents.value ?? []).filter((row) => {
      if (this.collection && row.collection !== this.collection) return false;
      if (this.standing && row.standing !== this.standing) return false;
      const haystack = `${row.reference} ${row.title} ${row.owner ?? ""} ${row.path}`.toLocaleLowerCase();
      return words.every((word) => haystack.includes(word));
    });
  }

  /** The findings of a group by reason, the most frequent first. */
  reasons(group: FindingGroup): Reason[] {
    const inGroup = (this.findings.value ?? [])
      .map((finding, number) => ({ ...finding, number }))
      .filter((finding) => finding.group === group);
    return [...new Set(inGroup.map((finding) => finding.code))]
      .map((code) => {
        const findings = inGroup.filter((finding) => finding.code === code);
        const files = new Set(findings.filter((one) => one.path).map((one) => `${one.folder}/${one.path}`));
        return { code, findings, files: files.size };
      })
      .toSorted((a, b) => b.findings.length - a.findings.length);
  }

  /** The standings that occur, to filter by. */
  get standings(): Standing[] {
    return [...new Set((this.documents.value ?? []).map((row) => row.standing))].sort();
  }

  async addByDialog(): Promise<void> {
    await this.attempt(async () => {
      const path = await this.backend.call("pick_folder", {});
      if (path) await this.backend.call("add_folder", { path });
    });
  }

  async addAll(paths: string[]): Promise<void> {
    for (const path of paths) {
      await this.attempt(() => this.backend.call("add_folder", { path }));
    }
  }

  async openSample(): Promise<void> {
    await this.attempt(() => this.backend.call("open_sample_library", {}));
  }

  async remove(folder: LibraryFolder): Promise<void> {
    await this.attempt(async () => {
      await this.backend.call("remove_folder", { id: folder.id });
      this.messages.say(t("library.removed", { name: folder.name }));
    });
  }

  async startIndexing(): Promise<void> {
    await this.attempt(() => this.backend.call("start_indexing", {}));
  }

  async stopIndexing(): Promise<void> {
    await this.attempt(() => this.backend.call("stop_indexing", {}));
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.adding = true;
    try {
      await work();
      await this.overview.load(() => this.backend.call("library", {}));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
    this.adding = false;
  }
}
