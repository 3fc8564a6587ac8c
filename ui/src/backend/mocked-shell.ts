import { emit } from "@tauri-apps/api/event";
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import type { Backend, StreamingCommand } from "./backend";
import { FakeBackend } from "./fake/fake";
import type { PlainCommand } from "./fake/handlers";
import { BROADCAST } from "./generated/commands";
import { TauriBackend } from "./tauri";

interface Internals {
  runCallback(id: number, message: unknown): void;
}

/** Tauri's own way to the shell, with the stand-in where the shell would be. Everything crosses as JSON. */
export function backendOverMockedShell(): { backend: Backend; shell: FakeBackend; close: () => void } {
  const shell = new FakeBackend({ pace: 0 });
  mockIPC(
    async (command, payload) => {
      const { events, ...parameters } = (payload ?? {}) as Record<string, unknown>;
      const sent = JSON.parse(JSON.stringify(parameters));
      if (!events) return shell.call(command as PlainCommand, sent);
      const channel = (events as { id: number }).id;
      let index = 0;
      return shell.stream(command as StreamingCommand, sent, (event) => {
        const internals = (window as unknown as { __TAURI_INTERNALS__: Internals }).__TAURI_INTERNALS__;
        internals.runCallback(channel, { index: index++, message: [JSON.parse(JSON.stringify(event))] });
      });
    },
    { shouldMockEvents: true },
  );
  const stop = shell.listen((broadcast) => void emit(BROADCAST, broadcast));
  const close = () => {
    stop();
    clearMocks();
  };
  return { backend: new TauriBackend(), shell, close };
}
