import { toCommandError } from "../backend/backend";
import type { CommandError } from "../backend/generated/types";

/** Something that is fetched: waiting, there, or failed. A late reply to an older request is dropped. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  error = $state<CommandError | null>(null);
  loading = $state(false);
  private latest = 0;

  async load(fetch: () => Promise<T>): Promise<void> {
    const request = ++this.latest;
    this.loading = true;
    try {
      const value = await fetch();
      if (request !== this.latest) return;
      this.value = value;
      this.error = null;
    } catch (thrown) {
      if (request !== this.latest) return;
      this.error = toCommandError(thrown);
    }
    this.loading = false;
  }

  set(value: T): void {
    this.latest++;
    this.value = value;
    this.error = null;
    this.loading = false;
  }

  clear(): void {
    this.latest++;
    this.value = null;
    this.error = null;
    this.loading = false;
  }
}
