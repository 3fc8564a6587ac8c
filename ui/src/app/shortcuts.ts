import type { MessageKey } from "../i18n/i18n.svelte";
import type { AppContext } from "./context";
import { VIEWS } from "./navigation.svelte";

export interface Shortcut {
  name: string;
  label: MessageKey;
  /** As shown; `Mod` is Ctrl, or Cmd on a Mac. */
  keys: string;
  matches: (event: KeyboardEvent) => boolean;
  run: (app: AppContext, overlays: Overlays) => void;
}

/** What lies over the window. */
export interface Overlays {
  openPalette(): void;
  openShortcuts(): void;
}

const modified = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && !event.altKey;
const key = (letter: string) => (event: KeyboardEvent) =>
  modified(event) && !event.shiftKey && event.key.toLowerCase() === letter;

/** Puts the focus where a `data-focus` says. */
export function focusOn(name: string): void {
  document.querySelector<HTMLElement>(`[data-focus="${name}"]`)?.focus();
}

export const SHORTCUTS: Shortcut[] = [
  {
    name: "palette",
    label: "shortcut.palette",
    keys: "Mod K",
    matches: key("k"),
    run: (_, overlays) => overlays.openPalette(),
  },
  {
    name: "new",
    label: "shortcut.new",
    keys: "Mod N",
    matches: key("n"),
    run: (app) => app.newConversation(),
  },
  {
    name: "question",
    label: "shortcut.question",
    keys: "Mod L",
    matches: key("l"),
    run: (app) => {
      app.navigation.go("ask");
      setTimeout(() => focusOn("question"));
    },
  },
  {
    name: "conversations",
    label: "shortcut.conversations",
    keys: "Mod Shift F",
    matches: (event) => modified(event) && event.shiftKey && event.key.toLowerCase() === "f",
    run: () => focusOn("conversations"),
  },
  {
    name: "stop",
    label: "shortcut.stop",
    keys: "Mod .",
    matches: key("."),
    run: (app) => void app.chat.stop(),
  },
  ...VIEWS.map((view, index) => ({
    name: `view-${view}`,
    label: `shortcut.${view}` as const,
    keys: `Mod ${index + 1}`,
    matches: key(String(index + 1)),
    run: (app: AppContext) => app.navigation.go(view),
  })),
  {
    name: "export",
    label: "shortcut.export",
    keys: "Mod E",
    matches: key("e"),
    run: (app) => {
      if (app.chat.conversationId) void app.conversations.export(app.chat.conversationId, "markdown");
    },
  },
  {
    name: "sidebar",
    label: "shortcut.sidebar",
    keys: "Mod B",
    matches: key("b"),
    run: (app) => app.window.toggleSidebar(),
  },
  {
    name: "back",
    label: "shortcut.back",
    keys: "Alt ←",
    matches: (event) => event.altKey && event.key === "ArrowLeft",
    run: (app) => app.navigation.back(),
  },
  {
    name: "close",
    label: "shortcut.close",
    keys: "Esc",
    matches: (event) => event.key === "Escape",
    run: (app) => app.source.close(),
  },
  {
    name: "shortcuts",
    label: "shortcut.shortcuts",
    keys: "Mod /",
    matches: key("/"),
    run: (_, overlays) => overlays.openShortcuts(),
  },
];

export function shownKeys(keys: string, mac: boolean): string[] {
  return keys.replace("Mod", mac ? "⌘" : "Ctrl").split(" ");
}

export function isMac(): boolean {
  return /mac/i.test(navigator.userAgent);
}
