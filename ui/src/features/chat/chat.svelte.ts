import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import { toCommandError } from "../../backend/backend";
import type {
  ChangedSource,
  Choice,
  CommandError,
  Feedback,
  QuestionRequest,
  RecordDraft,
  Turn,
} from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";
import { Answer } from "../answer/answer.svelte";

/** How many of the latest turns are shown before the user asks for earlier ones. */
const PAGE = 25;

/** One question and its answer. */
export class ChatTurn {
  readonly key: string;
  readonly question: string;
  readonly choice: Choice | null;
  readonly collections: string[];
  readonly askedAt: string;
  readonly answer: Answer;
  readonly changedSources: ChangedSource[];
  feedback = $state<Feedback | null>(null);

  constructor(asked: {
    key: string;
    question: string;
    choice: Choice | null;
    collections: string[];
    askedAt: string;
    answer?: Answer;
    changedSources?: ChangedSource[];
    feedback?: Feedback | null;
  }) {
    this.key = asked.key;
    this.question = asked.question;
    this.choice = asked.choice;
    this.collections = asked.collections;
    this.askedAt = asked.askedAt;
    this.answer = asked.answer ?? new Answer();
    this.changedSources = asked.changedSources ?? [];
    this.feedback = asked.feedback ?? null;
  }

  static kept(turn: Turn): ChatTurn {
    return new ChatTurn({
      key: turn.id,
      question: turn.question,
      choice: turn.choice,
      collections: turn.collections,
      askedAt: turn.asked_at,
      answer: Answer.kept(turn),
      changedSources: turn.changed_sources,
      feedback: turn.feedback,
    });
  }

  /** The id under which the turn is kept; absent until the host has taken the question. */
  get id(): string | null {
    return this.answer.requestId;
  }
}

/** The open conversation: asking, stopping, asking again. */
export class Chat {
  conversationId = $state<string | null>(null);
  turns = $state<ChatTurn[]>([]);
  draft = $state("");
  /** Ask within these only; all where empty. */
  collections = $state<string[]>([]);
  loading = $state(false);
  error = $state<CommandError | null>(null);
  /** The turn that the user came for. */
  target = $state<string | null>(null);
  private pages = $state(1);
  private asked = 0;
  private opening = 0;

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
    private readonly now: () => number,
  ) {}

  /** The turn that is being answered. */
  get running(): ChatTurn | null {
    const last = this.turns.at(-1);
    return last && !last.answer.settled ? last : null;
  }

  /** The latest turns; earlier ones are shown on demand, so that a long conversation opens at once. */
  get shown(): ChatTurn[] {
    return this.turns.slice(-this.pages * PAGE);
  }

  get hidden(): number {
    return this.turns.length - this.shown.length;
  }

  showEarlier(): void {
    this.pages++;
  }

  startNew(): void {
    this.opening++;
    void this.stop();
    this.conversationId = null;
    this.turns = [];
    this.pages = 1;
    this.error = null;
    this.loading = false;
    this.target = null;
  }

  async open(id: string, turn?: string): Promise<void> {
    if (id !== this.conversationId) {
      this.startNew();
      const opening = this.opening;
      this.conversationId = id;
      this.loading = true;
      try {
        const conversation = await this.backend.call("conversation", { id });
        if (opening !== this.opening) return;
        this.turns = conversation.history.map((kept) => ChatTurn.kept(kept));
      } catch (thrown) {
        if (opening !== this.opening) return;
        this.error = toCommandError(thrown);
      }
      this.loading = false;
    }
    if (turn) this.show(turn);
  }

  async ask(question: string, options: { choice?: Choice | null; replaces?: ChatTurn } = {}): Promise<void> {
    const text = question.trim();
    if (text === "" || this.running) return;
    const { choice = null, replaces } = options;
    if (replaces) this.turns = this.turns.slice(0, this.turns.indexOf(replaces));
    const collections = replaces ? replaces.collections : [...this.collections];
    const askedAt = new Date(this.now()).toISOString();
    const turn = new ChatTurn({ key: `asked-${++this.asked}`, question: text, choice, collections, askedAt });
    this.turns.push(turn);
    const opening = this.opening;
    try {
      const conversation = this.conversationId ?? (await this.backend.call("create_conversation", {})).id;
      if (opening === this.opening) this.conversationId = conversation;
      const request: QuestionRequest = { query: text, collections, choice };
      const parameters = { conversation_id: conversation, replaces: replaces?.id ?? null, request };
      const response = await this.backend.stream("ask", parameters, (event) => turn.answer.apply(event));
      if (!turn.answer.settled) turn.answer.apply({ event: "done", ...response });
    } catch (thrown) {
      turn.answer.fail(toCommandError(thrown));
    }
  }

  /** Sends what the user has typed. */
  async send(): Promise<void> {
    if (this.draft.trim() === "" || this.running) return;
    const question = this.draft;
    this.draft = "";
    await this.ask(question);
  }

  async stop(): Promise<void> {
    const request = this.running?.id;
    if (!request) return;
    try {
      await this.backend.call("stop", { request_id: request });
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  async retry(turn: ChatTurn): Promise<void> {
    await this.ask(turn.question, { choice: turn.choice, replaces: turn });
  }

  async askEdited(turn: ChatTurn, question: string): Promise<void> {
    await this.ask(question, { replaces: turn });
  }

  /** Writes a draft of a record where the user says. */
  async saveDraft(draft: RecordDraft): Promise<void> {
    try {
      const path = await this.backend.call("save_record_draft", { draft });
      if (path !== null) this.messages.say(t("export.done", { path }));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  async giveFeedback(turn: ChatTurn, feedback: Feedback | null): Promise<void> {
    if (!this.conversationId || !turn.id) return;
    const before = turn.feedback;
    turn.feedback = feedback;
    try {
      const parameters = { conversation_id: this.conversationId, turn_id: turn.id, feedback };
      await this.backend.call("give_feedback", parameters);
    } catch (thrown) {
      turn.feedback = before;
      this.messages.fail(thrown);
    }
  }

  toggleCollection(collection: string): void {
    this.collections = this.collections.includes(collection)
      ? this.collections.filter((chosen) => chosen !== collection)
      : [...this.collections, collection];
  }

  private show(turn: string): void {
    const index = this.turns.findIndex((kept) => kept.id === turn);
    if (index < 0) return;
    this.pages = Math.max(this.pages, Math.ceil((this.turns.length - index) / PAGE));
    this.target = turn;
  }
}
