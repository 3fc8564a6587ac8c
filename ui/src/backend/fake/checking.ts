import type { Arguments, EventOf, Result } from "../backend";
import type { CheckedStatement, StatementVerdict } from "../generated/types";
import type { Handlers } from "./handlers";
import { citationOf, nearestOf } from "./responses";
import { failure, type World } from "./world";

const TURNS: StatementVerdict[] = ["supported", "supported_elsewhere", "contradicted", "not_supported"];
const REASONS: Record<StatementVerdict, string | null> = {
  supported: null,
  supported_elsewhere: "ADR.12 does not say this; ADR.3 does.",
  contradicted: "A passage says otherwise.",
  not_supported: "No passage of the library says this, or not enough of it.",
};

export function checkCommands(
  world: World,
): Pick<Handlers, "stop_check" | "pick_draft" | "read_draft" | "export_check"> {
  const draft = (name: string) => ({ name, text: "All services use TLS 1.3. Logs are kept for a year." });
  return {
    stop_check: () => {
      const running = world.running.get("check");
      if (running) running.stopped = true;
      return null;
    },
    pick_draft: () => draft("draft.docx"),
    read_draft: ({ path }) => {
      if (path.endsWith(".png")) throw failure("invalid_input", `${path} is an image`);
      return draft(path.split("/").at(-1)!);
    },
    export_check: ({ name }) => `/home/you/${name ?? "check"}.md`,
  };
}

function firstWord(text: string) {
  const found = /\p{L}+/u.exec(text);
  const start = found?.index ?? 0;
  return { start, end: start + (found?.[0].length ?? 0) };
}

/** Gives the sentences of a text one verdict after the other. */
export async function checkText(
  world: World,
  { text }: Arguments<"check_text">,
  emit: (progress: EventOf<"check_text">) => void,
): Promise<Result<"check_text">> {
  const sentences = text.split(/(?<=[.!])\s+/).filter((sentence) => /[.!]$/.test(sentence));
  const documents = world.documents;
  const running = { stopped: false };
  world.running.set("check", running);
  const statements: CheckedStatement[] = [];
  let start = 0;
  for (const [index, sentence] of sentences.entries()) {
    await world.wait(300);
    if (running.stopped) throw failure("stopped", "stopped");
    const verdict = TURNS[index % TURNS.length]!;
    const document = documents[index % documents.length];
    const passage = document?.passages[0];
    const decides = verdict !== "not_supported" && document && passage;
    const nearest = !decides && document && passage ? nearestOf(document, passage, 0.4) : null;
    start = text.indexOf(sentence, start);
    const latest: CheckedStatement = {
      text: sentence,
      span: { start, end: start + sentence.length },
      verdict,
      label: verdict === "contradicted" ? "contradicted" : verdict === "not_supported" ? "unsupported" : null,
      reason: REASONS[verdict],
      detail: null,
      named: [],
      passages: decides
        ? [{ citation: citationOf(index + 1, document, passage), marked: [firstWord(passage.text)] }]
        : [],
      nearest,
    };
    statements.push(latest);
    emit({ done: statements.length, total: sentences.length, latest });
  }
  world.running.delete("check");
  const count = (verdict: StatementVerdict) => statements.filter((one) => one.verdict === verdict).length;
  return {
    request_id: "check-1",
    language: "en",
    statements,
    counts: {
      supported: count("supported"),
      supported_elsewhere: count("supported_elsewhere"),
      contradicted: count("contradicted"),
      not_supported: count("not_supported"),
    },
    passed_over: 0,
    notices: [],
    fallback_mode: false,
    transparency: { statement: null, show_to_user: false },
    time_ms: 1200,
  };
}
