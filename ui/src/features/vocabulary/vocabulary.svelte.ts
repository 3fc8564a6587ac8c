import { SvelteMap, SvelteSet } from "svelte/reactivity";
import { Loaded } from "../../app/loaded.svelte";
import type { Backend } from "../../backend/backend";
import { toCommandError } from "../../backend/backend";
import type { CommandError, ConceptSummary, Definition, VocabularyInfo } from "../../backend/generated/types";

/** The vocabularies of record: hierarchy, search, definitions. */
export class VocabularyBrowser {
  readonly vocabularies = new Loaded<VocabularyInfo[]>();
  readonly results = new Loaded<ConceptSummary[]>();
  readonly concept = new Loaded<Definition>();
  search = $state("");
  chosen = $state<string | null>(null);
  uri = $state<string | null>(null);
  /** The concepts below a vocabulary or a concept, by its id. */
  readonly below = new SvelteMap<string, ConceptSummary[]>();
  readonly unfolded = new SvelteSet<string>();
  error = $state<CommandError | null>(null);

  constructor(private readonly backend: Backend) {}

  async load(): Promise<void> {
    await this.vocabularies.load(() => this.backend.call("vocabularies", {}));
    const first = this.vocabularies.value?.[0];
    if (first && !this.chosen) await this.choose(first.id);
  }

  async choose(vocabulary: string): Promise<void> {
    this.chosen = vocabulary;
    await this.fetchBelow(vocabulary, () => this.backend.call("top_concepts", { vocabulary }));
  }

  get top(): ConceptSummary[] {
    return this.chosen ? (this.below.get(this.chosen) ?? []) : [];
  }

  async toggle(concept: ConceptSummary): Promise<void> {
    if (this.unfolded.delete(concept.uri)) return;
    this.unfolded.add(concept.uri);
    await this.fetchBelow(concept.uri, () => this.backend.call("narrower_concepts", { uri: concept.uri }));
  }

  async searchFor(text: string): Promise<void> {
    this.search = text;
    const wanted = text.trim();
    if (wanted === "") {
      this.results.clear();
      return;
    }
    await this.results.load(() => this.backend.call("search_concepts", { text: wanted, vocabulary: null }));
  }

  async open(uri: string): Promise<void> {
    this.uri = uri;
    await this.concept.load(() => this.backend.call("concept", { uri }));
  }

  private async fetchBelow(id: string, fetch: () => Promise<ConceptSummary[]>): Promise<void> {
    if (this.below.has(id)) return;
    try {
      this.below.set(id, await fetch());
      this.error = null;
    } catch (thrown) {
      this.error = toCommandError(thrown);
    }
  }
}
