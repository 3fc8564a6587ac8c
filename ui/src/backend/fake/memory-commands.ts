import type { MemoryEntry } from "../generated/types";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names = "memory" | "save_memory_entry" | "renew_memory_entry" | "delete_memory_entry";

export function memoryCommands(world: World): Pick<Handlers, Names> {
  const find = (path: string): MemoryEntry => {
    const found = world.memory.entries.find((entry) => entry.path === path);
    if (!found) throw failure("not_found", `there is no entry ${path}`);
    return found;
  };
  const keep = (entries: MemoryEntry[]) => {
    world.memory = { ...world.memory, entries: entries.toSorted((a, b) => a.path.localeCompare(b.path)) };
    world.emit({ event: "memory_changed" });
  };
  return {
    memory: () => world.memory,
    save_memory_entry: ({ draft }) => {
      const unknown = draft.pointers.find(
        (pointer) => !world.documents.some((document) => document.row.id === pointer.document_id),
      );
      if (unknown)
        throw failure("invalid_input", `there is no document “${unknown.document_id}” to point at`);
      const slug = draft.title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
      const entry: MemoryEntry = {
        ...draft,
        path: draft.path ?? `${draft.kind}-${slug}.md`,
        retired: null,
        library: null,
      };
      keep([...world.memory.entries.filter((one) => one.path !== entry.path), entry]);
      return entry;
    },
    renew_memory_entry: ({ path }) => {
      const renewed = { ...find(path), retired: null };
      keep([...world.memory.entries.filter((one) => one.path !== path), renewed]);
      return renewed;
    },
    delete_memory_entry: ({ path }) => {
      find(path);
      keep(world.memory.entries.filter((one) => one.path !== path));
      return null;
    },
  };
}
