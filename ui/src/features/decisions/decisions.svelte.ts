import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type {
  Broadcast,
  Citation,
  Contradiction,
  ContradictionProgress,
  Contradictions,
  DecisionGraph,
  DecisionNode,
  DocumentView,
  Kind,
  Mark,
  OpposingPassage,
  RelationKind,
  Standing,
} from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";
import type { Grouping } from "./clusters";
import { towards, type Direction } from "./drawing";
import { around, filtered, neighbours, tally, yearOf, type Neighbour, type Part } from "./graph";
import { layOut, type Arrangement, type Scene } from "./layout";
import { spoken } from "./naming";
import { lettersOf } from "./opposing";
import { asSvg } from "./svg";
import { Viewport } from "./viewport.svelte";

export type DecisionsTab = "graph" | "table" | "contradictions" | "problems";

const MOST_STEPS = 6;
const NOTHING: Part = { nodes: [], relations: [] };

/** The library as decisions: their graph, and what opposes what. */
export class Decisions {
  readonly graph = new Loaded<DecisionGraph>();
  readonly contradictions = new Loaded<Contradictions>();
  /** How far the reading of new statements is, which takes minutes for a large library, once. */
  progress = $state.raw<ContradictionProgress | null>(null);
  /** The text of the record that is chosen. */
  readonly text = new Loaded<DocumentView>();
  readonly viewport = new Viewport();
  tab = $state<DecisionsTab>("graph");

  kind = $state<Kind | null>(null);
  concept = $state<string | null>(null);
  from = $state<number | null>(null);
  until = $state<number | null>(null);
  hiddenStandings = $state.raw<Standing[]>([]);
  hiddenRelations = $state.raw<RelationKind[]>([]);
  arrangement = $state<Arrangement>("clusters");
  grouping = $state<Grouping>("relations");
  /** The record that all others are looked at from. */
  center = $state<string | null>(null);
  steps = $state(1);
  private chosen = $state<string | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await Promise.all([
      this.graph.load(async () => {
        const graph = await this.backend.call("decision_graph", {});
        // What is as it was is not drawn anew: whoever comes back finds the picture as they left it.
        const before = this.graph.value;
        return before && JSON.stringify(before) === JSON.stringify(graph) ? before : graph;
      }),
      this.loadContradictions(),
    ]);
  }

  async loadContradictions(): Promise<void> {
    await this.contradictions.load(() =>
      this.backend.stream("contradictions", {}, (progress) => (this.progress = progress)),
    );
    this.progress = null;
  }

  /** Fetches what opposes what where that is not known yet. */
  async knowContradictions(): Promise<void> {
    const { value, error, loading } = this.contradictions;
    if (!value && !error && !loading) await this.loadContradictions();
  }

  hear(broadcast: Broadcast): void {
    // What was never looked at is fetched when it is.
    if (broadcast.event !== "library_changed") return;
    if (this.graph.value || this.graph.error) void this.load();
    else if (this.contradictions.value || this.contradictions.error) void this.loadContradictions();
  }

  /** What passes the filters, around the centre where there is one. */
  readonly shown: Part = $derived.by(() => {
    const graph = this.graph.value;
    if (!graph) return NOTHING;
    const part = filtered(graph, {
      kind: this.kind,
      concept: this.concept,
      from: this.from,
      until: this.until,
      hiddenStandings: this.hiddenStandings,
      hiddenRelations: this.hiddenRelations,
    });
    const center = this.center;
    return center !== null && part.nodes.some((node) => node.id === center)
      ? around(part, center, this.steps)
      : part;
  });

  readonly scene: Scene = $derived(
    layOut(this.shown, {
      arrangement: this.arrangement,
      grouping: this.grouping,
      aspect: this.viewport.aspect,
      area: this.viewport.area,
    }),
  );

  /** Every record by its id, hidden ones too. */
  readonly byId: Map<string, DecisionNode> = $derived(
    new Map((this.graph.value?.nodes ?? []).map((node) => [node.id, node])),
  );

  /** All relations of each record, whatever the filters. */
  readonly beside: Map<string, Neighbour[]> = $derived(neighbours(this.graph.value ?? NOTHING));

  get kinds(): Kind[] {
    return tally(this.nodes.map((node) => node.kind)).map(({ value }) => value);
  }

  get concepts(): { value: string; count: number }[] {
    return tally(this.nodes.flatMap((node) => node.concepts));
  }

  get standings(): { value: Standing; count: number }[] {
    return tally(this.nodes.map((node) => node.standing));
  }

  get relations(): { value: RelationKind; count: number }[] {
    return tally((this.graph.value?.relations ?? []).map((one) => one.relation));
  }

  /** The years from the first record to the last. */
  get years(): number[] {
    return [...new Set(this.nodes.map(yearOf))].filter((year) => year !== null).toSorted((a, b) => a - b);
  }

  private get nodes(): DecisionNode[] {
    return this.graph.value?.nodes ?? [];
  }

  get filtering(): boolean {
    return (
      this.kind !== null ||
      this.concept !== null ||
      this.from !== null ||
      this.until !== null ||
      this.center !== null ||
      this.hiddenStandings.length > 0 ||
      this.hiddenRelations.length > 0
    );
  }

  showAll(): void {
    this.kind = this.concept = this.from = this.until = this.center = null;
    this.hiddenStandings = [];
    this.hiddenRelations = [];
  }

  toggleStanding(standing: Standing): void {
    this.hiddenStandings = toggled(this.hiddenStandings, standing);
  }

  toggleRelation(relation: RelationKind): void {
    this.hiddenRelations = toggled(this.hiddenRelations, relation);
  }

  /** The record that is chosen, as long as it is shown. */
  get selected(): DecisionNode | null {
    return this.chosen !== null && this.scene.at.has(this.chosen) ? this.byId.get(this.chosen)! : null;
  }

  /** Chooses a record; one that the filters hide comes into sight again. */
  select(id: string): void {
    if (!this.byId.has(id)) return;
    if (!this.scene.at.has(id)) this.showAll();
    this.chosen = id;
    this.viewport.reveal(this.scene.at.get(id)!);
    this.text.clear();
    void this.text.load(() => this.backend.call("document", { id }));
  }

  unselect(): void {
    this.chosen = null;
  }

  /** Goes on from the chosen record, or begins at the first. */
  move(direction: Direction): void {
    const from = this.selected && this.scene.at.get(this.selected.id);
    const to = from ? towards(this.scene, from, direction) : this.scene.cards[0];
    if (to) this.go(to.node.id);
  }

  /** Goes to the first or the last record in the order of lists. */
  moveToEnd(last: boolean): void {
    const node = last ? this.shown.nodes.at(-1) : this.shown.nodes[0];
    if (node) this.go(node.id);
  }

  private go(id: string): void {
    const before = this.selected?.id;
    this.select(id);
    const way = this.beside.get(id)!.find((one) => one.id === before);
    this.messages.speak(spoken(this.byId.get(id)!, this.beside.get(id)!.length, way, this.byId));
  }

  /** Looks at the others from a record. */
  focus(id: string, steps = 1): void {
    this.center = id;
    this.steps = steps;
    if (this.chosen !== id) this.select(id);
  }

  widen(by: number): void {
    this.steps = Math.min(MOST_STEPS, Math.max(1, this.steps + by));
  }

  get widest(): boolean {
    return this.steps === MOST_STEPS;
  }

  unfocus(): void {
    this.center = null;
  }

  /** The contradictions that nobody has spoken about yet. */
  get open(): Contradiction[] {
    return this.found.filter((one) => one.mark === null);
  }

  get marked(): Contradiction[] {
    return this.found.filter((one) => one.mark !== null);
  }

  private get found(): Contradiction[] {
    return this.contradictions.value?.found ?? [];
  }

  /** Those of which an answer cites one of the two passages. */
  opposing(citations: readonly Citation[]): Contradiction[] {
    const cited = citations.map((one) => ({ document: one.document_id, text: lettersOf(one.snippet_full) }));
    const isCited = (one: OpposingPassage) =>
      cited.some(({ document, text }) => document === one.document && text.includes(lettersOf(one.sentence)));
    return this.open.filter((one) => isCited(one.first) || isCited(one.second));
  }

  /** Those in which a record takes part. */
  contradictionsOf(id: string): Contradiction[] {
    return this.open.filter((one) => one.first.document === id || one.second.document === id);
  }

  /** Keeps what the user says of a contradiction; nothing takes it back. */
  async mark(contradiction: Contradiction, mark: Mark | null): Promise<void> {
    try {
      await this.backend.call("mark_contradiction", { id: contradiction.id, mark });
      const found = this.found.map((one) => (one.id === contradiction.id ? { ...one, mark } : one));
      this.contradictions.set({ by_words_alone: false, ...this.contradictions.value, found });
      if (mark !== null) {
        this.messages.say(t("contradiction.kept"), {
          label: t("action.undo"),
          run: () => void this.mark(contradiction, null),
        });
      }
    } catch (thrown) {
      this.messages.fail(thrown);
      // It may be that the passages have changed and it is not there any more.
      await this.loadContradictions();
    }
  }

  /** Saves what is shown as a picture. */
  async export(): Promise<void> {
    try {
      const path = await this.backend.call("export_decision_graph", { svg: asSvg(this.scene) });
      if (path) this.messages.say(t("export.done", { path }));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}

function toggled<T>(list: T[], value: T): T[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}
