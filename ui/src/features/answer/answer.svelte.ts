import type {
  AnswerEvent,
  AskResponse,
  Citation,
  CommandError,
  Stage,
  StageReport,
  Turn,
  Withheld,
} from "../../backend/generated/types";

export type AnswerStatus = "waiting" | "writing" | "done" | "stopped" | "failed" | "interrupted";

/** What the user sees of the journey. */
export const STEPS = ["searching", "reading", "writing", "checking"] as const;
export type Step = (typeof STEPS)[number];

const STEP_OF: Record<Stage, Step> = {
  intent: "searching",
  vocabulary: "searching",
  catalogue: "searching",
  embedding: "searching",
  curated: "searching",
  dense: "searching",
  lexical: "searching",
  address: "searching",
  rewrites: "searching",
  rerank: "reading",
  filters: "reading",
  gates: "reading",
  planner: "reading",
  budget: "reading",
  generation: "writing",
  grounding: "checking",
  judge: "checking",
  confidence: "checking",
  audit: "checking",
};

/** One answer on its way, folded from the events that the engine sends. */
export class Answer {
  requestId = $state<string | null>(null);
  status = $state<AnswerStatus>("waiting");
  text = $state("");
  // What arrives is never changed, only replaced: plain data that can be sent back as it came.
  citations = $state.raw<Citation[]>([]);
  withheld = $state.raw<Withheld[]>([]);
  stages = $state.raw<StageReport[]>([]);
  running = $state<Stage | null>(null);
  response = $state.raw<AskResponse | null>(null);
  error = $state<CommandError | null>(null);

  /** An answer from the history. */
  static kept(turn: Turn): Answer {
    const answer = new Answer();
    answer.requestId = turn.id;
    switch (turn.outcome) {
      case "answered":
        answer.apply({ event: "done", ...turn.response });
        break;
      case "stopped":
        answer.text = turn.text;
        answer.end("stopped");
        break;
      case "failed":
        answer.fail(turn.error);
        break;
      case "interrupted":
        answer.end("interrupted");
        break;
    }
    return answer;
  }

  /** Whether nothing more will come. */
  get settled(): boolean {
    return this.status !== "waiting" && this.status !== "writing";
  }

  /** Where the journey is; nothing once it has ended. */
  get step(): Step | null {
    if (this.settled) return null;
    if (this.running) return STEP_OF[this.running];
    const last = this.stages.at(-1);
    return last ? STEP_OF[last.stage] : "searching";
  }

  /** Ends without a response; an answer that has ended already stays as it is. */
  fail(error: CommandError): void {
    if (this.settled) return;
    if (error.code === "stopped") {
      this.end("stopped");
      return;
    }
    this.error = error;
    this.end("failed");
  }

  apply(event: AnswerEvent): void {
    // What arrives after the last event belongs to no answer.
    if (this.settled) return;
    switch (event.event) {
      case "accepted":
        this.requestId = event.request_id;
        break;
      case "stage":
        if (event.report === null) {
          this.running = event.stage;
        } else {
          this.stages = [...this.stages, event.report];
          if (this.running === event.stage) this.running = null;
        }
        break;
      case "delta":
        this.status = "writing";
        this.text += event.text;
        break;
      case "citation":
        this.citations = [...this.citations, event];
        break;
      case "withheld":
        this.withheld = [...this.withheld, event];
        break;
      case "replaced":
        // What was shown did not hold: text and citations go together.
        this.text = event.text;
        this.citations = [];
        break;
      case "stopped":
        this.end("stopped");
        break;
      case "done":
        this.requestId ??= event.request_id;
        this.response = event;
        this.text = event.answer;
        this.citations = event.citations;
        this.withheld = event.withheld;
        this.stages = event.stages;
        this.end("done");
        break;
      case "failed":
        this.fail({ code: event.code, message: event.message });
        break;
    }
  }

  private end(status: AnswerStatus): void {
    this.status = status;
    this.running = null;
  }
}
