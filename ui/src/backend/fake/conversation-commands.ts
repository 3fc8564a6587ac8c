import type { Conversation, ConversationSummary } from "../generated/types";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names =
  | "conversations"
  | "conversation"
  | "create_conversation"
  | "rename_conversation"
  | "delete_conversation"
  | "restore_conversation"
  | "export_conversation"
  | "give_feedback"
  | "stop";

export function conversationCommands(world: World): Pick<Handlers, Names> {
  const find = (id: string): Conversation => {
    const found = world.conversations.find((one) => one.id === id);
    if (!found) throw failure("not_found", "this conversation does not exist any more");
    return found;
  };
  const changed = () => {
    world.emit({ event: "conversations_changed" });
    return null;
  };
  return {
    conversations: ({ search }) =>
      world.conversations
        .filter((one) => one.history.length > 0)
        .map((one) => summary(one, search))
        .filter((one) => one !== null)
        .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)),
    conversation: ({ id }) => find(id),
    create_conversation: () => {
      const created: Conversation = {
        id: world.id("conversation"),
        title: "",
        updated_at: world.timestamp(),
        turns: 0,
        excerpt: null,
        history: [],
      };
      world.conversations.push(created);
      return summary(created, null)!;
    },
    rename_conversation: ({ id, title }) => {
      find(id).title = title;
      return changed();
    },
    delete_conversation: ({ id }) => {
      world.deleted.set(id, find(id));
      world.conversations = world.conversations.filter((one) => one.id !== id);
      return changed();
    },
    restore_conversation: ({ id }) => {
      const kept = world.deleted.get(id);
      if (!kept) throw failure("not_found", "this conversation cannot be restored any more");
      world.deleted.delete(id);
      world.conversations.push(kept);
      return changed();
    },
    export_conversation: ({ id, format }) => {
      const { title } = find(id);
      const name = title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .slice(0, 40);
      return `/home/you/Documents/${name}.${format === "markdown" ? "md" : "json"}`;
    },
    give_feedback: ({ conversation_id, turn_id, feedback }) => {
      const turn = find(conversation_id).history.find((one) => one.id === turn_id);
      if (!turn) throw failure("not_found", "this answer does not exist any more");
      turn.feedback = feedback;
      return null;
    },
    stop: ({ request_id }) => {
      const running = world.running.get(request_id);
      if (running) running.stopped = true;
      return null;
    },
  };
}

function summary(conversation: Conversation, search: string | null): ConversationSummary | null {
  const { id, title, updated_at, turns } = conversation;
  if (!search) return { id, title, updated_at, turns, excerpt: null };
  const wanted = search.toLowerCase();
  const texts = conversation.history.flatMap((turn) => [
    turn.question,
    turn.outcome === "answered" ? turn.response.answer : "",
  ]);
  const text = [title, ...texts].find((one) => one.toLowerCase().includes(wanted));
  if (text === undefined) return null;
  const at = text.toLowerCase().indexOf(wanted);
  return { id, title, updated_at, turns, excerpt: text.slice(Math.max(0, at - 20), at + 60) };
}
