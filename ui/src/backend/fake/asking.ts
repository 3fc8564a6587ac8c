import type { Arguments } from "../backend";
import type { AnswerEvent, AskResponse, Stage } from "../generated/types";
import { scriptFor, type Script } from "./answering";
import { report } from "./responses";
import { failure, type World } from "./world";

const BEFORE: Stage[] = ["intent", "embedding", "dense", "lexical", "filters", "gates"];
const AFTER: Stage[] = ["grounding", "confidence", "audit"];

/** Answers a question with everything that happens on the way, and keeps it. */
export async function ask(
  world: World,
  parameters: Arguments<"ask">,
  emit: (event: AnswerEvent) => void,
): Promise<AskResponse> {
  const { conversation_id: id, replaces, request } = parameters;
  const conversation = world.conversations.find((one) => one.id === id);
  if (!conversation) throw failure("not_found", "this conversation does not exist any more");
  const requestId = world.id("req");
  const running = { stopped: false };
  world.running.set(requestId, running);
  const turn = {
    id: requestId,
    asked_at: world.timestamp(),
    question: request.query,
    choice: request.choice,
    collections: request.collections,
    feedback: null,
    changed_sources: [],
  };
  const keep = (outcome: Outcome) => {
    const at = conversation.history.findIndex((kept) => kept.id === (replaces ?? requestId));
    const before = at < 0 ? conversation.history : conversation.history.slice(0, at);
    conversation.history = [...before, { ...turn, ...outcome }];
    conversation.turns = conversation.history.length;
    conversation.title ||= request.query;
    conversation.updated_at = world.timestamp();
    world.emit({ event: "conversations_changed" });
  };

  const script = scriptFor(world, requestId, request);
  let shown = "";
  try {
    await play(world, script, requestId, running, (event) => {
      if (event.event === "delta") shown += event.text;
      if (event.event === "replaced") shown = event.text;
      emit(event);
    });
  } catch (stop) {
    if (stop !== STOPPED) throw stop;
    keep({ outcome: "stopped", text: shown });
    emit({ event: "stopped" });
    throw failure("stopped", "stopped");
  } finally {
    world.running.delete(requestId);
  }
  if (script.error) {
    keep({ outcome: "failed", error: script.error });
    emit({ event: "failed", ...script.error });
    throw failure(script.error.code, script.error.message);
  }
  keep({ outcome: "answered", response: script.response });
  emit({ event: "done", ...script.response });
  return script.response;
}

type Outcome =
  | { outcome: "answered"; response: AskResponse }
  | { outcome: "stopped"; text: string }
  | { outcome: "failed"; error: NonNullable<Script["error"]> };

const STOPPED = Symbol("stopped");

async function play(
  world: World,
  script: Script,
  requestId: string,
  running: { stopped: boolean },
  emit: (event: AnswerEvent) => void,
): Promise<void> {
  const { response } = script;
  const pause = async (milliseconds: number) => {
    await world.wait(milliseconds);
    if (running.stopped) throw STOPPED;
  };
  const stage = async (name: Stage, milliseconds: number, work: () => Promise<void> = async () => {}) => {
    emit({ event: "stage", stage: name, report: null });
    await work();
    await pause(milliseconds);
    const done = report(name, milliseconds);
    response.stages.push(done);
    emit({ event: "stage", stage: name, report: done });
  };

  emit({ event: "accepted", request_id: requestId });
  await pause(0);
  for (const name of BEFORE) await stage(name, 70);
  await stage("generation", 40, async () => {
    const cited = new Set<number>();
    for (const unit of script.units) {
      for (const [, digits] of unit.matchAll(/\[(\d+)\]/g)) {
        const citation = response.citations.find((one) => one.number === Number(digits));
        if (!citation || cited.has(citation.number)) continue;
        cited.add(citation.number);
        emit({ event: "citation", ...citation });
      }
      emit({ event: "delta", text: unit });
      await pause(260);
    }
    for (const sentence of script.withheld) emit({ event: "withheld", ...sentence });
  });
  for (const name of AFTER) await stage(name, 50);
  if (script.replaced !== undefined) emit({ event: "replaced", text: script.replaced });
  response.generation_time_ms = response.stages.reduce(
    (sum, done) => sum + done.ms,
    260 * script.units.length,
  );
}
