import { defineConfig } from "vitest/config";

/** Tests of the page in a real browser, over the stand-in: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ["browser/**/*.browser.ts"],
    globalSetup: ["browser/serve.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
