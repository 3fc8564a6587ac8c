import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  // Keeps the shell's messages on screen when both run in one terminal.
  clearScreen: false,
  // The shell looks for the page on exactly this port.
  server: { port: 1420, strictPort: true },
  test: { include: ["src/**/*.test.ts"] },
});
