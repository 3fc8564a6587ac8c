import type { Evaluation, GoldenSet } from "../generated/types";
import { evaluationReport, SAMPLE_SET, type Runs } from "./evaluation-seed";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names =
  "evaluation" | "pick_golden_set" | "use_sample_golden_set" | "start_evaluation" | "stop_evaluation";

export function evaluationCommands(world: World): Pick<Handlers, Names> {
  const evaluation = (): Evaluation => {
    const sample_available = world.state.sample_library;
    const chosen = world.ownSet ?? (sample_available ? SAMPLE_SET : null);
    return chosen && "unreadable" in chosen
      ? { golden_set: null, unreadable: chosen.unreadable, sample_available, ...world.runs }
      : { golden_set: chosen, unreadable: null, sample_available, ...world.runs };
  };
  const set = (change: Partial<Runs>) => {
    world.runs = { ...world.runs, ...change };
    world.emit({ event: "evaluation", evaluation: evaluation() });
  };

  async function run(total: number, sha256: string): Promise<void> {
    world.stopping = false;
    for (let done = 0; done < total; done += 6) {
      if (world.stopping) return set({ running: null });
      set({
        running: { done, total, failed: Math.floor(done / 15), current: "Which TLS version do we require?" },
      });
      await world.wait(150);
    }
    const last = evaluationReport(world.timestamp(), 112, sha256);
    set({ running: null, previous: world.runs.last, last });
  }

  return {
    evaluation,
    pick_golden_set: () => {
      const path = "/home/you/golden.jsonl";
      const chosen: GoldenSet = { origin: "own", path, version: "", sha256: "51aa…", questions: 12 };
      world.ownSet = chosen;
      return chosen;
    },
    use_sample_golden_set: () => {
      if (!world.state.sample_library) throw failure("invalid_input", "choose a golden set first");
      world.ownSet = null;
      return null;
    },
    start_evaluation: () => {
      const { golden_set: golden, running } = evaluation();
      if (!golden) throw failure("invalid_input", "choose a golden set first");
      if (running ?? world.development.running) throw failure("busy", "Questions are being run already.");
      void run(golden.questions, golden.sha256);
      return null;
    },
    stop_evaluation: () => {
      world.stopping = true;
      return null;
    },
  };
}
