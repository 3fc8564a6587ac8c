import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import type {
  Broadcast,
  CommandError,
  FollowedLibrary,
  PublishedLibrary,
  TeamActivity,
} from "../../backend/generated/types";
import { bytes, t } from "../../i18n/i18n.svelte";

/** What the user is doing with a published library. */
export type TeamDialog = "follow" | "publish";

/** Following and publishing libraries of a team. */
export class Team {
  dialog = $state<TeamDialog | null>(null);
  address = $state("");
  /** Keys to the store; empty where environment or platform has them. */
  id = $state("");
  secret = $state("");
  prune = $state(false);
  /** Whether it is, or may be, read where it lies. */
  inPlace = $state(false);
  activity = $state<TeamActivity | null>(null);
  /** Whether what the dialog is for goes on. */
  busy = $state(false);
  /** Why it came to nothing, told in the dialog. */
  problem = $state<string | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "team_activity") this.activity = broadcast.activity;
  }

  open(dialog: TeamDialog, address = ""): void {
    this.dialog = dialog;
    this.address = address;
    this.id = "";
    this.secret = "";
    this.prune = false;
    this.inPlace = false;
    this.problem = null;
  }

  /** Closes the dialog; what goes on for it is stopped. */
  close(): void {
    if (this.busy) void this.stop();
    this.dialog = null;
    this.secret = "";
  }

  /** Whether a store of that kind wants keys. */
  get wantsKeys(): boolean {
    return /^\s*(s3|az|gs):\/\//.test(this.address);
  }

  async follow(): Promise<void> {
    const in_place = this.inPlace;
    await this.attempt(async (address) => {
      const followed = await this.backend.call("follow_library", { address, in_place });
      this.messages.say(t("team.followed", { generation: followed.generation, n: followed.documents }));
    });
  }

  async publish(): Promise<void> {
    const { prune, inPlace: in_place } = this;
    await this.attempt(async (address) => {
      this.messages.say(told(await this.backend.call("publish_library", { address, prune, in_place })));
    });
  }

  async look(): Promise<void> {
    try {
      await this.backend.call("look_for_generations", {});
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  async unfollow(library: FollowedLibrary): Promise<void> {
    try {
      await this.backend.call("unfollow_library", { address: library.address });
      this.messages.say(t("team.unfollowed", { address: library.address }));
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  async stop(): Promise<void> {
    await this.backend.call("stop_team", {});
  }

  private async attempt(work: (address: string) => Promise<void>): Promise<void> {
    const address = this.address.trim();
    if (!address) {
      this.problem = t("team.no_address");
      return;
    }
    this.busy = true;
    this.problem = null;
    try {
      if (this.wantsKeys && this.secret.trim()) {
        const keys = { id: this.id, secret: this.secret };
        const kept = await this.backend.call("keep_store_keys", { address, keys });
        if (kept === "for_this_session") this.messages.say(t("team.keys_for_session"));
      }
      await work(address);
      this.dialog = null;
      this.secret = "";
    } catch (thrown) {
      // Where the dialog was closed, the user stopped it and needs no word on that.
      if (this.dialog) this.problem = (thrown as CommandError).message;
    }
    this.busy = false;
  }
}

/** What was published, in a sentence. */
function told(published: PublishedLibrary): string {
  const { generation, documents, bytes_sent: sent } = published;
  return published.new
    ? t("team.published", { generation, n: documents, sent: bytes(sent) })
    : t("team.published_same", { generation });
}
