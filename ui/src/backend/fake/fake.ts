import type { Arguments, Backend, EventOf, Result, StreamingCommand } from "../backend";
import type { Broadcast, OwnModel, PullProgress } from "../generated/types";
import { ask } from "./asking";
import { checkCommands, checkText } from "./checking";
import { conversationCommands } from "./conversation-commands";
import { developmentCommands } from "./development-commands";
import { evaluationCommands } from "./evaluation-commands";
import { contradictions, decisionCommands } from "./decision-commands";
import { generatedDocuments, generatedGraph } from "./decision-seed";
import type { Handlers, PlainCommand } from "./handlers";
import { libraryCommands } from "./library-commands";
import { memoryCommands } from "./memory-commands";
import { metricsCommands } from "./metrics-commands";
import { OWN_MODEL, ownModel, settingsCommands } from "./settings-commands";
import { teamCommands } from "./team-commands";
import { vocabularyCommands } from "./vocabulary-commands";
import { failure, World, type WorldOptions } from "./world";

/** A stand-in for the shell: the same commands and events over a few documents, in memory. */
export class FakeBackend implements Backend {
  readonly world: World;
  private readonly handlers: Handlers;

  constructor(options: WorldOptions = {}) {
    this.world = new World(options);
    const { world } = this;
    this.handlers = {
      app_state: () => world.state,
      banner: () => world.banner,
      preferences: () => world.preferences,
      change_preferences: ({ preferences }) => {
        world.preferences = preferences;
        return null;
      },
      open_link: ({ address }) => {
        if (!/^(https?|mailto):/.test(address))
          throw failure("invalid_input", `${address} may not be opened`);
        return null;
      },
      ...conversationCommands(world),
      ...checkCommands(world),
      ...libraryCommands(world),
      ...teamCommands(world),
      ...decisionCommands(world),
      ...vocabularyCommands(world),
      ...memoryCommands(world),
      ...metricsCommands(world),
      ...developmentCommands(world),
      ...evaluationCommands(world),
      ...settingsCommands(world),
    };
  }

  /** As an address in the browser asks for it: `?fresh`, `?pace=0`, `?degraded`, `?remote`, `?theme=dark`, `?language=nl`, `?records=1000`. */
  static forAddress(address: URL): FakeBackend {
    const asked = address.searchParams;
    const backend = new FakeBackend({ fresh: asked.has("fresh"), pace: Number(asked.get("pace") ?? 1) });
    const { world } = backend;
    const theme = asked.get("theme");
    if (theme === "light" || theme === "dark") world.preferences = { ...world.preferences, theme };
    if (asked.get("language") === "nl") world.settings.settings.general.language = "nl";
    const records = Number(asked.get("records"));
    if (records > 0) {
      world.graph = generatedGraph(records);
      world.documents.push(...generatedDocuments(world.graph));
    }
    if (asked.has("degraded")) {
      world.setBanner([{ service: "embeddings", state: "open", retry_in_seconds: 30 }]);
      setTimeout(() => world.setBanner([]), 30_000);
    }
    if (asked.has("remote")) {
      world.setState({
        answers_with_model: true,
        remote: { host: "ollama.example.org", encrypted: true, sends_token: true },
      });
    }
    return backend;
  }

  async call<C extends PlainCommand>(command: C, parameters: Arguments<C>): Promise<Result<C>> {
    await this.world.wait(20);
    // What crosses is a copy, as it is between window and shell.
    return structuredClone(await this.handlers[command](structuredClone(parameters)));
  }

  async stream<C extends StreamingCommand>(
    command: C,
    parameters: Arguments<C>,
    onEvent: (event: EventOf<C>) => void,
  ): Promise<Result<C>> {
    const emit = (event: EventOf<StreamingCommand>) => onEvent(structuredClone(event) as EventOf<C>);
    const given = structuredClone(parameters);
    const results = {
      ask: () => ask(this.world, given as Arguments<"ask">, emit),
      contradictions: () => contradictions(this.world, emit),
      check_text: () => checkText(this.world, given as Arguments<"check_text">, emit),
      fetch_own_model: () => this.fetchOwnModel(emit),
      pull_model: () => this.pull((given as Arguments<"pull_model">).name, emit),
    };
    return structuredClone(await results[command]()) as Result<C>;
  }

  listen(onBroadcast: (broadcast: Broadcast) => void): () => void {
    this.world.listeners.add(onBroadcast);
    return () => void this.world.listeners.delete(onBroadcast);
  }

  private async fetchOwnModel(emit: (progress: PullProgress) => void): Promise<OwnModel> {
    const running = { stopped: false };
    this.world.running.set(OWN_MODEL, running);
    const total = 98_123_456;
    for (let step = 0; step <= 10; step++) {
      if (running.stopped) throw failure("stopped", "stopped");
      emit({ status: "downloading", done: Math.round((total * step) / 10), total });
      await this.world.wait(250);
    }
    this.world.pulled.add(OWN_MODEL);
    this.world.running.delete(OWN_MODEL);
    return ownModel(this.world);
  }

  private async pull(name: string, emit: (progress: PullProgress) => void): Promise<null> {
    if (!(name in this.world.settings.settings.models.allow)) {
      throw failure("model_not_allowed", `model \`${name}\` is not on the allowlist`);
    }
    const running = { stopped: false };
    this.world.running.set(`pull ${name}`, running);
    const total = 2_019_393_189;
    for (let step = 0; step <= 10; step++) {
      if (running.stopped) throw failure("stopped", "stopped");
      emit({ status: "pulling", done: Math.round((total * step) / 10), total });
      await this.world.wait(250);
    }
    this.world.pulled.add(name);
    this.world.running.delete(`pull ${name}`);
    return null;
  }
}
