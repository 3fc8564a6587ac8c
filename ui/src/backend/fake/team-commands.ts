import type { TeamStep } from "../generated/types";
import type { Handlers } from "./handlers";
import { failure, type World } from "./world";

type Names =
  | "follow_library"
  | "look_for_generations"
  | "unfollow_library"
  | "publish_library"
  | "stop_team"
  | "keep_store_keys";

const FILES = 8;
const DAY = 86_400_000;

export function teamCommands(world: World): Pick<Handlers, Names> {
  let stopped = false;

  const tell = (address: string, step: TeamStep | null) => {
    world.team.activity = step && { address, step };
    world.emit({ event: "team_activity", activity: world.team.activity });
  };

  /** Counts up to a number and says so; whether it was let. */
  async function count(address: string, total: number, step: (done: number) => TeamStep): Promise<void> {
    stopped = false;
    for (let done = 0; done <= total; done++) {
      tell(address, step(done));
      await world.wait(150);
      if (stopped) {
        tell(address, null);
        throw failure("stopped", "it was stopped");
      }
    }
  }

  function parsed(address: string): string {
    if (!/^((s3|az|gs):\/\/[^/]+|\/)/.test(address)) {
      throw failure(
        "invalid_input",
        `${address} is no address of a team library: give a folder, or s3://bucket/path, az://container/path or gs://bucket/path`,
      );
    }
    return address.trim();
  }

  return {
    follow_library: async ({ address, in_place }) => {
      const place = parsed(address);
      await count(place, FILES, (done) => ({ phase: "pulling", done, total: FILES }));
      tell(place, { phase: "taking_in" });
      await world.wait(300);
      const followed = {
        address: place,
        generation: 12,
        published_at: new Date(world.now().getTime() - 3 * DAY).toISOString(),
        documents: 31,
        in_place,
        looked_at: world.timestamp(),
        problem: null,
      };
      world.team.followed = [...world.team.followed.filter((one) => one.address !== place), followed];
      world.setState({ first_run: false });
      tell(place, null);
      world.emit({ event: "library_changed" });
      return followed;
    },
    look_for_generations: () => {
      world.team.followed = world.team.followed.map((one) => ({ ...one, looked_at: world.timestamp() }));
      world.emit({ event: "library_changed" });
      return null;
    },
    unfollow_library: ({ address }) => {
      world.team.followed = world.team.followed.filter((one) => one.address !== address);
      world.emit({ event: "library_changed" });
      return null;
    },
    publish_library: async ({ address }) => {
      const place = parsed(address);
      const total = world.documents.length;
      await count(place, 6, (step) => ({ phase: "publishing", done: Math.round((total * step) / 6), total }));
      const before = world.team.published;
      const isNew = before?.address !== place;
      const published = {
        address: place,
        generation: isNew ? 1 : before.generation,
        new: isNew,
        published_at: world.timestamp(),
        documents: total,
        shelves: 1,
        added: isNew ? total : 0,
        removed: 0,
        entries: 2,
        entries_left_out: 0,
        vocabularies: 1,
        bytes_sent: isNew ? 2_400_000 : 0,
      };
      world.team.published = published;
      tell(place, null);
      world.emit({ event: "library_changed" });
      return published;
    },
    stop_team: () => {
      stopped = true;
      return null;
    },
    keep_store_keys: ({ address, keys }) => {
      parsed(address);
      return keys.secret.trim() ? "in_keyring" : "not_given";
    },
  };
}
