const NESTED_ITEM = /^[ \t]+(?=(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** The passage as Markdown that stands by itself: one that begins with a nested item would pass for code. */
export function outdented(passage: string): string {
  const depth = NESTED_ITEM.exec(passage)?.[0].length;
  return depth === undefined ? passage : passage.replace(new RegExp(`^[ \\t]{1,${depth}}`, "gm"), "");
}
