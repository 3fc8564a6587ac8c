// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { hostileAnswer } from "../backend/fake/hostile";
import { allowedAddress } from "./links";
import { plainText, renderBlocks } from "./markdown";
import { markSupport, sentencesCiting } from "./marks";
import { plain, shorten } from "./plain";

const label = (number: number) => (number <= 2 ? `Source ${number}` : null);

function rendered(source: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = renderBlocks(source, label).join("");
  return element;
}

describe("Markdown", () => {
  it("renders tables, code and lists", () => {
    const page = rendered("| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n```rust\nlet x = 1;\n```\n\n- one\n- two");
    expect(page.querySelectorAll("td")).toHaveLength(2);
    expect(page.querySelector("td:last-child")?.getAttribute("data-align")).toBe("right");
    expect(page.querySelector("pre code")?.textContent).toBe("let x = 1;\n");
    expect(page.querySelectorAll("li")).toHaveLength(2);
  });

  it("makes buttons of known citations and leaves unknown numbers alone", () => {
    const page = rendered("TLS 1.3 is required [1]. See also [9].");
    expect(page.querySelectorAll("button.citation")).toHaveLength(1);
    expect(page.querySelector("button")?.getAttribute("aria-label")).toBe("Source 1");
    expect(page.textContent).toContain("[9]");
  });

  it("lets nothing run and nothing be fetched", () => {
    const page = rendered(hostileAnswer("hostile"));
    expect(page.querySelectorAll("script, img, svg, iframe, style, object, link")).toHaveLength(0);
    for (const element of page.querySelectorAll("*")) {
      for (const attribute of element.attributes) {
        expect(attribute.name, element.outerHTML).not.toMatch(/^on|^style$|^src/);
      }
    }
    for (const link of page.querySelectorAll("a")) {
      expect(link.getAttribute("href")).toMatch(/^(https?|mailto):/);
    }
    expect(page.textContent, "marks that reorder text are gone").not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it("keeps finished blocks as they are while more arrives", () => {
    const before = renderBlocks("One [1].\n\nTwo", label);
    const after = renderBlocks("One [1].\n\nTwo and more.", label);
    expect(after[0]).toBe(before[0]);
    expect(after).toHaveLength(2);
  });

  it("takes ten thousand lines", () => {
    expect(renderBlocks(hostileAnswer("hostile 10000"), label).length).toBeGreaterThan(10_000);
  });

  it("is read aloud without markup and numbers", () => {
    expect(plainText("**TLS 1.3** is required [1].\n\n- one")).toBe("TLS 1.3 is required .\none");
  });
});

describe("marked words", () => {
  const passage =
    "Chosen: TLS 1.3 is required for all transport encryption. Certificates are valid for at most 398 days.";

  it("marks a quotation as one stretch", () => {
    const stretches = markSupport(passage, ["Certificates are valid for at most 398 days."]);
    expect(stretches.filter((stretch) => stretch.marked).map((stretch) => stretch.text)).toEqual([
      "Certificates are valid for at most 398 days",
    ]);
  });

  it("leaves a passage without shared words unmarked, and loses no character", () => {
    const stretches = markSupport(passage, ["Nothing here is the same of it."]);
    expect(stretches.some((stretch) => stretch.marked)).toBe(false);
    expect(stretches.map((stretch) => stretch.text).join("")).toBe(passage);
  });

  it("finds the sentences, items and rows that cite a number", () => {
    const answer =
      "TLS 1.3 is required [1]. Keys rotate [2]. Both hold [1][2].\n\n| TLS 1.2 | until 2027 [1] |";
    expect(sentencesCiting(answer, 1)).toHaveLength(3);
    expect(sentencesCiting(answer, 2)[0]).toContain("Keys rotate");
  });

  it("takes a marker after the full stop for the sentence before it", () => {
    const answer = "Keys rotate yearly. [1] Tokens do not. [2]\n| TLS 1.3 | Required. No other. [1] |";
    expect(sentencesCiting(answer, 1).map((unit) => unit.trim())).toEqual([
      "Keys rotate yearly.",
      "| TLS 1.3 | Required. No other.   |",
    ]);
  });
});

describe("addresses and plain text", () => {
  it.each(["https://example.org/", "http://example.org/", "mailto:a@example.org"])("opens %s", (address) => {
    expect(allowedAddress(address)).toBe(address);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "relative", "vbscript:x"])(
    "never opens %s",
    (address) => expect(allowedAddress(address)).toBeNull(),
  );

  it("shows titles without marks that reorder or hide", () => {
    expect(plain("ADR\u202e-12\u200b")).toBe("ADR-12");
  });

  it("shortens at a word", () => {
    expect(shorten("one two three four", 10)).toBe("one two…");
    expect(shorten("short", 10)).toBe("short");
  });
});
