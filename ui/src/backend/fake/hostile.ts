/** What a document or a model could try; a number in the question gives the lines. */
export function hostileAnswer(question: string): string {
  const lines = Number(/\d+/.exec(question)?.[0] ?? 0);
  const attempts = [
    "<script>globalThis.attacked = true</script>",
    '<img src="https://attacker.example/pixel.png" onerror="globalThis.attacked = true">',
    '<svg onload="globalThis.attacked = true"><use href="https://attacker.example/x.svg#a"/></svg>',
    "[a link](javascript:globalThis.attacked=true) and [another](data:text/html,<script>globalThis.attacked=true</script>)",
    "![a picture](https://attacker.example/pixel.png)",
    "<javascript:globalThis.attacked=true>",
    "\u202eevil\u202c and \u2066hidden\u2069",
    "W".repeat(4000),
    "[99] is no source, [1](https://attacker.example) neither.",
  ];
  const long = Array.from({ length: lines }, (_, index) => `Line ${index + 1} of a very long answer.`);
  return [...attempts, ...long].join("\n\n");
}
