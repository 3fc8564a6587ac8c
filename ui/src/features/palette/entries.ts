import type { AppContext } from "../../app/context";
import { SHORTCUTS, type Overlays } from "../../app/shortcuts";
import { t } from "../../i18n/i18n.svelte";
import { plain } from "../../text/plain";
import { titleOf } from "../conversations/conversations.svelte";

export interface Entry {
  key: string;
  text: string;
  /** What kind of thing it is, or its keys. */
  hint: string;
  run: () => void;
}

/** Everything that the palette can do, commands first. */
export function entries(app: AppContext, overlays: Overlays, shown: (keys: string) => string): Entry[] {
  const commands = SHORTCUTS.filter(
    (shortcut) => shortcut.name !== "palette" && shortcut.name !== "close",
  ).map((shortcut) => ({
    key: shortcut.name,
    text: t(shortcut.label),
    hint: shown(shortcut.keys),
    run: () => shortcut.run(app, overlays),
  }));
  const actions: Entry[] = [
    {
      key: "add-folder",
      text: t("library.add"),
      hint: t("view.library"),
      run: () => void app.library.addByDialog(),
    },
    {
      key: "reindex",
      text: t("indexing.check"),
      hint: t("view.library"),
      run: () => void app.library.startIndexing(),
    },
    {
      key: "theme-light",
      text: t("palette.light"),
      hint: t("settings.theme"),
      run: () => app.window.useTheme("light"),
    },
    {
      key: "theme-dark",
      text: t("palette.dark"),
      hint: t("settings.theme"),
      run: () => app.window.useTheme("dark"),
    },
    {
      key: "theme-system",
      text: t("palette.system"),
      hint: t("settings.theme"),
      run: () => app.window.useTheme("system"),
    },
    {
      key: "evaluate",
      text: t("evaluation.run"),
      hint: t("view.evaluation"),
      run: () => {
        app.navigation.go("evaluation");
        void app.evaluation.start();
      },
    },
  ];
  const conversations = (app.conversations.list.value ?? []).map((conversation) => ({
    key: `conversation-${conversation.id}`,
    text: titleOf(conversation),
    hint: t("palette.conversation"),
    run: () => app.openConversation(conversation.id),
  }));
  const documents = (app.library.documents.value ?? []).map((row) => ({
    key: `document-${row.id}`,
    text: `${row.id} ${plain(row.title)}`,
    hint: t("palette.document"),
    run: () => app.navigation.openDocument(row.id),
  }));
  return [...commands, ...actions, ...conversations, ...documents];
}

const SHOWN = 50;

/** The entries that hold every word, those that begin with the text first. */
export function matching(all: Entry[], text: string): Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const first = words.join(" ");
  return all
    .map((entry) => ({ entry, lower: entry.text.toLocaleLowerCase() }))
    .filter(({ lower }) => words.every((word) => lower.includes(word)))
    .toSorted((a, b) => Number(b.lower.startsWith(first)) - Number(a.lower.startsWith(first)))
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}
