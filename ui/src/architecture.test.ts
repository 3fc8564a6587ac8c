import { describe, expect, it } from "vitest";

const sources = import.meta.glob<string>("./**/*.{ts,js,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});

const TAURI_IMPORT = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["'`]@tauri-apps\//;

/** The files that import Tauri's packages without living in `backend/`. */
function strayTauriImports(files: Record<string, string>): string[] {
  return Object.entries(files)
    .filter(([path, text]) => !path.startsWith("./backend/") && TAURI_IMPORT.test(text))
    .map(([path]) => path);
}

describe("only backend/ knows Tauri", () => {
  it("holds for every source file", () => {
    expect(Object.keys(sources), "the scan must see the sources").toContain("./App.svelte");
    expect(strayTauriImports(sources), "import from src/backend/ instead").toEqual([]);
  });

  it.each([
    ['import { invoke } from "@tauri-apps/api/core";'],
    ["import type { Event } from '@tauri-apps/api/event';"],
    ['import {\n  invoke,\n} from "@tauri-apps/api/core";'],
    ['import "@tauri-apps/plugin-dialog";'],
    ['export { invoke } from "@tauri-apps/api/core";'],
    ['const core = await import("@tauri-apps/api/core");'],
  ])("finds %j outside backend/ and allows it inside", (line) => {
    const files = { "./features/answer/Answer.svelte": line, "./backend/shell.ts": line };
    expect(strayTauriImports(files)).toEqual(["./features/answer/Answer.svelte"]);
  });

  it("leaves a mere mention alone", () => {
    expect(
      strayTauriImports({ "./App.svelte": "<!-- talks to @tauri-apps/api through backend/ -->" }),
    ).toEqual([]);
  });
});
