import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Loaded } from "./loaded.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const starting = { code: "starting", message: "Plumbline is still starting." };

test("what is asked for before the program has started comes when it has", async () => {
  const loaded = new Loaded<string>();
  let tries = 0;
  const done = loaded.load(() => (++tries < 3 ? Promise.reject(starting) : Promise.resolve("there")));
  await vi.runAllTimersAsync();
  await done;
  expect([loaded.value, loaded.error, loaded.loading]).toEqual(["there", null, false]);
});

test("a program that never starts is an error in the end, and any other error at once", async () => {
  const loaded = new Loaded<string>();
  const done = loaded.load(() => Promise.reject(starting));
  await vi.runAllTimersAsync();
  await done;
  expect(loaded.error?.code).toBe("starting");
  let tries = 0;
  await loaded.load(() => Promise.reject({ code: "busy", message: `${++tries}` }));
  expect([loaded.error?.code, tries]).toEqual(["busy", 1]);
});
