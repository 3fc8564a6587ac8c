import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { DocumentView } from "../../backend/generated/types";

/** One document with its passages, and where it was cited. */
export class DocumentReader {
  readonly view = new Loaded<DocumentView>();
  id = $state<string | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async open(id: string): Promise<void> {
    if (id !== this.id) this.view.clear();
    this.id = id;
    await this.view.load(() => this.backend.call("document", { id }));
  }

  async openFile(): Promise<void> {
    if (!this.id) return;
    try {
      await this.backend.call("open_document", { id: this.id });
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}
