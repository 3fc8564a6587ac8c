import type { Development } from "../generated/types";
import { DEVELOPMENT_SET, developmentReport } from "./development-seed";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names = "development" | "pick_development_set" | "start_development";

export function developmentCommands(world: World): Pick<Handlers, Names> {
  const development = (): Development => {
    const chosen = world.developmentSet;
    return chosen && "unusable" in chosen
      ? { set: null, unusable: chosen.unusable, ...world.development }
      : { set: chosen, unusable: null, ...world.development };
  };
  const set = (change: Partial<World["development"]>) => {
    world.development = { ...world.development, ...change };
    world.emit({ event: "development", development: development() });
  };

  async function run(total: number, path: string): Promise<void> {
    world.stopping = false;
    for (let done = 0; done < total; done += 4) {
      if (world.stopping) return set({ running: null });
      set({
        running: {
          done,
          total,
          failed: Math.floor(done / 4),
          current: "Which TLS version do partners need?",
        },
      });
      await world.wait(150);
    }
    set({ running: null, last: developmentReport(world.timestamp(), path) });
  }

  return {
    development,
    pick_development_set: () => {
      if (world.badFolder) throw failure("invalid_input", world.badFolder);
      world.developmentSet = DEVELOPMENT_SET;
      return DEVELOPMENT_SET;
    },
    start_development: () => {
      const { set: chosen, running } = development();
      if (!chosen) throw failure("invalid_input", "Choose a folder of questions first.");
      if (running ?? world.runs.running) throw failure("busy", "Questions are being run already.");
      void run(chosen.questions, chosen.path);
      return null;
    },
  };
}
