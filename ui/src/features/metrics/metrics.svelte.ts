import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { MetricsFormat, MetricsSnapshot, Tally } from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

const EVERY_MS = 2000;

/** Metrics, fetched again and again while they are looked at. */
export class MetricsPanel {
  readonly snapshot = new Loaded<MetricsSnapshot>();

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  /** Fetches until the returned function is called. */
  watch(): () => void {
    void this.refresh();
    const timer = setInterval(() => void this.refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }

  async refresh(): Promise<void> {
    await this.snapshot.load(() => this.backend.call("metrics", {}));
  }

  async export(format: MetricsFormat): Promise<void> {
    try {
      const path = await this.backend.call("export_metrics", { format });
      if (path) this.messages.say(t("export.done", { path }));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}

export function total(tallies: Tally[]): number {
  return tallies.reduce((sum, tally) => sum + tally.count, 0);
}
