import type { Commands } from "./generated/commands";
import type { Broadcast, CommandError } from "./generated/types";

export type CommandName = keyof Commands;
export type Arguments<C extends CommandName> = Commands[C]["arguments"];
export type Result<C extends CommandName> = Commands[C]["result"];
export type EventOf<C extends CommandName> = Commands[C]["event"];

/** The commands that tell something while they run. */
export type StreamingCommand = {
  [C in CommandName]: [EventOf<C>] extends [never] ? never : C;
}[CommandName];

/** All that the window needs from outside. A command that fails rejects with a [`CommandError`]. */
export interface Backend {
  call<C extends Exclude<CommandName, StreamingCommand>>(
    command: C,
    parameters: Arguments<C>,
  ): Promise<Result<C>>;
  stream<C extends StreamingCommand>(
    command: C,
    parameters: Arguments<C>,
    onEvent: (event: EventOf<C>) => void,
  ): Promise<Result<C>>;
  /** Hears every broadcast until the returned function is called. */
  listen(onBroadcast: (broadcast: Broadcast) => void): () => void;
}

/** Takes whatever was thrown for what the window can show. */
export function toCommandError(thrown: unknown): CommandError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "message" in thrown) {
    return { code: thrown.code, message: String(thrown.message) } as CommandError;
  }
  return { code: "internal", message: thrown instanceof Error ? thrown.message : String(thrown) };
}
