import type { Backend } from "../backend/backend";
import type { AppState, BannerItem, Broadcast, Preferences, Theme } from "../backend/generated/types";
import type { Messages } from "./messages.svelte";

/** What the whole window depends on: the engine's state, what is off, and how it looks. */
export class WindowState {
  state = $state.raw<AppState | null>(null);
  banner = $state.raw<BannerItem[]>([]);
  /** When the banner was told, so that it can count down. */
  bannerSince = $state(0);
  preferences = $state.raw<Preferences>({ theme: "system", sidebar_folded: false });

  constructor(
    private readonly backend: Backend,
    private readonly messages: Messages,
    private readonly now: () => number,
  ) {}

  async start(): Promise<void> {
    try {
      const [state, banner, preferences] = await Promise.all([
        this.backend.call("app_state", {}),
        this.backend.call("banner", {}),
        this.backend.call("preferences", {}),
      ]);
      this.state ??= state;
      this.showBanner(banner);
      this.preferences = preferences;
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  hear(broadcast: Broadcast): void {
    if (broadcast.event === "state") this.state = broadcast.state;
    if (broadcast.event === "banner") this.showBanner(broadcast.items);
  }

  get ready(): boolean {
    return this.state?.startup.phase === "ready";
  }

  useTheme(theme: Theme): void {
    void this.change({ ...this.preferences, theme });
  }

  toggleTheme(darkNow: boolean): void {
    this.useTheme(darkNow ? "light" : "dark");
  }

  toggleSidebar(): void {
    void this.change({ ...this.preferences, sidebar_folded: !this.preferences.sidebar_folded });
  }

  async openLink(address: string): Promise<void> {
    try {
      await this.backend.call("open_link", { address });
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }

  private showBanner(items: BannerItem[]): void {
    this.banner = items;
    this.bannerSince = this.now();
  }

  private async change(preferences: Preferences): Promise<void> {
    this.preferences = preferences;
    try {
      await this.backend.call("change_preferences", { preferences });
    } catch (thrown) {
      this.messages.fail(thrown);
    }
  }
}
