import type { Evaluation } from "../generated/types";
import { evaluationReport } from "./evaluation-seed";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names = "evaluation" | "pick_golden_set" | "start_evaluation" | "stop_evaluation";

export function evaluationCommands(world: World): Pick<Handlers, Names> {
  let stopping = false;
  const set = (change: Partial<Evaluation>) => {
    world.evaluation = { ...world.evaluation, ...change };
    world.emit({ event: "evaluation", evaluation: world.evaluation });
  };

  async function run(total: number): Promise<void> {
    stopping = false;
    for (let done = 0; done < total; done += 6) {
      if (stopping) return set({ running: null });
      set({
        running: { done, total, failed: Math.floor(done / 15), current: "Which TLS version do we require?" },
      });
      await world.wait(150);
    }
    set({ running: null, previous: world.evaluation.last, last: evaluationReport(world.timestamp(), 112) });
  }

  return {
    evaluation: () => world.evaluation,
    pick_golden_set: () => {
      const chosen = { path: "/home/you/golden.jsonl", version: "1", sha256: "51aa…", questions: 12 };
      world.evaluation = { ...world.evaluation, golden_set: chosen };
      return chosen;
    },
    start_evaluation: () => {
      const { golden_set: golden, running } = world.evaluation;
      if (!golden) throw failure("invalid_input", "choose a golden set first");
      if (running) throw failure("busy", "the golden set is being run already");
      void run(golden.questions);
      return null;
    },
    stop_evaluation: () => {
      stopping = true;
      return null;
    },
  };
}
