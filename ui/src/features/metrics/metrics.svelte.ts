import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { MetricsFormat, MetricsSnapshot, Tally } from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";

const EVERY_MS = 2000;
/** Ten minutes of samples. */
const KEPT = 300;

/** A point of the curves. */
export interface Sample {
  at: string;
  requests: number;
  p50: number | null;
  p95: number | null;
}

/** Metrics, fetched again and again while they are looked at. */
export class MetricsPanel {
  readonly snapshot = new Loaded<MetricsSnapshot>();
  samples = $state.raw<Sample[]>([]);

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
    const value = this.snapshot.value;
    if (!value || this.snapshot.error || this.samples.at(-1)?.at === value.taken_at) return;
    const sample: Sample = {
      at: value.taken_at,
      requests: total(value.requests),
      p50: value.latency?.p50 ?? null,
      p95: value.latency?.p95 ?? null,
    };
    this.samples = [...this.samples, sample].slice(-KEPT);
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
