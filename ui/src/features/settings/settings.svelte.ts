import { Loaded } from "../../app/loaded.svelte";
import type { Messages } from "../../app/messages.svelte";
import type { Backend } from "../../backend/backend";
import { toCommandError } from "../../backend/backend";
import type {
  Broadcast,
  CommandError,
  DataLocations,
  DoctorCheck,
  EmbedderInfo,
  ModelList,
  OwnModel,
  PullProgress,
  SettingChange,
  SettingOrigin,
  SettingsReport,
  ThresholdRow,
  TokenStatus,
} from "../../backend/generated/types";
import { t, useLanguage } from "../../i18n/i18n.svelte";

/** Settings, models, the doctor, thresholds, token and data. */
export class SettingsForm {
  readonly report = new Loaded<SettingsReport>();
  readonly doctor = new Loaded<DoctorCheck[]>();
  readonly models = new Loaded<ModelList>();
  readonly embedders = new Loaded<EmbedderInfo[]>();
  readonly thresholds = new Loaded<ThresholdRow[]>();
  readonly token = new Loaded<TokenStatus>();
  readonly locations = new Loaded<DataLocations>();
  /** The model being downloaded, and how far it is. */
  pulling = $state<{ name: string; progress: PullProgress | null } | null>(null);
  readonly ownModel = new Loaded<OwnModel>();
  /** How far the download of Plumbline's own model is. */
  fetching = $state<{ progress: PullProgress | null } | null>(null);
  /** The last change, until it is taken or refused. */
  private changing: Promise<void> = Promise.resolve();
  /** Why the last change was not taken. */
  refused = $state<{ key: string; error: CommandError } | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
  ) {}

  async load(): Promise<void> {
    await this.report.load(() => this.backend.call("settings", {}));
    this.applyLanguage();
  }

  /** Fetches what only the settings view shows. */
  async loadDetails(): Promise<void> {
    await Promise.all([
      this.report.value ? null : this.load(),
      this.models.load(() => this.backend.call("models", {})),
      this.loadOwnModel(),
      this.embedders.load(() => this.backend.call("embedders", {})),
      this.thresholds.load(() => this.backend.call("thresholds", {})),
      this.token.load(() => this.backend.call("token", {})),
      this.locations.load(() => this.backend.call("data_locations", {})),
    ]);
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "settings") {
      this.report.set(broadcast.settings);
      this.applyLanguage();
    }
    if (broadcast.event === "own_model") this.ownModel.set(broadcast.own_model);
    if (broadcast.event === "library_changed" && this.embedders.value) {
      void this.embedders.load(() => this.backend.call("embedders", {}));
    }
  }

  /** Where a setting comes from that the window cannot change. */
  lockedBy(key: string): SettingOrigin | null {
    const origin = this.report.value?.origins[key];
    return origin === "environment" || origin === "flag" ? origin : null;
  }

  async change(key: string, value: string | null): Promise<void> {
    await this.changeAll([{ key, value }]);
  }

  changeAll(changes: SettingChange[]): Promise<void> {
    this.changing = this.take(changes);
    return this.changing;
  }

  private async take(changes: SettingChange[]): Promise<void> {
    try {
      this.report.set(await this.backend.call("change_settings", { changes }));
      this.refused = null;
      this.applyLanguage();
    } catch (thrown) {
      this.refused = { key: changes[0]?.key ?? "", error: toCommandError(thrown) };
    }
  }

  /** Tests everything with what was typed last, also where that is still being taken. */
  async examine(address: () => string): Promise<void> {
    await this.doctor.load(async () => {
      await this.changing;
      return this.backend.call("doctor", { address: address() || null });
    });
  }

  async pull(name: string): Promise<void> {
    if (this.pulling) return;
    this.pulling = { name, progress: null };
    try {
      await this.backend.stream("pull_model", { name }, (progress) => {
        this.pulling = { name, progress };
      });
      await this.models.load(() => this.backend.call("models", {}));
    } catch (thrown) {
      if (toCommandError(thrown).code !== "stopped") this.messages.fail(thrown);
    }
    this.pulling = null;
  }

  async stopPull(): Promise<void> {
    if (this.pulling) await this.attempt(() => this.backend.call("stop_pull", { name: this.pulling!.name }));
  }

  async loadOwnModel(): Promise<void> {
    await this.ownModel.load(() => this.backend.call("own_model", {}));
  }

  async fetchOwnModel(): Promise<void> {
    if (this.fetching) return;
    this.fetching = { progress: null };
    try {
      const fetched = await this.backend.stream("fetch_own_model", {}, (progress) => {
        this.fetching = { progress };
      });
      this.ownModel.set(fetched);
    } catch (thrown) {
      if (toCommandError(thrown).code !== "stopped") this.messages.fail(thrown);
    }
    this.fetching = null;
  }

  async stopFetch(): Promise<void> {
    await this.attempt(() => this.backend.call("stop_fetch_own_model", {}));
  }

  async startOwnModel(): Promise<void> {
    await this.attempt(async () => this.ownModel.set(await this.backend.call("start_own_model", {})));
  }

  async stopOwnModel(): Promise<void> {
    await this.attempt(async () => this.ownModel.set(await this.backend.call("stop_own_model", {})));
  }

  async switchEmbedder(id: string): Promise<void> {
    await this.attempt(async () => {
      await this.backend.call("switch_embedder", { id });
      await this.embedders.load(() => this.backend.call("embedders", {}));
    });
  }

  async changeThreshold(name: string, field: string, value: number | null): Promise<void> {
    await this.attempt(async () => {
      const rows = await this.backend.call("change_thresholds", { changes: [{ name, field, value }] });
      this.thresholds.set(rows);
    });
  }

  /** Takes the values that calibration proposes. */
  async useCalibrated(row: ThresholdRow): Promise<void> {
    const proposed = Object.entries(row.calibrated ?? {}) as [string, number][];
    const changes = proposed.map(([field, value]) => ({ name: row.name, field, value }));
    await this.attempt(async () => {
      this.thresholds.set(await this.backend.call("change_thresholds", { changes }));
    });
  }

  async keepToken(token: string): Promise<void> {
    await this.attempt(async () => this.token.set(await this.backend.call("set_token", { token })));
  }

  async forgetToken(): Promise<void> {
    await this.attempt(async () => this.token.set(await this.backend.call("clear_token", {})));
  }

  async deleteAllData(): Promise<boolean> {
    return this.attempt(async () => {
      await this.backend.call("delete_all_data", {});
      this.messages.say(t("settings.data.deleted"));
    });
  }

  private applyLanguage(): void {
    const language = this.report.value?.settings.general.language;
    if (language) useLanguage(language);
  }

  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (thrown) {
      this.messages.fail(thrown);
      return false;
    }
  }
}

/** Whether an address means this machine. */
export function isLoopback(address: string): boolean {
  try {
    const { hostname } = new URL(address);
    return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  } catch {
    return false;
  }
}

/** Whether a token could be read on its way: a token is then not sent. */
export function sendsInTheClear(address: string): boolean {
  return address.startsWith("http:") && !isLoopback(address);
}
