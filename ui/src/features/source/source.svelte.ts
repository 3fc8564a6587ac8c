import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { Citation, Notice, PassageContext } from "../../backend/generated/types";
import { sentencesCiting } from "../../text/marks";

/** A citation as it is opened: with the answer that rests on it. */
export interface OpenedSource {
  citation: Citation;
  notices: Notice[];
  /** What of the answer rests on it. */
  support: string[];
}

/** The panel that shows what a citation points at. */
export class SourcePanel {
  opened = $state.raw<OpenedSource | null>(null);
  readonly context = new Loaded<PassageContext>();

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async open(citation: Citation, answer: string, notices: Notice[]): Promise<void> {
    this.opened = {
      citation,
      notices: notices.filter((notice) => notice.document_id === citation.document_id),
      support: sentencesCiting(answer, citation.number),
    };
    this.context.clear();
    if (citation.source === "library") {
      await this.context.load(() => this.backend.call("passage", { source_id: citation.source_id }));
    }
  }

  close(): void {
    this.opened = null;
    this.context.clear();
  }

  async openFile(): Promise<void> {
    if (!this.opened) return;
    try {
      await this.backend.call("open_document", { id: this.opened.citation.document_id });
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}
