import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ configFile: false }), svelteTesting()],
  // Keeps the shell's messages on screen when both run in one terminal.
  clearScreen: false,
  // The shell looks for the page on exactly this port.
  server: { port: 1420, strictPort: true },
  build: { target: "es2022" },
  test: {
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/testing/setup.ts"],
    // Generous, because the whole window is mounted in some tests and machines differ.
    testTimeout: 120_000,
  },
});
