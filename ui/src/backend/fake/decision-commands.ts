import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names =
  "decision_graph" | "contradictions" | "mark_contradiction" | "save_record_draft" | "export_decision_graph";

export function decisionCommands(world: World): Pick<Handlers, Names> {
  return {
    decision_graph: () => world.graph,
    contradictions: () => world.contradictions,
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
