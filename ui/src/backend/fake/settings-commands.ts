import type { OwnModel, Settings, SettingsReport } from "../generated/types";
import type { Handlers } from "./handlers";
import { defaultSettings } from "./settings-seed";
import { failure, World } from "./world";

type Names =
  | "settings"
  | "change_settings"
  | "thresholds"
  | "change_thresholds"
  | "doctor"
  | "models"
  | "stop_pull"
  | "own_model"
  | "stop_fetch_own_model"
  | "start_own_model"
  | "stop_own_model"
  | "embedders"
  | "switch_embedder"
  | "token"
  | "set_token"
  | "clear_token"
  | "data_locations"
  | "delete_all_data";

export function settingsCommands(world: World): Pick<Handlers, Names> {
  return {
    settings: () => world.settings,
    change_settings: ({ changes }) => {
      const next = structuredClone(world.settings);
      for (const { key, value } of changes) write(next, key, value);
      world.settings = next;
      const { answer } = next.settings.models;
      const address = serverAddress(next.settings);
      const { hostname, host, protocol } = new URL(address);
      const remote = answer !== null && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
      const encrypted = protocol === "https:";
      world.setState({
        answers_with_model: answer !== null,
        remote: remote ? { host, encrypted, sends_token: encrypted && world.token.place !== "none" } : null,
      });
      world.emit({ event: "settings", settings: next });
      return next;
    },
    thresholds: () => world.thresholds,
    change_thresholds: ({ changes }) => {
      const rows = structuredClone(world.thresholds);
      for (const { name, field, value } of changes) {
        const row = rows.find((one) => one.name === name);
        if (!row || !(field in row.values))
          throw failure("invalid_input", `there is no threshold ${name}.${field}`);
        if (value !== null && (value < 0 || value > 1)) {
          throw failure("invalid_input", `${field} must lie between 0 and 1, and ${value} does not`);
        }
        const known = field as keyof typeof row.values;
        row.values[known] = value ?? row.defaults[known];
      }
      world.thresholds = rows;
      return rows;
    },
    doctor: async ({ address: given }) => {
      const { settings } = world.settings;
      const address = given ?? serverAddress(settings);
      await world.wait(500);
      return [
        {
          name: "Model server",
          outcome: "failed",
          finding: `Nothing listens at ${address}: the connection was refused.`,
          fix: settings.models.server === "openai" ? "llama-server -m MODEL.gguf" : "ollama serve",
        },
        {
          // The same part twice, as the host tells it: that it answers, and that no model is chosen.
          name: "Model server",
          outcome: "skipped",
          finding: "No model is configured; answers are extracts.",
          fix: null,
        },
        {
          name: "Built-in embedder",
          outcome: "ok",
          finding: "embed-en-nl, 384 dimensions, loaded in 210 ms.",
          fix: null,
        },
        {
          name: "Vocabulary",
          outcome: "ok",
          finding: "3 vocabularies with 11 concepts from files.",
          fix: null,
        },
        {
          name: "Keyring",
          outcome: "warning",
          finding: "No secret service answers; a token would be kept until the program ends.",
          fix: "Start gnome-keyring or KeePassXC's secret service.",
        },
      ];
    },
    models: () => ({
      reachable: true,
      pulls: world.settings.settings.models.server === "ollama",
      models: Object.entries(world.settings.settings.models.allow)
        .map(([name, allowance]) => ({
          name,
          allowed: true,
          pulled: world.pulled.has(name),
          bytes: world.pulled.has(name) ? 2_019_393_189 : null,
          context_window: allowance.context_window,
        }))
        .concat([
          { name: "mistral:7b", allowed: false, pulled: true, bytes: 4_113_301_824, context_window: 32768 },
        ]),
    }),
    stop_pull: ({ name }) => {
      const running = world.running.get(`pull ${name}`);
      if (running) running.stopped = true;
      return null;
    },
    own_model: () => ownModel(world),
    stop_fetch_own_model: () => {
      const running = world.running.get(OWN_MODEL);
      if (running) running.stopped = true;
      return null;
    },
    start_own_model: async () => {
      world.ownModel = "starting";
      world.emit({ event: "own_model", own_model: ownModel(world) });
      await world.wait(800);
      world.ownModel = "running";
      world.emit({ event: "own_model", own_model: ownModel(world) });
      return ownModel(world);
    },
    stop_own_model: () => {
      world.ownModel = "stopped";
      world.emit({ event: "own_model", own_model: ownModel(world) });
      return ownModel(world);
    },
    embedders: () => [
      {
        id: "local",
        name: "embed-en-nl (built in)",
        family: "Local",
        current: world.embedder === "local",
        unavailable: null,
        passages_to_embed: 0,
        seconds: 0,
      },
      {
        id: "nomic-embed-text",
        name: "nomic-embed-text (Ollama)",
        family: "Ollama",
        current: world.embedder === "nomic-embed-text",
        unavailable: null,
        passages_to_embed: world.passages(),
        seconds: Math.ceil(world.passages() / 12),
      },
    ],
    switch_embedder: ({ id }) => {
      world.embedder = id;
      world.emit({ event: "library_changed" });
      return null;
    },
    token: () => world.token,
    set_token: ({ token }) => {
      if (token.trim() === "") throw failure("invalid_input", "the token is empty");
      world.token = { place: "session", keyring_problem: "no secret service answers" };
      return world.token;
    },
    clear_token: () => {
      world.token = { place: "none", keyring_problem: null };
      return world.token;
    },
    data_locations: () => ({
      workspace: "/home/you/.local/share/plumbline",
      logs: "/home/you/.local/share/plumbline/logs",
      settings_file: "/home/you/.local/share/plumbline/settings.toml",
      bytes: 6_412_884,
    }),
    delete_all_data: () => {
      const { state, settings } = new World({ fresh: true });
      world.conversations = [];
      world.folders = [];
      world.documents = [];
      world.findings = [];
      world.ownSet = null;
      world.runs = { running: null, last: null, previous: null };
      world.settings = settings;
      world.setState(state);
      world.emit({ event: "conversations_changed" });
      world.emit({ event: "library_changed" });
      world.emit({ event: "settings", settings });
      return null;
    },
  };
}

/** The download of Plumbline's own model, among what runs. */
export const OWN_MODEL = "own model";

/** Plumbline's own model as the settings have it. */
export function ownModel(world: World): OwnModel {
  const { address, sha256, file } = world.settings.settings.managed;
  const known = address !== null && sha256 !== null;
  const ready = file !== null || (known && world.pulled.has(OWN_MODEL));
  const name =
    (file ?? address)
      ?.split("/")
      .at(-1)
      ?.replace(/\.gguf$/, "") ?? null;
  const running = world.ownModel === "running";
  return {
    program: "/usr/bin/llama-server",
    model: name,
    downloadable: file === null && known && !ready,
    ready,
    state: world.ownModel,
    address: running ? "http://127.0.0.1:11500/v1" : null,
    problem: ready ? null : known ? "the model is not downloaded yet" : "no model is named",
  };
}

/** Where the server is that is asked. */
function serverAddress({ models }: Settings): string {
  return models.server === "openai" ? models.openai_url : models.ollama_url;
}

/** Writes one value as the settings file would take it, or says why not. */
function write(report: SettingsReport, key: string, text: string | null): void {
  const [section, name] = key.split(".") as [keyof Settings, string];
  const values = report.settings[section] as Record<string, unknown> | undefined;
  const defaults = defaultSettings().defaults[section] as Record<string, unknown> | undefined;
  if (!values || !defaults || !(name in values)) throw failure("settings", `there is no setting ${key}`);
  if (text === null) {
    values[name] = defaults[name];
    delete report.origins[key];
    return;
  }
  values[name] = read(key, text, defaults[name]);
  report.origins[key] = "file";
}

function read(key: string, text: string, like: unknown): unknown {
  if (typeof like === "number") {
    const value = Number(text);
    if (!Number.isFinite(value) || value < 0)
      throw failure("settings", `${key}: “${text}” is not a number of 0 or more`);
    return value;
  }
  if (typeof like === "boolean") return text === "true";
  if (key.endsWith("_url") && !/^https?:\/\/[^\s/]+/.test(text)) {
    throw failure("settings", `${key}: “${text}” is not an http or https address`);
  }
  return text;
}
