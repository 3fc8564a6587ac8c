import { afterEach, describe, expect, it } from "vitest";
import { CATALOGUES, duration, named, t, useLanguage, type Message, type MessageKey } from "./i18n.svelte";

const sources = import.meta.glob<string>(
  ["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../backend/generated/**"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

const KEYS = Object.keys(CATALOGUES.en) as MessageKey[];
const placeholders = (message: Message) =>
  [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].toSorted();

afterEach(() => useLanguage("en"));

describe("the catalogues", () => {
  it("hold the same keys", () => {
    expect(Object.keys(CATALOGUES.nl).toSorted()).toEqual(KEYS.toSorted());
  });

  it("have the same gaps and forms in both languages", () => {
    const differing = KEYS.filter((key) => {
      const [english, dutch] = [CATALOGUES.en[key], CATALOGUES.nl[key]];
      return typeof dutch !== typeof english || String(placeholders(dutch)) !== String(placeholders(english));
    });
    expect(differing).toEqual([]);
  });

  it("leave nothing empty", () => {
    const empty = KEYS.filter((key) => /""/.test(JSON.stringify([CATALOGUES.en[key], CATALOGUES.nl[key]])));
    expect(empty).toEqual([]);
  });

  it("hold nothing that is not used", () => {
    const text = Object.entries(sources)
      .filter(([path]) => !/\/(en|nl)\.ts$/.test(path))
      .map(([, source]) => source)
      .join("\n");
    const groups = [
      ...text.matchAll(/named\(\s*"([\w.]+)"|bars\([\w.]+, "([\w.]+)"\)|group="(\w+)"|t\(`(\w+)\./g),
    ]
      .map((found) => found[1] ?? found[2] ?? found[3] ?? found[4])
      .concat("shortcut");
    const unused = KEYS.filter(
      (key) => !text.includes(`"${key}"`) && !groups.some((group) => key.startsWith(`${group}.`)),
    );
    expect(unused).toEqual([]);
  });
});

describe("texts", () => {
  it("fill in names and choose by number", () => {
    expect(t("withheld.summary", { n: 1 })).toBe("1 sentence withheld");
    expect(t("withheld.summary", { n: 3 })).toBe("3 sentences withheld");
  });

  it("follow the language at once", () => {
    useLanguage("nl");
    expect(t("withheld.summary", { n: 2 })).toBe("2 zinnen achtergehouden");
    expect(duration(90)).toBe("2 minuten");
  });

  it("show an unknown value of a list as it is", () => {
    expect(named("refusal", "brand_new_reason")).toBe("brand new reason");
  });
});
