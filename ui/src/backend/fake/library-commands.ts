import type { CollectionSize, FindingGroup, LibraryFolder } from "../generated/types";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names =
  | "library"
  | "pick_folder"
  | "add_folder"
  | "remove_folder"
  | "open_sample_library"
  | "start_indexing"
  | "stop_indexing"
  | "findings"
  | "documents"
  | "document"
  | "passage"
  | "open_document";

const RATE = 55;

export function libraryCommands(world: World): Pick<Handlers, Names> {
  let stopping = false;

  /** Shows progress over this many files, and brings the result at the end. */
  async function index(files: number, passages: number, finish: () => void): Promise<void> {
    stopping = false;
    for (let done = 0; done <= files; done += Math.max(1, Math.round(files / 4))) {
      world.setIndexing({ phase: "reading", done, total: files });
      await world.wait(120);
    }
    const steps = 12;
    for (let step = 0; step <= steps; step++) {
      if (stopping) {
        world.setIndexing({ phase: "stopped", files_left: Math.ceil(files * (1 - step / steps)) });
        return;
      }
      world.setIndexing({
        phase: "writing",
        files: Math.round((files * step) / steps),
        total_files: files,
        passages: Math.round((passages * step) / steps),
        total_passages: passages,
        rate: RATE,
        seconds_left: Math.ceil((passages * (1 - step / steps)) / RATE),
      });
      await world.wait(220);
    }
    finish();
    world.generation++;
    world.indexedAt = world.timestamp();
    world.setIndexing({ phase: "idle" });
    world.emit({ event: "library_changed" });
  }

  const find = (id: string) => {
    const found = world.documents.find((one) => one.row.id === id);
    if (!found) throw failure("not_found", `there is no document ${id} in the library`);
    return found;
  };

  return {
    library: () => ({
      folders: world.folders,
      collections: sizes(world),
      generation: world.generation,
      team: { ...world.team },
      indexing: world.indexing,
      last_run: world.indexedAt
        ? {
            finished_at: world.indexedAt,
            added: world.documents.length,
            changed: 0,
            removed: 0,
            embedded: world.passages(),
            reused: 0,
            seconds: 3.2,
          }
        : null,
      findings: {
        problems: count(world, "problem"),
        guesses: count(world, "guess"),
        notes: count(world, "note"),
      },
    }),
    pick_folder: () => "/home/you/Documents/architecture",
    add_folder: ({ path }) => {
      if (world.folders.some((folder) => folder.path === path)) {
        throw failure("invalid_input", `${path} is part of the library already`);
      }
      const name = path.split("/").filter(Boolean).at(-1) ?? path;
      const folder: LibraryFolder = {
        id: world.id("folder"),
        name,
        path,
        documents: 0,
        present: true,
        watched: true,
        sample: false,
        checked_at: null,
      };
      world.folders.push(folder);
      world.setState({ first_run: false });
      void index(24, 310, () => {
        folder.documents = 24;
        folder.checked_at = world.timestamp();
      });
      return folder;
    },
    remove_folder: ({ id }) => {
      const folder = world.folders.find((one) => one.id === id);
      if (!folder) throw failure("not_found", "this folder is not part of the library");
      world.folders = world.folders.filter((one) => one.id !== id);
      if (folder.sample) {
        world.documents = [];
        world.findings = [];
        world.graph = { nodes: [], relations: [], problems: [] };
        world.contradictions = [];
        world.setState({ sample_library: false });
      }
      world.emit({ event: "library_changed" });
      return null;
    },
    open_sample_library: () => {
      void index(72, 540, () => world.openSample());
      return {
        id: "lichtveld",
        name: "Lichtveld Netbeheer",
        path: "/usr/share/plumbline/sample",
        documents: 0,
        present: true,
        watched: true,
        sample: true,
        checked_at: null,
      };
    },
    start_indexing: () => {
      if (world.indexing.phase === "reading" || world.indexing.phase === "writing") {
        throw failure("busy", "the library is being indexed already");
      }
      void index(world.documents.length, world.passages(), () => {});
      return null;
    },
    stop_indexing: () => {
      stopping = true;
      return null;
    },
    findings: () => world.findings,
    documents: () => world.documents.map((document) => document.row),
    document: ({ id }) => ({ ...find(id), cited_in: citedIn(world, id) }),
    passage: ({ source_id }) => {
      const document = find(source_id.slice(0, source_id.lastIndexOf(":")));
      const at = document.passages.findIndex((passage) => passage.source_id === source_id);
      const passage = document.passages[at];
      if (!passage) throw failure("not_found", `there is no passage ${source_id} any more`);
      return {
        document: document.row,
        before: document.passages[at - 1] ?? null,
        passage,
        after: document.passages[at + 1] ?? null,
      };
    },
    open_document: ({ id }) => {
      find(id);
      return null;
    },
  };
}

function count(world: World, group: FindingGroup): number {
  return world.findings.filter((finding) => finding.group === group).length;
}

function sizes(world: World): CollectionSize[] {
  const collections = [...new Set(world.documents.map((document) => document.row.collection))];
  return collections.map((collection) => {
    const inside = world.documents.filter((document) => document.row.collection === collection);
    return {
      collection,
      documents: inside.length,
      passages: inside.reduce((sum, document) => sum + document.passages.length, 0),
    };
  });
}

function citedIn(world: World, id: string) {
  return world.conversations.flatMap((conversation) =>
    conversation.history
      .filter(
        (turn) =>
          turn.outcome === "answered" && turn.response.citations.some((one) => one.document_id === id),
      )
      .map((turn) => ({
        conversation_id: conversation.id,
        turn_id: turn.id,
        question: turn.question,
        asked_at: turn.asked_at,
      })),
  );
}
