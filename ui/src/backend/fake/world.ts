import type {
  AppState,
  BannerItem,
  Broadcast,
  CommandError,
  Contradiction,
  Conversation,
  CuratedMemory,
  DecisionGraph,
  Development,
  DevelopmentSet,
  DocumentView,
  GoldenSet,
  Indexing,
  LibraryFinding,
  LibraryFolder,
  MetricsSample,
  OwnModelState,
  Preferences,
  SettingsReport,
  TeamOverview,
  ThresholdRow,
  TokenStatus,
} from "../generated/types";
import { sampleContradictions, sampleGraph } from "./decision-seed";
import { seededRuns, type Runs } from "./evaluation-seed";
import { seededMemory } from "./memory-seed";
import { sampleDocuments } from "./sample-documents";
import { defaultSettings, defaultThresholds } from "./settings-seed";

export interface WorldOptions {
  /** How slow things are; 0 makes everything as fast as it can be. */
  pace?: number;
  /** Whether the program has never been used. */
  fresh?: boolean;
  now?: () => Date;
}

/** Everything that the stand-in knows, and the one way to tell the window. */
export class World {
  readonly pace: number;
  readonly now: () => Date;
  readonly listeners = new Set<(broadcast: Broadcast) => void>();

  state: AppState;
  banner: BannerItem[] = [];
  preferences: Preferences = { theme: "system", sidebar_folded: false };
  settings: SettingsReport = defaultSettings();
  thresholds: ThresholdRow[] = defaultThresholds();
  token: TokenStatus = { place: "none", keyring_problem: null };
  folders: LibraryFolder[] = [];
  documents: DocumentView[] = [];
  findings: LibraryFinding[] = [];
  graph: DecisionGraph = { nodes: [], relations: [], problems: [] };
  contradictions: Contradiction[] = [];
  /** Whether what its statements mean is known already. */
  statementsRead = false;
  /** Whether something tells what statements mean. */
  hasReader = true;
  team: TeamOverview = { followed: [], published: null, activity: null };
  indexing: Indexing = { phase: "idle" };
  indexedAt: string | null = null;
  generation = 0;
  /** The points of the metrics' curves. */
  samples: MetricsSample[] = [];
  conversations: Conversation[] = [];
  deleted = new Map<string, Conversation>();
  memory: CuratedMemory = { folder: null, entries: [], problems: [] };
  /** The golden set that the user chose, or why it cannot be read any more. */
  ownSet: GoldenSet | { unreadable: string } | null = null;
  runs: Runs = { running: null, last: null, previous: null };
  /** The folder of questions that the user chose, or why it cannot be asked. */
  developmentSet: DevelopmentSet | { unusable: string } | null = null;
  development: Pick<Development, "running" | "last"> = { running: null, last: null };
  /** Why the next folder that is chosen cannot be asked; absent where it can. */
  badFolder: string | null = null;
  /** Whether the run of questions that goes on is to stop. */
  stopping = false;
  /** Whether Plumbline's own model runs. */
  ownModel: OwnModelState = "stopped";
  pulled = new Set<string>(["llama3.2"]);
  embedder = "local";
  /** Requests that are being answered, and whether they were stopped. */
  readonly running = new Map<string, { stopped: boolean }>();
  private ids = 0;

  constructor(options: WorldOptions = {}) {
    this.pace = options.pace ?? 1;
    this.now = options.now ?? (() => new Date());
    this.state = {
      version: "0.1.0",
      startup: { phase: "ready" },
      first_run: true,
      sample_library: false,
      remote: null,
      answers_with_model: false,
    };
    if (!options.fresh) this.openSample();
  }

  /** Puts the sample library in place, indexed. */
  openSample(): LibraryFolder {
    const folder: LibraryFolder = {
      id: "lichtveld",
      name: "Lichtveld Netbeheer",
      path: "/usr/share/plumbline/sample",
      documents: sampleDocuments().length,
      present: true,
      watched: true,
      sample: true,
      checked_at: this.timestamp(),
    };
    this.folders = [...this.folders.filter((one) => one.id !== folder.id), folder];
    this.documents = sampleDocuments();
    this.findings = [
      {
        group: "problem",
        folder: folder.name,
        path: "policies/scan-of-1998.pdf",
        code: "no_text",
        reason:
          "The PDF holds pictures of pages and no text. Run it through text recognition and save it again.",
      },
      {
        group: "guess",
        folder: folder.name,
        path: "policies/cloud-use.pdf",
        code: "title_guessed",
        reason: "Taken to be “Cloud use”: the properties of the file say so.",
      },
      ...this.documents.map(({ row }): LibraryFinding => ({
        group: "note",
        folder: folder.name,
        path: row.path,
        code: "language_detected",
        reason: `${row.language === "nl" ? "Dutch" : "English"}, by the words of the text.`,
      })),
    ];
    this.graph = sampleGraph(this.documents);
    this.contradictions = sampleContradictions();
    this.memory = seededMemory();
    this.runs = seededRuns();
    this.generation = Math.max(1, this.generation);
    this.indexedAt = this.timestamp();
    this.setState({ first_run: false, sample_library: true });
    return folder;
  }

  id(prefix: string): string {
    return `${prefix}-${++this.ids}`;
  }

  timestamp(): string {
    return this.now().toISOString();
  }

  async wait(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds * this.pace));
  }

  emit(broadcast: Broadcast): void {
    for (const listener of this.listeners) listener(structuredClone(broadcast));
  }

  setState(change: Partial<AppState>): void {
    this.state = { ...this.state, ...change };
    this.emit({ event: "state", state: this.state });
  }

  /** Takes a service down, or up again when the list is empty. */
  setBanner(items: BannerItem[]): void {
    this.banner = items;
    this.emit({ event: "banner", items });
  }

  setIndexing(indexing: Indexing): void {
    this.indexing = indexing;
    this.emit({ event: "indexing", indexing });
  }

  passages(): number {
    return this.documents.reduce((sum, document) => sum + document.passages.length, 0);
  }
}

export function failure(code: CommandError["code"], message: string): CommandError {
  return { code, message };
}
