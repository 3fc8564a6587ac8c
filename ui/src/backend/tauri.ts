import { Channel, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Arguments, Backend, CommandName, EventOf, Result, StreamingCommand } from "./backend";
import { toCommandError } from "./backend";
import { BROADCAST } from "./generated/commands";
import type { Broadcast } from "./generated/types";

/** The shell behind the window. */
export class TauriBackend implements Backend {
  async call<C extends CommandName>(command: C, parameters: Arguments<C>): Promise<Result<C>> {
    try {
      return await invoke<Result<C>>(command, parameters);
    } catch (thrown) {
      throw toCommandError(thrown);
    }
  }

  async stream<C extends StreamingCommand>(
    command: C,
    parameters: Arguments<C>,
    onEvent: (event: EventOf<C>) => void,
  ): Promise<Result<C>> {
    const events = new Channel<EventOf<C>[]>((batch) => batch.forEach(onEvent));
    try {
      return await invoke<Result<C>>(command, { ...parameters, events });
    } catch (thrown) {
      throw toCommandError(thrown);
    }
  }

  listen(onBroadcast: (broadcast: Broadcast) => void): () => void {
    const listening = listen<Broadcast>(BROADCAST, (event) => onBroadcast(event.payload));
    return () => void listening.then((stop) => stop());
  }
}
