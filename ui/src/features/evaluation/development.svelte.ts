import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { Broadcast, Development, DevelopmentSet } from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

/** A folder of questions, asked of the open library. */
export class DevelopmentRun {
  readonly state = new Loaded<Development>();

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await this.state.load(() => this.backend.call("development", {}));
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "development") this.state.set(broadcast.development);
    // Which questions can be asked depends on the documents that there are.
    if (broadcast.event === "library_changed" && this.state.value) void this.load();
  }

  get running(): boolean {
    return this.state.value?.running != null;
  }

  /** Whether the last run asked another folder than the one in force. */
  get ranAnotherSet(): boolean {
    const { last, set } = this.state.value ?? {};
    return last != null && set != null && last.path !== set.path;
  }

  /** Why questions are left out, and what to do. */
  leftOut(set: DevelopmentSet): string {
    const more = set.unknown_count - set.unknown.length;
    const named = set.unknown.join(", ");
    const documents = more > 0 ? t("development.and_more", { documents: named, n: more }) : named;
    return t("development.left_out", { n: set.left_out, documents });
  }

  async start(): Promise<void> {
    await this.attempt(() => this.backend.call("start_development", {}));
  }

  async pick(): Promise<void> {
    await this.attempt(async () => {
      const chosen = await this.backend.call("pick_development_set", {});
      if (chosen) await this.load();
    });
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}
