import { describe, expect, it } from "vitest";
import { ceiling, curvePath } from "./curve";
import { sorted } from "./sorting";

describe("sorting", () => {
  const rows = [{ n: "adr-0010" }, { n: null }, { n: "adr-0009" }];

  it("puts rows without a value last, whichever way", () => {
    expect(sorted(rows, (row) => row.n, false).map((row) => row.n)).toEqual(["adr-0009", "adr-0010", null]);
    expect(sorted(rows, (row) => row.n, true).map((row) => row.n)).toEqual(["adr-0010", "adr-0009", null]);
  });

  it("compares numbers as numbers", () => {
    expect(sorted([10, 9, 100], (value) => value, false)).toEqual([9, 10, 100]);
  });
});

describe("curves", () => {
  it("span the box and break where there is no value", () => {
    expect(curvePath([0, 5, 10], 10)).toBe("M0 160 L300 80 L600 0");
    expect(curvePath([1, null, 1], 1)).toBe("M0 0 M600 0");
  });

  it("reach up to a round number", () => {
    expect([0, 3, 18, 600].map(ceiling)).toEqual([1, 5, 20, 1000]);
  });
});
