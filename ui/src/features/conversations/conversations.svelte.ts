import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type { Broadcast, ConversationFormat, ConversationSummary } from "../../backend/generated/types";
import { t } from "../../i18n/i18n.svelte";
import { shorten } from "../../text/plain";

/** The list of conversations. */
export class Conversations {
  readonly list = new Loaded<ConversationSummary[]>();
  search = $state("");

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    const search = this.search.trim() || null;
    await this.list.load(() => this.backend.call("conversations", { search }));
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "conversations_changed") void this.load();
  }

  async searchFor(text: string): Promise<void> {
    this.search = text;
    await this.load();
  }

  async rename(id: string, title: string): Promise<void> {
    if (title.trim() === "") return;
    await this.attempt(() => this.backend.call("rename_conversation", { id, title: title.trim() }));
  }

  async remove(conversation: ConversationSummary): Promise<void> {
    const { id } = conversation;
    const removed = await this.attempt(() => this.backend.call("delete_conversation", { id }));
    if (!removed) return;
    this.messages.say(t("conversations.deleted", { title: titleOf(conversation) }), {
      label: t("action.undo"),
      run: () => void this.attempt(() => this.backend.call("restore_conversation", { id })),
    });
  }

  async export(id: string, format: ConversationFormat): Promise<void> {
    await this.attempt(async () => {
      const path = await this.backend.call("export_conversation", { id, format });
      if (path) this.messages.say(t("export.done", { path }));
    });
  }

  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      await this.load();
      return true;
    } catch (thrown) {
      this.messages.fail(thrown);
      return false;
    }
  }
}

/** What a conversation is called in lists. */
export function titleOf(conversation: ConversationSummary): string {
  return shorten(conversation.title, 80) || t("conversations.untitled");
}
