import type { EventOf, Result } from "../backend";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names = "decision_graph" | "mark_contradiction" | "save_record_draft" | "export_decision_graph";

/** Reads what is new in a few steps, the first time. */
export async function contradictions(
  world: World,
  emit: (progress: EventOf<"contradictions">) => void,
): Promise<Result<"contradictions">> {
  for (const step of world.statementsRead ? [] : (["comparing", "reading"] as const)) {
    const total = step === "comparing" ? 240 : 96;
    for (let done = 0; done < total; done += 48) {
      emit({ step, done, total });
      await world.wait(150);
    }
  }
  world.statementsRead = true;
  return { found: world.contradictions, by_words_alone: !world.hasReader };
}

export function decisionCommands(world: World): Pick<Handlers, Names> {
  return {
    decision_graph: () => world.graph,
    mark_contradiction: ({ id, mark }) => {
      const found = world.contradictions.find((one) => one.id === id);
      if (!found) {
        throw failure(
          "not_found",
          "This contradiction is not there any more: one of its passages has changed.",
        );
      }
      found.mark = mark;
      return null;
    },
    save_record_draft: ({ draft }) => `/home/you/Documents/${draft.file_name}`,
    export_decision_graph: () => "/home/you/Documents/plumbline-decisions.svg",
  };
}
