// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { hostileAnswer } from "../backend/fake/hostile";
import type { NoticeKind } from "../backend/generated/types";
import { allowedAddress } from "./links";
import { plainText, renderBlocks } from "./markdown";
import { markPieces, markSupport, sentencesCiting } from "./marks";
import { toneOf } from "./notices";
import { outdented } from "./passage";
import { plain, sentence, shorten } from "./plain";

const label = (number: number) => (number <= 2 ? `Source ${number}` : null);

function rendered(source: string, support: string[] = []): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = renderBlocks(source, label, support).join("");
  return element;
}

function expectHarmless(page: HTMLElement): void {
  expect(page.querySelectorAll("script, img, svg, iframe, style, object, link")).toHaveLength(0);
  for (const element of page.querySelectorAll("*")) {
    for (const attribute of element.attributes) {
      expect(attribute.name, element.outerHTML).not.toMatch(/^on|^style$|^src/);
    }
  }
  for (const link of page.querySelectorAll("a[href]")) {
    expect(link.getAttribute("href")).toMatch(/^(https?|mailto):/);
  }
  expect(page.textContent, "marks that reorder text are gone").not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
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
    expectHarmless(rendered(hostileAnswer("hostile")));
  });

  it("shows the words of a link to a neighbouring file, which leads nowhere", () => {
    const page = rendered("See [ADR 7](../adr/0007.md) and [more](//attacker.example/x).");
    expect(page.textContent).toBe("See ADR 7 and more.\n");
    expect(page.querySelector("[href]")).toBeNull();
  });

  it("shows rows of one table under one head, each with its citation", () => {
    const page = rendered(
      "| Tier | Restore time |\n|---|---|\n| gold | 4 hours [1] |\n| silver | 12 hours [2] |\n\nAnd more [1].",
    );
    expect(page.querySelectorAll("table")).toHaveLength(1);
    expect(page.querySelectorAll("thead tr")).toHaveLength(1);
    const rows = [...page.querySelectorAll("tbody tr")];
    expect(rows.map((row) => row.querySelector("td")?.textContent)).toEqual(["gold", "silver"]);
    expect(rows.map((row) => row.querySelector("[data-citation]")?.textContent)).toEqual(["1", "2"]);
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
    expect(plainText("- **TLS 1.3** is required [1].", true), "as it was written").toBe(
      "TLS 1.3 is required [1].",
    );
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

  it("takes a paragraph or table that is cited at its end as a whole, and no other", () => {
    const answer =
      "Backups are tested. [2]\n\nTLS 1.3 is required. It replaces TLS 1.2. [1]\n\n| SSL | no |\n| TLS 1.2 | no [1] |";
    expect(sentencesCiting(answer, 1).map((unit) => unit.trim())).toEqual([
      "TLS 1.3 is required.",
      "It replaces TLS 1.2.",
      "| SSL | no |",
      "| TLS 1.2 | no   |",
    ]);
    expect(sentencesCiting(answer, 2).map((unit) => unit.trim())).toEqual(["Backups are tested."]);
  });

  it("takes a marker after the full stop for the sentence before it", () => {
    const answer = "Keys rotate yearly. [1] Tokens do not. [2]\n| TLS 1.3 | Required. No other. [1] |";
    expect(sentencesCiting(answer, 1).map((unit) => unit.trim())).toEqual([
      "Keys rotate yearly.",
      "| TLS 1.3 | Required. No other.   |",
    ]);
  });
});

describe("marked words in Markdown", () => {
  const sentence = "TLS 1.3 is required for all transport encryption";

  function marks(source: string, support = [sentence]): (string | null)[] {
    return [...rendered(source, support).querySelectorAll("mark")].map((mark) => mark.textContent);
  }

  it.each([
    ["around bold text", "So **TLS 1.3** is required.", ["TLS 1.3", " is required"]],
    ["from inside bold text", "**We say TLS 1.3** is required now.", ["TLS 1.3", " is required"]],
    ["inside a word", "It is re**quired**.", ["re", "quired"]],
    ["in list items", "* TLS 1.3\n* something else\n    * required", ["TLS 1.3", "required"]],
    [
      "in the cells of a table",
      "| Version | Rule |\n| --- | --- |\n| TLS 1.3 | required |",
      ["TLS 1.3", "required"],
    ],
    ["in a link, not in its address", "See [TLS 1.3 rules](https://example.org/required).", ["TLS 1.3"]],
    ["in a link to a file", "[TLS 1.3](0021-required.md) is required.", ["TLS 1.3", " is required"]],
    ["in code", "Set `min = TLS 1.3`.\n\n```\nrequired\n```", ["TLS 1.3", "required"]],
    ["in what an image says", "![transport](required.png)", ["transport"]],
    ["across the end of a line", "TLS 1.3 is\nrequired.", ["TLS 1.3 is", "required"]],
    ["beside a number in brackets", "TLS[1] required", ["TLS", " required"]],
    ["beside entities", "R&amp;D: TLS &lt; required", ["TLS < required"]],
  ])("are found %s", (_, source, expected) => expect(marks(source)).toEqual(expected));

  it("stand inside the formatting and leave the text as it is", () => {
    const source = "So **TLS 1.3** is required by [the board](https://example.org).";
    const page = rendered(source, [sentence]);
    expect(page.querySelector("strong > mark")?.textContent).toBe("TLS 1.3");
    expect(page.textContent).toBe(rendered(source).textContent);
  });

  it("are none without sentences", () => expect(marks("TLS 1.3 is required", [])).toEqual([]));

  it("let nothing of a hostile passage run", () => {
    const hostile = hostileAnswer("hostile");
    const page = rendered(hostile, [hostile]);
    expect(page.querySelectorAll("mark").length).toBeGreaterThan(5);
    expectHarmless(page);
  });

  it("are divided over the pieces of a text, none of which loses a character", () => {
    const pieces = ["", "Use TL", "S 1.3", " or", ""];
    const divided = markPieces(pieces, [sentence]);
    expect(divided.map((stretches) => stretches.map(({ text }) => text).join(""))).toEqual(pieces);
    expect(divided.flat().filter((stretch) => stretch.marked)).toEqual([
      { text: "TL", marked: true },
      { text: "S 1.3", marked: true },
    ]);
  });
});

describe("a passage that begins with a nested item", () => {
  it("is a list and no code", () => {
    const passage = "    * one\n      more\n        * two\n* three";
    expect(outdented(passage)).toBe("* one\n  more\n    * two\n* three");
    expect(rendered(outdented(passage)).querySelectorAll("li")).toHaveLength(3);
  });

  it.each(["    let x = 1;", "plain\n    * item", "* item\n    * item"])("leaves %j alone", (passage) =>
    expect(outdented(passage)).toBe(passage),
  );
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

  it("shows messages of programs as sentences, and names and addresses as they are", () => {
    expect(sentence("the library could not be searched")).toBe("The library could not be searched");
    expect(sentence("s3://records/team: no answer")).toBe("s3://records/team: no answer");
    expect(sentence("adr-0012 is gone")).toBe("adr-0012 is gone");
  });

  it("shortens at a word", () => {
    expect(shorten("one two three four", 10)).toBe("one two…");
    expect(shorten("short", 10)).toBe("short");
  });
});

describe("notices", () => {
  it("warn of all that weakens a document, and only tell where it comes from", () => {
    const tone = (kind: NoticeKind) => toneOf({ kind, document_id: "adr-1", text: "" });
    const weak: NoticeKind[] = [
      "stale",
      "superseded",
      "deprecated",
      "rejected",
      "proposed",
      "status_disagreement",
    ];
    expect(new Set(weak.map(tone))).toEqual(new Set(["caution"]));
    expect(tone("published")).toBe("information");
  });
});
