import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { Broadcast, Evaluation, EvaluationReport, GroupScore } from "../../backend/generated/types";

/** A group's score with how it moved since the run before. */
export interface ComparedScore extends GroupScore {
  /** In questions passed, as a share; absent without a run to compare with. */
  change: number | null;
}

/** The golden set, run on the user's own library. */
export class EvaluationRun {
  readonly evaluation = new Loaded<Evaluation>();

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await this.evaluation.load(() => this.backend.call("evaluation", {}));
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "evaluation") this.evaluation.set(broadcast.evaluation);
    // The sample library brings its golden set, and takes it along.
    if (broadcast.event === "library_changed" && this.evaluation.value) void this.load();
  }

  get running(): boolean {
    return this.evaluation.value?.running != null;
  }

  get overall(): ComparedScore | null {
    const { last } = this.evaluation.value ?? {};
    return last ? compare(last.overall, this.comparable ? [this.comparable.overall] : []) : null;
  }

  get byCollection(): ComparedScore[] {
    const { last } = this.evaluation.value ?? {};
    return (last?.by_collection ?? []).map((group) => compare(group, this.comparable?.by_collection ?? []));
  }

  get byCategory(): ComparedScore[] {
    const { last } = this.evaluation.value ?? {};
    return (last?.by_category ?? []).map((group) => compare(group, this.comparable?.by_category ?? []));
  }

  get byHalf(): ComparedScore[] {
    const { last } = this.evaluation.value ?? {};
    return (last?.by_half ?? []).map((group) => compare(group, this.comparable?.by_half ?? []));
  }

  /** Whether the last run asked other questions than those in force. */
  get ranAnotherSet(): boolean {
    const { last, golden_set: golden } = this.evaluation.value ?? {};
    return last != null && golden != null && last.golden_set_sha256 !== golden.sha256;
  }

  /** The run before, where it asked the same questions. */
  private get comparable(): EvaluationReport | null {
    const { last, previous } = this.evaluation.value ?? {};
    return previous && previous.golden_set_sha256 === last?.golden_set_sha256 ? previous : null;
  }

  async start(): Promise<void> {
    await this.attempt(() => this.backend.call("start_evaluation", {}));
  }

  async stop(): Promise<void> {
    await this.attempt(() => this.backend.call("stop_evaluation", {}));
  }

  async pickGoldenSet(): Promise<void> {
    await this.attempt(async () => {
      const chosen = await this.backend.call("pick_golden_set", {});
      if (chosen) await this.load();
    });
  }

  async useSample(): Promise<void> {
    await this.attempt(async () => {
      await this.backend.call("use_sample_golden_set", {});
      await this.load();
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

function compare(group: GroupScore, before: GroupScore[]): ComparedScore {
  const earlier = before.find((other) => other.name === group.name);
  const share = (score: GroupScore) => (score.questions > 0 ? score.passed / score.questions : 0);
  return { ...group, change: earlier ? share(group) - share(earlier) : null };
}
