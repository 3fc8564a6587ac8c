import { toCommandError } from "../backend/backend";

export interface PassingMessage {
  id: number;
  text: string;
  failed: boolean;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6000;
const SHOWN_WITH_ACTION_MS = 12000;

/** Short messages at the edge of the window, and what is read aloud. */
export class Messages {
  shown = $state<PassingMessage[]>([]);
  /** What a screen reader is told; the count makes the same words count again. */
  spoken = $state({ text: "", count: 0 });
  private last = 0;

  say(text: string, action?: PassingMessage["action"]): void {
    this.add({ text, failed: false, ...(action ? { action } : {}) });
  }

  fail(thrown: unknown): void {
    this.add({ text: toCommandError(thrown).message, failed: true });
  }

  speak(text: string): void {
    this.spoken = { text, count: this.spoken.count + 1 };
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((message) => message.id !== id);
  }

  private add(message: Omit<PassingMessage, "id">): void {
    const id = ++this.last;
    this.shown.push({ id, ...message });
    // An error stays until it is read.
    if (!message.failed) {
      setTimeout(() => this.dismiss(id), message.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
    }
  }
}
