import type { Messages } from "../../app/messages.svelte";
import { toCommandError, type Backend } from "../../backend/backend";
import type { CheckedStatement, CheckedText, CommandError, Notice } from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

/** A text of the user's own, checked statement by statement. */
export class TextCheck {
  text = $state("");
  /** The file that the text came from. */
  name = $state<string | null>(null);
  statements = $state<CheckedStatement[]>([]);
  total = $state<number | null>(null);
  running = $state(false);
  result = $state<CheckedText | null>(null);
  chosen = $state(0);
  error = $state<CommandError | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  /** The statement whose passages are shown. */
  get shown(): CheckedStatement | null {
    return this.statements[this.chosen] ?? null;
  }

  /** What is known of a document that decides. */
  noticesOf(documentId: string): Notice[] {
    return this.result?.notices.filter((notice) => notice.document_id === documentId) ?? [];
  }

  async check(): Promise<void> {
    if (this.running || this.text.trim() === "") return;
    Object.assign(this, { statements: [], total: null, result: null, chosen: 0, error: null, running: true });
    try {
      this.result = await this.backend.stream("check_text", { text: this.text }, ({ latest, total }) => {
        this.statements.push(latest);
        this.total = total;
      });
      this.statements = this.result.statements;
    } catch (thrown) {
      const error = toCommandError(thrown);
      if (error.code !== "stopped") this.error = error;
    }
    this.running = false;
  }

  async stop(): Promise<void> {
    await this.backend.call("stop_check", {});
  }

  /** Reads a file that was dropped, and checks it. */
  async read(path: string | undefined): Promise<void> {
    if (path !== undefined) await this.take(() => this.backend.call("read_draft", { path }));
  }

  async pick(): Promise<void> {
    await this.take(() => this.backend.call("pick_draft", {}));
  }

  /** Goes back to the text. */
  again(): void {
    Object.assign(this, { statements: [], total: null, result: null, error: null });
  }

  async export(): Promise<void> {
    try {
      const path = await this.backend.call("export_check", { name: this.name });
      if (path !== null) this.messages.say(t("check.exported", { path }));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  /** Chooses the statement so many places on. */
  move(by: number): void {
    this.chosen = Math.min(Math.max(this.chosen + by, 0), Math.max(this.statements.length - 1, 0));
  }

  private async take(read: () => Promise<{ name: string; text: string } | null>): Promise<void> {
    if (this.running) return;
    this.error = null;
    try {
      const draft = await read();
      if (!draft) return;
      this.again();
      Object.assign(this, draft);
    } catch (thrown) {
      this.error = toCommandError(thrown);
      return;
    }
    await this.check();
  }
}
