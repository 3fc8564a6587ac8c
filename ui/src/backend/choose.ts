import { isTauri } from "@tauri-apps/api/core";
import type { Backend } from "./backend";
import { TauriBackend } from "./tauri";

/** The shell inside the window; in a browser while developing, a stand-in with documents of the sample library. */
export async function chooseBackend(): Promise<Backend> {
  if (isTauri()) return new TauriBackend();
  if (import.meta.env.DEV) {
    const { FakeBackend } = await import("./fake/fake");
    return FakeBackend.forAddress(new URL(window.location.href));
  }
  throw new Error("this page works inside Plumbline's window only");
}
