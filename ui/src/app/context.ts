import { getContext, setContext } from "svelte";
import type { Backend } from "../backend/backend";
import { Chat } from "../features/chat/chat.svelte";
import { TextCheck } from "../features/check/check.svelte";
import { Conversations } from "../features/conversations/conversations.svelte";
import { Decisions } from "../features/decisions/decisions.svelte";
import { DocumentReader } from "../features/document/document.svelte";
import { DevelopmentRun } from "../features/evaluation/development.svelte";
import { EvaluationRun } from "../features/evaluation/evaluation.svelte";
import { Library } from "../features/library/library.svelte";
import { Memory } from "../features/memory/memory.svelte";
import { MetricsPanel } from "../features/metrics/metrics.svelte";
import { SettingsForm } from "../features/settings/settings.svelte";
import { SourcePanel } from "../features/source/source.svelte";
import { Team } from "../features/team/team.svelte";
import { VocabularyBrowser } from "../features/vocabulary/vocabulary.svelte";
import { Messages } from "./messages.svelte";
import { Navigation } from "./navigation.svelte";
import { WindowState } from "./window.svelte";

/** Every controller of the window, wired to one backend. */
export class AppContext {
  readonly navigation = new Navigation();
  readonly messages = new Messages();
  readonly window: WindowState;
  readonly conversations: Conversations;
  readonly source: SourcePanel;
  readonly chat: Chat;
  readonly check: TextCheck;
  readonly library: Library;
  readonly team: Team;
  readonly document: DocumentReader;
  readonly decisions: Decisions;
  readonly vocabulary: VocabularyBrowser;
  readonly memory: Memory;
  readonly metrics: MetricsPanel;
  readonly evaluation: EvaluationRun;
  readonly development: DevelopmentRun;
  readonly settings: SettingsForm;

  constructor(
    private readonly backend: Backend,
    now: () => number = Date.now,
  ) {
    this.window = new WindowState(backend, this.messages, now);
    this.conversations = new Conversations(backend, this.messages);
    this.source = new SourcePanel(backend, this.messages);
    this.chat = new Chat(backend, this.messages, now);
    this.check = new TextCheck(backend, this.messages);
    this.library = new Library(backend, this.messages);
    this.team = new Team(backend, this.messages);
    this.document = new DocumentReader(backend, this.messages);
    this.decisions = new Decisions(backend, this.messages);
    this.vocabulary = new VocabularyBrowser(backend);
    this.memory = new Memory(backend, this.messages);
    this.metrics = new MetricsPanel(backend, this.messages);
    this.evaluation = new EvaluationRun(backend, this.messages);
    this.development = new DevelopmentRun(backend, this.messages);
    this.settings = new SettingsForm(backend, this.messages);
  }

  /** Begins to listen and fetches what every view needs; the returned function ends it. */
  start(): () => void {
    const hearers = [
      this.window,
      this.conversations,
      this.library,
      this.team,
      this.decisions,
      this.memory,
      this.evaluation,
      this.development,
      this.settings,
    ] as const;
    const stop = this.backend.listen((broadcast) => {
      // What is dropped where texts are checked is a draft; anywhere else it is for the library.
      if (broadcast.event === "dropped" && this.navigation.view === "check") {
        void this.check.read(broadcast.paths[0]);
        return;
      }
      for (const hearer of hearers) hearer.hear(broadcast);
      if (broadcast.event === "dropped") this.navigation.go("library");
    });
    void this.window.start();
    void this.conversations.load();
    void this.library.load();
    void this.settings.load();
    return stop;
  }

  /** Asks a question in the conversation that is open. */
  ask(question: string): void {
    this.navigation.go("ask");
    void this.chat.ask(question);
  }

  /** Asks a question in a conversation of its own. */
  askAnew(question: string): void {
    this.newConversation();
    void this.chat.ask(question);
  }

  newConversation(): void {
    this.source.close();
    this.chat.startNew();
    this.navigation.go("ask");
  }

  openConversation(id: string, turn?: string): void {
    this.source.close();
    this.navigation.go("ask");
    void this.chat.open(id, turn);
  }
}

const KEY = Symbol("app");

export function provideApp(app: AppContext): void {
  setContext(KEY, app);
}

export function useApp(): AppContext {
  return getContext<AppContext>(KEY);
}
