import type {
  AnswerEvent,
  AskResponse,
  Citation,
  ErrorReport,
  Stage,
  StageReport,
  Withheld,
} from "../../backend/generated/types";

export type AnswerStatus = "waiting" | "writing" | "done" | "stopped" | "failed";

/** One answer on its way, folded from the events that the engine sends. */
export class Answer {
  requestId = $state<string | null>(null);
  status = $state<AnswerStatus>("waiting");
  text = $state("");
  citations = $state<Citation[]>([]);
  withheld = $state<Withheld[]>([]);
  stages = $state<StageReport[]>([]);
  running = $state<Stage | null>(null);
  response = $state<AskResponse | null>(null);
  error = $state<ErrorReport | null>(null);

  /** Whether nothing more will come. */
  get settled(): boolean {
    return this.status === "done" || this.status === "stopped" || this.status === "failed";
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
          this.stages.push(event.report);
          if (this.running === event.stage) this.running = null;
        }
        break;
      case "delta":
        this.status = "writing";
        this.text += event.text;
        break;
      case "citation":
        this.citations.push(event);
        break;
      case "withheld":
        this.withheld.push(event);
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
        this.response = event;
        this.text = event.answer;
        this.citations = event.citations;
        this.withheld = event.withheld;
        this.stages = event.stages;
        this.end("done");
        break;
      case "failed":
        this.error = event;
        this.end("failed");
        break;
    }
  }

  private end(status: AnswerStatus): void {
    this.status = status;
    this.running = null;
  }
}
