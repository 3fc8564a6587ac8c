import type { TestProject } from "vitest/node";
import { createServer, defaultClientConditions } from "vite";

declare module "vitest" {
  interface ProvidedContext {
    address: string;
  }
}

/** Serves the page while the tests run. */
export default async function serve(project: TestProject) {
  const server = await createServer({
    configFile: "vite.config.ts",
    // Beside tests, packages are taken for those of a server, and Svelte's cannot mount a page.
    resolve: { conditions: ["browser", ...defaultClientConditions] },
    cacheDir: "node_modules/.vite-browser",
    server: { port: 0, strictPort: false },
  });
  await server.listen();
  project.provide("address", server.resolvedUrls?.local[0] ?? "");
  return () => server.close();
}
