import { toCommandError } from "../backend/backend";
import type { CommandError } from "../backend/generated/types";

/** How often, and how many milliseconds apart, something is asked for again while the program is still starting. */
const STARTING = { tries: 100, pause: 300 };

/** Something that is fetched: waiting, there, or failed. A late reply to an older request is dropped. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  error = $state<CommandError | null>(null);
  loading = $state(false);
  private latest = 0;

  async load(fetch: () => Promise<T>): Promise<void> {
    const request = ++this.latest;
    this.loading = true;
    for (let tries = STARTING.tries; ; tries--) {
      try {
        const value = await fetch();
        if (request !== this.latest) return;
        this.value = value;
        this.error = null;
      } catch (thrown) {
        if (request !== this.latest) return;
        const error = toCommandError(thrown);
        // Who opens a view early need not press anything for what will be there in a moment.
        if (error.code === "starting" && tries > 0) {
          await new Promise((passed) => setTimeout(passed, STARTING.pause));
          if (request !== this.latest) return;
          continue;
        }
        this.error = error;
      }
      break;
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
